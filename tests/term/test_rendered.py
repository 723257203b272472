"""What the full screen renders: keys from a pipe, a terminal that only keeps what is written."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.layout import FloatContainer
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_davinci.console import commands as c
from p2p_davinci.console import fullscreen, probe
from p2p_davinci.console.completion import completions
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.farewell import UNSEEN_LINES_MAX
from p2p_davinci.console.fullscreen import FullScreen
from p2p_davinci.console.model import Model
from p2p_davinci.session.events import Lost
from tests.unit.console.scenes import model_of, moments, rules

CLASSIC = moments(rules())
GUESS = model_of(CLASSIC.guess, CLASSIC.options)
WAITING = model_of(replace(CLASSIC.draw, due=False), CLASSIC.options)
UP, RIGHT, ESCAPE, TAB, PAGE_UP = "\x1b[A", "\x1b[C", "\x1b", "\t", "\x1b[5~"
F1, F2, F4, F5, F10 = "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[15~", "\x1b[21~"
PATIENCE_S = 10.0


class Stage:
    """A shell at work, and the console behind it, as the program wires them."""

    def __init__(self, model: Model, keys: PipeInput) -> None:
        self.model = model
        self.size = Size(rows=24, columns=80)
        self.written = io.StringIO()
        self.keys = keys
        self.lines: list[str] = []
        self.commands: list[object] = []
        output = Vt100_Output(self.written, get_size=lambda: self.size, term="xterm")
        self.shell = FullScreen(lambda text: completions(self.model.context, text), keys, output)
        self.app = self.shell._app
        self.working: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        self.working = asyncio.create_task(self.work())
        return self.working

    async def work(self) -> None:
        self.shell.show(self.model)
        async for line in self.shell.lines():
            self.lines.append(line)
            reply = read_line(self.model, line)
            self.model = reply.model
            self.shell.answer(reply.lines, reply.how)
            self.shell.show(self.model)
            if reply.command is not None:
                self.commands.append(reply.command)

    def show(self, model: Model) -> None:
        self.model = model
        self.shell.show(model)

    @property
    def screen(self) -> list[str]:
        """The rows as they are on the screen, without blanks at their ends."""
        rendered = self.app.renderer.last_rendered_screen
        if rendered is None:
            return []
        rows = []
        for y in range(self.size.rows):
            row = rendered.data_buffer[y]
            rows.append("".join(row[x].char for x in range(self.size.columns)).rstrip())
        return rows

    async def until(self, seen: Callable[[], bool]) -> None:
        end = asyncio.get_running_loop().time() + PATIENCE_S
        while not seen():
            if self.working is not None and self.working.done():
                self.working.result()
            if asyncio.get_running_loop().time() > end:
                raise AssertionError("\n".join(self.screen))
            await asyncio.sleep(0.01)

    async def press(self, *keys: str) -> None:
        """Press keys and wait until the screen has been painted after each."""
        for key in keys:
            count = self.app.render_counter
            self.keys.send_text(key)
            await self.until(lambda count=count: self.app.render_counter > count)  # type: ignore[misc]
            if key == ESCAPE:
                # A lone escape is told from a longer sequence by the time that passes.
                await asyncio.sleep(self.app.ttimeoutlen + 0.1)
        await asyncio.sleep(0.03)

    def shows(self, text: str) -> bool:
        return text in "\n".join(self.screen)


@asynccontextmanager
async def stage(model: Model) -> AsyncIterator[Stage]:
    with create_pipe_input() as keys:
        played = Stage(model, keys)
        work = played.start()
        await played.until(lambda: played.app.render_counter > 0)
        try:
            yield played
        finally:
            played.shell.close()
            await work


def play(model: Model, scene: Callable[[Stage], Awaitable[None]]) -> Stage:
    """Let ``scene`` happen on a stage; return it as it is left."""

    async def run() -> Stage:
        async with stage(model) as played:
            await scene(played)
        return played

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def no_waiting_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe never answers where the cursor is."""
    monkeypatch.setattr(probe, "ANSWER_S", 0.02)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


# --- typing ----------------------------------------------------------------------------------


