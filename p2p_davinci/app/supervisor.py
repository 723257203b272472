"""The tasks of one run and how it ends: a result, a failure, or a signal (asyncio)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Mapping
from typing import Any

ENDING_SIGNALS: dict[str, int] = {"SIGTERM": 143, "SIGHUP": 129}
"""Signals that end the program in good order, and the exit code of each."""
INTERRUPT: dict[str, int] = {"SIGINT": 130}
"""The same for Ctrl-C where no shell asks first."""


class Supervisor:
    """Starts tasks and awaits the end; made inside the running event loop."""

    def __init__(self, signals: Mapping[str, int]) -> None:
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[int] = self._loop.create_future()
        self._tasks: set[asyncio.Task[None]] = set()
        for name, code in signals.items():
            # Windows has no loop handlers: there the process simply ends, and its links with it.
            with contextlib.suppress(NotImplementedError, AttributeError):
                self._loop.add_signal_handler(getattr(signal, name), self.finish, code)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task beside the others; if it fails, so does the program."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or self._done.done():
            return
        error = task.exception()
        if error is not None:
            self._done.set_exception(error)

    def finish(self, code: int) -> None:
        """End the run with this exit code; the first word counts."""
        if not self._done.done():
            self._done.set_result(code)

    async def result(self) -> int:
        """Return the exit code once there is one, or raise what a task failed with."""
        return await self._done

    async def cancel(self) -> None:
        """End all tasks."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
