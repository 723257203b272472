"""The whole screen, painted: what stands on it, that it always fits, and what is never on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci.console import commands as c
from p2p_davinci.console.canvas import Line, line_width
from p2p_davinci.console.commands import Place
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.drawing import ARTS, Art
from p2p_davinci.console.lobby import Kept
from p2p_davinci.console.model import Model, Note, ask_name, show_found, show_lobby, show_saved
from p2p_davinci.console.news import show_game
from p2p_davinci.console.offers import offer
from p2p_davinci.console.screen import (
    BELOW_HEIGHT,
    FeedLine,
    Ui,
    needed_size,
    paint,
    picked_item,
    scroll_max,
    turn_of,
    turned_to,
)
from p2p_davinci.console.status import due_line, hint_line
from p2p_davinci.rules.moves import Drawn, Dropped, Fact, Placed
from p2p_davinci.rules.state import Phase
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import GameView, Happened, Lost, Stage
from p2p_davinci.session.lobby_events import LobbyView
from p2p_davinci.text import Lang
from tests.unit.console.crowds import CROWDS, HOSTILE, ROOMY, crowded
from tests.unit.console.lobbies import MEMBERS, lobby
from tests.unit.console.scenes import (
    dealing,
    game_view,
    guessed,
    model_of,
    moments,
    rules,
    state_after,
    tiles,
)
from tests.unit.console.test_lobby import found

LANGS: tuple[Lang, ...] = ("en", "zh")
CLASSIC = moments(rules())
WIDTH, HEIGHT = 80, 24
SENTENCE = "ana guesses your tile 1.1: white 3. Your program answers by itself, truthfully."


def texts(lines: Sequence[Line]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


def screen(model: Model, ui: Ui | None = None, width: int = WIDTH, height: int = HEIGHT) -> str:
    shown = turned_to(model, Ui() if ui is None else ui)
    return "\n".join(texts(paint(model, shown, width, height - BELOW_HEIGHT)))


def at(view: GameView, lang: Lang = "en", **fields: object) -> Model:
    return replace(model_of(view, CLASSIC.options, lang), **fields)  # type: ignore[arg-type]


def feed(*lines: str, turn: int = 1) -> tuple[FeedLine, ...]:
    return tuple(FeedLine(text=line, round=1, turn=turn) for line in lines)


def hostile_lobby() -> LobbyView:
    members = tuple(replace(m, name=name) for m, name in zip(MEMBERS, HOSTILE, strict=False))
    return replace(lobby(members, options=rules(first="youngest")), table=HOSTILE[1])


def everything(lang: Lang) -> Iterator[Model]:
    """Return the console in every place that it knows."""
    hall = Model(lang=lang, name=HOSTILE[2])
    yield hall
    yield ask_name(hall).model
    many = [
        found(table=name, opener=name, address=f"10.0.0.{n}:1")
        for n, name in enumerate(HOSTILE * 6)
    ]
    yield show_found(hall, many, []).model
    pages: tuple[c.Page, ...] = ("open", "look", "saved")
    kept = [Kept(table=name, names=HOSTILE[:4], when="2026-01-02 20:00") for name in HOSTILE * 6]
    yield from (replace(show_saved(hall, kept).model, page=page) for page in pages)
    seated = show_lobby(hall, hostile_lobby()).model
    pages = ("main", "rules", "seats", "away", "look")
    yield from (replace(seated, page=page) for page in pages)
    yield show_lobby(hall, replace(lobby(), members=())).model
    for kind in ("commit", "shuffle", "take", "arrange"):
        deal = dealing(kind, due=kind in ("take", "arrange"))
        yield replace(at(replace(deal, names=HOSTILE[:3]), lang), lobby=hostile_lobby())
    for view in (CLASSIC.draw, CLASSIC.guess, CLASSIC.answer, CLASSIC.more, CLASSIC.place):
        yield replace(at(replace(view, names=HOSTILE[:3]), lang), mark=Place(seat=1, slot=2))
    for lengths in CROWDS:
        yield model_of(crowded(lengths, names=HOSTILE), ROOMY, lang)
    yield at(CLASSIC.draw, lang, question=c.Quit())
    yield at(
        replace(CLASSIC.draw, stage=Stage.OVER, winners=(1,)),
        lang,
        stays=True,
        log_path="/x" * 99,
        verdict="finished",
    )
    yield at(replace(CLASSIC.draw, stage=Stage.HALTED), lang)
    three = replace(CLASSIC.answer, names=HOSTILE[:3], awaited=(0, 1, 2), winners=(0, 1, 2))
    yield at(replace(three, stage=Stage.OVER), lang)
    yield at(replace(three, due=False), lang)
    silent = tuple(Lost(seat=seat, since_s=0.0, opens_s=9.0, offered=True) for seat in (1, 2))
    yield at(replace(three, lost=silent), lang)
    alike = replace(three, names=(HOSTILE[1],) * 4, awaited=(0, 1, 2, 3), winners=(0, 1, 2, 3))
    yield at(replace(alike, stage=Stage.OVER), lang)
    yield at(replace(alike, stage=Stage.SETUP, kind="shares", board=None, due=False), lang)
    yield at(replace(alike, lost=silent), lang)
    unlinked = tuple(replace(m, linked=False, name=HOSTILE[1]) for m in hostile_lobby().members)
    yield show_lobby(hall, replace(hostile_lobby(), members=unlinked)).model
    long = model_of(crowded((13, 13), names=HOSTILE, drawn=True), ROOMY, lang)
    for phase in (Phase.MORE, Phase.PLACE, Phase.REVEAL):
        yield _in_phase(long, phase)
        yield replace(_in_phase(long, phase), placing=True)


SIZES = ((200, 60), (80, 16), (41, 12), (40, 11), (7, 4), (1, 1))


def _in_phase(model: Model, phase: Phase) -> Model:
    view = model.game
    assert view is not None
    assert view.board is not None
    state = replace(view.board.state, phase=phase)
    return replace(model, game=replace(view, board=replace(view.board, state=state)))


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("size", "art"), [*(((80, 24), art) for art in ARTS), *((size, "box") for size in SIZES)]
)
def test_every_screen_has_exactly_the_size_of_its_window(
    size: tuple[int, int], art: Art, lang: Lang
) -> None:
    width, height = size
    told = feed(*(SENTENCE for _ in range(20)), "牌" * 100)
    for model in everything(lang):
        for sheet in (None, (SENTENCE,) * 40):
            ui = turned_to(model, Ui(feed=told, sheet=sheet, art=art, scroll=3))
            lines = paint(model, ui, width, height)
            assert len(lines) == height
            assert {line_width(line) for line in lines} == {width}


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_that_a_peer_wrote_reaches_the_screen_unclean(lang: Lang) -> None:
    for model in everything(lang):
        shown = screen(model)
        assert not {"\x1b", "\u202e"} & set(shown)
        assert all(char.isprintable() or char == "\n" for char in shown)


@pytest.mark.parametrize("lang", LANGS)
def test_the_lines_on_what_is_due_and_possible_never_take_more_than_one_line(lang: Lang) -> None:
    for model in everything(lang):
        picked = picked_item(offer(model), Ui())
        lines = due_line(model), hint_line(model, picked, ())
        assert max(map(get_cwidth, lines)) < WIDTH, lines
        assert lines[0]


def test_the_whole_table_is_in_view_whenever_the_window_is_as_large_as_asked_for() -> None:
    for lengths in CROWDS:
        model = model_of(crowded(lengths), ROOMY)
        width, height = needed_size(model)
        assert width <= WIDTH
        assert height <= HEIGHT
        shown = screen(model, width=width, height=height)
        assert "too small" not in shown
        assert all(f"{seat} " in shown for seat in range(1, len(lengths) + 1))
        assert f" {max(lengths)}" in shown
        assert "too small" in screen(model, width=width, height=height - 1)


def test_a_window_that_is_too_small_says_how_much_is_needed_and_still_what_is_due() -> None:
    shown = screen(at(CLASSIC.draw), width=60, height=9)
    assert "too small: 60 x 9. It takes 40 x 12." in shown
    assert "Draw a tile" in shown


# --- what stands where -----------------------------------------------------------------------


def test_a_turn_from_top_to_bottom() -> None:
    model = at(CLASSIC.more, mark=Place(seat=1, slot=2), lobby=lobby())
    lines = screen(model, Ui(feed=feed("one", "two"))).splitlines()
    assert lines[0] == (
        " p2p-davinci  table river-lamp  turn 1  not compared  pile 13 (7 black 6 white) "
    )
    assert lines[1].startswith(">1 ana")
    assert lines[10].startswith(" You drew white 4; only you see it. Marked: 2.2.")
    assert lines[11].startswith("-- Log ---")
    assert lines[12:14] == [" one".ljust(80), " two".ljust(80)]
    assert lines[-2].startswith("A hit. Guess again, or type stop.")
    assert lines[-1].startswith("Type: 2.3 = 7, 2.3 = joker, stop 2, resign, help")


def test_words_are_not_compared_until_they_are() -> None:
    assert "not compared" in screen(at(CLASSIC.draw))
    assert "not compared" not in screen(at(CLASSIC.draw, compared=True))
    dealt = replace(dealing("shuffle", due=False), compare=("a", "b"), digits="12345")
    assert "Compare aloud with everybody: a b / 12345" in screen(at(dealt))
    assert "Compare aloud" not in screen(at(dealt, compared=True))


def test_the_deal_shows_whom_it_waits_for_and_ones_own_tiles() -> None:
    shown = screen(at(dealing("arrange")))
    assert "The deal: Standing the tiles" in shown
    assert "1  ana (you): awaited" in shown
    assert "3  cy: done" in shown
    assert "│ 1│ │ 6│ │ 7│ │ -│" in shown
    assert " > " not in shown


def test_rounds_and_hidden_piles_are_told_in_the_header() -> None:
    options = rules("tournament")
    view = replace(moments(options).draw, round=2)
    header = screen(model_of(view, options)).splitlines()[0]
    assert "round 2  turn 1" in header
    assert "pile 14 " in header


def test_the_choice_that_the_arrows_stand_on_is_marked_and_explained() -> None:
    lines = screen(at(CLASSIC.draw)).splitlines()
    assert lines[-2].startswith("Draw a tile:")
    assert lines[-1].startswith("[black] white   7 left")
    ui = replace(turned_to(at(CLASSIC.draw), Ui()), picked="draw w")
    assert screen(at(CLASSIC.draw), ui).splitlines()[-1].startswith(" black [white]  7 left")


def test_a_long_list_of_choices_follows_the_one_that_is_picked() -> None:
    hall = Model(lang="en")
    many = [found(address=f"10.0.0.{n}:1") for n in range(1, 60)]
    model = show_found(hall, many, []).model
    for number in (1, 30, 59):
        ui = replace(turned_to(model, Ui()), picked=f"join 10.0.0.{number}:1")
        (line,) = (text for text in screen(model, ui).splitlines() if text.startswith(" > "))
        assert line.split()[1] == str(number)


def test_a_table_being_formed_shows_its_seats_taken_and_free() -> None:
    opener = replace(MEMBERS[0], addresses=("10.0.0.2:4000",))
    start, members = Model(lang="en"), (opener, *MEMBERS[1:])
    shown = screen(show_lobby(start, lobby(members[:2])).model)
    assert "1  ana (you), opened the table: not ready" in shown
    assert "3  free" in shown
    assert "Join at: 10.0.0.2:4000" in shown
    assert "Join at" not in screen(show_lobby(start, lobby(members)).model)
    assert "Waiting for 1 more." in shown


def test_after_a_game_the_log_is_named_and_what_comes_next_is_offered() -> None:
    over = replace(CLASSIC.draw, stage=Stage.OVER, winners=(1,))
    model = at(over, stays=True, log_path="/logs/x.log", verdict="finished", lobby=lobby())
    shown = screen(model)
    assert "Log: /logs/x.log" in shown
    assert "Verified: valid and finished." in shown
    assert shown.splitlines()[0].endswith("won by bo ")
    assert "[again] leave  quit   another game with the same people" in shown


def test_a_game_that_stopped_during_the_deal_awaits_nobody() -> None:
    stopped = replace(dealing("take"), stage=Stage.HALTED, due=False)
    shown = screen(at(stopped, stays=True, log_path="/logs/x.log", verdict="unfinished"))
    assert "awaited" not in shown
    assert "The game stopped without a result." in shown
    assert "Log: /logs/x.log" in shown
    assert shown.splitlines()[0].endswith("stopped ")


def test_between_two_rounds_the_points_so_far_are_in_view() -> None:
    assert "points" not in screen(at(dealing("shuffle")))
    shown = screen(at(replace(dealing("shuffle"), round=2, totals=(4, 1, 0))))
    assert "1  ana (you), 4 points: " in shown
    assert "2  bo, 1 point: " in shown


def test_words_and_digits_stay_in_view_until_they_are_compared() -> None:
    view = replace(CLASSIC.draw, compare=("apple", "beach"), digits="12345 67890")
    assert "Compare aloud: apple beach / 12345 67890" in screen(at(view))
    assert "Compare aloud" not in screen(at(view, compared=True))


def test_a_header_leaves_out_the_name_of_the_program_before_anything_else() -> None:
    view = replace(CLASSIC.draw, compare=("apple",), digits="1")
    model = at(view, lobby=replace(lobby(), table="a-very-long-name"))
    header = screen(model).splitlines()[0]
    assert header.startswith(" table a-very-long-name  turn 1  ")
    assert header.endswith("  not compared  pile 14 (7 black 7 white) ")


def test_the_choice_that_is_picked_is_shown_whole() -> None:
    model = Model(lang="en", page="open")
    at_reveal = replace(turned_to(model, Ui()), picked="option empty_miss")
    before, shown = screen(model), screen(model, at_reveal)
    assert "turns up one of the guesser's own tiles." not in before
    assert "  9 empty_miss reveal: with an empty pile, a miss turns up one of the .." in before
    assert "turns up one of the guesser's own tiles." in " ".join(shown.split())
    assert shown.count("\n") == before.count("\n")


def test_at_the_first_start_the_page_asks_for_a_name_and_says_so_once() -> None:
    told = ask_name(Model(lang="en", on_screen=True, name="player"))
    assert told.lines == ()
    shown = " ".join(screen(told.model).split())
    assert shown.count("Welcome to Da Vinci Code") == 1
    assert "with an empty line you are player." in shown
    small = screen(told.model, width=40, height=needed_size(told.model)[1])
    assert "with an empty line you are player." in " ".join(small.split())


def test_a_closed_pile_is_called_closed() -> None:
    view = game_view(state_after(rules(), [Dropped(seat=2)]), drawn=None)
    assert screen(at(view)).splitlines()[0].endswith("pile closed ")
    told = show_game(at(CLASSIC.draw), [Happened(seat=2, fact=Dropped(seat=2))], view)
    assert "From now on nobody draws, and whoever misses turns up one of the own tiles." in (
        told.lines
    )


def test_words_that_complete_the_line_are_shown_instead_of_the_hint() -> None:
    lines = screen(at(CLASSIC.draw), Ui(completed=("draw", "drop"))).splitlines()
    assert lines[-1].startswith("Tab: draw drop")


def test_silence_is_counted_while_it_lasts_unless_it_is_ones_own_move() -> None:
    lost = Lost(seat=1, since_s=100.0, opens_s=160.0)
    theirs = game_view(state_after(rules(), first=1), due=False)
    model = at(replace(theirs, lost=(lost,)))
    shown = screen(model, Ui(now_s=134.5)).splitlines()
    assert shown[-2].startswith("bo: silent for 34 s. In 26 s you can choose.")
    mine = at(replace(CLASSIC.guess, lost=(lost,)))
    assert screen(mine, Ui(now_s=134.5)).splitlines()[-2].startswith("Your turn")
    assert screen(model, Ui(now_s=103.0)).splitlines()[-2].startswith("bo is to draw a tile.")
    late = screen(model, Ui(now_s=200.0)).splitlines()[-2]
    assert late.startswith("bo: silent for 100 s. You wait.")
    patient = at(replace(theirs, lost=(replace(lost, patient_s=220.0),)))
    assert "silent for 100 s. In 20 s you can choose." in screen(patient, Ui(now_s=200.0))
    away = at(replace(theirs, lost=(replace(lost, left=True),)))
    assert screen(away, Ui(now_s=100.0)).splitlines()[-2].startswith("bo left. You wait.")


# --- the log ---------------------------------------------------------------------------------


def test_the_log_shows_its_end_and_can_be_turned_back_to_its_beginning() -> None:
    told = feed(*(f"line {number}" for number in range(100)))
    model = at(CLASSIC.draw)
    assert "line 99" in screen(model, Ui(feed=told))
    assert "line 0 " not in screen(model, Ui(feed=told))
    most = scroll_max(model, Ui(feed=told), WIDTH, HEIGHT - BELOW_HEIGHT)
    back = screen(model, Ui(feed=told, scroll=most))
    assert "line 0 " in back
    assert "PgDn: newer" in back
    assert screen(model, Ui(feed=told, scroll=most + 1)) == back
    assert screen(model, Ui(feed=told, scroll=most - 1)) != back


def test_a_page_is_read_in_place_of_table_and_log() -> None:
    page = tuple(f"paragraph {number}" for number in range(50))
    ui = Ui(sheet=page, feed=feed("told"))
    shown = screen(at(CLASSIC.draw), ui)
    assert "paragraph 0" in shown
    assert "told" not in shown
    assert "Esc closes" in shown
    assert "Draw a tile:" in shown
    most = scroll_max(at(CLASSIC.draw), ui, WIDTH, HEIGHT - BELOW_HEIGHT)
    assert "paragraph 49" in screen(at(CLASSIC.draw), replace(ui, scroll=most))
    assert "paragraph 49" not in screen(at(CLASSIC.draw), replace(ui, scroll=most - 1))


# --- aids ------------------------------------------------------------------------------------


def third_turn(options_preset: str = "classic", **overrides: str) -> Model:
    """Return the console in the third turn, with things told in each."""
    options = rules(options_preset, **overrides)
    deck = len(options.decks) - 1
    facts: list[Fact] = [
        *(Drawn(deck=deck), guessed("2.1", "w9"), Placed(slot=3, tile=parse_tile("w4"))),
        *(Drawn(deck=deck), guessed("3.1", "w1"), Placed(slot=3, tile=parse_tile("w5"))),
    ]
    state = state_after(options)
    history = tuple((0 if n < 3 else 1, fact) for n, fact in enumerate(facts))
    state = replace(state, history=history, turn=2)
    model = model_of(game_view(state, due=False), options)
    assert turn_of(model) == (1, 3)
    return model


def test_by_real_life_manners_only_this_turn_and_the_one_before_are_on_the_screen() -> None:
    told = (
        *feed("dealt", turn=0),
        *feed("first", turn=1),
        *feed("second", turn=2),
        *feed("third", turn=3),
    )
    for model, kept in ((third_turn(aids="real-life"), False), (third_turn(aids="normal"), True)):
        ui = Ui(feed=told)
        most = scroll_max(model, ui, WIDTH, HEIGHT - BELOW_HEIGHT)
        shown = screen(model, ui) + screen(model, replace(ui, scroll=most))
        assert "second" in shown
        assert "third" in shown
        assert ("first" in shown) is kept
        assert ("dealt" in shown) is kept


@pytest.mark.parametrize(
    ("aids", "note", "computed"),
    [("real-life", False, False), ("normal", True, False), ("assisted", True, True)],
)
def test_of_a_marked_tile_no_more_is_shown_than_the_table_allows(
    aids: str, note: bool, computed: bool
) -> None:
    options = rules(aids=aids)
    place = Place(seat=1, slot=1)
    model = model_of(CLASSIC.guess, options)
    model = replace(model, mark=place, notes=(Note(place=place, text="low"),))
    shown = screen(model)
    assert ("Your note: low" in shown) is note
    assert ("May be: w0" in shown) is computed


def test_what_is_computed_looks_different_from_what_one_noted() -> None:
    place = Place(seat=1, slot=1)
    model = replace(
        model_of(CLASSIC.guess, rules(aids="assisted")),
        mark=place,
        notes=(Note(place=place, text="low"),),
    )
    styles = {
        text.strip()[:8]: style
        for line in paint(model, Ui(), WIDTH, HEIGHT - BELOW_HEIGHT)
        for style, text in line
    }
    assert styles["Your not"] == "class:note"
    assert styles["May be: "] == "class:computed"


def test_the_page_of_notes_lists_what_every_hidden_tile_may_be_where_that_is_allowed() -> None:
    assisted = read_line(model_of(CLASSIC.guess, rules(aids="assisted")), "note")
    assert assisted.how == "apart"
    assert "2.1: w0 w1 w2 w3 w5 w6 w8 w9 w10" in assisted.lines
    normal = read_line(model_of(CLASSIC.guess, rules(aids="normal")), "note")
    assert normal.lines == ("No notes.",)


# --- languages -------------------------------------------------------------------------------


def test_the_other_language_paints_the_same_moment() -> None:
    shown = screen(at(CLASSIC.draw, "zh"))
    assert "牌堆 14（黑 7 白 7）" in shown
    assert "[黑] 白   还剩 7 张" in shown
    assert "┌黑┐" in shown


def test_own_tiles_of_hidden_colour_are_known_to_their_owner() -> None:
    assert tiles("w-")[0].number is None
    shown = screen(model_of(moments(rules("standard")).guess, rules("standard")))
    assert "┌B─┐ ┌B─┐ ┌W─┐ ┌W─┐" in shown
