"""Whole games for vectors: short, seeded, and played by hands that know every tile.

Players who can see all rows end a game in a few turns and reach every kind of message on the way;
who plays like that decides nothing about bots, so vectors do not change when bots learn.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from p2p_davinci.rules.engine import named_tile
from p2p_davinci.rules.moves import (
    Arrange,
    Call,
    Draw,
    Guess,
    Move,
    Place,
    Resign,
    Reveal,
    Stop,
    Take,
)
from p2p_davinci.rules.options import hand_size
from p2p_davinci.rules.state import State
from p2p_davinci.rules.tiles import Tile, in_order, legal_slots
from p2p_davinci.session.arriving import BEAT_S
from p2p_davinci.session.events import CallClock, Claim, Offered, Play, VoteOut
from p2p_davinci.session.game import asks_player, own_faces
from p2p_davinci.session.play import RECEIPT_WAIT_S
from p2p_davinci.session.work import WAIT_S
from tests.support.crypto import seeded
from tests.support.recorded import payload_in
from tests.support.table import Peer, Table, contract_for, signers

MOVES_MAX: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a game goes: its options, how often guesses are right, and what happens when.

    ``hit`` and ``stop`` are chances in 256; ``events`` maps a decision (``"draw 3"``: the fourth
    time that a draw is due) to what happens instead: ``"clock"`` (it is called and runs out),
    ``"call"`` (it is called), ``"resign"`` (the one who is asked resigns), ``"resign 2"`` (that
    seat does, as soon as it has to speak) or ``"resign target"`` (the one who is guessed at does,
    instead of answering). With ``"silent"`` in the place of ``"resign"`` it is heard no more, and
    the others go on without it or claim the game; ``"back 2"`` brings that seat back. ``"late 0"``
    lets seat 0 vote about the one who is asked, whose message then arrives after all.
    ``keyless``: the first seat that goes out is heard no more when its key is due.
    """

    name: str
    about: str
    seats: int = 2
    preset: str = "classic"
    options: Mapping[str, str] = field(default_factory=dict)
    first: int | None = None
    hit: int = 160
    stop: int = 96
    events: Mapping[str, str] = field(default_factory=dict)
    keyless: bool = False
    seed: int = 0


