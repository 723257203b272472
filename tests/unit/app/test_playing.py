"""A game in progress at one seat: what still happens to it once it is over."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app import playing as playing_module
from p2p_davinci.app.inbox import ITEM_BYTES, WAITING_BYTES_MAX
from p2p_davinci.app.playing import Playing
from p2p_davinci.app.seat import Update, verify_file
from p2p_davinci.app.settings import Settings
from p2p_davinci.rules.moves import Move
from p2p_davinci.session import play, wire
from p2p_davinci.session.audit import Status, Verdict
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.events import (
    Blamed,
    Input,
    KeepWaiting,
    LinkDown,
    LinkUp,
    Lost,
    Offered,
    Received,
    SaveAndStop,
    Stage,
    VoteOut,
)
from p2p_davinci.session.game import new_game, view
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.saved_games import Saved, saved_games
from protocol import Signer
from tests.support.recorded import payload_in
from tests.support.saved import keep_identity
from tests.support.table import contract_for, each_proof_checked_once

HANG_S = 60.0


def at(contract: Contract) -> bytes:
    """Somebody stands at the beginning of a game."""
    there = wire.Standing(game=contract.hash, contract_hash=contract.hash, step=0, head=bytes(32))
    return wire.write(there)


def farewell(contract: Contract) -> bytes:
    return wire.write(wire.Farewell(game=contract.hash))


class Place:
    """One player's machine, and the wire to the only other one."""

    def __init__(self, root: Path, private: Ed25519PrivateKey, contract: Contract) -> None:
        self.folders = Folders(root=root)
        self.key = private.public_key().public_bytes_raw()
        self.other: Place | None = None
        self.cut = asyncio.Event()
        """Nothing that it sends arrives any more."""
        self.cuts_receipts = True
        self._private, self._contract = private, contract
        self.playing: Playing
        keep_identity(self.folders, private)

    def start(self, saved: Saved | None = None) -> asyncio.Task[Verdict]:
        settings = Settings(
            command="play", folders=self.folders, options=self._contract.options, auto=True
        )
        self.playing = Playing(settings, self._private, self._contract, self._send, _ignore)
        self.cut.clear()
        keys = [player.key for player in self._contract.players]
        return asyncio.create_task(self.playing.run(keys, (), saved))

    def _send(self, _to: bytes, data: bytes) -> None:
        payload, other = payload_in(data), self.other
        if other is None:
            return
        if self.cuts_receipts and payload is not None and payload.kind == "receipt":
            self.cut.set()
            other.cut.set()
        if not self.cut.is_set():
            other.playing.received(self.key, data)

    def told(self, data: bytes) -> None:
        """Hear from the other one, whatever the wire is like."""
        assert self.other is not None
        self.playing.received(self.other.key, data)


def _ignore(_update: Update) -> None:
    """Show nothing to nobody."""


@pytest.mark.slow
def test_who_missed_the_end_gets_it_from_a_program_that_has_seen_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "RECEIPT_WAIT_S", 1.0)
    kept: list[int] = []
    """How many secrets are left whenever a log is verified, which the player need not await."""

    def verified(log: Path) -> Verdict:
        kept.append(len(list((log.parents[1] / "secrets").iterdir())))
        return verify_file(log)

    monkeypatch.setattr(playing_module, "verify_file", verified)
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")

    async def scenario() -> None:
        ana, bo = (
            Place(tmp_path / name, key, contract)
            for name, key in zip(("ana", "bo"), keys, strict=True)
        )
        ana.other, bo.other = bo, ana
        at_ana, at_bo = ana.start(), bo.start()
        await bo.cut.wait()
        at_bo.cancel()
        bo.playing.close()
        verdict = await at_ana
        assert verdict.receipts_missing == (1,)
        (saved,) = saved_games(bo.folders)
        ana.cuts_receipts = bo.cuts_receipts = False
        ana.cut.clear()
        resumed = await bo.start(saved)
        assert (resumed.status, resumed.head) == (Status.FINISHED, verdict.head)
        assert resumed.receipts_missing == ()
        assert saved_games(ana.folders) == saved_games(bo.folders) == ()
        assert {ana.playing.out, bo.playing.out} == {True, False}
        for place in (ana, bo):
            assert place.playing.view is not None
            assert place.playing.view.stage is Stage.OVER
            place.playing.close()
        assert kept == [0, 0]

    with each_proof_checked_once():
        asyncio.run(asyncio.wait_for(scenario(), HANG_S))


