"""Which shell to use: the choice is pure; only the chosen one loads what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .shell import Complete, Shell

DUMB_TERMINALS = frozenset(("dumb", "unknown"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which shell, and the catalogue key that says why it is a plain one."""

    kind: Literal["plain", "screen"]
    reason: str | None


def choose_shell(plain: bool, environ: Mapping[str, str], isatty: bool) -> Choice:
    """Choose the shell; ``isatty`` tells whether both standard streams are a terminal."""
    if plain:
        return Choice(kind="plain", reason="shell.asked")
    if not isatty:
        return Choice(kind="plain", reason="shell.no_terminal")
    if environ.get("TERM", "").lower() in DUMB_TERMINALS:
        return Choice(kind="plain", reason="shell.dumb")
    if environ.get("ACCESSIBLE"):
        return Choice(kind="plain", reason="shell.accessible")
    return Choice(kind="screen", reason=None)


def open_shell(choice: Choice, complete: Complete) -> Shell:
    """Return the chosen shell on the standard streams; only it loads what it needs."""
    if choice.kind == "plain":
        from .plain import PlainShell

        return PlainShell()
    from .fullscreen import FullScreen

    return FullScreen(complete)
