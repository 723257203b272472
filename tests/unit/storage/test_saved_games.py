"""Saved games on the disk: which there are, what names them, how they are opened and deleted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.session.resuming import CannotResume
from p2p_davinci.storage.folders import Folders
from p2p_davinci.storage.saved_games import delete, named, open_saved, saved_games
from protocol import SECRETS_HEADER
from tests.support.saved import begun, keep_identity, put, two_in_one_folder


@pytest.fixture
def private() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


@pytest.fixture
def own(tmp_path: Path, private: Ed25519PrivateKey) -> Folders:
    folders = Folders(root=tmp_path)
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
