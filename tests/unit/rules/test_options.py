"""Options, presets and their text."""

from __future__ import annotations

import pytest

from p2p_davinci.rules.options import (
    DEFAULT_PRESET,
    FORMS,
    OPTION_REASONS,
    PRESETS,
    BadOption,
    Clock,
    Options,
    changed,
    hand_size,
    options_from,
    options_from_fields,
    validate,
)
from p2p_davinci.rules.tiles import Colour, parse_tile

TABLE = {
    "classic": "yes no open number reveal random off none 1 shared normal",
    "standard": "no no hidden colour pass youngest off none 1 shared real-life",
    "advanced": "yes no hidden colour pass youngest off none 1 shared real-life",
    "tournament": "yes no hidden colour pass youngest off tournament 3 shared real-life",
}


def test_the_presets_are_those_of_the_rules() -> None:
    shown = {name: " ".join(text for _, text in o.fields()) for name, o in PRESETS.items()}
    assert shown == TABLE
    assert DEFAULT_PRESET == "classic"
    assert Options() == PRESETS["classic"]


def test_fields_come_in_a_fixed_order_and_go_there_and_back() -> None:
    for options in PRESETS.values():
        assert [name for name, _ in options.fields()] == list(FORMS)
        assert options_from_fields(options.fields()) == options


@pytest.mark.parametrize(("name", "text"), [(n, c) for n, f in FORMS.items() for c in f.choices])
def test_every_value_of_every_option_can_be_set_on_every_preset(name: str, text: str) -> None:
    for preset in PRESETS:
        rest = {"backs": "open", "call": "colour", "scoring": "revealed"}
        options = options_from(preset, rest | {"rounds": "1"} | {name: text})
        assert dict(options.fields())[name] == text


def test_overrides_leave_the_rest_alone() -> None:
    options = options_from("tournament", {"twelve": "yes", "clock": "90+15"})
    assert options.clock == Clock(think_s=90, call_s=15)
    assert changed(options, {"twelve": "no", "clock": "off"}) == PRESETS["tournament"]


def refusal(preset: str, **overrides: str) -> BadOption:
    with pytest.raises(BadOption) as caught:
        options_from(preset, overrides)
    names = tuple(name for name, _ in caught.value.values)
    assert names == OPTION_REASONS[caught.value.reason]
    return caught.value


def test_an_unknown_preset() -> None:
    error = refusal("clasic")
    presets = "classic, standard, advanced, tournament"
    assert (error.reason, dict(error.values)) == (
        "unknown_preset",
        {"preset": "clasic", "presets": presets},
    )


def test_an_unknown_option() -> None:
    error = refusal("classic", color="yes")
    assert error.reason == "unknown_option"
    assert error.values == (("option", "color"), ("options", ", ".join(FORMS)))


def test_a_value_that_is_none() -> None:
    error = refusal("classic", backs="shut")
    assert error.reason == "bad_value"
    assert error.values == (("option", "backs"), ("value", "shut"), ("choices", "open, hidden"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jokers", "true"),
        ("jokers", "Yes"),
        ("rounds", "0"),
        ("rounds", "10"),
        ("rounds", "01"),
        ("clock", "60"),
        ("clock", "on"),
        ("clock", "060+20"),
        ("clock", "60+20s"),
        ("clock", "-1+20"),
        ("clock", "99999+20"),
        ("clock", "٣+20"),
        ("tie", ""),
    ],
)
def test_values_are_strict(name: str, text: str) -> None:
    assert refusal("tournament", **{name: text}).reason == "bad_value"


def test_hidden_backs_need_the_colour_in_a_call() -> None:
    assert refusal("classic", backs="hidden").reason == "hidden_needs_colour"
    assert refusal("standard", call="number").reason == "hidden_needs_colour"
    assert options_from("classic", {"backs": "hidden", "call": "colour"}).backs == "hidden"


def test_several_rounds_need_points() -> None:
    error = refusal("tournament", scoring="none")
    assert (error.reason, error.values) == ("rounds_need_scoring", (("rounds", "3"),))
    assert options_from("tournament", {"scoring": "none", "rounds": "1"}).rounds == 1


@pytest.mark.parametrize("text", ["0+20", "60+0", "0+0"])
def test_a_clock_of_nothing(text: str) -> None:
    error = refusal("classic", clock=text)
    assert (error.reason, error.values) == ("clock_zero", (("clock", text),))


@pytest.mark.parametrize(
    "fields",
    [
        PRESETS["classic"].fields()[:-1],
        PRESETS["classic"].fields()[::-1],
        (*PRESETS["classic"].fields(), ("tie", "extra")),
        (("jokers", "yes"), *PRESETS["classic"].fields()[:-1]),
    ],
    ids=["short", "order", "long", "doubled"],
)
def test_fields_that_are_not_all_options_once_and_in_order(
    fields: tuple[tuple[str, str], ...],
) -> None:
    with pytest.raises(BadOption, match="bad_fields"):
        options_from_fields(fields)


def test_fields_are_validated() -> None:
    fields = dict(PRESETS["standard"].fields()) | {"call": "number"}
    with pytest.raises(BadOption, match="hidden_needs_colour"):
        options_from_fields(tuple(fields.items()))


def test_one_to_nine_rounds() -> None:
    rounds = [options_from("tournament", {"rounds": str(n)}).rounds for n in range(1, 10)]
    assert rounds == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_validation_of_options_made_directly() -> None:
    validate(Options())
    with pytest.raises(BadOption, match="clock_zero"):
        validate(Options(clock=Clock(think_s=5, call_s=0)))


@pytest.mark.parametrize(
    ("jokers", "twelve", "count"),
    [(False, False, 24), (True, False, 26), (False, True, 26), (True, True, 28)],
)
def test_decks(jokers: bool, twelve: bool, count: int) -> None:
    backs_open = Options(jokers=jokers, twelve=twelve)
    hidden = Options(jokers=jokers, twelve=twelve, backs="hidden", call="colour")
    assert len(backs_open.tiles) == count
    assert backs_open.tiles == hidden.tiles
    black, white = backs_open.decks
    assert {tile.colour for tile in black} == {Colour.BLACK}
    assert {tile.colour for tile in white} == {Colour.WHITE}
    (everything,) = hidden.decks
    assert set(everything) == {*black, *white} == backs_open.tiles
    for deck in (black, white, everything):
        assert [tile.code for tile in deck] == sorted(tile.code for tile in deck)


def test_backs_and_decks_of_a_tile() -> None:
    hidden = PRESETS["standard"]
    white = parse_tile("w5")
    assert (Options().back_of(white), Options().deck_of(white)) == (Colour.WHITE, 1)
    assert (hidden.back_of(white), hidden.deck_of(white)) == (None, 0)


def test_hands() -> None:
    assert [hand_size(seats) for seats in (2, 3, 4)] == [4, 4, 3]
    for seats in (0, 1, 5):
        with pytest.raises(ValueError, match="no game"):
            hand_size(seats)
