"""A network of its own: peers in network namespaces, joined by a bridge in one more.

Nothing outside the namespaces is touched. Needs Linux, ``ip``, and the right to make namespaces:
root, or root of a user namespace with a ``/run`` of its own::

    unshare -Urnm sh -c 'mount -t tmpfs tmpfs /run && python -m pytest tests/lan'
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Self

COMMAND_S = 10.0
ROOT = Path(__file__).parents[2]


class NotPermitted(Exception):  # noqa: N818 - a fact about the machine
    """Namespaces cannot be made here; the text says why."""


class Lan:
    """``size`` peers, counted from 1; peer n has the address ``10.77.0.n/24`` on ``eth0``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._tag = f"davinci-{uuid.uuid4().hex[:6]}"
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Self:
        if sys.platform != "linux" or shutil.which("ip") is None:
            raise NotPermitted("needs Linux and the ip command")
        try:
            self._build()
        except BaseException:
            self._undo.close()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._undo.close()

    def address(self, peer: int) -> str:
        """Return the peer's IPv4 address."""
        return f"10.77.0.{peer}"

    def run(self, peer: int, command: Sequence[str], *, timeout_s: float = COMMAND_S) -> str:
        """Run a command in the peer's namespace and return what it printed; it must succeed."""
        return _call(*self._inside(peer, command), timeout_s=timeout_s)

    def spawn(self, peer: int, command: Sequence[str]) -> subprocess.Popen[str]:
        """Start a command in the peer's namespace; it is killed when the network is taken down."""
        process = subprocess.Popen(
            self._inside(peer, command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
        )
        self._undo.callback(_stop, process)
        return process

    def unplug(self, peer: int) -> None:
        """Pull the peer's cable at the switch: its own interface stays up."""
        self._ip("-n", self._bridge, "link", "set", f"port{peer}", "down")

    def plug(self, peer: int) -> None:
        """Put the cable back."""
        self._ip("-n", self._bridge, "link", "set", f"port{peer}", "up")

    @property
    def _bridge(self) -> str:
        return f"{self._tag}-switch"

    def _namespace(self, peer: int) -> str:
        return f"{self._tag}-{peer}"

    def _inside(self, peer: int, command: Sequence[str]) -> list[str]:
        return ["ip", "netns", "exec", self._namespace(peer), *command]

    def _build(self) -> None:
        self._add(self._bridge)
        self._ip("-n", self._bridge, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        self._ip("-n", self._bridge, "link", "set", "br0", "up")
        for peer in range(1, self.size + 1):
            self._join(peer)

    def _join(self, peer: int) -> None:
        name, port = self._namespace(peer), f"port{peer}"
        self._add(name)
        self._ip(
            *("-n", self._bridge, "link", "add", port, "type", "veth"),
            *("peer", "name", "eth0", "netns", name),
        )
        self._ip("-n", self._bridge, "link", "set", port, "master", "br0", "up")
        self._ip("-n", name, "address", "add", f"{self.address(peer)}/24", "dev", "eth0")
        self._ip("-n", name, "link", "set", "eth0", "up")

    def _add(self, name: str) -> None:
        try:
            self._ip("netns", "add", name)
        except subprocess.CalledProcessError as error:
            raise NotPermitted(f"ip netns add: {error.stderr.strip()}") from error
        self._undo.callback(self._ip, "netns", "delete", name)
        self._ip("-n", name, "link", "set", "lo", "up")

    def _ip(self, *arguments: str) -> None:
        _call("ip", *arguments, timeout_s=COMMAND_S)


def _call(*command: str, timeout_s: float) -> str:
    done = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return done.stdout


def _stop(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()
