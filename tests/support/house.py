"""The house rules as functions from sources to complaints: who imports whom, and style.

They read sources and never run them. ``tests/test_house.py`` tries each on a source that breaks it
before it is believed about ours.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("protocol", "p2p_davinci")

PROTOCOL_BOTTOM_UP = (
    *("errors", "codec", "group", "sponge", "relation", "sigma"),
    *("elgamal", "shuffle", "miss", "order"),
    *("words", "coin", "envelope", "chain", "ballot", "log"),
)

# Room: what of this project it may import, by prefix. Its own modules it always may.
MAY_IMPORT: Mapping[str, tuple[str, ...]] = {
    "protocol": (),
    "p2p_davinci.rules": (),
    "p2p_davinci.text": (),
    # TLS reads its own key from a file only, and a peer is who its identity says.
    "p2p_davinci.net": ("p2p_davinci.storage.files", "p2p_davinci.storage.identity"),
    "p2p_davinci.bots": ("p2p_davinci.rules",),
    "p2p_davinci.session": ("p2p_davinci.rules", "protocol"),
    # What is kept of a game: its contract tells whose it is and whether it can be resumed.
    "p2p_davinci.storage": ("p2p_davinci.session", "protocol"),
    "p2p_davinci.console": (
        *("p2p_davinci.rules", "p2p_davinci.text"),
        *("p2p_davinci.session.events", "p2p_davinci.session.lobby_events"),
    ),
    "p2p_davinci.app": (
        *("p2p_davinci.rules", "p2p_davinci.text", "p2p_davinci.net", "p2p_davinci.bots"),
        *("p2p_davinci.session", "p2p_davinci.console", "p2p_davinci.storage", "protocol"),
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
    "p2p_davinci.storage": frozenset({"nacl", "cryptography", "platformdirs"}),
    "p2p_davinci.console": frozenset({"prompt_toolkit"}),
    "p2p_davinci.app": frozenset({"cryptography", "prompt_toolkit", "shtab"}),
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
    "p2p_davinci.storage": CHANCE_AND_TIME | OUTSIDE,
    "p2p_davinci.console": CHANCE_AND_TIME | {"socket", "ssl", "subprocess"},
}

ASYNCIO_ROOM = "p2p_davinci.net"
ASYNCIO_MODULES = frozenset(
    {
        "p2p_davinci.app.finder",
        "p2p_davinci.app.playing",
        "p2p_davinci.app.returning",
        "p2p_davinci.app.router",
        "p2p_davinci.app.runner",
        "p2p_davinci.app.supervisor",
        "p2p_davinci.console.fullscreen",
        "p2p_davinci.console.plain",
        "p2p_davinci.console.probe",
    }
)

DISK_ROOM = "p2p_davinci.storage"
DISK_CALLS = frozenset(
    {"fsync", "mkdir", "makedirs", "unlink", "truncate", "ftruncate", "write_bytes", "write_text"}
)
"""How files are made, changed or deleted: privately, and synced, or a crash loses them."""

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
        return "asyncio lives in net, the running half of app and the console's shells"
    if top in NO_STDLIB.get(module.room, frozenset()):
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
            case ast.Attribute(attr="urandom" | "SystemRandom") if module.room in NO_STDLIB:
                yield f"{module.name}:{node.lineno} entropy is passed in"
            case ast.Attribute(attr=call) if call in DISK_CALLS and module.room != DISK_ROOM:
                yield f"{module.name}:{node.lineno} {call}: only storage writes to the disk"
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
    "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "raise NotImplemented" + "Error"])
)
EXCLUSION = re.compile("pragma: *no" + " *(cover|branch)")
THIS_MACHINE = re.compile(r"(^|[^A-Za-z0-9_.])/(home|root|Users|work)" + r"/", re.MULTILINE)


# --- tests -------------------------------------------------------------------------------------

CHECKING_WORDS = ("assert", "raises", "expect", "check", "verify", "fail")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def idle_tests(modules: Iterable[Module]) -> list[str]:
    """Tests that assert nothing, neither themselves nor through what they call in the tests."""
    functions = [
        (module, node, _names(node))
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, Function)
    ]
    checking = {node.name for _, node, names in functions if any(map(_checks, names))}
    while more := {n.name for _, n, names in functions if names & checking} - checking:
        checking |= more
    return [
        f"{module.name}:{node.lineno} {node.name}"
        for module, node, _ in functions
        if node.name.startswith("test_") and node.name not in checking
    ]


def _checks(name: str) -> bool:
    return any(word in name for word in CHECKING_WORDS)


def _names(function: Function) -> set[str]:
    """What a function calls, ``assert`` among it, and the fixtures it asks for."""
    called = {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
                called.add(name)
            case ast.Assert():
                called.add("assert")
    return called
