"""What must be true of a table at the end of a run."""

from __future__ import annotations

from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.comparing import account_of, compare
from p2p_davinci.session.events import Blamed, Halted
from protocol import read_log

from .watching import Watcher
from .world import Broken, Host, World

FRAMES_MAX = 2000
FRAMES_PER_S_MAX = 40
"""Of all peers together; more is a conversation without end."""


def check_end(world: World, watcher: Watcher) -> None:
    """See that a run that is over was one game of all, with an end and with logs that show it.

    Raises:
        Broken: what must be true is not.
    """
    if world.frames > FRAMES_MAX + FRAMES_PER_S_MAX * world.now_s:
        raise Broken(f"{world.frames} frames in {world.now_s:.0f} s")
    if not world.over:
        raise Broken(f"no end: {[_stand(host) for host in world.hosts]}")
    if not world.hopeless and any(end(host) != "over" for host in world.hosts):
        raise Broken(f"all could have played on: {[_stand(host) for host in world.hosts]}")
    for key, heads in watcher.heads.items():
        held = [
            head for head, seats in heads.items() if any(watcher.counts(*key, s) for s in seats)
        ]
        if len(held) > 1 and not _liar_is_caught(world, watcher.liar):
            raise Broken(f"two games from step {key[1]}: {dict(heads)}")
    for (head, lost), voters in watcher.dropped.items():
        against = watcher.accepted[head, lost] & voters
        if against - {watcher.liar} and not _liar_is_caught(world, watcher.liar):
            raise Broken(f"seat {lost} was dropped by {against}, who had its message")


def _liar_is_caught(world: World, liar: int | None) -> bool:
    """Tell whether those whom a liar split for a moment know it.

    Who was cut off by then may have stopped without knowing, but nobody plays on.
    """
    stops = [host.last.stopped for host in world.hosts if host.seat != liar and host.last]
    blaming = [stopped for stopped in stops if isinstance(stopped, Blamed)]
    return liar is not None and None not in stops and bool(blaming)


def _stand(host: Host) -> str:
    if host.driver is None:
        return "gone"
    game = host.driver.game
    chain = game.round.chain
    return (
        f"{game.round.step} {chain.step.number} {chain.step.head.hex()[:6]} "
        f"awaits {chain.awaited} down {dict(game.down)} gone {dict(game.gone)} "
        f"lost {game.lost} stopped {game.stopped} ended {game.ended}"
    )


def check_log(host: Host, liar: int | None) -> None:
    """See that a seat's log shows the game that it played, and convicts nobody but the liar.

    Raises:
        Broken: it does not.
    """
    if host.seat == liar or not host.log.records():
        return
    verdict = verify_log(bytes(host.log.data))
    if verdict.status is Status.INVALID:
        raise Broken(f"the log of seat {host.seat}: {verdict.check} in record {verdict.record}")
    if set(verdict.convicted) - {liar} or (verdict.status is Status.VOID and not verdict.blamed):
        raise Broken(f"the log of seat {host.seat} convicts {verdict.blamed}")
    played = None if host.last is None else host.last.round
    shown = verdict.rounds[-1]
    if played is not None:
        same = (played.chain.step.head, played.state) == (verdict.head, shown.state)
        lost = host.driver is None and played.chain.step.head != verdict.head
        if not (same or lost):
            raise Broken(f"seat {host.seat} plays on what its log does not show")
    ended = host.driver is not None and host.driver.game.ended
    if ended and verdict.status is not Status.FINISHED:
        raise Broken(f"the log of seat {host.seat} is {verdict.status}")


def check_together(world: World, liar: int | None) -> int:
    """See what all logs of a table prove together; return how many of them part from another.

    Raises:
        Broken: they convict somebody else than the liar, or contradict each other for no reason.
    """
    accounts = []
    for host in world.hosts:
        data = bytes(host.log.data)
        verdict = verify_log(data)
        if verdict.rounds:
            accounts.append(account_of(verdict, read_log(data)[0]))
    found = compare(accounts)
    convicted = {conviction.blamed.seat for conviction in found.convicted}
    if convicted - {liar}:
        raise Broken(f"the logs together convict {found.convicted}")
    if found.unexplained:
        raise Broken(f"the logs part for no reason: {found.differences}")
    return len(found.differences)


def end(host: Host) -> str:
    """Tell how a host's game ended: ``over``, the reason of a halt, ``blamed`` or ``gone``."""
    if host.driver is None:
        return "gone"
    stopped = host.driver.game.stopped
    if isinstance(stopped, Halted):
        return stopped.reason
    return "blamed" if stopped is not None else "over"
