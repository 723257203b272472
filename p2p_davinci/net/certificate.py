"""The TLS keys of one run, and contexts that trust exactly one other certificate.

PEER, link; RFC 8446, RFC 5280, RFC 8410. A certificate is a self-signed Ed25519 one of a single
fixed form: only the key and the signature differ, so a stranger's bytes are compared, not parsed.
It is valid from 1950 to 9999, so no clock matters. It proves nothing about identity; the proof
inside the link does (``link.py``).
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_core_ed25519_is_valid_point

from ..storage.files import write_private
from ..storage.identity import KEY_BYTES, private_pem

_ED25519 = bytes.fromhex("3005 0603 2b6570")
_NAME = bytes.fromhex("3016 3114 3012 0603 550403 0c0b") + b"p2p-davinci"
_VALIDITY = bytes.fromhex("3020 170d") + b"500101000000Z" + b"\x18\x0f" + b"99991231235959Z"
_BEFORE_KEY = (
    bytes.fromhex("30818d a003 0201 02 0201 01")
    + _ED25519
    + _NAME
    + _VALIDITY
    + _NAME
    + bytes.fromhex("302a")
    + _ED25519
    + bytes.fromhex("0321 00")
)
_OUTER = bytes.fromhex("3081da")
_BEFORE_SIGNATURE = _ED25519 + bytes.fromhex("0341 00")
_SIGNATURE_BYTES = 64
_SIGNED_END = len(_OUTER) + len(_BEFORE_KEY) + KEY_BYTES
CERTIFICATE_BYTES = _SIGNED_END + len(_BEFORE_SIGNATURE) + _SIGNATURE_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The certificate of this run (DER), and the file that holds it with its key (PEM)."""

    certificate: bytes
    path: Path


def make_credentials(folder: Path) -> Credentials:
    """Make a fresh TLS key and certificate and write both to ``folder``.

    The standard library reads a key from a file only, so it lies beside the identity's, as private.

    Raises:
        OSError: the folder cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    certificate = make_certificate(key)
    path = folder / "link.pem"
    write_private(path, private_pem(key) + ssl.DER_cert_to_PEM_cert(certificate).encode("ascii"))
    return Credentials(certificate=certificate, path=path)


def make_certificate(key: Ed25519PrivateKey) -> bytes:
    """Return the self-signed certificate of ``key``, 221 bytes of DER."""
    signed = _BEFORE_KEY + key.public_key().public_bytes_raw()
    return _OUTER + signed + _BEFORE_SIGNATURE + key.sign(signed)


def is_certificate(data: bytes) -> bool:
    """Tell whether ``data`` has the fixed form, with a sound key; the signature is not looked at.

    TLS makes the peer prove that it holds the key.
    """
    key = data[_SIGNED_END - KEY_BYTES : _SIGNED_END]
    return (
        len(data) == CERTIFICATE_BYTES
        and data[: _SIGNED_END - KEY_BYTES] == _OUTER + _BEFORE_KEY
        and data[_SIGNED_END:-_SIGNATURE_BYTES] == _BEFORE_SIGNATURE
        and crypto_core_ed25519_is_valid_point(key)
    )


def tls_context(mine: Credentials, theirs: bytes, *, server: bool) -> ssl.SSLContext:
    """Return a TLS 1.3 context that shows ``mine`` and accepts no certificate but ``theirs``.

    Raises:
        OSError: the file of ``mine`` is gone (``ssl.SSLError`` is one too: OpenSSL refuses it).
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags = ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    if server:
        context.num_tickets = 0
    context.load_cert_chain(mine.path)
    context.load_verify_locations(cadata=theirs)
    return context
