"""A table of peers in one process: real sessions and drivers, no network, no disk."""

from __future__ import annotations

import functools
import os
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app.driver import Driver, Outlets
from p2p_davinci.bots.strategy import choose, choose_arrangement, choose_take
from p2p_davinci.rules.moves import Move
from p2p_davinci.rules.options import options_from
from p2p_davinci.session.contract import Contract, Player
from p2p_davinci.session.events import (
    Blamed,
    Event,
    Input,
    LinkDown,
    LinkUp,
    Play,
    Received,
    Stage,
    Tick,
)
from p2p_davinci.session.game import Game, asks_player, view
from p2p_davinci.session.work import Who
from protocol import HEADER, Entropy, PeerFault, Signer, elgamal, envelope, miss, order, shuffle
from protocol.group import Edwards25519
from protocol.sigma import verify

NAMES = ("ana", "bo", "cy", "dee")
E = TypeVar("E", bound=Event)
PROVING: Final = (elgamal, miss, order, shuffle)


@contextmanager
def each_proof_checked_once() -> Iterator[None]:
    """Check equal points, signatures, and proofs of equal statements once within the block.

    The peers of a table sit in one process, so this takes most of the time out of a whole game
    and nothing out of what it shows.
    """
    known: dict[tuple[Any, bytes, bytes], PeerFault | None] = {}

    def once(relation: Any, proof: bytes, tag: bytes) -> None:
        key = (relation, proof, tag)
        if key not in known:
            known[key] = None
            try:
                verify(relation, proof, tag)
            except PeerFault as fault:
                known[key] = fault
        found = known[key]
        if found is not None:
            raise PeerFault(found.check, found.detail)

    with pytest.MonkeyPatch.context() as patch:
        for module in PROVING:
            patch.setattr(module, "verify", once)
        patch.setattr(envelope, "_verify", functools.cache(envelope._verify))
        patch.setattr(Edwards25519, "decode", functools.cache(Edwards25519.decode))
        yield


class Memory:
    """A journal in memory that remembers how much of it was synced."""

    def __init__(self) -> None:
        self.records: list[bytes] = []
        self.synced = 0

    def append(self, record: bytes) -> None:
        self.records.append(record)

    def sync(self) -> None:
        self.synced = len(self.records)


@dataclass(slots=True)
class Peer:
    seat: int
    driver: Driver
    log: Memory
    secrets: Memory
    events: list[Event]
    sent: list[bytes]
    wakes: list[float] = field(default_factory=list)
    evidence: list[tuple[int, bytes]] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return self.driver.game

    @property
    def log_bytes(self) -> bytes:
        """The log as a file would hold it."""
        return HEADER + b"".join(self.log.records)

    @property
    def blamed(self) -> Blamed | None:
        """Whom this peer blames for the end of the game, if anybody."""
        stopped = self.game.stopped
        return stopped if isinstance(stopped, Blamed) else None

    def told(self, kind: type[E]) -> list[E]:
        """The events of one kind that this peer's player was told."""
        return [event for event in self.events if isinstance(event, kind)]


def seeded(seed: object) -> Entropy:
    """Return entropy that a seed repeats; for tests alone."""
    source = random.Random(repr(seed))
    return source.randbytes


def signers(seats: int, entropy: Entropy = os.urandom) -> tuple[Signer, ...]:
    return tuple(Signer(Ed25519PrivateKey.from_private_bytes(entropy(32))) for _ in range(seats))


def contract_for(
    who: tuple[Signer, ...],
    preset: str = "standard",
    overrides: Mapping[str, str] | None = None,
    *,
    first: int | None = None,
    entropy: Entropy = os.urandom,
) -> Contract:
    return Contract(
        table="river-lamp",
        options=options_from(preset, overrides or {}),
        players=tuple(
            Player(key=signer.public, name=NAMES[seat]) for seat, signer in enumerate(who)
        ),
        first=first,
        fresh=tuple(entropy(16) for _ in who),
    )