class Dice:
    """Numbers from a seed, the same on every machine."""

    def __init__(self, seed: str) -> None:
        self._seed, self._rolls = seed, 0

    def roll(self, sides: int) -> int:
        self._rolls += 1
        digest = hashlib.sha256(f"{self._seed}/{self._rolls}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % sides


def table_of(plan: Plan) -> Table:
    """Return the table of a plan, started."""
    entropy = seeded(f"vectors, game {plan.name} {plan.seed}")
    who = signers(plan.seats, entropy)
    contract = contract_for(who, plan.preset, plan.options, first=plan.first, entropy=entropy)
    return Table(contract, who, entropy).start()


def play(plan: Plan, until: Callable[[Table], bool] = lambda _: False) -> Table:
    """Play a game to its end, or until something is so when a player is asked."""
    table = table_of(plan)
    if plan.keyless:
        table.tamper = _without_keys
    return play_on(plan, table, Dice(f"{plan.name} {plan.seed}"), until)


def play_on(
    plan: Plan, table: Table, dice: Dice, until: Callable[[Table], bool] = lambda _: False
) -> Table:
    """Play on from where a table stands; the plan's events are counted from there."""
    asked = Counter[str]()
    for _ in range(MOVES_MAX):
        table.deliver()
        _go_on_without_key(table)
        peer = _due(table)
        if peer is None or until(table):
            return table
        step = peer.game.round.step
        event = plan.events.get(f"{step} {asked[step]}")
        asked[step] += 1
        move = None
        if event is None or event.startswith(("call", "resign ", "silent ", "back ", "late ")):
            move = _move(plan, table, peer, dice)
        if event is not None:
            _happen(table, peer, event, move)
        if move is not None:
            table.play(peer.seat, move)
        if event is not None and event.startswith("late"):
            _arrive(table, _whose(peer, event, move))
        if event is not None and event.startswith("silent"):
            _go_on_without(table, _whose(peer, event, move))
    raise AssertionError(f"{plan.name} does not end")


def _without_keys(_sender: int, _to: int, data: bytes) -> bytes | None:
    payload = payload_in(data)
    return None if payload is not None and payload.kind == "key" else data


def _go_on_without_key(table: Table) -> None:
    """Let all others go on without a seat that is out and whose key they have not heard."""
    waiting = [peer for peer in table.peers if peer.game.round.owes_key is not None]
    if not waiting or table.tamper is not _without_keys:
        return
    (lost,) = {peer.game.round.owes_key or 0 for peer in waiting}
    table.tamper = lambda _sender, _to, data: data
    for other in waiting:
        table.disconnect(other.seat, lost)
    _go_on_without(table, lost)


def _due(table: Table) -> Peer | None:
    """Who is asked, of those whom somebody hears; the last receipts have their time."""
    heard = [peer for peer in table.peers if len(_cut(table, peer.seat)) < len(table.peers) - 1]
    asked = next((peer for peer in heard if asks_player(peer.game)), None)
    if asked is None and table.cut:
        table.wait(int(RECEIPT_WAIT_S) + 1)
    return asked


def _cut(table: Table, seat: int) -> list[frozenset[int]]:
    return [link for link in table.cut if seat in link]


def _whose(peer: Peer, event: str, move: Move | None) -> int:
    """The seat that an event is about."""
    whose = event.partition(" ")[2]
    target = move.seat if isinstance(move, Guess) else peer.seat
    seats = {"": peer.seat, "target": target}
    return seats[whose] if whose in seats else int(whose)


def _go_on_without(table: Table, lost: int) -> None:
    """Let all others wait for as long as they must, and then sign what they can."""
    table.deliver()
    table.wait(int(WAIT_S))
    others = [peer for peer in table.peers if peer.seat != lost]
    for peer in others:
        for one in peer.told(Offered)[-1:]:
            if one.seat == lost and (one.vote or one.claim):
                table.give(peer.seat, VoteOut(seat=lost) if one.vote else Claim())
                table.deliver()


def _happen(table: Table, peer: Peer, event: str, move: Move | None) -> None:
    what = event.partition(" ")[0]
    who = _whose(peer, event, move)
    if what == "resign":
        table.give(who, Play(move=Resign()))
        return
    if what == "late":
        _vote_alone(table, who, peer.seat)
        return
    if what in ("silent", "back"):
        for other in range(len(table.peers)):
            if other != who:
                (table.disconnect if what == "silent" else table.connect)(who, other)
        table.deliver()
        return
    board = peer.game.round.board
    clock = table.contract.options.clock
    if clock is None:
        raise AssertionError("no clock to call")
    table.tick(clock.think_s + 1)
    caller = next(s for s in range(board.seats) if s != board.turn and s not in board.out)
    table.give(caller, CallClock())
    table.deliver()
    if what == "clock":
        table.tick(clock.call_s + 1)


def _vote_alone(table: Table, voter: int, lost: int) -> None:
    """Let one seat that nobody reaches vote about another."""
    for other in range(len(table.peers)):
        if other != voter:
            table.disconnect(voter, other)
    table.wait(int(WAIT_S))
    table.give(voter, VoteOut(seat=lost))


def _arrive(table: Table, voter: int) -> None:
    """Bring a seat back once all others have heard the message."""
    table.deliver()
    for other in range(len(table.peers)):
        if other != voter:
            table.connect(voter, other)
    table.wait(int(BEAT_S) + 1)


# --- moves -----------------------------------------------------------------------------------


def _move(plan: Plan, table: Table, peer: Peer, dice: Dice) -> Move:
    round_ = peer.game.round
    row, drawn = own_faces(peer.game)
    match round_.step:
        case "take":
            size = hand_size(len(round_.contract.playing))
            black = dice.roll(size + 1)
            return Take(counts=(black, size - black))
        case "arrange":
            orders = itertools.permutations(range(len(row)))
            fitting = [order for order in orders if in_order([row[k] for k in order])]
            return Arrange(order=fitting[dice.roll(len(fitting))])
        case "draw":
            decks = [deck for deck, left in enumerate(round_.board.pile) if left]
            return Draw(deck=decks[dice.roll(len(decks))])
        case "place":
            return Place(slot=_slot(row, drawn, dice))
        case "turn-up":
            pieces = round_.board.rows[peer.seat]
            standing = [slot for slot, piece in enumerate(pieces, 1) if piece.standing]
            return Reveal(slot=standing[dice.roll(len(standing))])
        case "more" if dice.roll(256) < plan.stop:
            return Stop(slot=None if drawn is None else _slot(row, drawn, dice))
    return _guess(plan, table, peer, dice)


def _slot(row: tuple[Tile, ...], drawn: Tile | None, dice: Dice) -> int:
    if drawn is None:
        raise AssertionError("nothing to place")
    slots = legal_slots(row, drawn)
    return slots[dice.roll(len(slots))]


def _guess(plan: Plan, table: Table, peer: Peer, dice: Dice) -> Guess:
    board = peer.game.round.board
    places = [
        (seat, slot)
        for seat, row in enumerate(board.rows)
        if seat != peer.seat
        for slot, piece in enumerate(row, 1)
        if piece.standing
    ]
    seat, slot = places[dice.roll(len(places))]
    truth = own_faces(table.peers[seat].game)[0][slot - 1]
    tile = truth if dice.roll(256) < plan.hit else _another(board, truth, dice)
    bare = Guess(seat=seat, slot=slot, call=Call(colour=None, number=tile.number))
    # Where a bare call names the same tile, or is a miss by rule, it is made now and then.
    if named_tile(board, bare) in (None, tile) and dice.roll(4) == 0 and tile != truth:
        return bare
    if named_tile(board, bare) == tile and dice.roll(2) == 0:
        return bare
    return Guess(seat=seat, slot=slot, call=Call(colour=tile.colour, number=tile.number))


def _another(board: State, truth: Tile, dice: Dice) -> Tile:
    shown = {piece.face for row in board.rows for piece in row}
    others = sorted(board.options.tiles - shown - {truth}, key=lambda tile: tile.code)
    return others[dice.roll(len(others))]