def test_of_all_that_is_told_while_nobody_types_only_what_is_told_again_is_kept_for_that() -> None:
    async def scene(played: Stage) -> None:
        for number in range(100):
            played.shell.tell(f"line {number}")
        assert len(played.shell._untold) == UNSEEN_LINES_MAX
        await played.until(lambda: played.shows("line 99"))

    written = play(WAITING, scene).written.getvalue()
    left = written[written.rindex("\x1b[?1049l") :]
    told = [f"line {number}" for number in range(100)]
    assert re.findall(r"line \d+", left) == told[-UNSEEN_LINES_MAX:]


def test_what_is_typed_stands_in_the_line_until_it_is_entered() -> None:
    async def scene(on: Stage) -> None:
        await on.press("2.3 = 黑7")
        assert on.screen[-2] == "> 2.3 = 黑7"
        assert on.screen[1].startswith(">1 ana")
        await on.press("\r")
        assert on.screen[-2] == ">"
        assert on.lines == ["2.3 = 黑7"]
        assert on.shows(" > 2.3 = 黑7")

    play(GUESS, scene)


def test_words_that_complete_the_line_stand_above_it_and_cover_nothing() -> None:
    async def scene(on: Stage) -> None:
        assert not any(isinstance(part, FloatContainer) for part in on.app.layout.walk())
        before = on.screen[:20]
        await on.press("re", TAB)
        assert on.screen[-3].startswith("Tab: reveal resign repeat")
        assert on.screen[:20] == before
        await on.press(TAB)
        assert on.screen[-2] == "> reveal"
        await on.press(TAB)
        assert on.screen[-2] == "> resign"

    play(GUESS, scene)


@pytest.mark.slow
def test_a_row_of_wide_characters_is_never_shifted() -> None:
    async def scene(on: Stage) -> None:
        before = on.screen[:12]
        await on.press("抽", TAB, "黑", ESCAPE)
        assert on.screen[:12] == before
        assert "┌白┐" in before[4]

    play(replace(GUESS, lang="zh"), scene)


def test_history_is_on_ctrl_p_and_arrows_leave_a_line_alone() -> None:
    async def scene(on: Stage) -> None:
        await on.press("board", "\r", "x", UP)
        assert on.screen[-2] == "> x"
        await on.press("\x7f", "\x10")
        assert on.screen[-2] == "> board"

    play(GUESS, scene)


@pytest.mark.slow
def test_escape_drops_the_line() -> None:
    async def scene(on: Stage) -> None:
        await on.press("half", ESCAPE)
        assert on.screen[-2] == ">"
        assert on.lines == []

    play(GUESS, scene)


# --- keys ------------------------------------------------------------------------------------


def test_arrows_mark_a_tile_and_a_number_names_it() -> None:
    async def scene(on: Stage) -> None:
        await on.press(RIGHT, RIGHT)
        assert "└2─*" in on.screen[6]
        assert not on.shows("A bare call")
        await on.press("9", "\r")
        assert isinstance(on.commands[-1], c.PlayMove)

    play(GUESS, scene)


@pytest.mark.slow
def test_help_is_a_page_that_the_same_key_puts_away() -> None:
    async def scene(on: Stage) -> None:
        await on.press(F1)
        assert on.shows("A place is a seat and a slot")
        assert not on.shows("┌B─┐")
        await on.press(F1)
        assert on.shows("┌B─┐")
        await on.press(F1, ESCAPE)
        assert on.shows("┌B─┐")
        assert on.lines == ["help", "help"]

    play(GUESS, scene)


def test_the_language_changes_while_it_runs() -> None:
    async def scene(on: Stage) -> None:
        await on.press(F2)
        assert on.shows("┌黑┐")
        assert on.shows("F1 帮助")
        await on.press(F2)
        assert on.shows("┌B─┐")

    play(GUESS, scene)


def test_chat_begins_a_line_and_quitting_asks() -> None:
    async def scene(on: Stage) -> None:
        await on.press(F4, "hi")
        assert on.screen[-2] == "> say hi"
        await on.press("\r", F10)
        assert on.shows("[no] yes   drop it, nothing is sent")
        await on.press(RIGHT, "\r")
        assert on.commands == [on.commands[0], c.Quit()]

    play(GUESS, scene)


