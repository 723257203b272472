"""Whole games by bots and by script: all peers write the same log, and it holds what it says."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping

import pytest

from p2p_davinci.rules.moves import (
    Draw,
    Guess,
    Move,
    Overran,
    Place,
    Resign,
    Resigned,
    Stop,
    Stopped,
)
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.rules.state import Phase
from p2p_davinci.session.audit import Status, Verdict, verify_log
from p2p_davinci.session.events import GameOver, Refused, RoundOver, Stage
from p2p_davinci.session.game import own_faces, view
from p2p_davinci.session.record import open_record, open_state
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import (
    Event,
    calls_clock,
    finish,
    lively,
    passes,
    patient,
    play_until,
    record,
    resigns,
    right_guess,
    spent,
    wrong_guess,
)
from tests.support.table import Table, each_proof_checked_once, new_table, seeded

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def expect_one_log(table: Table) -> Verdict:
    """Check that the game is over for all, alike, and that the log of it proves that."""
    assert set(table.stages) == {Stage.OVER}
    (log,) = {peer.log_bytes for peer in table.peers}
    verdict = verify_log(log)
    assert (verdict.status, verdict.check, verdict.receipts_missing) == (Status.FINISHED, None, ())
    for peer in table.peers:
        (over,) = peer.told(GameOver)
        assert (over.winners, over.head) == (verdict.winners, verdict.head)
        assert view(peer.game).winners == verdict.winners
    expect_same_by_the_referee(table, verdict)
    return verdict


def expect_same_by_the_referee(table: Table, verdict: Verdict) -> None:
    """Check that rules without cryptography come to the same end from the open record."""
    record_, state = open_record(verdict.rounds), open_state(verdict.rounds)
    assert json.loads(referee_line(json.dumps(record_))) == state
    faces = view(table.peers[0].game).faces
    assert faces is not None
    assert faces == tuple(own_faces(peer.game)[0] for peer in table.peers)


# --- by bots ---------------------------------------------------------------------------------

PRESETS = [
    (preset, seats, {"rounds": "1"} if preset == "tournament" else {})
    for preset in ("classic", "standard", "advanced", "tournament")
    for seats in (2, 3, 4)
]
SPREAD: list[tuple[str, int, dict[str, str]]] = [
    ("classic", 2, {"jokers": "no", "twelve": "yes", "empty_miss": "pass"}),
    ("classic", 3, {"call": "colour", "scoring": "revealed"}),
    ("standard", 2, {"backs": "open", "call": "number", "empty_miss": "reveal"}),
    ("standard", 4, {"backs": "open", "first": "random", "twelve": "yes"}),
    ("advanced", 2, {"backs": "open", "twelve": "yes", "empty_miss": "reveal"}),
    ("tournament", 2, {"jokers": "no", "rounds": "2", "tie": "extra", "backs": "open"}),
    ("standard", 3, {"scoring": "revealed", "rounds": "2", "clock": "60+20"}),
]


@pytest.mark.parametrize(("preset", "seats", "overrides"), PRESETS)
def test_bots_play_to_an_end_that_all_agree_on(
    preset: str, seats: int, overrides: Mapping[str, str]
) -> None:
    table = new_table(seats, preset, overrides, seed=(preset, seats)).start().run()
    verdict = expect_one_log(table)
    assert len(verdict.rounds) == table.contract.options.rounds
    assert [len(peer.told(RoundOver)) for peer in table.peers] == [len(verdict.rounds)] * seats


@pytest.mark.parametrize(("preset", "seats", "overrides"), SPREAD)
def test_whatever_the_options_all_agree_on_the_end(
    preset: str, seats: int, overrides: Mapping[str, str]
) -> None:
    table = new_table(seats, preset, overrides, seed=(preset, seats))
    verdict = expect_one_log(record(table, lively(4)).end)
    agreed = verdict.contract.options.rounds
    assert len(verdict.rounds) in (agreed, agreed + 1)


# --- by script -------------------------------------------------------------------------------

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
PILE = "b6 w3 b11"
CLOCK = {"clock": "60+20"}
HIT, MISS = guess("2.1", "b1"), guess("2.1", "b11")
RUNS_OUT = (passes(60), calls_clock(2), passes(20))


@functools.cache
def stage(preset: str, clock: bool, *moves: Move | Event) -> Table:
    """The table after these moves; never to be played on itself."""
    table = dealt_table(HANDS, PILE, preset, CLOCK if clock else {})
    return record_dealt(table, HANDS, PILE, moves).end


def after(*moves: Move | Event, preset: str = "standard", clock: bool = False) -> Table:
    return stage(preset, clock, *moves).fork(seeded("whole game"))


def facts(table: Table) -> list[object]:
    state = table.peers[0].game.round.state
    assert state is not None
    return [fact for _, fact in state.history]


OVERDUE = {
    "before the draw": ((), Overran(deck=0)),
    "after the draw": ((Draw(deck=0),), Overran()),
    "after a miss and a draw": ((Draw(deck=0), MISS, Draw(deck=0)), Overran()),
    "after a hit": ((Draw(deck=0), HIT), Overran(slot=4)),
}


@pytest.mark.parametrize(
    ("when", "preset"), [*((when, "standard") for when in OVERDUE), ("after a hit", "advanced")]
)
def test_a_turn_may_run_out(when: str, preset: str) -> None:
    moves, fact = OVERDUE[when]
    table = after(*moves, *RUNS_OUT, preset=preset, clock=True)
    assert fact in facts(table)
    verdict = expect_one_log(finish(table))
    assert verdict.contract.options.clock is not None


@functools.cache
def spent_pile(empty_miss: str) -> tuple[Table, int]:
    table = new_table(2, "standard", {"empty_miss": empty_miss, **CLOCK}, seed="spent").start()
    peer = play_until(
        table, patient, lambda state: state.phase is Phase.GUESS and state.drawn is None
    )
    return table, peer.seat


def with_an_empty_pile(empty_miss: str) -> tuple[Table, int]:
    """A table at which this seat must guess without having drawn."""
    table, seat = spent_pile(empty_miss)
    return table.fork(seeded("spent")), seat


@pytest.mark.parametrize("empty_miss", ["reveal", "pass"])
@pytest.mark.parametrize("after_a_hit", [True, False])
def test_a_turn_may_run_out_with_an_empty_pile(empty_miss: str, after_a_hit: bool) -> None:
    table, seat = with_an_empty_pile(empty_miss)
    peer = table.peers[seat]
    if after_a_hit:
        table.play(peer.seat, right_guess(table, peer.seat))
        table.deliver()
    for event in (passes(60), calls_clock(1 - peer.seat), passes(20)):
        event(table)
        table.deliver()
    assert Overran() in facts(table)
    revealed = table.peers[0].game.round.step == "turn-up"
    assert revealed is (empty_miss == "reveal" and not after_a_hit)
    expect_one_log(finish(table))


@pytest.mark.parametrize("empty_miss", ["reveal", "pass"])
def test_one_may_stop_after_a_hit_with_an_empty_pile(empty_miss: str) -> None:
    table, seat = with_an_empty_pile(empty_miss)
    peer = table.peers[seat]
    table.play(peer.seat, right_guess(table, peer.seat))
    table.deliver()
    table.play(peer.seat, Stop())
    table.deliver()
    assert facts(table)[-1] == Stopped(slot=None)
    assert table.peers[0].game.round.board.turn == 1 - peer.seat
    expect_one_log(finish(table))


# --- resigning -------------------------------------------------------------------------------

PHASES: dict[str, tuple[Move, ...]] = {
    "before the draw": (),
    "before the guess": (Draw(deck=0),),
    "after a hit": (Draw(deck=0), HIT),
}


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(
    ("phase", "preset"), [*((phase, "standard") for phase in PHASES), ("after a hit", "advanced")]
)
def test_anybody_may_resign_at_any_time(phase: str, seat: int, preset: str) -> None:
    table = after(*PHASES[phase], preset=preset)
    table.play(seat, Resign())
    verdict = expect_one_log(finish(table))
    (resigned,) = [
        fact for _, fact in verdict.rounds[-1].board.history if isinstance(fact, Resigned)
    ]
    assert resigned.seat == seat
    assert verdict.winners != (seat,)


@pytest.mark.parametrize("call", [HIT, MISS], ids=["hit", "miss"])
def test_the_target_of_a_guess_may_resign_instead_of_answering(call: Guess) -> None:
    table = after(Draw(deck=0))
    table.play(1, Resign())
    table.play(0, call)
    table.deliver()
    kinds = [type(fact).__name__ for fact in facts(table)]
    assert kinds == ["Drawn", "Guessed", "Answered", "Resigned", *(["Placed"] * (call is MISS))]
    expect_one_log(finish(table))


def test_a_guess_at_the_last_tile_of_somebody_who_resigns_still_counts() -> None:
    hits = [guess(f"2.{k}", tile) for k, tile in enumerate(HANDS[1].split(), 1)]
    table = after(Draw(deck=0), *hits[:3])
    table.play(1, Resign())
    table.play(0, hits[3])
    table.deliver()
    assert "Resigned" not in [type(fact).__name__ for fact in facts(table)]
    expect_one_log(finish(table))


def test_a_tile_that_is_owed_is_turned_up_before_one_may_resign() -> None:
    table = after(Draw(deck=0), MISS, preset="advanced")
    table.play(0, Resign())
    (refused,) = table.peers[0].told(Refused)
    assert refused.reason == "illegal.place_first"
    table.play(0, Place())
    expect_one_log(finish(table))


def test_two_may_resign_in_one_step() -> None:
    table = after()
    table.play(1, Resign())
    table.play(2, Resign())
    table.play(0, Draw(deck=0))
    verdict = expect_one_log(finish(table))
    assert verdict.winners == (0,)


def test_the_drawn_tile_of_a_drawer_who_wins_by_resignations_stays_out_of_the_row() -> None:
    table = after(Draw(deck=0))
    table.play(1, Resign())
    table.play(2, Resign())
    table.play(0, MISS)
    table.deliver()
    verdict = expect_one_log(finish(table))
    assert verdict.winners == (0,)


def test_of_two_players_the_one_who_stays_wins() -> None:
    hands = HANDS[:2]
    table = record_dealt(dealt_table(hands), hands, "", ()).end.fork(seeded("two"))
    table.play(1, Resign())
    table.play(0, Draw(deck=0))
    assert expect_one_log(finish(table)).winners == (0,)


def test_a_player_called_on_the_clock_may_resign_and_the_next_is_not_called() -> None:
    table = after(passes(60), calls_clock(2), resigns(0), clock=True)
    assert [peer.game.call for peer in table.peers] == [None] * 3
    table.tick(20)
    assert view(table.peers[1].game).kind == "draw"
    expect_one_log(finish(table))


# --- rounds ----------------------------------------------------------------------------------


def test_tied_players_play_an_extra_round_while_the_third_helps_to_shuffle() -> None:
    rules = {"scoring": "revealed", "tie": "extra"}
    moves = (Draw(deck=0), HIT, Stop(), Draw(deck=0), guess("3.1", "w0"), Stop(), Resign())
    table = dealt_table(HANDS, PILE, "standard", rules)
    table = record_dealt(table, HANDS, PILE, [*moves, Resign()]).end.fork(seeded("extra"))
    assert [peer.game.round.contract.playing for peer in table.peers] == [(0, 1)] * 3
    assert view(table.peers[2].game).totals == (1, 1, 0)
    verdict = expect_one_log(finish(table))
    assert len(verdict.rounds) == 2
    assert verdict.rounds[1].hands[2] == ()
    assert len(verdict.winners) == 1


def test_the_winner_of_a_round_shows_what_still_stood_for_the_bonus() -> None:
    rules = {"rounds": "1", "jokers": "no"}
    table = dealt_table(HANDS, PILE, "tournament", rules)
    table = finish(record_dealt(table, HANDS, PILE, ()).end.fork(seeded("bonus")))
    verdict = expect_one_log(table)
    hits, last_tiles, win, bonus = 8, 2 * 3, 5, 0 + 3 + 5 + 8
    assert verdict.rounds[0].board.points == (hits + last_tiles + win + bonus, 0, 0)


def test_who_turns_up_his_own_last_tile_is_out() -> None:
    verdict = expect_one_log(spent().end)
    kinds = [type(fact).__name__ for _, fact in verdict.rounds[0].board.history]
    assert kinds[-1] == "Revealed"


def test_a_game_with_a_wrong_guess_everywhere_is_as_good() -> None:
    table = after()
    for _ in range(3):
        peer = table.due()
        assert peer is not None
        table.play(peer.seat, Draw(deck=0))
        table.deliver()
        table.play(peer.seat, wrong_guess(table, peer.seat))
        table.deliver()
    expect_one_log(finish(table))
