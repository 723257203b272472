"""The key of a seat that has gone out: a step of its own in the middle of a round."""

from __future__ import annotations

import json

from p2p_davinci.rules.moves import Draw, Dropped, Place, Resign, Reveal, Stop
from p2p_davinci.rules.referee import referee_line
from p2p_davinci.rules.state import Phase
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import GameOver, Offered, Stage, VoteOut
from p2p_davinci.session.game import view
from p2p_davinci.session.record import open_record, open_state, round_record
from p2p_davinci.session.work import WAIT_S
from protocol import Scalar
from tests.support.dealt import dealt_table, record_dealt
from tests.support.positions import guess
from tests.support.recorded import Moment, decided, finish, own_slot, wrong_guess
from tests.support.table import Table, seeded
from tests.support.vector_logs import PLANS
from tests.support.vector_play import play

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
HITS = [guess(f"2.{slot}", tile) for slot, tile in enumerate(HANDS[1].split(), 1)]


def guessed_out() -> Moment:
    """Seat 0 has hit the whole row of seat 1, which has given its key to nobody yet."""
    game = record_dealt(dealt_table(HANDS, "b6"), HANDS, "b6", [Draw(deck=0), *HITS])
    return game.find("key")


def silent_in_the_key_step() -> Table:
    """The same, and nobody hears seat 1 any more."""
    table = guessed_out().table.fork(seeded("keys"))
    for other in (0, 2):
        table.disconnect(1, other)
    table.deliver()
    return table


def test_play_waits_for_the_key_and_then_goes_on_where_it_was() -> None:
    table = guessed_out().table.fork(seeded("keys"))
    waiting = view(table.peers[0].game)
    assert (waiting.kind, waiting.awaited, waiting.stage) == ("key", (1,), Stage.PLAY)
    assert not waiting.due
    table.deliver()
    for peer in table.peers:
        assert (peer.game.round.step, peer.game.round.owes_key) == ("more", None)
    assert table.due() is table.peers[0]


def test_who_turns_up_its_last_tile_gives_its_key_before_the_next_turn() -> None:
    """Whoever has one tile left misses with an empty pile, three times."""
    table = dealt_table(HANDS, overrides={"empty_miss": "reveal"}).start()
    table.run_until(lambda now: now.due() is not None and not any(pile(now)))
    given = {}
    for _ in range(40):
        if (peer := table.due()) is None:
            break
        board = peer.game.round.board
        standing = [k for k, piece in enumerate(board.rows[peer.seat], 1) if piece.standing]
        if peer.game.round.step == "turn-up":
            table.play(peer.seat, Reveal(slot=standing[0]))
            table.deliver()
            given[peer.seat] = (len(standing), table.peers[0].game.round.opened[peer.seat])
        elif board.phase is Phase.MORE:
            table.play(peer.seat, Stop(slot=own_slot(peer)))
        elif board.phase is Phase.PLACE:
            table.play(peer.seat, Place(slot=own_slot(peer)))
        else:
            table.play(peer.seat, wrong_guess(table, peer.seat))
        table.deliver()
    assert {left for left, key in given.values() if key is not None} == {1}


def pile(table: Table) -> tuple[int, ...]:
    state = table.peers[0].game.round.state
    return (1,) if state is None else state.pile


def test_without_the_key_of_one_who_is_out_the_others_can_go_on() -> None:
    table = silent_in_the_key_step()
    before = table.peers[0].game.round.board.rows
    table.wait(int(WAIT_S) + 5)
    for seat in (0, 2):
        (offered,) = table.peers[seat].told(Offered)
        assert (offered.seat, offered.vote) == (1, True)
        table.give(seat, VoteOut(seat=1))
        table.deliver()
    for seat in (0, 2):
        round_ = table.peers[seat].game.round
        assert (round_.step, round_.board.rows, round_.board.pile) == ("more", before, (0,))
        assert (round_.dropped, round_.owes_key) == ((1,), None)
        assert round_.board.history[-1] == (1, Dropped(seat=1))


