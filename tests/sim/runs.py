"""One simulated game from a seed, and everything that must be true of it."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from dataclasses import dataclass, field, replace

from p2p_davinci.rules.options import PRESETS
from p2p_davinci.rules.tiles import tile_of_code
from p2p_davinci.session import wire
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.ending import faces
from p2p_davinci.session.events import Blamed, Halted
from p2p_davinci.session.game import Game, view
from p2p_davinci.session.state import Round
from protocol import PeerFault, read_aside, read_envelope, seal

from . import faults
from .world import Host, World

Key = tuple[bytes, int]
"""(contract hash, step)."""

FIRST_MESHED = 1_000_000
"""From this seed on peers dial each other, clocks jump, and a liar may tell each another story.

Seeds below play what they always did, so that those which once failed go on showing why.
"""
FIRST_BRISK = 2_000_000
"""From this seed on nearly every guess hits and one log of a table is verified, not each.

So a game takes half the time, and twice as many fit into a long run.
"""
BRISK_LUCK = 0.95

FRAMES_MAX = 2000
FRAMES_PER_S_MAX = 40
"""Of all peers together; more is a conversation without end."""


class Broken(AssertionError):  # noqa: N818 - it says what happened
    """Something that must never be false was."""


@dataclass(slots=True)
class Watcher:
    """What all peers did, as nobody among them can see it."""

    liar: int | None = None
    heads: dict[Key, dict[bytes, set[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    accepted: dict[tuple[bytes, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    dropped: dict[tuple[bytes, int], set[int]] = field(default_factory=dict)
    left_behind: dict[tuple[bytes, int], int] = field(default_factory=dict)
    """From which step of a round (contract's hash) on a seat was dropped."""
    viewed: dict[int, Round] = field(default_factory=dict)
    """The round that each seat's view was last checked of."""

    def look(self, host: Host) -> None:
        if host.driver is None:
            return
        game = host.driver.game
        round_ = game.round
        now = round_.chain.step
        # Who is out may be ahead of the others for a moment.
        if host.seat != self.liar and round_.opened[host.seat] is None:
            self.heads[round_.contract_hash, now.number][now.head].add(host.seat)
        for said in (*round_.transcript[-3:], tuple(e for _, e in round_.chain.spoken)):
            for envelope in said:
                payload = envelope.payload
                self.accepted[payload.head, payload.seat].add(host.seat)
        for drop in round_.drops:
            voters = {read_aside(raw).seat for raw in drop.votes}
            self.dropped[drop.head, drop.seat] = voters
            self.left_behind.setdefault((round_.contract_hash, drop.seat), drop.step)
        _check_secrets(host, game)
        if self.viewed.get(host.seat) is not round_:
            self.viewed[host.seat] = round_
            check_view(game)
        _check_blame(host, game, self.liar)

    def counts(self, contract_hash: bytes, step: int, seat: int) -> bool:
        """Tell whether what a seat read counts: who was dropped may have gone on alone."""
        return step <= self.left_behind.get((contract_hash, seat), step)


def _check_secrets(host: Host, game: Game) -> None:
    secrets, round_ = game.secrets, game.round
    if secrets is None:
        return
    for seat, row in enumerate(round_.hands):
        if seat != host.seat and any((t.deck, t.index) in secrets.codes for t in row):
            raise Broken(f"seat {host.seat} knows a tile of seat {seat}")


def check_view(game: Game) -> None:
    """See that whatever tile a view names lies open, or is the viewer's own.

    Raises:
        Broken: it shows what its player may not know.
    """
    round_ = game.round
    mine = () if game.secrets is None else game.secrets.codes.values()
    known = {tile_of_code(code) for code in mine}
    if round_.state is not None:
        known |= {piece.face for row in round_.state.rows for piece in row if piece.face}
    known |= {
        tile
        for owner, key in enumerate(round_.opened)
        if key is not None and round_.hands
        for tile in faces(round_, owner)
    }
    shown = view(game)
    named = {*shown.dealt, *(tile for row in shown.faces or () for tile in row if tile)}
    if shown.board is not None:
        drawn = shown.board.drawn
        named |= {*shown.board.own} if drawn is None else {*shown.board.own, drawn}
        named |= {piece.face for row in shown.board.state.rows for piece in row if piece.face}
    if not named <= known:
        raise Broken(f"the view of seat {game.seat} shows {named - known}")


def _check_blame(host: Host, game: Game, liar: int | None) -> None:
    for blamed in (game.stopped, game.accused):
        if isinstance(blamed, Blamed) and blamed.seat != liar and host.seat != liar:
            raise Broken(f"seat {host.seat} blames {blamed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run ended: by seat, ``over``, the reason of a halt, ``blamed``, or ``gone``."""

    ends: tuple[str, ...]
    dropped: int
    crashes: int
    steps: int
    seconds: float
    digest: str


def run(seed: int) -> Outcome:
    """Play the game of a seed.

    Raises:
        Broken: what must be true is not.
    """
    rng = random.Random(f"plan {seed}")
    seats = rng.choice((2, 3, 3, 3, 4, 4))
    overrides = {"rounds": rng.choice("112")} if rng.random() < 0.3 else {}
    preset = rng.choice(sorted(PRESETS))
    if overrides and PRESETS[preset].scoring == "none":
        overrides = {}
    if rng.random() < 0.3:
        overrides["clock"] = "8+4"
    meshed = seed >= FIRST_MESHED
    world = World(seed, seats, preset, overrides, meshed=meshed)
    if seed >= FIRST_BRISK:
        world.luck = BRISK_LUCK
    watcher = Watcher()
    if seats > 2 and rng.random() < 0.15:
        watcher.liar = rng.randrange(seats)
        _lie(world, watcher.liar, rng)
    world.watch = watcher.look
    faults.plan(world, rng)
    world.run()
    _check(world, watcher)
    return _outcome(world, watcher)


def _lie(world: World, liar: int, rng: random.Random) -> None:
    """Let a peer tell one of the others something else, once; or each of them another story."""
    victim = rng.choice([seat for seat in range(len(world.hosts)) if seat != liar])
    left = {victim: rng.randint(1, 60)}
    if world.seed >= FIRST_MESHED and rng.random() < 0.5:
        left = {seat: left[victim] for seat in range(len(world.hosts)) if seat != liar}

    def tamper(sender: int, to: int, data: bytes) -> bytes:
        message = _chained(data)
        if sender != liar or to not in left or message is None:
            return data
        envelope = read_envelope(message.raw)
        if envelope.payload.seat != liar:
            return data
        left[to] -= 1
        if left[to]:
            return data
        lie = replace(envelope.payload, body=((to if len(left) > 1 else 0,), ()))
        return wire.write(wire.Chained(raw=seal(lie, world.hosts[liar].signer).encode()))

    world.tamper = tamper


def _chained(data: bytes) -> wire.Chained | None:
    try:
        message = wire.read(data)
    except PeerFault:
        return None
    return message if isinstance(message, wire.Chained) else None


# --- what must be true -----------------------------------------------------------------------


def _check(world: World, watcher: Watcher) -> None:
    if len(world.sent) > FRAMES_MAX + FRAMES_PER_S_MAX * world.now_s:
        raise Broken(f"{len(world.sent)} frames in {world.now_s:.0f} s")
    if not world.over:
        raise Broken(f"no end: {[_stand(host) for host in world.hosts]}")
    for key, heads in watcher.heads.items():
        held = [
            head for head, seats in heads.items() if any(watcher.counts(*key, s) for s in seats)
        ]
        if len(held) > 1 and not _all_convict(world, watcher.liar):
            raise Broken(f"two games from step {key[1]}: {dict(heads)}")
    for (head, lost), voters in watcher.dropped.items():
        against = watcher.accepted[head, lost] & voters
        if against - {watcher.liar}:
            raise Broken(f"seat {lost} was dropped by {against}, who had its message")
    _check_sent(world, watcher.liar)
    for host in world.hosts if world.seed < FIRST_BRISK else [world.rng.choice(world.hosts)]:
        _check_log(host, watcher.liar)


def _all_convict(world: World, liar: int | None) -> bool:
    """Tell whether all whom a liar split for a moment know it and stopped."""
    honest = [host.last for host in world.hosts if host.seat != liar and host.last is not None]
    return liar is not None and all(isinstance(game.stopped, Blamed) for game in honest)


def _stand(host: Host) -> str:
    if host.driver is None:
        return "gone"
    game = host.driver.game
    chain = game.round.chain
    return (
        f"{game.round.step} {chain.step.number} {chain.step.head.hex()[:6]} "
        f"awaits {chain.awaited} down {dict(game.down)} gone {dict(game.gone)} "
        f"lost {game.lost} stopped {game.stopped} ended {game.ended}"
    )


def _check_sent(world: World, liar: int | None) -> None:
    """No honest seat ever says two things in one step, whatever it lived through."""
    said: dict[tuple[bytes, int, int], bytes] = {}
    for data in dict.fromkeys(data for sender, data in world.sent if sender != liar):
        message = _chained(data)
        if message is None:
            continue
        envelope = read_envelope(message.raw)
        payload = envelope.payload
        if payload.seat == liar:
            continue
        key = (payload.session, payload.seat, payload.step)
        if said.setdefault(key, envelope.data) != envelope.data:
            raise Broken(f"seat {payload.seat} spoke twice in step {payload.step}")


def _check_log(host: Host, liar: int | None) -> None:
    if host.seat == liar or not host.log.records():
        return
    verdict = verify_log(bytes(host.log.data))
    if verdict.status is Status.INVALID:
        raise Broken(f"the log of seat {host.seat}: {verdict.check} in record {verdict.record}")
    blamed = None if verdict.blamed is None else verdict.blamed.seat
    if blamed not in (None, liar) or (verdict.status is Status.VOID and blamed is None):
        raise Broken(f"the log of seat {host.seat} convicts {verdict.blamed}")
    played = None if host.last is None else host.last.round
    shown = verdict.rounds[-1]
    if played is not None:
        same = (played.chain.step.head, played.state) == (verdict.head, shown.state)
        lost = host.driver is None and played.chain.step.head != verdict.head
        if not (same or lost):
            raise Broken(f"seat {host.seat} plays on what its log does not show")
    ended = host.driver is not None and host.driver.game.ended
    if ended and verdict.status is not Status.FINISHED:
        raise Broken(f"the log of seat {host.seat} is {verdict.status}")


def _end(host: Host) -> str:
    if host.driver is None:
        return "gone"
    stopped = host.driver.game.stopped
    if isinstance(stopped, Halted):
        return stopped.reason
    return "blamed" if stopped is not None else "over"


def _outcome(world: World, watcher: Watcher) -> Outcome:
    games = [host.last for host in world.hosts if host.last is not None]
    rounds: list[Round] = [game.round for game in games]
    print_of_all = hashlib.sha256()
    for host in world.hosts:
        print_of_all.update(bytes(host.log.data) + bytes(host.secrets.data))
    return Outcome(
        ends=tuple(_end(host) for host in world.hosts),
        dropped=len(watcher.dropped),
        crashes=sum(host.life for host in world.hosts) - len(world.hosts),
        steps=max(round_.chain.step.number for round_ in rounds),
        seconds=world.now_s,
        digest=print_of_all.hexdigest(),
    )
