"""The house rules that a reader relies on, read from the sources: who imports whom, and style.

Every rule is a function from sources to complaints, so that each is tried on a source that breaks
it before it is believed about ours.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import p2p_davinci
import protocol

ROOT = Path(__file__).parent.parent
PACKAGES = ("protocol", "p2p_davinci")

PROTOCOL_BOTTOM_UP = (
    *("errors", "codec", "group", "sponge", "relation", "sigma"),
    *("elgamal", "shuffle", "miss", "order"),
    *("words", "coin", "envelope", "chain", "log"),
)

# Room: what of this project it may import, by prefix. Its own modules it always may.
MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "protocol": (),
    "p2p_davinci.rules": (),
    "p2p_davinci.text": (),
    "p2p_davinci.net": (),
    "p2p_davinci.bots": ("p2p_davinci.rules",),
    "p2p_davinci.session": ("p2p_davinci.rules", "protocol"),
    "p2p_davinci.console": (
        *("p2p_davinci.rules", "p2p_davinci.text"),
        *("p2p_davinci.session.events", "p2p_davinci.session.lobby_events"),
    ),
    "p2p_davinci.app": (
        *("p2p_davinci.rules", "p2p_davinci.text", "p2p_davinci.net", "p2p_davinci.bots"),
        *("p2p_davinci.session", "p2p_davinci.console", "protocol"),
    ),
    "p2p_davinci.cli": ("p2p_davinci.text", "p2p_davinci.app"),
    "p2p_davinci.__main__": ("p2p_davinci.cli",),
    "p2p_davinci": (),
}
MAY_ASK_THE_VERSION = frozenset({"p2p_davinci.app", "p2p_davinci.cli"})
ONLY_LAZILY = frozenset({("p2p_davinci.cli", "p2p_davinci.app")})

THIRD_PARTY: Mapping[str, frozenset[str]] = {
    "protocol": frozenset({"nacl", "cryptography", "msgpack"}),
    "p2p_davinci.net": frozenset({"nacl", "cryptography", "zeroconf", "ifaddr"}),
    "p2p_davinci.console": frozenset({"prompt_toolkit"}),
    "p2p_davinci.app": frozenset({"cryptography", "platformdirs", "prompt_toolkit"}),
}

CHANCE_AND_TIME = frozenset({"random", "secrets", "time", "datetime"})
OUTSIDE = frozenset(
    {"asyncio", "socket", "ssl", "select", "selectors", "threading", "multiprocessing"}
    | {"subprocess", "signal", "urllib", "http", "concurrent"}
)
FILES = frozenset({"os", "io", "pathlib", "shutil", "tempfile"})
NO_STDLIB: Mapping[str, frozenset[str]] = {
    "protocol": CHANCE_AND_TIME | OUTSIDE | FILES,
    "p2p_davinci.rules": CHANCE_AND_TIME | OUTSIDE | FILES,
    "p2p_davinci.session": CHANCE_AND_TIME | OUTSIDE | FILES,
    "p2p_davinci.bots": (CHANCE_AND_TIME | OUTSIDE | FILES) - {"random"},
    "p2p_davinci.text": CHANCE_AND_TIME | OUTSIDE,
    "p2p_davinci.console": CHANCE_AND_TIME | {"socket", "ssl", "subprocess"},
}
WRITES_FILES = frozenset({"protocol.log"})

ASYNCIO_ROOM = "p2p_davinci.net"
ASYNCIO_MODULES = frozenset(
    {"p2p_davinci.app.runner", "p2p_davinci.console.plain", "p2p_davinci.console.prompt"}
)

MODULE_LINES_MAX = 450
FUNCTION_LINES_MAX = 70
NAMELESS_MODULES = frozenset({"utils", "util", "common", "helpers", "helper", "misc"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One imported module, by absolute name; ``lazy`` if it happens inside a function."""

    target: str
    line: int
    lazy: bool
    relative: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    name: str
    is_package: bool
    text: str

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.text)

    @property
    def room(self) -> str:
        return max((room for room in MAY_IMPORT if _within(self.name, room)), key=len)


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def _read(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    is_package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if is_package else parts)
    return Module(name=name, is_package=is_package, text=path.read_text("utf-8"))


@cache
def sources() -> tuple[Module, ...]:
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return tuple(map(_read, paths))


@cache
def sources_of_tests() -> tuple[Module, ...]:
    return tuple(map(_read, sorted((ROOT / "tests").rglob("*.py"))))


def imports(module: Module, names: frozenset[str]) -> Iterator[Import]:
    """All imports of a module; ``from x import y`` names ``x.y`` if that is a module."""
    for node, lazy in _walk(module.tree, lazy=False):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    yield Import(target=alias.name, line=node.lineno, lazy=lazy, relative=False)
            case ast.ImportFrom(names=aliases, level=level):
                base = _base(module, node)
                inner = {f"{base}.{alias.name}" for alias in aliases} & names
                # From outside, `coin` of `from protocol import coin` is the function.
                if base == "protocol" and module.room != base:
                    inner = set()
                for target in sorted(inner) or [base]:
                    yield Import(target=target, line=node.lineno, lazy=lazy, relative=level > 0)


def _walk(node: ast.AST, *, lazy: bool) -> Iterator[tuple[ast.AST, bool]]:
    yield node, lazy
    inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, lazy=inside)


