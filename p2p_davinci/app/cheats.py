"""Bots that cheat, for people who want to see cheating found out (``--bot-cheats``).

A cheat changes what its bot's program is about to send: the lie is made with the bot's own key and
secrets and is signed like any message, so it shows what a player with a modified program could do.
Nothing in the session knows of it; the bot's own game goes on as if it had been honest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from protocol import (
    Payload,
    Shuffled,
    Signer,
    make_shares,
    prove_miss,
    prove_shares,
    prove_shuffle,
    read_envelope,
    seal,
    shuffle_deck,
    start_deck,
)

from ..rules.moves import Arrange
from ..rules.tiles import tile_of_code
from ..session import deal, flow, setup, turns, wire
from ..session.game import Game
from ..session.messages import Body, deck_field, join, read_body
from ..session.secrets import Made, Seat
from ..session.state import Held, Round

Send: TypeAlias = Callable[[bytes, int | None], None]
Said: TypeAlias = tuple[int | None, Payload]
"""To whom (``None``: to all others) the cheater says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The bot is about to say ``honest``.

    ``round`` is as it was before this step's messages, ``game`` as its own program goes on.
    """

    game: Game
    round: Round
    me: Seat
    honest: Payload

    @property
    def body(self) -> Body:
        """What the honest program would say."""
        return read_body(self.honest.body)

    def lie(self, body: Body) -> tuple[Said, ...]:
        """Return ``body`` said to all in the place of the honest one."""
        return ((None, replace(self.honest, body=body.encode())),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cheat:
    """A way to cheat: on which kinds of message, and what is said instead (nothing: no occasion).

    ``checks`` are the checks that find it.
    """

    kinds: frozenset[str]
    says: Callable[[Moment], tuple[Said, ...]]
    checks: frozenset[str] = frozenset({"sigma.equation"})


# --- the cheats ------------------------------------------------------------------------------


def _false_miss(moment: Moment) -> tuple[Said, ...]:
    """Deny a right guess: prove that some other tile would not have been the one called."""
    if moment.body.fields[0] is not True:
        return ()
    question, me = turns.asked(moment.round), moment.me
    called = question.called.code
    proof = prove_miss(
        me.secrets.key,
        question.held.cipher,
        called + 1,
        called,
        moment.round.tag(me.seat, "answer.miss", (False,)),
        me.entropy,
    )
    return moment.lie(Body(fields=(False,), proofs=(proof,)))


def _stacked_deck(moment: Moment) -> tuple[Said, ...]:
    """Hand on decks in an order of one's own choice instead of the ones that came in."""
    round_, me = moment.round, moment.me
    key = round_.joint
    if key is None:
        return ()
    done = [shuffle_deck(deck, key, me.entropy) for deck in round_.decks]
    stacked = [
        Shuffled(deck=start_deck(codes, key), commitments=shuffled.commitments)
        for codes, (shuffled, _) in zip(round_.codes, done, strict=True)
    ]
    fields = tuple((deck_field(s.deck), join(s.commitments)) for s in stacked)
    proofs = tuple(
        prove_shuffle(
            key,
            round_.decks[k],
            stacked[k],
            witness,
            round_.tag(me.seat, "shuffle", fields, k),
            me.entropy,
        )
        for k, (_, witness) in enumerate(done)
    )
    return moment.lie(Body(fields=fields, proofs=proofs))


def _wrong_share(moment: Moment) -> tuple[Said, ...]:
    """Uncover somebody's drawn tile as another tile than it is."""
    round_, me = moment.round, moment.me
    if round_.drawn is None:
        return ()
    tiles = (round_.drawn.cipher,)
    shares = make_shares(me.secrets.key, (replace(tiles[0], a=tiles[0].b),))
    fields = (join(shares),)
    tag = round_.tag(me.seat, "shares", fields)
    proof = prove_shares(me.secrets.key, tiles, shares, tag, me.entropy)
    return moment.lie(Body(fields=fields, proofs=(proof,)))


def _unsorted_row(moment: Moment) -> tuple[Said, ...]:
    """Stand one's numbers in falling order, and commit to them as if they rose."""
    round_, me = moment.round, moment.me
    hand = round_.hands[me.seat]
    codes = [me.secrets.code_of(held) for held in hand]
    numbers = [k for k in range(len(hand)) if tile_of_code(codes[k]).number is not None]
    if len(numbers) < 2:
        return ()
    rising = sorted(numbers, key=lambda k: codes[k])
    jokers = [k for k in range(len(hand)) if k not in numbers]
    order = (*reversed(rising), *jokers)
    pretended = {
        _tile(hand[true]): codes[told]
        for true, told in zip(order[: len(rising)], rising, strict=True)
    }
    secrets = replace(me.secrets, codes={**me.secrets.codes, **pretended})
    made: Made = deal.make_arrange(round_, replace(me, secrets=secrets), Arrange(order=order))
    return moment.lie(made.body)


