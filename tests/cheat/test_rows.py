"""Cheats with the order of a row: hidden or face up, with jokers in the game and without.

The cheater's program lies to its own provers about a tile, or proves one thing and says another.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import pytest

from p2p_davinci.rules.moves import Arrange, Draw, Move, Place, Stop
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session import deal, placing
from p2p_davinci.session.rows import Order
from p2p_davinci.session.secrets import Made, Seat, TileId
from protocol import Entropy, OrderFields, OrderWitness, Payload, ValueOpening
from protocol.group import edwards25519
from tests.support.cheating import Cheat, Scene, expect_found_out, expect_twin_passes, opened
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Moment, Recording

pytestmark = pytest.mark.slow

PLAIN = "standard"
JOKERS = "advanced"
Says = Callable[[Scene], Payload]


# --- the moments -----------------------------------------------------------------------------


@functools.cache
def game(preset: str, hand: str, drawn: str, *after_the_draw: Move) -> Recording:
    """A game for three in which seat 0 holds one hand, draws one tile, and makes some moves."""
    others = ("b1 w2 w6 w7", "w0 w1 b4 b9")
    table = dealt_table((hand, *others), drawn, preset)
    return record_dealt(table, (hand, *others), drawn, (Draw(deck=0), *after_the_draw))


def arranging(preset: str, hand: str) -> Callable[[], Moment]:
    return lambda: game(preset, hand, "w11").find("arrange", seat=0)


def stopping(preset: str, hand: str, drawn: str, slot: int) -> Callable[[], Moment]:
    """Seat 0 hits and stops, with the drawn tile at this slot."""
    moves = (guess("2.1", "b1"), Stop(slot=slot))
    return lambda: game(preset, hand, drawn, *moves).find("stop", seat=0)


def missing(preset: str, hand: str, drawn: str, slot: int) -> Callable[[], Moment]:
    """Seat 0 misses and places the drawn tile at this slot."""
    moves = (guess("2.1", "b11"), Place(slot=slot))
    return lambda: game(preset, hand, drawn, *moves).find("place", seat=0)


# --- the lies --------------------------------------------------------------------------------


@contextmanager
def lying_about_order(lies: Mapping[int, int]) -> Iterator[None]:
    """Within the block, order proofs take tiles for other ones (by code); commitments do not."""
    honest = Order.commit

    def commit(
        order: Order, openings: Mapping[TileId, ValueOpening], entropy: Entropy
    ) -> tuple[OrderFields, OrderWitness | None]:
        believed = {
            tile: ValueOpening(lies.get(opening.code, opening.code), opening.blinding)
            for tile, opening in openings.items()
        }
        return honest(order, believed, entropy)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Order, "commit", commit)
        yield


def believing(scene: Scene, lies: Mapping[int, int]) -> Seat:
    """Return the cheater, taking its tiles for other ones, in commitments and proofs alike."""
    me = scene.me
    codes = {tile: lies.get(code, code) for tile, code in me.secrets.codes.items()}
    openings = {
        tile: ValueOpening(lies.get(opening.code, opening.code), opening.blinding)
        for tile, opening in me.secrets.openings.items()
    }
    return replace(me, secrets=replace(me.secrets, codes=codes, openings=openings))


def codes(lies: Mapping[str, str]) -> dict[int, int]:
    return {parse_tile(a).code: parse_tile(b).code for a, b in lies.items()}


Make = Callable[[Scene, Seat], Made]


def proves_a_lie(make: Make, **lies: str) -> Says:
    """Commit to the truth, and lie in the order proof."""

    def says(scene: Scene) -> Payload:
        with lying_about_order(codes(_named(lies))):
            return scene.says(make(scene, scene.me))

    return says


def commits_to_a_lie(make: Make, **lies: str) -> Says:
    """Lie in the commitments, and prove their order truly."""
    return lambda scene: scene.says(make(scene, believing(scene, codes(_named(lies)))))


def _named(lies: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("J", "-"): tile for name, tile in lies.items()}


def arranged(*order: int) -> Make:
    return lambda scene, me: deal.make_arrange(scene.round, me, Arrange(order=order))


def stopped(slot: int) -> Make:
    return lambda scene, me: placing.make_stop(scene.round, me, Stop(slot=slot))


def stopped_in_another_row(scene: Scene) -> Payload:
    """Stand the drawn tile in one's row with its first two tiles exchanged, and prove its order."""
    first, second, *rest = scene.round.hands[scene.seat]
    others = scene.round.hands[scene.seat + 1 :]
    moved = replace(scene.round, hands=((second, first, *rest), *others))
    return scene.says(placing.make_stop(moved, scene.me, Stop(slot=4)))


