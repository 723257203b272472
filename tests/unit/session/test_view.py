"""What a seat's screen may show, and what it is asked."""

from __future__ import annotations

import functools

import pytest

from p2p_davinci.rules.moves import Draw, Guessed, Move, Stop
from p2p_davinci.rules.tiles import parse_tile
from p2p_davinci.session.events import (
    Begun,
    Dealt,
    Drew,
    GameOver,
    Happened,
    Progress,
    RoundOver,
    Stage,
)
from p2p_davinci.session.game import asks_player, new_game, own_faces, view
from p2p_davinci.session.play import start
from protocol import comparison
from tests.support.dealt import dealt_table, record_dealt, tiles
from tests.support.positions import guess
from tests.support.recorded import Event, decided, finish, recording
from tests.support.table import Table, seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")
HIT = guess("2.1", "b1")


@functools.cache
def stage(preset: str, *moves: Move | Event) -> Table:
    return record_dealt(dealt_table(HANDS, "b6 w3", preset), HANDS, "b6 w3", moves).end


def after(*moves: Move | Event, preset: str = "standard") -> Table:
    return stage(preset, *moves).fork(seeded("view"))


# --- stages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "stage_"),
    [
        ("commit", Stage.SETUP),
        ("arrange", Stage.SETUP),
        ("draw", Stage.PLAY),
        ("key", Stage.PLAY),
        ("receipt", Stage.ENDING),
    ],
)
def test_a_view_tells_where_the_game_stands(kind: str, stage_: Stage) -> None:
    moment = recording("standard").find(kind)
    waiting = next(p for p in moment.table.peers if p.seat != moment.payload.seat)
    shown = view(waiting.game)
    assert (shown.stage, shown.kind, shown.step) == (stage_, kind, moment.payload.step)
    assert moment.payload.seat in shown.awaited
    assert (shown.seat, shown.round, shown.names) == (waiting.seat, 1, ("ana", "bo", "cy"))


def test_a_decided_round_is_ending_while_its_winner_owes_the_key() -> None:
    moment = recording("standard").find("key", where=decided)
    waiting = next(p for p in moment.table.peers if p.seat != moment.payload.seat)
    shown = view(waiting.game)
    assert (shown.stage, shown.kind) == (Stage.ENDING, "key")


def test_when_it_is_over_a_view_shows_every_row_and_the_winners() -> None:
    table = recording("standard").end
    for peer in table.peers:
        shown = view(peer.game)
        assert (shown.stage, shown.awaited, shown.due) == (Stage.OVER, (), False)
        assert shown.faces == tuple(own_faces(other.game)[0] for other in table.peers)
        (over,) = peer.told(GameOver)
        assert (shown.winners, shown.totals, shown.head) == (over.winners, over.totals, over.head)


def test_nothing_is_shown_before_there_is_anything() -> None:
    game = new_game(dealt_table(HANDS).contract, 0)
    shown = view(game)
    assert (shown.board, shown.compare, shown.digits, shown.faces) == (None, (), "", None)
    assert (shown.dealt, shown.backs, shown.totals, shown.winners) == ((), (), (0, 0, 0), ())


def test_all_see_the_same_words_once_the_keys_are_open() -> None:
    before = recording("standard").find("open")
    assert {view(peer.game).compare for peer in before.table.peers} == {()}
    table = recording("standard").find("draw").table
    words, digits = comparison(table.peers[0].game.round.chain.session)
    assert {(view(p.game).compare, view(p.game).digits) for p in table.peers} == {(words, digits)}


def test_a_watcher_sees_the_public_state_alone() -> None:
    contract = dealt_table(HANDS).contract
    game, effects = start(contract, None, 0.0, None)
    shown = view(game)
    assert (shown.seat, shown.due, shown.dealt) == (None, False, ())
    assert len(effects) == 1


# --- one's own tiles -------------------------------------------------------------------------


def test_ones_tiles_are_shown_before_they_are_arranged() -> None:
    table = recording("advanced").find("arrange").table
    for peer in table.peers:
        shown = view(peer.game)
        if shown.kind != "arrange" or peer.game.round.state is not None:
            continue
        (dealt,) = peer.told(Dealt)
        assert shown.dealt == dealt.tiles
        assert len(shown.dealt) == len(shown.backs) == 4
        assert set(shown.backs) == {0}


