"""The one thread that owns a session: jobs go in, futures come out, in order.

It never keeps the program from ending: what a job writes is safe at any moment (PEER, writing
before sending), so a long one, such as reading a whole log once more, may be left in the middle.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
CLOSE_S = 0.5
"""How long a job that runs when the program ends may still take."""


class Worker:
    """Runs jobs one after another."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Run a job after those before it."""
        done: Future[T] = Future()
        self._jobs.put((done, job))
        return done

    def close(self) -> bool:
        """Take no more jobs; return whether all that were taken are done, soon (``CLOSE_S``).

        Those that have not begun are cancelled.
        """
        while True:
            try:
                waiting = self._jobs.get_nowait()
            except queue.Empty:
                break
            if waiting is not None:
                waiting[0].cancel()
        self._jobs.put(None)
        self._thread.join(CLOSE_S)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            done, work = job
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - whoever asked is told, not this thread
                done.set_exception(error)
