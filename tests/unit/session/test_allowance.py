"""What one seat may cost another: transcripts sent again, and chat."""

from __future__ import annotations

import pytest

from p2p_davinci.session import arriving, wire
from p2p_davinci.session.allowance import AGAIN, OWN_REMARKS, REMARKS, Budget, spend
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import Heard, Received, Refused, Say
from protocol import DROP_KIND, PROMISE_KIND, Payload, encode_record, seal_aside
from tests.support.recorded import Moment, recording
from tests.support.table import Table, seeded

BUDGET = Budget(most=10, per_s=2)


def playing() -> Table:
    return recording("standard").find("guess", nth=2).table.fork(seeded("allowance"))


# --- budgets ---------------------------------------------------------------------------------


def test_a_budget_is_for_each_seat_alone() -> None:
    spent = spend({}, 1, BUDGET, 10, 0.0)
    assert spent is not None
    assert spend(spent, 1, BUDGET, 1, 0.0) is None
    assert spend(spent, 2, BUDGET, 1, 0.0) is not None


def test_something_larger_than_the_budget_is_paid_for_afterwards() -> None:
    spent = spend({}, 0, BUDGET, 30, 0.0)
    assert spent is not None
    assert spend(spent, 0, BUDGET, 1, 10.0) is None
    assert spend(spent, 0, BUDGET, 1, 10.5) is not None


def test_a_budget_fills_no_higher_than_it_was() -> None:
    spent = spend({}, 0, BUDGET, 1, 0.0)
    assert spent is not None
    after = spend(spent, 0, BUDGET, 10, 1000.0)
    assert after is not None
    assert spend(after, 0, BUDGET, 1, 1000.0) is None


# --- what is sent again ----------------------------------------------------------------------


def asking(table: Table, by: int) -> bytes:
    """Where a seat says it stands, as if it had read nothing."""
    round_ = table.peers[by].game.round
    return wire.write(
        wire.Standing(
            game=table.contract.hash,
            contract_hash=round_.contract_hash,
            step=0,
            head=round_.head_before(0),
        )
    )


def answered(table: Table, data: bytes, times: int, asker: int = 1) -> int:
    """The bytes that seat 0 sends for what a seat says so often."""
    before = len(table.peers[0].sent)
    for _ in range(times):
        table.give(0, Received(seat=asker, data=data))
    return sum(map(len, table.peers[0].sent[before:]))


def test_who_asks_again_and_again_for_everything_is_not_always_answered() -> None:
    table = playing()
    whole = answered(table, asking(table, 1), 1)
    assert whole > 5_000
    many = answered(table, asking(table, 1), 100)
    assert AGAIN.most - 2 * whole < many < AGAIN.most + whole
    assert answered(table, asking(table, 1), 1) == 0
    assert table.peers[0].game.stopped is None


def test_what_would_not_be_sent_is_not_looked_up_either(monkeypatch: pytest.MonkeyPatch) -> None:
    table = playing()
    answered(table, asking(table, 1), 100)
    compared: list[int] = []
    monkeypatch.setattr(arriving, "_compare", lambda _work, _there, seat: compared.append(seat))
    answered(table, asking(table, 1), 1)
    table.give(0, Received(seat=2, data=asking(table, 2)))
    assert compared == [2]


def test_who_was_not_answered_is_answered_a_little_later() -> None:
    table = playing()
    whole = answered(table, asking(table, 1), 1)
    answered(table, asking(table, 1), 100)
    table.tick(5)
    assert answered(table, asking(table, 1), 1) == whole


def test_one_that_asks_too_much_takes_nothing_from_the_others() -> None:
    table = playing()
    answered(table, asking(table, 1), 100)
    before = len(table.peers[0].sent)
    table.give(0, Received(seat=2, data=asking(table, 2)))
    assert len(table.peers[0].sent) > before


def last_said(moment: Moment) -> Payload:
    """The payload of the last closed step, which one seat alone spoke in."""
    ((said,),) = moment.table.peers[0].game.round.transcript[-1:]
    return said.payload


def test_a_vote_repeated_for_ever_is_not_always_answered() -> None:
    """It is answered with what its seat said, and a promise: much more than it is itself."""
    moment = recording("standard").find("answer", where=lambda moment: last_said(moment).seat != 0)
    table, last = moment.table.fork(seeded("allowance")), last_said(moment)
    asker = 3 - last.seat
    vote = seal_aside(
        session=last.session,
        seat=asker,
        counter=0,
        head=last.head,
        kind=DROP_KIND,
        body=last.seat,
        signer=table.who[asker],
    )
    data = wire.write(wire.Remark(raw=vote.encode()))
    answered(table, data, 1, asker)
    once = answered(table, data, 1, asker)
    assert once > 2 * len(data)
    promises = [p for ballot in table.peers[0].game.ballots.values() for p in ballot.promises]
    assert [(promise.seat, promise.kind) for promise in promises] == [(0, PROMISE_KIND)]
    assert answered(table, data, 2000, asker) < AGAIN.most + once


# --- chat ------------------------------------------------------------------------------------


def remark(table: Table, number: int, kind: str = "say") -> bytes:
    chain = table.peers[1].game.round.chain
    aside = seal_aside(
        session=chain.session,
        seat=1,
        counter=number,
        head=chain.step.head,
        kind=kind,
        body=f"remark {number}" if kind == "say" else None,
        signer=table.who[1],
    )
    return wire.write(wire.Remark(raw=aside.encode()))


@pytest.mark.parametrize("kind", ["say", "clock"])
def test_remarks_above_the_budget_are_neither_logged_nor_shown_nor_blamed(kind: str) -> None:
    table = playing()
    peer = table.peers[0]
    before = len(peer.log.records)
    for number in range(1, 200):
        table.give(0, Received(seat=1, data=remark(table, number, kind)))
    assert len(peer.log.records) - before == REMARKS.most
    assert len(peer.told(Heard)) == (REMARKS.most if kind == "say" else 0)
    assert peer.game.stopped is None
    table.tick(1)
    table.give(0, Received(seat=1, data=remark(table, 200, kind)))
    assert len(peer.log.records) - before == REMARKS.most + 1


def test_a_log_with_more_remarks_than_one_would_hear_is_valid() -> None:
    table = playing()
    raws = [wire.read(remark(table, number)) for number in range(1, 60)]
    records = [encode_record("aside", w.raw) for w in raws if isinstance(w, wire.Remark)]
    verdict = verify_log(table.peers[0].log_bytes + b"".join(records))
    assert len(records) == 59
    assert (verdict.status, verdict.check) == (Status.UNFINISHED, None)


def test_ones_own_player_is_told_to_wait_before_the_others_stop_listening() -> None:
    table = playing()
    for number in range(30):
        table.give(1, Say(text=f"remark {number}"))
        table.deliver()
    assert len(table.peers[0].told(Heard)) == OWN_REMARKS.most
    assert set(table.peers[1].told(Refused)) == {Refused(reason="refused.say_often")}
    table.tick(1)
    table.give(1, Say(text="once more"))
    table.deliver()
    assert table.peers[0].told(Heard)[-1] == Heard(seat=1, text="once more")