class Table:
    """Peers wired together: what one sends, the others receive in order."""

    def __init__(
        self, contract: Contract, who: tuple[Signer, ...], entropy: Entropy = os.urandom
    ) -> None:
        self.contract = contract
        self.who = who
        self.now_s = 0.0
        self.mail: deque[tuple[int, int, bytes]] = deque()
        self.rng = random.Random(int.from_bytes(entropy(8), "big"))
        self.peers = [self._peer(seat, signer, entropy) for seat, signer in enumerate(who)]
        self.tamper: Callable[[int, int, bytes], bytes | None] = lambda _from, _to, data: data
        self.cut: set[frozenset[int]] = set()

    def fork(self, entropy: Entropy) -> Table:
        """Return another table that stands where this one does, and goes its own way."""
        other = Table(self.contract, self.who, entropy)
        other.now_s = self.now_s
        other.mail = deque(self.mail)
        for mine, its in zip(self.peers, other.peers, strict=True):
            its.driver._game = mine.driver._game
            for name in ("records", "synced"):
                setattr(its.log, name, copy(getattr(mine.log, name)))
                setattr(its.secrets, name, copy(getattr(mine.secrets, name)))
            its.events += mine.events
            its.sent += mine.sent
            its.wakes += mine.wakes
            its.evidence += mine.evidence
        return other

    def _peer(self, seat: int, signer: Signer, entropy: Entropy) -> Peer:
        log, secrets = Memory(), Memory()
        events: list[Event] = []
        sent: list[bytes] = []
        wakes: list[float] = []
        evidence: list[tuple[int, bytes]] = []

        def send(data: bytes, to: int | None) -> None:
            sent.append(data)
            for other in range(len(self.contract.players)):
                linked = frozenset({seat, other}) not in self.cut
                if other != seat and to in (None, other) and linked:
                    self.mail.append((seat, other, data))

        outlets = Outlets(
            log=log,
            secrets=secrets,
            send=send,
            show=events.append,
            wake=wakes.append,
            testify=lambda culprit, data: evidence.append((culprit, data)),
        )
        driver = Driver(outlets, Who(signer=signer, entropy=entropy))
        return Peer(seat, driver, log, secrets, events, sent, wakes, evidence)

    def start(self) -> Table:
        for peer in self.peers:
            peer.driver.start(self.contract, peer.seat, self.now_s)
        return self

    def deliver(self) -> None:
        """Deliver all mail, and all mail that follows from it."""
        while self.mail:
            self.deliver_one()

    def deliver_one(self) -> None:
        sender, to, data = self.mail.popleft()
        tampered = self.tamper(sender, to, data)
        if tampered is not None:
            self.give(to, Received(seat=sender, data=tampered))

    def give(self, seat: int, given: Input) -> None:
        """Give a peer one input, now."""
        self.peers[seat].driver.step(given, self.now_s)

    def disconnect(self, one: int, other: int) -> None:
        """Break a link: what is under way on it is lost."""
        self.cut.add(frozenset({one, other}))
        self.mail = deque(m for m in self.mail if {m[0], m[1]} != {one, other})
        self.give(one, LinkDown(seat=other))
        self.give(other, LinkDown(seat=one))

    def connect(self, one: int, other: int) -> None:
        """Mend a link."""
        self.cut.discard(frozenset({one, other}))
        self.give(one, LinkUp(seat=other))
        self.give(other, LinkUp(seat=one))

    def play(self, seat: int, move: Move) -> None:
        self.peers[seat].driver.step(Play(move=move), self.now_s)

    def tick(self, seconds: float) -> None:
        self.now_s += seconds
        for peer in self.peers:
            peer.driver.step(Tick(), self.now_s)

    def wait(self, seconds: int) -> None:
        """Let time pass in small steps: a program that hears nothing for long has been asleep."""
        for _ in range(seconds):
            self.tick(1)
            self.deliver()

    def due(self) -> Peer | None:
        return next((peer for peer in self.peers if asks_player(peer.game)), None)

    def bot_move(self, peer: Peer) -> Move:
        shown = view(peer.game)
        if shown.kind == "take":
            playing = len(peer.game.round.contract.playing)
            return choose_take(self.contract.options, playing, self.rng)
        if shown.kind == "arrange":
            return choose_arrangement(shown.dealt, self.rng)
        if shown.board is None:
            raise AssertionError(f"asked for a move in {shown.kind}")
        return choose(shown.board, self.rng)

    def run(self, moves_max: int = 2000) -> Table:
        """Let bots play until nobody is asked any more."""
        for _ in range(moves_max):
            self.deliver()
            peer = self.due()
            if peer is None:
                return self
            self.play(peer.seat, self.bot_move(peer))
        raise AssertionError("the game does not end")

    def run_until(self, stop: Callable[[Table], bool], moves_max: int = 2000) -> Table:
        """Let bots play until ``stop`` holds when a player is asked."""
        for _ in range(moves_max):
            self.deliver()
            peer = self.due()
            if stop(self):
                return self
            if peer is None:
                break
            self.play(peer.seat, self.bot_move(peer))
        raise AssertionError("that never happened")

    @property
    def stages(self) -> tuple[Stage, ...]:
        return tuple(view(peer.game).stage for peer in self.peers)


def new_table(
    seats: int,
    preset: str = "standard",
    overrides: Mapping[str, str] | None = None,
    *,
    seed: object = None,
    first: int | None = None,
) -> Table:
    """Return a table that is about to start; a seed makes everything on it repeat."""
    entropy = os.urandom if seed is None else seeded(seed)
    who = signers(seats, entropy)
    contract = contract_for(who, preset, overrides, first=first, entropy=entropy)
    return Table(contract, who, entropy)
