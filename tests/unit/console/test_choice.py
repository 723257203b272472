from __future__ import annotations

import pytest

from p2p_davinci.console.choice import choose_shell
from p2p_davinci.console.shell import Interrupts
from p2p_davinci.text import Words


@pytest.mark.parametrize(
    ("plain", "environ", "isatty", "kind", "reason"),
    [
        (False, {"TERM": "xterm"}, True, "screen", None),
        (False, {}, True, "screen", None),
        (True, {"TERM": "xterm"}, True, "plain", "shell.asked"),
        (False, {"TERM": "xterm"}, False, "plain", "shell.no_terminal"),
        (False, {"TERM": "dumb"}, True, "plain", "shell.dumb"),
        (False, {"TERM": "Unknown"}, True, "plain", "shell.dumb"),
        (False, {"TERM": "xterm", "ACCESSIBLE": "1"}, True, "plain", "shell.accessible"),
        (False, {"TERM": "xterm", "ACCESSIBLE": ""}, True, "screen", None),
    ],
)
def test_the_plain_shell_comes_by_itself_where_nothing_can_be_redrawn_and_says_so(
    plain: bool, environ: dict[str, str], isatty: bool, kind: str, reason: str | None
) -> None:
    choice = choose_shell(plain, environ, isatty)
    assert (choice.kind, choice.reason) == (kind, reason)
    assert reason is None or Words("zh").tell(reason)


def test_the_first_interrupt_asks_and_the_second_leaves() -> None:
    interrupts = Interrupts()
    assert interrupts.pressed() == "quit"
    assert interrupts.pressed() is None


def test_a_line_in_between_makes_the_next_interrupt_the_first_again() -> None:
    interrupts = Interrupts()
    interrupts.pressed()
    interrupts.typed()
    assert interrupts.pressed() == "quit"