def test_who_stops_and_stays_at_the_terminal_tells_the_others_at_once_and_whenever_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")
    heard: list[bytes] = []

    async def scenario() -> None:
        ana, bo = (
            Place(tmp_path / name, key, contract)
            for name, key in zip(("ana", "bo"), keys, strict=True)
        )
        ana.other, bo.other = bo, ana
        at_ana, at_bo = ana.start(), bo.start()
        while ana.playing.view is None or ana.playing.view.board is None:
            await asyncio.sleep(0.01)
        ana.playing.feed(SaveAndStop())
        # Nobody is at Bo's: his program stops, too, so that both can resume.
        assert (await at_ana).status is Status.UNFINISHED
        assert (await at_bo).status is Status.UNFINISHED
        assert bo.playing.view is not None
        assert bo.playing.view.stage is Stage.HALTED
        monkeypatch.setattr(bo.playing, "received", lambda _peer, data: heard.append(data))
        ana.told(at(contract))
        while farewell(contract) not in heard:
            await asyncio.sleep(0.01)
        for place in (ana, bo):
            place.playing.close()
        assert [len(saved_games(place.folders)) for place in (ana, bo)] == [1, 1]

    with each_proof_checked_once():
        asyncio.run(asyncio.wait_for(scenario(), HANG_S))


def waiting(playing: Playing) -> list[Input | BaseException]:
    """What waits for a game."""
    items = []
    while (item := playing._inbox.take()) is not None:
        items.append(item)
    return items


def test_who_said_farewell_and_tells_where_it_stands_is_back(tmp_path: Path) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")

    async def scenario() -> list[Input | BaseException]:
        ana, bo = (Place(tmp_path / str(seat), key, contract) for seat, key in enumerate(keys))
        ana.other = bo
        settings = Settings(command="play", folders=ana.folders, options=contract.options)
        ana.playing = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
        for data in (at(contract), farewell(contract), at(contract), at(contract)):
            ana.told(data)
        ana.playing.close()
        return waiting(ana.playing)

    told = [Received(seat=1, data=data) for data in (farewell(contract), at(contract))]
    assert asyncio.run(scenario()) == [told[0], LinkUp(seat=1), told[1]]


def test_however_often_one_says_farewell_and_comes_back_only_so_much_waits(tmp_path: Path) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")
    farewells = WAITING_BYTES_MAX // (len(farewell(contract)) + ITEM_BYTES)

    async def scenario() -> list[Input | BaseException]:
        ana, bo = (Place(tmp_path / str(seat), key, contract) for seat, key in enumerate(keys))
        ana.other = bo
        settings = Settings(command="play", folders=ana.folders, options=contract.options)
        ana.playing = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
        for _ in range(2 * farewells):
            ana.told(farewell(contract))
            ana.told(at(contract))
        ana.playing.close()
        return waiting(ana.playing)

    told = [Received(seat=1, data=data) for data in (farewell(contract), at(contract))]
    assert asyncio.run(scenario()) == [told[0], LinkUp(seat=1)] * farewells + [told[1]]


def test_a_cheat_in_one_game_is_none_in_the_next(tmp_path: Path) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")
    blamed = Blamed(seat=1, step=3, check="chain.head", proved=True)

    suspected = replace(blamed, proved=False)

    async def scenario() -> list[tuple[bool, bool]]:
        settings = Settings(
            command="play", folders=Folders(root=tmp_path), options=contract.options
        )
        seen = []
        for events in ((blamed,), (suspected,), ()):
            game = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
            for told in (events, ()):
                game._take(Update(events=told, view=view(new_game(contract, 0))))
            game.close()
            seen.append((game.cheated, game.convicted))
        return seen

    assert asyncio.run(scenario()) == [(True, True), (True, False), (False, False)]


