"""The program as people run it: whole games between processes over loopback, and bad ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_davinci.app.seat import verify_file
from p2p_davinci.app.settings import Exit
from p2p_davinci.rules.options import options_from
from p2p_davinci.session.audit import Verdict
from tests.support.typist import Typist

from .processes import Program, Programs, gone, play_together

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends programs by signals")

LOOPBACK = "127.0.0.1"
HERE = ("--plain", "--interface", LOOPBACK)
AUTO = (*HERE, "--auto")
SLOW = (*AUTO, "--pace", "30")
"""A bot that takes so long over a move that the game stands still."""
STANDARD = ("--rules", "standard")
"""Nobody is asked anything before the first turn."""
JOKERS = ("--rules", "tournament")
"""Everybody is asked how to stand the tiles."""
SHORT = ("--wait", "2")
QUICK_S = 20.0
"""Far longer than it takes to hear that somebody has left, on however busy a machine."""


class People(Programs):
    """Programs with people at them, who can type."""

    def sit(self, name: str, *typed: str) -> Program:
        return self.start(name, *typed, "--name", name.split()[-1], stdin=subprocess.PIPE)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    started = People(tmp_path)
    try:
        yield started
    finally:
        started.close()


def check_alike(*logs: Path) -> Verdict:
    """All the logs are the same proof of one finished game, to the byte."""
    assert len({log.read_bytes() for log in logs}) == 1
    assert len(set(logs)) == len(logs)
    verdict = verify_file(logs[0])
    assert (verdict.status, verdict.receipts_missing) == ("finished", ())
    return verdict


def check_quiet(*started: Program) -> None:
    """Nothing was told that no player should see."""
    for program in started:
        for word in ("Traceback", "Error", "Exception", "Warning", "never retrieved"):
            assert word not in program.text


def log_of(program: Program) -> Path:
    """The log that a program's last line names."""
    path = Path(program.lines[-1])
    assert path.is_file(), program.text
    return path


def bot_told(opener: Program, name: str) -> list[str]:
    """What a spawned bot has told."""
    return (opener.data / "bots" / name / "output.txt").read_text("utf-8").splitlines()


def bot_log(opener: Program, name: str) -> Path:
    return Path(bot_told(opener, name)[-1])


# --- whole games -------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_player_and_three_bots_are_four_processes_that_agree(people: People) -> None:
    ana = people.sit("ana", "play", "--bots", "3", "--auto", "--plain", "--rules", "standard")
    assert ana.ended() == Exit.OK
    assert len(list((ana.data / "logs").iterdir())) == 1
    check_alike(log_of(ana), *(bot_log(ana, name) for name in ("ada", "bob", "cleo")))
    check_quiet(ana)


@pytest.mark.slow
def test_every_way_to_play_is_played_to_its_end(people: People) -> None:
    rules = {
        preset: options_from(preset, {"rounds": "1"})
        for preset in ("classic", "advanced", "tournament")
    }
    games = {
        preset: people.sit(
            preset, "play", *AUTO, "--bots", "1", "--rules", preset, "--option", "rounds=1"
        )
        for preset in rules
    }
    for preset, game in games.items():
        assert game.ended() == Exit.OK
        assert check_alike(log_of(game), bot_log(game, "ada")).contract.options == rules[preset]
    check_quiet(*games.values())


@pytest.mark.slow
def test_people_join_by_name_and_by_address_a_table_with_a_bot(people: People) -> None:
    ana = people.sit("ana", "open", *AUTO, "--seats", "4", "--bots", "1")
    table, address = ana.opened()
    bo = people.sit("bo", "join", table, *AUTO)
    cy = people.sit("second Ana", "join", address, *AUTO)
    assert [program.ended() for program in (ana, bo, cy)] == [Exit.OK] * 3
    check_alike(log_of(ana), log_of(bo), log_of(cy), bot_log(ana, "ada"))
    # Somebody has to give way where two have one name.
    assert "Ana 2 (you)" in cy.text
    check_quiet(ana, bo, cy)


