"""Pairs of logs of one game: such that agree, one that is behind, and such that contradict.

A table is played to some moment, and goes on from there in two ways, as it can only if somebody
says two things, or plays on without a seat that others still hear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from p2p_davinci.app.together import group_record, groups
from p2p_davinci.session.audit import verify_log
from p2p_davinci.session.comparing import account_of
from p2p_davinci.session.game import asks_player
from p2p_davinci.session.messages import read_body
from protocol import encode, read_envelope, read_log
from tests.support.forged_games import UNFIT, Entry, Fresh, Luck, Unfit, fresh_plan, written
from tests.support.forged_messages import fault, sign
from tests.support.forged_votes import Moment, a_moment
from tests.support.table import Table, seeded
from tests.support.vector_cases import Json
from tests.support.vector_play import Dice, Plan, play, play_on

Two: TypeAlias = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two logs of one game, how they came about, and what ours concludes from them."""

    logs: Two = field(repr=False)
    how: str
    expected: Json


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """Yield so many pairs, of each way in turn."""
    number = made = 0
    while made < count:
        how = WAYS[made % len(WAYS)]
        luck = Luck(f"pair {seed} {number}")
        number += 1
        try:
            logs = how(luck, f"pair {seed} {number}")
        except UNFIT:
            continue
        if luck.one_in(2):
            logs = (logs[1], logs[0])
        found = concluded(logs)
        same = not found["convicted"] and found["parted"] is None
        if same and how in APART and not luck.one_in(4):
            continue
        yield Pair(logs=logs, how=how.__name__, expected=found)
        made += 1


def concluded(logs: Two) -> Json:
    """Return what our program concludes from two logs of one game."""
    accounts = [account_of(verify_log(log), read_log(log)[0]) for log in logs]
    (group,) = groups([(str(number), account) for number, account in enumerate(accounts)])
    shown = group_record(group)
    differences = group.together.differences
    return {
        "convicted": [
            [found.blamed.seat, found.blamed.check] for found in group.together.convicted
        ],
        "winners": shown["winners"],
        "contradict": any(one.behind is None for one in differences),
        "behind": next((one.behind for one in differences if one.behind is not None), None),
        "parted": next(([one.round, one.step] for one in differences), None),
    }


# --- games that go two ways ------------------------------------------------------------------


def _plan(luck: Luck, name: str, seats_min: int = 2) -> Plan:
    plan = fresh_plan(luck, name)
    while plan.seats < seats_min:
        plan = fresh_plan(luck, name)
    return replace(plan, keyless=False, events={})


def _stopping(kinds: tuple[str, ...], times: int) -> Callable[[Table], bool]:
    """Return what holds when one of these steps is due for the last of so many times."""
    left = [times]

    def until(table: Table) -> bool:
        asked = next(peer for peer in table.peers if asks_player(peer.game))
        left[0] -= asked.game.round.step in kinds
        return left[0] < 0

    return until


def _parting(luck: Luck, plan: Plan, *kinds: str) -> Table:
    """Play a game until it parts, before one of these steps.

    Raises:
        Unfit: it ended before.
    """
    table = play(plan, _stopping(kinds, luck.roll(5)))
    if not any(asks_player(peer.game) for peer in table.peers):
        raise Unfit
    return table


def _branch(table: Table, plan: Plan, name: str, moves: int | None) -> Table:
    """Return the table as it stands after some more moves, or at its end, played by other dice."""
    fork = table.fork(seeded(f"branch {name}"))
    left = [10**6 if moves is None else moves]

    def until(_: Table) -> bool:
        left[0] -= 1
        return left[0] < 0

    return play_on(plan, fork, Dice(name), until)


def _log(table: Table, luck: Luck) -> bytes:
    return luck.pick(table.peers).log_bytes


