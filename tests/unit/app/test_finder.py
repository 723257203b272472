"""Finding tables: who does not answer at once is asked again, and why a search ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from p2p_davinci.app import finder as finding
from p2p_davinci.app.card import Card, write_card
from p2p_davinci.app.finder import PAUSES_S, Finder, patiently
from p2p_davinci.app.hall import SEEN_MAX
from p2p_davinci.app.settings import Exit
from p2p_davinci.net.discovery import Discovery, Event, Gone, ManualMode, Searching, Seen
from p2p_davinci.net.events import Address, Asked, DialError
from p2p_davinci.net.mesh import Mesh
from p2p_davinci.rules.options import Options
from p2p_davinci.text import Words
from tests.support.room import KEYS

T = TypeVar("T")
NEAR, FAR, HERE = ("10.0.0.1", 1), ("10.0.0.2", 2), ("127.0.0.1", 3)
SEEN = Seen(
    instance="one",
    identity=KEYS[0],
    version=1,
    table="lamp",
    state="open",
    seats="1of2",
    addresses=(HERE, NEAR, FAR),
)
CARD = Card(
    table="lamp",
    opener=KEYS[0],
    opener_name="ana",
    state="open",
    members=1,
    seats=2,
    options=Options(),
    addresses=(),
)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASK_AGAIN_S", "RACE_GAP_S", "CHOICE_S"):
        monkeypatch.setattr(finding, name, 0.001)
    monkeypatch.setattr(finding, "PAUSES_S", (0.0,) * len(PAUSES_S))


class Network:
    """A finder, the advertisements it hears, and what the programs at the addresses answer."""

    def __init__(self) -> None:
        self.asked: list[Address] = []
        self.answers: dict[Address, list[Asked | DialError]] = {}
        self.told: list[ManualMode | None] = []
        self.changes = 0
        self.resting = False
        self.heard: asyncio.Queue[Event] = asyncio.Queue()
        self.finder = Finder(
            cast("Mesh", SimpleNamespace(ask=self._ask)),
            cast("Discovery", SimpleNamespace(events=self.heard)),
            changed=self._changed,
            manual=self.told.append,
            seen=lambda _: None,
            resting=lambda: self.resting,
        )

    def _changed(self) -> None:
        self.changes += 1

    async def _ask(self, host: str, port: int) -> Asked:
        self.asked.append((host, port))
        answers = self.answers.get((host, port), [])
        answer = answers.pop(0) if len(answers) > 1 else (answers or [DialError("refused")])[0]
        if isinstance(answer, DialError):
            raise answer
        return answer

    def hears(self, *events: Event) -> None:
        for event in events:
            self.heard.put_nowait(event)

    async def until(self, done: Callable[[], object]) -> None:
        async with asyncio.timeout(5):
            while not done():
                await asyncio.sleep(0.001)


def answer(number: int = 0) -> Asked:
    return Asked(peer=KEYS[number], name="ana", card=write_card(CARD), addresses=())


def searching(scenario: Callable[[Network], Awaitable[T]]) -> T:
    """Run a scenario while the finder searches."""

    async def run() -> T:
        network = Network()
        task = asyncio.create_task(network.finder.run())
        try:
            return await scenario(network)
        finally:
            task.cancel()

    return asyncio.run(run())


def test_a_table_that_was_too_busy_to_answer_is_listed_when_it_does() -> None:
    async def scenario(network: Network) -> None:
        network.answers[NEAR] = [DialError("busy"), DialError("timeout"), answer()]
        network.hears(SEEN)
        await network.until(lambda: network.finder.hall.tables)
        assert network.changes == 1

    searching(scenario)


def test_all_addresses_are_tried_the_machines_own_last_and_a_stranger_does_not_count() -> None:
    async def scenario(network: Network) -> None:
        network.answers = {NEAR: [answer(1)], HERE: [answer()]}
        network.hears(SEEN)
        await network.until(lambda: network.finder.hall.tables)
        assert network.asked[:3] == [NEAR, FAR, HERE]
        assert network.finder.hall.tables[0].address == HERE

    searching(scenario)


def test_a_goodbye_does_not_take_a_table_off_the_list_that_still_answers() -> None:
    async def scenario(network: Network) -> None:
        network.answers[NEAR] = [answer()]
        network.hears(SEEN, Gone(instance="one"))
        await network.until(lambda: len(network.asked) > 6)
        assert network.finder.hall.tables
        network.answers[NEAR] = [DialError("refused")]
        await network.until(lambda: not network.finder.hall.tables)
        quiet = len(network.asked)
        await asyncio.sleep(0.02)
        assert len(network.asked) <= quiet + 3

    searching(scenario)


def test_nobody_is_asked_while_the_finder_rests() -> None:
    async def scenario(network: Network) -> None:
        network.resting = True
        network.answers[NEAR] = [answer()]
        network.hears(SEEN)
        await asyncio.sleep(0.02)
        assert network.asked == []
        network.resting = False
        await network.until(lambda: network.finder.hall.tables)

    searching(scenario)


def test_however_many_advertise_during_a_game_only_so_many_are_kept() -> None:
    async def scenario(network: Network) -> None:
        network.resting = True
        for number in range(2 * SEEN_MAX):
            flood = replace(SEEN, instance=f"flood-{number}")
            network.hears(flood, Gone(instance=flood.instance))
        await network.until(network.heard.empty)
        assert len(network.finder._asking) <= SEEN_MAX
        kept = [network.finder.hall.seen(f"flood-{number}") for number in range(2 * SEEN_MAX)]
        assert sum(seen is not None for seen in kept) == SEEN_MAX

    searching(scenario)


def test_that_searching_does_not_work_is_told_and_that_it_works_again() -> None:
    async def scenario(network: Network) -> None:
        broken = ManualMode(reason="port-taken")
        network.hears(Searching(interfaces=()), broken, Searching(interfaces=()))
        await network.until(lambda: len(network.told) == 2)
        assert network.told == [broken, None]

    searching(scenario)


@pytest.mark.parametrize("wait_s", [0.0, 0.05])
def test_the_address_that_was_given_is_used_however_short_the_wait(wait_s: float) -> None:
    async def scenario(network: Network) -> None:
        assert (await network.finder.find("lamp", FAR, wait_s)).addresses == (FAR,)
        assert (await network.finder.find("lamp", None, wait_s)).addresses == ()

    searching(scenario)


def test_the_address_that_was_given_is_used_at_once_where_searching_does_not_work() -> None:
    async def scenario(network: Network) -> None:
        network.hears(ManualMode(reason="port-taken"))
        async with asyncio.timeout(5):
            assert (await network.finder.find("lamp", FAR, 60.0)).addresses == (FAR,)

    searching(scenario)


def test_the_only_open_table_is_found_without_a_name() -> None:
    async def scenario(network: Network) -> None:
        network.answers[NEAR] = [answer()]
        network.hears(SEEN)
        assert (await network.finder.find(None, None, 5.0)).addresses == (NEAR,)

    searching(scenario)


# --- patience ----------------------------------------------------------------------------------


class Dial:
    """Fails for these reasons, one after another, and then succeeds."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = list(reasons)
        self.tries = 0

    async def __call__(self) -> str:
        self.tries += 1
        if self.reasons:
            raise DialError(self.reasons.pop(0))
        return "linked"


