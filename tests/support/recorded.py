"""Recorded games: the table as it stood before each message, to go on from as one likes.

A recording is made once and never stepped again; every test forks the moment that it needs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from p2p_davinci.rules.legal import named_tile
from p2p_davinci.rules.moves import (
    Call,
    Draw,
    Drawn,
    Guess,
    Move,
    Overran,
    Place,
    Resign,
    Reveal,
    Stop,
)
from p2p_davinci.rules.state import Phase, State
from p2p_davinci.rules.tiles import Tile, legal_slots
from p2p_davinci.session import wire
from p2p_davinci.session.events import CallClock
from p2p_davinci.session.game import own_faces
from protocol import Payload, PeerFault, read_envelope

from .table import Peer, Table, each_proof_checked_once, new_table, seeded

Event = Callable[[Table], None]
"""Something else than a move that happens at the table."""
Script = Callable[[Table, Peer], Move | Event | None]
"""What the player who is asked does, or what happens meanwhile; ``None`` ends the recording."""


def payload_in(data: bytes) -> Payload | None:
    """Return the payload of the envelope in a message between peers, if it carries one."""
    try:
        message = wire.read(data)
    except PeerFault:
        return None
    return read_envelope(message.raw).payload if isinstance(message, wire.Chained) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The table when ``payload`` has been sent, and its signer alone knows it.

    All others have heard everything that came before.
    """

    table: Table
    payload: Payload

    def fork(self) -> Table:
        """Return a table of one's own that stands where this one stood."""
        return self.table.fork(seeded("fork"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    moments: tuple[Moment, ...]
    end: Table

    def find(
        self,
        kind: str,
        *,
        seat: int | None = None,
        nth: int = 0,
        where: Callable[[Moment], bool] = lambda _: True,
    ) -> Moment:
        """Return the ``nth`` moment before a message of this kind, by this seat if it is given."""
        found = [
            moment
            for moment in self.moments
            if moment.payload.kind == kind and seat in (None, moment.payload.seat) and where(moment)
        ]
        if len(found) <= nth:
            raise LookupError(f"{len(found)} messages {kind} were recorded")
        return found[nth]


def decided(moment: Moment) -> bool:
    """Whether the round is decided, so that a key that is due is the winner's."""
    state = moment.table.peers[0].game.round.state
    return state is not None and state.winner is not None


def record(table: Table, script: Script) -> Recording:
    """Start the table and play it by the script to its end, remembering every moment."""
    moments: list[Moment] = []
    seen: set[tuple[bytes, int, int]] = set()

    def deliver() -> None:
        while table.mail:
            sender, _, data = table.mail[0]
            payload = payload_in(data)
            if payload is not None and payload.seat == sender:
                key = (payload.session, payload.step, sender)
                if key not in seen:
                    seen.add(key)
                    moments.append(Moment(table=table.fork(seeded(0)), payload=payload))
            table.deliver_one()

    with each_proof_checked_once():
        table.start()
        deliver()
        while (peer := table.due()) and (next_ := script(table, peer)):
            if callable(next_):
                next_(table)
            else:
                table.play(peer.seat, next_)
            deliver()
    return Recording(moments=tuple(moments), end=table)


# --- what all peers together know ------------------------------------------------------------


def face_at(table: Table, seat: int, slot: int) -> Tile:
    """Return the true face of a tile in a row."""
    row, _ = own_faces(table.peers[seat].game)
    return row[slot - 1]


def targets(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield the places that ``seat`` may point at, its left neighbour's first."""
    for step in range(1, state.seats):
        other = (seat + step) % state.seats
        for slot, piece in enumerate(state.rows[other], 1):
            if piece.standing:
                yield other, slot


def right_guess(table: Table, seat: int, target: int | None = None) -> Guess:
    """Return a guess by ``seat`` that hits the next player, or the one that is given."""
    places = targets(table.peers[seat].game.round.board, seat)
    target, slot = next(place for place in places if target in (None, place[0]))
    tile = face_at(table, target, slot)
    return Guess(seat=target, slot=slot, call=Call(colour=tile.colour, number=tile.number))


def wrong_guess(table: Table, seat: int) -> Guess:
    """Return a guess by ``seat`` that misses, and that no one can know to miss."""
    state = table.peers[seat].game.round.board
    for target, slot in targets(state, seat):
        true, piece = face_at(table, target, slot), state.rows[target][slot - 1]
        for tile in sorted(state.options.tiles - piece.misses, key=lambda tile: tile.code):
            if tile != true and piece.back in (None, tile.colour):
                return Guess(
                    seat=target, slot=slot, call=Call(colour=tile.colour, number=tile.number)
                )
    raise AssertionError("every call would hit")


def asked_face(table: Table, state: State) -> tuple[Tile, Tile | None]:
    """Return the true face of the tile that the pending guess names, and the named one."""
    if state.pending is None:
        raise AssertionError("no guess is pending")
    return (
        face_at(table, state.pending.seat, state.pending.slot),
        named_tile(state, state.pending),
    )


def own_slot(peer: Peer, *, last: bool = False) -> int | None:
    """Return the leftmost (or the last) legal slot for the tile that a peer has drawn."""
    row, drawn = own_faces(peer.game)
    if drawn is None:
        return None
    return legal_slots(row, drawn)[-1 if last else 0]


# --- what happens besides moves --------------------------------------------------------------


def passes(seconds: float) -> Event:
    """Let time pass at all seats."""
    return lambda table: table.tick(seconds)


def calls_clock(seat: int) -> Event:
    return lambda table: table.give(seat, CallClock())


def resigns(seat: int) -> Event:
    return lambda table: table.play(seat, Resign())


# --- scripts ---------------------------------------------------------------------------------


def lively(turns: int) -> Script:
    """Hit and stop, hit and miss, miss, in turn; after so many turns hit until all is over."""

    def script(table: Table, peer: Peer) -> Move:
        game = peer.game
        if game.round.state is None:
            return table.bot_move(peer)
        state = game.round.state
        drawn = sum(isinstance(fact, Drawn | Overran) for _, fact in state.history)
        match state.phase:
            case Phase.DRAW:
                return Draw(deck=max(range(len(state.pile)), key=lambda k: state.pile[k]))
            case Phase.GUESS if drawn % 3 == 0 and drawn < turns:
                return wrong_guess(table, peer.seat)
            case Phase.MORE if drawn % 3 == 1 and drawn < turns:
                return Stop(slot=own_slot(peer, last=True))
            case Phase.MORE if drawn % 3 == 2 and drawn < turns:
                return wrong_guess(table, peer.seat)
            case Phase.GUESS | Phase.MORE:
                return right_guess(table, peer.seat)
            case Phase.PLACE:
                return Place(slot=own_slot(peer))
            case _:
                return Reveal(slot=first_standing(state, peer.seat))

    return script


def patient(table: Table, peer: Peer) -> Move:
    """Miss until the pile is used up, then hit once and miss, until all is over."""
    game = peer.game
    if game.round.state is None:
        return table.bot_move(peer)
    state = game.round.state
    match state.phase:
        case Phase.DRAW:
            return Draw(deck=max(range(len(state.pile)), key=lambda k: state.pile[k]))
        case Phase.GUESS if (
            state.drawn is None and sum(piece.standing for piece in state.rows[peer.seat]) > 2
        ):
            return right_guess(table, peer.seat)
        case Phase.GUESS | Phase.MORE:
            return wrong_guess(table, peer.seat)
        case Phase.PLACE:
            return Place(slot=own_slot(peer))
        case _:
            return Reveal(slot=first_standing(state, peer.seat))


def first_standing(state: State, seat: int) -> int:
    return next(slot for slot, piece in enumerate(state.rows[seat], 1) if piece.standing)


def play_until(table: Table, script: Script, stop: Callable[[State], bool]) -> Peer:
    """Play by a script until a player is asked in a state that will do; return that peer."""
    table.deliver()
    while (peer := table.due()) is not None:
        state = peer.game.round.state
        move = script(table, peer)
        if state is not None and stop(state):
            return peer
        if move is None or callable(move):
            break
        table.play(peer.seat, move)
        table.deliver()
    raise AssertionError("that never happened")


@functools.cache
def spent() -> Recording:
    """Return a game for two with open backs in which the pile is used up."""
    return record(new_table(2, "classic", seed="spent"), patient)


@functools.cache
def recording(preset: str, seats: int = 3, turns: int = 6, **overrides: str) -> Recording:
    """Return a lively game under a preset; the same for all who ask."""
    table = new_table(seats, preset, overrides, seed=(preset, seats, "recording"))
    return record(table, lively(turns))


def code_at(table: Table, seat: int, slot: int) -> int:
    return face_at(table, seat, slot).code


# --- going on from a moment ------------------------------------------------------------------


def finish(table: Table) -> Table:
    """Let whoever is asked hit and hit until the game is over."""
    table.deliver()
    while (peer := table.due()) is not None:
        table.play(peer.seat, hitting(table, peer))
        table.deliver()
    return table


def hitting(table: Table, peer: Peer) -> Move:
    """Return the move of a player who knows everything."""
    state = peer.game.round.state
    if state is None:
        return table.bot_move(peer)
    match state.phase:
        case Phase.DRAW:
            return Draw(deck=max(range(len(state.pile)), key=lambda k: state.pile[k]))
        case Phase.GUESS | Phase.MORE:
            return right_guess(table, peer.seat)
        case Phase.PLACE:
            return Place(slot=own_slot(peer))
        case _:
            return Reveal(slot=first_standing(state, peer.seat))
