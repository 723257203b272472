"""One seat of a game, sans I/O: an input and the time go in, a new game and effects come out.

The driver carries effects out in their order; everything that must survive a crash comes before
what depends on it is sent (SPEC, transcript). A watcher and a verifier are the same thing without
a seat.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import (
    Evidence,
    Payload,
    PeerFault,
    encode,
    seal,
)

from ..rules.illegal import IllegalMove
from ..rules.moves import Move, Resign
from . import clock, flow, moving, wire
from .contract import Contract
from .ending import all_results, more_to_come, next_contract
from .events import (
    Blamed,
    CallClock,
    Effect,
    GameOver,
    Halted,
    Input,
    Keep,
    Left,
    LinkDown,
    LinkUp,
    Play,
    Received,
    Refused,
    Say,
    Send,
    Tick,
    Wake,
)
from .game import Game, Refusal, learn, new_game, running_totals, winners
from .hearing import Accepted, Early, Faulty, judge
from .news import news, progress
from .remarks import call_clock, hear_aside, say
from .secrets import (
    Made,
    Seat,
    fresh_secrets,
    keep_envelope,
    keep_openings,
    keep_round,
)
from .work import WAIT_S, Who, Work

EARLY_MAX = 512
"""How many envelopes of later steps are kept; more than any honest run-ahead needs."""
RECEIPT_WAIT_S = 5.0
"""How long a finished game waits for the last receipts."""


Stepped = tuple[Game, tuple[Effect, ...]]


def start(contract: Contract, seat: int | None, now_s: float, who: Who | None) -> Stepped:
    """Return a new game after its first effects."""
    work = Work(game=new_game(contract, seat), now_s=now_s, who=who)
    _begin_round(work)
    _advance(work)
    return work.game, tuple(work.effects)


def step(game: Game, given: Input, now_s: float, who: Who | None) -> Stepped:
    """Return the game after one input, and the effects to carry out in their order.

    ``now_s`` is on a monotonic clock. Nothing that a peer sent raises; what one's own player
    wanted and may not do comes back as :class:`.events.Refused`.
    """
    work = Work(game=game, now_s=now_s, who=who)
    if work.live:
        _take_in(work, given)
        _advance(work)
    return work.game, tuple(work.effects)


def _take_in(work: Work, given: Input) -> None:
    match given:
        case Received():
            _receive(work, given)
        case Play():
            _play(work, given.move)
        case Say():
            say(work, given.text)
        case CallClock():
            call_clock(work)
        case LinkUp():
            _link_up(work, given.seat)
        case LinkDown():
            work.game = replace(work.game, down={**work.game.down, given.seat: work.now_s})
            if work.who is not None:
                work.effects.append(Wake(at_s=work.now_s + work.who.wait_s))
        case Left():
            _lose(work, given.seat, given.reason)
        case Tick():
            _tick(work)


# --- what arrives ----------------------------------------------------------------------------


def _receive(work: Work, given: Received) -> None:
    try:
        message = wire.read(given.data)
    except PeerFault as fault:
        number = work.game.round.chain.step.number
        _blame(work, Faulty(fault=fault.at(given.seat, number, Evidence.SUSPICION)), given.data)
        return
    match message:
        case wire.Chained(raw=raw):
            hear(work, raw, given.seat)
        case wire.Remark(raw=raw):
            hear_aside(work, raw)
        case wire.Standing():
            _catch_up(work, message, given.seat)
        case wire.Farewell():
            _lose(work, given.seat, "left")


def hear(work: Work, raw: bytes, sender: int) -> None:
    """Take in an envelope that came from seat ``sender``."""
    game = work.game
    match judge(game.round, raw, sender):
        case Accepted(envelope=envelope, message=message):
            work.game = replace(game, round=flow.hear(game.round, envelope, message))
            work.show(*progress(work.game.round))
        case Early() if len(game.early) < EARLY_MAX:
            work.game = replace(game, early=(*game.early, (sender, raw)))
        case Faulty() as faulty:
            _blame(work, faulty, raw)


def _blame(work: Work, faulty: Faulty, raw: bytes) -> None:
    """Stop the game: the log keeps what was sent, or a note where nobody signed it."""
    fault = faulty.fault
    seat, number = fault.seat or 0, fault.step or 0
    proved = fault.evidence is Evidence.PROOF
    if faulty.evidence is not None:
        first, second = faulty.evidence.first.encode(), faulty.evidence.second.encode()
        work.log("fault", encode((first, second)))
    elif proved:
        work.log("fault", encode((raw,)))
    else:
        work.log("note", encode(("suspicion", seat, number, fault.check)))
    blamed = Blamed(seat=seat, step=number, check=fault.check, proved=proved)
    work.game = replace(work.game, stopped=blamed)
    work.show(blamed)


def _catch_up(work: Work, standing: wire.Standing, seat: int) -> None:
    """Send ``seat`` what it lacks of the round that it is in."""
    rounds = (*work.game.past, work.game.round)
    for round_ in rounds:
        if round_.contract_hash == standing.contract_hash:
            missed = round_.transcript[standing.step :]
            current = tuple(envelope for _, envelope in round_.chain.spoken)
            for envelope in (*(e for said in missed for e in said), *current):
                raw = wire.write(wire.Chained(raw=envelope.encode()))
                work.effects.append(Send(data=raw, seat=seat))


# --- what this seat's player wants -----------------------------------------------------------


def _play(work: Work, move: Move) -> None:
    game, me = work.game, work.me()
    if me is None:
        work.show(Refused(reason="refused.watching"))
        return
    try:
        call = None if game.call is None else game.call.raw
        kind, made = moving.decided(game, me, move, call)
    except IllegalMove as error:
        work.show(Refused(reason=f"illegal.{error.reason}", values=error.values))
    except Refusal as error:
        if isinstance(move, Resign) and game.round.state is not None:
            work.game = replace(game, resigning=True)
        else:
            work.show(Refused(reason=error.reason, values=error.values))
    else:
        _speak(work, me, kind, made)


def _speak(work: Work, me: Seat, kind: str, made: Made) -> None:
    """Sign and send one's own message, after it has passed the checks that all others make."""
    game = work.game
    chain = game.round.chain
    payload = Payload(
        session=chain.session,
        seat=me.seat,
        step=chain.step.number,
        head=chain.step.head,
        kind=kind,
        body=made.body.encode(),
    )
    envelope = seal(payload, me.signer)
    message = flow.check(game.round, envelope)
    raw = envelope.encode()
    if made.openings:
        work.effects.append(Keep(record=keep_openings(made.openings)))
    work.effects.append(Keep(record=keep_envelope(raw)))
    work.effects.append(Send(data=wire.write(wire.Chained(raw=raw))))
    work.game = replace(
        game,
        round=flow.hear(game.round, envelope, message),
        secrets=me.secrets.with_openings(made.openings),
        resigning=game.resigning and kind != "resign",
    )
    work.show(*progress(work.game.round))


