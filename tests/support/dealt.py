"""Tables on which known tiles are dealt: the peers play for real, the shuffles are not by chance.

Whoever shuffles looks through all the keys and picks the permutation that is wanted. The shuffle
and its proof are as good as any other, and no peer can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pytest

from p2p_davinci.rules.moves import Arrange, Move, Take
from p2p_davinci.rules.options import Options
from p2p_davinci.rules.tiles import Tile, parse_tile
from p2p_davinci.session import setup
from protocol import Ciphertext, Entropy, Point, Shuffled, ShuffleWitness, decrypt, shuffle
from protocol.group import edwards25519

from .recorded import Event, Recording, Script, record
from .table import Peer, Table, new_table


def tiles(text: str) -> tuple[Tile, ...]:
    """Return the tiles that a text like ``b3 w- w5`` names."""
    return tuple(parse_tile(word) for word in text.split())


def dealt_table(
    hands: Sequence[str],
    pile: str = "",
    preset: str = "standard",
    overrides: Mapping[str, str] | None = None,
    *,
    first: int | None = 0,
) -> Table:
    """Return a table about to start on which these rows are dealt and these tiles drawn first."""
    seed = (*hands, pile, preset)
    return new_table(len(hands), preset, overrides, seed=seed, first=first)


def record_dealt(
    table: Table, hands: Sequence[str], pile: str, moves: Sequence[Move | Event]
) -> Recording:
    """Record a game with these rows and this pile, in which the players make these moves.

    Each of them takes and arranges his tiles as the row says, then whoever is asked makes the next
    of the moves.
    """
    rows = [tiles(hand) for hand in hands]
    with _shuffled_as(table, rows, tiles(pile)):
        return record(table, _script(table.contract.options, rows, moves))


def _script(
    options: Options, rows: Sequence[Sequence[Tile]], moves: Sequence[Move | Event]
) -> Script:
    left = iter(moves)

    def script(_table: Table, peer: Peer) -> Move | Event | None:
        row = rows[peer.seat]
        decks = range(len(options.decks))
        match peer.game.round.step:
            case "take":
                return Take(counts=tuple(sum(options.deck_of(t) == d for t in row) for d in decks))
            case "arrange":
                dealt = sorted(row, key=options.deck_of)
                return Arrange(order=tuple(dealt.index(tile) for tile in row))
        return next(left, None)

    return script


@contextmanager
def _shuffled_as(
    table: Table, rows: Sequence[Sequence[Tile]], pile: Sequence[Tile]
) -> Iterator[None]:
    options = table.contract.options
    dealt = (*(tile for row in rows for tile in row), *pile)
    honest = shuffle.shuffle_deck

    def rigged(
        deck: Sequence[Ciphertext], key: Point, entropy: Entropy
    ) -> tuple[Shuffled, ShuffleWitness]:
        codes = _look_through(table, deck)
        wanted = [tile.code for tile in dealt if tile.code in codes]
        wanted += sorted(set(codes) - set(wanted))
        order = tuple(codes.index(code) for code in wanted)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shuffle, "_permutation", lambda _count, _entropy: order)
            return honest(deck, key, entropy)

    if not options.tiles.issuperset(dealt):
        raise AssertionError("tiles that this deck does not have")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "shuffle_deck", rigged)
        yield


def _look_through(table: Table, deck: Sequence[Ciphertext]) -> list[int]:
    secrets = [peer.game.secrets for peer in table.peers]
    total = edwards25519.zero
    for one in secrets:
        if one is None:
            raise AssertionError("a peer has no key yet")
        total = edwards25519.scalar_add(total, one.key)
    codes = [tile.code for tile in table.contract.options.tiles]
    return [decrypt(tile, total, codes) for tile in deck]