def two_ways(luck: Luck, name: str) -> Two:
    """Who is in turn says two things, and both games go on, perhaps to two ends."""
    plan = _plan(luck, name)
    table = _parting(luck, plan, "draw", "guess", "more", "take", "arrange")
    ends = [luck.pick((None, None, 1, 2, 5)) for _ in range(2)]
    one, two = (_branch(table, plan, f"{name} {k}", end) for k, end in enumerate(ends))
    return _log(one, luck), _log(two, luck)


def _without(luck: Luck, name: str, table: Table, plan: Plan, lost: str) -> Table:
    """Return the table as it goes on without a seat that is silent from now on."""
    step = next(p.game.round.step for p in table.peers if asks_player(p.game))
    plan = replace(plan, events={f"{step} 0": lost})
    return _branch(table, plan, f"{name} without", luck.pick((None, 2, 4)))


def dropped_and_not(luck: Luck, name: str) -> Two:
    """In one log the others play on without a seat, in the other with it."""
    plan = _plan(luck, name, 3)
    table = _parting(luck, plan, "draw", "guess", "more", "place")
    lost = luck.pick(("silent", "silent", "silent target", f"silent {luck.roll(plan.seats)}"))
    one = _without(luck, name, table, plan, lost)
    two = _branch(table, plan, f"{name} on", luck.pick((None, 1, 2, 3)))
    return _log(one, luck), _log(two, luck)


def two_dropped(luck: Luck, name: str) -> Two:
    """In the shares of one draw the others play on without one seat, or without another."""
    plan = _plan(luck, name, 3)
    table = _parting(luck, plan, "draw")
    turn = next(p.seat for p in table.peers if asks_player(p.game))
    others = [seat for seat in range(plan.seats) if seat != turn]
    first = others.pop(luck.roll(len(others)))
    dice = f"{name} same"
    tables = []
    for lost in (first, luck.pick(others)):
        silent = replace(plan, events={"draw 0": f"silent {lost}"})
        tables.append(_branch(table, silent, dice, luck.pick((None, 2))))
    return _log(tables[0], luck), _log(tables[1], luck)


def late(luck: Luck, name: str) -> Two:
    """A seat accepts a message late in one log; in the other its vote completes a drop."""
    plan = _plan(luck, name, 3)
    voter = luck.roll(plan.seats)
    plan = replace(plan, events={f"guess {luck.roll(3)}": f"late {voter}"})
    game = Fresh(plan, play(plan), luck.roll(plan.seats))
    votes = [record for record in game.records if record.kind == "aside"]
    first = luck.pick(votes[:1])
    moment = next(m for m in (Moment(game, one) for one in game.said) if _is_about(m, first.data))
    return _completed(game, moment, luck), game.log


def _is_about(moment: Moment, vote: bytes) -> bool:
    return any(moment.vote(seat).encode() == vote for seat in moment.required)


def _completed(game: Fresh, moment: Moment, luck: Luck) -> bytes:
    """Return the log in which all others vote where the moment begins."""
    votes: list[Entry] = [("aside", moment.vote(seat).encode()) for seat in moment.required]
    return written([*game.entries[: moment.start], *votes])


# --- logs that are cut and joined ------------------------------------------------------------


def _game(luck: Luck, name: str, seats_min: int = 2, *, events: bool = False) -> Fresh:
    plan = fresh_plan(luck, name)
    while plan.seats < seats_min:
        plan = fresh_plan(luck, name)
    plan = plan if events else replace(plan, events={}, keyless=False)
    return Fresh(plan, play(plan), luck.roll(plan.seats))


def agreeing(luck: Luck, name: str) -> Two:
    """Logs of two seats, one of them perhaps cut."""
    game = _game(luck, name, events=luck.one_in(2))
    other = _log(game.table, luck)
    size = luck.pick((len(other), luck.roll(len(other) - 4000) + 4000))
    return game.log, other[:size]


def behind(luck: Luck, name: str) -> Two:
    """A seat that was dropped, or who was not needed for that, ends with words nobody followed."""
    game = _game(luck, name, 3)
    moment = a_moment(game, luck)
    own = game.index(moment.said.offset)
    if luck.one_in(3):
        own += 1
    alone = [e for e in game.entries[: own + 1] if e[0] != "aside"]
    return written(alone), _completed(game, moment, luck)


