"""People forming a table in one process: their lobbies, links between them, no network."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from p2p_davinci.rules.options import DEFAULT_PRESET, Options, options_from
from p2p_davinci.session import lobby as lobbies
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.lobby_events import (
    Agreed,
    Closed,
    LobbyEffect,
    LobbyInput,
    LobbyView,
    Notice,
    PeerCame,
    PeerSaid,
    PeerWent,
    SetReady,
    Tell,
    Want,
)
from p2p_davinci.session.lobby_state import Lobby, join_table, lobby_view, open_table
from protocol import Value, encode

from .table import seeded, signers

KEYS = tuple(sorted(signer.public for signer in signers(6, seeded("people at a table"))))
"""Identity keys of the people in these tests, by number."""


@dataclass(slots=True)
class Person:
    """Somebody with a lobby, and what came of it."""

    lobby: Lobby
    wanted: dict[bytes, tuple[str, ...]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    contract: Contract | None = None
    closed: str | None = None

    @property
    def view(self) -> LobbyView:
        shown = lobby_view(self.lobby)
        assert shown is not None, "no table was shown yet"
        return shown

    @property
    def names(self) -> list[str]:
        return [member.name for member in self.view.members]

    @property
    def ready(self) -> list[bool]:
        return [member.ready for member in self.view.members]


class Room:
    """People, counted from 0; the first opens the table. ``mesh``: who is wanted is linked.

    What is said on one link arrives in order; which link is next, the seed decides.
    """

    def __init__(
        self,
        seats: int = 2,
        *,
        reserved: frozenset[int] = frozenset(),
        options: Options | None = None,
        mesh: bool = True,
        seed: int = 0,
    ) -> None:
        self.mesh = mesh
        self.rng = random.Random(seed)
        self.entropy = seeded(("room", seed))
        self.mail: dict[tuple[int, int], deque[bytes]] = {}
        self.said: list[tuple[int, int, bytes]] = []
        opened = open_table(
            me=KEYS[0],
            name="ana",
            addresses=("10.0.0.1:1",),
            table="river-lamp",
            seats=seats,
            options=options or options_from(DEFAULT_PRESET, {}),
            entropy=self.entropy,
            reserved=frozenset(KEYS[number] for number in reserved),
        )
        self.people = {0: Person(opened)}

    # --- what happens -------------------------------------------------------------------------

    def enter(self, number: int, name: str) -> Person:
        """Let somebody come in who asks the opener for a seat."""
        lobby = join_table(
            me=KEYS[number],
            opener=KEYS[0],
            name=name,
            addresses=(f"10.0.0.{number + 1}:1",),
            entropy=self.entropy,
        )
        self.people[number] = Person(lobby)
        self.link(0, number)
        return self.people[number]

    def fill(self, *names: str) -> Room:
        """Seat as many people as there are names, and let everything be heard."""
        for number, name in enumerate(names, start=1):
            self.enter(number, name)
            self.deliver()
        return self

    def link(self, one: int, other: int) -> None:
        if (one, other) not in self.mail:
            self.mail[one, other], self.mail[other, one] = deque(), deque()
            for me, peer in ((one, other), (other, one)):
                self.give(me, PeerCame(peer=KEYS[peer], name="?", addresses=()))

    def cut(self, one: int, other: int) -> None:
        """Break a link; what is under way on it is lost."""
        if self.mail.pop((one, other), None) is not None:
            del self.mail[other, one]
            for me, peer in ((one, other), (other, one)):
                self.give(me, PeerWent(peer=KEYS[peer]))

    def give(self, number: int, given: LobbyInput) -> None:
        person = self.people.get(number)
        if person is not None:
            person.lobby, effects = lobbies.step(person.lobby, given)
            for effect in effects:
                self._carry_out(number, person, effect)

    def say(self, number: int, to: int, *values: Value) -> None:
        """Let somebody send whatever he likes over a link."""
        self.mail[number, to].append(encode(values))

    def agree(self) -> Room:
        """Let everybody say ready for what they see, and let that be heard."""
        for number in self.people:
            self.give(number, SetReady())
        self.deliver()
        return self

    def deliver(self) -> None:
        """Deliver what was said, and what follows from it, link by link in any order."""
        while waiting := [link for link, mail in sorted(self.mail.items()) if mail]:
            self.deliver_from(*self.rng.choice(waiting))

    def deliver_from(self, sender: int, to: int) -> None:
        data = self.mail[sender, to].popleft()
        self.said.append((sender, to, data))
        self.give(to, PeerSaid(peer=KEYS[sender], data=data))

    def _carry_out(self, number: int, person: Person, effect: LobbyEffect) -> None:
        match effect:
            case Tell(data=data, peer=peer):
                for (sender, to), mail in self.mail.items():
                    if sender == number and peer in (None, KEYS[to]):
                        mail.append(data)
            case Want(peer=peer, addresses=addresses):
                person.wanted[peer] = addresses
                if self.mesh:
                    self.link(number, KEYS.index(peer))
            case Agreed(contract=contract):
                person.contract = contract
            case Closed(reason=reason):
                person.closed = reason
            case Notice():
                person.notices.append(effect)

    # --- what came of it ----------------------------------------------------------------------

    @property
    def contracts(self) -> list[Contract]:
        """The contracts that people began to play under."""
        return [person.contract for person in self.people.values() if person.contract is not None]
