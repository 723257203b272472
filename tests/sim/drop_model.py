"""Every way in which a table with a silent seat can go, with any set of liars, over the real rule.

What an honest seat knows is what it has signed, where it is, and which words of liars it holds;
liars sign whatever they like whenever somebody can use it. Messages have no states of their own:
what was sent may arrive anywhere, at any time or never, so a seat can do at any moment what any
part of the words sent so far allows. That is exact, since hearing more never forbids anything but
by showing a liar (the tests check it), and it lets three kinds of states be left out:

- A seat takes a message only when it uses it, to promise or to close the step: having accepted
  only forbids to vote.
- It holds of the liars' words only those that it needed for what it did, so that as few liars as
  possible can be convicted.
- A seat that crashes comes back as it was when it signed last. As nobody can know what it did
  since, the state after the crash is one that is searched anyway.

``python -m tests.sim.drop_model`` prints the number of states and the time for each table.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

from protocol.envelope import Envelope

from .drop_judge import Judge
from .drop_player import Local, Player
from .drop_rule import Rule
from .drop_words import Book, Table, bits, fork_of

State: TypeAlias = tuple[int, ...]
"""The numbers of the honest seats' locals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Something that must never happen, and how the table came to it."""

    what: str
    trace: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Found:
    """What a search found; ``seen`` names what happened somewhere in it."""

    states: int = 0
    seconds: float = 0.0
    broken: Broken | None = None
    seen: set[str] = field(default_factory=set)


