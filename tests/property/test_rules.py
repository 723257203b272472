"""The rules at large: tiny decks explored whole, random games replayed, candidates counted out."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from p2p_davinci.bots.strategy import choose
from p2p_davinci.rules.candidates import candidates, weigh
from p2p_davinci.rules.engine import actor
from p2p_davinci.rules.illegal import IllegalMove
from p2p_davinci.rules.legal import MOVES
from p2p_davinci.rules.moves import (
    Call,
    Draw,
    Drawn,
    Guess,
    Move,
    Overdue,
    Overran,
    Place,
    Resign,
    Reveal,
    Stop,
)
from p2p_davinci.rules.options import PRESETS, Options, changed
from p2p_davinci.rules.record import hands_record, move_record, rules_record, state_record
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.rules.state import Phase, State, View
from p2p_davinci.rules.tiles import Tile, in_order
from p2p_davinci.rules.truth import Truth, advance, view_of
from tests.support.positions import CLOCK, Game, deal, position, tiles

Play = tuple[int, Move, Tile | None]


# --- every move that could be tried ----------------------------------------------------------


def attempts(state: State, truth: Truth, pile: Sequence[Tile]) -> Iterator[Play]:
    """Yield every move that any rule could allow, by every seat, over the tiles in sight."""
    seat = state.turn
    calls = {Call(colour=c, number=t.number) for t in pile for c in (None, t.colour)}
    calls |= {Call(colour=t.colour, number=t.number) for hand in truth.hands for t in hand}
    for tile in pile:
        deck = state.options.deck_of(tile)
        yield seat, Draw(deck=deck), tile
        yield seat, Overdue(deck=deck), tile
    for target, row in enumerate(state.rows):
        yield target, Resign(), None
        for slot in range(1, len(row) + 1):
            yield from ((seat, Guess(seat=target, slot=slot, call=call), None) for call in calls)
    for place in (None, *range(1, len(state.rows[seat]) + 2)):
        yield seat, Stop(slot=place), None
        yield seat, Place(slot=place), None
    for slot in range(1, len(state.rows[seat]) + 1):
        yield seat, Reveal(slot=slot), None
    yield seat, Overdue(), None


def successors(state: State, truth: Truth, pile: Sequence[Tile]) -> Iterator[tuple[Play, Game]]:
    for seat, move, tile in attempts(state, truth, pile):
        try:
            yield (seat, move, tile), advance(state, truth, move, seat=seat, tile=tile)
        except IllegalMove:
            continue


# --- tiny decks, explored whole --------------------------------------------------------------


def plain(game: Game) -> Game:
    """Forget what does not bear on what may happen next, so that positions recur."""
    state, truth = game
    pieces = tuple(tuple(replace(p, misses=frozenset()) for p in row) for row in state.rows)
    return replace(state, rows=pieces, history=()), truth


def left(deck: frozenset[Tile], truth: Truth) -> list[Tile]:
    return sorted(deck - {t for hand in truth.hands for t in hand} - {truth.drawn}, key=str)


def check_position(game: Game, deck: frozenset[Tile]) -> None:
    state, truth = game
    standing = [t for hand in truth.hands for t in hand]
    assert len(set(standing)) == len(standing)
    assert set(standing) | {truth.drawn} <= deck | {None}
    assert sum(state.pile) == len(left(deck, truth))
    assert (state.drawn is None) == (truth.drawn is None)
    for row, hand in zip(state.rows, truth.hands, strict=True):
        assert in_order(hand)
        assert [p.face for p in row] == [
            None if p.standing else t for p, t in zip(row, hand, strict=True)
        ]
        assert [p.back for p in row] == [state.options.back_of(t) for t in hand]
    for seat in range(state.seats):
        view = view_of(state, truth, seat)
        assert view.own == truth.hands[seat]
        assert (view.drawn is not None) <= (seat == state.turn)
    assert (state.phase is Phase.OVER) == (len(state.out) == state.seats - 1)
    assert (actor(state) is None) == (state.winner is not None) == (state.phase is Phase.OVER)


def explore(start: Game, deck: frozenset[Tile]) -> int:
    """Visit everything that can happen from ``start``, and check that it can always end."""
    before: dict[Game, set[Game]] = {plain(start): set()}
    todo = [plain(start)]
    ended = []
    while todo:
        game = todo.pop()
        check_position(game, deck)
        found = list(successors(*game, left(deck, game[1])))
        kinds = {type(move) for (seat, move, _), _ in found if seat == game[0].turn}
        assert kinds - {Overdue} == MOVES[game[0].phase]
        if not found:
            assert game[0].phase is Phase.OVER
            ended.append(game)
        for _, reached in found:
            after = plain(reached)
            if after not in before:
                before[after] = set()
                todo.append(after)
            before[after].add(game)
    reaches_end: set[Game] = set()
    while ended:
        game = ended.pop()
        if game not in reaches_end:
            reaches_end.add(game)
            ended += before[game]
    assert reaches_end == before.keys()
    return len(before)


TIMED = Options(clock=CLOCK)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "pile", "options"),
    [
        (("b0 w1", "w0 b1"), "b2", TIMED),
        (("b0 w1", "w0 b1"), "w2", replace(TIMED, empty_miss="pass", scoring="revealed")),
        (("b0 w-", "w0 b-"), "b1 w2", TIMED),
        (("w- b0", "b1"), "b-", replace(TIMED, backs="hidden", call="colour")),
        (("b0", "w0", "b1"), "b-", replace(TIMED, empty_miss="pass", scoring="tournament")),
        (("b0 w1", "w0"), "b1 b-", replace(TIMED, backs="hidden", call="colour")),
    ],
    ids=["numbers", "pass", "jokers", "hidden", "three", "two to draw"],
)
def test_a_tiny_deck_explored_whole(rows: tuple[str, ...], pile: str, options: Options) -> None:
    drawable = tiles(pile)
    deck = frozenset(drawable) | {t for row in rows for t in tiles(row)}
    counts = tuple(sum(t in drawable for t in each) for each in options.decks)
    assert explore(position(*rows, options=options, pile=counts), deck) > 50


# --- random games, replayed by the referee ---------------------------------------------------


def any_legal(game: Game, rng: random.Random) -> Play:
    """Choose among all legal moves, kinds first, with resignations and overdue turns rare."""
    state, truth = game
    tried = list(attempts(state, truth, truth.left(state.options)))
    common = sorted(MOVES[state.phase] - {Resign}, key=str)
    while True:
        kind = rng.choice([Resign, Overdue]) if rng.random() < 0.05 else rng.choice(common)
        found = [play for play in tried if isinstance(play[1], kind)]
        for seat, move, tile in rng.sample(found, len(found)):
            try:
                advance(state, truth, move, seat=seat, tile=tile)
            except IllegalMove:
                continue
            return seat, move, tile


def by_bot(game: Game, rng: random.Random) -> Play:
    state, truth = game
    view = view_of(state, truth, state.turn)
    move = choose(view, rng)
    if isinstance(move, Guess):
        check_call(view, move)
    drawn = None
    if isinstance(move, Draw):
        pile = truth.left(state.options)
        drawn = rng.choice([t for t in pile if state.options.deck_of(t) == move.deck])
    return state.turn, move, drawn


def check_call(view: View, move: Guess) -> None:
    """Check a bot's call against what its seat knows, in the plainest terms."""
    state = view.state
    piece = state.rows[move.seat][move.slot - 1]
    assert move.call.colour is not None
    named = Tile(colour=move.call.colour, number=move.call.number)
    open_faces = {p.face for row in state.rows for p in row}
    assert piece.standing
    assert move.seat != view.seat
    assert named not in open_faces | set(view.own) | {view.drawn} | piece.misses
    assert piece.back in (None, named.colour)
    faces = [p.face for p in state.rows[move.seat]]
    assert in_order([*faces[: move.slot - 1], named, *faces[move.slot :]])


