"""From a finished round to its open record: hands as first arranged, first player, moves.

It needs every key that opens a tile that was in play; a round that ended without its winner's key
has no open record (PEER, open record).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protocol import decrypt

from ..rules.moves import Drawn, Overran
from ..rules.options import Options
from ..rules.record import Json, hands_record, move_record, rules_record, state_record
from ..rules.scoring import next_round, totals, winners
from ..rules.tiles import Tile, tile_of_code
from ..rules.truth import Truth
from .ending import result_of
from .secrets import TileId
from .state import Held, Round


class NoKeys(Exception):  # noqa: N818 - a refusal, worded for people elsewhere
    """Some tile that was in play stays hidden.

    The round is not over, its winner never gave the key, or the others went on without a seat whose
    row was not open.
    """


def truth_of(round_: Round) -> Truth:
    """Return every face of a finished round.

    Raises:
        NoKeys: nobody can open some of them.
    """
    known = _faces(round_)
    hands = tuple(tuple(known[(held.deck, held.index)] for held in row) for row in round_.hands)
    drawn = round_.drawn
    return Truth(hands=hands, drawn=None if drawn is None else known[(drawn.deck, drawn.index)])


def _faces(round_: Round) -> Mapping[TileId, Tile]:
    state = round_.state
    if state is None or state.winner is None or round_.opened[state.winner] is None:
        raise NoKeys
    known = {
        (held.deck, held.index): _face(round_, seat, held) if piece.face is None else piece.face
        for seat, row in enumerate(round_.hands)
        for held, piece in zip(row, state.rows[seat], strict=True)
    }
    if round_.drawn is not None:
        drawn = round_.drawn
        known[(drawn.deck, drawn.index)] = _face(round_, state.turn, drawn)
    return known


def _face(round_: Round, seat: int, held: Held) -> Tile:
    secret = round_.opened[seat]
    if secret is None:
        raise NoKeys
    return tile_of_code(decrypt(held.cipher, secret, round_.codes[held.deck]))


def round_record(round_: Round) -> dict[str, Json]:
    """Return ``hands``, ``first`` and ``moves`` of a finished round.

    Raises:
        NoKeys: as for :func:`truth_of`.
    """
    known = _faces(round_)
    hands = [[known[(held.deck, held.index)] for held in row] for row in round_.arranged]
    return {
        "hands": hands_record(hands),
        "first": round_.first,
        "moves": list(_moves(round_, known)),
    }


def draws_of(round_: Round) -> dict[int, Tile]:
    """Return the tiles of a finished round's pile by the index of the fact that took each.

    A tile that went back unseen is not among them.

    Raises:
        NoKeys: as for :func:`truth_of`.
    """
    known = _faces(round_)
    return {index: known[tile] for index, tile in _taken(round_).items() if tile in known}


def _moves(round_: Round, known: Mapping[TileId, Tile]) -> Iterator[list[Json]]:
    taken = {index: known.get(tile) for index, tile in _taken(round_).items()}
    for index, (_, fact) in enumerate(round_.board.history):
        drawn = taken.get(index)
        # A draw whose tile went back unseen is no move of the record.
        move = None if index in taken and drawn is None else move_record(fact, drawn)
        if move is not None:
            yield move


def _taken(round_: Round) -> dict[int, TileId]:
    """Return the tile that each fact takes from the pile, by the fact's index."""
    dealt = [held for row in round_.arranged for held in row]
    following = [sum(held.deck == deck for held in dealt) for deck in range(len(round_.decks))]
    taken = {}
    for index, (_, fact) in enumerate(round_.board.history):
        deck = fact.deck if isinstance(fact, Drawn | Overran) else None
        if deck is not None:
            taken[index] = (deck, following[deck])
            following[deck] += 1
    return taken


def open_record(rounds: Sequence[Round]) -> dict[str, Json]:
    """Return the open record of a finished game of one or more rounds.

    Raises:
        NoKeys: as for :func:`truth_of`.
    """
    options = rounds[0].contract.options
    records = [round_record(round_) for round_ in rounds]
    if _single(options, rounds):
        return {"rules": rules_record(options), **records[0]}
    return {"rules": rules_record(options), "rounds": records}


def open_state(rounds: Sequence[Round]) -> dict[str, Json]:
    """Return what a referee must make of :func:`open_record`.

    Raises:
        NoKeys: as for :func:`truth_of`.
    """
    options = rounds[0].contract.options
    states: list[Json] = [{"ok": state_record(round_.board, truth_of(round_))} for round_ in rounds]
    if _single(options, rounds):
        return {"ok": state_record(rounds[0].board, truth_of(rounds[0]))}
    results = [result_of(round_) for round_ in rounds]
    return {
        "rounds": states,
        "totals": list(totals(results)),
        "winners": list(winners(options, results)),
        "next": next_round(options, results),
    }


def _single(options: Options, rounds: Sequence[Round]) -> bool:
    return options.rounds == 1 and len(rounds) == 1
