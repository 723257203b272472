"""Whole games over a network that fails: cables pulled, a frozen program, a new address, a split.

The scenarios wait a lot and compute little, so they are all run at once, each in a network of its
own, and each test looks at what came of one.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType

import pytest

from protocol import read_log
from tests.net.processes import Program, Programs, logs_of, programs, verified
from tests.support.typist import Typist

from .network import Lan, NotPermitted

pytestmark = pytest.mark.slow

AUTO = ("--auto", "--plain", "--pace", "0.2")
NAMES = ("ana", "bo", "cy", "dee")
PATIENT = ("--wait", "60")
RULES = ("--rules", "standard")
"""Nobody is asked anything before the first turn."""


class Table:
    """A game whose players sit at different machines, the first at 1.

    Who is ``late`` starts while the network is down there, and finds the table by itself later.
    ``only`` are options for some of the places; ``voting``: somebody sits at
    ana's, and bo's program is not the one that gives up.
    """

    def __init__(
        self,
        lan: Lan,
        running: Programs,
        wait_s: int = 60,
        *,
        late: int | None = None,
        only: Mapping[int, Sequence[str]] = MappingProxyType({}),
        voting: bool = False,
    ) -> None:
        self.lan = lan
        self.only = only
        self.voting = voting
        self.running = running
        self.wait = ("--wait", str(wait_s))
        seats = ("--seats", str(lan.size))
        self.players = [self._start(1, "open", *RULES, *seats, "--name", "ana")]
        name, address = self.players[0].opened()
        for place in range(2, lan.size + 1):
            who: tuple[str, ...] = ("--name", NAMES[place - 1])
            if place != late:
                who += ("--address", address, *self.only.get(place, ()))
                self.players.append(self._start(place, "join", name, *who))
                continue
            lan.run(place, ["ip", "link", "set", "eth0", "down"])
            self.players.append(self._start(place, "join", name, *who))
            self.players[-1].await_text("Looking for a table")
            time.sleep(3)
            lan.run(place, ["ip", "link", "set", "eth0", "up"])
        if voting:
            self.players[0].await_text("type ready")
            self.players[0].type("ready")
        for player in self.players:
            player.await_line(lambda line: line.startswith("Turn 1"))

    def _start(self, place: int, *typed: str) -> Program:
        inside = self.lan._inside(place, [])
        name = NAMES[place - 1]
        if self.voting and place == 1:
            how = ("--plain", *self.wait)
            return self.running.start(name, *typed, *how, before=inside, stdin=subprocess.PIPE)
        wait = PATIENT if self.voting and place == 2 else self.wait
        return self.running.start(name, *typed, *AUTO, *wait, before=inside)

    def resume(self) -> None:
        """Start every program again, the last player's first."""
        self.wait = PATIENT
        places = range(self.lan.size, 0, -1)
        self.players = [self._start(place, "resume") for place in places]

    def part(self, *halves: tuple[int, ...]) -> Callable[[], None]:
        """Let no packet pass between the halves; return what heals that."""
        pairs = [(one, other) for a in halves for b in halves if a != b for one in a for other in b]
        self._route("add", pairs)
        return lambda: self._route("del", pairs)

    def _route(self, verb: str, pairs: list[tuple[int, int]]) -> None:
        for one, other in pairs:
            target = f"{self.lan.address(other)}/32"
            self.lan.run(one, ["ip", "route", verb, "blackhole", target])

    def ended(self) -> list[int]:
        return [player.ended() for player in self.players]

    def logs(self) -> list[Path]:
        return logs_of(self.running.root)


# --- scenarios -------------------------------------------------------------------------------


def cable_pulled(table: Table) -> None:
    """Of bo for 20 seconds, and meanwhile of cy for 4 and for 8."""
    table.lan.unplug(2)
    for seconds in (4, 8):
        table.lan.unplug(3)
        time.sleep(seconds)
        table.lan.plug(3)
        time.sleep(4)
    table.lan.plug(2)


def program_frozen_and_address_changed(table: Table) -> None:
    table.players[1].signal(signal.SIGSTOP)
    time.sleep(20)
    table.players[1].signal(signal.SIGCONT)
    time.sleep(2)
    for verb, host in (("del", 1), ("add", 101)):
        table.lan.run(1, ["ip", "address", verb, f"10.77.0.{host}/24", "dev", "eth0"])


def no_way_between_two(table: Table) -> None:
    """Once they sit; one of them had no network at first."""
    table.part((2,), (3,))


def split_in_halves_and_healed(table: Table) -> None:
    heal = table.part((1, 2), (3, 4))
    time.sleep(22)
    heal()


def door_closed_at_a_new_address(table: Table) -> None:
    """Nobody reaches bo any more where bo listens; bo comes to the others from elsewhere.

    The program of bo listens where it was told to when it started, and nowhere else.
    """
    old, new = table.lan.address(2), "10.77.0.102"
    for place in (1, 3):
        table.lan.run(place, ["ip", "route", "add", "blackhole", f"{old}/32"])
    table.lan.run(2, ["ip", "address", "add", f"{new}/24", "dev", "eth0"])
    network = ["10.77.0.0/24", "dev", "eth0", "src", new]
    table.lan.run(2, ["ip", "route", "replace", *network])


