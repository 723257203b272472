"""The prompt shell: one editable line at the bottom with history and completion, events above it.

An event is written by taking the line off the screen, writing, and drawing the line again, all
within one turn of the event loop and without leaving the terminal's raw mode, so that no key can
come in between. Whatever else is printed by accident goes the library's own way above the line.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout

from .shell import Complete, Interrupts, hold_raw_mode

PROMPT = "> "


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


class PromptShell:
    """A shell on the terminal; see :class:`.shell.Shell`."""

    def __init__(self, complete: Complete) -> None:
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            completer=_Words(complete),
            complete_while_typing=False,
            history=InMemoryHistory(),
        )
        # A terminal that does not answer where its cursor is costs the menu, not a warning.
        self._session.app.renderer.cpr_not_supported_callback = None
        self._interrupts = Interrupts()
        self._stack = contextlib.ExitStack()
        self._closed = False

    def tell(self, line: str) -> None:
        """Write one line above the one being typed."""
        app = self._session.app
        typing = app.is_running
        if typing:
            app.renderer.erase()
        app.output.write(f"{line}\n")
        app.output.flush()
        if typing:
            app.renderer.reset()
            app.renderer.request_absolute_cursor_position()
            app.invalidate()

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is typed until Ctrl-D or the second Ctrl-C."""
        # Between two prompts, too, a key must neither be echoed nor become a signal.
        hold_raw_mode(self._session.app.input, self._stack)
        self._stack.enter_context(patch_stdout())
        try:
            while not self._closed:
                line = await self._line()
                if line is None:
                    return
                yield line
        finally:
            self._stack.close()

    async def _line(self) -> str | None:
        try:
            line = await self._session.prompt_async()
        except KeyboardInterrupt:
            return self._interrupts.pressed()
        except EOFError:
            return None
        self._interrupts.typed()
        return line

    def close(self) -> None:
        """End the reading and give the terminal back.

        A prompt that is open gives it back itself once it has ended, which is in the next turn of
        the event loop.
        """
        self._closed = True
        app = self._session.app
        if not app.is_running:
            self._stack.close()
        elif not app.is_done:
            app.exit(exception=EOFError())
