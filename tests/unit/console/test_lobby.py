from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_davinci.console import commands as c
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.lobby import (
    Found,
    hall_lines,
    lobby_changes,
    lobby_due,
    lobby_lines,
    rules_name,
)
from p2p_davinci.console.model import Model, leave_table, show_found, show_lobby
from p2p_davinci.console.offers import offer_lines
from p2p_davinci.rules.options import Options, options_from
from p2p_davinci.session.lobby_events import (
    Decline,
    Leave,
    LobbyView,
    Notice,
    SetOption,
    SetOrder,
    SetReady,
    SetRules,
    SetSeats,
    SetYoungest,
)
from p2p_davinci.text import Words
from tests.unit.console.lobbies import ANA, BO, CY, MEMBERS, lobby, member

ENGLISH = Words("en")
HALL = Model(lang="en")
AT_TABLE = replace(HALL, lobby=lobby())


def found(**changes: object) -> Found:
    table = Found(
        table="river-lamp",
        opener="ana",
        members=1,
        seats=3,
        options=Options(),
        address="192.168.1.20:40000",
    )
    return replace(table, **changes)  # type: ignore[arg-type]


# --- before any table --------------------------------------------------------------------------


def test_tables_that_were_found_are_numbered() -> None:
    lines = hall_lines(ENGLISH, [found(), found(table="fox", members=3)], ["10.0.0.2:4000"])
    assert lines == (
        "2 tables found:",
        "1  river-lamp, opened by ana, 1 of 3 seats taken, rules classic, at 192.168.1.20:40000",
        "2  fox, opened by ana, full (3 of 3), rules classic, at 192.168.1.20:40000",
        "Type join and a number, or open to open a table of your own.",
        "Others can join you at: 10.0.0.2:4000",
    )


def test_a_table_at_which_a_game_is_played_says_so() -> None:
    playing = found(members=3, playing=True)
    assert "playing already (3 of 3)" in hall_lines(ENGLISH, [playing], [])[1]
    (row, *_) = offer_lines(show_found(HALL, [playing], []).model)[1:]
    assert row.startswith("1: (playing) river-lamp, opened by ana")


def test_when_nobody_is_found_the_usual_reasons_are_told() -> None:
    lines = hall_lines(ENGLISH, [], [])
    assert "join HOST:PORT" in lines[0]
    for reason in ("guest Wi-Fi", "firewall", "UDP 5353", "VPN", "WSL", "Local Network"):
        assert reason in lines[1]


def test_a_command_that_ends_with_the_list_tells_what_to_type_at_the_shell() -> None:
    assert hall_lines(ENGLISH, [found()], ["10.0.0.2:4000"], where="shell")[2:] == (
        "Take a seat: p2p-davinci join and a table's name or address. Open a table of your own: "
        "p2p-davinci open.",
    )
    assert "p2p-davinci join HOST:PORT" in hall_lines(ENGLISH, [], [], where="shell")[0]


def test_what_peers_call_themselves_is_cleaned() -> None:
    line = hall_lines(ENGLISH, [found(table="a\x1b]0;x\x07b", opener="\u202eo" + "n" * 99)], [])[1]
    assert "a]0;xb, opened by o" + "n" * 15 + "," in line


def test_rules_are_named_by_the_nearest_preset() -> None:
    assert rules_name(ENGLISH, Options()) == "classic"
    assert rules_name(ENGLISH, options_from("advanced", {})) == "advanced"
    changed = options_from("classic", {"jokers": "no", "clock": "60+20"})
    assert rules_name(ENGLISH, changed) == "classic, but jokers no, clock 60+20"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("tables", c.FindTables()),
        ("找桌", c.FindTables()),
        ("open", c.OpenTable(name=None, draft=c.NEW_DRAFT)),
        ("open lamp", c.OpenTable(name="lamp", draft=c.NEW_DRAFT)),
        ("开桌", c.OpenTable(name=None, draft=c.NEW_DRAFT)),
        ("join 2", c.JoinTable(index=1)),
        ("加入2", c.JoinTable(index=1)),
        ("192.168.1.20:40000", c.JoinAddress(host="192.168.1.20", port=40000)),
        ("join 192.168.1.20:40000", c.JoinAddress(host="192.168.1.20", port=40000)),
        ("join lamp.local:40000", c.JoinAddress(host="lamp.local", port=40000)),
        ("join [fe80::1%eth0]:40000", c.JoinAddress(host="fe80::1%eth0", port=40000)),
        ("加入 192.168.1.20：40000", c.JoinAddress(host="192.168.1.20", port=40000)),
    ],
)
def test_tables_are_looked_for_opened_and_joined(line: str, command: c.Command) -> None:
    model = show_found(HALL, [found(), found()], []).model
    assert read_line(model, line).command == command


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("join 3", "There is no table 3; the list has 2"),
        ("join 0", "There is no table 0"),
        ("join", "an address with its port"),
        ("join host", "an address with its port"),
        ("join host:0", "an address with its port"),
        ("join host:70000", "an address with its port"),
        ("ready", "you are not at one"),
        ("leave", "you are not at one"),
        ("draw", "No game"),
        ("say hi", "No game"),
        ("board", "rows do not stand"),
        ("2.3 = 7", "No game"),
        ("dance", "dance"),
    ],
)
def test_before_a_table_other_commands_say_what_is_missing(line: str, why: str) -> None:
    model = show_found(HALL, [found(), found()], []).model
    reply = read_line(model, line)
    assert reply.command is None
    assert why in reply.lines[0]
    assert "Nothing was sent" in reply.lines[0]


