"""The options of a table, the presets that bundle them, and their text forms.

The two source texts of the game differ; every difference is one option here, and each text's way
of playing is a preset. Options travel as text (typed, shown, signed in a contract), so parsing is
strict and printing canonical. This module knows nothing of play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from .tiles import NUMBER_MAX, Colour, Tile

Backs: TypeAlias = Literal["open", "hidden"]
"""Whether everybody sees the colour of a tile that stands or lies in the pile."""
CallRule: TypeAlias = Literal["number", "colour"]
"""Whether a call without a colour is a real call (``number``) or always a miss (``colour``)."""
EmptyMiss: TypeAlias = Literal["reveal", "pass"]
"""What a miss without a drawn tile costs."""
First: TypeAlias = Literal["random", "youngest"]
Scoring: TypeAlias = Literal["none", "revealed", "tournament"]
Tie: TypeAlias = Literal["shared", "extra"]
Aids: TypeAlias = Literal["real-life", "normal", "assisted"]

ROUNDS_MAX: Final = 9
SEATS_MIN: Final = 2
SEATS_MAX: Final = 4
FieldText: TypeAlias = tuple[tuple[str, str], ...]

_CLOCK = re.compile(r"(0|[1-9][0-9]{0,3})\+(0|[1-9][0-9]{0,3})")


OPTION_REASONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "unknown_preset": ("preset", "presets"),
        "unknown_option": ("option", "options"),
        "bad_value": ("option", "value", "choices"),
        "bad_fields": (),
        "hidden_needs_colour": (),
        "rounds_need_scoring": ("rounds",),
        "clock_zero": ("clock",),
    }
)
"""Every reason for refusing options, and the names of the values that a sentence may use."""


class BadOption(Exception):  # noqa: N818 - it is a refusal, worded for people elsewhere
    """An option, a value or a combination that no table can have.

    ``reason`` is one of :data:`OPTION_REASONS`, ``values`` its values as (name, text) pairs.
    """

    def __init__(self, reason: str, values: FieldText = ()) -> None:
        self.reason = reason
        self.values = values
        super().__init__(reason, values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Seconds a player may think before others may call the clock, and seconds left after it."""

    think_s: int
    call_s: int

    def __str__(self) -> str:
        return f"{self.think_s}+{self.call_s}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a table plays; the defaults are the preset ``classic``."""

    jokers: bool = True
    twelve: bool = False
    backs: Backs = "open"
    call: CallRule = "number"
    empty_miss: EmptyMiss = "reveal"
    first: First = "random"
    clock: Clock | None = None
    scoring: Scoring = "none"
    rounds: int = 1
    tie: Tie = "shared"
    aids: Aids = "normal"

    @property
    def decks(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles by what their backs show, in code order: (black, white), or all in one."""
        return _decks(self.jokers, self.twelve, self.backs)

    @property
    def tiles(self) -> frozenset[Tile]:
        """Every tile in play: 24, 26 or 28."""
        return _tiles(self.jokers, self.twelve)

    def deck_of(self, tile: Tile) -> int:
        """Return the deck that ``tile`` is drawn from."""
        return int(tile.colour) if self.backs == "open" else 0

    def back_of(self, tile: Tile) -> Colour | None:
        """Return what the back of ``tile`` shows."""
        return tile.colour if self.backs == "open" else None

    def fields(self) -> FieldText:
        """Return name and canonical text of every option, in a fixed order."""
        return tuple((name, form.show(getattr(self, name))) for name, form in FORMS.items())


@lru_cache
def _tiles(jokers: bool, twelve: bool) -> frozenset[Tile]:
    numbers: list[int | None] = [*range(NUMBER_MAX + 1 if twelve else NUMBER_MAX)]
    if jokers:
        numbers.append(None)
    return frozenset(Tile(colour=colour, number=n) for colour in Colour for n in numbers)


@lru_cache
def _decks(jokers: bool, twelve: bool, backs: Backs) -> tuple[tuple[Tile, ...], ...]:
    tiles = sorted(_tiles(jokers, twelve), key=lambda tile: tile.code)
    if backs == "hidden":
        return (tuple(tiles),)
    return tuple(tuple(tile for tile in tiles if tile.colour == colour) for colour in Colour)


def hand_size(seats: int) -> int:
    """Return how many tiles each of ``seats`` players takes: 4, or 3 with four players.

    Raises:
        ValueError: not two to four seats.
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"no game for {seats}")
    return 3 if seats == SEATS_MAX else 4


