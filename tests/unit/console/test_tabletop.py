from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_davinci.console.canvas import Line, line_width
from p2p_davinci.console.commands import Place
from p2p_davinci.console.drawing import ARTS, Art
from p2p_davinci.console.speech import speech
from p2p_davinci.console.tabletop import fits, table_lines, table_size
from p2p_davinci.rules.moves import Drawn
from p2p_davinci.rules.options import options_from
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import GameView, Lost
from p2p_davinci.text import Lang, Words
from tests.unit.console.crowds import CROWDS, HOSTILE, crowded
from tests.unit.console.scenes import game_view, guessed, moments, rules, state_after

LANGS: tuple[Lang, ...] = ("en", "zh")
CLASSIC = moments(rules())


def shown(
    view: GameView,
    lang: Lang = "en",
    mark: Place | None = None,
    art: Art = "box",
    width: int = 80,
    height: int = 12,
) -> list[str]:
    spoken = speech(Words(lang), view.names, view.seat)
    return texts(table_lines(spoken, view, mark, art, width, height))


def texts(lines: Sequence[Line]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("art", ARTS)
@pytest.mark.parametrize("names", [("ana", "bo", "cy", "dee"), HOSTILE])
@pytest.mark.parametrize("lengths", CROWDS)
def test_whatever_can_occur_stands_in_twelve_lines_of_eighty_cells(
    lengths: tuple[int, ...], names: tuple[str, ...], art: Art, lang: Lang
) -> None:
    for drawn in (False, True):
        if drawn and sum(lengths) == 28:
            continue
        view = crowded(lengths, names=names, drawn=drawn)
        assert fits(view, 80, 12)
        assert fits(view, 80, len(lengths) + 1)
        lines = shown(view, lang, art=art)
        spoken = speech(Words(lang), view.names, view.seat)
        painted = table_lines(spoken, view, None, art, 80, 12)
        assert {line_width(line) for line in painted} == {80}
        assert len(lines) == 3 * len(lengths)
        for seat, length in enumerate(lengths):
            foot = lines[3 * seat + 2]
            assert all(str(slot) in foot for slot in range(1, length + 1))
            assert lines[3 * seat][:4].endswith(f"{seat + 1} ") or str(seat + 1) in lines[3 * seat]


def test_a_table_shows_who_is_in_turn_what_stands_and_what_is_drawn() -> None:
    assert shown(CLASSIC.more, mark=Place(seat=1, slot=2)) == [
        line.ljust(80)
        for line in (
            ">1 ana                ┌B─┐ ┌B─┐ ┌W─┐ ┌W─┐   ┌W─┐",
            "   4/4                │ 1│ │ 6│ │ 7│ │ -│   │ 4│",
            "   you                └1─┘ └2─┘ └3─┘ └4─┘   └──┘",
            " 2 bo                 ┌W─┐ ┌B─┐  B   ┌W─┐",
            "   3/4                │ ?│ │ ?│ [ 9] │ ?│",
            "                      └1─┘ └2─*  3   └4─┘",
            " 3 cy                 ┌B─┐ ┌W─┐ ┌B─┐ ┌W─┐",
            "   4/4                │ ?│ │ ?│ │ ?│ │ ?│",
            "                      └1─┘ └2─┘ └3─┘ └4─┘",
        )
    ]


def test_a_low_window_gets_every_row_in_one_line_below_a_ruler() -> None:
    assert shown(CLASSIC.more, mark=Place(seat=1, slot=2), width=60, height=4) == [
        line.ljust(60)
        for line in (
            "                       1    2    3    4",
            ">1 ana                [b1] [b6] [w7] [w-]   [w4]",
            " 2 bo                 [w?] [b?*  b9  [w?]",
            " 3 cy                 [b?] [w?] [b?] [w?]",
        )
    ]


def test_a_table_fits_into_what_it_says_it_needs() -> None:
    for lengths in CROWDS:
        view = crowded(lengths, drawn=sum(lengths) < 28)
        width, height = table_size(view)
        lines = shown(view, width=width, height=height)
        assert len(lines) == height
        assert lines[0].rstrip().endswith(str(max(lengths)))
        assert fits(view, width, height)
        assert not fits(view, width - 1, height)
        assert not fits(view, width, height - 1)


def test_a_hidden_back_says_nothing_and_ones_own_tile_shows_its_colour() -> None:
    advanced = moments(rules("advanced"))
    lines = shown(advanced.guess)
    assert "│ ?│ │ ?│ │ ?│ │ ?│" in lines[4]
    assert "┌──┐ ┌──┐ ┌──┐ ┌──┐" in lines[3]
    assert "┌B─┐ ┌B─┐ ┌W─┐ ┌W─┐" in lines[0]


def test_another_players_drawn_tile_shows_its_back_only() -> None:
    state = state_after(rules(), [Drawn(deck=1)], first=1)
    lines = shown(game_view(state, due=False))
    assert lines[3].rstrip().endswith("┌W─┐   ┌W─┐")
    assert lines[4].rstrip().endswith("│ ?│   │ ?│")


def test_a_named_tile_is_signed_until_the_answer() -> None:
    state = state_after(rules(), [Drawn(deck=1), guessed("2.3", "b9")])
    lines = shown(game_view(state, drawn=parse_tile("w4")), mark=Place(seat=1, slot=3))
    assert "└3─!" in lines[5]


def test_points_links_and_silence_are_told_beside_a_row() -> None:
    view = replace(CLASSIC.draw, totals=(3, 0, 1), down=(1,))
    labels = ["3 points  you", "no link", "1 point"]
    assert [line[3:18].strip() for line in shown(view)[2::3]] == labels
    silent = Lost(seat=2, since_s=0.0, opens_s=60.0, offered=True)
    assert "silent" in shown(replace(CLASSIC.draw, lost=(silent,)))[8]


def test_at_the_end_every_tile_shows_its_face_and_those_nobody_found_keep_their_walls() -> None:
    options = options_from("classic", {})
    view = crowded((4, 4), options)
    assert view.board is not None
    tiles = tuple(parse_tile(text) for text in ("b2", "w5", "b9", "w11"))
    state = replace(view.board.state, winner=1)
    over = replace(view, board=replace(view.board, state=state), faces=(view.board.own, tiles))
    lines = shown(over, mark=Place(seat=1, slot=1))
    assert lines[3].startswith(">2 bo")
    assert "│ 2│ │ 5│" in lines[4]
    assert "*" not in "".join(lines)