def test_the_decks_of_ones_tiles_are_those_of_their_colours() -> None:
    table = recording("classic").find("arrange").table
    peer = table.peers[2]
    shown = view(peer.game)
    assert [int(tile.colour) for tile in shown.dealt] == list(shown.backs)


def test_each_player_knows_his_row_and_the_tile_he_drew() -> None:
    table = after(Draw(deck=0))
    for peer, hand in zip(table.peers, HANDS, strict=True):
        board = view(peer.game).board
        assert board is not None
        assert board.own == tiles(hand)
        assert board.drawn == (parse_tile("b6") if peer.seat == 0 else None)


def test_the_drawn_tile_is_known_when_the_last_share_is_in() -> None:
    table = after()
    table.play(0, Draw(deck=0))
    assert own_faces(table.peers[0].game)[1] is None
    table.deliver()
    assert own_faces(table.peers[0].game)[1] == parse_tile("b6")


# --- who is asked ----------------------------------------------------------------------------


def due(table: Table) -> list[int]:
    return [peer.seat for peer in table.peers if asks_player(peer.game)]


@pytest.mark.parametrize(
    ("moves", "kind"),
    [((), "draw"), ((Draw(deck=0),), "guess"), ((Draw(deck=0), HIT), "more")],
)
def test_the_player_in_turn_is_asked(moves: tuple[Move, ...], kind: str) -> None:
    table = after(*moves)
    assert due(table) == [0]
    shown = view(table.peers[0].game)
    assert (shown.kind, shown.due) == (kind, True)
    assert not view(table.peers[1].game).due


@pytest.mark.parametrize("hand", ["b0 b3 w5 w8", "b0 b- w5 w8"])
def test_with_jokers_in_the_game_everybody_is_asked_where_tiles_stand(hand: str) -> None:
    hands = (hand, *HANDS[1:])
    table = record_dealt(
        dealt_table(hands, "b6", "advanced"), hands, "b6", [Draw(deck=0), guess("2.1", "b11")]
    ).end
    assert due(table) == [0]
    assert view(table.peers[0].game).kind == "place"


def test_without_jokers_the_program_places_by_itself() -> None:
    table = after(Draw(deck=0), guess("2.1", "b11"))
    assert view(table.peers[0].game).kind == "draw"
    assert due(table) == [1]


def test_the_program_does_not_ask_for_what_leaves_no_choice() -> None:
    for kind in ("commit", "open", "shuffle", "shares", "answer", "key", "receipt"):
        table = recording("advanced").find(kind).table
        silent = [p for p in table.peers if p.game.round.step == kind]
        assert not any(asks_player(peer.game) for peer in silent)


# --- news ------------------------------------------------------------------------------------


def test_every_player_is_told_what_happened_and_his_own_tiles_alone() -> None:
    table = finish(after(Draw(deck=0), HIT, Stop()))
    history = table.peers[0].game.round.board.history
    for peer in table.peers:
        assert [(e.seat, e.fact) for e in peer.told(Happened)] == list(history)
        (dealt,) = peer.told(Dealt)
        assert dealt.tiles == tiles(HANDS[peer.seat])
        assert peer.told(Begun) == [Begun(number=1, first=0)]
        assert len(peer.told(RoundOver)) == len(peer.told(GameOver)) == 1
    drew = [[event.tile for event in peer.told(Drew)] for peer in table.peers]
    assert drew[0][0] == parse_tile("b6")
    assert drew[1][0] == parse_tile("w3")
    assert drew[2] == []


def test_progress_is_told_in_the_set_up_alone() -> None:
    table = recording("classic").end
    for peer in table.peers:
        kinds = [event.kind for event in peer.told(Progress)]
        order = [kind for k, kind in enumerate(kinds) if k == 0 or kinds[k - 1] != kind]
        assert order == ["commit", "open", "shuffle", "take", "shares", "arrange"]
        last = {event.kind: (event.done, event.total) for event in peer.told(Progress)}
        assert set(last.values()) == {(3, 3)}


def test_the_tile_of_an_own_turn_is_told_before_it_is_used() -> None:
    table = finish(after(Draw(deck=0), HIT, Stop(), preset="advanced"))
    events = table.peers[0].events
    drawn = next(k for k, event in enumerate(events) if isinstance(event, Drew))
    called = next(
        k
        for k, event in enumerate(events)
        if isinstance(event, Happened) and isinstance(event.fact, Guessed)
    )
    assert drawn < called
