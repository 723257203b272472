"""What must be true of every seat after each of its steps, and what is noted for the end.

The watcher sees all peers at once, as nobody among them can.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from p2p_davinci.rules.tiles import tile_of_code
from p2p_davinci.session.ending import faces
from p2p_davinci.session.events import Blamed
from p2p_davinci.session.game import Game, view
from p2p_davinci.session.state import Round
from protocol import read_aside

from .world import Broken, Host

Key = tuple[bytes, int]
"""(contract hash, step)."""


@dataclass(slots=True)
class Watcher:
    """What all peers did, as nobody among them can see it."""

    liar: int | None = None
    heads: dict[Key, dict[bytes, set[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    accepted: dict[tuple[bytes, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    dropped: dict[tuple[bytes, int], set[int]] = field(default_factory=dict)
    left_behind: dict[tuple[bytes, int], int] = field(default_factory=dict)
    """From which step of a round (contract's hash) on a seat was dropped."""
    viewed: dict[int, Round] = field(default_factory=dict)
    """The round that each seat's view was last checked of."""

    def look(self, host: Host) -> None:
        if host.driver is None:
            return
        game = host.driver.game
        round_ = game.round
        now = round_.chain.step
        # Who is out may be ahead of the others for a moment.
        if host.seat != self.liar and round_.opened[host.seat] is None:
            self.heads[round_.contract_hash, now.number][now.head].add(host.seat)
        for said in (*round_.transcript[-3:], tuple(e for _, e in round_.chain.spoken)):
            for envelope in said:
                payload = envelope.payload
                self.accepted[payload.head, payload.seat].add(host.seat)
        for drop in round_.drops:
            voters = {read_aside(raw).seat for raw in drop.votes}
            self.dropped[drop.head, drop.seat] = voters
            self.left_behind.setdefault((round_.contract_hash, drop.seat), drop.step)
        _check_secrets(host, game)
        if self.viewed.get(host.seat) is not round_:
            self.viewed[host.seat] = round_
            check_view(game)
        _check_blame(host, game, self.liar)

    def counts(self, contract_hash: bytes, step: int, seat: int) -> bool:
        """Tell whether what a seat read counts: who was dropped may have gone on alone."""
        return step <= self.left_behind.get((contract_hash, seat), step)


def _check_secrets(host: Host, game: Game) -> None:
    secrets, round_ = game.secrets, game.round
    if secrets is None:
        return
    for seat, row in enumerate(round_.hands):
        if seat != host.seat and any((t.deck, t.index) in secrets.codes for t in row):
            raise Broken(f"seat {host.seat} knows a tile of seat {seat}")


def check_view(game: Game) -> None:
    """See that whatever tile a view names lies open, or is the viewer's own.

    Raises:
        Broken: it shows what its player may not know.
    """
    round_ = game.round
    mine = () if game.secrets is None else game.secrets.codes.values()
    known = {tile_of_code(code) for code in mine}
    if round_.state is not None:
        known |= {piece.face for row in round_.state.rows for piece in row if piece.face}
    known |= {
        tile
        for owner, key in enumerate(round_.opened)
        if key is not None and round_.hands
        for tile in faces(round_, owner)
    }
    shown = view(game)
    named = {*shown.dealt, *(tile for row in shown.faces or () for tile in row if tile)}
    if shown.board is not None:
        drawn = shown.board.drawn
        named |= {*shown.board.own} if drawn is None else {*shown.board.own, drawn}
        named |= {piece.face for row in shown.board.state.rows for piece in row if piece.face}
    if not named <= known:
        raise Broken(f"the view of seat {game.seat} shows {named - known}")


def _check_blame(host: Host, game: Game, liar: int | None) -> None:
    for blamed in (game.stopped, *game.accused):
        if isinstance(blamed, Blamed) and blamed.seat != liar and host.seat != liar:
            raise Broken(f"seat {host.seat} blames {blamed}")
