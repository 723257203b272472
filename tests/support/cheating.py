"""A peer that says something else than its program would: for honest peers to find out.

A scene is a recorded moment at which the cheater owes a message. The cheater knows all that its
seat knows, has the code of an honest peer to make proofs with, and signs with its own key.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2p_davinci.rules.moves import Arrange, Place, Reveal, Stop
from p2p_davinci.rules.tiles import Tile, tile_of_code
from p2p_davinci.session import deal, ending, placing, setup, turns, wire
from p2p_davinci.session.audit import Status, Verdict, verify_log
from p2p_davinci.session.contract import Contract
from p2p_davinci.session.events import Received
from p2p_davinci.session.messages import Body, read_body
from p2p_davinci.session.secrets import Made, Seat
from p2p_davinci.session.state import Held, Round
from protocol import Payload, Value, as_uint, generate_secret, seal

from .recorded import Moment
from .table import Peer, Table, seeded


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A table at which ``seat``, the cheater, may say what it likes in the current step."""

    table: Table
    seat: int
    honest: Payload
    """What the step's speaker would have said."""

    @property
    def others(self) -> tuple[Peer, ...]:
        """The honest peers."""
        return tuple(peer for peer in self.table.peers if peer.seat != self.seat)

    @property
    def round(self) -> Round:
        """The round as those know it who have not heard the step's speaker yet."""
        waiting = [peer for peer in self.others if peer.seat != self.honest.seat]
        return waiting[0].game.round

    @property
    def contract(self) -> Contract:
        return self.table.contract

    @property
    def me(self) -> Seat:
        """The cheater, with all that its seat knows."""
        secrets = self.table.peers[self.seat].game.secrets
        if secrets is None:
            raise AssertionError("the cheater has no secrets")
        signer = self.table.who[self.seat]
        return Seat(seat=self.seat, signer=signer, entropy=seeded("cheat"), secrets=secrets)

    @property
    def me_with_another_key(self) -> Seat:
        """The cheater, taking another key for its own."""
        me = self.me
        key = generate_secret(seeded("another key"))
        return replace(me, secrets=replace(me.secrets, key=key))

    @property
    def body(self) -> Body:
        return read_body(self.honest.body)

    @property
    def drawn(self) -> Tile:
        """The tile that the cheater has drawn."""
        held = self.round.drawn
        if held is None:
            raise AssertionError("nothing has been drawn")
        return tile_of_code(self.me.secrets.code_of(held))

    # --- making a message ---

    def says(self, made: Made | Body, kind: str | None = None) -> Payload:
        """Return a payload for the scene's step with this body."""
        body = made.body if isinstance(made, Made) else made
        return replace(
            self.honest,
            seat=self.seat,
            kind=self.honest.kind if kind is None else kind,
            body=body.encode(),
        )

    def with_fields(self, *fields: Value) -> Payload:
        """Return the honest message with other fields under its proofs."""
        return self.says(replace(self.body, fields=fields))

    def with_field(self, index: int, field: Value) -> Payload:
        """Return the honest message with one other field under its proofs."""
        fields = list(self.body.fields)
        fields[index] = field
        return self.with_fields(*fields)

    def with_proofs(self, *proofs: bytes) -> Payload:
        """Return the honest message with other proof strings."""
        return self.says(replace(self.body, proofs=proofs))

    def sealed(self, payload: Payload) -> bytes:
        return seal(payload, self.table.who[self.seat]).encode()

    # --- telling it ---

    def tell(self, payload: Payload, to: Sequence[int] | None = None) -> bytes:
        """Send a payload, signed by the cheater, to all others or to some; return it as sent."""
        raw = self.sealed(payload)
        self.send(wire.write(wire.Chained(raw=raw)), to)
        return raw

    def send(self, data: bytes, to: Sequence[int] | None = None) -> None:
        for peer in self.others:
            if to is None or peer.seat in to:
                self.table.give(peer.seat, Received(seat=self.seat, data=data))

    # --- what honest peers make of it ---

    def expect_blame(self, check: str, *, seat: int | None = None, step: int | None = None) -> None:
        """Check that all honest peers blame the cheater for this, with proof, in game and log."""
        step = self.honest.step if step is None else step
        seat = self.seat if seat is None else seat
        for peer in self.others:
            blamed = peer.blamed
            assert blamed is not None, f"seat {peer.seat} saw nothing"
            found = (blamed.seat, blamed.step, blamed.check)
            assert found == (seat, step, check), f"found {found}"
            assert blamed.proved
            verdict = verdict_of(peer.log_bytes)
            assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))

    def expect_suspicion(self, check: str) -> None:
        """Check that all honest peers stop because of the cheater, without proof against it."""
        for peer in self.others:
            blamed = peer.blamed
            assert blamed is not None, f"seat {peer.seat} saw nothing"
            assert (blamed.seat, blamed.check, blamed.proved) == (self.seat, check, False)
            verdict = verdict_of(peer.log_bytes)
            assert verdict.status is Status.UNFINISHED
            assert [(note.kind, note.reason, note.seat) for note in verdict.notes] == [
                ("suspicion", check, self.seat)
            ]

    def expect_accepted(self) -> None:
        """Check that all honest peers took the cheater's message for this step as in order."""
        for peer in self.others:
            assert peer.blamed is None
            assert not peer.game.doubts
            now = peer.game.round.chain
            waiting = now.step.number == self.honest.step and self.seat in now.awaited
            assert not waiting


