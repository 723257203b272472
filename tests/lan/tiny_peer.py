"""A peer that finds one other by multicast DNS and swaps one message with it.

Run as ``python -m tests.lan.tiny_peer FOLDER NAME [INTERFACE]``; prints what it was told, then
leaves. With an interface it listens and searches there alone.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from p2p_davinci.net.discovery import Discovery, Seen
from p2p_davinci.net.events import PeerUp, Received
from p2p_davinci.net.interfaces import lan_interfaces, named_interfaces
from p2p_davinci.net.mesh import Mesh
from p2p_davinci.storage.identity import load_identity

VERSION = 1


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def look(discovery: Discovery, mesh: Mesh) -> None:
    while True:
        event = await discovery.events.get()
        say(str(event))
        if isinstance(event, Seen):
            mesh.want(event.identity, event.addresses)


async def swap(mesh: Mesh, name: str) -> None:
    """Send one message to the peer that turns up, and print its own."""
    while not isinstance(event := await mesh.events.get(), Received):
        if isinstance(event, PeerUp):
            mesh.send(event.peer, f"greetings from {name}".encode())
    say(f"heard: {event.data.decode()}")


async def run(folder: Path, name: str, *only: str) -> None:
    identity = load_identity(folder)
    mesh = Mesh(identity, name=name, app_version=VERSION)
    discovery = Discovery(
        (lambda: named_interfaces(only)) if only else lan_interfaces,
        identity.public,
        version=VERSION,
    )
    await mesh.start([h for i in named_interfaces(only) for h in i.dialable()] if only else None)
    await discovery.start()
    looking = asyncio.create_task(look(discovery, mesh))
    await discovery.advertise(mesh.port, table=name, state="open", seats="1/2")
    try:
        await swap(mesh, name)
        # The other side may still be waiting for what was sent to it.
        await asyncio.sleep(0.5)
    finally:
        looking.cancel()
        await discovery.close()
        await mesh.close()
        identity.close()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), *sys.argv[2:]))
