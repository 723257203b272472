"""What each side of a link says first, inside the encryption (PEER, hello).

One fixed layout with explicit lengths, so one hello has one encoding:
``link version (1) ‖ app version (4) ‖ role (1) ‖ boot (8) ‖ port (2) ‖ nonce (32) ‖ identity (32)``
then name, card and each host, every one behind its length (2). Numbers are big-endian. The name is
as the peer wrote it: whoever shows it cleans it first.
"""

from __future__ import annotations

import enum
import ipaddress
import struct
from dataclasses import dataclass

from ..storage.identity import IdentityError, check_identity_key
from .limits import CARD_BYTES_MAX, HOSTS_MAX, NAME_BYTES_MAX

NONCE_BYTES = 32
_HOST_BYTES_MAX = 45
_HEAD = struct.Struct(">BIBQH32s32s")
_LENGTH = struct.Struct(">H")
HELLO_BYTES_MAX = (
    _HEAD.size
    + _LENGTH.size * (2 + HOSTS_MAX)
    + NAME_BYTES_MAX
    + CARD_BYTES_MAX
    + HOSTS_MAX * _HOST_BYTES_MAX
)


class BadHello(Exception):  # noqa: N818 - what happened
    """Bytes that are no hello, or a hello beyond its limits."""


class Role(enum.IntEnum):
    """What the dialling side wants; the other side always answers as ``PEER``."""

    PEER = 1
    """Stay linked."""
    ASK = 2
    """Hear the other's name and card, then leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """One side's introduction.

    ``boot`` counts the starts of that peer's profile (1 to 2**64 - 1); ``port`` is where it
    listens (0: nowhere) at each of ``hosts``, which are IP addresses without a scope.
    """

    link_version: int
    app_version: int
    role: Role
    boot: int
    port: int
    nonce: bytes
    identity: bytes
    name: str
    card: bytes
    hosts: tuple[str, ...]

    def encode(self) -> bytes:
        """Return the hello's bytes.

        Raises:
            ValueError: a name of no or more than 64 bytes, a card of more than 2,048 bytes, more
                than 8 hosts, a nonce or key that is not 32 bytes.
        """
        name = self.name.encode("utf-8")
        if not 1 <= len(name) <= NAME_BYTES_MAX:
            raise ValueError(f"a name of {len(name)} bytes")
        if len(self.card) > CARD_BYTES_MAX:
            raise ValueError(f"a card of {len(self.card)} bytes")
        if len(self.hosts) > HOSTS_MAX:
            raise ValueError(f"{len(self.hosts)} hosts")
        if len(self.nonce) != NONCE_BYTES or len(self.identity) != NONCE_BYTES:
            raise ValueError("nonce and identity are 32 bytes")
        head = _HEAD.pack(
            self.link_version,
            self.app_version,
            self.role,
            self.boot,
            self.port,
            self.nonce,
            self.identity,
        )
        fields = [name, self.card, *(host.encode("ascii") for host in self.hosts)]
        return head + b"".join(_LENGTH.pack(len(field)) + field for field in fields)


def decode_hello(data: bytes) -> Hello:
    """Return the hello that ``data`` is.

    Raises:
        BadHello: too short or too long, an unknown role, boot 0, a name that is not 1 to 64 bytes
            of UTF-8, a card or a list of hosts beyond its limit, a host that is no IP address, an
            identity that is no key.
    """
    if not _HEAD.size <= len(data) <= HELLO_BYTES_MAX:
        raise BadHello(f"{len(data)} bytes")
    link_version, app_version, role, boot, port, nonce, identity = _HEAD.unpack_from(data)
    fields = _split(data[_HEAD.size :])
    if not 2 <= len(fields) <= 2 + HOSTS_MAX or len(fields[1]) > CARD_BYTES_MAX or boot == 0:
        raise BadHello("fields")
    try:
        check_identity_key(identity)
        return Hello(
            link_version=link_version,
            app_version=app_version,
            role=Role(role),
            boot=boot,
            port=port,
            nonce=nonce,
            identity=identity,
            name=_name(fields[0]),
            card=fields[1],
            hosts=tuple(_host(field) for field in fields[2:]),
        )
    except (ValueError, IdentityError) as error:
        raise BadHello(str(error)) from error


def _split(data: bytes) -> list[bytes]:
    fields = []
    at = 0
    while at < len(data):
        start = at + _LENGTH.size
        if start > len(data):
            raise BadHello("a length is cut")
        (length,) = _LENGTH.unpack_from(data, at)
        at = start + length
        if at > len(data):
            raise BadHello("a field is cut")
        fields.append(data[start:at])
    return fields


def _name(field: bytes) -> str:
    if not 1 <= len(field) <= NAME_BYTES_MAX:
        raise ValueError(f"a name of {len(field)} bytes")
    return field.decode("utf-8")


def _host(field: bytes) -> str:
    text = field.decode("ascii")
    address = ipaddress.ip_address(text)
    if str(address) != text or "%" in text:
        raise ValueError("a host in another spelling")
    return text