def test_the_log_opens_at_its_end_and_scrolls_back() -> None:
    async def scene(on: Stage) -> None:
        for number in range(60):
            on.shell.tell(f"line {number}.")
        await on.press(PAGE_UP)
        assert on.shows("PgDn: newer")
        assert not on.shows("line 59.")
        on.shell.tell("line 60.")
        await on.press(ESCAPE)
        assert on.shows("line 60.")

    play(GUESS, scene)


def test_what_one_reads_in_the_past_of_the_log_stays_where_it_is() -> None:
    async def scene(on: Stage) -> None:
        for number in range(60):
            on.shell.tell(f"line {number}.")
        await on.press(PAGE_UP)
        before = on.screen[12:20]
        count = on.app.render_counter
        on.shell.tell("one more, long enough to take two lines of the log: " + "word " * 10)
        await on.until(lambda: on.app.render_counter > count)
        assert on.screen[12:20] == before

    play(GUESS, scene)


# --- the window ------------------------------------------------------------------------------


def test_the_screen_follows_every_size_of_its_window() -> None:
    async def scene(on: Stage) -> None:
        first = on.screen
        for rows, columns in ((10, 30), (3, 20), (1, 1), (50, 200), (16, 60), (24, 80)):
            on.size = Size(rows=rows, columns=columns)
            on.app._on_resize()
            await asyncio.sleep(0.02)
            assert len(on.screen) == rows
            if (rows, columns) == (10, 30):
                assert on.shows("too small")
        assert on.screen == first

    play(GUESS, scene)


@pytest.mark.slow
def test_a_storm_of_sizes_ends_in_a_whole_screen() -> None:
    async def scene(on: Stage) -> None:
        first = on.screen
        for number in range(200):
            on.size = Size(rows=5 + number % 40, columns=20 + number % 90)
            on.app._on_resize()
            if number % 10 == 0:
                await asyncio.sleep(0)
        on.size = Size(rows=24, columns=80)
        on.app._on_resize()
        await asyncio.sleep(0.05)
        assert on.screen == first

    play(GUESS, scene)


# --- what is written -------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_is_written_while_nothing_happens() -> None:
    async def scene(on: Stage) -> None:
        await asyncio.sleep(0.2)
        written = len(on.written.getvalue())
        await asyncio.sleep(1.0)
        assert len(on.written.getvalue()) == written

    play(GUESS, scene)


@pytest.mark.slow
def test_a_running_time_is_followed_while_somebody_is_silent_and_no_longer() -> None:
    async def scene(on: Stage) -> None:
        now_s = asyncio.get_running_loop().time()
        lost = Lost(seat=1, since_s=now_s - 5.5, opens_s=now_s + 54.5)
        view = replace(CLASSIC.draw, due=False, lost=(lost,))
        on.show(model_of(view, CLASSIC.options))
        await on.until(lambda: on.shows("silent for 5 s"))
        await on.until(lambda: on.shows("silent for 6 s"))
        on.show(WAITING)
        await asyncio.sleep(fullscreen.TICK_S + 0.1)
        written = len(on.written.getvalue())
        await asyncio.sleep(fullscreen.TICK_S + 0.1)
        assert len(on.written.getvalue()) == written

    play(WAITING, scene)


def test_a_key_writes_little() -> None:
    async def scene(on: Stage) -> None:
        await on.press("a")
        before = len(on.written.getvalue())
        await on.press("b")
        assert len(on.written.getvalue()) - before < 100

    play(GUESS, scene)