@pytest.mark.slow
def test_a_person_plays_a_whole_game_by_typing(people: People) -> None:
    ana = people.sit("ana", "play", *HERE, "--bots", "2", "--rules", "standard")
    ana.type("\x00", "draw", "ready", "ready", "2.1 = 5", "x" * 5000, "yes", "no", "lampe 3 7")
    ana.play(Typist(), "The game is over")
    # Played to its end is played to its end, even if the player does not stay for the rest.
    ana.hang_up()
    assert ana.ended() == Exit.OK
    check_alike(log_of(ana), bot_log(ana, "ada"), bot_log(ana, "bob"))
    check_quiet(ana)
    for told in ("Opening the keys: 3 of 3", "Shuffling: 1 of 3", "Standing the tiles: 3 of 3"):
        assert told in ana.text
    assert "Waiting for" in next(line for line in ana.lines if "Sealing the keys: 1" in line)


# --- the table being formed --------------------------------------------------------------------


@pytest.mark.slow
def test_a_change_takes_every_ready_back_and_all_see_the_same_table(people: People) -> None:
    ana = people.sit("ana", "open", *HERE, "--rules", "classic")
    table, _ = ana.opened()
    bo = people.sit("bo", "join", table, *HERE)
    for program in (ana, bo):
        program.expect("type ready")
    bo.type("ready")
    ana.expect("bo is ready")
    ana.type("seat bo ana")
    bo.expect("New order of the seats: bo, ana")
    bo.expect("You are not ready any more, because something changed.")
    bo.type("option jokers no", "option first youngest", "youngest ana", "players 9")
    for told in ("jokers is no", "first is youngest"):
        ana.expect(told)
    ana.expect("You are marked as the youngest and will begin.")
    bo.expect("ana is marked as the youngest")
    for program in (ana, bo):
        program.type("ready")
    play_together(" begin", ana, bo)
    assert "You begin" in ana.text
    assert "ana begins" in bo.text
    bo.type("quit", "yes")
    ana.expect("bo has left")
    ana.type("quit", "yes")
    assert [program.ended(QUICK_S) for program in (ana, bo)] == [Exit.UNFINISHED] * 2
    assert verify_file(log_of(bo)).contract.first == 1
    check_quiet(ana, bo)


@pytest.mark.slow
def test_who_finds_no_seat_is_told_why(people: People) -> None:
    ana = people.sit("ana", "open", *HERE, *STANDARD)
    table, address = ana.opened()
    bo = people.sit("bo", "join", address, *SLOW)
    ana.expect("bo is ready")
    late = [people.sit(f"cy{n}", "join", to, *AUTO) for n, to in enumerate((table, address))]
    for program in late:
        assert program.ended() == Exit.ERROR
        program.expect("The table is full.")
    ana.type("ready")
    ana.expect("The tiles stand.")
    late = [people.sit(f"dee{n}", "join", to, *AUTO) for n, to in enumerate((table, address))]
    for program in late:
        assert program.ended() == Exit.ERROR
        program.expect("They are playing already")
    ana.hang_up()
    assert ana.ended(QUICK_S) == Exit.UNFINISHED
    check_quiet(ana, bo, *late)


@pytest.mark.slow
def test_when_nobody_is_there_the_usual_reasons_are_told(people: People) -> None:
    nobody = people.sit("ana", "join", "no-such-table", *AUTO, "--wait", "1")
    nowhere = people.sit("bo", "join", f"{LOOPBACK}:9", *AUTO)
    assert [program.ended() for program in (nobody, nowhere)] == [Exit.ERROR] * 2
    for told in ("No table was found", "guest Wi-Fi", "No game was begun"):
        nobody.expect(told)
    nowhere.expect(f"Nothing listens at {LOOPBACK}:9.")
    check_quiet(nobody, nowhere)