# --- links and time --------------------------------------------------------------------------


def _link_up(work: Work, seat: int) -> None:
    round_ = work.game.round
    down = {other: since for other, since in work.game.down.items() if other != seat}
    work.game = replace(work.game, down=down)
    standing = wire.Standing(contract_hash=round_.contract_hash, step=round_.chain.step.number)
    work.effects.append(Send(data=wire.write(standing), seat=seat))


def _tick(work: Work) -> None:
    game, me = work.game, work.me()
    wait_s = WAIT_S if work.who is None else work.who.wait_s
    for seat, since_s in game.down.items():
        if work.live and work.now_s - since_s >= wait_s:
            _lose(work, seat, "silent")
    late = work.now_s - game.since_s >= RECEIPT_WAIT_S
    if work.live and game.round.step == "receipt" and late:
        _end_without_receipts(work)
    move = clock.overdue_now(work.game, work.now_s)
    if me is not None and move is not None and work.live:
        _play(work, move)
    work.effects.extend(clock.report_ignored(work.game, work.now_s))


def _lose(work: Work, seat: int, reason: str) -> None:
    """Go on without ``seat`` where the game can, stop where it cannot."""
    game = work.game
    round_ = game.round
    work.game = replace(game, gone=game.gone | {seat})
    if round_.step == "receipt":
        if set(round_.chain.awaited) <= work.game.gone:
            _end_without_receipts(work)
    elif round_.opened[seat] is None:
        _halt(work, reason, seat)