def test_a_move_that_was_still_being_thought_of_when_the_game_closed_is_dropped(
    tmp_path: Path,
) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    contract = contract_for((Signer(keys[0]), Signer(keys[1])), "standard")

    async def scenario() -> list[Input | BaseException]:
        settings = Settings(
            command="play", folders=Folders(root=tmp_path), options=contract.options
        )
        game = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
        dropped: Future[Move | None] = Future()
        dropped.cancel()
        game._make(dropped)
        failed: Future[Move | None] = Future()
        failed.set_exception(KeyError("why"))
        game._make(failed)
        game.close()
        return waiting(game)

    (failure,) = asyncio.run(scenario())
    assert isinstance(failure, KeyError)


def test_who_plays_another_game_is_not_in_this_one_whatever_it_says(tmp_path: Path) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    who = Signer(keys[0]), Signer(keys[1])
    contract, other = contract_for(who, "standard"), contract_for(who, "standard")
    chat = wire.write(wire.Remark(raw=b"not looked at"))
    sent: list[bytes] = []

    async def scenario() -> list[Input | BaseException]:
        ana, bo = (Place(tmp_path / str(seat), key, contract) for seat, key in enumerate(keys))
        ana.other = bo
        settings = Settings(command="play", folders=ana.folders, options=contract.options)
        ana.playing = Playing(
            settings, keys[0], contract, lambda _, data: sent.append(data), _ignore
        )
        leaves = wire.write(wire.Farewell())
        said = (at(other), chat, at(other), farewell(other), leaves, at(contract), chat)
        for data in said:
            ana.told(data)
        ana.playing.close()
        left = waiting(ana.playing)
        # Nothing else would tell it now that it is alone there.
        ana.told(at(other))
        return left

    assert asyncio.run(scenario()) == [
        LinkDown(seat=1, elsewhere=True),
        LinkUp(seat=1),
        Received(seat=1, data=chat),
        Received(seat=1, data=at(contract)),
    ]
    assert sent == [farewell(other)]


def test_who_plays_another_game_over_a_new_link_is_told_of_again(tmp_path: Path) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    who = Signer(keys[0]), Signer(keys[1])
    contract, other = contract_for(who, "standard"), contract_for(who, "standard")

    async def scenario() -> list[Input | BaseException]:
        ana, bo = (Place(tmp_path / str(seat), key, contract) for seat, key in enumerate(keys))
        ana.other = bo
        settings = Settings(command="play", folders=ana.folders, options=contract.options)
        ana.playing = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
        for _ in range(2):
            ana.playing.linked(bo.key)
            ana.told(at(other))
        ana.playing.close()
        return waiting(ana.playing)

    assert asyncio.run(scenario()) == [LinkUp(seat=1), LinkDown(seat=1, elsewhere=True)] * 2


@pytest.mark.parametrize(
    ("votes", "follows"), [((), KeepWaiting()), ((0,), KeepWaiting()), ((2,), VoteOut(seat=1))]
)
def test_a_bot_follows_a_vote_that_came_before_it_was_offered_the_choice(
    tmp_path: Path, votes: tuple[int, ...], follows: Input
) -> None:
    keys = [Ed25519PrivateKey.generate() for _ in range(3)]
    contract = contract_for(tuple(map(Signer, keys)), "standard")

    async def scenario() -> list[Input | BaseException]:
        ana = Place(tmp_path, keys[0], contract)
        settings = Settings(
            command="play", folders=ana.folders, options=contract.options, auto=True
        )
        ana.playing = Playing(settings, keys[0], contract, lambda *_: None, _ignore)
        lost = Lost(seat=1, since_s=0.0, opens_s=60.0, votes=votes, offered=True)
        offered = Offered(seat=1, waited_s=60, vote=True, claim=False)
        shown = replace(view(new_game(contract, 0)), lost=(lost,))
        ana.playing._take(Update(events=(offered,), view=shown))
        ana.playing.close()
        return waiting(ana.playing)

    assert asyncio.run(scenario()) == [follows]