@pytest.mark.slow
def test_somebody_declined_leaves_and_another_takes_the_seat(people: People) -> None:
    ana = people.sit("ana", "open", *HERE)
    table, _ = ana.opened()
    bo = people.sit("bo", "join", table, *HERE)
    ana.expect("bo sits down")
    ana.type("decline bo", "yes")
    bo.expect("did not want to seat you")
    assert bo.ended() == Exit.ERROR
    cy = people.sit("cy", "join", table, *HERE)
    cy.expect("type ready")
    cy.type("leave")
    assert cy.ended() == Exit.UNFINISHED
    ana.expect("cy is gone; the seat is free.")
    ana.type("leave")
    assert ana.ended() == Exit.UNFINISHED
    check_quiet(ana, bo, cy)


@pytest.mark.slow
def test_who_left_a_table_may_open_another_and_sit_down_at_the_first_again(people: People) -> None:
    ana = people.sit("ana", "open", *HERE)
    table, address = ana.opened()
    bo = people.sit("bo", *HERE)
    bo.expect(table)
    bo.type(f"join {address}")
    bo.expect("type ready")
    bo.type("leave")
    bo.expect("You left the table.")
    bo.type("open another")
    bo.expect("Table another is open.")
    bo.type("leave")
    bo.expect("You left the table.")
    bo.type(f"join {address}")
    bo.expect("type ready")
    assert sum("bo sits down." in line for line in ana.lines) == 2
    bo.type("quit")
    bo.expect("Nothing was sent yet.")
    bo.type("yes")
    assert bo.ended(QUICK_S) == Exit.OK
    ana.expect("bo is gone; the seat is free.")
    check_quiet(ana, bo)


@pytest.mark.slow
def test_a_table_may_have_any_name_and_its_log_lies_where_logs_lie(people: People) -> None:
    ana = people.sit("ana", *HERE, *SHORT)
    ana.expect("Others can join you at:")
    ana.type("open ../../川灯 / x")
    address = ana.expect("Table ../../川灯 / x is open.").split(" at: ")[1].split(",")[0]
    bo = people.sit("bo", "join", address, *AUTO, *SHORT)
    ana.expect("bo is ready")
    ana.type("rules standard")
    ana.expect("bo is ready")
    ana.type("ready")
    ana.expect("The tiles stand.")
    ana.type("quit", "yes")
    assert [program.ended(QUICK_S) for program in (ana, bo)] == [Exit.UNFINISHED] * 2
    for program in (ana, bo):
        assert log_of(program).parent == program.data / "logs"
        assert verify_file(log_of(program)).contract.table == "../../川灯 / x"
    check_quiet(ana, bo)


# --- leaving -----------------------------------------------------------------------------------

LEAVING = {
    "quit": Exit.UNFINISHED,
    "end of input": Exit.UNFINISHED,
    "SIGTERM": 143,
    "SIGHUP": 129,
    "SIGINT": 130,
}


def leave(program: Program, how: str) -> None:
    match how:
        case "quit":
            program.type("quit", "yes")
        case "end of input":
            program.hang_up()
        case _:
            program.signal(getattr(signal, how))


@pytest.mark.slow
def test_who_leaves_a_game_is_named_and_the_other_ends_too(people: People) -> None:
    tables = []
    for how in LEAVING:
        # Only a bot is ended by an interrupt; a person is asked.
        ana = people.sit(f"{how} ana", "open", *(SLOW if how == "SIGINT" else HERE), *STANDARD)
        table, _ = ana.opened()
        tables.append((how, ana, people.sit(f"{how} bo", "join", table, *AUTO)))
    for how, ana, bo in tables:
        if how != "SIGINT":
            ana.expect("bo is ready")
            ana.type("ready")
        for program in (ana, bo):
            program.expect("The tiles stand.")
        leave(ana, how)
    for how, ana, bo in tables:
        assert (how, ana.ended(QUICK_S)) == (how, LEAVING[how])
        assert bo.ended(QUICK_S) == Exit.UNFINISHED
        assert "ana has left" in bo.text
        assert "it cannot go on without ana, who left" in bo.text
        for program in (ana, bo):
            assert program.lines[-2].startswith("The game is saved.")
            assert verify_file(log_of(program)).status == "unfinished"
        check_quiet(ana, bo)


