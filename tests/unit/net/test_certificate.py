from __future__ import annotations

import datetime as dt
import stat
import sys
from pathlib import Path

import pytest
from cryptography import x509

from p2p_davinci.net.certificate import (
    CERTIFICATE_BYTES,
    is_certificate,
    make_certificate,
    make_credentials,
)

from .ends import KEYS, public


def test_the_certificate_is_a_valid_self_signed_one_for_every_clock() -> None:
    data = make_certificate(KEYS[0])
    assert len(data) == CERTIFICATE_BYTES
    parsed = x509.load_der_x509_certificate(data)
    parsed.verify_directly_issued_by(parsed)
    assert parsed.public_key() == KEYS[0].public_key()
    assert parsed.version is x509.Version.v3
    assert parsed.not_valid_before_utc == dt.datetime(1950, 1, 1, tzinfo=dt.UTC)
    assert parsed.not_valid_after_utc.year == 9999


def test_only_the_fixed_form_with_a_sound_key_counts() -> None:
    good = make_certificate(KEYS[0])
    assert is_certificate(good)
    key_at = good.index(public(KEYS[0]))
    neutral = b"\x01" + bytes(31)
    for bad in (
        good[:-1],
        good + b"\x00",
        b"",
        good[:key_at] + neutral + good[key_at + 32 :],
        b"\x31" + good[1:],
        good[: key_at + 32] + b"\x31" + good[key_at + 33 :],
    ):
        assert not is_certificate(bad)


def test_the_key_lies_in_a_private_file_and_is_a_new_one_each_time(tmp_path: Path) -> None:
    first = make_credentials(tmp_path)
    second = make_credentials(tmp_path)
    assert first.certificate != second.certificate
    assert [path.name for path in tmp_path.iterdir()] == [second.path.name]
    if sys.platform == "win32":
        pytest.skip("Windows has other permissions")
    assert stat.S_IMODE(second.path.stat().st_mode) == 0o600
