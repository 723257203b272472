"""What holds for every test: sockets are shut by default, hypothesis is steady.

A test opens an internet socket only in the folders that are about sockets, and even there no test
process talks to anything but itself: connecting or sending beyond loopback is refused. The lock is
an audit hook, below every library, so nothing can go round it in this process. (Programs that a
test starts are not watched; tests in ``lan`` start theirs in network namespaces of their own.)
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
WITH_SOCKETS = frozenset({"net", "term", "lan", "bench"})
INTERNET = frozenset({socket.AF_INET, socket.AF_INET6})

settings.register_profile("steady", deadline=None, max_examples=60)
settings.load_profile("steady")


class SocketRefusedError(RuntimeError):
    """A test went where tests must not go."""


class _Lock:
    """Whether a test may open internet sockets just now; outside tests it may not."""

    shut = False

    def audit(self, event: str, details: tuple[object, ...]) -> None:
        if event == "socket.__new__":
            family = details[1]
            if self.shut and family in INTERNET:
                raise SocketRefusedError("this test may not open a socket")
        elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
            address = details[1]
            if isinstance(address, tuple) and not _stays_here(address[0]):
                raise SocketRefusedError(f"no test talks to {address[0]}")
        elif event == "socket.getaddrinfo" and _would_ask_a_server(details[0]):
            raise SocketRefusedError(f"no test looks up {details[0]}")


def _stays_here(host: str) -> bool:
    """Loopback, or a multicast group (the sender chooses the interface, and chooses loopback)."""
    if host == "localhost":
        return True
    address = ipaddress.ip_address(host.partition("%")[0])
    return address.is_loopback or address.is_multicast


def _would_ask_a_server(host: object) -> bool:
    if not isinstance(host, str) or host in {"", "localhost"}:
        return False
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return True
    return False


_LOCK = _Lock()
sys.addaudithook(_LOCK.audit)


@pytest.fixture(autouse=True)
def sockets_only_where_they_belong(request: pytest.FixtureRequest) -> Iterator[None]:
    """Shut internet sockets for the length of a test, except in the folders about them."""
    folder = request.path.relative_to(TESTS).parts[0]
    _LOCK.shut = folder not in WITH_SOCKETS
    yield
    _LOCK.shut = False