def _base(module: Module, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    parts = module.name.split(".")
    up = node.level - 1 if module.is_package else node.level
    return ".".join([*parts[: len(parts) - up], *([node.module] if node.module else [])])


# --- who may import whom -----------------------------------------------------------------------


def import_complaints(modules: Iterable[Module]) -> list[str]:
    """Every import that the table of rooms, of libraries or of the standard library forbids."""
    modules = tuple(modules)
    names = frozenset(module.name for module in modules)
    return [
        f"{module.name}:{found.line} imports {found.target}: {why}"
        for module in modules
        for found in imports(module, names)
        if (why := _objection(module, found)) is not None
    ]


def _objection(module: Module, found: Import) -> str | None:
    top = found.target.partition(".")[0]
    if top in PACKAGES:
        return _inside_objection(module, found)
    if top in sys.stdlib_module_names:
        return _stdlib_objection(module, top)
    if top not in THIRD_PARTY.get(module.room, frozenset()):
        return "not a library of this room"
    return None


def _inside_objection(module: Module, found: Import) -> str | None:
    target, room = found.target, module.room
    if target == "p2p_davinci":
        return None if room in MAY_ASK_THE_VERSION else "only app and cli ask the version"
    if _within(target, "protocol") and room != "protocol" and target != "protocol":
        return "callers of the protocol import its top level only"
    own = _within(target, room) and room != "p2p_davinci"
    if not own and not any(_within(target, prefix) for prefix in MAY_IMPORT[room]):
        return "not a room it may look into"
    if not found.lazy and any(
        room == here and _within(target, there) for here, there in ONLY_LAZILY
    ):
        return "only inside a function"
    if room == "protocol":
        return _protocol_objection(module, found)
    return None


def _protocol_objection(module: Module, found: Import) -> str | None:
    if not found.relative:
        return "inside the protocol imports are relative"
    if module.name == "protocol":
        return None
    rank = {f"protocol.{name}": rank for rank, name in enumerate(PROTOCOL_BOTTOM_UP)}
    if module.name not in rank or found.target not in rank:
        return "a module without a place in the bottom-up order"
    return None if rank[found.target] < rank[module.name] else "upwards"


def _stdlib_objection(module: Module, top: str) -> str | None:
    if top == "asyncio" and module.room != ASYNCIO_ROOM and module.name not in ASYNCIO_MODULES:
        return "asyncio lives in net, app.runner and the console's shells"
    banned = NO_STDLIB.get(module.room, frozenset())
    if top in banned - (FILES if module.name in WRITES_FILES else frozenset()):
        return "this room knows no clock, chance, files or outside"
    return None


def cycles(modules: Iterable[Module]) -> list[str]:
    """Every module from which its own imports, lazy ones included, lead back to itself."""
    modules = tuple(modules)
    names = frozenset(module.name for module in modules)
    edges = {m.name: {found.target for found in imports(m, names)} & names for m in modules}
    return [name for name in sorted(names) if name in _reached(edges, edges[name])]


def _reached(edges: Mapping[str, set[str]], start: set[str]) -> set[str]:
    seen: set[str] = set()
    left = list(start)
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left.extend(edges[name])
    return seen


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
        ("protocol.log", "import os\nfrom pathlib import Path"),
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


# --- style -------------------------------------------------------------------------------------


def style_complaints(module: Module) -> Iterator[str]:
    """What a source of the two packages must not have."""
    lines = module.text.count("\n")
    if lines > MODULE_LINES_MAX:
        yield f"{module.name}: {lines} lines"
    if NAMELESS_MODULES & set(module.name.split(".")):
        yield f"{module.name}: a name that says nothing"
    for node in ast.walk(module.tree):
        match node:
            case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                yield f"{module.name}:{node.lineno} hides an import from its readers"
            case ast.Attribute(attr="urandom" | "SystemRandom"):
                if module.room in NO_STDLIB:
                    yield f"{module.name}:{node.lineno} entropy is passed in"
            case ast.Assert():
                yield f"{module.name}:{node.lineno} asserts, which an option switches off"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LINES_MAX:
                    yield f"{module.name}:{node.lineno} {node.name} has {length} lines"
    if ast.get_docstring(module.tree) is None and module.text.strip():
        yield f"{module.name}: does not say what it is"


# Written in pieces, so that this file does not complain of itself.
UNFINISHED = re.compile(
    "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error"])
)
EXCLUSION = re.compile("pragma: *no" + " *(cover|branch)")
THIS_MACHINE = re.compile(r"(^|[^A-Za-z0-9_.])/(home|root|Users|work)" + r"/", re.MULTILINE)


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


# --- tests -------------------------------------------------------------------------------------

CHECKING_WORDS = ("assert", "raises", "expect", "check", "verify", "fail")


def idle_tests(module: Module) -> list[str]:
    """Tests whose body holds no assertion and calls nothing that could be one."""
    return [
        f"{module.name}:{node.lineno} {node.name}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not any(word in "\n".join(map(ast.unparse, node.body)) for word in CHECKING_WORDS)
    ]


def test_a_test_that_asserts_nothing_is_found() -> None:
    module = fake("tests.test_x", "def test_x() -> None:\n    print('fine')\n")
    assert idle_tests(module) == ["tests.test_x:1 test_x"]


def test_every_test_asserts_something() -> None:
    assert [name for module in sources_of_tests() for name in idle_tests(module)] == []


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