def voted_out_while_cut_off(table: Table) -> None:
    """Ana and cy go on without bo, who comes back to watch the end."""
    ana, bo, _ = table.players
    table.lan.unplug(2)
    ana.play(Typist(), "Your choice")
    ana.type("vote", "yes")
    ana.expect("The game goes on without bo")
    table.lan.plug(2)
    bo.await_text("The others went on without you")
    ana.type("resign", "yes")
    ana.expect("The game is over")


def one_cut_off_for_too_long(table: Table) -> None:
    table.lan.unplug(3)
    table.ended()


class Outcome:
    """What came of a scenario: exit codes and logs, then the same after resuming if it stopped."""

    def __init__(self, table: Table) -> None:
        self.exits = table.ended()
        self.texts = [player.text for player in table.players]
        self.records = [
            [record.data for record in read_log(log.read_bytes())[0] if record.kind == "envelope"]
            for log in table.logs()
        ]
        if any(self.exits):
            for place in range(1, table.lan.size + 1):
                table.lan.plug(place)
            table.resume()
            self.exits_resumed = table.ended()
            self.texts += [player.text for player in table.players]
        self.verdicts = verified(table.running.root / "verifier", *table.logs())


SCENARIOS: Mapping[Callable[[Table], None], tuple[int, int]] = {
    cable_pulled: (3, 60),
    program_frozen_and_address_changed: (3, 60),
    no_way_between_two: (3, 60),
    split_in_halves_and_healed: (4, 60),
    door_closed_at_a_new_address: (3, 60),
    voted_out_while_cut_off: (3, 12),
    one_cut_off_for_too_long: (3, 5),
}
"""Each with its number of players, and how long they wait for a silent one in seconds."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Outcome]]]:
    with ExitStack() as made, ThreadPoolExecutor(len(SCENARIOS)) as pool:
        found = {}
        for scenario, (size, wait_s) in SCENARIOS.items():
            root = tmp_path_factory.mktemp(scenario.__name__)
            try:
                lan = made.enter_context(Lan(size))
            except NotPermitted as why:
                pytest.skip(str(why))
            running = made.enter_context(programs(root))
            found[scenario.__name__] = pool.submit(play, scenario, lan, running, wait_s)
        yield found


def play(scenario: Callable[[Table], None], lan: Lan, running: Programs, wait_s: int) -> Outcome:
    late = 2 if scenario is no_way_between_two else None
    only = {2: ("--interface", "eth0")} if scenario is door_closed_at_a_new_address else {}
    voting = scenario is voted_out_while_cut_off
    table = Table(lan, running, wait_s, late=late, only=only, voting=voting)
    scenario(table)
    return Outcome(table)


@pytest.mark.parametrize(
    "scenario",
    [
        cable_pulled,
        program_frozen_and_address_changed,
        no_way_between_two,
        split_in_halves_and_healed,
        door_closed_at_a_new_address,
        voted_out_while_cut_off,
    ],
)
def test_the_game_goes_on_by_itself(
    outcomes: dict[str, Future[Outcome]], scenario: Callable[[Table], None]
) -> None:
    outcome = outcomes[scenario.__name__].result()
    assert set(outcome.exits) == {0}, outcome.texts
    assert len({verdict["head"] for verdict in outcome.verdicts}) == 1


def test_who_is_awaited_is_told_while_a_cable_is_out(
    outcomes: dict[str, Future[Outcome]],
) -> None:
    texts = outcomes[cable_pulled.__name__].result().texts
    assert "Nothing heard from bo" in texts[0]
    assert "The connection to bo is lost" in texts[0]
    assert "bo is connected again" in texts[0]


def test_whose_door_is_closed_comes_in_by_those_of_the_others(
    outcomes: dict[str, Future[Outcome]],
) -> None:
    ana, bo, cy = outcomes[door_closed_at_a_new_address.__name__].result().texts
    for name, other in (("ana", ana), ("cy", cy)):
        assert "Nothing heard from bo" in other
        assert f"The connection to {name} is lost" in bo
        assert f"{name} is connected again" in bo


def test_who_was_voted_out_while_cut_off_has_the_same_game_in_its_log(
    outcomes: dict[str, Future[Outcome]],
) -> None:
    verdicts = outcomes[voted_out_while_cut_off.__name__].result().verdicts
    for verdict in verdicts:
        assert [verdict["players"][seat]["name"] for seat in verdict["dropped"]] == ["bo"]
        assert verdict["receipts_missing"] == []


def test_who_is_cut_off_for_too_long_stops_the_game_and_all_can_resume_it(
    outcomes: dict[str, Future[Outcome]],
) -> None:
    outcome = outcomes[one_cut_off_for_too_long.__name__].result()
    assert set(outcome.exits) == {3}, outcome.texts
    longest = max(outcome.records, key=len)
    assert all(longest[: len(records)] == records for records in outcome.records)
    assert set(outcome.exits_resumed) == {0}, outcome.texts
    assert len({verdict["head"] for verdict in outcome.verdicts}) == 1