def votes_alone(luck: Luck, name: str) -> Two:
    """One log holds a vote or a promise, the other goes on, or holds what contradicts it."""
    game = _game(luck, name, 3)
    moment = a_moment(game, luck)
    seat = luck.pick(moment.required)
    own = game.index(moment.said.offset)
    entries = game.entries
    voted = [*entries[: moment.start], ("aside", moment.vote(seat).encode())]
    promised = [*entries[: own + 1], ("aside", moment.promise(seat).encode())]
    other = moment.promise(seat, digest=bytes(32)).encode()
    otherwise = [*entries[: moment.start], ("aside", other)]
    end = [*entries[: own + 1 + luck.roll(8)]]
    one = luck.pick((voted, voted, otherwise))
    return written(one), written(luck.pick((promised, promised, end, entries)))


def another_receipt(luck: Luck, name: str) -> Two:
    """Other fresh bytes in a receipt, or another message that carries no proof."""
    game = _game(luck, name)
    kinds = ("receipt", "guess", "draw", "commit")
    said = luck.pick([one for kind in kinds[: 1 + luck.roll(4)] for one in game.kind(kind)])
    body = read_body(said.envelope.payload.body)
    fields = body.fields
    if said.envelope.payload.kind == "receipt":
        fields = (*fields[:2], luck.bytes_of(16) if fields[2] is not None else None)
    elif said.envelope.payload.kind == "commit":
        fields = (luck.bytes_of(32),)
    elif said.envelope.payload.kind == "draw":
        fields = (1,)
    else:
        fields = (*fields[:2], luck.pick(("b1", "w2", "b3")))
    raw = sign(game, replace(said.envelope.payload, body=(fields, ()))).encode()
    at = game.index(said.offset)
    follow: list[Entry] = []
    for kind, data in game.entries[at + 1 :]:
        if kind != "envelope" or read_envelope(data).payload.step != said.step:
            break
        follow.append((kind, data))
    return game.log, written([*game.entries[:at], ("envelope", raw), *follow])


def convicted_in_one(luck: Luck, name: str) -> Two:
    """One log ends with the proof that a seat spoke twice, the other with a winner."""
    game = _game(luck, name)
    said = luck.pick(game.said)
    two = sign(game, replace(said.envelope.payload, body=None)).encode()
    at = luck.pick((len(game.records), game.index(said.offset) + 1))
    return game.log, written([*game.entries[:at], fault(said.envelope.encode(), two)])


def spoiled_behind(luck: Luck, name: str) -> Two:
    """Both logs hold what contradicts, and one of them is wrong at its end."""
    one, two = luck.pick((two_ways, dropped_and_not, votes_alone))(luck, name)
    records = read_log(one)[0]
    entries = [(record.kind, record.data) for record in records]
    at = luck.pick((len(entries), 1 + luck.roll(len(entries))))
    bad: Entry = ("note", encode(None))
    return written([*entries[:at], bad, *entries[at:]]), two


def claimed_and_not(luck: Luck, name: str) -> Two:
    """In one log a seat claims the game, in the other it is played on."""
    plan = replace(_plan(luck, name), seats=2, first=None)
    table = _parting(luck, plan, "draw", "guess", "more")
    one = _without(luck, name, table, plan, "silent")
    two = _branch(table, plan, f"{name} on", luck.pick((None, 1, 3)))
    return _log(one, luck), _log(two, luck)


WAYS: Final = (
    *(two_ways, dropped_and_not, behind, votes_alone, two_dropped, agreeing, another_receipt),
    *(dropped_and_not, behind, late, convicted_in_one, claimed_and_not, spoiled_behind, two_ways),
)
"""The ways in which a pair comes about, each in its turn."""
APART: Final = frozenset(WAYS) - {agreeing, claimed_and_not}
"""Those after which two logs most often differ; what came out alike is mostly left out."""
