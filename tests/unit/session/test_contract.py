"""The contract: what it binds, and what is no contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_davinci.session.contract import Contract, Previous, read_contract
from protocol import Value, as_array, decode, encode
from tests.support.crypto import TORSION
from tests.support.faults import expect_fault
from tests.support.table import contract_for, seeded, signers

WHO = signers(3, seeded("contract"))
PLAIN = contract_for(WHO, "standard", first=1, entropy=seeded("fresh"))
LATER = replace(
    PLAIN,
    options=contract_for(WHO, "tournament").options,
    previous=Previous(rounds=1, head=bytes(32), totals=(3, 0, 5), playing=(0, 1, 2)),
)

TITLE, VERSION, TABLE, OPTIONS, PLAYERS, FIRST, FRESH, BEFORE = range(8)


SMALLEST = replace(
    PLAIN,
    table="x",
    first=2,
    players=tuple(replace(p, name=f"{k}") for k, p in enumerate(PLAIN.players)),
)


@pytest.mark.parametrize("contract", [PLAIN, replace(PLAIN, first=None), SMALLEST, LATER])
def test_a_contract_reads_back_as_it_was(contract: Contract) -> None:
    assert read_contract(contract.encode()) == contract


def test_the_hash_binds_every_field() -> None:
    others = [
        replace(PLAIN, table="elsewhere"),
        replace(PLAIN, options=replace(PLAIN.options, twelve=True)),
        replace(PLAIN, players=PLAIN.players[::-1]),
        replace(PLAIN, players=(replace(PLAIN.players[0], name="x"), *PLAIN.players[1:])),
        replace(PLAIN, first=None),
        replace(PLAIN, fresh=PLAIN.fresh[::-1]),
        LATER,
    ]
    assert len({contract.hash for contract in (PLAIN, *others)}) == len(others) + 1


def test_everybody_plays_a_first_round_and_the_named_ones_a_later_one() -> None:
    assert PLAIN.playing == (0, 1, 2)
    assert LATER.previous is not None
    assert replace(LATER, previous=replace(LATER.previous, playing=(0, 2))).playing == (0, 2)


def changed(index: int, value: Value, contract: Contract = PLAIN) -> bytes:
    fields = list(as_array(decode(contract.encode()), "contract"))
    fields[index] = value
    return encode(tuple(fields))


def players(change: Callable[[list[tuple[Value, ...]]], list[tuple[Value, ...]]]) -> Value:
    return tuple(change([(player.key, player.name) for player in PLAIN.players]))


KEY = PLAIN.players[0].key
FIELDS = PLAIN.options.fields()
EARLIER: tuple[Value, ...] = (1, bytes(32), (0, 0, 0), (0, 1, 2))


def earlier(index: int, value: Value) -> Value:
    return (*EARLIER[:index], value, *EARLIER[index + 1 :])


@pytest.mark.parametrize(
    ("index", "value", "check"),
    [
        (TITLE, "another contract", "contract.version"),
        (VERSION, 1, "contract.version"),
        (VERSION, "2", "contract.version"),
        (TABLE, 5, "contract.table"),
        (TABLE, "x" * 65, "contract.table"),
        (OPTIONS, None, "contract.options"),
        (OPTIONS, FIELDS[1:], "contract.options"),
        (OPTIONS, FIELDS[::-1], "contract.options"),
        (OPTIONS, ((*FIELDS[0], "x"), *FIELDS[1:]), "contract.options"),
        (OPTIONS, (("jokers", "perhaps"), *FIELDS[1:]), "contract.options"),
        (OPTIONS, (("jokers", 1), *FIELDS[1:]), "contract.options"),
        (PLAYERS, None, "contract.players"),
        (PLAYERS, players(lambda named: named[:1]), "contract.players"),
        (PLAYERS, players(lambda named: [*named, *named]), "contract.players"),
        (PLAYERS, players(lambda named: [named[0], named[0], named[2]]), "contract.players"),
        (PLAYERS, players(lambda named: [(KEY,), *named[1:]]), "contract.players"),
        (PLAYERS, players(lambda named: [(KEY, "x" * 65), *named[1:]]), "contract.players"),
        (PLAYERS, players(lambda named: [(KEY[1:], "x"), *named[1:]]), "contract.players"),
        (PLAYERS, players(lambda named: [(TORSION[8], "x"), *named[1:]]), "identity.key"),
        (FIRST, 3, "contract.first"),
        (FIRST, True, "contract.first"),
        (FRESH, None, "contract.fresh"),
        (FRESH, PLAIN.fresh[1:], "contract.fresh"),
        (FRESH, (b"", *PLAIN.fresh[1:]), "contract.fresh"),
        (BEFORE, 0, "contract.previous"),
        (BEFORE, EARLIER[1:], "contract.previous"),
        (BEFORE, earlier(0, None), "contract.previous"),
        (BEFORE, earlier(1, b""), "contract.previous"),
        (BEFORE, earlier(2, (0, 0)), "contract.previous"),
        (BEFORE, earlier(3, (0, 3)), "contract.previous"),
        (BEFORE, earlier(3, (1, 0)), "contract.previous"),
        (BEFORE, earlier(3, (0, 0)), "contract.previous"),
        (BEFORE, earlier(3, (1,)), "contract.previous"),
    ],
)
def test_a_field_that_is_wrong_is_named(index: int, value: Value, check: str) -> None:
    with expect_fault(check):
        read_contract(changed(index, value))


def test_only_the_youngest_can_be_agreed_on_as_first() -> None:
    by_coin = replace(PLAIN, options=replace(PLAIN.options, first="random"))
    with expect_fault("contract.first"):
        read_contract(by_coin.encode())
    assert read_contract(replace(by_coin, first=None).encode()).first is None


def test_the_first_player_must_be_one_who_plays() -> None:
    assert LATER.previous is not None
    two = replace(LATER, previous=replace(LATER.previous, playing=(0, 2)))
    with expect_fault("contract.first"):
        read_contract(two.encode())


@pytest.mark.parametrize("data", [b"", b"\xc1", encode(5), encode(("p2p-davinci contract", 1))])
def test_what_is_no_contract_is_refused(data: bytes) -> None:
    with expect_fault("codec.canonical" if data in (b"", b"\xc1") else "contract.shape"):
        read_contract(data)
