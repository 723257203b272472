"""The referee against records that are right, wrong, and not records at all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p_davinci.rules.referee import referee_line, run_referee

HANDS = [["b0", "b1", "w2", "w11"], ["b3", "w3", "b4", "w4"]]
RECORD: dict[str, Any] = {"rules": {}, "hands": HANDS, "first": 0, "moves": []}


def judge(**changes: object) -> Any:
    return json.loads(referee_line(json.dumps(RECORD | changes)))


def without(name: str) -> Any:
    record = {key: value for key, value in RECORD.items() if key != name}
    return json.loads(referee_line(json.dumps(record)))


def impossible(result: Any) -> bool:
    illegal = result.get("illegal", {})
    return illegal.get("move") == -1 and set(result) == {"illegal"} and bool(illegal["why"])


# --- the line --------------------------------------------------------------------------------

GOOD = json.dumps(RECORD)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "not json",
        "null",
        "7",
        "[]",
        '"text"',
        "{",
        GOOD[:-1],
        GOOD + GOOD,
        GOOD.replace('"first": 0', '"first": NaN'),
        GOOD.replace('"moves": []', '"moves": [["draw", Infinity]]'),
        GOOD.replace('"first": 0', '"first": 0, "first": 0'),
        GOOD.replace('"rules": {}', '"rules": {"jokers": true, "jokers": true}'),
        "[" * 100_000,
        '{"a":' * 100_000,
        GOOD.replace("b0", "\udcff"),
        "\ufeff" + GOOD,
        "\x00",
    ],
    ids=range(19),
)
def test_a_line_that_is_no_record(line: str) -> None:
    result = referee_line(line)
    assert impossible(json.loads(result))
    assert result.isascii()
    assert "\n" not in result


def test_a_number_too_long_for_anything_is_a_wrong_number_not_a_wrong_line() -> None:
    line = json.dumps(RECORD | {"moves": [["draw", "b5"], ["guess", 1, 77, "4"]]})
    result = json.loads(referee_line(line.replace("77", "9" * 10_000)))
    assert result["illegal"]["move"] == 1


def test_results_come_one_a_line_and_in_order() -> None:
    results = list(run_referee([GOOD, "x", GOOD]))
    assert results == [referee_line(GOOD), referee_line("x"), referee_line(GOOD)]
    assert list(run_referee([])) == []


# --- rules and deal --------------------------------------------------------------------------


def test_rules_and_first_have_defaults() -> None:
    assert without("rules") == without("first") == judge()
    assert judge()["ok"]["turn"] == 0


@pytest.mark.parametrize("name", ["hands", "moves"])
def test_hands_and_moves_must_be_there(name: str) -> None:
    assert impossible(without(name))


@pytest.mark.parametrize(
    "rules",
    [
        None,
        [],
        "classic",
        {"preset": "clasic"},
        {"preset": None},
        {"preset": 1},
        {"jokers": 1},
        {"jokers": None},
        {"jokers": "yes"},
        {"twelve": "no"},
        {"clock": "60+20"},
        {"clock": 0},
        {"backs": True},
        {"backs": "number"},
        {"call": ["colour"]},
        {"empty_miss": "no"},
        {"scoring": "hidden"},
        {"tie": None},
        {"rounds": "1"},
        {"rounds": 1.0},
        {"rounds": True},
        {"rounds": 0},
        {"rounds": 10, "scoring": "revealed"},
        {"rounds": 2},
        {"backs": "hidden"},
        {"preset": "standard", "call": "number"},
        {"preset": "tournament", "scoring": "none"},
        {"first": "random"},
        {"aids": "normal"},
        {"colour": "yes"},
    ],
    ids=str,
)
def test_rules_that_are_none(rules: object) -> None:
    assert impossible(judge(rules=rules))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hands", None),
        ("hands", {}),
        ("hands", "b0"),
        ("hands", []),
        ("hands", HANDS[:1]),
        ("hands", [*HANDS, ["w0", "w1", "b2", "b11"], ["b5"], ["b6"]]),
        ("hands", [HANDS[0], "b3"]),
        ("hands", [HANDS[0], None]),
        ("hands", [HANDS[0], ["b3", "w3", "b4", 4]]),
        ("hands", [HANDS[0], ["b3", "w3", "b4", "w13"]]),
        ("hands", [HANDS[0], ["b3", "w3", "b4", "w12"]]),
        ("hands", [HANDS[0], ["b3", "w3", "b4", "b4"]]),
        ("hands", [HANDS[0], ["b0", "w3", "b4", "w4"]]),
        ("hands", [HANDS[0], ["w3", "b3", "b4", "w4"]]),
        ("hands", [HANDS[0], ["b3", "w3", "b4"]]),
        ("hands", [HANDS[0], ["b3", "w3", "b4", "w4", "w5"]]),
        ("hands", [HANDS[0], []]),
        ("hands", [*HANDS, []]),
        ("first", None),
        ("first", "0"),
        ("first", 0.0),
        ("first", True),
        ("first", -1),
        ("first", 2),
        ("moves", None),
        ("moves", {}),
        ("moves", "draw"),
        ("comment", "x"),
        ("rounds", []),
    ],
    ids=str,
)
def test_a_deal_or_record_that_is_none(name: str, value: object) -> None:
    assert impossible(judge(**{name: value}))


def test_four_players_hold_three_tiles_each() -> None:
    hands = [["b0", "b1", "w2"], ["b3", "w3", "b4"], ["b5", "w5", "w-"], ["b6", "w6", "w7"]]
    assert judge(hands=hands)["ok"]["pile"] == {"b": 7, "w": 7}


# --- moves -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        None,
        "draw",
        {},
        [],
        [[]],
        [1],
        ["pass"],
        ["Draw", "b5"],
        ["draw"],
        ["draw", 5],
        ["draw", "b5", "b6"],
        ["draw", "x9"],
        ["draw", "b12"],
        ["draw", "b0"],
        ["draw", "5"],
        ["guess", 1, 1, "b3"],
        ["overdue"],
        ["overdue", "b5"],
        ["resign"],
        ["resign", 2],
        ["resign", "0"],
        ["resign", True],
        ["stop"],
        ["place"],
        ["reveal", 1],
    ],
    ids=str,
)
def test_a_first_move_that_is_illegal(move: object) -> None:
    result = judge(moves=[move])
    assert result["illegal"]["move"] == 0
    assert result["state"] == judge()["ok"]


@pytest.mark.parametrize(
    "move",
    [
        ["guess"],
        ["guess", 1, 1],
        ["guess", 1, 1, "b3", 1],
        ["guess", True, 1, "b3"],
        ["guess", 1, 1.0, "b3"],
        ["guess", 1, "1", "b3"],
        ["guess", 1, 1, 3],
        ["guess", 1, 1, ""],
        ["guess", 1, 1, "b13"],
        ["guess", 1, 1, "b12"],
        ["guess", 1, 0, "b3"],
        ["guess", 1, -1, "b3"],
        ["guess", 1, 5, "b3"],
        ["guess", 0, 1, "b3"],
        ["guess", 2, 1, "b3"],
        ["guess", -1, 1, "b3"],
        ["overdue", "b6"],
    ],
    ids=str,
)
def test_a_guess_that_is_illegal(move: object) -> None:
    result = judge(rules={"clock": True}, moves=[["draw", "b5"], move])
    assert result["illegal"]["move"] == 1
    assert result["state"]["drawn"] == "b5"


@pytest.mark.parametrize(
    "move", [["place", "3"], ["place", 1], ["place", 3, 4], ["place", None], ["place", 99]], ids=str
)
def test_a_place_that_is_illegal(move: object) -> None:
    moves = [["draw", "b5"], ["guess", 1, 1, "9"]]
    assert judge(moves=[*moves, move])["illegal"]["move"] == 2
    assert judge(moves=[*moves, ["place"]]) == judge(moves=[*moves, ["place", 4]])


def test_an_overdue_turn_may_say_where_it_left_its_tile() -> None:
    rules, hands = {"clock": True}, [["b0", "w-", "w2", "w11"], ["b3", "w4", "w6", "b8"]]
    hit = [["draw", "b1"], ["guess", 1, 1, "3"]]

    def row(*last: Any) -> Any:
        result = judge(rules=rules, hands=hands, moves=[*hit, ["overdue", *last]])
        return result["ok"]["rows"][0] if "ok" in result else result["illegal"]["move"]

    assert row(3) == ["b0", "w-", "b1", "w2", "w11"]
    assert row(2) == row() == ["b0", "b1", "w-", "w2", "w11"]
    for wrong in (1, 4, 0, 6, True, None, "2", [2]):
        assert row(wrong) == 2
    assert row(2, 3) == 2
    drew = judge(rules=rules, hands=hands, moves=[["draw", "b1"], ["overdue", 2]])
    assert drew["illegal"]["move"] == 1


def test_a_turn_that_is_overdue() -> None:
    rules = {"clock": True}
    before = judge(rules=rules, moves=[["overdue", "b5"]])["ok"]
    assert (before["phase"], before["drawn"]) == ("place-up", "b5")
    after = judge(rules=rules, moves=[["draw", "b5"], ["overdue"]])["ok"]
    assert after == before
    hit = [["draw", "b5"], ["guess", 1, 1, "3"], ["overdue"]]
    stopped = judge(rules=rules, moves=hit)["ok"]
    assert (stopped["turn"], stopped["rows"][0]) == (1, ["b0", "b1", "w2", "b5", "w11"])


def test_nothing_moves_after_the_end() -> None:
    moves = [["resign", 0], ["resign", 1]]
    result = judge(moves=moves)
    assert result["illegal"] == {"move": 1, "why": "over"}
    assert (result["state"]["winner"], result["state"]["turn"]) == (1, 0)


# --- rounds ----------------------------------------------------------------------------------

ROUND: dict[str, Any] = {"hands": HANDS, "moves": [["resign", 0]]}
OTHER: dict[str, Any] = {"hands": HANDS, "first": 1, "moves": [["resign", 1]]}
THREE = [*HANDS, ["w0", "w1", "b2", "b11"]]


def rounds(*records: object, **rules: object) -> Any:
    rules = {"preset": "tournament", **rules}
    return json.loads(referee_line(json.dumps({"rules": rules, "rounds": records})))


def test_a_round_is_due_until_all_are_played() -> None:
    result = rounds(ROUND)
    assert result["rounds"][0]["ok"]["points"] == [0, 5 + 3 + 3 + 4 + 4]
    assert (result["totals"], result["winners"], result["next"]) == ([0, 19], [], "round")


def test_all_rounds_played() -> None:
    result = rounds(ROUND, OTHER, ROUND)
    assert (result["totals"], result["winners"], result["next"]) == ([19, 38], [1], None)
    tied = rounds(ROUND, OTHER, rounds=2, scoring="revealed")
    assert (tied["totals"], tied["winners"], tied["next"]) == ([0, 0], [0, 1], None)


def test_without_points_the_round_decides() -> None:
    result = rounds(ROUND, scoring="none", rounds=1, tie="extra")
    assert (result["totals"], result["winners"], result["next"]) == ([0, 0], [1], None)


def test_the_extra_round() -> None:
    rules = {"rounds": 1, "tie": "extra", "scoring": "revealed"}
    due = rounds(ROUND, **rules)
    assert (due["winners"], due["next"]) == ([], "extra")
    shared = rounds(ROUND, OTHER, **rules)
    assert (shared["winners"], shared["next"]) == ([0, 1], None)
    hit = {"hands": HANDS, "moves": [["draw", "b5"], ["guess", 1, 1, "b3"], ["resign", 1]]}
    decided = rounds(ROUND, hit, **rules)
    assert (decided["totals"], decided["winners"], decided["next"]) == ([1, 0], [0], None)


def test_the_tied_alone_play_the_extra_round() -> None:
    rules = {"rounds": 1, "tie": "extra", "scoring": "revealed"}
    moves: list[list[Any]] = [["draw", "b5"], ["guess", 1, 1, "b3"], ["stop"]]
    moves += [["draw", "b6"], ["guess", 0, 1, "b0"], ["resign", 0], ["resign", 2]]
    first = {"hands": THREE, "moves": moves}
    due = rounds(first, **rules)
    assert (due["totals"], due["next"]) == ([1, 1, 0], "extra")
    extra = {"hands": [*HANDS, []], "moves": [["resign", 1]]}
    result = rounds(first, extra, **rules)
    assert result["rounds"][1]["ok"]["out"] == [1, 2]
    assert (result["winners"], result["next"]) == ([0, 1], None)
    for hands in (THREE, [[], *HANDS], HANDS):
        assert impossible(rounds(first, {"hands": hands, "moves": []}, **rules)["rounds"][1])
    absent = {"hands": [*HANDS, []], "first": 2, "moves": []}
    assert impossible(rounds(first, absent, **rules)["rounds"][1])


def test_a_round_that_cannot_be() -> None:
    open_end = {"hands": HANDS, "moves": []}
    seconds: list[object] = [
        None,
        [],
        {},
        {"hands": 3},
        {"hands": THREE, "moves": []},
        ROUND | {"x": 1},
    ]
    for second in seconds:
        assert impossible(rounds(ROUND, second)["rounds"][1])
    after = rounds(open_end, ROUND)
    assert impossible(after["rounds"][1])
    assert (after["totals"], after["next"]) == ([], "round")
    broken = rounds({"hands": [], "moves": []}, ROUND)
    assert [impossible(each) for each in broken["rounds"]] == [True, True]
    surplus = rounds(ROUND, ROUND, rounds=1)
    assert impossible(surplus["rounds"][1])
    assert "agreed" in surplus["rounds"][1]["illegal"]["why"]
    assert (surplus["totals"], surplus["winners"]) == ([0, 19], [1])


def test_a_round_with_an_illegal_move_is_not_finished() -> None:
    result = rounds(ROUND | {"moves": [["resign", 0], ["resign", 0]]}, ROUND)
    assert result["rounds"][0]["illegal"]["move"] == 1
    assert impossible(result["rounds"][1])


def test_a_record_of_rounds_has_no_hands_of_its_own() -> None:
    record = {"rules": {"preset": "tournament"}, "rounds": [ROUND], "first": 0}
    assert impossible(json.loads(referee_line(json.dumps(record))))
    values: list[object] = [None, {}, "x", []]
    for value in values:
        record = {"rules": {"preset": "tournament"}, "rounds": value}
        assert impossible(json.loads(referee_line(json.dumps(record))))
