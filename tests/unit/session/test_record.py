"""The open record of a game: what a referee needs, and when there is none."""

from __future__ import annotations

import json

import pytest

from p2p_davinci.rules.moves import Draw
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.session.record import NoKeys, open_record, open_state, round_record, truth_of
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import finish, recording, resigns
from tests.support.table import seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
PILE = "b6 w3"


def test_a_record_tells_hands_and_moves_as_they_were() -> None:
    moves = (Draw(deck=0), guess("2.1", "b1"), guess("2.2", "b11"), resigns(2), Draw(deck=0))
    table = record_dealt(dealt_table(HANDS, PILE), HANDS, PILE, moves).end
    record = round_record(finish(table.fork(seeded("record"))).peers[0].game.round)
    assert (record["hands"], record["first"]) == ([hand.split() for hand in HANDS], 0)
    told = record["moves"]
    assert isinstance(told, list)
    assert told[:6] == [
        ["draw", "b6"],
        ["guess", 1, 1, "b1"],
        ["guess", 1, 2, "b11"],
        ["place", 4],
        ["draw", "w3"],
        ["resign", 2],
    ]


def test_all_peers_make_the_same_record() -> None:
    table = recording("classic").end
    rounds = [(*peer.game.past, peer.game.round) for peer in table.peers]
    (record,) = {json.dumps(open_record(one)) for one in rounds}
    assert json.loads(referee_line(record)) == open_state(rounds[0])


def test_a_game_of_one_round_is_one_record_and_of_several_a_list() -> None:
    single = recording("standard").end.peers[0].game
    several = recording("tournament", 3, 2, rounds="2").end.peers[0].game
    assert open_record((single.round,)).keys() == {"rules", "hands", "first", "moves"}
    assert open_state((single.round,)).keys() == {"ok"}
    rounds = (*several.past, several.round)
    assert open_record(rounds).keys() == {"rules", "rounds"}
    state = open_state(rounds)
    assert state.keys() == {"rounds", "totals", "winners", "next"}
    assert state["next"] is None


@pytest.mark.parametrize("kind", ["commit", "guess", "key"])
def test_before_the_winners_key_there_is_no_record(kind: str) -> None:
    round_ = recording("standard").find(kind).table.peers[0].game.round
    assert round_.opened == (None,) * 3 or kind == "key"
    for make in (truth_of, round_record):
        with pytest.raises(NoKeys):
            make(round_)


def test_the_truth_holds_every_face() -> None:
    table = recording("standard").end
    round_ = table.peers[0].game.round
    truth = truth_of(round_)
    for seat, row in enumerate(round_.board.rows):
        assert all(piece.face in (None, truth.hands[seat][k]) for k, piece in enumerate(row))
    assert len({tile for hand in truth.hands for tile in hand}) == sum(map(len, truth.hands))