Player = Callable[[Game, random.Random], Play]


def play_out(game: Game, player: Player, rng: random.Random) -> tuple[Game, list[Any]]:
    """Play to the end; return the end and the moves as a record writes them."""
    moves: list[Any] = []
    while game[0].phase is not Phase.OVER:
        state, truth = game
        check_position(game, state.options.tiles)
        seat, move, tile = player(game, rng)
        game = advance(state, truth, move, seat=seat, tile=tile)
        for _, fact in game[0].history[len(state.history) :]:
            drawn = tile if isinstance(fact, Drawn | Overran) else None
            written = move_record(fact, drawn)
            moves += [] if written is None else [written]
    return game, moves


def check_replay(options: Options, seats: int, player: Player, seed: int) -> None:
    rng = random.Random(seed)
    start = deal(options, seats, rng)
    end, moves = play_out(start, player, rng)
    record = {
        "rules": rules_record(options),
        "hands": hands_record(start[1].hands),
        "first": start[0].turn,
        "moves": moves,
    }
    assert json.loads(referee_line(json.dumps(record))) == {"ok": state_record(*end)}


SPREAD = [
    *PRESETS.values(),
    changed(PRESETS["classic"], {"call": "colour", "empty_miss": "pass", "scoring": "tournament"}),
    changed(PRESETS["advanced"], {"empty_miss": "reveal", "twelve": "yes"}),
    changed(PRESETS["standard"], {"backs": "open", "scoring": "revealed", "rounds": "9"}),
    changed(PRESETS["classic"], {"jokers": "no", "twelve": "yes", "tie": "extra"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", SPREAD, ids=range(len(SPREAD)))
def test_what_bots_play_is_what_the_referee_replays(options: Options, seats: int) -> None:
    check_replay(options, seats, by_bot, seed=seats)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", SPREAD, ids=range(len(SPREAD)))
def test_whatever_is_played_the_referee_replays(options: Options, seats: int) -> None:
    check_replay(replace(options, clock=CLOCK), seats, any_legal, seed=seats)


# --- candidates, counted out -----------------------------------------------------------------


def small_position(rng: random.Random, options: Options) -> Game:
    """Return a position in which seat 0 holds so much that few tiles are unknown to it."""
    deck = rng.sample(sorted(options.tiles, key=str), len(options.tiles))
    others = rng.randint(1, 3)
    sizes = [rng.randint(1, 6 // others) for _ in range(others)]
    hands = [[deck.pop() for _ in range(size)] for size in sizes]
    own = deck[: len(deck) - rng.randint(0, 3)]
    rows = []
    for hand in (own, *hands):
        row = sorted((t for t in hand if t.number is not None), key=lambda tile: tile.code)
        for joker in (t for t in hand if t.number is None):
            row.insert(rng.randint(0, len(row)), joker)
        rows.append(" ".join(f"{t}!" if rng.random() < 0.4 else f"{t}" for t in row))
    state, truth = position(*rows, options=options)
    missed = tuple(
        tuple(
            replace(p, misses=frozenset(t for t in options.tiles - {tile} if rng.random() < 0.1))
            for p, tile in zip(row, hand, strict=True)
        )
        for row, hand in zip(state.rows, truth.hands, strict=True)
    )
    return replace(state, rows=missed), truth


def counted_out(view: View) -> dict[tuple[int, int], dict[Tile, float]]:
    """Try every way to stand the unknown tiles."""
    state = view.state
    known = {p.face for row in state.rows for p in row} | set(view.own)
    unknown = [t for t in state.options.tiles if t not in known]
    places = [
        (seat, slot)
        for seat, row in enumerate(state.rows)
        for slot, piece in enumerate(row)
        if seat != view.seat and piece.standing
    ]
    found: dict[tuple[int, int], dict[Tile, float]] = {place: {} for place in places}
    for faces in itertools.permutations(unknown, len(places)):
        layout = dict(zip(places, faces, strict=True))
        if not is_layout(state, layout):
            continue
        weight = 1.0
        for (seat, _), tile in layout.items():
            weight /= len(state.rows[seat]) if tile.number is None else 1
        for place, tile in layout.items():
            found[place][tile] = found[place].get(tile, 0) + weight
    return found


def is_layout(state: State, layout: dict[tuple[int, int], Tile]) -> bool:
    for (seat, slot), tile in layout.items():
        piece = state.rows[seat][slot]
        if tile in piece.misses or piece.back not in (None, tile.colour):
            return False
    return all(
        in_order([layout.get((seat, slot), piece.face) for slot, piece in enumerate(row)])
        for seat, row in enumerate(state.rows)
    )


@pytest.mark.parametrize("seed", range(40))
def test_candidates_are_exactly_what_can_stand_there(seed: int) -> None:
    rng = random.Random(seed)
    game = small_position(rng, SPREAD[seed % len(SPREAD)])
    view = view_of(*game, 0)
    expected = counted_out(view)
    sets, weights = candidates(view), weigh(view)
    for (seat, slot), found in expected.items():
        assert game[1].hands[seat][slot] in found
        assert sets[seat][slot] == found.keys()
        assert weights[seat][slot] == pytest.approx(found)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_true_tile_is_always_a_candidate(seats: int) -> None:
    rng = random.Random(seats)
    game = deal(PRESETS["advanced"], seats, rng)
    for _ in range(40):
        if game[0].phase is Phase.OVER:
            break
        for seat in (game[0].turn, (game[0].turn + 1) % seats):
            for found, hand in zip(candidates(view_of(*game, seat)), game[1].hands, strict=True):
                assert all(tile in place for place, tile in zip(found, hand, strict=True))
        seat, move, tile = any_legal(game, rng)
        game = advance(*game, move, seat=seat, tile=tile)
