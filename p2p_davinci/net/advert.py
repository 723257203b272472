"""What a table says about itself over multicast DNS: instance name and TXT record.

PEER, finding; RFC 6763, sections 4 and 6. All of it is a hint: anybody on the network can write
such a record, and nobody is believed before the link has authenticated him. Nicknames never
stand here; they travel in the hello.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..storage.identity import IdentityError, check_identity_key

SERVICE_TYPE = "_p2p-davinci._tcp.local."
TXT_BYTES_MAX = 200
FIELD_CHARACTERS_MAX = 32
_TXT_VERSION = "1"
_LABEL = b"p2p-davinci instance\x00"
_PREFIX_CHARACTERS = 10
_SUFFIX_BYTES = 3
_SUFFIX_CHARACTERS = 4
_PLAIN = frozenset(string.ascii_letters + string.digits + "-_/.:+ ")


class BadAdvert(Exception):  # noqa: N818 - what happened
    """A TXT record or an instance name that is not of the agreed form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advert:
    """What is told of one table.

    ``identity`` is the 32-byte key of who tells; ``version`` the application's (0 to 2**32 - 1);
    ``table``, ``state`` and ``seats`` are short ASCII words of the application, at most 32
    characters each.
    """

    identity: bytes
    version: int
    table: str
    state: str
    seats: str

    def properties(self) -> dict[str, str]:
        """Return the TXT record's keys and values, ``txtvers`` first.

        Raises:
            ValueError: a field is too long or has a character that is not plain ASCII.
        """
        for field in (self.table, self.state, self.seats):
            if not _is_plain(field):
                raise ValueError(f"not a plain word of at most 32 characters: {field!r}")
        return {
            "txtvers": _TXT_VERSION,
            "v": str(self.version),
            "id": base64.urlsafe_b64encode(self.identity).decode("ascii").rstrip("="),
            "table": self.table,
            "state": self.state,
            "seats": self.seats,
        }


def parse_advert(properties: Mapping[bytes, bytes | None]) -> Advert:
    """Return what a TXT record says; keys that are not ours are ignored.

    Raises:
        BadAdvert: more than 200 bytes, another ``txtvers``, a key missing, an identity that is
            no key, a number or word out of bounds.
    """
    size = sum(2 + len(key) + len(value or b"") for key, value in properties.items())
    if size > TXT_BYTES_MAX:
        raise BadAdvert(f"{size} bytes")
    try:
        texts = {
            key: (properties[key.encode("ascii")] or b"").decode("ascii")
            for key in ("txtvers", "v", "id", "table", "state", "seats")
        }
        identity = base64.b64decode(texts["id"] + "=", altchars=b"-_", validate=True)
        check_identity_key(identity)
        version = int(texts["v"])
    except (KeyError, ValueError, binascii.Error, IdentityError) as error:
        raise BadAdvert(str(error)) from None
    words = (texts["table"], texts["state"], texts["seats"])
    if texts["txtvers"] != _TXT_VERSION or not 0 <= version < 2**32:
        raise BadAdvert("version")
    if not all(_is_plain(word) for word in words):
        raise BadAdvert("words")
    return Advert(
        identity=identity, version=version, table=words[0], state=words[1], seats=words[2]
    )


def new_instance(identity: bytes, entropy: Callable[[int], bytes]) -> str:
    """Return a fresh instance name: 10 characters of the key's hash, ``-``, 4 random ones."""
    suffix = _base32(entropy(_SUFFIX_BYTES))[:_SUFFIX_CHARACTERS]
    return f"{_instance_prefix(identity)}-{suffix}"


def names_identity(instance: str, identity: bytes) -> bool:
    """Tell whether an instance name begins with this identity's hash, as every honest one does."""
    return instance.startswith(_instance_prefix(identity) + "-")


def _instance_prefix(identity: bytes) -> str:
    return _base32(hashlib.sha256(_LABEL + identity).digest())[:_PREFIX_CHARACTERS]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower()


def _is_plain(word: str) -> bool:
    return len(word) <= FIELD_CHARACTERS_MAX and set(word) <= _PLAIN