# --- text ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How one option is written: the values to offer, and text to value and back.

    ``read`` raises ValueError for text that is no value.
    """

    choices: tuple[str, ...]
    read: Callable[[str], object]
    show: Callable[[object], str] = str


def _choice(values: Mapping[str, object]) -> Form:
    def read(text: str) -> object:
        if text not in values:
            raise ValueError(text)
        return values[text]

    texts = {value: text for text, value in values.items()}
    return Form(choices=tuple(values), read=read, show=texts.__getitem__)


def _words(alternatives: object) -> Form:
    return _choice({word: word for word in get_args(alternatives)})


def _read_clock(text: str) -> Clock | None:
    if text == "off":
        return None
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Clock(think_s=int(match[1]), call_s=int(match[2]))


_YES_NO = _choice({"yes": True, "no": False})

FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "jokers": _YES_NO,
        "twelve": _YES_NO,
        "backs": _words(Backs),
        "call": _words(CallRule),
        "empty_miss": _words(EmptyMiss),
        "first": _words(First),
        "clock": Form(
            choices=("off", "60+20"),
            read=_read_clock,
            show=lambda clock: "off" if clock is None else str(clock),
        ),
        "scoring": _words(Scoring),
        "rounds": _choice({str(n): n for n in range(1, ROUNDS_MAX + 1)}),
        "tie": _words(Tie),
        "aids": _words(Aids),
    }
)
"""Every option by name, in the order in which :meth:`Options.fields` lists them."""


# --- presets ---------------------------------------------------------------------------------

_STANDARD = Options(
    jokers=False,
    backs="hidden",
    call="colour",
    empty_miss="pass",
    first="youngest",
    aids="real-life",
)
_ADVANCED = replace(_STANDARD, jokers=True)

PRESETS: Final[Mapping[str, Options]] = MappingProxyType(
    {
        "classic": Options(),
        "standard": _STANDARD,
        "advanced": _ADVANCED,
        "tournament": replace(_ADVANCED, scoring="tournament", rounds=3),
    }
)
DEFAULT_PRESET: Final = "classic"


def preset_named(preset: str) -> Options:
    """Return the options of a preset.

    Raises:
        BadOption: ``unknown_preset``.
    """
    if preset not in PRESETS:
        raise BadOption("unknown_preset", (("preset", preset), ("presets", ", ".join(PRESETS))))
    return PRESETS[preset]


def options_from(preset: str, overrides: Mapping[str, str]) -> Options:
    """Return a preset's options with some of them set to other values, given as text.

    Raises:
        BadOption: as for :func:`preset_named` and :func:`changed`.
    """
    return changed(preset_named(preset), overrides)


def changed(options: Options, overrides: Mapping[str, str]) -> Options:
    """Return ``options`` with some of them set to other values, given as text.

    Raises:
        BadOption: ``unknown_option``, ``bad_value``, or as for :func:`validate`.
    """
    values = {name: _read(name, text) for name, text in overrides.items()}
    result = replace(options, **cast("dict[str, Any]", values))
    validate(result)
    return result


def _read(name: str, text: str) -> object:
    form = FORMS.get(name)
    if form is None:
        raise BadOption("unknown_option", (("option", name), ("options", ", ".join(FORMS))))
    try:
        return form.read(text)
    except ValueError:
        raise BadOption(
            "bad_value",
            (("option", name), ("value", text), ("choices", ", ".join(form.choices))),
        ) from None


def options_from_fields(fields: Sequence[tuple[str, str]]) -> Options:
    """Return the options whose :meth:`Options.fields` are exactly ``fields``.

    Raises:
        BadOption: ``bad_fields`` unless every option is there once and in order, ``bad_value``,
            or as for :func:`validate`.
    """
    if [name for name, _ in fields] != list(FORMS):
        raise BadOption("bad_fields")
    return changed(Options(), dict(fields))


def validate(options: Options) -> None:
    """Refuse combinations that make no game.

    Raises:
        BadOption: ``hidden_needs_colour``: with hidden backs nothing would say which colour a
            bare number means; ``rounds_need_scoring``: several rounds are decided by points;
            ``clock_zero``: nobody can think for no time.
    """
    if options.backs == "hidden" and options.call == "number":
        raise BadOption("hidden_needs_colour")
    if options.rounds > 1 and options.scoring == "none":
        raise BadOption("rounds_need_scoring", (("rounds", str(options.rounds)),))
    if options.clock is not None and 0 in (options.clock.think_s, options.clock.call_s):
        raise BadOption("clock_zero", (("clock", str(options.clock)),))