@functools.lru_cache(maxsize=8)
def verdict_of(log: bytes) -> Verdict:
    """Return the verdict on a log, which honest peers often have in common."""
    return verify_log(log)


def scene_at(moment: Moment, *, seat: int | None = None) -> Scene:
    """Return the scene of a recorded moment; the cheater is its speaker unless told otherwise."""
    speaker = moment.payload.seat
    return Scene(table=moment.fork(), seat=speaker if seat is None else seat, honest=moment.payload)


def opened(
    round_: Round,
    me: Seat,
    held: Held,
    before: tuple[Value, ...],
    behind: tuple[Value, ...] = (),
    *proofs: bytes,
) -> Body:
    """Return a body that opens one's own tile with a good proof, between whatever else it says."""
    share = turns.make_share(me, held)
    fields = (*before, share, *behind)
    return Body(
        fields=fields, proofs=(turns.prove_opening(round_, me, held, share, fields), *proofs)
    )


# --- the honest twin -------------------------------------------------------------------------


def remade(scene: Scene) -> Payload:
    """Return what the cheater should say, made anew by the session's own makers."""
    return scene.says(_MAKERS[scene.honest.kind](scene))


def _arrange(scene: Scene) -> Made:
    order = scene.body.fields[0]
    assert isinstance(order, tuple)
    move = Arrange(order=tuple(as_uint(k, "order") for k in order))
    return deal.make_arrange(scene.round, scene.me, move)


def _slot(scene: Scene) -> int | None:
    slot = scene.body.fields[0]
    return None if slot is None else as_uint(slot, "slot")


def _reveal(scene: Scene) -> Made:
    return placing.make_turn_up(scene.round, scene.me, Reveal(slot=_slot(scene) or 0))


_MAKERS: dict[str, Callable[[Scene], Made | Body]] = {
    "commit": lambda scene: setup.make_commit(scene.round, scene.me),
    "open": lambda scene: setup.make_open(scene.round, scene.me),
    "shuffle": lambda scene: setup.make_shuffle(scene.round, scene.me),
    "take": lambda scene: scene.body,
    "shares": lambda scene: deal.make_shares_sent(scene.round, scene.me),
    "arrange": _arrange,
    "draw": lambda scene: scene.body,
    "guess": lambda scene: scene.body,
    "answer": lambda scene: turns.make_answer(scene.round, scene.me),
    "stop": lambda scene: placing.make_stop(scene.round, scene.me, Stop(slot=_slot(scene))),
    "place": lambda scene: placing.make_place(scene.round, scene.me, Place(slot=_slot(scene))),
    "turn-up": _reveal,
    "overdue": lambda scene: scene.body,
    "resign": lambda scene: ending.make_resign(scene.round, scene.me),
    "key": lambda scene: ending.make_key(scene.round, scene.me),
    "receipt": lambda scene: ending.make_receipt(scene.round, scene.me),
}


# --- a cheat ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat:
    """One way to cheat: when, what is said instead, and the check that finds it."""

    name: str
    moment: Callable[[], Moment]
    says: Callable[[Scene], Payload]
    check: str
    seat: int | None = None
    """The cheater, if it is not the speaker of that moment."""

    @property
    def scene(self) -> Scene:
        return scene_at(self.moment(), seat=self.seat)

    def __str__(self) -> str:
        return self.name


def expect_found_out(cheat: Cheat) -> None:
    """Check that all honest peers blame the cheater, in the game and in its log."""
    scene = cheat.scene
    scene.tell(cheat.says(scene))
    blamed = [peer.blamed for peer in scene.others]
    scene.table.deliver()
    scene.expect_blame(cheat.check)
    assert blamed == [peer.blamed for peer in scene.others]


def expect_twin_passes(cheat: Cheat) -> None:
    """Check that what should have been said at that moment, made in the same way, is accepted."""
    scene = scene_at(cheat.moment())
    scene.tell(remade(scene))
    scene.expect_accepted()
