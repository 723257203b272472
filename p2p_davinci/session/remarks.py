"""What is said beside the game: chat and clock calls, signed and logged but not chained."""

from __future__ import annotations

from dataclasses import replace

from protocol import Aside, PeerFault, as_text, read_aside, seal_aside, verify_aside

from . import clock, voting, wire
from .allowance import OWN_REMARKS, REMARKS, Budget, spend
from .events import Heard, Refused, Send
from .game import Refusal
from .placing import CLOCK_KIND
from .secrets import Seat
from .work import Work

SAY_KIND = "say"
SAY_BYTES_MAX = 500


def hear_aside(work: Work, raw: bytes, sender: int) -> None:
    """Take in an aside; a bad one is dropped unlogged, since nothing rests on it.

    Votes, promises and claims are not numbered: each says for itself where it belongs. A call of
    the clock does so, too: one that comes late, or comes again, counts whatever its number, but is
    logged only in its order.
    """
    game = work.game
    try:
        aside = read_aside(raw)
        if aside.seat >= game.round.seats or aside.session != game.round.chain.session:
            return
        verify_aside(aside, game.round.contract.players[aside.seat].key)
        if aside.kind in voting.KINDS:
            voting.hear_signed(work, aside, sender)
            return
        text = _read(aside)
    except PeerFault:
        return
    heard = _log_new(work, aside, raw)
    if text is None:
        _hear_call(work, aside, raw)
    elif heard:
        work.show(Heard(seat=aside.seat, text=text))


def _log_new(work: Work, aside: Aside, raw: bytes) -> bool:
    """Log an aside unless its seat has said a later one, or too much; return whether it was."""
    counters = work.game.counters
    if aside.counter <= counters.get(aside.seat, 0):
        return False
    if work.who is not None and not _may_talk(work, aside.seat, REMARKS):
        return False
    work.game = replace(work.game, counters={**counters, aside.seat: aside.counter})
    work.log("aside", raw)
    return True


def _hear_call(work: Work, call: Aside, raw: bytes) -> None:
    """Take in a call of the clock, and see that whom it is for hears it, too."""
    before, me = work.game.calls, work.me()
    work.game, effects = clock.hear_call(work.game, call, work.now_s)
    work.effects.extend(effects)
    if me is None or work.game.calls is before:
        return
    thinker = work.game.round.board.turn
    if thinker != me.seat:
        work.effects.append(Send(data=wire.write(wire.Remark(raw=raw)), seat=thinker))


def _may_talk(work: Work, seat: int, budget: Budget) -> bool:
    """Take one remark off what a seat may say; a log of them is read whole."""
    remarks = spend(work.game.remarks, seat, budget, 1, work.now_s)
    if remarks is not None:
        work.game = replace(work.game, remarks=remarks)
    return remarks is not None


def _read(aside: Aside) -> str | None:
    """Return what an aside says, ``None`` for a clock call."""
    if aside.backing:
        raise PeerFault("aside.backing")
    if aside.kind == CLOCK_KIND and aside.body is None:
        return None
    if aside.kind != SAY_KIND:
        raise PeerFault("aside.kind")
    return as_text(aside.body, "aside.say", bytes_max=SAY_BYTES_MAX)


def say(work: Work, text: str) -> None:
    """Say something to all (1 to 500 bytes of UTF-8)."""
    me = work.me()
    if me is None or not 1 <= len(text.encode()) <= SAY_BYTES_MAX:
        work.show(Refused(reason="refused.say"))
        return
    if not _may_talk(work, me.seat, OWN_REMARKS):
        work.show(Refused(reason="refused.say_often"))
        return
    _remark(work, me, SAY_KIND, text)
    work.show(Heard(seat=me.seat, text=text))


def call_clock(work: Work) -> None:
    """Call the clock on the player in turn, if it may be called now."""
    me = work.me()
    if me is None:
        return
    try:
        clock.check_call(work.game, me.seat, work.now_s)
    except Refusal as error:
        work.show(Refused(reason=error.reason, values=error.values))
        return
    raw = _remark(work, me, CLOCK_KIND, None)
    work.game, effects = clock.hear_call(work.game, read_aside(raw), work.now_s)
    work.effects.extend(effects)


def _remark(work: Work, me: Seat, kind: str, body: str | None) -> bytes:
    round_ = work.game.round
    counter = work.game.counters.get(me.seat, 0) + 1
    aside = seal_aside(
        session=round_.chain.session,
        seat=me.seat,
        counter=counter,
        head=round_.chain.step.head,
        kind=kind,
        body=body,
        signer=me.signer,
    )
    raw = aside.encode()
    work.game = replace(work.game, counters={**work.game.counters, me.seat: counter})
    work.log("aside", raw)
    work.effects.append(Send(data=wire.write(wire.Remark(raw=raw))))
    return raw
