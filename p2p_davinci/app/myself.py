"""What this player is to others: name, fingerprint, folders and addresses.

Nothing here takes the lock on the identity while a game may hold it: a game that starts meanwhile
must get the key that it always had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from ..net.interfaces import lan_interfaces
from ..storage.folders import Folders, folders
from ..storage.identity import IdentityError, fingerprint, load_identity
from ..text import Words
from .crash import system_said
from .settings import Exit, load_config, login_name

KEY_FILE = "identity.pem"


def tell_identity(
    data: str | None,
    words: Words,
    say: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Tell who this player is, and where things lie; return the exit code.

    A key is made if there is none yet.
    """
    own = folders(data)
    try:
        for line in _lines(own, words):
            say(line)
    except IdentityError as error:
        complain(words.reason("identity", error.reason, detail=error.detail))
        return Exit.ERROR
    return Exit.OK


def _lines(own: Folders, words: Words) -> Iterator[str]:
    name = load_config(own.config).name or login_name(os.environ)
    yield words.tell("id.name", name=name)
    yield words.tell("id.fingerprint", fingerprint=fingerprint(_public_key(own.identity)))
    for profile in sorted(own.identity.glob("profile-*")):
        if (profile / KEY_FILE).exists():
            print_ = fingerprint(_public_key(profile))
            yield words.tell("id.profile", profile=profile.name, fingerprint=print_)
    yield words.tell("id.data", path=str(own.root))
    yield words.tell("id.logs", path=str(own.logs))
    yield from _addresses(words)


def _public_key(folder: Path) -> bytes:
    path = folder / KEY_FILE
    if not path.exists():
        made = load_identity(folder)
        made.close()
        return made.public
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise IdentityError("folder", str(error)) from error
    except (ValueError, TypeError) as error:
        raise IdentityError("damaged", str(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise IdentityError("damaged", str(path))
    return key.public_key().public_bytes_raw()


def _addresses(words: Words) -> Iterator[str]:
    try:
        present = lan_interfaces()
    except OSError as error:
        yield words.tell("cli.system", detail=system_said(error))
        return
    for interface in present:
        hosts = words.tell("comma").join(interface.dialable())
        if hosts:
            yield words.tell("id.address", interface=interface.name, addresses=hosts)
    if not any(interface.dialable() for interface in present):
        yield words.tell("id.no_address")
