"""Moments at which lines are typed, and what a line came to there."""

from __future__ import annotations

from p2p_davinci.console import commands as c
from p2p_davinci.console.context import Context
from p2p_davinci.console.grammar import read
from p2p_davinci.rules.moves import (
    Guess,
    Move,
)
from tests.unit.console.scenes import (
    context_of,
    dealing,
    guessed,
    moments,
    rules,
)

CLASSIC = moments(rules())
STANDARD = moments(rules("standard"))
ADVANCED = moments(rules("advanced"))
OPEN_COLOUR = moments(rules(call="colour"))
NO_JOKERS = moments(rules(jokers="no"))


def move_of(line: str, context: Context) -> Move:
    command = read(line, context)
    assert isinstance(command, c.PlayMove), command
    return command.move


def refusal(line: str, context: Context) -> str:
    refused = read(line, context)
    assert isinstance(refused, c.Refusal), refused
    return refused.text


def guess(place: str, call: str) -> Guess:
    point = guessed(place, call)
    return Guess(seat=point.seat, slot=point.slot, call=point.call)


AT_GUESS = context_of(CLASSIC.guess, CLASSIC.options)
AT_DRAW = context_of(CLASSIC.draw, CLASSIC.options)
AT_MORE = context_of(CLASSIC.more, CLASSIC.options)
AT_PLACE = context_of(CLASSIC.place, CLASSIC.options)
AT_TAKE = context_of(dealing("take"), rules())
AT_ARRANGE = context_of(dealing("arrange", dealt=("w7", "w-", "b6", "b1")), rules())
