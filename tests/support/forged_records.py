"""Logs of fresh games whose records are not those that a peer would write, or not in its order."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocol import HEADER, PROTOCOL_VERSION, SECRETS_HEADER, Value, decode, encode, seal_aside
from tests.support.crypto import flipped
from tests.support.forged_games import Entry, Fresh, Luck, Unfit, written
from tests.support.forged_messages import Forge, a_message, fault, put, sign
from tests.support.forged_values import NOT_CANONICAL, ill_formed, spoiled
from tests.support.vector_cases import KEYS
from tests.support.vector_logs import Said

# --- records ---------------------------------------------------------------------------------


def left_out(game: Fresh, luck: Luck) -> bytes:
    entries = game.entries
    at = 1 + luck.roll(len(entries) - 1)
    return written([*entries[:at], *entries[at + 1 + luck.one_in(4) * luck.roll(3) :]])


def doubled(game: Fresh, luck: Luck) -> bytes:
    entries = game.entries
    at = luck.roll(len(entries))
    to = luck.pick((at, at, luck.roll(len(entries)), len(entries)))
    return written([*entries[:to], entries[at], *entries[to:]])


def swapped(game: Fresh, luck: Luck) -> bytes:
    """Two records change places, most often neighbours."""
    entries = game.entries
    at = luck.roll(len(entries) - 1)
    to = luck.pick((at + 1, at + 1, at + 1, luck.roll(len(entries))))
    entries[at], entries[to] = entries[to], entries[at]
    return written(entries)


def reversed_step(game: Fresh, luck: Luck) -> bytes:
    """A step in which several speak is written in another order."""
    said = a_message(game, luck)
    if said.offset == said.step_offset:
        raise Unfit
    start, end = game.index(said.step_offset), game.index(said.offset) + 1
    entries = game.entries
    return written([*entries[:start], *entries[start:end][::-1], *entries[end:]])


def moved(game: Fresh, luck: Luck) -> bytes:
    entries = game.entries
    entry = entries.pop(1 + luck.roll(len(entries) - 1))
    entries.insert(luck.roll(len(entries) + 1), entry)
    return written(entries)


def after_a_fault(game: Fresh, luck: Luck) -> bytes:
    """A fault record, and behind it a record of any kind."""
    said = a_message(game, luck)
    body: Value = ((luck.pick(KEYS),), ())
    raw = sign(game, replace(said.envelope.payload, body=body)).encode()
    others: tuple[Entry, ...] = (
        game.entries[0],
        luck.pick(game.entries),
        fault(raw),
        ("note", encode(("halted", "quit", None))),
        ("note", encode(("halted", "", None))),
        ("aside", b"\xc0"),
    )
    at = luck.pick((game.index(said.offset), game.index(said.offset) + 1, len(game.records)))
    entries = [fault(said.envelope.encode(), raw), *luck.some(others)]
    return put(game, at, entries, luck)


# --- contracts -------------------------------------------------------------------------------


def first_contract(game: Fresh, luck: Luck) -> bytes:
    """Something in the first contract is changed."""
    entries = game.entries
    value = decode(entries[0][1])
    if not isinstance(value, tuple):
        raise Unfit
    at = luck.roll(len(value) + 1)
    if at < len(value):
        changed: Value = (*value[:at], _other(value[at], luck), *value[at + 1 :])
    else:
        changed = spoiled(value, luck)
    data = encode(changed)
    if luck.one_in(8):
        data = luck.pick((*NOT_CANONICAL, data + b"\0"))
    return written([("contract", data), *entries[1:]])


def _other(value: Value, luck: Luck) -> Value:
    """Return another field of a contract, changed in its depth."""
    if isinstance(value, tuple) and value and not luck.one_in(4):
        at = luck.roll(len(value))
        return (*value[:at], _other(value[at], luck), *value[at + 1 :])
    bad: tuple[Value, ...] = (0, 1, 2, None, "", "yes", "off", "0+0", "1+1", bytes(32), bytes(16))
    if isinstance(value, str) and luck.one_in(2):
        names: tuple[Value, ...] = ("", "x" * 64, "x" * 65, b"x")
        return luck.pick(names)
    previous: Value = (1, bytes(32), (0, 0), (0, 1))
    return luck.pick((spoiled(value, luck), luck.pick(bad), previous))


def later_contract(game: Fresh, luck: Luck) -> bytes:
    """A contract of a later round is changed, left out, or stands elsewhere."""
    entries = game.entries
    later = [k for k, (kind, _) in enumerate(entries) if kind == "contract"][1:]
    at = luck.pick(later)
    value = decode(entries[at][1])
    match luck.roll(4):
        case 0:
            entries.insert(luck.roll(len(entries)), entries[at])
        case 1:
            entries[at] = entries[0]
        case 2 if isinstance(value, tuple):
            k = luck.roll(len(value))
            other = (*value[:k], _other(value[k], luck), *value[k + 1 :])
            entries[at] = ("contract", encode(other))
        case _:
            return pair_before_contract(game, at, luck)
    return written(entries)


def pair_before_contract(game: Fresh, at: int, luck: Luck) -> bytes:
    """Before the contract of a later round something else is recorded."""
    others: tuple[Entry, ...] = (
        ("note", encode(("suspicion", 0, 1, "x"))),
        luck.pick(game.entries),
        fault(luck.pick(game.said).envelope.encode()),
        say(game, luck),
    )
    return put(game, at, [luck.pick(others)], luck)


# --- notes and asides ------------------------------------------------------------------------


def noted(game: Fresh, luck: Luck) -> bytes:
    """Notes of every kind."""
    seats = len(game.table.who)
    entries: list[Entry] = []
    for _ in range(1 + luck.roll(3)):
        seat_values: tuple[Value, ...] = (*range(seats), seats, None, "0")
        texts: tuple[Value, ...] = ("left", "quit", "left", "x" * 64, "x" * 65, "", b"x")
        seat = luck.pick(seat_values)
        text = luck.pick((*texts, "é" * 32, "é" * 33))
        numbers: tuple[Value, ...] = (0, 3, 2**64 - 1, None)
        none: tuple[Value, ...] = ((), None, "halted", ("said", "x", 0), ("halted", "x", 0, 0))
        values: tuple[Value, ...] = (
            ("halted", text, seat),
            ("suspicion", seat, luck.pick(numbers), text),
            luck.pick(none),
        )
        data = encode(values[luck.roll(9) // 4])
        entries.append(("note", luck.pick((data,) * 9 + (data + b"\0", b"\xc1"))))
    return put(game, luck.roll(len(game.records) + 1), entries, luck)


def say(game: Fresh, luck: Luck, at: int | None = None) -> Entry:
    """Return a remark or a call of the clock, good or not."""
    said = game.said[luck.roll(len(game.said))] if at is None else _near(game, at)
    payload, who = said.envelope.payload, game.table.who
    seat = luck.roll(len(who) + luck.one_in(16))
    kind = luck.pick(("say", "say", "clock", "clock", "nothing", "vote"))
    text = luck.pick(("hello", "x" * 500, "x" * 501, "é" * 250, "", None, b"hello"))
    body = luck.pick((None, None, None, text)) if kind == "clock" else text
    aside = seal_aside(
        session=luck.pick((payload.session,) * 8 + (bytes(32),)),
        seat=seat,
        counter=luck.pick((0, 1, 1, 2, 3, 2**32 - 1)),
        head=luck.pick((payload.head, payload.head, bytes(32))),
        kind=kind,
        body=body,
        backing=luck.pick(((),) * 8 + ((b"",),)),
        signer=who[seat % len(who)],
    )
    raw = aside.encode()
    if luck.one_in(6):
        raw = ill_formed(aside, who[seat % len(who)], who[(seat + 1) % len(who)], luck)
    return ("aside", raw)


def _near(game: Fresh, at: int) -> Said:
    """Return the message that is read at a record, or before it."""
    offset = game.records[min(at, len(game.records) - 1)].offset
    return [one for one in game.said if one.offset <= offset or one is game.said[0]][-1]


def talked(game: Fresh, luck: Luck) -> bytes:
    at = luck.roll(len(game.records) + 1)
    return put(game, at, [say(game, luck, at) for _ in range(1 + luck.roll(3))], luck)


# --- bytes -----------------------------------------------------------------------------------


def cut(game: Fresh, luck: Luck) -> bytes:
    """The file ends somewhere, or what follows was never written."""
    size = luck.pick((luck.roll(len(game.log)), len(game.log), luck.roll(300)))
    at = luck.pick(game.records).offset
    return luck.pick(
        (
            game.log[:size],
            game.log[:at],
            game.log[:at],
            game.log[: at + luck.roll(6)],
            game.log[:at] + bytes(luck.roll(600)),
            game.log[:at] + bytes(luck.roll(9)) + b"\1",
        )
    )


def broken(game: Fresh, luck: Luck) -> bytes:
    """Records with wrong lengths, and of no kind that there is."""
    at = luck.pick((*game.records, *game.records, game.records[0])).offset
    before, rest = game.log[:at], game.log[at:]
    size = int.from_bytes(rest[:4], "big")
    odd: tuple[bytes, ...] = (
        encode(("remark", b"")),
        encode(("note", "x")),
        encode(("note",)),
        encode(("note", b"\xc0", 0)),
        encode(("x" * 17, b"")),
        encode(None),
        b"\xc1",
        b"",
        encode(("note", bytes(65_537))),
        encode(("envelope", bytes(65_536))),
        encode(("note", encode(("halted", "x", None)))) + b"\0",
    )
    piece = luck.pick(odd)
    return luck.pick(
        (
            before + len(piece).to_bytes(4, "big") + piece + rest,
            before + len(piece).to_bytes(4, "big") + piece + rest,
            before + (size + luck.pick((-1, 1, 40, 65_000))).to_bytes(4, "big") + rest[4:],
            before + luck.pick((65_568, 65_569, 2**32 - 1)).to_bytes(4, "big") + rest[4:],
            before + luck.pick((65_568, 65_569)).to_bytes(4, "big"),
            before + bytes(4) + rest,
        )
    )


def other_file(game: Fresh, luck: Luck) -> bytes:
    """What does not begin as a log, and bits that were lost."""
    body = game.log[len(HEADER) :]
    magic = HEADER[:-1]
    return luck.pick(
        (
            b"",
            HEADER[: luck.roll(len(HEADER))],
            SECRETS_HEADER + body,
            magic + bytes([PROTOCOL_VERSION + 1]) + body,
            magic + bytes([PROTOCOL_VERSION - 1]) + body,
            magic.replace(b"\n", b"\r\n") + HEADER[-1:] + body,
            flipped(game.log, luck.roll(8 * len(HEADER))),
            flipped(game.log, luck.roll(8 * len(game.log))),
            flipped(game.log, luck.roll(8 * len(game.log))),
            HEADER + bytes(luck.roll(40)),
            written(game.entries[1:]),
            written([("note", encode(("halted", "x", None))), *game.entries]),
        )
    )


RECORDS: Final[tuple[tuple[Forge, int], ...]] = (
    (left_out, 3),
    (doubled, 3),
    (swapped, 2),
    (reversed_step, 2),
    (moved, 2),
    (after_a_fault, 5),
    (first_contract, 6),
    (later_contract, 5),
    (noted, 4),
    (talked, 5),
    (cut, 5),
    (broken, 3),
    (other_file, 2),
)
"""Every way to forge records, and how often it is drawn."""
