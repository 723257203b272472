"""A round as everybody may know it: keys, decks, rows of encrypted tiles, and the chain's head.

Nothing here is secret and nothing here acts: the steps' checks and consequences are in
:mod:`.setup`, :mod:`.turns` and :mod:`.ending`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from protocol import Chain, Ciphertext, Envelope, Point, Scalar, Value, encode, proof_tag

from ..rules.scoring import Result
from ..rules.state import State
from ..rules.tiles import JOKER_CODE_BASE
from .contract import Contract
from .messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A tile in somebody's hand or row: where it came from, and under what it is hidden.

    ``cipher`` is the deck's ciphertext until the others' shares are taken off, then an encryption
    under the owner's key alone (``clear``); ``value`` commits to its code once it has entered a
    row hidden.
    """

    deck: int
    index: int
    cipher: Ciphertext
    clear: bool = False
    value: Point | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A step that ended because all others went on without ``seat``: their votes, in seat order."""

    step: int
    head: bytes
    seat: int
    votes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round, public part; all tuples are in seat order unless said otherwise.

    ``step`` names the kind of the current step. ``decks`` are the decks as last shuffled and
    ``taken`` how many tiles are gone from the front of each. ``opened`` are the secret keys that
    have been given away (``None`` while kept). ``spoken`` are the messages of the current step,
    ``transcript`` the envelopes of all closed steps, each in seat order: none for a step that ended
    with a drop.
    """

    contract: Contract
    contract_hash: bytes
    chain: Chain
    step: str
    spoken: tuple[tuple[int, Message], ...] = ()
    transcript: tuple[tuple[Envelope, ...], ...] = ()
    drops: tuple[Drop, ...] = ()
    commitments: tuple[bytes, ...] = ()
    nonces: tuple[bytes, ...] = ()
    keys: tuple[Point, ...] = ()
    joint: Point | None = None
    decks: tuple[tuple[Ciphertext, ...], ...] = ()
    shuffled: int = 0
    taken: tuple[int, ...] = ()
    hands: tuple[tuple[Held, ...], ...] = ()
    arranged: tuple[tuple[Held, ...], ...] = ()
    """The rows as they were first stood."""
    drawn: Held | None = None
    opened: tuple[Scalar | None, ...]
    first: int | None = None
    state: State | None = None
    fresh: tuple[bytes, ...] = ()
    """The receipts' fresh bytes for the next round's contract."""
    results: tuple[Result, ...] = ()
    """The results of the table's earlier rounds."""
    used_keys: frozenset[bytes] = frozenset()
    clock_heads: frozenset[bytes] = frozenset()
    """The heads since the player in turn began to think: a clock call must name one of them."""

    @property
    def seats(self) -> int:
        """How many seats the round has."""
        return len(self.contract.players)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that may still have to speak before the round is decided, ascending.

        Those whose key is not known, and that nobody went on without.
        """
        gone = {drop.seat for drop in self.drops}
        return tuple(
            seat for seat, secret in enumerate(self.opened) if secret is None and seat not in gone
        )

    @property
    def owes_key(self) -> int | None:
        """The seat that must give its key before anything else, if one must.

        It is the winner; before the round is decided, a seat that has just gone out. Who takes no
        tiles in the round never gives its key.
        """
        if self.state is None:
            return None
        if self.state.winner is not None:
            owing = {self.state.winner}
        else:
            owing = {seat for seat in self.state.out if self.hands[seat]}
        return next((seat for seat in self.present if seat in owing), None)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The seats that the others went on without, in the order in which that happened."""
        return tuple(drop.seat for drop in self.drops)

    def head_before(self, step: int) -> bytes:
        """Return the head before a closed step."""
        said = self.transcript[step]
        if said:
            return said[0].payload.head
        return next(drop.head for drop in self.drops if drop.step == step)

    @property
    def codes(self) -> tuple[tuple[int, ...], ...]:
        """The codes of each start deck."""
        return tuple(tuple(tile.code for tile in deck) for deck in self.contract.options.decks)

    @property
    def board(self) -> State:
        """The engine's state; only once every row is arranged."""
        if self.state is None:
            raise ValueError("no row is arranged yet")
        return self.state

    def tag(self, seat: int, label: str, fields: Value, index: int = 0) -> bytes:
        """Return the tag under which ``seat`` proves something in the current step."""
        return proof_tag(
            session=self.chain.session,
            head=self.chain.step.head,
            seat=seat,
            label=label,
            index=index,
            fields=hashlib.sha256(encode(fields)).digest(),
        )

    def open_codes(self, deck: int) -> tuple[int, ...]:
        """Return the codes of ``deck`` that do not lie open yet."""
        if self.state is None:
            return self.codes[deck]
        shown = {piece.face.code for row in self.state.rows for piece in row if piece.face}
        return tuple(code for code in self.codes[deck] if code not in shown)

    def joker_codes(self, deck: int) -> tuple[int, ...]:
        """Return the codes of the jokers that a tile of ``deck`` may be."""
        return tuple(code for code in self.codes[deck] if code >= JOKER_CODE_BASE)

    def awaiting_shares(self, owner: int) -> tuple[int, ...]:
        """Return the seats that must give shares for a tile of ``owner``: all others present."""
        return tuple(seat for seat in self.present if seat != owner)

    def with_key_opened(self, seat: int, secret: Scalar) -> Round:
        """Return the round in which everybody knows the secret key of ``seat``."""
        opened = (*self.opened[:seat], secret, *self.opened[seat + 1 :])
        return replace(self, opened=opened)
