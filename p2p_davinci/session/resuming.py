"""Going on with a game from what is on the disk: its log, and this seat's secrets (PEER, resuming).

The log is replayed by the verifier's own machine, so nothing in it is trusted that others could not
check. What this seat had said already is said again in the same bytes, never anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from protocol import PeerFault, Record, read_envelope, read_undamaged, verify_signature

from . import clock, flow, wire
from .arriving import EARLY_MAX, standing
from .audit import Audit, Invalid, read_note, take
from .contract import Contract, read_contract
from .events import Send, Wake
from .game import Game, learn
from .hearing import Accepted, Doubtful, Early, Faulty, judge
from .news import progress
from .play import RECEIPT_WAIT_S, Stepped, advance, beat_later, make_secrets
from .remarks import hear_aside
from .secrets import Kept, Secrets, commitment_of, read_kept, seat_of_kept
from .state import Round
from .voting import answer, may_take
from .work import Who, Work

OVERTAKEN = "chain.speaker"
"""The check that one's own message fails where the others went on without it."""


SETTLED = frozenset({"finished", "void"})
"""Why nobody will ever go on with a game."""


class CannotResume(Exception):  # noqa: N818 - it is a refusal
    """A game cannot be gone on with.

    ``reason`` is a catalogue key below ``resume.``: ``finished``, ``void`` (somebody cheated),
    ``stranger`` (another identity played it), ``log`` or ``secrets`` (the file is not what was
    written; ``detail`` names the check).
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason, detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """An unfinished game as the disk has it.

    ``game`` is the public part, ``seat`` who goes on, ``secrets`` those of the current round
    (``None``: the crash came before they were kept, so nothing depends on them yet). ``kept`` are
    envelopes that were on the disk before they were sent, ``signed`` votes and promises. ``spoken``
    are envelopes of a step that is only partly in the log; they begin at ``cut`` (bytes), where a
    log that goes on must end.
    ``lacks_contract``: the log does not yet hold the current round's contract.
    """

    game: Game
    seat: int
    secrets: Secrets | None = field(repr=False)
    kept: tuple[bytes, ...]
    signed: tuple[bytes, ...]
    resigning: bool
    spoken: tuple[bytes, ...]
    cut: int | None
    lacks_contract: bool


def first_contract(records: Sequence[Record]) -> Contract:
    """Return the contract that a log begins with.

    Raises:
        CannotResume: ``log``.
    """
    try:
        if records and records[0].kind == "contract":
            return read_contract(records[0].data)
    except PeerFault as fault:
        raise CannotResume("log", fault.check) from None
    raise CannotResume("log", "log.contract")


def read_damaged(data: bytes) -> tuple[tuple[Record, ...], int]:
    """Return the records of one's own log that a crash left whole, and how many bytes follow.

    The last of them is as it was written: a block that the disk never wrote, or spoiled, may begin
    within it. What is lost is asked of the others again; what this seat said itself is in its
    secrets file.

    Raises:
        PeerFault: ``log.magic``, ``log.version``.
        CannotResume: ``log``: not even its first contract can be read.
    """
    records, rest_bytes = read_undamaged(data)
    contract = first_contract(records)
    while not _is_sound(records[-1], contract):
        rest_bytes = len(data) - records[-1].offset
        records = records[:-1]
    return records, rest_bytes


def _is_sound(record: Record, contract: Contract) -> bool:
    """Tell whether a record may be what was written; if not, nothing is lost with it.

    That is so of envelopes and of notes. An aside is left to the replay: with a claim of its own
    a seat would forget that it gave up playing on.
    """
    try:
        if record.kind == "note":
            read_note(record.data, len(contract.players))
        elif record.kind == "envelope":
            envelope = read_envelope(record.data)
            if envelope.payload.seat >= len(contract.players):
                return False
            verify_signature(envelope, contract.players[envelope.payload.seat].key)
    except PeerFault:
        return False
    return True


def seat_of(contract: Contract, public: bytes) -> int:
    """Return the seat of an identity.

    Raises:
        CannotResume: ``stranger``: it has none.
    """
    keys = [player.key for player in contract.players]
    if public not in keys:
        raise CannotResume("stranger")
    return keys.index(public)


def recall(log: Sequence[Record], secrets: Sequence[Record], public: bytes) -> Recalled:
    """Return the game that log and secrets hold for the player with this identity (32 bytes).

    Raises:
        CannotResume: why it cannot be gone on with.
    """
    contract = first_contract(log)
    seat = seat_of(contract, public)
    if kept_seat(secrets, contract) not in (None, seat):
        raise CannotResume("stranger")
    game = _replay(log)
    kept = _kept(secrets, game.round.contract_hash)
    _check_commitment(game, seat, kept)
    _check_round(game, secrets, kept)
    spoken = tuple(envelope.encode() for _, envelope in game.round.chain.spoken)
    offsets = [record.offset for record in log if record.kind == "envelope"]
    contracts = sum(record.kind == "contract" for record in log)
    return Recalled(
        game=game,
        seat=seat,
        secrets=None if kept is None else kept.secrets,
        kept=(*(r.data for r in secrets if r.kind in ("envelope", "heard")), *spoken),
        signed=() if kept is None else kept.signed,
        resigning=kept is not None and kept.resigning and _is_in(game.round, seat),
        spoken=spoken,
        cut=offsets[-len(spoken)] if spoken else None,
        lacks_contract=contracts == len(game.past),
    )


def _is_in(round_: Round, seat: int) -> bool:
    return round_.state is not None and seat not in round_.state.out


def kept_seat(secrets: Iterable[Record], contract: Contract) -> int | None:
    """Return the seat of a game that a secrets file belongs to, ``None`` if it cannot tell yet.

    Raises:
        CannotResume: ``secrets``.
    """
    try:
        return seat_of_kept(secrets, len(contract.players))
    except PeerFault as fault:
        raise CannotResume("secrets", fault.check) from None


def _check_commitment(game: Game, seat: int, kept: Kept | None) -> None:
    """Refuse secrets other than those to which this seat has committed in the current round."""
    made = game.round.commitments
    if made and (kept is None or made[seat] != commitment_of(kept, seat)):
        raise CannotResume("secrets", "commit.mismatch")


def _check_round(game: Game, secrets: Iterable[Record], kept: Kept | None) -> None:
    """Refuse a damaged log that ends so early that what this seat said later has no place there."""
    begun = [record for record in secrets if record.kind == "round"]
    last = read_kept(begun[-1:])
    rounds = {round_.contract_hash for round_ in (*game.past, game.round)}
    later = last is not None and last.contract_hash not in rounds
    if later or (kept is not None and kept.signed and not game.round.keys):
        raise CannotResume("log", "log.short")


def _replay(log: Iterable[Record]) -> Game:
    audit = Audit()
    try:
        for record in log:
            audit = take(audit, record)
    except (Invalid, PeerFault) as error:
        raise CannotResume("log", error.check) from None
    if audit.void is not None:
        raise CannotResume("void")
    if audit.game is None:
        raise CannotResume("log", "log.contract")
    if audit.game.ended or audit.game.stopped is not None:
        raise CannotResume("finished")
    return audit.game


def _kept(records: Iterable[Record], contract_hash: bytes) -> Kept | None:
    """Return what was kept for a round; the latest counts if its secrets were made twice."""
    rounds: list[list[Record]] = []
    for record in records:
        if record.kind == "round" or not rounds:
            rounds.append([])
        rounds[-1].append(record)
    try:
        found = [kept for kept in map(read_kept, rounds) if kept is not None]
    except PeerFault as fault:
        raise CannotResume("secrets", fault.check) from None
    mine = [kept for kept in found if kept.contract_hash == contract_hash]
    return mine[-1] if mine else None


def resume(recalled: Recalled, now_s: float, who: Who) -> Stepped:
    """Return the game with its player back, and the effects to carry out in their order.

    Raises:
        CannotResume: ``secrets``: what was kept does not go with the log.
    """
    game = replace(
        recalled.game,
        seat=recalled.seat,
        secrets=recalled.secrets,
        resigning=recalled.resigning,
        beat_s=now_s,
    )
    game, called = clock.resumed(replace(game, opened_s=now_s, last_s=now_s), now_s)
    try:
        work = Work(game=learn(game), now_s=now_s, who=who)
    except PeerFault as fault:
        raise CannotResume("secrets", fault.check) from None
    if recalled.lacks_contract:
        work.log("contract", game.round.contract.encode())
    if recalled.secrets is None:
        if any(seat == recalled.seat for seat, _ in game.round.chain.spoken):
            raise CannotResume("secrets", "secrets.record")
        make_secrets(work, who)
    for raw in recalled.signed:
        hear_aside(work, raw, recalled.seat)
    for raw in recalled.kept:
        _say_again(work, raw, recalled.seat)
    answer(work)
    if len(work.game.early) >= EARLY_MAX:
        raise CannotResume("log", "log.short")
    work.effects.append(Send(data=standing(work)))
    beat_later(work)
    if work.game.round.step == "receipt":
        work.effects.append(Wake(at_s=now_s + RECEIPT_WAIT_S))
    work.show(*progress(work.game.round))
    work.effects.extend(called)
    advance(work)
    return work.game, tuple(work.effects)


def _say_again(work: Work, raw: bytes, seat: int) -> None:
    """Take in an envelope from one's own disk; one's own of the current step goes out once more."""
    game = work.game
    match judge(game, raw, seat):
        case Accepted(envelope=envelope, message=message):
            if not may_take(game, envelope):
                # It was accepted late, but nothing was signed that relies on it.
                return
            work.game = replace(game, round=flow.hear(game.round, envelope, message))
        case Early():
            work.game = replace(game, early=(*game.early, (seat, raw)))
            return
        case Doubtful(check=check):
            raise CannotResume("secrets", check)
        case Faulty(fault=fault) if fault.check != OVERTAKEN:
            raise CannotResume("secrets", fault.check)
    payload, now = read_envelope(raw).payload, work.game.round.chain
    mine = payload.seat == seat and payload.step == now.step.number
    if mine and payload.session == now.session:
        work.effects.append(Send(data=wire.write(wire.Chained(raw=raw))))
