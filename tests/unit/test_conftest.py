from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest

from tests.conftest import SocketRefusedError


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_unit_tests_cannot_open_a_socket(
    family: socket.AddressFamily, kind: socket.SocketKind
) -> None:
    with pytest.raises(SocketRefusedError):
        socket.socket(family, kind)


def test_unit_tests_cannot_open_a_socket_through_asyncio() -> None:
    async def dial() -> None:
        await asyncio.open_connection("127.0.0.1", 9)

    with pytest.raises(SocketRefusedError):
        asyncio.run(dial())


@pytest.mark.parametrize(
    "go",
    [
        lambda s: s.connect(("192.0.2.1", 9)),
        lambda s: s.connect_ex(("198.51.100.1", 9)),
        lambda s: s.sendto(b"x", ("192.0.2.1", 9)),
    ],
)
def test_no_test_talks_to_another_machine(
    go: Callable[[socket.socket], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.conftest._LOCK.shut", False)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here,
        pytest.raises(SocketRefusedError),
    ):
        go(here)


def test_no_test_asks_a_name_server() -> None:
    with pytest.raises(SocketRefusedError):
        socket.getaddrinfo("example.org", 80)
    assert socket.getaddrinfo("192.0.2.1", 80, type=socket.SOCK_STREAM)


def test_where_sockets_belong_loopback_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.conftest._LOCK.shut", False)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there,
    ):
        there.bind(("127.0.0.1", 0))
        there.settimeout(5)
        here.sendto(b"hello", there.getsockname())
        assert there.recv(16) == b"hello"
