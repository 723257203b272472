"""Positions written as text: ``position("b3 w5! b-", "w0 w1")``, and what they look like after."""

from __future__ import annotations

import random
from collections.abc import Sequence

from p2p_davinci.bots.strategy import choose_arrangement, choose_take
from p2p_davinci.rules.engine import apply, start
from p2p_davinci.rules.moves import Draw, Fact, Guess, Move, parse_call
from p2p_davinci.rules.options import Clock, Options
from p2p_davinci.rules.state import Phase, Piece, State
from p2p_davinci.rules.tiles import Tile, parse_tile
from p2p_davinci.rules.truth import Truth, advance

CLOCK = Clock(think_s=60, call_s=20)
HIDDEN = Options(backs="hidden", call="colour", empty_miss="pass")

Game = tuple[State, Truth]


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(parse_tile(word) for word in text.split())


def position(
    *rows: str,
    options: Options | None = None,
    turn: int = 0,
    phase: Phase | None = None,
    drawn: str | None = None,
    pile: tuple[int, ...] | None = None,
) -> Game:
    """Return a round in the midst of play; ``!`` marks an open tile.

    The pile holds what is in no row unless it is given; the phase follows from pile and ``drawn``
    unless it is given.
    """
    options = options or Options()
    hands = tuple(tiles(row.replace("!", "")) for row in rows)
    pieces = tuple(
        tuple(
            Piece(back=options.back_of(tile), face=tile if word.endswith("!") else None)
            for word, tile in zip(row.split(), hand, strict=True)
        )
        for row, hand in zip(rows, hands, strict=True)
    )
    truth = Truth(hands=hands, drawn=None if drawn is None else parse_tile(drawn))
    left = truth.left(options)
    counts = pile or tuple(sum(t in left for t in deck) for deck in options.decks)
    to_draw = drawn is None and any(counts)
    state = State(
        options=options,
        rows=pieces,
        pile=counts,
        turn=turn,
        phase=phase or (Phase.DRAW if to_draw else Phase.GUESS),
        drawn=None if truth.drawn is None else Piece(back=options.back_of(truth.drawn)),
        points=(0,) * len(rows),
    )
    return state, truth


def rows(game: Game) -> list[str]:
    """Return the rows as text, in the notation of :func:`position`."""
    state, truth = game
    return [
        " ".join(
            f"{tile}" if piece.standing else f"{tile}!"
            for piece, tile in zip(row, hand, strict=True)
        )
        for row, hand in zip(state.rows, truth.hands, strict=True)
    ]


def play(game: Game, *moves: Move, tile: str | None = None) -> Game:
    """Make moves by whoever is in turn; ``tile`` is what a draw brings up."""
    for move in moves:
        state, truth = game
        drawn = None if tile is None else parse_tile(tile)
        game = advance(state, truth, move, seat=state.turn, tile=drawn)
    return game


def draw(game: Game, text: str) -> Game:
    """Draw this tile."""
    deck = game[0].options.deck_of(parse_tile(text))
    return play(game, Draw(deck=deck), tile=text)


def guess(place: str, call: str) -> Guess:
    """Return the guess at a place written as people do: ``guess("2.3", "b5")``."""
    seat, slot = place.split(".")
    return Guess(seat=int(seat) - 1, slot=int(slot), call=parse_call(call))


def tell(state: State, *facts: Fact) -> State:
    """Apply facts one after another."""
    for fact in facts:
        state = apply(state, fact)
    return state


def deal(options: Options, seats: int, rng: random.Random) -> Game:
    """Return a random deal as the bots take and arrange it."""
    decks = [rng.sample(deck, len(deck)) for deck in options.decks]
    hands = []
    for _ in range(seats):
        counts = choose_take(options, seats, rng).counts
        dealt = [deck.pop() for deck, n in zip(decks, counts, strict=True) for _ in range(n)]
        hands.append(tuple(dealt[index] for index in choose_arrangement(dealt, rng).order))
    first = rng.randrange(seats)
    return begin(options, hands, first)


def begin(options: Options, hands: Sequence[Sequence[Tile]], first: int) -> Game:
    """Return the state after this deal."""
    backs = [[options.back_of(tile) for tile in hand] for hand in hands]
    return start(options, backs, first), Truth(hands=tuple(map(tuple, hands)))
