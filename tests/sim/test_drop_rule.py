"""The drop-and-promise rule, searched exhaustively for three and four players."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from protocol.chain import Ballot, Chain, may_vote
from protocol.errors import PeerFault

from .drop_model import CLOSED, Model, Rule, State, forked, wronged

TABLES = [
    Model(seats=3, awaited=(0,)),
    Model(seats=3, awaited=(0, 1)),
    Model(seats=4, awaited=(0,)),
    Model(seats=4, awaited=(0, 1)),
]


def named(model: Model) -> str:
    return f"{model.seats} players, {len(model.awaited)} awaited"


@cache
def states(model: Model) -> tuple[State, ...]:
    return tuple(model.states())


def small(rule: Rule) -> list[Model]:
    """Return the smaller tables, under a rule of which a part is missing."""
    return [replace(model, rule=rule) for model in TABLES[:3]]


@pytest.mark.slow
@pytest.mark.parametrize("model", TABLES, ids=named)
def test_no_two_seats_ever_play_different_games(model: Model) -> None:
    ends = {end for state in states(model) for end in state.ends}
    assert ends == {CLOSED, None, *model.awaited}
    assert not any(forked(state) for state in states(model))


@pytest.mark.parametrize("model", TABLES, ids=named)
def test_nobody_is_dropped_whose_message_another_had_accepted(model: Model) -> None:
    assert {wronged(state) for state in states(model)} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("model", TABLES, ids=named)
def test_once_all_have_spoken_and_heard_each_other_the_step_ends_everywhere(model: Model) -> None:
    spoken = [state for state in states(model) if state.spoken == frozenset(model.awaited)]
    assert len(spoken) > len(TABLES)
    known: dict[State, State] = {}
    assert all(None not in model.settled(state, known).ends for state in spoken)


@pytest.mark.slow
def test_a_crash_that_forgets_what_was_accepted_makes_no_second_game() -> None:
    for model in small(Rule(accepted_on_disk=False)):
        assert any(state.forgot for state in states(model))
        assert not any(forked(state) for state in states(model))


def test_the_search_finds_that_a_crash_must_not_forget_promises() -> None:
    forgetful = Rule(accepted_on_disk=False, promises_on_disk=False)
    with pytest.raises(PeerFault, match=r"drop\.contradiction"):
        states(replace(TABLES[0], rule=forgetful))


def test_the_search_finds_the_fork_of_late_messages_taken_without_a_promise() -> None:
    models = small(Rule(may_accept=lambda *_: True))
    assert any(forked(state) for model in models for state in states(model))


def test_the_search_finds_the_fork_of_late_messages_that_their_own_speaker_vouches_for() -> None:
    models = small(Rule(vouchers=lambda ballot, _: ballot.present))
    assert any(forked(state) for model in models for state in states(model))


def test_the_search_finds_the_fork_of_votes_against_what_was_accepted() -> None:
    def eager(ballot: Ballot, chain: Chain, me: int, lost: int) -> bool:
        unheard = replace(chain, spoken=tuple(item for item in chain.spoken if item[0] == me))
        return may_vote(ballot, unheard, me, lost)

    models = small(Rule(may_vote=eager))
    assert any(wronged(state) is not None for model in models for state in states(model))


def test_the_search_finds_that_votes_about_two_seats_at_one_head_contradict() -> None:
    def fickle(ballot: Ballot, chain: Chain, me: int, lost: int) -> bool:
        others = tuple(vote for vote in ballot.votes if vote.seat != me)
        return may_vote(replace(ballot, votes=others), chain, me, lost)

    with pytest.raises(PeerFault, match=r"drop\.contradiction"):
        states(Model(seats=4, awaited=(0, 1), rule=Rule(may_vote=fickle)))
