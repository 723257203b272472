"""Games at a moment, as the console gets them: built by the rules, without any session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_davinci.console.context import Context
from p2p_davinci.console.model import Model
from p2p_davinci.console.speech import speech
from p2p_davinci.rules.engine import apply, start
from p2p_davinci.rules.moves import Answered, Drawn, Fact, Guessed, parse_call
from p2p_davinci.rules.options import Options, options_from
from p2p_davinci.rules.state import Phase, State, View
from p2p_davinci.rules.tiles import Tile, parse_tile
from p2p_davinci.session.events import GameView, Stage
from p2p_davinci.text import Lang, Words

NAMES = ("ana", "bo", "cy")
HANDS = (("b1", "b6", "w7", "w-"), ("w0", "b4", "b9", "w11"), ("b0", "w2", "b8", "w9"))
"""By seat, from the left; seat 0 listens."""
KINDS = {
    Phase.DRAW: "draw",
    Phase.GUESS: "guess",
    Phase.ANSWER: "answer",
    Phase.MORE: "more",
    Phase.PLACE: "place",
    Phase.REVEAL: "turn-up",
    Phase.OVER: "key",
}


def tiles(*texts: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(text) for text in texts)


def guessed(place: str, call: str) -> Guessed:
    seat, slot = place.split(".")
    return Guessed(seat=int(seat) - 1, slot=int(slot), call=parse_call(call))


def rules(preset: str = "classic", **overrides: str) -> Options:
    return options_from(preset, overrides)


def state_after(options: Options, facts: Sequence[Fact] = (), *, first: int = 0) -> State:
    backs = [[options.back_of(parse_tile(text)) for text in hand] for hand in HANDS]
    state = start(options, backs, first)
    for fact in facts:
        state = apply(state, fact)
    return state


def game_view(
    state: State,
    *,
    seat: int | None = 0,
    own: Sequence[Tile] | None = None,
    drawn: Tile | None = None,
    names: tuple[str, ...] = NAMES,
    due: bool | None = None,
) -> GameView:
    """Return what ``seat`` sees of a round in play; due if it is in turn, unless told."""
    hand = () if seat is None else tiles(*HANDS[seat])
    mine = state.turn == seat and state.phase is not Phase.ANSWER
    awaited = state.turn if state.pending is None else state.pending.seat
    return GameView(
        stage=Stage.PLAY if state.winner is None else Stage.ENDING,
        round=1,
        names=names,
        seat=seat,
        step=9,
        kind=KINDS[state.phase],
        awaited=(awaited,),
        due=mine if due is None else due,
        down=(),
        hand=4,
        dealt=(),
        backs=(),
        board=View(state=state, seat=seat, own=hand if own is None else tuple(own), drawn=drawn),
        compare=("river", "lamp", "stone", "fox"),
        digits="01234 56789",
        faces=None,
        totals=(0,) * len(names),
        winners=(),
        head=bytes(32),
    )


def dealing(kind: str, *, due: bool = True, dealt: Sequence[str] = HANDS[0]) -> GameView:
    """Return a view of the deal in the step ``kind``."""
    view = game_view(state_after(rules()))
    return replace(
        view,
        stage=Stage.SETUP,
        kind=kind,
        awaited=(0, 1) if due else (1,),
        due=due,
        board=None,
        dealt=tiles(*dealt) if kind == "arrange" else (),
        compare=(),
        digits="",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """The phases of seat 0's turn under some rules; it draws ``b4``-free ``w4``."""

    options: Options
    draw: GameView
    guess: GameView
    answer: GameView
    more: GameView
    place: GameView


def moments(options: Options) -> Moments:
    """Return seat 0's turn from the draw of ``w4`` (or of a tile with a hidden back) on."""
    white = Drawn(deck=len(options.decks) - 1)
    point = guessed("2.3", "b9")
    hit, miss = Answered(tile=parse_tile("b9")), Answered(tile=None)
    w4 = parse_tile("w4")

    def at(*facts: Fact) -> GameView:
        return game_view(state_after(options, facts), drawn=w4 if facts else None)

    return Moments(
        options=options,
        draw=at(),
        guess=at(white),
        answer=at(white, point),
        more=at(white, point, hit),
        place=at(white, point, miss),
    )


def context_of(view: GameView, options: Options, lang: Lang = "en", **changes: object) -> Context:
    spoken = speech(Words(lang), view.names, view.seat)
    context = Context(speech=spoken, options=options, game=view)
    return replace(context, **changes)  # type: ignore[arg-type]


def model_of(view: GameView | None, options: Options, lang: Lang = "en") -> Model:
    return Model(lang=lang, options=options, game=view)
