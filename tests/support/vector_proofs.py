"""Vectors of every proof: good ones, and one broken for each check that a verifier makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from protocol.elgamal import (
    Ciphertext,
    combine_keys,
    encode_deck,
    make_shares,
    prove_key,
    prove_shares,
    start_deck,
    strip,
)
from protocol.group import SECOND_BASE, Point, edwards25519
from protocol.miss import prove_miss
from protocol.order import (
    Entry,
    HiddenEntry,
    OpenEntry,
    ValueOpening,
    commit_order,
    commit_values,
    prove_order,
    prove_values,
)
from protocol.relation import (
    And,
    Chosen,
    Each,
    LinearRelation,
    Or,
    Relation,
    Witness,
    linear_relation,
    serialize_statement,
)
from protocol.shuffle import prove_shuffle, shuffle_deck
from protocol.sigma import prove
from tests.support.crypto import flipped, lifted, masked, seeded
from tests.support.vector_cases import KEYS, SECRETS, Json, Remembered, case, shown, tag_for

G: Final = edwards25519.generator
BLACK, WHITE = 101, 102


def _broken(proof: bytes, make: Callable[..., Json], offset: int = 0) -> list[Json]:
    """Every way in which a compact proof, ``offset`` bytes into a string, fails by itself."""
    first = proof[offset : offset + 32]
    return [
        make("a byte short", "sigma.length", proof=proof[:-1]),
        make("a response too many", "sigma.length", proof=proof + bytes(32)),
        make(
            "the challenge plus the order",
            "sigma.scalar",
            proof=proof[:offset] + lifted(first) + proof[offset + 32 :],
        ),
        make(
            "the last response plus the order",
            "sigma.scalar",
            proof=proof[:-32] + lifted(proof[-32:]),
        ),
        make("another challenge", "sigma.equation", proof=flipped(proof, 8 * offset)),
        make("another response", "sigma.equation", proof=flipped(proof, 8 * len(proof) - 256)),
    ]


# --- relations -------------------------------------------------------------------------------


def described(relation: Relation) -> Any:
    """Return a statement as JSON: rows of (point, weight) and (index, point, weight)."""
    if not isinstance(relation, LinearRelation):
        name = "and" if isinstance(relation, And) else "or"
        return {name: [described(child) for child in relation.children]}
    points = relation.elements
    return [
        {
            "image": [[points[e].hex(), str(weight)] for e, weight in row.image],
            "terms": [[index, points[e].hex(), str(weight)] for index, e, weight in row.terms],
        }
        for row in relation.equations
    ]


def _dlog(point: Point, base: Point = G) -> LinearRelation:
    return linear_relation(edwards25519, [([(point, 1)], [(0, base, 1)])])


def sigma() -> Json:
    one, two, three = KEYS
    weighted = linear_relation(
        edwards25519,
        [
            ([(one, 2), (two, -3), (G, 5)], [(0, G, 2), (1, G, -3), (2, G, 1)]),
            ([(two, 1)], [(1, G, 1)]),
        ],
    )
    either = Or((_dlog(one), _dlog(SECOND_BASE), _dlog(three)))
    good: list[tuple[str, Relation, Witness]] = [
        ("one row", _dlog(one), (SECRETS[0],)),
        ("weights", weighted, (SECRETS[0], SECRETS[1], edwards25519.scalar(5))),
        ("and", And((_dlog(one), _dlog(two))), Each(((SECRETS[0],), (SECRETS[1],)))),
        ("or, the first", either, Chosen(0, (SECRETS[0],))),
        ("or, the last", either, Chosen(2, (SECRETS[2],))),
        (
            "or within and within or",
            Or((And((either, _dlog(two))), _dlog(SECOND_BASE, one))),
            Chosen(0, Each((Chosen(2, (SECRETS[2],)), (SECRETS[1],)))),
        ),
        ("an or of one", Or((_dlog(one),)), Chosen(0, (SECRETS[0],))),
        ("the image names G", _dlog(G, one), (edwards25519.scalar_invert(SECRETS[0]),)),
    ]
    cases = []
    for name, relation, witness in good:
        cases += _proved(name, relation, witness)
    return {"cases": [*cases, *_bad_instances()]}


def _proved(name: str, relation: Relation, witness: Witness) -> list[Json]:
    entropy, tag = Remembered(f"vectors, sigma {name}"), tag_for("sigma")
    proof = prove(relation, witness, tag, entropy)

    def make(what: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"statement": serialize_statement(relation), "proof": proof, "tag": tag}
        return case(f"{name}: {what}", error, relation=described(relation), **inputs | changed)

    good = make("good", None)
    good |= {"fresh": entropy.last.hex(), "witness": _flat(witness)}
    return [
        good,
        *_broken(proof, make),
        make("another tag", "sigma.equation", tag=tag_for("sigma", 1)),
    ]


def _flat(witness: Witness) -> Any:
    if isinstance(witness, Each):
        return {"each": [_flat(inner) for inner in witness.witnesses]}
    if isinstance(witness, Chosen):
        return {"chosen": witness.index, "witness": _flat(witness.witness)}
    return shown(witness)


def _bad_instances() -> list[Json]:
    """Statements and strings that fail for what they say, whatever the challenge."""
    one, two, _ = KEYS
    identity, zero = edwards25519.identity, bytes(32)
    minus = edwards25519.sub(identity, one)
    relations = {
        "an element is the identity": linear_relation(
            edwards25519, [([(one, 1)], [(0, G, 1), (0, identity, 1)])]
        ),
        "an image is the identity": linear_relation(
            edwards25519, [([(one, 1), (minus, 1)], [(0, G, 1)])]
        ),
        "a commitment is the identity": _dlog(one),
        "a scalar is free": linear_relation(
            edwards25519, [([(two, 1)], [(0, G, 1), (1, one, 1), (1, minus, 1)])]
        ),
    }
    return [
        case(
            name,
            "sigma.instance" if name == "a scalar is free" else "sigma.identity",
            relation=described(relation),
            statement=serialize_statement(relation),
            proof=zero * (1 + relation.scalar_count),
            tag=tag_for("sigma"),
        )
        for name, relation in relations.items()
    ]


# --- keys and shares -------------------------------------------------------------------------


def keys() -> Json:
    tag, entropy = tag_for("open.key"), Remembered("vectors, keys")
    proof = prove_key(SECRETS[0], tag, entropy)

    def make(name: str, error: str | None, **changed: Any) -> Json:
        return case(name, error, **{"key": KEYS[0], "proof": proof, "tag": tag} | changed)

    good = make("good", None) | {"secret": SECRETS[0].hex(), "fresh": entropy.last.hex()}
    zero, order = bytes(32), edwards25519.order.to_bytes(32, "little")
    negative = edwards25519.sub(edwards25519.identity, KEYS[0])
    return {
        "proofs": [
            good,
            *_broken(proof, make),
            make("of another key", "sigma.equation", key=KEYS[1]),
            make("of another seat", "sigma.equation", tag=tag_for("open.key", seat=1)),
            make("all zeros: the commitment is O", "sigma.identity", proof=zero * 2),
        ],
        "secrets": [
            case("good", secret=SECRETS[0], key=KEYS[0]),
            case("of another key", "key.secret", secret=SECRETS[1], key=KEYS[0]),
            case("zero", "key.zero", secret=zero, key=KEYS[0]),
            case("not reduced", "scalar.range", secret=order, key=KEYS[0]),
            case("a byte short", "scalar.length", secret=SECRETS[0][:31], key=KEYS[0]),
        ],
        "joint": [
            case("of three", keys=KEYS, joint=combine_keys(KEYS)),
            case("they cancel out", "key.identity", keys=(KEYS[0], negative)),
        ],
    }


def _tiles(codes: Sequence[int], key: Point, seed: str) -> tuple[Ciphertext, ...]:
    entropy = seeded(f"vectors, {seed}")
    return tuple(masked(code, key, entropy) for code in codes)


def _listed(tiles: Sequence[Ciphertext]) -> list[bytes]:
    return [tile.a + tile.b for tile in tiles]


def shares() -> Json:
    joint, tag = combine_keys(KEYS[:2]), tag_for("shares")
    tiles = _tiles((5, 9, 101), joint, "shares")
    given = make_shares(SECRETS[0], tiles)
    proof = prove_shares(SECRETS[0], tiles, given, tag, seeded("vectors, shares"))
    others = make_shares(SECRETS[1], tiles)

    def make(name: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"key": KEYS[0], "tiles": _listed(tiles), "shares": given}
        return case(name, error, **inputs | {"proof": proof, "tag": tag} | changed)

    stripped = [strip(tile, [share]) for tile, share in zip(tiles, given, strict=True)]
    opened = [
        case("opened", tile=_listed([tile])[0], share=share, codes=(5, 9, 101), code=code)
        for tile, share, code in zip(stripped, others, (5, 9, 101), strict=True)
    ]
    strange: Json = {"tile": _listed(stripped)[0], "share": others[0], "codes": (9, 101)}
    return {
        "proofs": [
            make("good", None),
            *_broken(proof, make),
            make("of another key", "sigma.equation", key=KEYS[1]),
            make("one share of another key", "sigma.equation", shares=(*given[:2], others[2])),
            make("two shares swapped", "sigma.equation", shares=(given[1], given[0], given[2])),
            make("of other tiles", "sigma.equation", tiles=_listed(tiles[::-1])),
        ],
        "stripped": [
            {"tile": (t.a + t.b).hex(), "shares": [d.hex()], "stripped": (s.a + s.b).hex()}
            for t, d, s in zip(tiles, given, stripped, strict=True)
        ],
        "openings": [*opened, case("none of the codes", "open.code", **strange)],
    }


# --- shuffle ---------------------------------------------------------------------------------


def shuffles() -> Json:
    joint = combine_keys(KEYS)
    cases = [case_ for count in (1, 2, 13) for case_ in _shuffled(joint, count, again=False)[:1]]
    return {
        "cases": [*cases, *_shuffled(joint, 3, again=True), *_shuffled(joint, 28, again=True)[:1]]
    }


def _shuffled(joint: Point, count: int, *, again: bool) -> list[Json]:
    entropy, tag = seeded(f"vectors, shuffle {count}"), tag_for("shuffle", 1)
    deck = start_deck(range(1, count + 1), joint)
    if again:
        deck = shuffle_deck(deck, joint, entropy)[0].deck
    shuffled, witness = shuffle_deck(deck, joint, entropy)
    proof = prove_shuffle(joint, deck, shuffled, witness, tag, entropy)

    def make(name: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"key": joint, "deck": _listed(deck), "shuffled": _listed(shuffled.deck)}
        inputs |= {"commitments": shuffled.commitments, "proof": proof, "tag": tag}
        return case(f"{count} tiles: {name}", error, **inputs | changed)

    if count == 1:
        return [make("good", None)]
    after = _listed(shuffled.deck)
    stacked = [encode_deck([shuffled.deck[0]])] * count
    return [
        make("good", None),
        *_broken(proof, make, 32 * count),
        make("no chain", "point.length", proof=proof[: 32 * count - 1]),
        make("a chain through O", "point.identity", proof=edwards25519.identity + proof[32:]),
        make("a chain off the curve", "point.encoding", proof=b"\2" + bytes(31) + proof[32:]),
        make("a tile less", "shuffle.count", shuffled=after[:-1]),
        make("a commitment less", "shuffle.count", commitments=shuffled.commitments[:-1]),
        make("one tile again and again", "sigma.equation", shuffled=stacked),
        make("two tiles swapped", "sigma.equation", shuffled=[after[1], after[0], *after[2:]]),
        make("another deck before", "sigma.equation", deck=_listed(deck[::-1])),
        make("under another key", "sigma.equation", key=KEYS[0]),
        make("commitments swapped", "sigma.equation", commitments=shuffled.commitments[::-1]),
        make("another tag", "sigma.equation", tag=tag_for("shuffle", 0)),
    ]


# --- miss, values, order ---------------------------------------------------------------------


def miss() -> Json:
    (tile,), tag = _tiles((12,), KEYS[0], "miss"), tag_for("answer.miss")
    proof = prove_miss(SECRETS[0], tile, 12, 7, tag, seeded("vectors, miss"))
    lie = prove_miss(SECRETS[0], tile, 11, 12, tag, seeded("vectors, lie"))
    shifted = replace(tile, b=edwards25519.add(tile.b, SECOND_BASE))

    def make(name: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"key": KEYS[0], "tile": tile.a + tile.b, "guess": 7}
        return case(name, error, **inputs | {"proof": proof, "tag": tag} | changed)

    first = prove_miss(SECRETS[0], tile, 12, 1, tag, seeded("vectors, miss of 1"))
    joker = prove_miss(SECRETS[0], tile, 12, 101, tag, seeded("vectors, miss of a joker"))
    return {
        "cases": [
            make("good", None),
            make("good, of code 1", None, guess=1, proof=first),
            make("good, of a joker", None, guess=101, proof=joker),
            *_broken(proof, make),
            make("the guess is right", "sigma.equation", guess=12, proof=lie),
            make("of another guess", "sigma.equation", guess=8),
            make("moved by one", "sigma.equation", guess=8, tile=shifted.a + shifted.b),
            make("of another key", "sigma.equation", key=KEYS[1]),
        ]
    }


def values() -> Json:
    codes, tag = (3, 8, 101), tag_for("arrange.value")
    tiles = _tiles(codes, KEYS[0], "values")
    committed, openings = commit_values(codes, seeded("vectors, values"))
    entropy = seeded("vectors, values proved")
    proof = prove_values(SECRETS[0], tiles, committed, openings, tag, entropy)

    def make(name: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"key": KEYS[0], "tiles": _listed(tiles), "values": committed}
        return case(name, error, **inputs | {"proof": proof, "tag": tag} | changed)

    swapped = (committed[1], committed[0], committed[2])
    one = prove_values(SECRETS[0], tiles[:1], committed[:1], openings[:1], tag, entropy)
    return {
        "cases": [
            make("good", None),
            make("good, one tile", None, tiles=_listed(tiles[:1]), values=committed[:1], proof=one),
            *_broken(proof, make),
            make("values swapped", "sigma.equation", values=swapped),
            make("of another key", "sigma.equation", key=KEYS[1]),
            make("B as its own value", "sigma.identity", values=(tiles[0].b, *committed[1:])),
        ]
    }


def order() -> Json:
    return {
        "cases": [
            *_ordered("hidden, no jokers in the game", "1 9 12", (), (0, 1))[:1],
            *_ordered("a tile between an open one and a hidden one", "(3) 9 12 20", (), (0, 1)),
            *_ordered("jokers, open backs", "1 J 5 (9)", (BLACK,), (0, 1, 2)),
            *_ordered("jokers, hidden backs", "J W 5 (6) (7) 26", (BLACK, WHITE), tuple(range(5)))[
                :1
            ],
            *_ordered("one hidden tile that may be a joker", "4", (BLACK,), ())[:1],
            case("open tiles in order", row=[{"open": 3}, {"open": 4}], **_nothing()),
            case(
                "open tiles that are not",
                "order.open",
                row=[{"open": 4}, {"open": 3}],
                **_nothing(),
            ),
            case(
                "a proof where none is due",
                "sigma.length",
                row=[{"open": 3}, {"open": 4}],
                **_nothing() | {"proof": bytes(32)},
            ),
        ]
    }


def _nothing() -> Json:
    return {"gaps": [0], "keys": [], "digits": [], "proof": b"", "tag": tag_for("place.order")}


def _entries(
    text: str, jokers: tuple[int, ...], seed: str
) -> tuple[list[Entry], dict[int, ValueOpening]]:
    """Read ``"7"`` as hidden, ``"(7)"`` as open, ``"J"`` and ``"W"`` as hidden jokers."""
    entries: list[Entry] = []
    openings: dict[int, ValueOpening] = {}
    entropy = seeded(f"vectors, row {seed}")
    for place, word in enumerate(text.split()):
        if word.startswith("("):
            entries.append(OpenEntry(int(word[1:-1])))
            continue
        code = {"J": BLACK, "W": WHITE}.get(word) or int(word)
        (value,), (openings[place],) = commit_values([code], entropy)
        entries.append(HiddenEntry(value, jokers))
    return entries, openings


def row_shown(row: Sequence[Entry]) -> list[Json]:
    return [
        {"open": entry.code}
        if isinstance(entry, OpenEntry)
        else {"hidden": entry.value.hex(), "jokers": list(entry.jokers)}
        for entry in row
    ]


def _ordered(name: str, text: str, jokers: tuple[int, ...], gaps: tuple[int, ...]) -> list[Json]:
    row, openings = _entries(text, jokers, name)
    entropy, tag = seeded(f"vectors, order {name}"), tag_for("stop.order")
    fields, witness = commit_order(row, openings, gaps, entropy)
    proof = prove_order(row, fields, witness, tag, entropy)

    def make(what: str, error: str | None, **changed: Any) -> Json:
        inputs: Json = {"row": row_shown(row), "gaps": gaps, "keys": fields.keys}
        inputs |= {"digits": fields.digits, "proof": proof, "tag": tag}
        return case(f"{name}: {what}", error, **inputs | changed)

    cases = [make("good", None), *_broken(proof, make)]
    cases += [
        make("a digit less", "order.count", digits=fields.digits[:-1]),
        make("a sort key more", "order.count", keys=(*fields.keys, KEYS[0])),
        make("digits swapped", "sigma.equation", digits=fields.digits[::-1]),
        make("another value", "sigma.equation", row=row_shown(_with_value(row, KEYS[1]))),
        make("another tag", "sigma.equation", tag=tag_for("place.order")),
    ]
    if fields.keys:
        first = next(entry for entry in row if isinstance(entry, HiddenEntry))
        same = (first.value, *fields.keys[1:])
        cases.append(make("a value as its own sort key", "sigma.identity", keys=same))
    return cases


def _with_value(row: Sequence[Entry], value: Point) -> list[Entry]:
    """Return the row with another value commitment in its first hidden place."""
    at = next(k for k, entry in enumerate(row) if isinstance(entry, HiddenEntry))
    jokers = next(entry.jokers for entry in row if isinstance(entry, HiddenEntry))
    return [*row[:at], HiddenEntry(value, jokers), *row[at + 1 :]]
