"""A program that is nothing but a shell: it repeats what is typed, and tells an event on SIGUSR1.

Run as ``python -m tests.term.talker plain|screen [HOLD_SECONDS]``.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import NoReturn

from p2p_davinci.console import fullscreen, plain
from p2p_davinci.console.choice import Choice, open_shell
from p2p_davinci.console.model import Model


async def talk(kind: str) -> None:
    shell = open_shell(
        Choice(kind="plain" if kind == "plain" else "screen", reason=None),
        lambda text: [word for word in ("draw", "drop") if word.startswith(text)],
    )
    events = iter(range(1, 1000))
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, lambda: shell.tell(f"event {next(events)} 牌"))
    loop.add_signal_handler(signal.SIGTERM, shell.close)
    shell.show(Model(lang="en"))
    shell.tell("ready")
    async for line in shell.lines():
        _crash_or_complain(line)
        if line == "pause":
            await asyncio.sleep(0.5)
        shell.tell(f"typed: {line}")
    shell.close()
    await shell.closed()
    print("left", flush=True)  # noqa: T201 - the test waits for it


def _crash_or_complain(line: str) -> None:
    match line:
        case "crash":
            raise RuntimeError("as asked")
        case "crash in a key":
            setattr(fullscreen, "steer", _crash)  # noqa: B010 - it is not exported
        case "crash in painting":
            setattr(fullscreen, "paint", _crash)  # noqa: B010 - it is not exported
        case "complain":
            sys.stderr.write("a complaint\n")


def _crash(*_: object) -> NoReturn:
    raise RuntimeError("as asked")


def main() -> None:
    if len(sys.argv) > 2:
        plain.HOLD_S = float(sys.argv[2])
    asyncio.run(talk(sys.argv[1]))


if __name__ == "__main__":
    main()
