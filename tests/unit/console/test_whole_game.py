"""Whole games through real sessions, one seat played by typing what the console tells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.model import Model
from p2p_davinci.console.news import enter_game, show_game
from p2p_davinci.console.prompts import drawn_slots
from p2p_davinci.rules.moves import Arrange, Draw, Guess, Move, Place, Reveal, Stop, Take
from p2p_davinci.session.events import Received, Stage
from p2p_davinci.session.game import view
from p2p_davinci.text import Lang
from tests.support.table import Table, new_table

ME = 0
COLOURS = {"en": ("black", "white"), "zh": ("黑", "白")}


@dataclass
class Typist:
    """Seat 0's player: hears the console, and types the moves that a bot thinks of."""

    table: Table
    model: Model
    heard: list[str] = field(default_factory=list)

    def listen(self) -> None:
        peer = self.table.peers[ME]
        events, peer.events[:] = list(peer.events), []
        told = show_game(self.model, events, view(peer.game))
        self.model = told.model
        self.heard += told.lines

    def type(self, line: str) -> c.Outward | None:
        reply = read_line(self.model, line)
        self.model = reply.model
        self.heard += reply.lines
        return reply.command

    def play(self, move: Move) -> None:
        command = self.type(self.spelt(move))
        assert isinstance(command, c.PlayMove), (move, self.heard[-2:])
        assert self.heard[-1].startswith(("You can type", "现在可以输入")), self.heard[-1]
        self.table.play(ME, command.move)

    def spelt(self, move: Move) -> str:
        black, white = COLOURS[self.model.lang]
        board = view(self.table.peers[ME].game).board
        match move:
            case Take(counts=counts):
                return f"take {counts[0]} {black} {counts[1]} {white}"
            case Arrange(order=order):
                dealt = view(self.table.peers[ME].game).dealt
                return "arrange " + " ".join(str(dealt[index]) for index in order)
            case Draw(deck=deck):
                decks = len(self.table.contract.options.decks)
                return "draw" if decks == 1 else f"draw {(black, white)[deck]}"
            case Guess(seat=seat, slot=slot, call=call):
                return f"{seat + 1}.{slot} = {call}"
            case Stop(slot=slot) | Place(slot=slot):
                if slot is None and board is not None and board.drawn is not None:
                    slot = drawn_slots(board)[0]
                verb = "stop" if isinstance(move, Stop) else "slot"
                return verb if slot is None else f"{verb} {slot}"
            case Reveal(slot=slot):
                return f"reveal {slot}"
        raise AssertionError(f"no player makes this move: {move}")


def typed_game(seats: int, preset: str, lang: Lang, seed: str) -> Typist:
    table = new_table(seats, preset, {"rounds": "1"}, seed=seed).start()
    model = enter_game(Model(lang=lang), table.contract.options)
    me = Typist(table=table, model=model)
    for _ in range(5000):
        if table.mail:
            sender, to, data = table.mail.popleft()
            table.peers[to].driver.step(Received(seat=sender, data=data), 0.0)
            me.listen()
            continue
        peer = table.due()
        if peer is None:
            return me
        move = table.bot_move(peer)
        if peer.seat == ME:
            me.play(move)
        else:
            table.play(peer.seat, move)
        me.listen()
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "preset", "lang"),
    [(3, "classic", "en"), (2, "classic", "zh"), (2, "advanced", "zh"), (2, "standard", "en")],
)
def test_a_whole_game_is_played_by_typing(seats: int, preset: str, lang: Lang) -> None:
    me = typed_game(seats, preset, lang, seed=f"{seats} {preset}")
    assert me.table.stages == (Stage.OVER,) * seats
    nothing_sent = me.model.words.tell("nothing_sent")
    assert [line for line in me.heard if nothing_sent in line] == []
    assert any(re.search("[0-9a-f]{16}", line) for line in me.heard[-3 - seats * 4 :])


@pytest.mark.slow
def test_until_the_end_the_board_shows_no_face_of_another_that_still_stands() -> None:
    me = typed_game(3, "classic", "en", seed="faces")
    end = next(n for n, line in enumerate(me.heard) if line.startswith("The rows at the end"))
    shown = [line for line in me.heard[:end] if re.match("[23] (bo|cy)", line)]
    assert len(shown) > 3
    assert [line for line in shown if re.search(r"\[[bw](\d|-)", line)] == []