# --- the page ----------------------------------------------------------------------------------


def test_the_page_shows_seats_rules_and_what_to_do() -> None:
    members = (member(BO, "bo", ready=True), MEMBERS[0], member(CY, "cy", linked=False))
    lines = lobby_lines(ENGLISH, lobby(members, opener=BO))
    assert lines == (
        "Table river-lamp, 3 of 3 players. The order is how you sit; play goes to the next seat.",
        "1  bo, opened the table: ready",
        "2  ana (you): not ready",
        "3  cy: not connected to you yet",
        "Rules: classic. Type rules for every option.",
        "Waiting for a connection to cy.",
    )


def test_before_one_is_seated_there_is_only_the_knocking() -> None:
    assert lobby_lines(ENGLISH, lobby(())) == ("Asking to be seated at river-lamp.",)


def test_who_is_youngest_is_told_where_it_counts() -> None:
    options = options_from("standard", {})
    nobody = lobby_lines(ENGLISH, lobby(options=options))
    assert any("Nobody is marked as the youngest" in line for line in nobody)
    marked = lobby_lines(ENGLISH, lobby(options=options, youngest=BO))
    assert "bo is marked as the youngest and will begin." in marked
    mine = lobby_lines(ENGLISH, lobby(options=options, youngest=ANA))
    assert "You are marked as the youngest and will begin." in mine
    assert not any("youngest" in line for line in lobby_lines(ENGLISH, lobby(youngest=BO)))


@pytest.mark.parametrize(
    ("view", "due"),
    [
        (lobby(MEMBERS[:1]), "Waiting for 2 more players."),
        (lobby(MEMBERS[:2]), "Waiting for 1 more player."),
        (lobby((*MEMBERS[:2], member(CY, "cy", linked=False))), "Waiting for a connection to cy."),
        (lobby(), "If seats and rules are right, type ready. Any change takes every ready back."),
        (lobby((member(ANA, "ana", ready=True), *MEMBERS[1:])), "Waiting for bo, cy to say ready."),
    ],
)
def test_what_the_table_waits_for_is_told(view: LobbyView, due: str) -> None:
    assert lobby_due(ENGLISH, view) == due


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (lobby(MEMBERS[:2]), lobby(), ["cy sits down."]),
        (lobby(), lobby(MEMBERS[:2]), ["cy is gone; the seat is free."]),
        (lobby(), lobby(MEMBERS[::-1]), ["New order of the seats: cy, bo, ana."]),
        (lobby(), lobby(seats=4), ["The table now waits for 4 players."]),
        (
            lobby(),
            lobby(options=options_from("classic", {"jokers": "no"})),
            ["Rules changed: jokers is no (was yes)."],
        ),
        (
            lobby(options=options_from("standard", {})),
            lobby(options=options_from("standard", {}), youngest=CY),
            ["cy is marked as the youngest and will begin."],
        ),
        (
            lobby(),
            lobby((MEMBERS[0], member(BO, "bo", ready=True), MEMBERS[2])),
            ["bo is ready."],
        ),
        (
            lobby((member(ANA, "ana", ready=True), *MEMBERS[1:])),
            lobby(),
            ["You are not ready any more, because something changed."],
        ),
    ],
)
def test_every_change_is_told(before: LobbyView, after: LobbyView, told: list[str]) -> None:
    assert list(lobby_changes(ENGLISH, before, after)) == told


def test_the_page_comes_first_and_then_only_changes() -> None:
    first = show_lobby(HALL, lobby(MEMBERS[:1]))
    assert len(first.lines) == 4
    second = show_lobby(first.model, lobby(MEMBERS[:2]))
    assert second.lines == ("bo sits down.", "Waiting for 1 more player.")
    assert show_lobby(second.model, lobby(MEMBERS[:2])).lines == ()
    seated = show_lobby(show_lobby(HALL, lobby(())).model, lobby())
    assert len(seated.lines) == 6