class BreachError(Exception):
    """A seat does what must never happen."""

    def __init__(self, what: str, last: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.last = last


class Search:
    """The search of one table under one rule."""

    def __init__(self, table: Table, rule: Rule | None = None) -> None:
        self.table = table
        self.rule = Rule() if rule is None else rule
        self.book = Book(table)
        self.judge = Judge(self.book, self.rule)
        self.found = Found()
        self._locals: list[Local] = []
        self._numbers: dict[Local, int] = {}
        self._moves: dict[tuple[int, int, int], tuple[tuple[bool, int], ...]] = {}
        self._pairs: set[tuple[int, int, int, int]] = set()

    def run(self) -> Found:
        """Search every state, up to the first in which something is broken."""
        began = time.perf_counter()
        start = (self._number((0, 0, 0, 0)),) * len(self.table.honest)
        came_from: dict[State, State | None] = {start: None}
        stack = [start]
        while stack and self.found.broken is None:
            state = stack.pop()
            try:
                for after, nth in self._after(state):
                    if after not in came_from:
                        came_from[after] = state
                        stack.append(after)
                        self._check_pairs(after, nth)
            except BreachError as breach:
                trace = self._trace(came_from, stack[-1] if breach.last == "" else state)
                self.found.broken = Broken(what=breach.what, trace=(*trace, breach.last))
        self.found.states = len(came_from)
        self.found.seconds = time.perf_counter() - began
        return self.found

    def _number(self, local: Local) -> int:
        if local not in self._numbers:
            self._numbers[local] = len(self._locals)
            self._locals.append(local)
        return self._numbers[local]

    def _after(self, state: State) -> Iterator[tuple[State, int]]:
        """Yield the states after one, each with whose move leads there."""
        stuck = True
        pool = 0
        for local in state:
            _, signed, _, lost = self._locals[local]
            pool |= signed | lost
        for nth, seat in enumerate(self.table.honest):
            for optional, local in self._moves_of(seat, state[nth], pool):
                stuck = stuck and optional
                yield (*state[:nth], local, *state[nth + 1 :]), nth
        if stuck and not self.table.liars:
            places = {self._locals[local][0] for local in state}
            if len(places) > 1 or not self.book.places[min(places)].last:
                raise BreachError("no common end", "and then nothing")

    def _moves_of(self, seat: int, local: int, pool: int) -> tuple[tuple[bool, int], ...]:
        key = (seat, local, pool)
        if key not in self._moves:
            player = Player(self.judge, self.check_signed, seat, self._locals[local], pool)
            self._moves[key] = tuple((may, self._number(after)) for may, after in player.moves())
        return self._moves[key]

    # --- what must never happen --------------------------------------------------------------

    def _check_pairs(self, state: State, nth: int) -> None:
        for other, local in enumerate(state):
            if other == nth:
                continue
            key = (
                (nth, state[nth], other, local) if nth < other else (other, local, nth, state[nth])
            )
            if key not in self._pairs:
                self._pairs.add(key)
                self._check_pair(*key)

    def _check_pair(self, nth: int, one: int, mth: int, two: int) -> None:
        """Check that two honest seats play one game, as far as the rule promises it."""
        here, there = self._locals[one], self._locals[two]
        fork = fork_of(self.book.places[here[0]], self.book.places[there[0]])
        if fork is None:
            return
        seats = (self.table.honest[nth], self.table.honest[mth])
        before, left, right = fork
        if left.gone is not None:
            here, there, left, right, seats = there, here, right, left, (seats[1], seats[0])
        proved = self.judge.convicted(here[2] | there[2])
        if left.gone is not None or right.gone is None:
            # Two payloads of one seat, or drops of two seats.
            self.found.seen.add("payloads" if right.gone is None else "two drops")
            if not proved:
                raise BreachError("two games and no liar")
            return
        required = before.required(right.gone)
        on, back = seats
        behind = on not in required and not self.book.heard(here[0], left, required)
        self.found.seen.add("behind" if behind else "a liar between two games")
        if not proved and not behind:
            raise BreachError("two games and no liar")
        opened = any(left in self.book.places[at].path() for at in self._spoke_at(here))
        if opened and on in required and back in required:
            raise BreachError("a seat opened in a game that does not stand")

    def _spoke_at(self, here: Local) -> Iterator[int]:
        for word in bits(here[1] | here[3]):
            if isinstance(self.book.words[word], Envelope):
                yield self.book.at(word)

    def check_signed(self, seat: int, before: int, word: int) -> None:
        """Check that nothing an honest seat signed can be held against it beside a new word."""
        for other in bits(before):
            if self.judge.contradictory(other, word):
                last = f"{self.book.described(word)}, after {self.book.described(other)}"
                raise BreachError("an honest seat can be convicted", last)
        if self.judge.alone(word):
            raise BreachError("an honest seat can be convicted", self.book.described(word))
        if isinstance(self.book.words[word], Envelope):
            self._check_one_game(seat, before, word)

    def _check_one_game(self, seat: int, before: int, word: int) -> None:
        """Check that a seat speaks in two games only if it had heard nobody who had to vote."""
        here = self.book.places[self.book.at(word)]
        for other in bits(before):
            if not isinstance(self.book.words[other], Envelope):
                continue
            at = self.book.at(other)
            fork = fork_of(self.book.places[at], here)
            if fork is None:
                continue
            _, left, right = fork
            required = fork[0].required(seat if right.gone is None else right.gone)
            if seat in required or self.book.heard(at, left, required):
                last = f"{self.book.described(word)}, after {self.book.described(other)}"
                raise BreachError("an honest seat speaks in two games", last)
            self.found.seen.add("spoke on before it learnt of the drop")

    # --- reading -----------------------------------------------------------------------------

    def _trace(self, came_from: dict[State, State | None], state: State) -> list[str]:
        lines: list[str] = []
        after: State | None = state
        while after is not None:
            before = came_from[after]
            if before is not None:
                lines.extend(reversed(list(self._steps(before, after))))
            after = before
        return lines[::-1]

    def _steps(self, before: State, after: State) -> Iterator[str]:
        for seat, one, two in zip(self.table.honest, before, after, strict=True):
            old, new = self._locals[one], self._locals[two]
            needed = [self.book.described(word) for word in bits(new[2] & ~old[2])]
            with_ = f" with: {'; '.join(needed)}" if needed else ""
            for word in bits(new[1] & ~old[1]):
                yield self.book.described(word) + with_
            if old[0] != new[0]:
                place = self.book.places[new[0]]
                how = "closes the step" if place.gone is None else f"drops {place.gone}"
                yield f"{seat} {how} and comes to {new[0]}{with_}"
            if new[3] & ~old[3]:
                yield f"{seat} crashes"


def tables(
    seats: int,
    owing: tuple[int, ...],
    then: tuple[int, ...],
    out: tuple[int, ...] = (),
    *,
    later_votes: bool = True,
) -> list[Table]:
    """Return the tables with every set of liars but all; of those that are alike one."""
    found: dict[object, Table] = {}
    for number in range(seats):
        for liars in combinations(range(seats), number):
            roles = (
                (seat in owing, seat in then, seat in out, seat in liars) for seat in range(seats)
            )
            table = Table(
                seats=seats, owing=owing, then=then, out=out, liars=liars, later_votes=later_votes
            )
            found.setdefault(tuple(sorted(roles)), table)
    return list(found.values())


CHECKED = (
    *tables(3, (0,), (0,)),
    *tables(3, (0,), (1,)),
    *tables(3, (0,), (1, 2)),
    *tables(3, (0, 1), (2,)),
    *tables(3, (0, 1), (0, 1)),
    *tables(4, (0,), (1,)),
    *tables(4, (0,), (1,), out=(3,)),
    *tables(4, (0,), (1,), out=(3,), later_votes=False),
    *tables(4, (0, 1), (2,), out=(3,), later_votes=False),
    *tables(4, (0, 1), (2,), out=(3,)),
    *tables(4, (0, 1), (2,), later_votes=False),
)
"""The tables of the test: half a million states, 45 seconds on one core."""
LARGE = (
    *tables(4, (0,), (0,)),
    *tables(4, (0,), (1, 2)),
    *tables(4, (0, 1), (2,)),
    *tables(4, (0, 1, 2), (3,), later_votes=False),
)
"""More tables: up to millions of states and minutes each, and some gigabytes of memory."""


def main(arguments: Sequence[str]) -> int:
    """Search the tables, with ``large`` also the large ones, and print what was found."""
    worst = 0
    for table in (*CHECKED, *(LARGE if "large" in arguments else ())):
        found = Search(table).run()
        print(f"{table}: {found.states} states, {found.seconds:.1f} s", flush=True)  # noqa: T201
        if found.broken is not None:
            worst = 1
            print(found.broken.what, *found.broken.trace, sep="\n  ")  # noqa: T201
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
