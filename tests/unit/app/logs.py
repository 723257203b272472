"""Logs of one seeded game in every state that a report can meet: made once, told many times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from p2p_davinci.rules.moves import Resign
from p2p_davinci.session.audit import Verdict, verify_log
from p2p_davinci.session.events import CallClock, Claim, Left, Play, Received, SaveAndStop, Say
from p2p_davinci.session.game import view
from p2p_davinci.session.wire import Chained, write
from protocol import (
    HEADER,
    DoubleSpeaking,
    Payload,
    Record,
    encode,
    encode_evidence,
    encode_record,
    read_envelope,
    read_log,
    seal,
)
from tests.support.table import Table, each_proof_checked_once, new_table, seeded
from tests.unit.session.test_voting import at, cut_off, in_turn, play_on, vote_out

RULES = {"clock": "60+20", "scoring": "revealed", "rounds": "2"}
GREETING = "hello"
"""Said before the first step is complete."""
CHAT = "good luck \u202e all"
"""Holds a character that turns the writing direction round."""


@cache
def played() -> tuple[Table, Table]:
    """A table in the middle of its second round, and the same table at the end of the game."""
    with each_proof_checked_once():
        table = new_table(2, "classic", RULES, seed="logs").start()
        table.give(1, Say(text=GREETING))
        table.run_until(lambda now: _draws_due(now, 1))
        table.give(0, Say(text=CHAT))
        table.tick(61)
        table.give(1 - _thinker(table), CallClock())
        table.run_until(lambda now: _draws_due(now, 2))
        ended = table.fork(seeded("ended")).run()
    return table, ended


def _draws_due(table: Table, number: int) -> bool:
    peer = table.due()
    game = table.peers[0].game
    state = game.round.state
    asked = peer is not None and view(peer.game).kind == "draw"
    return asked and len(game.past) == number - 1 and state is not None and bool(state.history)


def _thinker(table: Table) -> int:
    return table.peers[0].game.round.board.turn


@cache
def finished() -> bytes:
    _, ended = played()
    return ended.peers[0].log_bytes


@cache
def unfinished() -> bytes:
    table, _ = played()
    return table.peers[0].log_bytes


@cache
def in_the_deal() -> bytes:
    """Everybody has taken tiles, nobody has stood them."""
    records = records_of(finished())
    kinds = [kind_of(record) for record in records]
    return rebuilt(records[: kinds.index("arrange")])


@cache
def resigned() -> bytes:
    """The second round ends because the player in turn resigns."""
    table, _ = played()
    with each_proof_checked_once():
        fork = table.fork(seeded("resigned"))
        fork.give(_thinker(fork), Play(move=Resign()))
        fork.run()
    return fork.peers[0].log_bytes


@cache
def eventful() -> bytes:
    """Three players, one overdue turn before the draw, and a resignation out of turn."""
    with each_proof_checked_once():
        table = new_table(3, "classic", {"clock": "5+5"}, seed="eventful").start()
        table.run_until(lambda now: _draws_due(now, 1))
        table.tick(6)
        table.give((_thinker(table) + 1) % 3, CallClock())
        table.deliver()
        table.tick(6)
        table.run_until(lambda now: _draws_due(now, 1))
        table.give((_thinker(table) + 1) % 3, Play(move=Resign()))
        table.run()
    return table.peers[0].log_bytes


@cache
def halted() -> bytes:
    """Seat 2 left, and the log's owner noted it."""
    table, _ = played()
    fork = table.fork(seeded("halted"))
    fork.give(0, Left(seat=1, reason="left"))
    fork.give(0, SaveAndStop())
    return fork.peers[0].log_bytes


def cheater() -> int:
    """The seat that cheats in :func:`void`, from 0."""
    table, _ = played()
    return _thinker(table)


