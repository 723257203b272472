"""What the commands that read files print, caught; and each log verified once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from p2p_davinci.app.reports import show, verify
from p2p_davinci.session.audit import verify_log
from p2p_davinci.text import Lang, Words

from . import logs

EN = Words("en")
ZH = Words("zh")
FIELDS = {
    *("file", "verdict", "exit", "winner", "winners", "points", "totals", "rows", "state"),
    *("head", "session", "players", "receipts_missing", "awaited", "blamed", "record", "check"),
    *("torn_bytes", "notes", "claimed", "dropped"),
}
MADE: dict[str, Callable[[], bytes]] = {
    "finished": logs.finished,
    "unfinished": logs.unfinished,
    "deal": logs.in_the_deal,
    "resigned": logs.resigned,
    "halted": logs.halted,
    "void": logs.void,
    "invalid": logs.invalid,
    "torn": logs.torn,
    "no_keys": logs.without_keys,
    "evidence": logs.evidence,
    "dropped": logs.dropped,
    "claimed": logs.claimed,
    "nothing": logs.nothing,
    "convicted": logs.convicted,
    "nobody": logs.nobody,
}


verdict_on = cache(verify_log)


@dataclass(slots=True)
class Printed:
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    exit: int = -1

    @property
    def text(self) -> str:
        return "\n".join(self.out)


def verified(*files: Path, lang: Lang = "en", as_json: bool = False) -> Printed:
    printed = Printed()
    names = [str(file) for file in files]
    printed.exit = verify(names, lang, as_json=as_json, say=printed.out.append)
    return printed


def shown(file: Path, words: Words = EN, *, as_json: bool = False) -> Printed:
    printed = Printed()
    printed.exit = show(
        str(file), words, as_json=as_json, say=printed.out.append, complain=printed.err.append
    )
    return printed


def record_of(file: Path) -> dict[str, Any]:
    (line,) = verified(file, as_json=True).out
    record: dict[str, Any] = json.loads(line)
    assert set(record) == FIELDS
    return record
