"""A logged game told again, step by step, from what everybody could know.

A chapter is one step of a round. What happened in it is told by the same sentences that the
players saw; the faces of tiles are added once the keys of the round have been given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, cast

from protocol import CLAIM_KIND, DROP_KIND, Aside, Envelope, Record, comparison, read_aside

from ..console.board import board_lines
from ..console.model import LogLine, Model
from ..console.news import enter_game, show_game
from ..console.speech import Speech, speech
from ..rules.engine import apply, start
from ..rules.moves import (
    Answered,
    Awarded,
    Drawn,
    Dropped,
    Fact,
    Guessed,
    Overran,
    Placed,
    Resigned,
    Revealed,
    Stopped,
)
from ..rules.state import State, View
from ..rules.tiles import Tile, parse_tile
from ..session.deal import back_of
from ..session.ending import decided
from ..session.events import (
    Begun,
    ClockCalled,
    Event,
    GameView,
    Halted,
    Happened,
    Heard,
    RoundOver,
    Stage,
)
from ..session.game import Game, running_totals, view
from ..session.placing import CLOCK_KIND
from ..session.record import NoKeys, draws_of, round_record
from ..session.remarks import SAY_KIND
from ..session.state import Round
from ..text import Words

FACTS: Final[Mapping[str, tuple[type[Fact], ...]]] = MappingProxyType(
    {
        "draw": (Drawn,),
        "guess": (Guessed,),
        "answer": (Answered,),
        "stop": (Stopped,),
        "place": (Placed,),
        "turn-up": (Revealed,),
        "overdue": (Overran,),
        "resign": (Answered, Resigned),
        "key": (Awarded,),
        DROP_KIND: (Dropped,),
    }
)
"""The facts that a message of each kind can bring about, in their order.

