"""A seat and its files: what does not belong together is refused, what is over is deleted."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app.seat import Seat
from p2p_davinci.rules.moves import Draw, Resign
from p2p_davinci.session.events import (
    Claim,
    Input,
    Left,
    LinkDown,
    LinkUp,
    Play,
    Received,
    SaveAndStop,
    Say,
    Stage,
    Tick,
    VoteOut,
)
from p2p_davinci.session.resuming import CannotResume
from p2p_davinci.session.wire import Standing, write
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.journal import LogFile
from p2p_davinci.storage.saved_games import Saved
from protocol import SECRETS_HEADER, Signer
from tests.support.dealt import dealt_table, record_dealt
from tests.support.reborn import disk_of
from tests.support.recorded import recording
from tests.support.table import Table, contract_for, each_proof_checked_once, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")


def on_disk(table: Table, folder: Path, secrets: bytes) -> Saved:
    """Put the log of the first seat where a program would go on with it."""
    saved = Saved(
        path=folder / "g.log",
        secrets=folder / "g.secrets",
        contract=table.contract,
        seat=0,
        key=table.who[0].public,
        messages=0,
        rounds=1,
        changed_s=0,
        torn_bytes=0,
    )
    saved.path.write_bytes(table.peers[0].log_bytes)
    saved.secrets.write_bytes(secrets)
    return saved


def sending_to(sent: list[bytes], private: Ed25519PrivateKey) -> Seat:
    return Seat(
        private=private,
        wait_s=60,
        send=lambda data, _seat: sent.append(data),
        wake=lambda _at_s: None,
    )


def test_a_log_and_secrets_of_two_pasts_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    """One of the files was put back from a copy: going on would be saying two things."""
    base = record_dealt(dealt_table(HANDS, "b6"), HANDS, "b6", ()).end
    one, other = base.fork(seeded("one")), base.fork(seeded("other"))
    one.play(0, Draw(deck=0))
    one.deliver()
    other.play(0, Resign())
    saved = on_disk(one, tmp_path, SECRETS_HEADER + b"".join(other.peers[0].secrets.records))
    sent: list[bytes] = []
    seat = sending_to(sent, Ed25519PrivateKey.generate())
    with pytest.raises(CannotResume) as refused:
        seat.resume(saved, 0.0)
    seat.close()
    assert (refused.value.reason, refused.value.detail) == ("secrets", "chain.doubled")
    assert sent == []
    assert saved.path.exists()
    assert saved.secrets.exists()


@pytest.fixture
def _keeps_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system like Windows, which deletes no file that is open."""
    held: dict[int, Path] = {}
    real_open, real_close, real_unlink = os.open, os.close, os.unlink

    def noted_open(path: Path, flags: int, mode: int = 0o777) -> int:
        fd = real_open(path, flags, mode)
        held[fd] = path
        return fd

    def noted_close(fd: int) -> None:
        held.pop(fd, None)
        real_close(fd)

    def unlink(path: Path) -> None:
        if path in held.values():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        real_unlink(path)

    monkeypatch.setattr(os, "open", noted_open)
    monkeypatch.setattr(os, "close", noted_close)
    monkeypatch.setattr(os, "unlink", unlink)


@pytest.mark.usefixtures("_keeps_open_files")
def test_the_secrets_of_a_game_that_is_over_go_though_its_seat_still_answers(
    tmp_path: Path,
) -> None:
    moment = recording("standard", 2).find("receipt", seat=1)
    table, (_, _, receipt) = moment.table, moment.table.mail[0]
    saved = on_disk(table, tmp_path, disk_of(table.peers[0]).secrets)
    sent: list[bytes] = []
    seat = sending_to(sent, table.who[0]._private)
    with each_proof_checked_once():
        seat.resume(saved, 0.0)
        seat.settle()
        assert saved.secrets.exists()
        update = seat.step(Received(seat=1, data=receipt), 1.0)
    assert update.view.stage is Stage.OVER
    seat.settle()
    assert not saved.secrets.exists()
    log = saved.path.read_bytes()
    for data in (*table.peers[1].sent, receipt, b"nonsense"):
        seat.step(Received(seat=1, data=data), 2.0)
    for given in (
        *(LinkDown(seat=1), Tick(), LinkUp(seat=1), Left(seat=1, reason="left")),
        *(Play(move=Resign()), Say(text="well played"), VoteOut(seat=1), Claim(), SaveAndStop()),
    ):
        seat.step(given, 100.0)
    sent.clear()
    game = table.contract.hash
    behind = Standing(game=game, contract_hash=game, step=0, head=game)
    seat.step(Received(seat=1, data=write(behind)), 101.0)
    assert len(sent) > 10
    assert saved.path.read_bytes() == log
    seat.close()
    assert saved.path.exists()


class Room:
    """Two seats with real files, in one process; what one sends the other takes in."""

    def __init__(self, folder: Path) -> None:
        keys = [Ed25519PrivateKey.generate() for _ in range(2)]
        contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")
        self.folders = [Folders(root=folder / str(number)) for number in range(2)]
        self.mail: deque[tuple[int, bytes]] = deque()
        self.seats = [self._seat(number, key) for number, key in enumerate(keys)]
        for number, seat in enumerate(self.seats):
            seat.start(self.folders[number], "game", contract, number, 0.0)

    def _seat(self, number: int, key: Ed25519PrivateKey) -> Seat:
        def send(data: bytes, _to: int | None) -> None:
            self.mail.append((1 - number, data))

        return Seat(private=key, wait_s=60, send=send, wake=lambda _at_s: None)

    def give(self, number: int, given: Input) -> None:
        """Give a seat an input, and deliver all that follows."""
        self.seats[number].step(given, 0.0)
        self.deliver()

    def deliver(self) -> None:
        while self.mail:
            to, data = self.mail.popleft()
            self.seats[to].step(Received(seat=1 - to, data=data), 0.0)

    def stand_the_tiles(self) -> None:
        self.deliver()
        for number, seat in enumerate(self.seats):
            move = seat.bot_move()
            if move is not None and self.step == "arrange":
                self.give(number, Play(move=move))

    def resign(self) -> None:
        """Let the seat in turn resign, which ends the game of two."""
        turn = next(number for number, seat in enumerate(self.seats) if seat.bot_move())
        self.give(turn, Play(move=Resign()))

    @property
    def step(self) -> str:
        return self.seats[0]._started.game.round.step

    def secrets_of(self, number: int) -> list[Path]:
        return [*self.folders[number].secrets.iterdir()]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with each_proof_checked_once():
        room = Room(tmp_path)
        room.stand_the_tiles()
        assert room.step == "draw"
        yield room
    for seat in room.seats:
        seat.close()


def test_secrets_of_a_game_that_is_over_are_deleted(room: Room) -> None:
    room.resign()
    assert [len(room.secrets_of(number)) for number in range(2)] == [1, 1]
    for seat in room.seats:
        seat.close()
    assert [room.secrets_of(number) for number in range(2)] == [[], []]


def test_secrets_outlive_an_end_that_could_not_be_written(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = LogFile.append

    def fill_up(log: LogFile, record: bytes) -> None:
        game = room.seats[0]._started.game
        if log.path.parent == room.folders[0].logs and game.ended:
            raise OSError(errno.ENOSPC, "no space left on device")
        write(log, record)

    monkeypatch.setattr(LogFile, "append", fill_up)
    with pytest.raises(OSError, match="no space"):
        room.resign()
    assert room.seats[0]._started.game.ended
    room.seats[0].close()
    assert len(room.secrets_of(0)) == 1