def _tile(held: Held) -> tuple[int, int]:
    return held.deck, held.index


def _out_of_turn(moment: Moment) -> tuple[Said, ...]:
    """Draw once more after one's own turn has passed."""
    chain, seat = moment.game.round.chain, moment.me.seat
    if moment.game.round.step != "draw" or seat in chain.awaited:
        return ()
    draw = Payload(
        session=chain.session,
        seat=seat,
        step=chain.step.number,
        head=chain.step.head,
        kind="draw",
        body=Body(fields=(0,)).encode(),
    )
    return (None, moment.honest), (None, draw)


def _two_faces(moment: Moment) -> tuple[Said, ...]:
    """Make one guess to one player and another to all others, or both to the only one."""
    seat, slot, call = moment.body.fields
    number = "1" if str(call).endswith("0") else "0"
    other = Body(fields=(seat, slot, f"{str(call).rstrip('0123456789-')}{number}"))
    lie = replace(moment.honest, body=other.encode())
    others = [k for k in range(moment.round.seats) if k != moment.me.seat]
    if len(others) == 1:
        return (None, moment.honest), (None, lie)
    return (others[0], moment.honest), *((k, lie) for k in others[1:])


def _changed_contract(moment: Moment) -> tuple[Said, ...]:
    """Begin under a contract that differs in some bytes from the one that all agreed on."""
    contract = moment.round.contract
    fresh = (bytes(len(contract.fresh[0])), *contract.fresh[1:])
    begun = flow.begin(replace(contract, fresh=fresh))
    made = setup.make_commit(begun, moment.me)
    chain = begun.chain
    lie = replace(
        moment.honest, session=chain.session, head=chain.step.head, body=made.body.encode()
    )
    return ((None, lie),)


CHEATS: Final[Mapping[str, Cheat]] = MappingProxyType(
    {
        "false-miss": Cheat(kinds=frozenset({"answer"}), says=_false_miss),
        "stacked-deck": Cheat(kinds=frozenset({"shuffle"}), says=_stacked_deck),
        "wrong-share": Cheat(kinds=frozenset({"shares"}), says=_wrong_share),
        "unsorted-row": Cheat(kinds=frozenset({"arrange"}), says=_unsorted_row),
        "out-of-turn": Cheat(
            kinds=frozenset({"stop", "place", "turn-up"}),
            says=_out_of_turn,
            checks=frozenset({"chain.speaker"}),
        ),
        "two-faces": Cheat(
            kinds=frozenset({"guess"}), says=_two_faces, checks=frozenset({"chain.doubled"})
        ),
        "changed-contract": Cheat(
            kinds=frozenset({"commit"}),
            says=_changed_contract,
            checks=frozenset({"chain.session", "chain.head"}),
        ),
    }
)
"""Every cheat by the name under which it is asked for."""


# --- cheating --------------------------------------------------------------------------------


class Cheater:
    """Stands between a bot's program and the network, and lies once, at the first occasion.

    What is sent again later, because somebody asks for it, is the same lie.
    """

    def __init__(self, name: str, signer: Signer, send: Send, game: Callable[[], Game]) -> None:
        self._cheat = CHEATS[name]
        self._signer = signer
        self._send = send
        self._game = game
        self._honest: bytes | None = None
        self._lies: Sequence[tuple[int | None, bytes]] = ()

    def send(self, data: bytes, seat: int | None) -> None:
        """Send ``data`` to ``seat``, or to all others, or the lie in its place."""
        if self._honest is None:
            self._lies = self._lies_for(data)
            self._honest = data if self._lies else None
        if data != self._honest:
            self._send(data, seat)
            return
        for to, lie in self._lies:
            if seat is None or to in (None, seat):
                self._send(lie, to if seat is None else seat)

    def _lies_for(self, data: bytes) -> Sequence[tuple[int | None, bytes]]:
        message, game = wire.read(data), self._game()
        if not isinstance(message, wire.Chained) or game.seat is None or game.secrets is None:
            return ()
        honest, chain = read_envelope(message.raw).payload, game.round.chain
        now = honest.session in (game.round.contract_hash, chain.session) and not game.round.drops
        if honest.seat != game.seat or honest.kind not in self._cheat.kinds or not now:
            return ()
        round_ = _round_at(game.round, honest.step)
        me = Seat(seat=game.seat, signer=self._signer, entropy=os.urandom, secrets=game.secrets)
        moment = Moment(game=game, round=round_, me=me, honest=honest)
        return [
            (to, wire.write(wire.Chained(raw=seal(payload, self._signer).encode())))
            for to, payload in self._cheat.says(moment)
        ]


def _round_at(round_: Round, number: int) -> Round:
    """Return a round as it was before anything was said in its step ``number``."""
    past = flow.begin(round_.contract, round_.results, round_.used_keys - set(round_.keys))
    for said in round_.transcript[:number]:
        for envelope in said:
            past = flow.hear(past, envelope, flow.check(past, envelope))
        past = flow.close(past)
    return past
