"""Two ends of several connections agree on exactly one, in whatever order things arrive."""

from __future__ import annotations

import random
from collections import deque

import pytest

from p2p_davinci.net.choice import Choice, Claim, Down, Drop, Effect, Go, Up

SIDES = (0, 1)


class Net:
    """Both choices, and connections whose two directions are ordered but of any delay."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ends = [Choice(decides=True), Choice(decides=False)]
        self.boots = [1, 1]
        self.wires: dict[bytes, tuple[deque[object], deque[object]]] = {}
        self.open: list[set[bytes]] = [set(), set()]
        self.up: list[bytes | None] = [None, None]
        self.connections = 0

    def dial(self) -> None:
        link = b"%d" % self.connections
        self.connections += 1
        self.wires[link] = (deque(["opened"]), deque(["opened"]))

    def deliver(self) -> bool:
        """Deliver the next message of a random direction; tell whether there was one."""
        ready = [(link, side) for link, ways in self.wires.items() for side in SIDES if ways[side]]
        if not ready:
            return False
        link, side = self.random.choice(ready)
        message = self.wires[link][side].popleft()
        end = self.ends[side]
        if message == "opened":
            self.open[side].add(link)
            self.act(side, end.opened(link, self.boots[1 - side]))
        elif link not in self.open[side]:
            pass
        elif message == "closed":
            self.open[side].discard(link)
            self.act(side, end.lost(link))
        elif isinstance(message, Claim):
            self.act(side, end.claimed(link, message.seen, message.holding))
        elif isinstance(message, Go):
            self.act(side, end.go(link, message.number))
        return True

    def act(self, side: int, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Up(link=link):
                    assert self.up[side] is None, "up while up"
                    assert link in self.open[side]
                    self.up[side] = link
                case Down():
                    assert self.up[side] is not None, "down while down"
                    self.up[side] = None
                case Drop(link=link):
                    self.open[side].discard(link)
                    self.wires[link][1 - side].append("closed")
                case Claim(link=link) | Go(link=link):
                    self.wires[link][1 - side].append(effect)

    def break_off(self, side: int) -> None:
        """One side sees its link break; the other hears of it late, or (silence) not at all."""
        link = self.up[side]
        if link is not None:
            self.open[side].discard(link)
            if self.random.random() < 0.5:
                self.wires[link][1 - side].append("closed")
            self.act(side, self.ends[side].lost(link))

    def settle(self) -> None:
        while self.deliver():
            pass


@pytest.mark.parametrize("seed", range(300))
def test_simultaneous_dials_leave_exactly_one_connection_without_a_flap(seed: int) -> None:
    net = Net(seed)
    for _ in range(2 + seed % 3):
        net.dial()
    ups = 0
    while net.deliver():
        ups = max(ups, sum(link is not None for link in net.up))
        chosen = [link for link in net.up if link is not None]
        assert len(set(chosen)) <= 1, "the two sides use different connections"
    assert ups == 2
    assert net.open[0] == net.open[1] == {net.up[0]} == {net.up[1]}


@pytest.mark.parametrize("seed", range(200))
def test_after_breaks_a_new_dial_leads_both_to_the_same_connection(seed: int) -> None:
    net = Net(seed)
    for _ in range(6):
        net.dial()
        for _ in range(net.random.randrange(12)):
            net.deliver()
        if net.random.random() < 0.6:
            net.break_off(net.random.choice(SIDES))
    net.settle()
    # Whoever has no link dials: once for a side that noticed, as keepers do.
    for _ in range(3):
        if None in net.up:
            net.dial()
            net.settle()
    assert net.up[0] is not None
    assert net.up[0] == net.up[1]
    assert net.up[0] in net.open[0] & net.open[1]


def test_the_larger_key_regains_a_link_that_the_smaller_still_believes_in() -> None:
    net = Net(1)
    net.dial()
    net.settle()
    lost = net.up[1]
    assert lost is not None
    net.open[1].discard(lost)
    net.act(1, net.ends[1].lost(lost))
    net.dial()
    net.settle()
    assert net.up[0] == net.up[1] == b"1"
    assert net.open[0] == {b"1"}


def test_a_probe_of_a_healthy_link_changes_nothing() -> None:
    net = Net(2)
    net.dial()
    net.settle()
    net.dial()
    net.settle()
    assert net.up == [b"0", b"0"]
    assert net.open == [{b"0"}, {b"0"}]


@pytest.mark.parametrize("decides", [True, False])
def test_a_peer_started_again_displaces_its_former_self_and_is_not_displaced(
    decides: bool,
) -> None:
    end = Choice(decides=decides)
    end.opened(b"old", 4)
    if decides:
        end.claimed(b"old", 0, 0)
    else:
        end.go(b"old", 7)
    assert end.link == b"old"
    effects = end.opened(b"new", 5)
    assert effects[:2] == [Down(reason="replaced"), Drop(link=b"old", reason="replaced")]
    assert end.link is None
    assert end.opened(b"ghost", 4) == [Drop(link=b"ghost", reason="stale")]
    chosen = end.claimed(b"new", 0, 0) if decides else end.go(b"new", 1)
    assert Up(link=b"new") in chosen


def test_numbers_go_on_from_what_the_other_side_has_seen() -> None:
    forgetful = Choice(decides=True)
    forgetful.opened(b"a", 1)
    assert forgetful.claimed(b"a", 5, 0) == [Go(link=b"a", number=6), Up(link=b"a")]


def test_a_claim_made_before_the_go_was_seen_does_not_displace_the_link() -> None:
    end = Choice(decides=True)
    end.opened(b"a", 1)
    end.opened(b"b", 1)
    end.claimed(b"a", 0, 0)
    assert end.claimed(b"b", 0, 0) == [Drop(link=b"b", reason="duplicate")]
    assert end.link == b"a"


def test_a_repeated_claim_or_go_on_the_link_itself_changes_nothing() -> None:
    decider, other = Choice(decides=True), Choice(decides=False)
    decider.opened(b"a", 1)
    decider.claimed(b"a", 0, 0)
    assert decider.claimed(b"a", 0, 0) == []
    other.opened(b"a", 1)
    other.go(b"a", 1)
    assert other.go(b"a", 1) == other.go(b"a", 2) == []
    assert decider.link == other.link == b"a"


def test_an_older_go_that_arrives_late_is_not_obeyed() -> None:
    end = Choice(decides=False)
    end.opened(b"a", 1)
    end.opened(b"b", 1)
    assert Up(link=b"b") in end.go(b"b", 2)
    assert end.go(b"a", 1) == [Drop(link=b"a", reason="duplicate")]
    assert end.link == b"b"


def test_leaving_closes_every_connection_and_tells_once() -> None:
    end = Choice(decides=True)
    end.opened(b"a", 1)
    end.opened(b"b", 1)
    end.claimed(b"a", 0, 0)
    assert end.leave("left") == [
        Down(reason="left"),
        Drop(link=b"a", reason="left"),
        Drop(link=b"b", reason="left"),
    ]
    assert end.idle
