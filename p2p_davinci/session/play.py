"""One seat of a game, sans I/O: an input and the time go in, a new game and effects come out.

The driver carries effects out in their order; everything that must survive a crash comes before
what depends on it is sent (PEER, writing before sending). A watcher and a verifier are the same
thing without a seat.
"""

from __future__ import annotations

from dataclasses import replace

from protocol import (
    Evidence,
    Payload,
    PeerFault,
    seal,
)

from ..rules.illegal import IllegalMove
from ..rules.moves import Move, Resign
from . import clock, flow, moving, silence, voting, wire
from .arriving import (
    BEAT_S,
    RELAY_BEAT_S,
    forget_other_game,
    hear_early,
    hold_doubts,
    own_votes,
    receive,
    standing,
)
from .backing import backing_for, check_free
from .contract import Contract
from .ending import all_results, next_contract
from .events import (
    CallClock,
    Claim,
    Effect,
    Input,
    Keep,
    KeepWaiting,
    Left,
    LinkDown,
    LinkUp,
    Play,
    Received,
    Refused,
    SaveAndStop,
    Say,
    Send,
    Slept,
    Sync,
    Tick,
    VoteOut,
    Wake,
)
from .game import Game, Refusal, awaited_promises, learn, new_game
from .hearing import Faulty
from .news import news, progress
from .remarks import call_clock, say
from .secrets import (
    Made,
    Seat,
    fresh_secrets,
    keep_envelope,
    keep_openings,
    keep_resigning,
    keep_round,
)
from .stopping import blame, end, end_without_receipts, end_without_the_gone, lose, save
from .work import WAIT_S, Who, Work

RECEIPT_WAIT_S = 5.0
"""How long a finished game waits for the last receipts."""


Stepped = tuple[Game, tuple[Effect, ...]]


def start(contract: Contract, seat: int | None, now_s: float, who: Who | None) -> Stepped:
    """Return a new game after its first effects."""
    game = replace(new_game(contract, seat), opened_s=now_s, last_s=now_s)
    work = Work(game=game, now_s=now_s, who=who)
    _begin_round(work)
    if work.me() is not None:
        beat_later(work)
    advance(work)
    return work.game, tuple(work.effects)


def step(game: Game, given: Input, now_s: float, who: Who | None) -> Stepped:
    """Return the game after one input, and the effects to carry out in their order.

    ``now_s`` is on a monotonic clock. Nothing that a peer sent raises; what one's own player
    wanted and may not do comes back as :class:`.events.Refused`.
    """
    work = Work(game=game, now_s=now_s, who=who)
    silence.wake_up(work)
    if isinstance(given, Received):
        receive(work, given)
    elif work.live:
        _take_in(work, given)
    advance(work)
    silence.look_out(work)
    return work.game, tuple(work.effects)


def _take_in(work: Work, given: Input) -> None:
    match given:
        case Play():
            _play(work, given.move)
        case Say():
            say(work, given.text)
        case CallClock():
            call_clock(work)
        case LinkUp():
            _link_up(work, given.seat)
        case LinkDown():
            _link_down(work, given)
        case Left():
            lose(work, given.seat, given.reason)
        case Tick():
            _tick(work)
        case Slept():
            silence.calm_down(work)
        case _:
            _choose(work, given)


def _choose(work: Work, given: Received | VoteOut | KeepWaiting | Claim | SaveAndStop) -> None:
    """Carry out what this seat's player decides while somebody is silent."""
    match given:
        case VoteOut():
            voting.vote(work, given.seat)
            hear_early(work)
        case KeepWaiting():
            silence.keep_waiting(work)
        case Claim():
            voting.claim(work)
        case SaveAndStop():
            save(work)


# --- what this seat's player wants -----------------------------------------------------------


def _play(work: Work, move: Move) -> None:
    game, me = work.game, work.me()
    if me is None:
        work.show(Refused(reason="refused.watching"))
        return
    try:
        check_free(game)
        call = None if game.call is None else game.call.raw
        kind, made = moving.decided(game, me, move, call)
    except IllegalMove as error:
        work.show(Refused(reason=f"illegal.{error.reason}", values=error.values))
    except Refusal as error:
        if isinstance(move, Resign) and game.round.state is not None:
            work.effects.append(Keep(record=keep_resigning()))
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
        backing=backing_for(game, game.round),
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


def _link_down(work: Work, given: LinkDown) -> None:
    forget_other_game(work, given.seat)
    game = work.game
    elsewhere = game.elsewhere - {given.seat} | ({given.seat} if given.elsewhere else set())
    down = {**game.down, given.seat: work.now_s}
    work.game = replace(game, down=down, elsewhere=elsewhere)
    if work.who is not None:
        work.effects.append(Wake(at_s=work.now_s + work.who.wait_s))
        work.effects.append(Wake(at_s=work.now_s + RELAY_BEAT_S))


