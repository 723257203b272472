"""Chat and other asides: signed, counted, logged if they mean something, never a reason to stop."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from p2p_davinci.session import wire
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import Heard, Received, Refused, Say
from p2p_davinci.session.remarks import SAY_BYTES_MAX
from protocol import Signer, Value, encode, read_log, seal_aside
from tests.support.recorded import recording
from tests.support.table import Table, seeded, signers


def playing() -> Table:
    return recording("standard").find("guess", nth=2).table.fork(seeded("talk"))


def asides(table: Table, seat: int) -> int:
    records, _ = read_log(table.peers[seat].log_bytes)
    return sum(record.kind == "aside" for record in records)


def test_what_is_said_is_heard_and_logged_by_all() -> None:
    table = playing()
    table.give(1, Say(text="good luck, 祝你好運"))
    table.deliver()
    for peer in table.peers:
        assert peer.told(Heard) == [Heard(seat=1, text="good luck, 祝你好運")]
        assert asides(table, peer.seat) == 1
        verdict = verify_log(peer.log_bytes)
        assert (verdict.status, verdict.check) == (Status.UNFINISHED, None)


@pytest.mark.parametrize("text", ["", "x" * (SAY_BYTES_MAX + 1), "祝" * (SAY_BYTES_MAX // 3 + 1)])
def test_too_much_and_nothing_are_not_sent(text: str) -> None:
    table = playing()
    before = len(table.peers[1].sent)
    table.give(1, Say(text=text))
    assert table.peers[1].told(Refused) == [Refused(reason="refused.say")]
    assert len(table.peers[1].sent) == before


def test_a_watcher_says_nothing() -> None:
    table = playing()
    table.peers[1].driver._who = None
    table.give(1, Say(text="hello"))
    assert table.peers[1].told(Refused) == [Refused(reason="refused.say")]


@dataclass(frozen=True, kw_only=True)
class Said:
    """An aside that seat 1 may send to seat 0, unless told otherwise."""

    signer: Signer | None = None
    session: bytes | None = None
    seat: int = 1
    counter: int = 1
    kind: str = "say"
    body: Value = "hello"

    def raw(self, table: Table) -> bytes:
        chain = table.peers[0].game.round.chain
        return seal_aside(
            session=chain.session if self.session is None else self.session,
            seat=self.seat,
            counter=self.counter,
            head=chain.step.head,
            kind=self.kind,
            body=self.body,
            signer=table.who[1] if self.signer is None else self.signer,
        ).encode()


def send(table: Table, raw: bytes) -> None:
    table.give(0, Received(seat=1, data=wire.write(wire.Remark(raw=raw))))


def test_an_aside_in_order_is_heard() -> None:
    table = playing()
    send(table, Said().raw(table))
    assert table.peers[0].told(Heard) == [Heard(seat=1, text="hello")]


@pytest.mark.parametrize(
    "said",
    [
        Said(signer=signers(1, seeded("stranger"))[0]),
        Said(session=bytes(32)),
        Said(seat=2),
        Said(seat=7),
        Said(kind="shout"),
        Said(kind="clock", body="now"),
        Said(body=5),
        Said(body="x" * (SAY_BYTES_MAX + 1)),
        Said(body=b"\x00" * 30000),
    ],
)
def test_an_aside_that_means_nothing_leaves_no_trace(said: Said) -> None:
    table = playing()
    before = table.peers[0].game
    send(table, said.raw(table))
    peer = table.peers[0]
    assert (peer.game.counters, peer.blamed) == (before.counters, None)
    assert (peer.told(Heard), asides(table, 0)) == ([], 0)


def test_what_is_no_aside_at_all_leaves_no_trace() -> None:
    table = playing()
    for raw in (b"", encode(5), encode((b"", bytes(64)))):
        send(table, raw)
    assert (table.peers[0].blamed, asides(table, 0)) == (None, 0)


def test_an_aside_is_heard_once_and_none_before_it() -> None:
    table = playing()
    for counter, heard in ((3, 1), (3, 1), (2, 1), (4, 2)):
        send(table, Said(counter=counter).raw(table))
        assert len(table.peers[0].told(Heard)) == heard
    assert asides(table, 0) == 2


def test_ones_own_aside_brought_back_is_not_heard_again() -> None:
    table = playing()
    table.give(1, Say(text="hello"))
    mail = [data for sender, to, data in table.mail if (sender, to) == (1, 0)]
    table.give(1, Received(seat=0, data=mail[-1]))
    assert len(table.peers[1].told(Heard)) == 1


def test_an_aside_for_somebody_else_is_no_proof_of_anything() -> None:
    table = playing()
    said = replace(Said(), seat=2)
    send(table, said.raw(table))
    assert table.peers[0].blamed is None