def test_a_game_without_the_key_of_one_who_was_out_has_an_open_record() -> None:
    table = silent_in_the_key_step()
    table.wait(int(WAIT_S) + 5)
    for seat in (0, 2):
        table.give(seat, VoteOut(seat=1))
        table.deliver()
    finish_without(table, 1)
    (over,) = table.peers[0].told(GameOver)
    verdict = verify_log(table.peers[0].log_bytes)
    assert (verdict.status, verdict.winners) == (Status.FINISHED, over.winners)
    record = open_record(verdict.rounds)
    assert ["drop", 1] in record["moves"]  # type: ignore[operator]
    assert json.loads(referee_line(json.dumps(record))) == open_state(verdict.rounds)


def finish_without(table: Table, lost: int) -> None:
    """Let the others play to the end."""
    while (peer := table.due()) is not None:
        if peer.seat == lost:
            raise AssertionError("the lost one is asked")
        table.play(peer.seat, table.bot_move(peer))
        table.deliver()
    table.wait(10)


def test_who_leaves_when_its_key_is_due_stops_nothing_by_itself() -> None:
    table = silent_in_the_key_step()
    table.wait(int(WAIT_S) + 5)
    assert [table.peers[seat].game.stopped for seat in (0, 2)] == [None, None]
    for other in (0, 2):
        table.connect(1, other)
    table.deliver()
    table.wait(10)
    assert {peer.game.round.step for peer in table.peers} == {"more"}
    finish(table)
    assert set(table.stages) == {Stage.OVER}


def test_who_wanted_to_resign_and_is_out_first_gives_its_key_all_the_same() -> None:
    table = guessed_out().table.fork(seeded("keys"))
    table.play(2, Resign())
    table.deliver()
    keys: list[Scalar | None] = list(table.peers[0].game.round.opened)
    assert [key is None for key in keys] == [True, False, True]


def test_in_a_game_for_two_only_the_winner_gives_its_key() -> None:
    hands = HANDS[:2]
    game = record_dealt(dealt_table(hands, "b9"), hands, "b9", [Draw(deck=0), *HITS])
    keys = [moment for moment in game.moments if moment.payload.kind == "key"]
    assert [moment.payload.seat for moment in keys] == [0]
    assert decided(keys[0])
    end = game.end.peers[1].game.round
    assert [key is None for key in end.opened] == [False, True]
    assert view(game.end.peers[1].game).faces is not None


def test_a_draw_whose_share_an_idle_seat_never_gave_is_no_move_of_the_record() -> None:
    """In an extra round between two the third only gives shares, and can be left out as well."""
    plan = next(plan for plan in PLANS if plan.name == "extra round")
    table = play(plan, until=lambda now: len(now.peers[0].game.past) == 1 and step(now) == "draw")
    players = table.peers[0].game.round.contract.playing
    (idle,) = {0, 1, 2} - set(players)
    for seat in players:
        table.disconnect(idle, seat)
    table.play(in_turn(table), Draw(deck=0))
    table.deliver()
    table.wait(int(WAIT_S) + 5)
    for seat in players:
        table.give(seat, VoteOut(seat=idle))
        table.deliver()
    assert {table.peers[seat].game.round.dropped for seat in players} == {(idle,)}
    finish_without(table, idle)
    verdict = verify_log(table.peers[players[0]].log_bytes)
    assert verdict.status is Status.FINISHED
    record = open_record(verdict.rounds)
    assert json.loads(referee_line(json.dumps(record))) == open_state(verdict.rounds)
    _, extra = map(round_record, verdict.rounds)
    assert list(extra["moves"])[:1] == [["drop", idle]]  # type: ignore[arg-type]


def step(table: Table) -> str:
    return table.peers[0].game.round.step


def in_turn(table: Table) -> int:
    return table.peers[0].game.round.board.turn