def test_where_too_many_come_at_once_another_try_is_made() -> None:
    dial = Dial("busy", "lost", "busy")
    assert asyncio.run(patiently(dial)) == "linked"
    assert dial.tries == 4


@pytest.mark.parametrize("reason", ["refused", "declined", "version", "not_ours", "stranger"])
def test_what_another_try_would_not_change_is_raised_at_once(reason: str) -> None:
    dial = Dial(reason)
    with pytest.raises(DialError, match=reason):
        asyncio.run(patiently(dial))
    assert dial.tries == 1


def test_patience_ends() -> None:
    dial = Dial(*["busy"] * 100)
    with pytest.raises(DialError, match="busy"):
        asyncio.run(patiently(dial))
    assert dial.tries == len(PAUSES_S) + 1


@pytest.mark.parametrize(
    ("manual", "code", "told", "complained"),
    [
        (None, Exit.OK, 2, []),
        (
            ManualMode(reason="no-interface", detail=""),
            Exit.ERROR,
            0,
            [Words("en").tell("manual.no-interface")],
        ),
    ],
)
def test_where_no_table_can_be_searched_for_the_list_is_an_error(
    manual: ManualMode | None,
    code: Exit,
    told: int,
    complained: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def look(*_: object) -> tuple[tuple[()], ManualMode | None]:
        return (), manual

    monkeypatch.setattr(finding, "_look", look)
    out: list[str] = []
    err: list[str] = []
    unused: Any = None
    found = finding.run_tables(
        identity=unused,
        interfaces=(),
        wait_s=0.0,
        as_json=False,
        lang="en",
        environ={},
        tell=out.append,
        complain=err.append,
    )
    assert (found, len(out), err) == (code, told, complained)
