"""The report of a crash: where things went wrong, kept for whoever can mend it."""

from __future__ import annotations

import errno
import platform
import traceback
from collections.abc import Callable

from .. import __version__
from ..storage.files import make_private_folder
from ..storage.folders import folders
from ..text import Words
from .settings import Exit


def keep_crash(
    error: BaseException, data: str | None, words: Words, complain: Callable[[str], None]
) -> int:
    """Add the error's traceback to the crash file, tell where that is, return the exit code.

    ``data`` is the folder asked for. If the file cannot be written, the traceback itself is told.
    """
    path = folders(data).crashes
    trace = "".join(traceback.format_exception(error))
    head = f"p2p-davinci {__version__}, Python {platform.python_version()}, {platform.platform()}"
    try:
        make_private_folder(path.parent)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{head}\n{trace}\n")
    except OSError:
        complain(trace)
        complain(words.tell("cli.crash_unkept"))
        return Exit.ERROR
    complain(words.tell("cli.crash", path=str(path)))
    return Exit.ERROR


def system_said(error: OSError) -> str:
    """Return in words why the system refused, without the number of the error."""
    return error.strerror or str(error)


def no_room(error: Exception) -> str | None:
    """Return the system's words if a full disk is behind an error, ``None`` if it is not."""
    cause = error if isinstance(error, OSError) else error.__cause__
    if isinstance(cause, OSError) and cause.errno == errno.ENOSPC:
        return system_said(cause)
    return None
