"""Who this player is on the network: a long-term Ed25519 key in a private folder.

PEER, identities; RFC 8032. A folder belongs to one running process: a second one on the same
folder gets a numbered profile inside it, with a key of its own.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import weakref
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_core_ed25519_is_valid_point

from .files import FILE_MODE, take_lock, write_private

KEY_BYTES = 32
KEY_FILE = "identity.pem"
PROFILES_MAX = 32
_FINGERPRINT_BYTES = 10
_FINGERPRINT_LABEL = b"p2p-davinci fingerprint\x00"


class IdentityError(Exception):
    """An identity cannot be used.

    ``reason`` is a catalogue key: ``damaged`` (the key file holds no Ed25519 key), ``in-use`` (all
    profiles of the folder are taken), ``held`` (another process uses the one that is needed),
    ``missing`` (no profile has the key that is needed), ``folder`` (it cannot be read or written),
    ``key`` (a public key that is not one).
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason, detail)


class Identity:
    """A key pair, and the lock on the folder it was read from.

    ``public`` is the 32-byte identity that peers know, ``folder`` the profile's own folder.
    """

    def __init__(self, private: Ed25519PrivateKey, folder: Path, lock: int) -> None:
        self.private = private
        self.public: bytes = private.public_key().public_bytes_raw()
        self.folder = folder
        # A bare descriptor and a finalizer: the lock ends with the object, whoever forgets it.
        self._release = weakref.finalize(self, os.close, lock)

    def __repr__(self) -> str:
        return f"Identity({self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """The public key's hash as people read it, four groups of four."""
        return fingerprint(self.public)

    def next_boot(self) -> int:
        """Count one more start of this profile and return the count, from 1 on.

        A count, not a time of day: what was started later is told apart without any clock.

        Raises:
            IdentityError: ``folder``.
        """
        path = self.folder / "starts"
        with _as_folder_error():
            try:
                last = int(path.read_text("ascii"))
            except (FileNotFoundError, ValueError):
                last = 0
            boot = max(last, 0) + 1
            write_private(path, str(boot).encode("ascii"))
        return boot

    def close(self) -> None:
        """Let go of the folder; the object can still sign."""
        self._release()


def fingerprint(public: bytes) -> str:
    """Return 80 bits of the hash of a public key in base32: ``abcd-efgh-ijkl-mnop``."""
    digest = hashlib.sha256(_FINGERPRINT_LABEL + public).digest()[:_FINGERPRINT_BYTES]
    text = base64.b32encode(digest).decode("ascii").lower()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def check_identity_key(key: bytes) -> None:
    """Refuse 32 bytes that are no point of the prime-order subgroup in its one encoding.

    Raises:
        IdentityError: ``key``: wrong length, not canonical, not on the curve, of small order, or
            with a small-order part (libsodium's ``crypto_core_ed25519_is_valid_point``).
    """
    if len(key) != KEY_BYTES or not crypto_core_ed25519_is_valid_point(key):
        raise IdentityError("key", key[:KEY_BYTES].hex())


def load_identity(folder: Path) -> Identity:
    """Return the identity of ``folder``, made on first use.

    While another process (or object) holds it, the first free of the profiles ``profile-2`` to
    ``profile-32`` inside it is taken instead.

    Raises:
        IdentityError: ``damaged``, ``in-use``, ``folder``.
    """
    for number in range(1, PROFILES_MAX + 1):
        identity = _claim(folder if number == 1 else folder / f"profile-{number}")
        if identity is not None:
            return identity
    raise IdentityError("in-use", str(folder))


def load_profile(folder: Path, public: bytes) -> Identity:
    """Return the identity with this public key, from ``folder`` or one of its profiles.

    Raises:
        IdentityError: ``missing``, ``held``, ``folder``.
    """
    profile = profiles(folder).get(public)
    if profile is None:
        raise IdentityError("missing", fingerprint(public))
    identity = _claim(profile)
    if identity is None:
        raise IdentityError("held", fingerprint(public))
    return identity


def plan_identity(folder: Path) -> Identity | None:
    """Return the identity that a program about to be started will find in ``folder``.

    ``None`` if a process holds it, or if it is planned already. What is returned holds the plan
    alone: that program can take the identity, and nobody else plans it until this is closed.

    Raises:
        IdentityError: ``damaged``, ``folder``.
    """
    with contextlib.ExitStack() as undo, _as_folder_error():
        # The plan first: whoever is expected must never find its lock taken by another planner.
        plan = take_lock(folder / "planned")
        if plan is None:
            return None
        undo.callback(os.close, plan)
        identity = _claim(folder)
        if identity is None:
            return None
        identity.close()
        undo.pop_all()
        return Identity(identity.private, folder, plan)


def public_key(folder: Path) -> bytes:
    """Return the public key of a profile's ``folder``, made on first use.

    Once it is there, no lock is taken.

    Raises:
        IdentityError: ``damaged``, ``folder``.
    """
    if not (folder / KEY_FILE).exists():
        with contextlib.closing(load_identity(folder)) as made:
            return made.public
    return _read_key(folder / KEY_FILE).public_key().public_bytes_raw()


def profiles(folder: Path) -> dict[bytes, Path]:
    """Return the public keys of ``folder`` and its profiles, and where each lies; takes no lock.

    What cannot be read is left out.
    """
    found = {}
    for profile in (folder, *sorted(folder.glob("profile-*"))):
        with contextlib.suppress(IdentityError):
            key = _read_key(profile / KEY_FILE)
            found[key.public_key().public_bytes_raw()] = profile
    return found


def _claim(profile: Path) -> Identity | None:
    """Lock a profile and return its identity, or ``None`` if somebody else holds it."""
    with contextlib.ExitStack() as undo, _as_folder_error():
        lock = take_lock(profile / "lock")
        if lock is None:
            return None
        undo.callback(os.close, lock)
        key = _read_or_make_key(profile / KEY_FILE)
        undo.pop_all()
        return Identity(key, profile, lock)


def _read_or_make_key(path: Path) -> Ed25519PrivateKey:
    if not path.exists():
        made = Ed25519PrivateKey.generate()
        write_private(path, private_pem(made))
        return made
    path.chmod(FILE_MODE)
    return _read_key(path)


def _read_key(path: Path) -> Ed25519PrivateKey:
    with _as_folder_error():
        text = path.read_bytes()
    try:
        key = serialization.load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise IdentityError("damaged", str(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise IdentityError("damaged", str(path))
    return key


def private_pem(key: Ed25519PrivateKey) -> bytes:
    """Return the key as unencrypted PKCS #8 in PEM; for files only their owner can read."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@contextlib.contextmanager
def _as_folder_error() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise IdentityError("folder", str(error)) from error
