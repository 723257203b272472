"""Ends of links, wired together without sockets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.net.certificate import Credentials, make_credentials
from p2p_davinci.net.framing import Frame
from p2p_davinci.net.hello import Hello, Role
from p2p_davinci.net.limits import Limits
from p2p_davinci.net.link import LINK_VERSION, Kind, Link

KEYS = tuple(Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in range(1, 5))


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def hello(key: Ed25519PrivateKey, **changes: Any) -> Hello:
    plain = Hello(
        link_version=LINK_VERSION,
        app_version=1,
        role=Role.PEER,
        boot=1,
        port=4001,
        nonce=bytes(32),
        identity=public(key),
        name="ana",
        card=b"card",
        hosts=("192.0.2.1", "2001:db8::1"),
    )
    return dataclasses.replace(plain, **changes)


class Puppet(Link):
    """An end whose handshake frames a test chooses: ``say`` turns each into what is sent.

    With ``obey`` false it only collects what the other end says in ``heard``.
    """

    say: Callable[[Kind, bytes], Iterable[bytes]] | None = None
    obey = True

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.heard: list[Frame] = []
        self.said: list[tuple[Kind, bytes]] = []

    def send(self, kind: Kind, body: bytes) -> None:
        self.said.append((kind, body))
        if self.say is None:
            super().send(kind, body)
        else:
            for plain in self.say(kind, body):
                self.write(plain)

    def write(self, plain: bytes) -> None:
        """Encrypt bytes that need not be a frame."""
        tls: Any = self._tls
        tls.write(plain)

    def _take_frame(self, frame: Frame) -> None:
        self.heard.append(frame)
        if self.obey:
            super()._take_frame(frame)


class Maker:
    """Make ends; each owner (0 to 3) has one certificate, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._credentials: dict[int, Credentials] = {}

    def credentials(self, owner: int) -> Credentials:
        if owner not in self._credentials:
            folder = self._folder / str(owner)
            folder.mkdir()
            self._credentials[owner] = make_credentials(folder)
        return self._credentials[owner]

    def end(self, owner: int, *, dialer: bool, **changes: Any) -> Puppet:
        return Puppet(
            credentials=self.credentials(owner),
            key=KEYS[owner],
            hello=hello(KEYS[owner], **changes),
            dialer=dialer,
            unproved_bytes=Limits().unproved_bytes,
        )

    def linked(self) -> tuple[Puppet, Puppet]:
        """Return a dialler (owner 0) and a listener (owner 1) that have shaken hands."""
        dialer, listener = self.end(0, dialer=True), self.end(1, dialer=False)
        pump(dialer, listener)
        return dialer, listener


def pump(
    one: Link, other: Link, *, between: Callable[[bytes], bytes] = bytes, step: int = 65536
) -> int:
    """Carry bytes both ways until there are none, ``step`` at a time; return how many."""
    carried = 0
    while True:
        moved = 0
        for source, sink in ((one, other), (other, one)):
            data = source.take_output()
            moved += len(data)
            for at in range(0, len(data), step):
                sink.receive(between(data[at : at + step]))
        if not moved:
            return carried
        carried += moved