def _link_up(work: Work, seat: int) -> None:
    down = {other: since for other, since in work.game.down.items() if other != seat}
    gone = {other: reason for other, reason in work.game.gone.items() if other != seat}
    elsewhere = work.game.elsewhere - {seat}
    work.game = replace(work.game, down=down, gone=gone, elsewhere=elsewhere)
    work.effects.append(Send(data=standing(work), seat=seat))
    work.game, effects = clock.returned(work.game, seat, work.now_s)
    work.effects.extend(effects)
    if work.me() is not None:
        # The next beat was to come while the link was down, which is too soon for it now.
        beat_later(work)


def _tick(work: Work) -> None:
    game, me = work.game, work.me()
    wait_s = WAIT_S if work.who is None else work.who.wait_s
    for seat, since_s in game.down.items():
        if work.live and work.now_s - since_s >= wait_s and not silence.playing(game):
            lose(work, seat, "silent")
    for seat in silence.mute(work):
        if work.live:
            lose(work, seat, "silent")
    hold_doubts(work)
    late = work.now_s - game.since_s >= RECEIPT_WAIT_S
    if work.live and game.round.step == "receipt" and late:
        end_without_receipts(work)
    if me is not None and work.live and not awaited_promises(work.game, work.game.round):
        overdue = clock.overdue_now(work.game, work.now_s)
        move = overdue or clock.finish_overdue(work.game, work.now_s, me.entropy)
        if move is not None:
            _play(work, move)
    work.game, effects = clock.report_ignored(work.game, work.now_s)
    work.effects.extend(effects)
    if me is not None and work.live and work.now_s - work.game.beat_s >= _beat_s(work):
        work.effects.extend(Send(data=message) for message in (standing(work), *own_votes(work)))
        beat_later(work)


def beat_later(work: Work) -> None:
    """Wish to tell the others once more where this seat stands, after a while."""
    work.game = replace(work.game, beat_s=work.now_s)
    work.effects.append(Wake(at_s=work.now_s + _beat_s(work)))


def _beat_s(work: Work) -> float:
    """Return how often to tell where one stands: often while others must pass messages on."""
    return RELAY_BEAT_S if work.game.down else BEAT_S


# --- going on --------------------------------------------------------------------------------


def advance(work: Work) -> None:
    """Close what is complete and say what the program says by itself, until others are due."""
    while work.live:
        round_ = work.game.round
        if round_.step == flow.DONE:
            _next_round(work)
        elif round_.chain.complete:
            _close(work)
        elif not _speak_automatically(work):
            end_without_the_gone(work)
            return


def _speak_automatically(work: Work) -> bool:
    me = work.me()
    if me is None or me.seat not in work.game.round.chain.awaited:
        return False
    if awaited_promises(work.game, work.game.round):
        return False
    said = moving.automatic(work.game, me)
    if said is None:
        return False
    _speak(work, me, *said)
    return True


def _close(work: Work) -> None:
    before = work.game
    spoken = [envelope.encode() for _, envelope in before.round.chain.spoken]
    try:
        after = flow.close(before.round)
    except PeerFault as fault:
        _blame_together(work, fault, spoken)
        return
    for envelope in spoken:
        work.log("envelope", envelope)
    trail = (*before.trail, before.round)
    work.game = learn(replace(before, round=after, trail=trail, held=(), opened_s=work.now_s))
    if len(after.clock_heads) == 1:
        work.game = replace(work.game, calls=(), since_s=work.now_s)
    work.game = clock.forget_calls(work.game)
    work.effects.extend(clock.remind(work.game, work.now_s))
    work.show(*news(before, work.game))
    hear_early(work)
    if after.step == "receipt" and work.live:
        work.effects.append(Wake(at_s=work.now_s + RECEIPT_WAIT_S))


def _blame_together(work: Work, fault: PeerFault, spoken: list[bytes]) -> None:
    """Blame somebody for what a whole step shows; its last envelope stands for the fault."""
    chain = work.game.round.chain
    seat, number = chain.spoken[-1][0], chain.step.number
    for envelope in spoken[:-1]:
        work.log("envelope", envelope)
    blame(work, Faulty(fault=fault.at(seat, number, Evidence.PROOF)), spoken[-1])


def _next_round(work: Work) -> None:
    round_ = work.game.round
    contract = next_contract(round_)
    if contract is None:
        end(work)
        return
    after = flow.begin(contract, all_results(round_), round_.used_keys)
    work.game = replace(
        work.game,
        round=after,
        past=(*work.game.past, round_),
        secrets=None,
        resigning=False,
        trail=(),
        ballots={},
        ahead=(),
        opened_s=work.now_s,
    )
    _begin_round(work)
    hear_early(work)


def _begin_round(work: Work) -> None:
    """Log the contract; a player makes and keeps the secrets of the round."""
    round_ = work.game.round
    work.log("contract", round_.contract.encode())
    work.game = replace(work.game, since_s=work.now_s)
    if work.who is not None and work.game.seat is not None:
        make_secrets(work, work.who)


def make_secrets(work: Work, who: Who) -> None:
    """Make and keep this seat's secrets of the round that begins.

    They show that the log has its contract, also after a crash (:mod:`.resuming` rests on that).
    """
    work.effects.append(Sync())
    secrets = fresh_secrets(who.entropy)
    work.effects.append(Keep(record=keep_round(work.game.round, secrets)))
    work.game = replace(work.game, secrets=secrets)
