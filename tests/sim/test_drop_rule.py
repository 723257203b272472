"""The rule about silent seats, searched exhaustively for tables of three and four seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.ballot import (
    Ballot,
    contradiction,
    count,
    dropped,
    late_backing,
    may_accept,
    may_vote,
    unreleased,
)

from . import drop_faults as faults
from . import drop_model
from .drop_model import CHECKED, Found, Search, tables
from .drop_rule import Rule
from .drop_words import Book, Table

ONE_HEAD = tables(4, (0,), (1,), later_votes=False)
CONVICTABLE = "an honest seat can be convicted"
IN_TWO = "an honest seat speaks in two games"
OPENED = "a seat opened in a game that does not stand"
FORKED = "two games and no liar"
STUCK = "no common end"


def check_holds(found: Found) -> None:
    assert found.broken is None, "\n".join((found.broken.what, *found.broken.trace))


@pytest.mark.slow
@pytest.mark.parametrize("table", CHECKED, ids=str)
def test_the_rule_holds_at_every_table_with_every_set_of_liars(table: Table) -> None:
    found = Search(table).run()
    print(f"{table}: {found.states} states, {found.seconds:.1f} s")  # noqa: T201
    check_holds(found)


def test_the_rule_holds_around_one_head_of_four_seats() -> None:
    """The quick part of the search."""
    seen: set[str] = set()
    for table in ONE_HEAD:
        found = Search(table).run()
        check_holds(found)
        seen |= found.seen
    assert seen == {"behind", "a liar between two games", "payloads"}


def test_what_the_rule_allows_happens_in_the_search() -> None:
    """Two seats can each be dropped by the other, and a lost one may have spoken on."""
    two_owe = Table(seats=4, owing=(0, 1), then=(2,), liars=(2, 3), later_votes=False)
    again = Table(seats=3, owing=(0,), then=(0,))
    for table, what in ((two_owe, "two drops"), (again, "spoke on before it learnt of the drop")):
        found = Search(table).run()
        check_holds(found)
        assert what in found.seen


# --- rules that do not hold ------------------------------------------------------------------

ALL_HONEST = Table(seats=3, owing=(0,), then=(1,))
ALL_HONEST_FOUR = Table(seats=4, owing=(0,), then=(1,), later_votes=False)
LIAR = Table(seats=3, owing=(0,), then=(1,), liars=(1,))
LIAR_OF_FOUR = Table(seats=4, owing=(0,), then=(1,), liars=(1,), later_votes=False)
LOST_LIES = Table(seats=3, owing=(0,), then=(1,), liars=(0,))
LOST_AND_VOTER = Table(seats=3, owing=(0,), then=(0,), liars=(0, 1))
TWO_OWE_LATER = Table(seats=3, owing=(0,), then=(1, 2), liars=(0,))


@pytest.mark.parametrize(
    ("rule", "table", "what"),
    [
        (faults.FirstEdition(), LOST_AND_VOTER, CONVICTABLE),
        (faults.FirstEdition(), replace(LIAR_OF_FOUR, liars=(2,)), OPENED),
        (faults.FirstEdition(), LOST_LIES, FORKED),
        (faults.FirstRepair(), ALL_HONEST, CONVICTABLE),
        (faults.TakenBack(), LOST_AND_VOTER, CONVICTABLE),
        (faults.TakenBack(), LIAR_OF_FOUR, OPENED),
        (faults.LostStays(), ALL_HONEST, STUCK),
        (faults.LostFollowsProof(), LIAR, IN_TWO),
        (faults.LaterWordsPass(), LIAR, FORKED),
        (faults.BackedWordsConvict(), ALL_HONEST, CONVICTABLE),
        (faults.BackingHidden(), ALL_HONEST, CONVICTABLE),
        (faults.BackedIsEnough(), ALL_HONEST_FOUR, CONVICTABLE),
        (faults.NoPromiseNeeded(), ALL_HONEST, FORKED),
        (faults.AllPromisesNeeded(), ALL_HONEST_FOUR, STUCK),
        (faults.LateVotesConvict(), ALL_HONEST, CONVICTABLE),
        (faults.NoRelease(), LIAR_OF_FOUR, OPENED),
        (faults.Turncoats(), LOST_LIES, FORKED),
        (faults.TwoVotesPass(), TWO_OWE_LATER, FORKED),
        (faults.Forgetful(), LOST_LIES, CONVICTABLE),
    ],
    ids=lambda value: str(type(value).__name__ if isinstance(value, Rule) else value),
)
def test_the_search_finds_what_breaks(rule: Rule, table: Table, what: str) -> None:
    found = Search(table, rule).run()
    assert found.broken is not None
    assert found.broken.what == what
    assert found.broken.trace
    check_holds(Search(table).run())


@pytest.mark.slow
def test_promises_of_two_messages_convict_though_they_could_not_do_harm() -> None:
    for table in (LIAR, LOST_LIES, TWO_OWE_LATER, LIAR_OF_FOUR):
        check_holds(Search(table, faults.TwoPromisesPass()).run())


# --- what the search leaves out --------------------------------------------------------------


def ballots() -> dict[frozenset[int], Ballot]:
    """Return every ballot of four seats about seat 0 and one of its messages, by its words."""
    book = Book(Table(seats=4, owing=(0,), then=(1,)))
    said = book.say(0, 0, 0, ())
    words = [book.vote(seat, 0, 0, ()) for seat in (1, 2, 3)]
    plain = {seat: book.promise(seat, 0, said, ()) for seat in (1, 2, 3)}
    words.extend(plain.values())
    words.extend(
        book.promise(seat, 0, said, (plain[other],))
        for seat in (1, 2, 3)
        for other in (1, 2, 3)
        if other != seat
    )
    found = {frozenset[int](): book.places[0].ballot()}
    for word in words:
        for held, ballot in list(found.items()):
            if contradiction(ballot, book.aside(word)) is None:
                found[held | {word}] = count(ballot, book.aside(word))
    return found


@pytest.mark.slow
def test_hearing_more_forbids_nothing() -> None:
    book = Book(Table(seats=4, owing=(0,), then=(1,)))
    digest = book.envelope(book.say(0, 0, 0, ())).digest
    found = ballots()
    chain = book.places[0].chain
    for held, ballot in found.items():
        for more in (found[held | {word}] for word in range(16) if held | {word} in found):
            others = {aside.seat for aside in (*more.votes, *more.promises)} - {
                aside.seat for aside in (*ballot.votes, *ballot.promises)
            }
            for me in {1, 2, 3} - others:
                assert may_vote(ballot, chain, me, 0) <= may_vote(more, chain, me, 0)
            for me in (1, 2, 3):
                if ballot.late(me) is not None:
                    assert set(unreleased(more, me)) <= set(unreleased(ballot, me))
                if ballot.voted(me) == more.voted(me):
                    assert may_accept(ballot, me, 0, digest) <= may_accept(more, me, 0, digest)
    assert len(found) > 100


def test_no_ballot_both_drops_a_seat_and_allows_to_accept_its_message_late() -> None:
    book = Book(Table(seats=4, owing=(0,), then=(1,)))
    digest = book.envelope(book.say(0, 0, 0, ())).digest
    complete = [ballot for ballot in ballots().values() if dropped(ballot) == 0]
    assert complete
    assert all(late_backing(b, me, 0, digest) is None for b in complete for me in (1, 2, 3))


def test_of_tables_that_are_alike_one_is_searched() -> None:
    liars = [table.liars for table in tables(4, (0,), (1,))]
    assert liars == [
        (),
        (0,),
        (1,),
        (2,),
        (0, 1),
        (0, 2),
        (1, 2),
        (2, 3),
        (0, 1, 2),
        (0, 2, 3),
        (1, 2, 3),
    ]


@pytest.mark.slow
def test_the_command_prints_states_and_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drop_model, "CHECKED", (ALL_HONEST,))
    monkeypatch.setattr(drop_model, "LARGE", (LIAR,))
    assert drop_model.main(["large"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" states")[0].rsplit(": ")[0] for line in lines] == [
        str(ALL_HONEST),
        str(LIAR),
    ]
