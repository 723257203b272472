"""The full screen on a real terminal, showing scenes that are always the same.

Run as ``python -m tests.term.stage``. ``scene hit zh block`` changes to a scene, a language and a
kind of tiles; every other line that is typed is read as in the program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace

from p2p_davinci.console import commands as c
from p2p_davinci.console.commands import Place
from p2p_davinci.console.completion import completions
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.fullscreen import FullScreen
from p2p_davinci.console.model import Model, Told, ask_name, show_found, show_lobby
from p2p_davinci.console.news import show_game
from p2p_davinci.console.screen import Ui
from p2p_davinci.rules.moves import Answered, Drawn, Fact
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import Drew, Event, Happened, Stage
from tests.unit.console.crowds import ROOMY, crowded
from tests.unit.console.lobbies import MEMBERS, lobby
from tests.unit.console.scenes import (
    dealing,
    game_view,
    guessed,
    moments,
    rules,
    state_after,
)
from tests.unit.console.test_lobby import found

CLASSIC = moments(rules())


def hall(start: Model) -> Told:
    tables = [found(), found(table="night-owl", opener="博", members=2, address="10.0.0.9:7")]
    return show_found(start, tables, ["10.0.0.2:4000"])


def page(start: Model) -> Told:
    return Told(model=replace(start, page="open"))


def table(start: Model) -> Told:
    return show_lobby(start, lobby(MEMBERS[:2], options=rules("standard")))


def deal(start: Model) -> Told:
    return Told(model=replace(start, game=dealing("arrange"), options=rules()))


def hit(start: Model) -> Told:
    """Play the turn of seat 0 up to a hit, as the session tells it."""
    white, point = Drawn(deck=1), guessed("2.3", "b9")
    answer = Answered(tile=parse_tile("b9"))
    model = replace(start, game=CLASSIC.draw, options=rules())
    w4 = parse_tile("w4")
    lines: list[str] = []
    steps: list[tuple[list[Fact], list[Event]]] = [
        ([white], [Happened(seat=0, fact=white), Drew(tile=w4)]),
        ([white, point], [Happened(seat=0, fact=point)]),
        ([white, point, answer], [Happened(seat=1, fact=answer)]),
    ]
    for facts, events in steps:
        view = game_view(state_after(rules(), facts), drawn=w4)
        told = show_game(model, events, view)
        model = told.model
        lines += told.lines
    return Told(model=replace(model, mark=Place(seat=1, slot=2)), lines=tuple(lines))


def crowd(start: Model) -> Told:
    return Told(model=replace(start, game=crowded((7, 7, 7, 7)), options=ROOMY))


def end(start: Model) -> Told:
    view = crowded((4, 4))
    board = view.board
    assert board is not None
    theirs = tuple(parse_tile(text) for text in ("b1", "w6", "w8", "b12"))
    over = replace(
        view,
        stage=Stage.OVER,
        winners=(1,),
        board=replace(board, state=replace(board.state, winner=1)),
        faces=(board.own, theirs),
    )
    model = replace(start, game=over, options=ROOMY, stays=True, verdict="finished")
    model = replace(model, log_path="/logs/river-lamp.log", lobby=lobby(MEMBERS[:2]))
    return Told(model=model)


def blank(start: Model) -> Told:
    """Return what no other scene looks like, so that one can see the next one come."""
    return ask_name(start)


SCENES: Mapping[str, Callable[[Model], Told]] = {
    "blank": blank,
    "hall": hall,
    "page": page,
    "table": table,
    "deal": deal,
    "hit": hit,
    "crowd": crowd,
    "end": end,
}


def scene(name: str, lang: str, tiles: str) -> Told:
    kinds: dict[str, c.Tiles] = {"box": "box", "block": "block", "ascii": "ascii"}
    start = Model(
        lang="zh" if lang == "zh" else "en",
        name="ana",
        on_screen=True,
        look=c.Look(tiles=kinds.get(tiles, "auto")),
    )
    return SCENES[name](start)


class Theatre:
    """One console, its shell, and what happens when a line is typed."""

    def __init__(self) -> None:
        self.model = scene("hall", "en", "box").model
        self.shell = FullScreen(lambda text: completions(self.model.context, text))

    def change(self, words: list[str]) -> None:
        told = scene(*words)
        self.model = told.model
        self.shell._ui = Ui()
        for line in told.lines:
            self.shell.tell(line)

    async def play(self) -> None:
        self.shell.show(self.model)
        async for line in self.shell.lines():
            word, *words = line.split()
            if word == "scene":
                self.change(words)
            else:
                reply = read_line(self.model, line)
                self.model = reply.model
                self.shell.answer(reply.lines, reply.how)
            self.shell.show(self.model)
        self.shell.close()
        await self.shell.closed()


if __name__ == "__main__":
    asyncio.run(Theatre().play())
