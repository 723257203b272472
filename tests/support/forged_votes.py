"""Logs of fresh games with votes, promises and claims that count, contradict, or do neither."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from p2p_davinci.session.backing import droppable
from p2p_davinci.session.game import Game
from protocol import CLAIM_KIND, DROP_KIND, PROMISE_KIND, Aside, Payload, Value, encode, seal_aside
from tests.support.forged_games import Entry, Fresh, Luck, Unfit, written
from tests.support.forged_messages import Forge, fault, put, sign
from tests.support.forged_values import ill_formed
from tests.support.vector_logs import Said


class Moment:
    """A step in which a seat can be dropped, and how its message stands in the log."""

    def __init__(self, game: Fresh, said: Said) -> None:
        self.game, self.said = game, said
        self.at: Game = game.game_at(said)
        self.lost = said.seat
        self.required = tuple(seat for seat in self.at.round.present if seat != self.lost)
        self.start = game.index(said.step_offset)

    def signed(
        self, seat: int, kind: str, body: Value, *backing: bytes, head: bytes | None = None
    ) -> Aside:
        payload = self.said.envelope.payload
        return seal_aside(
            session=payload.session,
            seat=seat,
            counter=0,
            head=payload.head if head is None else head,
            kind=kind,
            body=body,
            backing=backing,
            signer=self.game.table.who[seat % len(self.game.table.who)],
        )

    def vote(self, seat: int) -> Aside:
        return self.signed(seat, DROP_KIND, self.lost)

    def promise(self, seat: int, *backing: bytes, digest: bytes | None = None) -> Aside:
        mine = self.said.envelope.digest if digest is None else digest
        return self.signed(seat, PROMISE_KIND, (self.lost, mine), *backing)


def a_moment(game: Fresh, luck: Luck) -> Moment:
    """Return a moment at which somebody who spoke could have been dropped; any kind of step."""
    fit = [said for said in game.said if said.seat in droppable(game.game_at(said).round)]
    kinds = sorted({said.envelope.payload.kind for said in fit})
    kind = luck.pick(kinds)
    return Moment(game, luck.pick([s for s in fit if s.envelope.payload.kind == kind]))


def _record(aside: Aside) -> Entry:
    return ("aside", aside.encode())


# --- votes in a log --------------------------------------------------------------------------


def dropped(game: Fresh, luck: Luck) -> bytes:
    """All others vote before the step, within it, behind it, or much later."""
    moment = a_moment(game, luck)
    votes = [_record(moment.vote(seat)) for seat in moment.required]
    own = game.index(moment.said.offset)
    at = luck.pick((moment.start, moment.start, own, own + 1, own + 2, own + 1 + luck.roll(9)))
    at = min(at, len(game.records))
    if luck.one_in(4):
        votes = luck.some(votes)
    if luck.one_in(4):
        votes.insert(luck.roll(len(votes)), luck.pick(votes))
    return put(game, at, votes, luck)


def taken_back(game: Fresh, luck: Luck) -> bytes:
    """The seat that is dropped had gone on by itself: its message stands before the votes."""
    moment = a_moment(game, luck)
    own = game.index(moment.said.offset)
    before = game.entries[: moment.start]
    alone = [entry for entry in game.entries[moment.start : own + 1] if entry[0] == "envelope"]
    votes = [_record(moment.vote(seat)) for seat in moment.required]
    after = game.entries[own + 1 : own + 1 + luck.roll(4)]
    return written([*before, *alone, *votes, *after])


def voted(game: Fresh, luck: Luck) -> bytes:
    """Votes and promises, alone or several, somewhere in the log."""
    moment = a_moment(game, luck)
    asides = [_word(moment, luck) for _ in range(1 + luck.roll(4))]
    at = luck.pick((moment.start, moment.start + 1, moment.start + luck.roll(12)))
    return put(game, min(at, len(game.records)), [("aside", raw) for raw in asides], luck)


def _word(moment: Moment, luck: Luck, seat: int | None = None) -> bytes:
    """Return what some seat signs at a head: a vote, a promise, a claim, or none of these."""
    seats = moment.at.round.seats
    seat = (
        luck.pick((*moment.required,) * 3 + (moment.lost, luck.roll(seats)))
        if seat is None
        else seat
    )
    plain = moment.promise(luck.pick((*moment.required, moment.lost)))
    digest = luck.bytes_of(32)
    other = luck.roll(seats + 1)
    ways: tuple[Aside, ...] = (
        *(moment.vote(seat),) * 3,
        *(moment.promise(seat),) * 2,
        *(moment.promise(seat, plain.encode()),) * 2,
        moment.promise(seat, digest=digest),
        moment.promise(seat, moment.promise(other, digest=digest).encode()),
        moment.promise(seat, moment.promise(other, plain.encode()).encode()),
        moment.promise(seat, luck.pick((b"", b"\xc0", moment.vote(other).encode()))),
        moment.promise(seat, plain.encode(), plain.encode()),
        moment.signed(seat, DROP_KIND, other),
        moment.signed(seat, DROP_KIND, luck.pick((None, "0", 16, (moment.lost,)))),
        moment.signed(seat, DROP_KIND, moment.lost, plain.encode()),
        moment.signed(seat, DROP_KIND, moment.lost, head=bytes(32)),
        moment.signed(seat, PROMISE_KIND, luck.pick((None, moment.lost, (moment.lost, b"")))),
        moment.signed(seat, PROMISE_KIND, (other, moment.said.envelope.digest)),
        moment.signed(seat, CLAIM_KIND, None),
    )
    aside = luck.pick(ways)
    if luck.one_in(10):
        who = moment.game.table.who
        return ill_formed(aside, who[seat % len(who)], who[(seat + 1) % len(who)], luck)
    return aside.encode()


# --- contradictions --------------------------------------------------------------------------


def against_oneself(game: Fresh, luck: Luck) -> bytes:
    """Two things that one seat signed, in a fault record: contradictions and what is none."""
    moment = a_moment(game, luck)
    seat = luck.pick(moment.required)
    one = luck.pick((moment.vote(seat).encode(), _word(moment, luck, seat)))
    two = luck.pick((_word(moment, luck, seat), _later(moment, seat, luck)))
    items = luck.pick(((one, two), (two, one)))
    at = luck.pick((moment.start, moment.start + luck.roll(40), len(game.records)))
    return put(game, min(at, len(game.records)), [fault(*items)], luck)


def _later(moment: Moment, seat: int, luck: Luck) -> bytes:
    """Return what a seat says in a later step, with a promise in its backing or without."""
    game = moment.game
    later = [
        said
        for said in game.said
        if said.seat == seat and said.round == moment.said.round and said.step > moment.said.step
    ]
    payload = luck.pick(later[:3] or later).envelope.payload
    other = luck.pick((*moment.required, moment.lost))
    item = moment.promise(other, digest=luck.pick((None, None, None, bytes(32)))).encode()
    backing = luck.pick(((), (item,), (item,), payload.backing))
    if luck.one_in(3):
        claim = moment.signed(seat, CLAIM_KIND, None, *backing, head=payload.head)
        return claim.encode()
    return sign(game, replace(payload, backing=backing)).encode()


def voted_and_went_on(game: Fresh, luck: Luck) -> bytes:
    """A seat has voted in the log, and then speaks at a later head, backed or not."""
    moment = a_moment(game, luck)
    seat = luck.pick(moment.required)
    entries = game.entries
    later = _later(moment, seat, luck)
    step = [said for said in game.said if said.seat == seat and said.step > moment.said.step]
    said = luck.pick([one for one in step if one.round == moment.said.round][:2])
    at = game.index(said.offset)
    words: list[Entry] = [("envelope", later)]
    if luck.one_in(3):
        words = [fault(later)]
    vote = [_record(moment.vote(seat))]
    if luck.one_in(2):
        return written([*entries[: moment.start], *vote, *entries[moment.start : at], *words])
    return written([*entries[:at], *words, *vote, *entries[at + 1 :]])


def late_acceptance(game: Fresh, luck: Luck) -> bytes:
    """Some vote, others promise, and who has voted accepts late: all is well, or nearly."""
    moment = a_moment(game, luck)
    others = list(moment.required)
    if len(others) < 2:
        raise Unfit
    voter = others.pop(luck.roll(len(others)))
    plain = moment.promise(luck.pick(others))
    backed = moment.promise(voter, luck.pick((plain.encode(),) * 4 + (b"",)))
    words = [moment.vote(voter), plain, backed]
    if luck.one_in(3):
        words.append(
            luck.pick((moment.vote(plain.seat), moment.promise(voter), moment.vote(voter)))
        )
    if luck.one_in(3):
        words.pop(luck.roll(len(words)))
    own = game.index(moment.said.offset) + 1
    entries = game.entries
    at = luck.pick((moment.start, own))
    changed = [*entries[:at], *map(_record, words)]
    for kind, data in entries[at:]:
        said = next((one for one in game.said if one.envelope.encode() == data), None)
        payload = None if said is None else said.envelope.payload
        if payload is None or payload.seat != voter or payload.step <= moment.said.step:
            changed.append((kind, data))
            continue
        items = luck.pick(((plain.encode(),),) * 5 + ((),))
        changed.append((kind, sign(game, replace(payload, backing=items)).encode()))
        break
    return written(changed)


def claimed(game: Fresh, luck: Luck) -> bytes:
    """A seat claims the game, and somebody goes on all the same, or does not."""
    ends = [said for said in game.said if len(game.game_at(said).round.present) == 2]
    fit = [s for s in ends if s.seat in game.game_at(s).round.present]
    moment = Moment(game, luck.pick(fit))
    seat = luck.pick((*moment.required,) * 4 + (moment.lost,))
    body: Value = luck.pick((None,) * 6 + (0,))
    head = luck.pick((None,) * 6 + (bytes(32),))
    claim = moment.signed(seat, CLAIM_KIND, body, *luck.pick(((),) * 6 + ((b"",),)), head=head)
    own = game.index(moment.said.offset)
    at = luck.pick((moment.start, own, own, own + 1))
    entries: list[Entry] = [_record(claim)]
    behind: tuple[Entry, ...] = (
        *game.entries[own : own + 1],
        _record(claim),
        fault(moment.said.envelope.encode(), sign(game, _silent(moment)).encode()),
        ("note", encode(("halted", "claimed", seat))),
        game.entries[0],
    )
    if luck.one_in(2):
        entries.append(luck.pick(behind))
    return written([*game.entries[:at], *entries])


def _silent(moment: Moment) -> Payload:
    return replace(moment.said.envelope.payload, body=None)


VOTES: Final[tuple[tuple[Forge, int], ...]] = (
    (dropped, 7),
    (taken_back, 3),
    (voted, 6),
    (against_oneself, 8),
    (voted_and_went_on, 5),
    (late_acceptance, 5),
    (claimed, 4),
)
"""Every way to forge votes, promises and claims, and how often it is drawn."""