@pytest.mark.slow
def test_who_leaves_a_table_being_formed_leaves_nothing_behind(people: People) -> None:
    ways = ("end of input", "SIGTERM", "SIGINT")
    tables = []
    for how in ways:
        mode = AUTO if how == "SIGINT" else HERE
        tables.append(people.sit(f"{how} ana", "open", *mode, "--seats", "3", "--bots", "1"))
    for how, ana in zip(ways, tables, strict=True):
        ana.expect("ada sits down")
        bots = ana.children()
        leave(ana, how)
        assert (how, ana.ended(QUICK_S)) == (how, LEAVING[how])
        assert ("The input has ended" in ana.text) is (how == "end of input")
        assert all(gone(bot, 1.0) for bot in bots)
        check_quiet(ana)


@pytest.mark.slow
def test_a_player_who_is_out_may_leave_and_the_others_play_on(people: People) -> None:
    ana = people.sit("ana", "open", *HERE, *STANDARD, "--seats", "3")
    table, _ = ana.opened()
    others = [people.sit(name, "join", table, *AUTO, "--pace", "0.1") for name in ("bo", "cy")]
    ana.expect("type ready")
    ana.type("ready")
    ana.expect("The tiles stand.")
    ana.type("resign", "yes")
    ana.expect("All your tiles lie open: you are out.")
    ana.type("quit", "yes")
    assert ana.ended(QUICK_S) == Exit.UNFINISHED
    assert [program.ended() for program in others] == [Exit.OK] * 2
    logs = [log_of(program) for program in others]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    verdict = verify_file(logs[0])
    assert (verdict.status, verdict.receipts_missing) == ("finished", (0,))
    check_quiet(ana, *others)


@pytest.mark.slow
def test_people_vote_to_go_on_without_somebody_or_claim_the_game(people: People) -> None:
    wait = ("--wait", "4")
    tables = {}
    for tag, names in (("vote", ("bo", "cy")), ("claim", ("bo",))):
        seats = str(len(names) + 1)
        ana = people.sit(f"{tag} ana", "open", *HERE, *STANDARD, *wait, "--seats", seats)
        table, _ = ana.opened()
        guests = [people.sit(f"{tag} {name}", "join", table, *AUTO, *wait) for name in names]
        ana.expect("type ready")
        ana.type("ready")
        tables[tag] = (ana, *guests)
    (ana, bo, cy), (claimer, silent) = tables["vote"], tables["claim"]
    for program in (ana, claimer):
        program.expect("The tiles stand.")
    cy.kill()
    silent.kill()
    ana.play(Typist(), "Your choice")
    ana.type("vote", "yes")
    ana.expect("The game goes on without cy")
    claimer.play(Typist(), "Your choice")
    claimer.type("claim", "yes")
    claimer.expect("The game was claimed by you")
    claimer.expect("valid, and ended by a claim")
    assert claimer.ended(QUICK_S) == Exit.OK
    verdict = verify_file(log_of(claimer))
    assert (verdict.status, verdict.claimed) == ("finished", 0)
    ana.type("resign", "yes")
    assert bo.ended() == Exit.OK
    verdict = verify_file(log_of(bo))
    dropped = [verdict.contract.players[seat].name for seat in verdict.dropped]
    assert (verdict.status, dropped) == ("finished", ["cy"])
    check_quiet(ana, bo, claimer)


# --- killed and frozen -------------------------------------------------------------------------


def formed(people: People, tag: str, *seats: str) -> tuple[Program, Program]:
    """A table of ana, who opened it, and bo; both are people."""
    ana = people.sit(f"{tag} ana", "open", *HERE, *SHORT, *JOKERS, *seats)
    table, _ = ana.opened()
    bo = people.sit(f"{tag} bo", "join", table, *HERE, *SHORT)
    ana.expect("bo sits down")
    bo.expect("Waiting for" if seats else "type ready")
    return ana, bo


