"""Fresh games to forge logs of: every preset and option, and everything that can happen at a table.

Games are the plans of :mod:`.vector_play` with what they say drawn by lot; a seed repeats them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from p2p_davinci.rules.illegal import IllegalMove
from p2p_davinci.rules.options import PRESETS
from p2p_davinci.session.game import Game
from protocol import HEADER, Misuse, PeerFault, encode_record, read_log
from tests.support.table import Table
from tests.support.vector_logs import Base
from tests.support.vector_play import Dice, Plan, play

T = TypeVar("T")
Entry: TypeAlias = tuple[str, bytes]
"""A record of a log: its kind and its data."""

UNFIT: Final = (
    *(AssertionError, LookupError, ValueError, TypeError, StopIteration, RuntimeError),
    *(Misuse, IllegalMove, PeerFault),
)
"""What a plan that makes no game, or a forgery that has no occasion in a game, ends with."""


class Unfit(LookupError):  # noqa: N818 - nothing is wrong
    """A game has no occasion for a forgery."""


class Luck(Dice):
    """Numbers from a seed, and what is drawn with them."""

    def pick(self, items: Sequence[T]) -> T:
        """Return one of them.

        Raises:
            Unfit: there is none.
        """
        if not items:
            raise Unfit
        return items[self.roll(len(items))]

    def one_in(self, number: int) -> bool:
        return self.roll(number) == 0

    def some(self, items: Sequence[T]) -> list[T]:
        """Return at least one of them, in their order.

        Raises:
            Unfit: there is none.
        """
        found = [item for item in items if not self.one_in(3)]
        return found or [self.pick(items)]

    def bytes_of(self, count: int) -> bytes:
        return bytes(self.roll(256) for _ in range(count))


class Fresh(Base):
    """A game that was played, as one of its seats recorded it."""

    def __init__(self, plan: Plan, table: Table, owner: int) -> None:
        super().__init__(plan, table)
        self.log = table.peers[owner].log_bytes
        self.records = read_log(self.log)[0]

    @property
    def entries(self) -> list[Entry]:
        return [(record.kind, record.data) for record in self.records]

    def before(self, offset: int) -> Game:
        """Return the verifier's game before the record at ``offset``.

        Raises:
            Unfit: nothing has been read there.
        """
        game = self._audits[offset].game
        if game is None:
            raise Unfit
        return game

    def index(self, offset: int) -> int:
        """Return the index of the record at ``offset``."""
        return next(k for k, record in enumerate(self.records) if record.offset == offset)


def written(entries: Sequence[Entry]) -> bytes:
    """Return the bytes of a log."""
    return HEADER + b"".join(encode_record(kind, data) for kind, data in entries)


def fresh_games(seed: int) -> Iterator[Fresh]:
    """Yield one game after the other, without end."""
    number = 0
    while True:
        luck = Luck(f"fresh {seed} {number}")
        plan = fresh_plan(luck, f"fresh {seed} {number}")
        number += 1
        try:
            yield Fresh(plan, play(plan), luck.roll(plan.seats))
        except UNFIT:
            continue


def fresh_plan(luck: Luck, name: str) -> Plan:
    """Return a plan drawn by lot."""
    seats = 2 + luck.roll(3)
    preset = luck.pick(tuple(PRESETS))
    options = _options(luck, preset)
    youngest = (options.get("first") or PRESETS[preset].first) == "youngest"
    return Plan(
        name=name,
        about="Drawn by lot.",
        seats=seats,
        preset=preset,
        options=options,
        first=luck.roll(seats) if youngest and luck.one_in(2) else None,
        hit=luck.pick((130, 170, 200, 225, 240)),
        stop=luck.pick((40, 96, 150)),
        events=_events(luck, seats, clock="clock" in options),
        keyless=seats > 2 and luck.one_in(8),
        seed=luck.roll(2**32),
    )


def _options(luck: Luck, preset: str) -> dict[str, str]:
    options = {}
    for name, values in (("jokers", "yes no"), ("twelve", "yes no"), ("empty_miss", "reveal pass")):
        if luck.one_in(2):
            options[name] = luck.pick(values.split())
    if luck.one_in(3):
        options["backs"] = "open"
        options["call"] = luck.pick(("number", "colour"))
    elif luck.one_in(6):
        options |= {"backs": "hidden", "call": "colour"}
    if luck.one_in(2):
        options["clock"] = "60+20"
    if preset != "tournament" and luck.one_in(3):
        options["scoring"] = luck.pick(("revealed", "tournament"))
    if preset == "tournament" or "scoring" in options:
        options["rounds"] = luck.pick(("1", "2", "2"))
        options["tie"] = luck.pick(("shared", "extra", "extra"))
    return options


def _events(luck: Luck, seats: int, *, clock: bool) -> dict[str, str]:
    words = ["resign", "resign target", "silent", "silent target"]
    if seats > 2:
        words += ["late 0", "late 1", f"silent {luck.roll(seats)}", f"resign {luck.roll(seats)}"]
        words += ["late 0", f"back {luck.roll(seats)}"]
    if clock:
        words += ["clock", "clock", "call", "clock"]
    events = {}
    for _ in range(luck.roll(4)):
        # Another step than a turn's knows no clock and no guess.
        word = luck.pick(words)
        step = luck.pick(("guess",) if "target" in word else ("draw", "guess", "more", "place"))
        if word in ("clock", "call") and step == "place":
            step = "guess"
        events[f"{step} {luck.roll(4)}"] = word
    return events
