"""Our own vectors: each file is made again from its seeds and compared, and each case is run.

A case says which error must come of it (``null`` for none). What runs it reads nothing but the
JSON, through the library's public functions where there is one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import pytest

from p2p_davinci.session.audit import verify_log
from p2p_davinci.session.contract import read_contract
from p2p_davinci.session.record import open_record
from protocol import (
    Aside,
    Ballot,
    Ciphertext,
    HiddenEntry,
    OpenEntry,
    OrderFields,
    Point,
    Shuffled,
    accept,
    check_ballot,
    check_double_speaking,
    check_secret,
    close,
    close_without,
    code_from_share,
    coin,
    combine_keys,
    commit,
    comparison,
    contradicts,
    count,
    decode,
    decode_deck,
    decode_points,
    decode_secret,
    dropped,
    encode,
    initial_head,
    label,
    open_step,
    proof_tag,
    read_aside,
    read_envelope,
    read_evidence,
    read_signed,
    session_id,
    strip,
    unreleased,
    verify_aside,
    verify_commitment,
    verify_key,
    verify_miss,
    verify_order,
    verify_shares,
    verify_shuffle,
    verify_signature,
    verify_values,
)
from protocol.elgamal import prove_key
from protocol.group import PERMUTATION_BASES, SECOND_BASE, edwards25519
from protocol.order import Entry
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
from protocol.sigma import prove, subtag, verify
from protocol.sponge import derive_session
from tests.support.elligator import derived
from tests.support.faults import expect_fault
from tests.support.table import each_proof_checked_once
from tests.support.vector_group import typed
from tests.support.vector_logs import steps_shown, verdict_shown
from tests.support.vectors import FOLDER, SECTIONS, text_of

Json = dict[str, Any]


def loaded(name: str) -> Json:
    content: Json = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return content


def cases(name: str, part: str = "cases") -> list[Any]:
    """The cases of a part of a file, as parameters named by what they are."""
    return [pytest.param(case, id=case["name"]) for case in loaded(name)[part]]


def raw(case: Json, key: str) -> bytes:
    return bytes.fromhex(case[key])


def outcome(case: Json) -> AbstractContextManager[None]:
    return nullcontext() if case["error"] is None else expect_fault(case["error"])


def points_of(texts: Sequence[str]) -> tuple[Point, ...]:
    blob = bytes.fromhex("".join(texts))
    return decode_points(blob, len(texts))


def tiles_of(texts: Sequence[str]) -> tuple[Ciphertext, ...]:
    return decode_deck(bytes.fromhex("".join(texts)), len(texts))


def key_of(case: Json) -> Point:
    return points_of([case["key"]])[0]


# --- the files as a whole --------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name == "logs" else []) for name in SECTIONS],
)
def test_file_is_what_its_seeds_make(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text("utf-8") == text_of(name)


def test_folder_holds_no_other_files_of_ours() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(SECTIONS)


def test_files_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json")) < 2_500_000


# --- group and encoding ----------------------------------------------------------------------


def test_generators_are_those_of_the_suite() -> None:
    named = {one["name"]: one["bytes"] for one in loaded("generators")["generators"]}
    bases = {f"H_{i}": base for i, base in enumerate(PERMUTATION_BASES, 1)}
    ours = {"G": edwards25519.generator, "H": SECOND_BASE, **bases}
    assert named == {name: point.hex() for name, point in ours.items()}


def test_generators_follow_from_their_names_by_plain_integers() -> None:
    for one in loaded("generators")["generators"][1:]:
        assert derived(one["name"]).hex() == one["bytes"]


@pytest.mark.parametrize("case", cases("points", "points"))
def test_point(case: Json) -> None:
    with outcome(case):
        assert edwards25519.decode(raw(case, "bytes")) == raw(case, "bytes")


@pytest.mark.parametrize("case", cases("points", "scalars"))
def test_scalar(case: Json) -> None:
    with outcome(case):
        assert edwards25519.decode_scalar(raw(case, "bytes")) == raw(case, "bytes")


@pytest.mark.parametrize("case", cases("codec"))
def test_value(case: Json) -> None:
    data = raw(case, "bytes")
    with outcome(case):
        value = decode(data, bytes_max=case.get("limit", 65536))
        assert typed(value) == case["value"]
        assert encode(value) == data


def test_labels() -> None:
    for one in loaded("codec")["labels"]:
        assert label(one["name"]).hex() == one["bytes"]


@pytest.mark.parametrize("case", cases("tags"))
def test_tag(case: Json) -> None:
    tag = proof_tag(
        session=raw(case, "session"),
        head=raw(case, "head"),
        seat=case["seat"],
        label=case["label"],
        index=case["index"],
        fields=hashlib.sha256(raw(case, "fields")).digest(),
    )
    assert tag.hex() == case["tag"]
    assert derive_session(tag).hex() == case["sponge_session"]
    if case["weights_tag"]:
        assert subtag(tag, "shuffle.u").hex() == case["weights_tag"]


# --- proofs ----------------------------------------------------------------------------------


def relation_of(described: Any) -> Relation:
    if isinstance(described, list):
        return _linear(described)
    ((name, children),) = described.items()
    parts = tuple(relation_of(child) for child in children)
    return And(parts) if name == "and" else Or(parts)


def _linear(rows: Sequence[Json]) -> LinearRelation:
    def point(text: str) -> Point:
        # A statement may hold the identity, which no decoder lets through.
        return Point(bytes.fromhex(text))

    return linear_relation(
        edwards25519,
        [
            (
                [(point(p), int(weight)) for p, weight in row["image"]],
                [(index, point(p), int(weight)) for index, p, weight in row["terms"]],
            )
            for row in rows
        ],
    )


def witness_of(described: Any) -> Witness:
    if isinstance(described, list):
        return tuple(edwards25519.decode_scalar(bytes.fromhex(text)) for text in described)
    if "each" in described:
        return Each(tuple(witness_of(inner) for inner in described["each"]))
    return Chosen(described["chosen"], witness_of(described["witness"]))


@pytest.mark.parametrize("case", cases("sigma"))
def test_statement_and_its_proof(case: Json) -> None:
    relation = relation_of(case["relation"])
    assert serialize_statement(relation).hex() == case["statement"]
    with outcome(case):
        verify(relation, raw(case, "proof"), raw(case, "tag"))
    if "fresh" in case:
        fresh = raw(case, "fresh")
        proof = prove(relation, witness_of(case["witness"]), raw(case, "tag"), lambda _: fresh)
        assert proof.hex() == case["proof"]


@pytest.mark.parametrize("case", cases("keys", "proofs"))
def test_key_proof(case: Json) -> None:
    with outcome(case):
        verify_key(key_of(case), raw(case, "proof"), raw(case, "tag"))
    if "fresh" in case:
        fresh, secret = raw(case, "fresh"), decode_secret(raw(case, "secret"))
        assert prove_key(secret, raw(case, "tag"), lambda _: fresh).hex() == case["proof"]


@pytest.mark.parametrize("case", cases("keys", "secrets"))
def test_secret_given_away(case: Json) -> None:
    with outcome(case):
        check_secret(key_of(case), decode_secret(raw(case, "secret")))


@pytest.mark.parametrize("case", cases("keys", "joint"))
def test_joint_key(case: Json) -> None:
    with outcome(case):
        assert combine_keys(points_of(case["keys"])).hex() == case["joint"]


@pytest.mark.parametrize("case", cases("shares", "proofs"))
def test_shares(case: Json) -> None:
    tiles, shares = tiles_of(case["tiles"]), points_of(case["shares"])
    with outcome(case):
        verify_shares(key_of(case), tiles, shares, raw(case, "proof"), raw(case, "tag"))


def test_stripped_tiles() -> None:
    for one in loaded("shares")["stripped"]:
        (tile,) = tiles_of([one["tile"]])
        assert strip(tile, points_of(one["shares"])) == tiles_of([one["stripped"]])[0]


@pytest.mark.parametrize("case", cases("shares", "openings"))
def test_opening_of_a_tile(case: Json) -> None:
    (tile,), (share,) = tiles_of([case["tile"]]), points_of([case["share"]])
    with outcome(case):
        assert code_from_share(tile, share, case["codes"]) == case["code"]


@pytest.mark.parametrize("case", cases("shuffles"))
def test_shuffle(case: Json) -> None:
    deck = tiles_of(case["deck"])
    shuffled = Shuffled(tiles_of(case["shuffled"]), points_of(case["commitments"]))
    with outcome(case):
        verify_shuffle(key_of(case), deck, shuffled, raw(case, "proof"), raw(case, "tag"))


@pytest.mark.parametrize("case", cases("miss"))
def test_miss(case: Json) -> None:
    (tile,) = tiles_of([case["tile"]])
    with outcome(case):
        verify_miss(key_of(case), tile, case["guess"], raw(case, "proof"), raw(case, "tag"))


@pytest.mark.parametrize("case", cases("values"))
def test_values(case: Json) -> None:
    tiles, values = tiles_of(case["tiles"]), points_of(case["values"])
    with outcome(case):
        verify_values(key_of(case), tiles, values, raw(case, "proof"), raw(case, "tag"))


def entry_of(case: Json) -> Entry:
    if "open" in case:
        return OpenEntry(case["open"])
    return HiddenEntry(points_of([case["hidden"]])[0], tuple(case["jokers"]))


@pytest.mark.parametrize("case", cases("order"))
def test_order(case: Json) -> None:
    row = [entry_of(entry) for entry in case["row"]]
    fields = OrderFields(points_of(case["keys"]), points_of(case["digits"]))
    with outcome(case):
        verify_order(row, case["gaps"], fields, raw(case, "proof"), raw(case, "tag"))


# --- what is signed, chained, committed to ---------------------------------------------------


@pytest.mark.parametrize("case", cases("envelopes"))
def test_envelope(case: Json) -> None:
    with outcome(case):
        envelope = read_envelope(raw(case, "raw"))
        verify_signature(envelope, raw(case, "key"))
        assert envelope.encode() == raw(case, "raw")
        if "payload" in case:
            assert envelope.digest.hex() == case["payload"]


@pytest.mark.parametrize("case", cases("asides"))
def test_aside(case: Json) -> None:
    with outcome(case):
        aside = read_aside(raw(case, "raw"))
        verify_aside(aside, raw(case, "key"))
        assert aside.encode() == raw(case, "raw")


def test_step_takes_what_belongs_to_it_and_nothing_else() -> None:
    given = loaded("steps")
    kinds: Mapping[int, Sequence[str]] = {int(seat): k for seat, k in given["kinds"].items()}
    chain = open_step(raw(given, "session"), given["step"], raw(given, "head"), kinds)
    for case in given["envelopes"]:
        envelope = read_envelope(raw(case, "raw"))
        verify_signature(envelope, raw(given["keys"], str(envelope.payload.seat)))
        with outcome(case):
            chain = accept(chain, envelope)
    assert close(chain).hex() == given["head_after"]


@pytest.mark.parametrize("given", cases("ballots", "ballots"))
def test_ballot(given: Json) -> None:
    place = loaded("ballots")
    head = raw(place, "head")
    present, droppable = tuple(given["present"]), tuple(given["droppable"])
    ballot = Ballot(head=head, present=present, droppable=droppable)
    for case in given["asides"]:
        aside = read_aside(raw(case, "raw"))
        verify_aside(aside, raw(place["keys"], str(aside.seat)))
        with outcome(case):
            check_ballot(ballot, aside)
            ballot = count(ballot, aside)
    lost = dropped(ballot)
    assert lost == given["dropped"]
    late = [seat for seat in present if ballot.late(seat) is not None]
    awaited = {str(seat): list(unreleased(ballot, seat)) for seat in late}
    assert awaited == given["accepted_late"]
    if lost is not None:
        step = open_step(raw(place, "session"), place["step"], head, {lost: {"draw"}}).step
        assert close_without(step, lost).hex() == given["head_after"]


@pytest.mark.parametrize("case", cases("ballots", "contradictions"))
def test_contradiction(case: Json) -> None:
    first, second = read_signed(raw(case, "first")), read_signed(raw(case, "second"))
    for signed in (first, second):
        key = raw(loaded("ballots")["keys"], "0")
        if isinstance(signed, Aside):
            verify_aside(signed, key)
        else:
            verify_signature(signed, key)
    assert isinstance(first, Aside)
    found = contradicts(first, second, beyond=case["beyond"])
    assert found == (case["error"] is not None)


def test_initial_heads() -> None:
    for one in loaded("steps")["initial_heads"]:
        assert initial_head(raw(one, "contract_hash")).hex() == one["head"]


@pytest.mark.parametrize("case", cases("evidence"))
def test_evidence(case: Json) -> None:
    with outcome(case):
        found, key = read_evidence(raw(case, "raw"))
        check_double_speaking(found.first, found.second, key)


@pytest.mark.parametrize("case", cases("opening", "commitments"))
def test_commitment(case: Json) -> None:
    place = raw(case, "contract_hash"), case["seat"], raw(case, "nonce"), raw(case, "key")
    with outcome(case):
        verify_commitment(raw(case, "commitment"), *place)
        assert commit(*place).hex() == case["commitment"]


def test_session_coins_and_comparison() -> None:
    given = loaded("opening")
    session = given["session"]
    nonces, keys = [[bytes.fromhex(t) for t in session[name]] for name in ("nonces", "keys")]
    assert session_id(raw(session, "contract_hash"), nonces, keys).hex() == session["session"]
    for one in given["coins"]:
        assert coin([bytes.fromhex(text) for text in one["nonces"]], one["sides"]) == one["coin"]
    for one in given["comparisons"]:
        words, digits = comparison(raw(one, "session"))
        assert (list(words), digits) == (one["words"], one["digits"])


@pytest.mark.parametrize("case", cases("contracts"))
def test_contract(case: Json) -> None:
    with outcome(case):
        contract = read_contract(raw(case, "raw"))
        assert contract.encode() == raw(case, "raw")
        assert contract.hash.hex() == case["hash"]


# --- logs ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proofs_once() -> Iterator[None]:
    """The logs made of one game repeat its beginning: its proofs are checked once."""
    with each_proof_checked_once():
        yield


@cache
def games() -> Mapping[str, bytes]:
    return {game["name"]: base64.b64decode(game["log"]) for game in loaded("logs")["games"]}


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("logs", "games"))
def test_game(case: Json) -> None:
    """No proof is skipped here."""
    verdict = verify_log(games()[case["name"]])
    assert verdict_shown(verdict) == case["verdict"]
    assert steps_shown(verdict) == case["steps"]
    if case["record"] is not None:
        assert json.loads(json.dumps(open_record(verdict.rounds))) == case["record"]


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("logs", "changed"))
def test_log_made_of_a_game(case: Json, proofs_once: None) -> None:
    game = games()[case["of"]]
    rest = b"" if case["resume"] is None else game[case["resume"] :]
    log = game[: case["keep"]] + base64.b64decode(case["add"]) + rest
    with outcome(case):
        verdict = verdict_shown(verify_log(log))
        assert {key: verdict[key] for key in case["verdict"]} == case["verdict"]
