from __future__ import annotations

import contextlib
import gc
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2p_davinci.storage.identity import (
    KEY_FILE,
    IdentityError,
    check_identity_key,
    fingerprint,
    load_identity,
    load_profile,
    plan_identity,
    profiles,
)

P = 2**255 - 19
SMALL_ORDER = (
    bytes(32),
    b"\x01" + bytes(31),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    (P - 1).to_bytes(32, "little"),
    P.to_bytes(32, "little"),
    (P + 1).to_bytes(32, "little"),
    b"\x01" + bytes(30) + b"\x80",
    bytes(31) + b"\x80",
)
"""Points of order 1, 2, 4 and 8, in canonical and other encodings (RFC 8032, section 5.1)."""


def test_a_profile_keeps_its_key(tmp_path: Path) -> None:
    first = load_identity(tmp_path / "me")
    public = first.public
    first.close()
    second = load_identity(tmp_path / "me")
    assert second.public == public
    second.close()


def test_the_files_are_their_owners_alone(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has other permissions")
    identity = load_identity(tmp_path / "me")
    key_file = tmp_path / "me" / "identity.pem"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "me").stat().st_mode) == 0o700
    identity.close()
    key_file.chmod(0o644)
    load_identity(tmp_path / "me").close()
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_a_second_holder_of_a_folder_gets_a_profile_of_its_own(tmp_path: Path) -> None:
    first = load_identity(tmp_path)
    second = load_identity(tmp_path)
    assert first.public != second.public
    assert second.folder == tmp_path / "profile-2"
    first.close()
    again = load_identity(tmp_path)
    assert again.public == first.public
    again.close()
    second.close()


def test_a_second_process_gets_a_profile_of_its_own(tmp_path: Path) -> None:
    first = load_identity(tmp_path)
    program = (
        "import sys, pathlib; from p2p_davinci.storage.identity import load_identity; "
        "print(load_identity(pathlib.Path(sys.argv[1])).public.hex())"
    )
    seen = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for _ in range(2)
    ]
    assert seen[0] == seen[1] != first.public.hex()
    first.close()


def test_the_lock_goes_with_the_object(tmp_path: Path) -> None:
    load_identity(tmp_path)
    gc.collect()
    again = load_identity(tmp_path)
    assert again.folder == tmp_path
    again.close()


def test_what_is_planned_is_planned_once_and_found_by_whom_it_is_planned_for(
    tmp_path: Path,
) -> None:
    plan = plan_identity(tmp_path)
    assert plan is not None
    assert plan_identity(tmp_path) is None
    with contextlib.closing(load_identity(tmp_path)) as taken:
        assert (taken.public, taken.folder) == (plan.public, tmp_path)
        plan.close()
        # Not planned any more, but held.
        assert plan_identity(tmp_path) is None
    again = plan_identity(tmp_path)
    assert again is not None
    assert again.public == plan.public
    again.close()


def test_a_plan_of_a_damaged_key_is_said_and_lets_go(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"not a key")
    with pytest.raises(IdentityError) as caught:
        plan_identity(tmp_path)
    assert caught.value.reason == "damaged"
    (tmp_path / KEY_FILE).unlink()
    plan = plan_identity(tmp_path)
    assert plan is not None
    plan.close()


def test_all_profiles_taken_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_davinci.storage.identity.PROFILES_MAX", 2)
    held = [load_identity(tmp_path), load_identity(tmp_path)]
    with pytest.raises(IdentityError) as caught:
        load_identity(tmp_path)
    assert caught.value.reason == "in-use"
    for identity in held:
        identity.close()


def other_key() -> bytes:
    return X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize("content", [b"", b"not a key", other_key()])
def test_a_damaged_key_file_is_said_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.pem"
    path.write_bytes(content)
    with pytest.raises(IdentityError) as caught:
        load_identity(tmp_path)
    assert caught.value.reason == "damaged"
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(IdentityError) as caught:
        load_identity(tmp_path / "file" / "me")
    assert caught.value.reason == "folder"


def test_starts_are_counted_over_restarts_and_a_damaged_count_begins_anew(tmp_path: Path) -> None:
    identity = load_identity(tmp_path)
    assert [identity.next_boot(), identity.next_boot()] == [1, 2]
    identity.close()
    identity = load_identity(tmp_path)
    assert identity.next_boot() == 3
    (tmp_path / "starts").write_text("-7")
    assert identity.next_boot() == 1
    (tmp_path / "starts").write_text("many")
    assert identity.next_boot() == 1
    identity.close()


def test_the_private_key_shows_nowhere(tmp_path: Path) -> None:
    identity = load_identity(tmp_path)
    secret = identity.private.private_bytes_raw()
    assert secret.hex() not in repr(identity) + str(vars(identity))
    assert repr(identity) == f"Identity({identity.fingerprint})"
    identity.close()


def test_a_fingerprint_is_sixteen_letters_in_four_groups() -> None:
    text = fingerprint(bytes(32))
    assert [len(group) for group in text.split("-")] == [4, 4, 4, 4]
    assert text == fingerprint(bytes(32)) != fingerprint(b"\x01" + bytes(31))


@pytest.mark.parametrize("key", [*SMALL_ORDER, bytes(31), bytes(33), b"\x02" + bytes(31)])
def test_keys_of_small_order_or_in_another_encoding_are_refused(key: bytes) -> None:
    with pytest.raises(IdentityError) as caught:
        check_identity_key(key)
    assert caught.value.reason == "key"


def test_a_real_key_is_accepted(tmp_path: Path) -> None:
    identity = load_identity(tmp_path)
    check_identity_key(identity.public)
    identity.close()
    assert len(identity.public) == 32


def test_a_profile_is_found_by_its_key(tmp_path: Path) -> None:
    both = [load_identity(tmp_path), load_identity(tmp_path)]
    keys = [identity.public for identity in both]
    for identity in both:
        identity.close()
    (tmp_path / "profile-3").mkdir()
    (tmp_path / "profile-3" / "identity.pem").write_bytes(b"no key")
    assert profiles(tmp_path) == {keys[0]: tmp_path, keys[1]: tmp_path / "profile-2"}
    second = load_profile(tmp_path, keys[1])
    assert second.public == keys[1]
    assert second.folder == tmp_path / "profile-2"
    second.close()


def test_a_profile_that_somebody_holds_is_not_shared(tmp_path: Path) -> None:
    holder = load_identity(tmp_path)
    with pytest.raises(IdentityError) as held:
        load_profile(tmp_path, holder.public)
    assert held.value.reason == "held"
    holder.close()
    load_profile(tmp_path, holder.public).close()


def test_a_key_that_no_profile_has_is_missing(tmp_path: Path) -> None:
    load_identity(tmp_path).close()
    with pytest.raises(IdentityError) as missing:
        load_profile(tmp_path, bytes(32))
    assert missing.value.reason == "missing"