@cache
def void() -> bytes:
    """The player in turn signed a draw that is none."""
    table, _ = played()
    fork = table.fork(seeded("void"))
    seat = cheater()
    payload = replace(_payload(fork, seat), body=("no such draw",))
    raw = seal(payload, fork.who[seat]).encode()
    fork.give(1 - seat, Received(seat=seat, data=write(Chained(raw=raw))))
    return fork.peers[1 - seat].log_bytes


def _payload(table: Table, seat: int) -> Payload:
    chain = table.peers[0].game.round.chain
    return Payload(
        session=chain.session,
        seat=seat,
        step=chain.step.number,
        head=chain.step.head,
        kind="draw",
        body=((0,), ()),
    )


@cache
def invalid() -> bytes:
    """One signature in the middle is not the signer's."""
    records = records_of(finished())
    index = changed_record()
    data = bytearray(records[index].data)
    data[-1] ^= 1
    records[index] = replace(records[index], data=bytes(data))
    return rebuilt(records)


def changed_record() -> int:
    """The index of the record that is wrong in :func:`invalid`."""
    records = records_of(finished())
    return next(i for i in range(len(records) // 2, len(records)) if records[i].kind == "envelope")


def torn() -> bytes:
    return finished()[:-3]


def nothing() -> bytes:
    """A log that ends within its first record."""
    return finished()[: len(HEADER) + 10]


@cache
def convicted(*, best: bool = False) -> bytes:
    """At the end a seat is shown to have sealed two keys; ``best``: one of those who had won."""
    table, _ = played()
    (winner,) = verdict_of_finished().winners
    seat = winner if best else 1 - winner
    records = records_of(finished())
    commit = next(
        envelope
        for envelope in (read_envelope(r.data) for r in records if r.kind == "envelope")
        if (envelope.payload.seat, envelope.payload.kind) == (seat, "commit")
    )
    other = seal(replace(commit.payload, body=((bytes(32),), ())), table.who[seat])
    return finished() + encode_record("fault", encode((commit.encode(), other.encode())))


def nobody() -> bytes:
    """Both are convicted, so nobody has won."""
    one, other = records_of(convicted())[-1], records_of(convicted(best=True))[-1]
    return rebuilt([*records_of(finished()), one, other])


@cache
def verdict_of_finished() -> Verdict:
    with each_proof_checked_once():
        return verify_log(finished())


@cache
def without_keys() -> bytes:
    """The game is decided, but nobody heard the winner's key any more."""
    records = records_of(finished())
    kinds = [kind_of(record) for record in records]
    return rebuilt(records[: len(kinds) - 1 - kinds[::-1].index("key")])


@cache
def evidence(*, honest: bool = False) -> bytes:
    """Two draws of one step, signed by one seat; ``honest``: the same one twice."""
    table, _ = played()
    seat = cheater()
    payload = _payload(table, seat)
    other = payload if honest else replace(payload, body=((1,), ()))
    signer = table.who[seat]
    pair = DoubleSpeaking(first=seal(payload, signer), second=seal(other, signer))
    return encode_evidence(pair, signer.public)


def records_of(data: bytes) -> list[Record]:
    records, _ = read_log(data)
    return list(records)


def rebuilt(records: list[Record]) -> bytes:
    return HEADER + b"".join(encode_record(record.kind, record.data) for record in records)


def kind_of(record: Record) -> str:
    """What an envelope says; of another record its own kind."""
    return read_envelope(record.data).payload.kind if record.kind == "envelope" else record.kind


@cache
def dropped() -> bytes:
    """A game of three that goes on without the player in turn, who was silent."""
    with each_proof_checked_once():
        table = at("guess")
        lost = in_turn(table)
        others = vote_out(table, lost)
        play_on(table, lost)
    return others[0].log_bytes


@cache
def claimed() -> bytes:
    """A game of two that the one claims since the other is silent."""
    with each_proof_checked_once():
        table = at("guess", seats=2)
        (other,) = cut_off(table, in_turn(table))
        table.give(other.seat, Claim())
    return other.log_bytes
