"""What can be typed while somebody is silent."""

from __future__ import annotations

from dataclasses import replace

from p2p_davinci.console.commands import Ask, Refusal
from p2p_davinci.console.context import Context
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.grammar import read
from p2p_davinci.console.news import show_game
from p2p_davinci.console.speech import speech
from p2p_davinci.rules.moves import Dropped
from p2p_davinci.session.events import (
    Claim,
    Event,
    Happened,
    KeepWaiting,
    Lost,
    Offered,
    Promised,
    SaveAndStop,
    Stage,
    Voted,
    VoteOut,
)
from p2p_davinci.text import Words

from .scenes import context_of, model_of, moments, rules

CLASSIC = moments(rules())
SILENT = Lost(seat=1, since_s=0.0, opens_s=60.0, offered=True)


def waiting(*lost: Lost) -> Context:
    context = context_of(CLASSIC.draw, CLASSIC.options)
    assert context.game is not None
    return replace(context, game=replace(context.game, lost=lost))


def test_a_vote_names_the_silent_player_and_is_asked_first() -> None:
    for line in ("vote", "vote bo", "vote 2", "投票 bo"):
        asked = read(line, waiting(SILENT))
        assert isinstance(asked, Ask)
        assert asked.command == VoteOut(seat=1)
        assert "bo" in asked.text


def test_waiting_and_claiming_are_about_whoever_is_silent() -> None:
    assert read("wait", waiting(SILENT)) == KeepWaiting()
    claimed = read("claim", waiting(SILENT))
    assert isinstance(claimed, Ask)
    assert claimed.command == Claim()


def test_who_is_not_awaited_cannot_be_voted_out_and_that_is_said() -> None:
    for name, lost in (("bo", ()), ("bo", (replace(SILENT, seat=2),))):
        refused = read(f"vote {name}", waiting(*lost))
        assert isinstance(refused, Refusal)
        assert "does not wait for bo now" in refused.text
    early = read("vote bo", waiting(replace(SILENT, offered=False)))
    assert isinstance(early, Refusal)
    assert "nothing to choose" in early.text


def test_nothing_is_chosen_while_nobody_is_silent_for_long() -> None:
    early = replace(SILENT, offered=False)
    for context in (waiting(), waiting(early)):
        for line in ("vote", "wait", "claim"):
            assert isinstance(read(line, context), Refusal)
    assert isinstance(read("vote ana", waiting(SILENT)), Refusal)


def test_saving_is_possible_at_any_time_of_a_game() -> None:
    saved = read("save", waiting())
    assert isinstance(saved, Ask)
    assert saved.command == SaveAndStop()
    game = waiting().game
    assert game is not None
    over = replace(waiting(), game=replace(game, stage=Stage.OVER))
    assert isinstance(read("save", over), Refusal)
    nowhere = Context(speech=speech(Words("en"), (), None))
    for line in ("save", "vote", "wait", "claim"):
        assert isinstance(read(line, nowhere), Refusal)


def told(*events: Event, down: tuple[int, ...] = (), left: tuple[int, ...] = ()) -> str:
    three = replace(CLASSIC.draw, names=("ana", "bo", "cy"), down=down, left=left)
    return " ".join(show_game(model_of(three, CLASSIC.options), events, three).lines)


def test_the_choice_says_what_each_way_means() -> None:
    offered = Offered(seat=1, waited_s=60, vote=True, claim=False)
    assert "60 seconds" in told(offered)
    assert '"vote"' in told(offered)
    assert '"claim"' in told(replace(offered, vote=False, claim=True))
    assert '"claim"' not in told(replace(offered, vote=False))
    left = told(replace(offered, left=True))
    assert "bo has left" in left
    assert "wake that computer" not in left


def test_who_waits_is_told_so() -> None:
    table = model_of(replace(CLASSIC.draw, lost=(SILENT,)), CLASSIC.options)
    waited = read_line(table, "wait")
    assert waited.command == KeepWaiting()
    assert "You will be asked again" in waited.lines[0]


def test_votes_promises_and_what_a_drop_does_are_told() -> None:
    assert "Still needed: bo" in told(Voted(by=0, seat=2, missing=(1,)))
    assert "as all others have" in told(Voted(by=1, seat=2, missing=()))
    assert "stands by it" in told(Promised(by=1, seat=2))
    assert "pile cannot be opened" in told(Happened(seat=1, fact=Dropped(seat=1)))


def test_whoever_must_agree_and_is_away_is_named() -> None:
    offered = Offered(seat=1, waited_s=60, vote=True, claim=False)
    voted = Voted(by=0, seat=1, missing=(2,))
    for event in (offered, voted):
        assert "cannot be reached" not in told(event, down=(1,))
        assert "cy must agree as well, and cannot be reached now" in told(event, down=(1, 2))
        assert "cy must agree as well" in told(event, left=(2,))
    assert "cannot be reached" not in told(replace(offered, vote=False), down=(2,))