def dealing(people: People, tag: str) -> tuple[Program, Program]:
    """Ana and bo with the tiles in their hands, which both have still to arrange."""
    ana, bo = formed(people, tag)
    for program in (ana, bo):
        program.type("ready")
    for program in (ana, bo):
        program.expect("Stand your tiles")
    return ana, bo


def check_abandoned(ana: Program) -> None:
    """Before the tiles stand nobody can go on without anybody."""
    ana.expect("too long without a word from bo")
    assert ana.ended(QUICK_S) == Exit.UNFINISHED
    assert verify_file(log_of(ana)).status == "unfinished"
    check_quiet(ana)


@pytest.mark.slow
def test_when_a_player_is_killed_in_the_deal_the_other_ends_too(people: People) -> None:
    ana, bo = dealing(people, "deal")
    bo.kill()
    ana.expect("The connection to bo is lost.")
    ana.type("1")
    check_abandoned(ana)


@pytest.mark.slow
def test_when_the_opener_is_killed_the_table_is_closed(people: People) -> None:
    ana, bo = formed(people, "lobby", "--seats", "3")
    ana.kill()
    bo.expect("The connection to ana broke.")
    bo.expect("The one who opened the table has left")
    assert bo.ended(QUICK_S) == Exit.UNFINISHED
    check_quiet(bo)


@pytest.mark.slow
def test_when_a_guest_is_killed_the_seat_is_free_for_another(people: People) -> None:
    ana, bo = formed(people, "lobby")
    bo.kill()
    ana.expect("bo is gone; the seat is free.")
    table = ana.lines[1].split()[1]
    cy = people.sit("cy", "join", table, *HERE)
    cy.expect("type ready")
    for program in (ana, cy):
        program.type("quit", "yes")
    assert [program.ended(QUICK_S) for program in (ana, cy)] == [Exit.UNFINISHED] * 2
    check_quiet(ana, cy)


@pytest.mark.slow
def test_bots_end_by_themselves_when_their_player_is_killed(people: People) -> None:
    first = ("--option", "first=youngest")
    ana = people.sit("ana", "play", *HERE, *SHORT, *STANDARD, *first, "--bots", "2")
    ana.expect("The tiles stand.")
    bots = ana.children()
    assert len(bots) == 2 or sys.platform != "linux"
    ana.kill()
    assert all(gone(bot, 3 * QUICK_S) for bot in bots)
    for name in ("ada", "bob"):
        assert any("The connection to ana is lost." in line for line in bot_told(ana, name))
        assert verify_file(bot_log(ana, name)).status == "unfinished"


@pytest.mark.slow
def test_a_player_who_freezes_is_told_of_and_one_who_wakes_too_late_is_told_too(
    people: People,
) -> None:
    deal, lobby = dealing(people, "deal"), formed(people, "lobby")
    opener = formed(people, "opener", "--seats", "3")
    for frozen in (deal[1], lobby[1], opener[0]):
        frozen.signal(signal.SIGSTOP)
    deal[0].type("1")
    deal[0].expect("Nothing heard from bo")
    check_abandoned(deal[0])
    lobby[0].expect("bo is gone; the seat is free.")
    opener[1].expect("The one who opened the table has left")
    assert opener[1].ended(QUICK_S) == Exit.UNFINISHED
    lobby[0].type("leave")
    assert lobby[0].ended(QUICK_S) == Exit.UNFINISHED
    for frozen in (deal[1], lobby[1], opener[0]):
        frozen.signal(signal.SIGCONT)
    lobby[1].expect("The one who opened the table has left")
    assert lobby[1].ended(QUICK_S) == Exit.UNFINISHED
    opener[0].expect("bo is gone; the seat is free.")
    deal[1].expect("The connection to ana is lost.")
