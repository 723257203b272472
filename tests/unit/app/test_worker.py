"""The thread that owns a session: jobs in order, errors to whoever asked, and no long goodbye."""

from __future__ import annotations

import threading
import time

import pytest

from p2p_davinci.app.worker import CLOSE_S, Worker


def test_jobs_are_done_one_after_another_in_one_thread() -> None:
    worker = Worker()
    done = [worker.submit(lambda n=n: (n, threading.get_ident())) for n in range(5)]  # type: ignore[misc]
    results = [future.result(5) for future in done]
    assert [number for number, _ in results] == list(range(5))
    assert len({thread for _, thread in results} - {threading.get_ident()}) == 1
    assert worker.close()


def test_an_error_goes_to_whoever_asked_and_the_next_job_is_done() -> None:
    worker = Worker()
    failed = worker.submit(lambda: int("no number"))
    with pytest.raises(ValueError, match="no number"):
        failed.result(5)
    assert worker.submit(lambda: 7).result(5) == 7
    assert worker.close()


def test_closing_lets_a_short_job_end_and_begins_no_other() -> None:
    worker = Worker()
    running, go = threading.Event(), threading.Event()

    def short() -> str:
        running.set()
        go.wait(5)
        return "done"

    first, second = worker.submit(short), worker.submit(lambda: "never")
    running.wait(5)
    threading.Timer(0.05, go.set).start()
    assert worker.close()
    assert first.result(0) == "done"
    assert second.cancelled()


def test_closing_does_not_wait_for_a_long_job() -> None:
    worker = Worker()
    running, go = threading.Event(), threading.Event()

    def long() -> None:
        running.set()
        go.wait(30)

    worker.submit(long)
    running.wait(5)
    since_s = time.monotonic()
    assert not worker.close()
    assert time.monotonic() - since_s < 5 * CLOSE_S
    go.set()
