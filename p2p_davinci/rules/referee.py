"""The referee: plays open records through the engine and says what comes of them.

One JSON object a line, one result a line. Reading is strict, because a judge who overlooks what
he does not understand judges something else: types are exact, unknown names and doubled ones are
refused. Nothing that a line holds makes it fail: what is wrong is in the result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from .engine import start
from .illegal import IllegalMove
from .moves import Draw, Drop, Guess, Move, Overdue, Place, Resign, Reveal, Stop, parse_call
from .options import (
    DEFAULT_PRESET,
    FORMS,
    SEATS_MAX,
    SEATS_MIN,
    BadOption,
    Clock,
    Options,
    hand_size,
    preset_named,
    validate,
)
from .record import RULES, Json, state_record
from .scoring import Result, next_round, players, totals, winners
from .state import State
from .tiles import Tile, in_order, parse_tile
from .truth import Truth, advance

_CLOCK: Final = Clock(think_s=60, call_s=20)
_INT_DIGITS_MAX: Final = 18


class _Unreadable(Exception):  # noqa: N818 - caught here, never seen outside
    """A part of a record that is not what the format says; the argument says which."""


def run_referee(lines: Iterable[str]) -> Iterator[str]:
    """Yield the result of each record, in order; see :func:`referee_line`."""
    return map(referee_line, lines)


def referee_line(line: str) -> str:
    """Return the result of one record as one line of ASCII JSON, without a line end.

    Never raises: a line that is no record has the result ``illegal`` with move −1.
    """
    try:
        record = _load(line)
        result = _judge(record)
    except _Unreadable as error:
        result = _impossible(str(error))
    return json.dumps(result)


def _load(line: str) -> Mapping[str, Any]:
    try:
        line.encode()
        record = json.loads(
            line,
            object_pairs_hook=_no_doubles,
            parse_constant=_no_constant,
            parse_int=_bounded_int,
        )
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"not JSON: {error}") from None
    return _object(record, ("rules", "hands", "first", "moves", "rounds"), "record")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return names


def _no_constant(text: str) -> None:
    raise ValueError(text)


def _bounded_int(text: str) -> int | float:
    """Return an integer, or something that is none if it is too long to mean anything here."""
    return int(text) if len(text) <= _INT_DIGITS_MAX else math.inf


def _object(value: object, names: Sequence[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Unreadable(f"{what}: not an object")
    unknown = [name for name in value if name not in names]
    if unknown:
        raise _Unreadable(f"{what}: unknown name {unknown[0]!r}")
    return value


def _array(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise _Unreadable(f"{what}: not a list")
    return value


# --- one record ------------------------------------------------------------------------------


def _judge(record: Mapping[str, Any]) -> dict[str, Json]:
    options = _read_rules(record.get("rules", {}))
    if "rounds" not in record:
        return _play_round(options, record, None).record
    if len(record) > len({"rules", "rounds"} & record.keys()):
        raise _Unreadable("a record of rounds names hands, first and moves in each of them")
    return _play_rounds(options, _array(record["rounds"], "rounds"))


def _read_rules(value: object) -> Options:
    rules = dict(_object(value, ("preset", *RULES), "rules"))
    try:
        options = preset_named(_text(rules.pop("preset", DEFAULT_PRESET), "preset"))
        options = replace(options, **{k: _read_rule(k, v) for k, v in rules.items()})
        validate(options)
    except BadOption as error:
        raise _Unreadable(f"rules: {error.reason}") from None
    return options


def _read_rule(name: str, value: object) -> Any:
    if name in ("jokers", "twelve", "clock"):
        if not isinstance(value, bool):
            raise _Unreadable(f"rules: {name}: neither true nor false")
        return value if name != "clock" else _CLOCK if value else None
    text = str(_integer(value, name)) if name == "rounds" else _text(value, name)
    try:
        return FORMS[name].read(text)
    except ValueError:
        raise _Unreadable(f"rules: {name}: no such value") from None


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise _Unreadable(f"{what}: not a text")
    return value


def _integer(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Unreadable(f"{what}: not an integer")
    return value


def _tile(value: object) -> Tile:
    try:
        return parse_tile(_text(value, "tile"))
    except ValueError as error:
        raise _Unreadable(str(error)) from None


def _impossible(why: str) -> dict[str, Json]:
    return {"illegal": {"move": -1, "why": why}}


# --- one round -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """What came of a round: what is printed, and who won how if it was played to its end."""

    record: dict[str, Json]
    result: Result | None = None


def _play_round(
    options: Options, record: Mapping[str, Any], playing: tuple[int, ...] | None
) -> _Played:
    """Play a round; ``playing`` are the seats that must hold tiles (``None``: every one)."""
    state, truth = _deal(options, record, playing)
    for index, move in enumerate(_array(record.get("moves"), "moves")):
        try:
            state, truth = _make(state, truth, move)
        except (_Unreadable, IllegalMove) as error:
            why = error.reason if isinstance(error, IllegalMove) else str(error)
            illegal: Json = {"move": index, "why": why}
            return _Played(record={"illegal": illegal, "state": state_record(state, truth)})
    result = None
    if state.winner is not None:
        result = Result(winner=state.winner, points=state.points)
    return _Played(record={"ok": state_record(state, truth)}, result=result)


def _deal(
    options: Options, record: Mapping[str, Any], playing: tuple[int, ...] | None
) -> tuple[State, Truth]:
    rows = _array(record.get("hands"), "hands")
    if not SEATS_MIN <= len(rows) <= SEATS_MAX:
        raise _Unreadable("hands: two to four players")
    hands = tuple(tuple(_tile(tile) for tile in _array(row, "hand")) for row in rows)
    dealt = [tile for hand in hands for tile in hand]
    if len(set(dealt)) != len(dealt) or not options.tiles.issuperset(dealt):
        raise _Unreadable("hands: a tile stands twice, or is none of this deck")
    if not all(in_order(hand) for hand in hands):
        raise _Unreadable("hands: a row is not in order")
    seats = range(len(hands)) if playing is None else playing
    sizes = [hand_size(len(seats)) if seat in seats else 0 for seat in range(len(hands))]
    if [len(hand) for hand in hands] != sizes:
        raise _Unreadable(f"hands: they have {sizes} tiles")
    first = _integer(record.get("first", 0), "first")
    if first not in seats:
        raise _Unreadable("first: does not play")
    backs = [[options.back_of(tile) for tile in hand] for hand in hands]
    return start(options, backs, first), Truth(hands=hands)


def _make(state: State, truth: Truth, move: object) -> tuple[State, Truth]:
    name, *arguments = _array(move, "move") or [None]
    read = _MOVES.get(_text(name, "move"))
    if read is None:
        raise _Unreadable("move: no such move")
    seat, made, tile = read(state, arguments)
    return advance(state, truth, made, seat=seat, tile=tile)


_Made: TypeAlias = tuple[int, Move, Tile | None]


def _draw(state: State, arguments: list[Any]) -> _Made:
    (tile,) = _exactly(arguments, 1)
    drawn = _tile(tile)
    return state.turn, Draw(deck=state.options.deck_of(drawn)), drawn


def _guess(state: State, arguments: list[Any]) -> _Made:
    seat, slot, call = _exactly(arguments, 3)
    try:
        said = parse_call(_text(call, "call"))
    except ValueError as error:
        raise _Unreadable(str(error)) from None
    target = _integer(seat, "seat")
    return state.turn, Guess(seat=target, slot=_integer(slot, "slot"), call=said), None


def _stop(state: State, arguments: list[Any]) -> _Made:
    return state.turn, Stop(slot=_slot(arguments)), None


def _place(state: State, arguments: list[Any]) -> _Made:
    return state.turn, Place(slot=_slot(arguments)), None


def _reveal(state: State, arguments: list[Any]) -> _Made:
    (slot,) = _exactly(arguments, 1)
    return state.turn, Reveal(slot=_integer(slot, "slot")), None


def _overdue(state: State, arguments: list[Any]) -> _Made:
    """Read what a lost turn drew, or where it left its tile (leftmost if that is not named)."""
    if not arguments:
        return state.turn, Overdue(), None
    (argument,) = _exactly(arguments, 1)
    if not isinstance(argument, str):
        return state.turn, Overdue(slot=_integer(argument, "slot")), None
    drawn = _tile(argument)
    return state.turn, Overdue(deck=state.options.deck_of(drawn)), drawn


def _resign(_state: State, arguments: list[Any]) -> _Made:
    (seat,) = _exactly(arguments, 1)
    return _integer(seat, "seat"), Resign(), None


def _drop(_state: State, arguments: list[Any]) -> _Made:
    (seat,) = _exactly(arguments, 1)
    return _integer(seat, "seat"), Drop(), None


_MOVES: Final[Mapping[str, Callable[[State, list[Any]], _Made]]] = MappingProxyType(
    {
        "draw": _draw,
        "guess": _guess,
        "stop": _stop,
        "place": _place,
        "reveal": _reveal,
        "overdue": _overdue,
        "resign": _resign,
        "drop": _drop,
    }
)


def _exactly(arguments: list[Any], count: int) -> list[Any]:
    if len(arguments) != count:
        raise _Unreadable(f"move: takes {count} more")
    return arguments


def _slot(arguments: list[Any]) -> int | None:
    if not arguments:
        return None
    (slot,) = _exactly(arguments, 1)
    return _integer(slot, "slot")


# --- several rounds --------------------------------------------------------------------------


def _play_rounds(options: Options, records: list[Any]) -> dict[str, Json]:
    if not records:
        raise _Unreadable("rounds: none")
    results: list[Result] = []
    printed: list[Json] = []
    for index, record in enumerate(records):
        played = _play_next(options, record, results, due=index == len(results))
        printed.append(played.record)
        if played.result is not None:
            results.append(played.result)
    return {
        "rounds": printed,
        "totals": list(totals(results)),
        "winners": list(winners(options, results)),
        "next": next_round(options, results),
    }


def _play_next(options: Options, record: object, results: list[Result], *, due: bool) -> _Played:
    try:
        if not due:
            raise _Unreadable("round: the one before is not finished")
        if next_round(options, results) is None:
            raise _Unreadable("round: no more are agreed")
        fields = _object(record, ("hands", "first", "moves"), "round")
        if not results:
            return _play_round(options, fields, None)
        seats = len(results[0].points)
        if len(_array(fields.get("hands"), "hands")) != seats:
            raise _Unreadable("hands: not the seats of the first round")
        return _play_round(options, fields, players(options, results, seats))
    except _Unreadable as error:
        return _Played(record=_impossible(str(error)))
