"""The full-screen shell: what :mod:`.screen` paints, one line to type in, and the keys (asyncio).

The screen is painted anew only when something changed, and only what changed is written. Nothing
else reaches the terminal while it is up: what is written to standard error is kept and let out
after the terminal has been given back, which happens on every way out.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import ParamSpec

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.layout import HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import BaseStyle, DynamicStyle

from .bindings import PAGES, TURNING, Acts, key_bindings
from .canvas import fit, wrap
from .clean import CHAT_WIDTH_MAX, clean, narrowed
from .drawing import Art
from .farewell import UNSEEN_LINES_MAX, farewell_lines
from .model import Model
from .probe import find_art
from .screen import BELOW_HEIGHT, FeedLine, Ui, paint, scroll_max, turn_of, turned_to
from .shell import Complete, How, Interrupts, drop_output
from .steering import Key, steer
from .themes import STYLES

P = ParamSpec("P")

PROMPT = "> "
FEED_LINES_KEPT = 3000
LINE_CHARS_MAX = 2000
TICK_S = 1.0
"""How often a running time is painted anew; nothing runs while nobody is silent."""

_LEAVE = None
_HAS_TITLES = sys.platform != "win32"
_KEEP_TITLE, _OLD_TITLE = "\x1b[22;0t", "\x1b[23;0t"


class _Words(Completer):
    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - the library's signature
    ) -> Iterable[Completion]:
        text = document.text_before_cursor
        last = text.rpartition(" ")[2]
        for word in self._complete(text):
            yield Completion(word, start_position=-len(last))


class FullScreen:
    """A shell that has the whole terminal; see :class:`.shell.Shell`."""

    def __init__(
        self, complete: Complete, keys: Input | None = None, output: Output | None = None
    ) -> None:
        self._model: Model | None = None
        self._ui = Ui()
        self._wide = False
        # All that is ever told of it once more; the rest stands in the log, and a game in its file.
        self._untold: deque[str] = deque(maxlen=UNSEEN_LINES_MAX)
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._interrupts = Interrupts()
        self._failure: BaseException | None = None
        self._probe: asyncio.Task[Art] | None = None
        self._run: asyncio.Task[None] | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._ended = False
        self._closing = False
        self._input = create_input() if keys is None else keys
        self._output = create_output() if output is None else output
        self._buffer = Buffer(
            completer=_Words(complete),
            complete_while_typing=False,
            multiline=False,
        )
        self._app = self._application()

    # --- what is shown -----------------------------------------------------------------------

    def tell(self, line: str) -> None:
        """Add a line to the log."""
        self._untold.append(line)
        self._log(line)

    def _log(self, line: str) -> None:
        round_, turn = turn_of(self._model)
        told = FeedLine(text=line, round=round_, turn=turn)
        scroll = self._ui.scroll
        if scroll and self._ui.sheet is None:
            # What somebody reads in the past of the log stays where it is.
            scroll += len(wrap(line, self._size().columns - 1))
        feed = (*self._ui.feed, told)[-FEED_LINES_KEPT:]
        self._ui = replace(self._ui, feed=feed, scroll=scroll)
        self._app.invalidate()

    def answer(self, lines: Sequence[str], how: How) -> None:
        """Tell an answer, make a page of it, or leave it to the screen."""
        if how in ("apart", "latest") and lines:
            self._ui = replace(self._ui, sheet=tuple(lines), scroll=0)
            self._ui = replace(self._ui, scroll=self._scroll_max() if how == "latest" else 0)
        elif how == "told":
            for line in lines:
                self.tell(line)
        self._app.invalidate()

    def show(self, model: Model) -> None:
        """Take what the console knows; sound if it is this player's turn from now on."""
        before, self._model = self._model, model
        if before == model:
            # Painting the same again would write to the terminal, if only to move the cursor.
            return
        self._ui = turned_to(model, self._ui)
        due, was_due = _is_due(model), before is not None and _is_due(before)
        if self._app.is_running and (due != was_due or before is None):
            self._announce(model, due=due)
        self._app.invalidate()

    def _announce(self, model: Model, *, due: bool) -> None:
        key = "screen.title.mine" if due else "screen.title"
        self._output.set_title(model.words.tell(key))
        if due and model.look.bell:
            self._output.bell()
        self._output.flush()

    # --- what is typed -----------------------------------------------------------------------

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is typed until the end of input or the second Ctrl-C.

        Raises:
            Exception: what went wrong while painting or in a key.
        """
        with contextlib.ExitStack() as stack:
            _hold_errors(stack)
            self._catch_interrupt(stack)
            try:
                if not self._closing:
                    await self._look_at_terminal()
                    self._run = asyncio.create_task(self._run_app())
                while not self._closing:
                    line = await self._queue.get()
                    if line is _LEAVE:
                        break
                    yield line
            finally:
                self.close()
                await self.closed()
        if self._failure is not None:
            raise self._failure

    async def _look_at_terminal(self) -> None:
        self._probe = asyncio.create_task(find_art(self._input, self._output, os.environ))
        art = await self._probe
        self._ui, self._wide = replace(self._ui, art=art), art == "block"

    def close(self) -> None:
        """End the reading; the terminal is given back in the next turn of the event loop."""
        self._closing = True
        self._queue.put_nowait(_LEAVE)
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    async def closed(self) -> None:
        """Wait until the terminal is given back, then tell on it how things ended."""
        works = [work for work in (self._probe, self._run) if work is not None]
        if works:
            await asyncio.wait(works)
        if not self._ended:
            self._ended = True
            try:
                width = max(1, self._output.get_size().columns - 1)
                for line in farewell_lines(self._model, tuple(self._untold)):
                    for part in wrap(line, width):
                        self._output.write(f"{part}\n")
                self._output.flush()
            except (OSError, ValueError):
                drop_output(self._output.fileno())

    async def _run_app(self) -> None:
        if _HAS_TITLES:
            self._output.write_raw(_KEEP_TITLE)
        try:
            if not self._closing:
                await self._app.run_async(
                    pre_run=self._start, set_exception_handler=False, handle_sigint=False
                )
        except EOFError:
            pass
        except OSError:
            # The terminal is gone, and takes nothing more.
            drop_output(self._output.fileno())
        except Exception as error:  # noqa: BLE001 - told to whoever reads the lines
            self._failure = error
        finally:
            with contextlib.suppress(OSError, ValueError):
                if _HAS_TITLES:
                    self._output.write_raw(_OLD_TITLE)
                self._output.flush()
            self._queue.put_nowait(_LEAVE)

    def _start(self) -> None:
        if self._model is not None:
            self._announce(self._model, due=_is_due(self._model))

    def _catch_interrupt(self, stack: contextlib.ExitStack) -> None:
        # Not on Windows, nor outside the main thread: there Ctrl-C stays what it was.
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGINT, self._interrupt)
            stack.callback(loop.remove_signal_handler, signal.SIGINT)

    def _interrupt(self) -> None:
        self._buffer.reset()
        self._queue.put_nowait(self._interrupts.pressed())

    def _take(self, line: str) -> None:
        """Hand on a line; what was told before it has been seen."""
        self._interrupts.typed()
        self._untold.clear()
        self._queue.put_nowait(line[:LINE_CHARS_MAX])

    def _say(self, line: str) -> None:
        """Say a line that a key stands for; the key of a page closes the page that is open."""
        opened = self._ui.sheet is not None
        self._ui = replace(self._ui, sheet=None, scroll=0)
        if not (opened and line in PAGES):
            self._take(line)

    def _enter(self) -> None:
        text = self._buffer.text
        if not text.strip():
            self._buffer.reset()
            self._steer("enter")
            return
        self._buffer.append_to_history()
        self._buffer.reset()
        self._ui = replace(self._ui, sheet=None, scroll=0)
        self._log(f"{PROMPT}{clean(text, CHAT_WIDTH_MAX)}")
        self._take(text)

    def _steer(self, key: Key) -> None:
        if self._model is None:
            return
        steered = steer(self._model, self._ui, key)
        self._ui = steered.ui
        if key in TURNING or self._ui.sheet is not None:
            self._ui = replace(self._ui, scroll=min(self._ui.scroll, self._scroll_max()))
        if steered.begun is not None:
            self._begin(steered.begun)
        if steered.line is not None:
            self._take(steered.line)

    def _begin(self, text: str) -> None:
        self._buffer.set_document(Document(text, len(text)))

    def _guarded(self, act: Callable[P, None]) -> Callable[P, None]:
        """Let what goes wrong in a key end the reading, which tells it."""

        def guarded(*given: P.args, **named: P.kwargs) -> None:
            try:
                act(*given, **named)
            except Exception as error:  # noqa: BLE001 - told to whoever reads the lines
                self._fail(error)

        return guarded

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self.close()

    # --- painting ----------------------------------------------------------------------------

    def _application(self) -> Application[None]:
        prompt = Window(
            FormattedTextControl(PROMPT), width=len(PROMPT), height=1, dont_extend_width=True
        )
        typed = Window(BufferControl(self._buffer), height=1)
        layout = HSplit(
            [
                Window(FormattedTextControl(self._body), wrap_lines=False),
                VSplit([prompt, typed], height=1),
                Window(FormattedTextControl(self._keys), height=1),
            ],
            window_too_small=Window(FormattedTextControl(self._keys)),
        )
        acts = Acts(
            enter=self._guarded(self._enter),
            steer=self._guarded(self._steer),
            say=self._guarded(self._say),
            begin=self._guarded(self._begin),
            interrupt=self._guarded(self._interrupt),
            empty=Condition(lambda: not self._buffer.text),
        )
        return Application(
            layout=Layout(layout, focused_element=typed),
            key_bindings=key_bindings(acts),
            style=DynamicStyle(self._style),
            color_depth=self._color_depth,
            full_screen=True,
            erase_when_done=True,
            enable_page_navigation_bindings=False,
            input=self._input,
            output=self._output,
        )

    def _clock(self, model: Model) -> float | None:
        """Return the time while somebody is silent, and see to it that the screen follows it."""
        if model.game is None or not model.game.lost or model.over:
            return None
        loop = asyncio.get_running_loop()
        if self._tick is None:
            self._tick = loop.call_later(TICK_S, self._ticked)
        return loop.time()

    def _ticked(self) -> None:
        self._tick = None
        self._app.invalidate()

    def _size(self) -> Size:
        """Return the window without the lines that are not painted here."""
        size = self._output.get_size()
        return Size(rows=max(1, size.rows - BELOW_HEIGHT), columns=size.columns)

    def _scroll_max(self) -> int:
        size = self._size()
        if self._model is None:
            return 0
        return scroll_max(self._model, self._ui, size.columns, size.rows)

    def _body(self) -> StyleAndTextTuples:
        if self._model is None or self._failure is not None:
            return []
        try:
            return self._painted(self._model)
        except Exception as error:  # noqa: BLE001 - told to whoever reads the lines
            self._fail(error)
            return []

    def _painted(self, model: Model) -> StyleAndTextTuples:
        size, completing = self._size(), self._buffer.complete_state
        words = () if completing is None else tuple(c.text for c in completing.completions)
        ui = replace(self._ui, completed=words, now_s=self._clock(model))
        if model.look.tiles != "auto":
            ui = replace(ui, art=model.look.tiles)
        fragments: StyleAndTextTuples = []
        for number, line in enumerate(paint(model, ui, size.columns, size.rows)):
            if number:
                fragments.append(("", "\n"))
            fragments += line
        if self._wide:
            return [(style, narrowed(text)) for style, text, *_ in fragments]
        return fragments

    def _keys(self) -> StyleAndTextTuples:
        if self._model is None:
            return []
        text = self._model.words.tell("screen.keys")
        return list(fit((("class:keys", text),), self._output.get_size().columns))

    def _style(self) -> BaseStyle:
        return STYLES["dark" if self._model is None else self._model.look.theme]

    def _color_depth(self) -> ColorDepth | None:
        mono = self._model is not None and self._model.look.theme == "mono"
        return ColorDepth.DEPTH_1_BIT if mono else ColorDepth.from_env()


def _hold_errors(stack: contextlib.ExitStack) -> None:
    """Keep what is written to standard error, and let it out when ``stack`` is closed."""
    kept, errors = io.StringIO(), sys.stderr
    stack.callback(lambda: errors.write(kept.getvalue()))
    stack.enter_context(contextlib.redirect_stderr(kept))


def _is_due(model: Model) -> bool:
    return model.game is not None and model.game.due
