"""What this player is to others: name, fingerprint, folders and addresses.

Nothing here takes the lock on the identity while a game may hold it: a game that starts meanwhile
must get the key that it always had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from ..net.interfaces import lan_interfaces
from ..storage.folders import Folders, folders
from ..storage.identity import KEY_FILE, IdentityError, fingerprint, public_key
from ..text import Words
from .crash import system_said
from .settings import Exit, load_config, login_name


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
    yield words.tell("id.fingerprint", fingerprint=fingerprint(public_key(own.identity)))
    for profile in sorted(own.identity.glob("profile-*")):
        if (profile / KEY_FILE).exists():
            print_ = fingerprint(public_key(profile))
            yield words.tell("id.profile", profile=profile.name, fingerprint=print_)
    yield words.tell("id.data", path=str(own.root))
    yield words.tell("id.logs", path=str(own.logs))
    yield from _addresses(words)


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