Who resigns while a guess waits for his answer gives it with his key.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One step of a round (from 1): who said what kind of thing in it, and what is told of it.

    ``turn`` is the turn of the round, 0 during the deal; a chapter of the kind ``""`` is what was
    said after the last step.
    """

    round: int
    step: int
    kind: str
    seats: tuple[int, ...]
    turn: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Faces:
    """What the keys of a finished round show: the rows as first stood, and what was drawn.

    ``drawn`` maps the index of a fact to the tile that it took from the pile.
    """

    hands: tuple[tuple[Tile, ...], ...]
    drawn: Mapping[int, Tile] = field(default_factory=dict)


def asides_of(records: Sequence[Record]) -> tuple[Aside, ...]:
    """Return the asides among the records of a verified log."""
    return tuple(read_aside(record.data) for record in records if record.kind == "aside")


def chapters(words: Words, rounds: Sequence[Round], asides: Sequence[Aside]) -> Iterator[Chapter]:
    """Yield the game step by step; a step of which there is nothing to tell has no lines."""
    for round_ in rounds:
        yield from _Teller(words, round_, asides).chapters()


class _Teller:
    """Tells one round; everything moves on from step to step."""

    def __init__(self, words: Words, round_: Round, asides: Sequence[Aside]) -> None:
        self.round = round_
        self.speech: Speech = speech(words, [p.name for p in round_.contract.players], None)
        self.faces = _faces(round_)
        self.facts = deque(enumerate(() if round_.state is None else round_.state.history))
        self.state: State | None = None
        self.ends: GameView = view(Game(round=round_, seat=None))
        model = Model(lang=words.lang)
        self.model: Model = enter_game(model, round_.contract.options)
        sessions = (round_.contract_hash, round_.chain.session)
        self.asides = [aside for aside in asides if aside.session in sessions]
        self.turn = 0

    def chapters(self) -> Iterator[Chapter]:
        for step, said in enumerate(self.round.transcript):
            remarks = self._remarks(self.round.head_before(step))
            if not said:
                yield self._dropped(step, remarks)
                continue
            lines = (*remarks, *self._step(said))
            seats = tuple(envelope.payload.seat for envelope in said)
            yield self._chapter(step, said[0].payload.kind, seats, lines)
        rest = (*self._remarks(None), *self._result())
        yield self._chapter(len(self.round.transcript), "", (), rest)

    def _dropped(self, step: int, remarks: tuple[str, ...]) -> Chapter:
        """Return the chapter of a step that ended because the others went on without somebody."""
        drop = next(drop for drop in self.round.drops if drop.step == step)
        voters = tuple(read_aside(vote).seat for vote in drop.votes)
        lines = (*remarks, *self._next_facts(DROP_KIND))
        return self._chapter(step, DROP_KIND, voters, lines)

    def _chapter(
        self, step: int, kind: str, seats: tuple[int, ...], lines: tuple[str, ...]
    ) -> Chapter:
        return Chapter(
            round=self.ends.round, step=step, kind=kind, seats=seats, turn=self.turn, lines=lines
        )

    # --- the deal -----------------------------------------------------------------------------

    def _step(self, said: Sequence[Envelope]) -> tuple[str, ...]:
        kind = said[0].payload.kind
        seats = [envelope.payload.seat for envelope in said]
        if kind == "receipt":
            return (self._told("receipt", seats),)
        if self.state is not None:
            return tuple(line for envelope in said for line in self._play(envelope))
        if kind == "open":
            words, digits = comparison(self.round.chain.session)
            compared = self.speech.words.tell("show.compare", words=" ".join(words), digits=digits)
            return (self._told(kind, seats), compared)
        if kind == "take":
            return tuple(self._taken(seat) for seat in seats)
        if kind == "arrange":
            return self._arranged()
        return (self._told(kind, seats),)

    def _told(self, kind: str, seats: Sequence[int]) -> str:
        return self.speech.words.tell(f"show.{kind}", names=self.speech.named(seats))

    def _taken(self, seat: int) -> str:
        decks = [held.deck for held in self.round.hands[seat]]
        if self.round.arranged:
            decks = [held.deck for held in self.round.arranged[seat]]
        return self.speech.tell("show.take", seat, black=decks.count(0), white=decks.count(1))

    def _arranged(self) -> tuple[str, ...]:
        round_ = self.round
        first = round_.first or 0
        backs = [[back_of(round_, held) for held in row] for row in round_.arranged]
        self.state = start(round_.contract.options, backs, first)
        self.turn = 1
        begun = self._tell(Begun(number=self.ends.round, first=first))
        hands = None if self.faces is None else self.faces.hands
        return (*begun, *board_lines(self.speech, replace(self._view(), faces=hands)))

    # --- the play -----------------------------------------------------------------------------

    def _play(self, envelope: Envelope) -> tuple[str, ...]:
        return self._next_facts(envelope.payload.kind)

    def _next_facts(self, kind: str) -> tuple[str, ...]:
        lines: list[str] = []
        for expected in FACTS.get(kind, ()):
            if self.facts and isinstance(self.facts[0][1][1], expected):
                index, (seat, fact) = self.facts.popleft()
                lines += self._fact(index, seat, fact)
        return tuple(lines)

    def _fact(self, index: int, seat: int, fact: Fact) -> Iterator[str]:
        self.state = apply(cast("State", self.state), fact)
        first, *more = self._tell(Happened(seat=seat, fact=fact))
        tile = None if self.faces is None else self.faces.drawn.get(index)
        if tile is not None:
            was = self.speech.words.tell("show.was", tile=self.speech.tile(tile))
            first = self.speech.run(first, was)
        yield from (first, *more)

    def _result(self) -> tuple[str, ...]:
        if not decided(self.round):
            return ()
        board = self.round.board
        totals = running_totals(self.round)
        over = RoundOver(winner=cast("int", board.winner), points=board.points, totals=totals)
        return (*self._tell(over), *board_lines(self.speech, self.ends))

    # --- telling ------------------------------------------------------------------------------

    def _view(self) -> GameView:
        if self.state is None:
            return replace(self.ends, stage=Stage.SETUP, board=None, faces=None, awaited=())
        board = View(state=self.state, seat=None)
        return replace(self.ends, stage=Stage.PLAY, board=board, faces=None, awaited=())

    def _tell(self, event: Event) -> tuple[str, ...]:
        """Return the public sentences for an event."""
        self.model = show_game(replace(self.model, log=()), (event,), self._view()).model
        told: tuple[LogLine, ...] = self.model.log
        if self.state is not None and told:
            self.turn = max(self.turn, told[0].turn)
        return tuple(line.text for line in told)

    def _remarks(self, head: bytes | None) -> tuple[str, ...]:
        """Return what was said beside the game at a head (``None``: all that is left)."""
        now = [aside for aside in self.asides if head is None or aside.head == head]
        self.asides = [aside for aside in self.asides if aside not in now]
        return tuple(line for aside in now for line in self._remark(aside))

    def _remark(self, aside: Aside) -> tuple[str, ...]:
        clock = self.round.contract.options.clock
        if aside.kind == SAY_KIND and isinstance(aside.body, str):
            return self._tell(Heard(seat=aside.seat, text=aside.body))
        if self.state is not None and clock is not None and aside.kind == CLOCK_KIND:
            thinker = self.state.turn
            return self._tell(ClockCalled(by=aside.seat, seat=thinker, call_s=clock.call_s))
        if aside.kind == CLAIM_KIND:
            return self._tell(Halted(reason="claimed", seat=aside.seat))
        return ()


def _faces(round_: Round) -> _Faces | None:
    try:
        record = round_record(round_)
    except NoKeys:
        return None
    hands = cast("list[list[str]]", record["hands"])
    rows = tuple(tuple(map(parse_tile, hand)) for hand in hands)
    return _Faces(hands=rows, drawn=draws_of(round_))
