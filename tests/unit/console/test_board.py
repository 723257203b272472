from __future__ import annotations

from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console.board import LINE_WIDTH, board_lines, row_lines, tile_text, turn_number
from p2p_davinci.console.commands import Place
from p2p_davinci.console.speech import Speech, speech
from p2p_davinci.rules.moves import Answered, Drawn, Fact, Placed
from p2p_davinci.rules.state import Piece, View
from p2p_davinci.rules.tiles import Colour, parse_tile
from p2p_davinci.text import Lang, Words
from tests.unit.console.scenes import (
    HANDS,
    NAMES,
    game_view,
    guessed,
    moments,
    rules,
    state_after,
    tiles,
)

CLASSIC = moments(rules())


def english(me: int | None = 0, lang: Lang = "en") -> Speech:
    return speech(Words(lang), NAMES, me)


@pytest.mark.parametrize(
    ("piece", "known", "text"),
    [
        (Piece(back=Colour.BLACK), None, "[b?]"),
        (Piece(back=Colour.WHITE), None, "[w?]"),
        (Piece(back=None), None, "[??]"),
        (Piece(back=Colour.WHITE), "w7", "[w7]"),
        (Piece(back=None), "b-", "[b-]"),
        (Piece(back=None, face=parse_tile("w5")), None, "w5"),
        (Piece(back=Colour.BLACK, face=parse_tile("b-")), "b-", "b-"),
    ],
)
def test_a_tile_shows_its_letter_and_whether_it_stands(
    piece: Piece, known: str | None, text: str
) -> None:
    assert tile_text(piece, None if known is None else parse_tile(known)) == text


def test_the_board_shows_the_pile_and_every_row() -> None:
    assert board_lines(english(), CLASSIC.more) == (
        "Turn 1: you. 13 tiles left in the pile (7 black, 6 white).",
        "1 ana (you), 4 of 4 hidden:  1.1 [b1]  1.2 [b6]  1.3 [w7]  1.4 [w-]",
        "   drawn [w4]",
        "2 bo, 3 of 4 hidden:  2.1 [w?]  2.2 [b?]  2.3 b9  2.4 [w?]",
        "3 cy, 4 of 4 hidden:  3.1 [b?]  3.2 [w?]  3.3 [b?]  3.4 [w?]",
    )


def test_the_board_is_shown_in_chinese_too() -> None:
    lines = board_lines(english(lang="zh"), CLASSIC.draw)
    assert lines[0] == "第 1 回合：你。牌堆还剩 14 张（黑 7，白 7）。"
    assert lines[2] == "2 bo，4 张中 4 张立着：  2.1 [w?]  2.2 [b?]  2.3 [b?]  2.4 [w?]"


def test_a_drawn_tile_of_another_shows_its_back_alone() -> None:
    view = game_view(state_after(rules(), [Drawn(deck=0)], first=1))
    assert row_lines(english(), view, 1)[0].endswith("2.4 [w?]  drawn [b?]")


def test_hidden_backs_show_nothing_of_others() -> None:
    options = rules("advanced")
    view = game_view(state_after(options))
    assert row_lines(english(), view, 1)[0].endswith("2.1 [??]  2.2 [??]  2.3 [??]  2.4 [??]")
    assert "[w-]" in row_lines(english(), view, 0)[0]


def test_a_watcher_sees_backs_everywhere() -> None:
    view = game_view(state_after(rules()), seat=None)
    lines = board_lines(english(me=None), view)
    assert lines[1] == "1 ana, 4 of 4 hidden:  1.1 [b?]  1.2 [b?]  1.3 [w?]  1.4 [w?]"


def test_the_marked_tile_has_a_star() -> None:
    lines = row_lines(english(), CLASSIC.draw, 1, Place(seat=1, slot=3))
    assert "*2.3 [b?]" in lines[0]
    assert lines[0].count("*") == 1


def test_at_the_end_the_tiles_nobody_found_keep_their_brackets() -> None:
    open_piece = Piece(back=Colour.BLACK, face=parse_tile("b0"))
    state = state_after(rules())
    won = replace(state, rows=(state.rows[0], (open_piece,), state.rows[2]), winner=0)
    view = game_view(won)
    faces = (tiles(*HANDS[0]), tiles("b0"), tiles(*HANDS[2]))
    lines = board_lines(english(), replace(view, faces=faces))
    assert lines[0] == "The rows at the end; you won."
    assert lines[2] == "2 bo, out:  2.1 b0"
    assert lines[3].endswith("3.1 [b0]  3.2 [w2]  3.3 [b8]  3.4 [w9]")


def test_a_long_row_goes_on_below_and_no_line_is_too_wide() -> None:
    row = tuple(Piece(back=Colour.BLACK) for _ in range(14))
    state = replace(state_after(rules()), rows=(row, row, row))
    own = tuple(parse_tile("b12") for _ in range(14))
    for lang in ("en", "zh"):
        view = game_view(state, own=own, names=("王" * 8, "bo", "cy"))
        spoken = speech(Words("zh" if lang == "zh" else "en"), view.names, 0)
        lines = row_lines(spoken, view, 0)
        assert len(lines) > 1
        assert max(map(get_cwidth, lines)) <= LINE_WIDTH
        assert " ".join(lines).count("[b12]") == 14


def test_before_the_rows_stand_there_is_no_board() -> None:
    view = replace(CLASSIC.draw, board=None)
    assert board_lines(english(), view) == ()
    assert row_lines(english(), view, 0) == ()


def test_turns_are_counted_by_who_acts() -> None:
    w4 = parse_tile("w4")
    first: list[Fact] = [
        Drawn(deck=1),
        guessed("2.3", "b8"),
        Answered(tile=None),
        Placed(slot=2, tile=w4),
    ]
    second: list[Fact] = [Drawn(deck=0), guessed("1.1", "b1"), Answered(tile=parse_tile("b1"))]
    counts = [turn_number(state_after(rules(), first[:k])) for k in range(5)]
    assert counts == [1, 1, 1, 1, 2]
    assert turn_number(state_after(rules(), [*first, *second])) == 2


def test_no_board_shows_another_players_faces() -> None:
    hidden = View(state=CLASSIC.more.board.state, seat=0) if CLASSIC.more.board else None
    assert hidden is not None
    lines = " ".join(board_lines(english(), CLASSIC.more)[2:])
    for tile in ("w0", "b4", "w11", "w2", "b8", "w9"):
        assert tile not in lines.split()
        assert f"[{tile}]" not in lines
