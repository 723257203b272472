"""Saved games on the disk: which there are, what names them, how they are opened and deleted."""

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
from p2p_davinci.storage.identity import Identity, load_identity, load_profile, private_pem
from p2p_davinci.storage.saved_games import Saved, delete, log_stem, named, open_saved, saved_games
from p2p_davinci.text import Words
from protocol import SECRETS_HEADER, Signer, read_envelope, read_log
from tests.support.reborn import disk_of
from tests.support.table import Table, contract_for, each_proof_checked_once

EN = Words("en")


def keep_identity(folders: Folders, private: Ed25519PrivateKey, profile: str = "") -> None:
    folder = folders.identity / profile
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "identity.pem").write_bytes(private_pem(private))


def put(folders: Folders, table: Table, stem: str, seat: int = 0) -> Path:
    """Put a seat's files of a table where the program would have them."""
    disk = disk_of(table.peers[seat])
    for folder in (folders.logs, folders.secrets):
        folder.mkdir(parents=True, exist_ok=True)
    log = folders.logs / f"{stem}.log"
    log.write_bytes(disk.log)
    (folders.secrets / f"{stem}.secrets").write_bytes(disk.secrets)
    return log


def begun(private: Ed25519PrivateKey) -> Table:
    who = (Signer(private), Signer(Ed25519PrivateKey.generate()))
    return Table(contract_for(who, "classic"), who).start()


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


def test_saved_games_are_those_with_secrets_the_latest_first(
    shelf: Folders, private: Ed25519PrivateKey
) -> None:
    put(shelf, begun(private), "over")
    (shelf.secrets / "over.secrets").unlink()
    games = saved_games(shelf)
    assert [saved.path.stem for saved in games] == ["second", "first"]
    assert games[0].names == ("ana", "bo")
    assert games[0].key == private.public_key().public_bytes_raw()
    assert (games[0].seat, games[0].rounds, games[0].torn_bytes) == (0, 1, 0)


def test_games_of_others_and_spoiled_ones_are_left_out(
    shelf: Folders, private: Ed25519PrivateKey
) -> None:
    put(shelf, begun(Ed25519PrivateKey.generate()), "others")
    put(shelf, begun(private), "spoiled").write_bytes(b"nonsense")
    (shelf.secrets / "lonely.secrets").write_bytes(SECRETS_HEADER)
    assert [saved.path.stem for saved in saved_games(shelf)] == ["second", "first"]


def test_a_game_of_another_profile_is_listed_with_its_key(own: Folders) -> None:
    other = Ed25519PrivateKey.generate()
    keep_identity(own, other, "profile-2")
    put(own, begun(other), "there")
    (saved,) = saved_games(own)
    assert saved.key == other.public_key().public_bytes_raw()


def two_in_one_folder(folders: Folders, private: Ed25519PrivateKey, *, name: str) -> Table:
    """A game of two profiles of one folder; the names of its files tell seats or nothing."""
    other = Ed25519PrivateKey.generate()
    keep_identity(folders, other, "profile-2")
    who = (Signer(private), Signer(other))
    table = Table(contract_for(who, "classic"), who).start()
    for seat in range(2):
        stem = name.format(seat) or log_stem("now", "t", table.contract, seat)
        log = put(folders, table, stem, seat)
        os.utime(log, (1000.0 - seat, 1000.0 - seat))
    return table


def test_players_who_share_a_folder_get_their_own_seats_whatever_the_files_are_called(
    own: Folders, private: Ed25519PrivateKey
) -> None:
    table = two_in_one_folder(own, private, name="misleading-{}")
    assert [(saved.path.stem, saved.seat, saved.me) for saved in saved_games(own)] == [
        ("misleading-0", 0, "ana"),
        ("misleading-1", 1, "bo"),
    ]
    assert [saved.key for saved in saved_games(own)] == [who.public for who in table.who]


def test_before_anything_was_said_the_name_of_the_file_tells_the_seat(
    own: Folders, private: Ed25519PrivateKey
) -> None:
    two_in_one_folder(own, private, name="")
    for secrets in own.secrets.iterdir():
        secrets.write_bytes(SECRETS_HEADER)
    assert [saved.seat for saved in saved_games(own)] == [0, 1]
    for number, path in enumerate(sorted(own.secrets.iterdir())):
        (own.logs / f"{path.stem}.log").rename(own.logs / f"any-{number}.log")
        path.rename(own.secrets / f"any-{number}.secrets")
    assert saved_games(own) == ()


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


def test_a_game_is_named_by_number_table_file_or_hash(shelf: Folders) -> None:
    games = saved_games(shelf)
    second, first = games
    for word in ("2", "first", "first.log", str(first.path), first.contract.hash.hex()[:8]):
        assert named(games, word) == (first,)
    assert named(games, "river-lamp") == games
    assert named(games, "1") == (second,)
    for word in ("0", "3", "nothing", first.contract.hash.hex()[:7]):
        assert named(games, word) == ()


def test_torn_ends_are_counted_and_mended(shelf: Folders) -> None:
    path = saved_games(shelf)[0].path
    secrets = saved_games(shelf)[0].secrets
    for file in (path, secrets):
        file.write_bytes(file.read_bytes() + b"\0\0")
    (saved,) = named(saved_games(shelf), "second")
    assert saved.torn_bytes == 4
    for opened in open_saved(saved):
        assert opened.torn == 2
        opened.close()
    assert named(saved_games(shelf), "second")[0].torn_bytes == 0


@pytest.mark.parametrize("tail", [b"\xff" * 40, b"\x05\0\0\0abc"])
def test_a_damaged_log_is_listed_and_cut_back_and_the_whole_is_kept_beside_it(
    shelf: Folders, tail: bytes
) -> None:
    path = saved_games(shelf)[0].path
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    saved = saved_games(shelf)[0]
    assert (saved.path, saved.torn_bytes) == (path, len(tail))
    for opened in open_saved(saved):
        opened.close()
    assert path.read_bytes() == whole
    assert path.with_suffix(".damaged").read_bytes() == whole + tail
    delete(saved)
    assert sorted(left.name for left in shelf.logs.iterdir()) == ["first.log"]


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


@pytest.mark.parametrize("what", ["log", "secrets"])
def test_a_spoiled_file_is_named(shelf: Folders, what: str) -> None:
    saved = saved_games(shelf)[0]
    (saved.path if what == "log" else saved.secrets).write_bytes(b"nonsense")
    with pytest.raises(CannotResume) as refused:
        open_saved(saved)
    assert refused.value.reason == what


def test_a_missing_secrets_file_is_an_error_of_the_system(shelf: Folders) -> None:
    saved = saved_games(shelf)[0]
    saved.secrets.unlink()
    with pytest.raises(FileNotFoundError):
        open_saved(saved)


def test_deleting_takes_both_files(shelf: Folders) -> None:
    delete(saved_games(shelf)[0])
    assert [saved.path.stem for saved in saved_games(shelf)] == ["first"]
    assert sorted(path.name for path in shelf.logs.iterdir()) == ["first.log"]


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