def test_the_bell_sounds_and_the_title_says_so_when_it_becomes_my_turn() -> None:
    async def scene(on: Stage) -> None:
        assert "\x07" not in re.sub("\x1b\\]2;[^\x07]*\x07", "", on.written.getvalue())
        on.written.truncate(0)
        on.show(model_of(CLASSIC.draw, CLASSIC.options))
        on.show(GUESS)
        await asyncio.sleep(0.05)
        written = on.written.getvalue()
        assert written.count("\x1b]2;* your turn - p2p-davinci\x07") == 1
        assert re.sub("\x1b\\]2;[^\x07]*\x07", "", written).count("\x07") == 1
        on.written.truncate(0)
        on.show(WAITING)
        await asyncio.sleep(0.05)
        assert "\x1b]2;p2p-davinci\x07" in on.written.getvalue()

    play(WAITING, scene)


def test_the_bell_can_be_switched_off() -> None:
    silent = replace(WAITING, look=c.Look(bell=False))

    async def scene(on: Stage) -> None:
        on.written.truncate(0)
        on.show(replace(GUESS, look=c.Look(bell=False)))
        await asyncio.sleep(0.05)
        assert "\x07" not in re.sub("\x1b\\]2;[^\x07]*\x07", "", on.written.getvalue())

    play(silent, scene)


COLOUR = re.compile("\x1b\\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)[;m]")


def test_colours_are_written_unless_somebody_minds(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(on: Stage) -> None:
        assert on.shows("┌B─┐")

    assert COLOUR.search(play(GUESS, scene).written.getvalue())
    mono = replace(GUESS, look=c.Look(theme="mono"))
    assert not COLOUR.search(play(mono, scene).written.getvalue())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOUR.search(play(GUESS, scene).written.getvalue())


def test_tiles_change_their_look_at_once() -> None:
    async def scene(on: Stage) -> None:
        await on.press("tiles ascii", "\r")
        assert on.shows("+B-+")
        assert not on.shows("┌")

    play(GUESS, scene)


# --- the question about boxes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "lang", "tile"),
    [
        ("\x1b[3;2R", "C.UTF-8", "┌B─┐"),
        ("\x1b[3;3R", "C.UTF-8", "|B |"),
        ("", "C.UTF-8", "┌B─┐"),
        ("", "zh_CN.UTF-8", "|B |"),
    ],
)
def test_tiles_are_drawn_as_the_terminal_says_it_can(
    answer: str, lang: str, tile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", lang)

    async def run() -> list[str]:
        with create_pipe_input() as keys:
            keys.send_text(f"dr{answer}aw")
            played = Stage(GUESS, keys)
            work = played.start()
            await played.until(lambda: played.shows("> draw"))
            screen = played.screen
            played.shell.close()
            await work
            return screen

    screen = asyncio.run(run())
    assert tile in "\n".join(screen)
    assert screen[-2] == "> draw"


def test_where_boxes_are_wide_so_are_other_characters_and_none_of_them_is_written() -> None:
    names = ("\u00fcrs", "b\u201co\u201d", "cy\u2026")
    view = replace(CLASSIC.guess, names=names)

    async def run() -> str:
        with create_pipe_input() as keys:
            keys.send_text("\x1b[3;3R")
            played = Stage(model_of(view, CLASSIC.options), keys)
            work = played.start()
            await played.until(lambda: played.shows("|B |"))
            screen = "\n".join(played.screen)
            played.shell.close()
            await work
            return screen

    screen = asyncio.run(run())
    assert ">1 ?rs" in screen
    assert '2 b"o"' in screen
    assert "3 cy." in screen
    assert screen.isascii()


@pytest.mark.parametrize("turns", [0, 1, 3, 20])
def test_a_shell_that_is_closed_while_it_opens_leaves_only_what_was_told(turns: int) -> None:
    async def run() -> str:
        with create_pipe_input() as keys:
            played = Stage(WAITING, keys)
            work = played.start()
            for _ in range(turns):
                await asyncio.sleep(0)
            played.shell.tell("No table was found.")
            played.shell.close()
            await played.shell.closed()
            await asyncio.wait_for(work, PATIENCE_S)
            return played.written.getvalue()

    written = asyncio.run(run())
    assert written.count("\x1b[?1049h") == written.count("\x1b[?1049l")
    assert "No table was found.\n" in written.replace("\r", "")
    assert not re.search("\x1b\\[6n|\u250c", written[written.index("No table") :])
