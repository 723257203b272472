"""The driver: what must survive a crash is on disk before anything that depends on it is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.app import driver as driving
from p2p_davinci.app.driver import Driver, Outlets, mend
from p2p_davinci.session import events
from p2p_davinci.session.events import (
    Append,
    Dealt,
    Effect,
    Keep,
    Send,
    Show,
    Sync,
    Tick,
    Wake,
)
from p2p_davinci.session.resuming import Recalled
from p2p_davinci.session.secrets import keep_envelope
from tests.support.table import new_table

Did = tuple[object, ...]


class Journal:
    """Writes down what is done to it; fails when its disk is full."""

    def __init__(self, name: str, did: list[Did]) -> None:
        self.name = name
        self.did = did
        self.full = False

    def append(self, record: bytes) -> None:
        if self.full:
            raise OSError("no space left on device")
        self.did.append((self.name, record))

    def sync(self) -> None:
        self.did.append((self.name, "sync"))

    def cut(self, size: int) -> None:
        self.did.append((self.name, "cut", size))


class Desk:
    """A driver of a game that is never really stepped: effects are given to it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.did: list[Did] = []
        self.log, self.secrets = Journal("log", self.did), Journal("secrets", self.did)
        peer = new_table(2, seed="a game").start().peers[0]
        self.effects: tuple[Effect, ...] = ()
        patch.setattr(driving, "start", lambda *_: (peer.game, self.effects))
        patch.setattr(driving, "step", lambda *_: (peer.game, self.effects))
        self.contract = peer.game.round.contract
        self.driver = Driver(
            Outlets(
                log=self.log,
                secrets=self.secrets,
                send=lambda data, seat: self.did.append(("send", data, seat)),
                show=lambda event: self.did.append(("show", event)),
                wake=lambda at_s: self.did.append(("wake", at_s)),
                testify=lambda seat, data: self.did.append(("testify", seat, data)),
            ),
            None,
        )
        self.driver.start(self.contract, 0, 0.0)

    def carry_out(self, *effects: Effect) -> list[Did]:
        self.effects = effects
        self.did.clear()
        self.driver.step(Tick(), 1.0)
        return self.did


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


LOGGED, KEPT = Append(record=b"logged"), Keep(record=b"kept")
SENT = Send(data=b"sent", seat=2)


def test_what_is_kept_and_logged_is_on_disk_before_anything_is_sent(desk: Desk) -> None:
    assert desk.carry_out(LOGGED, KEPT, KEPT, SENT, SENT) == [
        ("log", b"logged"),
        ("secrets", b"kept"),
        ("secrets", b"kept"),
        ("log", "sync"),
        ("secrets", "sync"),
        ("send", b"sent", 2),
        ("send", b"sent", 2),
    ]


def test_only_what_was_written_to_is_synced_and_only_once(desk: Desk) -> None:
    assert desk.carry_out(SENT, KEPT, SENT, SENT) == [
        ("send", b"sent", 2),
        ("secrets", b"kept"),
        ("secrets", "sync"),
        ("send", b"sent", 2),
        ("send", b"sent", 2),
    ]


def test_what_must_be_on_disk_first_is_synced_before_more_is_written(desk: Desk) -> None:
    assert desk.carry_out(LOGGED, Sync(), KEPT) == [
        ("log", b"logged"),
        ("log", "sync"),
        ("secrets", b"kept"),
        ("secrets", "sync"),
    ]


def test_what_is_written_last_is_on_disk_when_the_step_is_over(desk: Desk) -> None:
    assert desk.carry_out(SENT, LOGGED) == [
        ("send", b"sent", 2),
        ("log", b"logged"),
        ("log", "sync"),
    ]


@pytest.mark.parametrize("name", ["log", "secrets"])
def test_nothing_is_sent_that_could_not_be_written(desk: Desk, name: str) -> None:
    full = desk.log if name == "log" else desk.secrets
    full.full = True
    with pytest.raises(OSError, match="no space"):
        desk.carry_out(LOGGED, KEPT, SENT)
    assert "send" not in [did[0] for did in desk.did]


def test_news_and_wishes_go_out_in_their_order_and_evidence_last(desk: Desk) -> None:
    first, second = Dealt(tiles=()), Dealt(tiles=())
    assert desk.carry_out(
        Show(event=first),
        Wake(at_s=7.5),
        events.Testify(seat=1, data=b"evidence"),
        Show(event=second),
        Send(data=b"to all"),
    ) == [
        ("show", first),
        ("wake", 7.5),
        ("show", second),
        ("send", b"to all", None),
        ("testify", 1, b"evidence"),
    ]


def test_evidence_that_cannot_be_written_has_been_logged_and_sent(desk: Desk) -> None:
    def fail(_seat: int, _data: bytes) -> None:
        raise OSError("no space left on device")

    desk.driver._outlets = replace(desk.driver._outlets, testify=fail)
    with pytest.raises(OSError, match="no space"):
        desk.carry_out(events.Testify(seat=1, data=b"evidence"), SENT, LOGGED)
    assert desk.did == [("send", b"sent", 2), ("log", b"logged"), ("log", "sync")]
    assert not desk.driver.kept


def test_beginning_is_carried_out_like_any_step(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.did.clear()
    desk.effects = (KEPT, SENT)
    desk.driver.start(desk.contract, 0, 0.0)
    assert desk.did == [("secrets", b"kept"), ("secrets", "sync"), ("send", b"sent", 2)]


def test_there_is_no_game_before_it_is_started(desk: Desk) -> None:
    idle = Driver(desk.driver._outlets, None)
    with pytest.raises(RuntimeError, match="not been started"):
        idle.step(Tick(), 0.0)
    assert desk.driver.game.round.contract == desk.contract


def test_a_half_logged_step_is_kept_before_it_is_cut_out_of_the_log(desk: Desk) -> None:
    desk.did.clear()
    found = Recalled(
        game=desk.driver.game,
        seat=0,
        secrets=None,
        kept=(),
        signed=(),
        resigning=False,
        spoken=(b"one", b"two"),
        cut=77,
        lacks_contract=False,
    )
    mend(found, desk.log, desk.secrets)
    assert desk.did == [
        ("secrets", keep_envelope(b"one")),
        ("secrets", keep_envelope(b"two")),
        ("secrets", "sync"),
        ("log", "cut", 77),
    ]
    desk.did.clear()
    mend(replace(found, cut=None), desk.log, desk.secrets)
    assert desk.did == []
