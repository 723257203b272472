"""How a game stops: somebody is blamed, somebody is lost, or it is over (SPEC, verdicts)."""

from __future__ import annotations

from dataclasses import replace

from protocol import Evidence, Signed, encode, encode_evidence

from . import wire
from .ending import decided, more_to_come, result_of
from .events import Blamed, GameOver, Halted, Send, Testify
from .game import Game, running_totals, winners
from .hearing import Faulty
from .state import Round
from .work import Work


def blame(work: Work, faulty: Faulty, raw: bytes) -> None:
    """Stop the game: the log keeps what was sent, or a note where nobody signed it.

    Once the result stands, the first fault of each seat is kept and told, and the game goes on to
    its end.

    What proves the fault goes to all others, who may not have been sent it. What proves that a
    seat spoke twice is also worth keeping without the game, as it convicts a key by itself.
    """
    fault = faulty.fault
    seat, number = fault.seat or 0, fault.step or 0
    proved = faulty.evidence is not None or fault.evidence is Evidence.PROOF
    if _accused_already(work.game, seat, proved=proved):
        return
    proof: tuple[bytes, ...] = ()
    if faulty.evidence is not None:
        proof = faulty.evidence.first.encode(), faulty.evidence.second.encode()
    elif fault.evidence is Evidence.PROOF:
        before = () if faulty.beside is None else (faulty.beside.encode(),)
        proof = (*before, raw)
    if proof:
        work.log("fault", encode(proof))
        if faulty.evidence is not None:
            key = work.game.round.contract.players[seat].key
            work.effects.append(Testify(seat=seat, data=encode_evidence(faulty.evidence, key)))
    else:
        work.log("note", encode(("suspicion", seat, number, fault.check)))
    blamed = Blamed(seat=seat, step=number, check=fault.check, proved=proved)
    _stop(work, blamed, tuple(wire.carry(item) for item in proof))


def convict(work: Work, seat: int, number: int, pair: tuple[Signed, Signed]) -> None:
    """Stop the game: ``seat`` signed two things that contradict each other."""
    if _accused_already(work.game, seat, proved=True):
        return
    raws = tuple(signed.encode() for signed in pair)
    work.log("fault", encode(raws))
    blamed = Blamed(seat=seat, step=number, check="drop.contradiction", proved=True)
    _stop(work, blamed, tuple(wire.carry(raw) for raw in raws))


def settled(round_: Round) -> bool:
    """Tell whether the result stands, whatever anybody does from now on.

    It does once the last round is decided: from then on the verdict on the log is *finished*.
    """
    return decided(round_) and not more_to_come(round_)


def _accused_already(game: Game, seat: int, *, proved: bool) -> bool:
    """Whether nothing is to be added: of each seat the first fault is kept, or the first proved."""
    return any(before.seat == seat and (before.proved or not proved) for before in game.accused)


def _stop(work: Work, blamed: Blamed, proof: tuple[bytes, ...]) -> None:
    game = work.game
    if settled(game.round):
        blamed = replace(blamed, stands=True)
        others = tuple(before for before in game.accused if before.seat != blamed.seat)
        work.game = replace(game, accused=(*others, blamed), proof=(*game.proof, *proof))
    else:
        work.game = replace(game, stopped=blamed, proof=proof)
    work.effects.extend(Send(data=message) for message in proof)
    work.show(blamed)


def lose(work: Work, seat: int, reason: str) -> None:
    """Go on without ``seat`` where the game can, stop where it cannot.

    A seat whose key is known is not needed until the receipts. Then the winner's key is, and for
    the next round everybody. Before the deal is complete everybody is needed; while the round is
    played the others may choose (:mod:`.silence`).
    """
    work.game = replace(work.game, gone={**work.game.gone, seat: reason})
    round_ = work.game.round
    if round_.step == "key" and round_.board.winner is not None:
        if seat == result_of(round_).winner:
            _end_without_key(work, seat, reason)
    elif round_.step != "receipt" and round_.state is None:
        halt(work, reason, seat)


def save(work: Work) -> None:
    """Stop here, because this seat's player wants to; the game can be resumed."""
    silent = {lost.seat: "silent" for lost in work.game.lost if work.now_s >= lost.opens_s}
    for seat, reason in {**silent, **work.game.gone}.items():
        halt(work, reason, seat)
        return
    halt(work, "saved", work.game.seat)


def halt(work: Work, reason: str, seat: int | None) -> None:
    """Stop without an end; ``reason`` is a catalogue key below ``halted.``."""
    halted = Halted(reason=reason, seat=seat)
    work.log("note", encode(("halted", reason, seat)))
    work.game = replace(work.game, stopped=halted)
    work.show(halted)


def _end_without_key(work: Work, seat: int, reason: str) -> None:
    if settled(work.game.round):
        end(work)
    else:
        halt(work, reason, seat)


def end_without_the_gone(work: Work) -> None:
    """Once the round is decided: stop where a lost seat is needed again, or end without it.

    Nobody waits for the key or the receipt of who was blamed.
    """
    round_, gone = work.game.round, work.game.gone
    unheard = gone.keys() | {blamed.seat for blamed in work.game.accused}
    # A verifier reads on: a log may hold what its owner did not wait for.
    if work.game.seat is None or round_.step not in ("key", "receipt") or not unheard:
        return
    if settled(round_):
        if set(round_.chain.awaited) <= unheard:
            end_without_receipts(work)
    elif round_.step == "receipt":
        seat, reason = next(iter(gone.items()))
        halt(work, reason, seat)


def end_without_receipts(work: Work) -> None:
    """End a decided game although somebody never signed its result."""
    round_ = work.game.round
    if more_to_come(round_):
        return
    for _, envelope in round_.chain.spoken:
        work.log("envelope", envelope.encode())
    end(work)


def end(work: Work) -> None:
    """End the game: its result stands."""
    round_ = work.game.round
    work.game = replace(work.game, ended=True)
    convicted = work.game.convicted
    over = GameOver(
        winners=winners(round_, convicted),
        totals=running_totals(round_, convicted),
        head=round_.chain.step.head,
    )
    work.show(over)