def placed(slot: int) -> Make:
    return lambda scene, me: placing.make_place(scene.round, me, Place(slot=slot))


# --- arranging -------------------------------------------------------------------------------

ARRANGING = [
    Cheat(
        name=f"{how.__name__}: two tiles swapped, {preset}",
        moment=arranging(preset, "b0 b3 w5 w8"),
        says=how(arranged(0, 2, 1, 3), b3="w5", w5="b3"),
        check="sigma.equation",
    )
    for how in (proves_a_lie, commits_to_a_lie)
    for preset in (PLAIN, JOKERS)
] + [
    Cheat(
        name="the highest tile leftmost, taken for a joker in the proof",
        moment=arranging(JOKERS, "b0 b3 w5 w8"),
        says=proves_a_lie(arranged(3, 0, 1, 2), w8="b-"),
        check="sigma.equation",
    ),
    Cheat(
        name="the highest tile leftmost, committed to as a joker",
        moment=arranging(JOKERS, "b0 b3 w5 w8"),
        says=commits_to_a_lie(arranged(3, 0, 1, 2), w8="b-"),
        check="sigma.equation",
    ),
    Cheat(
        name="a joker passed off as a number in the proof",
        moment=arranging(JOKERS, "b0 b- w5 w8"),
        says=proves_a_lie(arranged(0, 1, 2, 3), bJ="b3"),
        check="sigma.equation",
    ),
    Cheat(
        name="a joker committed to as a number",
        moment=arranging(JOKERS, "b0 b- w5 w8"),
        says=commits_to_a_lie(arranged(0, 1, 2, 3), bJ="b3"),
        check="sigma.equation",
    ),
    Cheat(
        name="a joker passed off as the other joker",
        moment=arranging(JOKERS, "b0 b- w5 w8"),
        says=commits_to_a_lie(arranged(0, 1, 2, 3), bJ="w-"),
        check="sigma.equation",
    ),
    Cheat(
        name="a tile left out",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_field(0, (0, 1, 2)),
        check="arrange.shape",
    ),
    Cheat(
        name="a tile twice",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_field(0, (0, 1, 2, 2)),
        check="arrange.order",
    ),
    Cheat(
        name="another order than the one proved",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_field(0, (1, 0, 2, 3)),
        check="sigma.equation",
    ),
    Cheat(
        name="no order proof",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_proofs(scene.body.proofs[0], b""),
        check="sigma.length",
    ),
    Cheat(
        name="no proof of the values",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_proofs(b"", scene.body.proofs[1]),
        check="sigma.length",
    ),
    Cheat(
        name="sort keys where there are no jokers",
        moment=arranging(PLAIN, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_field(2, scene.body.fields[1]),
        check="point.length",
    ),
    Cheat(
        name="no sort keys where there are jokers",
        moment=arranging(JOKERS, "b0 b3 w5 w8"),
        says=lambda scene: scene.with_field(2, b""),
        check="point.length",
    ),
]

# --- a hidden tile comes in ------------------------------------------------------------------

STOPPING = [
    Cheat(
        name=f"{how.__name__}: the drawn tile too far left, {preset}",
        moment=stopping(preset, "b0 b3 w5 w8", "b6", 4),
        says=how(stopped(2), b6="b2"),
        check="sigma.equation",
    )
    for how in (proves_a_lie, commits_to_a_lie)
    for preset in (PLAIN, JOKERS)
] + [
    Cheat(
        name="the drawn number at the far right, taken for a joker",
        moment=stopping(JOKERS, "b0 b3 w5 w8", "b6", 4),
        says=proves_a_lie(stopped(5), b6="b-"),
        check="sigma.equation",
    ),
    Cheat(
        name="a number beyond an open joker",
        moment=stopping(JOKERS, "b0 b- w5 w8", "b6", 4),
        says=proves_a_lie(stopped(3), b6="b3"),
        check="sigma.equation",
    ),
    Cheat(
        name="a drawn joker committed to as a number",
        moment=stopping(JOKERS, "b0 b3 w5 w8", "b-", 4),
        says=commits_to_a_lie(stopped(4), bJ="b6"),
        check="sigma.equation",
    ),
    Cheat(
        name="another slot than the one proved",
        moment=stopping(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.with_field(0, 3),
        check="sigma.equation",
    ),
    Cheat(
        name="another slot than the one proved, with jokers",
        moment=stopping(JOKERS, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.with_field(0, 3),
        check="sigma.equation",
    ),
    Cheat(
        name="a slot beyond the row",
        moment=stopping(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.with_field(0, 6),
        check="stop.shape",
    ),
    Cheat(
        name="slot zero",
        moment=stopping(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.with_field(0, 0),
        check="stop.shape",
    ),
    Cheat(
        name="the drawn tile kept back",
        moment=stopping(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.says(replace(scene.body, fields=(None,), proofs=())),
        check="stop.shape",
    ),
    Cheat(
        name="a hidden joker moved meanwhile",
        moment=stopping(JOKERS, "b0 b- w5 w8", "b6", 4),
        says=stopped_in_another_row,
        check="sigma.equation",
    ),
    Cheat(
        name="the value of another tile of the row",
        moment=stopping(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: scene.with_field(1, scene.round.hands[0][3].value),
        check="sigma.equation",
    ),
]

# --- an open tile comes in -------------------------------------------------------------------

PLACING = [
    Cheat(
        name=f"the open tile too far left, {preset}",
        moment=missing(preset, "b0 b3 w5 w8", "b6", 4),
        says=proves_a_lie(placed(2), b3="w6", w5="b7"),
        check="sigma.equation",
    )
    for preset in (PLAIN, JOKERS)
] + [
    Cheat(
        name="the open tile too far right, its neighbour taken for a joker",
        moment=missing(JOKERS, "b0 b3 w5 w8", "b6", 4),
        says=proves_a_lie(placed(5), w8="w-"),
        check="sigma.equation",
    ),
    Cheat(
        name="an open joker that comes with a proof",
        moment=missing(JOKERS, "b0 b3 w5 w8", "b-", 4),
        says=lambda scene: scene.with_proofs(scene.body.proofs[0], bytes(32)),
        check="sigma.length",
    ),
    Cheat(
        name="an open joker beside the row",
        moment=missing(JOKERS, "b0 b3 w5 w8", "b-", 4),
        says=lambda scene: scene.says(placed(6)(scene, scene.me)),
        check="place.shape",
    ),
    Cheat(
        name="an order proof of another purpose",
        moment=missing(PLAIN, "b0 b3 w5 w8", "b6", 4),
        says=lambda scene: _proved_as_stop(scene),
        check="sigma.equation",
    ),
]


def _proved_as_stop(scene: Scene) -> Payload:
    """Place the tile with an order proof under the label of a stop."""
    honest = type(scene.round).tag

    def tag(round_: object, seat: int, label: str, fields: object, index: int = 0) -> bytes:
        other = "stop.order" if label == "place.order" else label
        return honest(round_, seat, other, fields, index)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(scene.round), "tag", tag)
        return scene.says(placed(4)(scene, scene.me))


# --- nothing hidden is near ------------------------------------------------------------------


@functools.cache
def beside_an_open_tile() -> Recording:
    """Seat 0 places w1 at its left end, then draws w0, whose place is left of that."""
    hands = ("b3 b5 w5 w8", "b1 w2 w6 w7")
    miss = guess("2.1", "b10"), guess("1.4", "b10")
    moves = (Draw(deck=0), miss[0], Draw(deck=0), miss[1], Draw(deck=0), guess("2.4", "b9"))
    return record_dealt(dealt_table(hands, "w1 b11 w0"), hands, "w1 b11 w0", moves)


def right_of_it(scene: Scene) -> Payload:
    """Place it right of the open tile, with all that a proof there would hold."""
    held = scene.round.drawn
    assert held is not None
    points = (b"", edwards25519.generator * 2)
    return scene.says(opened(scene.round, scene.me, held, (2,), points, bytes(32)))


OPEN = [
    Cheat(
        name="a proof where nothing hidden is near",
        moment=lambda: beside_an_open_tile().find("place", seat=0, nth=1),
        says=lambda scene: scene.with_proofs(scene.body.proofs[0], bytes(32)),
        check="sigma.length",
    ),
    Cheat(
        name="two open tiles that are not in order",
        moment=lambda: beside_an_open_tile().find("place", seat=0, nth=1),
        says=right_of_it,
        check="order.open",
    ),
]

CHEATS = ARRANGING + STOPPING + PLACING + OPEN


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_with_a_row_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)


@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_a_joker_may_come_in_anywhere(slot: int) -> None:
    scene = stopping_scene("b0 b3 w5 w8", "b-")
    scene.tell(scene.says(stopped(slot)(scene, scene.me)))
    scene.expect_accepted()


@pytest.mark.parametrize("slot", [3, 4, 5])
def test_beside_hidden_jokers_a_number_has_several_slots(slot: int) -> None:
    scene = stopping_scene("b3 w5 b- w-", "b6")
    scene.tell(scene.says(stopped(slot)(scene, scene.me)))
    scene.expect_accepted()


def stopping_scene(hand: str, drawn: str) -> Scene:
    return Cheat(
        name="none", moment=stopping(JOKERS, hand, drawn, 3), says=lambda s: s.honest, check=""
    ).scene
