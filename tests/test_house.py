"""The house keeps its own rules: who imports whom, style, and tests that can fail."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import p2p_davinci
import protocol
from tests.support.house import (
    EXCLUSION,
    FUNCTION_LINES_MAX,
    MODULE_LINES_MAX,
    PROTOCOL_BOTTOM_UP,
    ROOT,
    THIS_MACHINE,
    UNFINISHED,
    Module,
    cycles,
    idle_tests,
    import_complaints,
    sources,
    sources_of_tests,
    style_complaints,
)


def fake(name: str, text: str, *, is_package: bool = False) -> Module:
    return Module(name=name, is_package=is_package, text=text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("protocol.codec", "from .chain import accept"),
        ("protocol.codec", "from . import chain"),
        ("protocol.chain", "from protocol.codec import encode"),
        ("protocol.novelty", "from .codec import encode"),
        ("protocol.chain", "from p2p_davinci.rules.tiles import Tile"),
        ("protocol.chain", "import asyncio"),
        ("protocol.chain", "import time"),
        ("protocol.chain", "def f():\n    from random import Random"),
        ("protocol.chain", "import os"),
        ("protocol.log", "from pathlib import Path"),
        ("protocol.chain", "import zeroconf"),
        ("p2p_davinci.rules.engine", "from ..session import play"),
        ("p2p_davinci.rules.engine", "import random"),
        ("p2p_davinci.rules.engine", "import msgpack"),
        ("p2p_davinci.rules.engine", "import protocol"),
        ("p2p_davinci.bots.strategy", "from ..session.events import GameView"),
        ("p2p_davinci.session.play", "from protocol.chain import accept"),
        ("p2p_davinci.session.play", "import protocol.chain"),
        ("p2p_davinci.session.play", "from ..net.mesh import Mesh"),
        ("p2p_davinci.session.play", "from time import monotonic"),
        ("p2p_davinci.session.play", "from nacl import bindings"),
        ("p2p_davinci.net.mesh", "from protocol import encode"),
        ("p2p_davinci.net.mesh", "from ..rules.tiles import Tile"),
        ("p2p_davinci.net.mesh", "from ..storage.saved_games import Saved"),
        ("p2p_davinci.storage.files", "from ..net.events import Address"),
        ("p2p_davinci.storage.config", "from ..console.commands import Theme"),
        ("p2p_davinci.storage.files", "import time"),
        ("p2p_davinci.net.mesh", "from .. import __version__"),
        ("p2p_davinci.console.model", "from ..session.play import step"),
        ("p2p_davinci.console.model", "from ..session import play"),
        ("p2p_davinci.console.model", "import asyncio"),
        ("p2p_davinci.text", "from ..rules.tiles import Tile"),
        ("p2p_davinci.app.driver", "import asyncio"),
        ("p2p_davinci.app.driver", "from ..cli import main"),
        ("p2p_davinci.cli", "from .app.runner import run"),
        ("p2p_davinci.cli", "def main():\n    from .net.mesh import Mesh"),
        ("p2p_davinci", "from .rules.tiles import Tile"),
    ],
)
def test_an_import_that_the_house_forbids_is_found(name: str, text: str) -> None:
    known = [
        *("protocol.chain", "protocol.codec", "p2p_davinci.session.play"),
        *("p2p_davinci.app.runner", "p2p_davinci.rules.tiles"),
    ]
    others = [fake(other, "") for other in known if other != name]
    module = fake(name, text, is_package=name == "p2p_davinci.text")
    assert len(import_complaints([module, *others])) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("protocol.chain", "from .codec import encode\nimport hashlib"),
        ("p2p_davinci.storage.journal", "import os\nfrom ..session.contract import Contract"),
        ("p2p_davinci.net.mesh", "from ..storage.identity import Identity"),
        ("p2p_davinci.bots.strategy", "import random\nfrom ..rules.state import View"),
        ("p2p_davinci.session.play", "import protocol\nfrom protocol import accept"),
        ("p2p_davinci.net.mesh", "import asyncio, zeroconf\nfrom .link import Link"),
        ("p2p_davinci.console.plain", "import asyncio\nfrom ..session.events import Effect"),
        ("p2p_davinci.app.runner", "import asyncio\nfrom .. import __version__"),
        ("p2p_davinci.cli", "from . import __version__\ndef main():\n    from .app import runner"),
    ],
)
def test_an_import_that_the_house_allows_is_left_alone(name: str, text: str) -> None:
    assert import_complaints([fake(name, text)]) == []


def test_every_room_imports_only_what_it_may() -> None:
    assert len(sources()) > 20
    assert import_complaints(sources()) == []


def test_a_cycle_is_found_even_if_one_import_of_it_is_lazy() -> None:
    ring = [
        fake("p2p_davinci.net.a", "from .b import x"),
        fake("p2p_davinci.net.b", "def f():\n    from . import c"),
        fake("p2p_davinci.net.c", "from .a import y"),
        fake("p2p_davinci.net.d", "from .a import y"),
    ]
    assert cycles(ring) == ["p2p_davinci.net.a", "p2p_davinci.net.b", "p2p_davinci.net.c"]


def test_no_module_imports_itself_by_a_detour() -> None:
    assert cycles(sources()) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("protocol.chain", '"""It."""\n' + "x = 1\n" * MODULE_LINES_MAX),
        ("protocol.utils", '"""It."""\n'),
        ("p2p_davinci.common.tiles", '"""It."""\n'),
        ("protocol.chain", '"""It."""\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING: ...'),
        ("protocol.chain", '"""It."""\nimport typing\nif typing.TYPE_CHECKING: ...'),
        ("protocol.chain", '"""It."""\nimport os\nfresh = os.urandom(32)'),
        ("p2p_davinci.net.mesh", '"""It."""\nassert 1'),
        ("p2p_davinci.app.seat", '"""It."""\nfrom x import path\npath.write_bytes(b"")'),
        ("p2p_davinci.net.mesh", '"""It."""\ndef f():\n' + "    x = 1\n" * FUNCTION_LINES_MAX),
        ("p2p_davinci.net.mesh", "x = 1"),
    ],
)
def test_a_source_that_breaks_a_rule_of_style_is_found(name: str, text: str) -> None:
    assert len(list(style_complaints(fake(name, text)))) == 1


def test_sources_keep_the_rules_of_style() -> None:
    assert [complaint for module in sources() for complaint in style_complaints(module)] == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (UNFINISHED, "# TO" + "DO later"),
        (UNFINISHED, "raise NotImplemented" + "Error"),
        (EXCLUSION, "# pragma: no" + " cover"),
        (THIS_MACHINE, "see /ho" + "me/someone/file"),
        (THIS_MACHINE, "/ro" + "ot/file"),
    ],
)
def test_marks_that_must_not_stay_are_found(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text) is not None


def test_project_holds_no_unfinished_mark_no_exclusion_and_no_path_of_a_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", "*.py", "*.md", "*.toml", ".ci/run"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    found = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        text = path.read_text("utf-8") if path.exists() else ""
        for pattern in (UNFINISHED, EXCLUSION, THIS_MACHINE):
            found += [f"{name}: {hit.group()}" for hit in pattern.finditer(text)]
    assert found == []


def test_a_test_that_asserts_nothing_is_found() -> None:
    text = """
def sure(x): assert x
def surely(x): sure(x)
def test_idle(): print("fine")
def test_direct(): assert 1
def test_by_detour(): surely(1)
"""
    assert idle_tests([fake("tests.test_x", text)]) == ["tests.test_x:4 test_idle"]


def test_every_test_asserts_something() -> None:
    assert idle_tests(sources_of_tests()) == []


# --- the folders -------------------------------------------------------------------------------


@pytest.mark.parametrize("package", [protocol, p2p_davinci])
def test_imported_package_is_the_one_in_this_checkout(package: object) -> None:
    # Others use the name `protocol`, too.
    file = getattr(package, "__file__", None)
    assert file is not None
    assert Path(file).resolve().parent.parent == ROOT.resolve()


def test_protocol_has_exactly_the_modules_of_the_bottom_up_order() -> None:
    here = {m.name.partition(".")[2] for m in sources() if m.room == "protocol"} - {""}
    assert sorted(here) == sorted(PROTOCOL_BOTTOM_UP)
