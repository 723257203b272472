"""Saved games: resumed or found to be over, and what the commands and the console make of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app import runner
from p2p_davinci.app.seat import Seat
from p2p_davinci.app.settings import Exit, Settings
from p2p_davinci.app.shelf import Shelf
from p2p_davinci.cli import main
from p2p_davinci.console.clean import CHAT_WIDTH_MAX, clean
from p2p_davinci.console.commands import DeleteGame, ListSaved, ResumeGame
from p2p_davinci.session.events import Claim, Input, LinkDown, SaveAndStop, Stage, Tick
from p2p_davinci.session.game import asks_player, view
from p2p_davinci.session.resuming import CannotResume
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.identity import Identity, load_identity, load_profile
from p2p_davinci.storage.saved_games import Saved, named, saved_games
from p2p_davinci.text import Words
from protocol import read_envelope, read_log
from tests.support.saved import begun, keep_identity, put, two_in_one_folder
from tests.support.table import Table, each_proof_checked_once

EN = Words("en")


@pytest.fixture
def private() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


@pytest.fixture
def own(own_data: Path, private: Ed25519PrivateKey) -> Folders:
    folders = Folders(root=own_data)
    keep_identity(folders, private)
    return folders


@pytest.fixture
def shelf(own: Folders, private: Ed25519PrivateKey) -> Folders:
    """Two saved games of one identity."""
    for number, stem in enumerate(("first", "second")):
        log = put(own, begun(private), stem)
        os.utime(log, (1000.0 + number, 1000.0 + number))
    return own


def test_resume_takes_the_seat_that_no_other_program_holds(
    own: Folders,
    private: Ed25519PrivateKey,
    resumed: Resumed,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = two_in_one_folder(own, private, name="")
    assert main(["saved"]) == Exit.OK
    out = capsys.readouterr().out
    assert "as ana, with bo;" in out
    assert "as bo, with ana;" in out
    holder = load_identity(own.identity)
    assert main(["resume"]) == Exit.OK
    ((_, key, saved),) = resumed.asked
    assert saved is not None
    assert (key, saved.seat) == (table.who[1].public, 1)
    other = load_identity(own.identity)
    assert main(["resume"]) == Exit.ERROR
    assert "Two programs never play one game" in capsys.readouterr().err
    for identity in (holder, other):
        identity.close()


def test_a_log_whose_last_envelope_lost_a_bit_is_listed_and_cut_back(
    shelf: Folders, private: Ed25519PrivateKey
) -> None:
    table = begun(private)
    with each_proof_checked_once():
        table.run_until(guest_is_due)
    log = put(shelf, table, "spoiled")
    whole = log.read_bytes()
    log.write_bytes(whole[:-40] + bytes((whole[-40] ^ 4,)) + whole[-39:])
    (saved,) = named(saved_games(shelf), "spoiled")
    last = read_log(whole)[0][-1]
    assert saved.torn_bytes == len(whole) - last.offset
    seat = Seat(private=private, wait_s=60, send=lambda *_: None, wake=lambda _: None)
    lost = read_envelope(last.data).payload
    # What this seat said itself is in its secrets file; what the other one said is asked for.
    assert seat.resume(saved, 0.0).view.step == lost.step + (lost.seat == saved.seat)
    seat.close()
    assert log.with_suffix(".damaged").stat().st_size == len(whole)


def test_a_game_that_is_over_or_void_is_saved_no_longer_once_that_is_found(
    shelf: Folders, private: Ed25519PrivateKey
) -> None:
    """A crash came after the end, before the secrets were deleted."""
    table = begun(private)
    with each_proof_checked_once():
        table.run()
    put(shelf, table, "over")
    (saved,) = named(saved_games(shelf), "over")
    seat = Seat(private=private, wait_s=60, send=lambda *_: None, wake=lambda _: None)
    with pytest.raises(CannotResume) as over:
        seat.resume(saved, 0.0)
    assert over.value.reason == "finished"
    seat.close()
    assert not saved.secrets.exists()
    assert saved.path.exists()


def guest_is_due(table: Table) -> bool:
    guest = table.peers[1].game
    return view(guest).stage is Stage.PLAY and asks_player(guest)


@pytest.mark.parametrize(("way", "saved_still"), [(Claim(), False), (SaveAndStop(), True)])
def test_a_claimed_game_is_saved_no_longer_and_one_that_was_stopped_is(
    shelf: Folders, private: Ed25519PrivateKey, way: Input, saved_still: bool
) -> None:
    table = begun(private)
    with each_proof_checked_once():
        table.run_until(guest_is_due)
    put(shelf, table, "stopped")
    (saved,) = named(saved_games(shelf), "stopped")
    seat = Seat(private=private, wait_s=1, send=lambda *_: None, wake=lambda _: None)
    seat.resume(saved, 0.0)
    for now_s, given in enumerate((LinkDown(seat=1), Tick(), way)):
        update = seat.step(given, now_s)
    assert update.view.stage is Stage.HALTED
    seat.settle()
    assert (named(saved_games(shelf), "stopped") != ()) is saved_still
    seat.close()
    assert saved.secrets.exists() is saved_still


# --- the commands ----------------------------------------------------------------------------


class Resumed:
    """What stands for the program: it remembers what it was asked to resume."""

    def __init__(self) -> None:
        self.asked: list[tuple[Settings, bytes, Saved | None]] = []

    def run(self, settings: Settings, identity: Identity, saved: Saved | None = None) -> int:
        self.asked.append((settings, identity.public, saved))
        return Exit.OK


@pytest.fixture
def resumed(monkeypatch: pytest.MonkeyPatch) -> Resumed:
    fake = Resumed()
    monkeypatch.setattr(runner, "run", fake.run)
    return fake


def test_the_latest_game_or_the_named_one_is_resumed_as_who_plays_it(
    shelf: Folders, private: Ed25519PrivateKey, resumed: Resumed
) -> None:
    assert main(["resume", "--auto"]) == Exit.OK
    assert main(["resume", "first", "--address", "127.0.0.1:7"]) == Exit.OK
    stems = [saved.path.stem for _, _, saved in resumed.asked if saved is not None]
    assert stems == ["second", "first"]
    assert {key for _, key, _ in resumed.asked} == {private.public_key().public_bytes_raw()}
    settings = resumed.asked[1][0]
    assert (settings.command, settings.fallback, settings.seats) == ("resume", "127.0.0.1:7", 2)
    assert settings.options == saved_games(shelf)[0].contract.options


def test_a_game_whose_identity_is_in_use_is_not_resumed(
    shelf: Folders, resumed: Resumed, capsys: pytest.CaptureFixture[str]
) -> None:
    holder = load_identity(shelf.identity)
    assert main(["resume"]) == Exit.ERROR
    assert "Two programs never play one game" in capsys.readouterr().err
    assert resumed.asked == []
    holder.close()


@pytest.mark.parametrize(
    ("word", "key"), [("river-lamp", "saved.several"), ("nothing", "saved.unknown")]
)
@pytest.mark.parametrize("typed", [["resume"], ["saved", "--delete"]])
def test_a_word_that_names_no_one_game_is_refused(
    shelf: Folders,
    resumed: Resumed,
    typed: list[str],
    word: str,
    key: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*typed, word]) == Exit.USAGE
    assert capsys.readouterr().err == EN.tell(key, word=word) + "\n"
    assert len(saved_games(shelf)) == 2


def test_who_wants_to_resume_a_game_that_is_over_is_told_how_to_look_at_it(
    shelf: Folders, resumed: Resumed, capsys: pytest.CaptureFixture[str]
) -> None:
    log = shelf.logs / "second.log"
    (shelf.secrets / "second.secrets").unlink()
    for word in ("second", "second.log", str(log)):
        assert main(["resume", word]) == Exit.USAGE
        assert capsys.readouterr().err == EN.tell("saved.over", file=str(log)) + "\n"
    assert resumed.asked == []


def test_a_word_longer_than_any_file_name_names_no_game(shelf: Folders) -> None:
    told: list[str] = []
    console = Shelf(shelf, bytes(32), lambda: EN, told.append)
    word = "x" * 300
    assert console.obey(ResumeGame(word=word)) is None
    assert told == [EN.tell("saved.unknown", word=clean(word, CHAT_WIDTH_MAX))]


def test_a_bad_value_is_refused_before_any_game_is_looked_for(
    shelf: Folders, resumed: Resumed, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["resume", "--wait", "soon"]) == Exit.USAGE
    assert "--wait" in capsys.readouterr().err
    assert resumed.asked == []


def test_saved_lists_for_people_and_for_programs(
    shelf: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["saved"]) == Exit.OK
    out = capsys.readouterr().out.splitlines()
    assert out[0] == EN.tell("saved.head", count=2)
    assert "second.log" in out[1]
    assert out[3] == EN.tell("saved.how")
    assert main(["saved", "--json"]) == Exit.OK
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(row["log"]).stem for row in rows] == ["second", "first"]
    assert rows[0]["game"] == saved_games(shelf)[0].contract.hash.hex()
    assert main(["saved", "--delete", "2"]) == Exit.OK
    assert capsys.readouterr().out == EN.tell("saved.deleted", table="river-lamp") + "\n"
    assert [saved.path.stem for saved in saved_games(shelf)] == ["second"]


def test_where_nothing_is_saved_all_say_so(
    own: Folders, capsys: pytest.CaptureFixture[str]
) -> None:
    none = EN.tell("saved.none") + "\n"
    assert main(["saved"]) == Exit.OK
    assert capsys.readouterr().out == none
    assert main(["resume"]) == Exit.ERROR
    assert capsys.readouterr().err == none


def test_a_game_that_may_be_played_right_now_is_not_deleted(
    shelf: Folders, private: Ed25519PrivateKey, capsys: pytest.CaptureFixture[str]
) -> None:
    public = private.public_key().public_bytes_raw()
    playing = load_profile(shelf.identity, public)
    before = [saved.path for saved in saved_games(shelf)]
    assert main(["saved", "--delete", "1"]) == Exit.ERROR
    assert "Another program of yours" in capsys.readouterr().err
    assert [saved.path for saved in saved_games(shelf)] == before
    playing.close()
    assert main(["saved", "--delete", "1"]) == Exit.OK
    assert len(saved_games(shelf)) == len(before) - 1


def test_a_file_that_cannot_be_deleted_is_told_and_the_console_goes_on(
    shelf: Folders,
    private: Ed25519PrivateKey,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "not yours")

    monkeypatch.setattr(Path, "unlink", refuse)
    sentence = EN.tell("saved.not_deleted", table="river-lamp", detail="not yours")
    assert main(["saved", "--delete", "1"]) == Exit.ERROR
    assert capsys.readouterr().err == f"{sentence}\n"
    told: list[str] = []
    console = Shelf(shelf, private.public_key().public_bytes_raw(), lambda: EN, told.append)
    assert console.obey(DeleteGame(word="1")) is None
    assert told == [sentence]
    assert len(saved_games(shelf)) == 2


# --- the console -----------------------------------------------------------------------------


def test_the_console_offers_lists_deletes_and_hands_over(
    shelf: Folders, private: Ed25519PrivateKey
) -> None:
    told: list[str] = []
    console = Shelf(shelf, private.public_key().public_bytes_raw(), lambda: EN, told.append)
    console.offer()
    assert told[0] == EN.tell("saved.head", count=2)
    assert told[-1] == EN.tell("saved.how_here")
    assert [kept.names for kept in console.kept()] == [("ana", "bo")] * 2
    found = console.obey(ResumeGame(word="2"))
    assert found is not None
    assert found.path.stem == "first"
    assert console.obey(DeleteGame(word="2")) is None
    assert console.obey(DeleteGame(word="1")) is None
    told.clear()
    console.offer()
    assert told == []
    console.obey(ListSaved())
    assert told == [EN.tell("saved.none")]


def test_the_console_resumes_no_game_of_another_profile(shelf: Folders) -> None:
    told: list[str] = []
    console = Shelf(shelf, bytes(32), lambda: EN, told.append)
    assert console.obey(ResumeGame(word="1")) is None
    assert told == [EN.tell("resume.profile")]