def _halt(work: Work, reason: str, seat: int | None) -> None:
    halted = Halted(reason=reason, seat=seat)
    work.log("note", encode(("halted", reason, seat)))
    work.game = replace(work.game, stopped=halted)
    work.show(halted)


def _end_without_receipts(work: Work) -> None:
    """End a decided game although somebody never signed its result."""
    round_ = work.game.round
    if more_to_come(round_):
        return
    for _, envelope in round_.chain.spoken:
        work.log("envelope", envelope.encode())
    _end(work)


def _end(work: Work) -> None:
    round_ = work.game.round
    work.game = replace(work.game, ended=True)
    over = GameOver(
        winners=winners(round_), totals=running_totals(round_), head=round_.chain.step.head
    )
    work.show(over)


# --- going on --------------------------------------------------------------------------------


def _advance(work: Work) -> None:
    """Close what is complete and say what the program says by itself, until others are due."""
    while work.live:
        round_ = work.game.round
        if round_.step == flow.DONE:
            _next_round(work)
        elif round_.chain.complete:
            _close(work)
        elif not _speak_automatically(work):
            return


def _speak_automatically(work: Work) -> bool:
    me = work.me()
    if me is None or me.seat not in work.game.round.chain.awaited:
        return False
    said = moving.automatic(work.game, me)
    if said is None:
        return False
    _speak(work, me, *said)
    return True


def _close(work: Work) -> None:
    before = work.game
    for _, envelope in before.round.chain.spoken:
        work.log("envelope", envelope.encode())
    try:
        after = flow.close(before.round)
    except PeerFault as fault:
        seat, envelope = before.round.chain.spoken[-1]
        number = before.round.chain.step.number
        faulty = Faulty(fault=fault.at(seat, number, Evidence.PROOF))
        _blame(work, faulty, envelope.encode())
        return
    work.game = learn(replace(before, round=after))
    if len(after.clock_heads) == 1:
        work.game = replace(work.game, call=None, since_s=work.now_s)
    if after.step == "receipt":
        work.effects.append(Wake(at_s=work.now_s + RECEIPT_WAIT_S))
    work.show(*news(before, work.game))
    _hear_early(work)


def _hear_early(work: Work) -> None:
    early = work.game.early
    work.game = replace(work.game, early=())
    for sender, raw in early:
        if work.live:
            hear(work, raw, sender)


def _next_round(work: Work) -> None:
    round_ = work.game.round
    contract = next_contract(round_)
    if contract is None:
        _end(work)
        return
    after = flow.begin(contract, all_results(round_), round_.used_keys)
    work.game = replace(
        work.game, round=after, past=(*work.game.past, round_), secrets=None, resigning=False
    )
    _begin_round(work)
    _hear_early(work)


def _begin_round(work: Work) -> None:
    """Log the contract; a player makes and keeps the secrets of the round."""
    round_ = work.game.round
    work.log("contract", round_.contract.encode())
    work.game = replace(work.game, since_s=work.now_s)
    if work.who is None or work.game.seat is None:
        return
    secrets = fresh_secrets(work.who.entropy)
    work.effects.append(Keep(record=keep_round(round_, secrets)))
    work.game = replace(work.game, secrets=secrets)