def test_notices_are_told_in_words() -> None:
    values = (("option", "a"), ("value", "\x1bb"), ("choices", "c"))
    notices = [
        Notice(key="lobby.impossible"),
        Notice(key="option.bad_value", values=values),
        Notice(key="lobby.unheard_of"),
    ]
    lines = show_lobby(AT_TABLE, lobby(), notices).lines
    assert "nothing was changed" in lines[0]
    assert lines[1] == "a cannot be b. It can be: c."
    assert lines[2] == "At the table: unheard_of."


def test_leaving_says_why_and_forgets_the_table() -> None:
    gone = leave_table(AT_TABLE, "opener_left")
    assert gone.model.lobby is None
    assert gone.lines == ("The one who opened the table has left; the table is closed.",)
    assert leave_table(AT_TABLE).lines == ()


# --- its commands ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ready", SetReady()),
        ("准备", SetReady()),
        ("seat cy ana bo", SetOrder(order=(CY, ANA, BO))),
        ("seats 3, 1, 2", SetOrder(order=(CY, ANA, BO))),
        ("座位 cy、我、bo", SetOrder(order=(CY, ANA, BO))),
        ("youngest bo", SetYoungest(member=BO)),
        ("youngest me", SetYoungest(member=ANA)),
        ("youngest nobody", SetYoungest(member=None)),
        ("最小 bo", SetYoungest(member=BO)),
        ("option jokers no", SetOption(key="jokers", value="no")),
        ("option clock=60+20", SetOption(key="clock", value="60+20")),
        ("选项 aids real-life", SetOption(key="aids", value="real-life")),
        ("rules standard", SetRules(preset="standard")),
        ("规则 advanced", SetRules(preset="advanced")),
        ("players 4", SetSeats(seats=4)),
        ("人数4", SetSeats(seats=4)),
        ("leave", Leave()),
        ("离桌", Leave()),
    ],
)
def test_the_table_is_formed_by_commands(line: str, command: c.Command) -> None:
    assert read_line(AT_TABLE, line).command == command


def test_sending_somebody_away_needs_a_yes_and_is_the_openers_alone() -> None:
    asked = read_line(AT_TABLE, "decline bo")
    assert asked.command is None
    assert "bo" in asked.lines[0]
    assert read_line(asked.model, "yes").command == Decline(member=BO)
    guest = replace(HALL, lobby=lobby(opener=BO))
    assert "Only the one who opened" in read_line(guest, "decline cy").lines[0]
    assert "type leave" in read_line(AT_TABLE, "decline me").lines[0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("seat ana bo", "Name everybody once"),
        ("seat ana bo bo", "Name everybody once"),
        ("seat", "Name everybody once"),
        ("seat ana bo dee", 'called "dee"'),
        ("youngest dee", 'called "dee"'),
        ("youngest", 'called ""'),
        ("decline dee", 'called "dee"'),
        ("option jokers", "Write an option and its value"),
        ("option jokers maybe", "jokers cannot be maybe. It can be: yes, no."),
        ("option wings yes", "There is no option wings"),
        ("option backs hidden", "set call colour as well"),
        ("option rounds 3", "decided by points"),
        ("option clock 0+20", "0 seconds"),
        ("rules chess", "no rules called chess"),
        ("players 5", "2 to 4 players"),
        ("open", "You are at a table"),
        ("join 1", "You are at a table"),
        ("tables", "You are at a table"),
    ],
)
def test_commands_that_cannot_be_meant_say_why(line: str, why: str) -> None:
    reply = read_line(AT_TABLE, line)
    assert reply.command is None
    assert why in reply.lines[0]
    assert "Nothing was sent" in reply.lines[0]


def test_before_one_is_seated_one_can_only_leave() -> None:
    knocking = replace(HALL, lobby=lobby(()))
    assert "not seated yet" in read_line(knocking, "ready").lines[0]
    assert read_line(knocking, "leave").command == Leave()
    assert "all say ready anew" in read_line(knocking, "quit").lines[0]


def test_rules_without_a_name_are_told() -> None:
    lines = read_line(AT_TABLE, "rules").lines
    assert "rounds 1: that many rounds are played." in lines
    timed = replace(HALL, lobby=lobby(options=options_from("classic", {"clock": "60+20"})))
    assert any(line.startswith("clock 60+20") for line in read_line(timed, "rules").lines)
