"""SPEC.md and the code say the same: sections and modules, errors, tables, lists, costs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from p2p_davinci.rules.illegal import REASONS
from p2p_davinci.rules.options import FORMS
from p2p_davinci.session import hearing
from p2p_davinci.session.allowance import AGAIN, OWN_REMARKS, REMARKS
from p2p_davinci.session.flow import KINDS, THINKING
from p2p_davinci.session.secrets import KINDS as SECRETS_KINDS
from protocol.chain import EVIDENCE_MAGIC
from protocol.codec import ARRAY_ITEMS_MAX, FRAME_BYTES_MAX
from protocol.elgamal import make_shares, prove_key, prove_shares, verify_key, verify_shares
from protocol.envelope import ENVELOPE_BYTES_MAX
from protocol.group import BLINDING_BASE, PERMUTATION_BASES, edwards25519
from protocol.log import HEADER, LOG_KINDS
from protocol.miss import prove_miss, verify_miss
from protocol.order import (
    HiddenEntry,
    OpenEntry,
    commit_order,
    commit_values,
    prove_order,
    prove_values,
    verify_order,
    verify_values,
)
from protocol.shuffle import prove_shuffle, shuffle_deck, verify_shuffle
from protocol.words import WORDS
from tests.support.crypto import TAG, counted, masked, multiplications, seeded
from tests.support.vector_cases import KEYS, SECRETS

ROOT = Path(__file__).parent.parent
SPEC = (ROOT / "protocol" / "SPEC.md").read_text("utf-8")
VECTORS = ROOT / "protocol" / "vectors"
PARTS = ("protocol", "p2p_davinci/session")


def flat(text: str) -> str:
    return " ".join(text.split())


@cache
def sections() -> dict[str, str]:
    """Title (small letters, without its number) to text, of every section and subsection."""
    pieces = re.split(r"^#{1,3} (?:\d+\. )?(.+)$", SPEC, flags=re.MULTILINE)
    return dict(zip(map(str.lower, pieces[1::2]), pieces[2::2], strict=True))


@cache
def docstring(path: str) -> str:
    return flat(ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8"))) or "")


def modules(part: str) -> list[str]:
    names = sorted(path.name for path in (ROOT / part).glob("*.py"))
    return [f"{part}/{name}" for name in names if name != "__init__.py"]


def named_sections(path: str) -> list[str]:
    """The titles that a module's docstring names: ``(SPEC, one; another)``."""
    found = re.findall(r"\(SPEC, ([^)]*)\)", docstring(path))
    titles = [title.strip().lower() for group in found for title in group.split(";")]
    return [title for title in titles if not title.startswith("rfc")]


def implementing(text: str) -> list[str]:
    lines = re.findall(r"^\*Modules?:\* (.*)$", text, re.MULTILINE)
    return [name for line in lines for name in re.findall(r"`([^`]+\.py)`", line)]


# --- sections and modules --------------------------------------------------------------------


def test_sections_are_numbered_without_a_gap_and_have_different_titles() -> None:
    numbered = re.findall(r"^## (\d+)\. (.+)$", SPEC, re.MULTILINE)
    assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
    titles = re.findall(r"^#{1,3} (?:\d+\. )?(.+)$", SPEC, re.MULTILINE)
    assert len({title.lower() for title in titles}) == len(titles)


@pytest.mark.parametrize("path", modules("protocol"))
def test_module_of_the_protocol_names_its_sections_and_they_name_it(path: str) -> None:
    named = named_sections(path)
    assert named
    for title in named:
        assert path in implementing(sections()[title])


@pytest.mark.parametrize("path", modules("p2p_davinci/session") + modules("p2p_davinci/net"))
def test_section_that_a_module_names_is_there(path: str) -> None:
    named = [*named_sections(path), *re.findall(r"\bSPEC, ([a-z ]+)[.;)]", docstring(path))]
    unknown = [title for title in named if title not in sections()]
    # A sentence may name two: "SPEC, finding and staying together".
    assert [t for title in unknown for t in title.split(" and ") if t not in sections()] == []


def test_module_that_a_section_names_is_there_and_names_the_section() -> None:
    wrong = []
    for title, text in sections().items():
        for path in implementing(text):
            knows_spec = path.startswith(PARTS)
            if not (ROOT / path).exists() or (knows_spec and title not in named_sections(path)):
                wrong.append(f"{title}: {path}")
    assert wrong == []


def test_references_to_sections_by_number_lead_somewhere() -> None:
    last = int(re.findall(r"^## (\d+)\.", SPEC, re.MULTILINE)[-1])
    referred = [int(n) for n in re.findall(r"\bsections? (\d+)", SPEC)]
    referred += [
        int(n) for group in re.findall(r"\((\d+(?:, \d+)*)\)", SPEC) for n in group.split(", ")
    ]
    # Lengths stand in parentheses, too: bytes (32), array (2).
    assert {n for n in referred if n > last} <= {32, 64}


# --- names of errors -------------------------------------------------------------------------

NAME = re.compile(r"[a-z-]+\.[a-z_]+")
OURS_ALONE = (
    *("refused.", "halted.", "illegal.", "lobby."),
    *("aside.say", "rules.drawn_unwanted"),
)
"""Not errors of this text: what a player is told, the lobby; what never leaves its function, and
what guards a state that no phase allows."""
MADE_UP = {
    "{what}": ("envelope", "aside"),
    "evidence.{field}": ("session", "seat", "step", "same"),
}


def constants(part: str) -> Iterator[str]:
    for path in modules(part):
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if NAME.fullmatch(node.value):
                    yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield from expanded(ast.unparse(node))


def expanded(text: str) -> Iterator[str]:
    """The names that an f-string of the sources stands for."""
    inner = text[2:-1]
    if inner == "evidence.{field}":
        yield from (f"evidence.{field}" for field in MADE_UP[inner])
    elif inner == "{what}.{number_name}":
        yield from ("envelope.step", "aside.counter")
    elif inner.startswith("{what}."):
        yield from (inner.replace("{what}", what) for what in MADE_UP["{what}"])


def names_in_sources() -> set[str]:
    found = {name for part in PARTS for name in constants(part)}
    return {name for name in found if not name.startswith(OURS_ALONE)}


def names_in_spec() -> set[str]:
    return {name for name in re.findall(r"`([^`\n]+)`", SPEC) if NAME.fullmatch(name)}


def proof_labels() -> set[str]:
    return set(re.findall(r"`([a-z.]+)`", sections()["appendix a. proof labels"]))


def test_every_name_of_an_error_or_label_in_the_sources_is_in_spec() -> None:
    assert names_in_sources() - names_in_spec() == set()


def test_every_name_of_an_error_or_label_in_spec_is_in_the_sources() -> None:
    rules = {f"rules.{reason}" for reason in REASONS}
    assert names_in_spec() - names_in_sources() - rules == set()


def test_proof_labels_are_those_that_messages_use() -> None:
    used = set()
    for path in modules("p2p_davinci/session"):
        text = (ROOT / path).read_text("utf-8")
        used |= set(re.findall(r'\.tag\([^"()]*"([a-z.]+)"', text))
    roles = set(re.findall(r'_ROLE: Final = "([a-z.]+)"', _source("protocol/shuffle.py")))
    assert proof_labels() == used | roles


def _source(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


# What no file can show: where it would take all players' agreement, or a broken proof.
WITHOUT_VECTOR = {
    "record.replay": "what it compares was proved before",
    "wire.shape": "between peers, not in a file",
    "secrets.record": "in nobody's file but the owner's",
    "log.short": "only the owner of a damaged file finds it",
    "drop.contradiction": "in tests of the session",
    "rules.wrong_back": "excluded by proofs",
    "rules.tile_elsewhere": "excluded by proofs",
    "rules.tile_missed": "excluded by proofs",
    "open.code": "in a log; the library's own check has one",
}


def names_in_vectors() -> set[str]:
    text = "".join(path.read_text("utf-8") for path in VECTORS.glob("*.json"))
    found = re.findall(r'"(?:error|check)": "([^"]+)"', text)
    return set(found)


def test_there_is_a_broken_vector_for_every_error() -> None:
    errors = names_in_spec() - (proof_labels() - {"arrange.order"})
    assert errors - names_in_vectors() - WITHOUT_VECTOR.keys() == set()


def test_every_error_of_the_vectors_is_in_spec() -> None:
    assert names_in_vectors() - names_in_spec() == set()


# --- tables and lists ------------------------------------------------------------------------


def rows(text: str) -> list[list[str]]:
    """The cells of a table's rows, without head and ruler."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in cells if not set("".join(row)) <= set("-|")]


def ticked(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def test_generators_are_listed() -> None:
    listed = {
        ticked(name)[0]: ticked(data)[0]
        for name, data in rows(sections()["appendix b. generators"])[1:]
    }
    bases = {f"H_{i}": base.hex() for i, base in enumerate(PERMUTATION_BASES, 1)}
    assert listed == {"G": edwards25519.generator.hex(), "H": BLINDING_BASE.hex(), **bases}


def test_words_are_listed() -> None:
    block = re.findall(r"^    (.+)$", sections()["appendix c. words"], re.MULTILINE)
    assert tuple(" ".join(block).split()) == WORDS


def test_labels_are_listed() -> None:
    listed = {name for row in rows(sections()["labels"])[1:] for name in ticked(row[0])}
    used = set()
    for part in PARTS:
        for path in modules(part):
            used |= set(re.findall(r'LABEL = label\("([^"]+)"\)', _source(path)))
    assert listed == used


def test_steps_and_their_kinds_are_listed() -> None:
    listed: dict[str, set[str]] = {}
    for name, _, kinds in rows(sections()["steps"])[1:]:
        listed.setdefault(ticked(name)[0], set()).update(ticked(kinds))
    expected = {step: set(kinds) for step, kinds in KINDS.items()}
    for step in THINKING:
        expected[step].add("overdue")
    expected["shares"].add("resign")
    assert listed == expected


def test_options_are_listed_in_their_order_with_their_texts() -> None:
    listed = {
        ticked(name)[0]: ticked(values)
        for name, values in rows(sections()["tiles and options"])[1:]
    }
    assert list(listed) == list(FORMS)
    for name, form in FORMS.items():
        if name == "rounds":
            assert listed[name] == [form.choices[0], form.choices[-1]]
        elif name != "clock":
            assert listed[name] == list(form.choices)


def test_kinds_of_record_are_listed() -> None:
    log, secrets = sections()["log"].split("A file with the header `p2p-davinci secrets`")
    assert {kind for row in rows(log)[1:6] for kind in ticked(row[0])} == LOG_KINDS
    assert set(ticked(secrets.split("keeps")[0])) - {"01"} == SECRETS_KINDS


def test_message_kinds_are_listed() -> None:
    listed = {kind for row in rows(sections()["message bodies"])[1:] for kind in ticked(row[0])}
    assert listed == {kind for kinds in KINDS.values() for kind in kinds} | {"overdue"}


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("encoding", FRAME_BYTES_MAX),
        ("encoding", ARRAY_ITEMS_MAX),
        ("envelopes and asides", ENVELOPE_BYTES_MAX),
        ("evidence file", len(EVIDENCE_MAGIC)),
        ("log", len(HEADER) - 1),
        ("log", FRAME_BYTES_MAX + 32),
        ("verdicts", hearing.ENVELOPE_BYTES_MAX),
        *(("limits at a table", int(most)) for most in (AGAIN.most, AGAIN.per_s)),
        *(("limits at a table", int(most)) for most in (REMARKS.most, OWN_REMARKS.most)),
    ],
)
def test_limits_are_those_of_the_code(title: str, number: int) -> None:
    assert {str(number), f"{number:,}"} & set(re.findall(r"[\d,]*\d", sections()[title]))


# --- costs -----------------------------------------------------------------------------------

Proof = tuple[Callable[[], bytes], Callable[[bytes], None]]
SECRET, KEY = SECRETS[0], KEYS[0]


def _key(_: int) -> Proof:
    entropy = seeded("cost")
    return lambda: prove_key(SECRET, TAG, entropy), lambda proof: verify_key(KEY, proof, TAG)


def _shares(n: int) -> Proof:
    entropy = seeded("cost")
    tiles = [masked(code, KEY, entropy) for code in range(1, n + 1)]
    shares = make_shares(SECRET, tiles)
    return (
        lambda: prove_shares(SECRET, tiles, shares, TAG, entropy),
        lambda proof: verify_shares(KEY, tiles, shares, proof, TAG),
    )


def _shuffle(n: int) -> Proof:
    entropy = seeded("cost")
    deck = [masked(code, KEY, entropy) for code in range(1, n + 1)]
    shuffled, witness = shuffle_deck(deck, KEY, entropy)
    return (
        lambda: prove_shuffle(KEY, deck, shuffled, witness, TAG, entropy),
        lambda proof: verify_shuffle(KEY, deck, shuffled, proof, TAG),
    )


def _miss(_: int) -> Proof:
    entropy = seeded("cost")
    tile = masked(5, KEY, entropy)
    return (
        lambda: prove_miss(SECRET, tile, 5, 9, TAG, entropy),
        lambda proof: verify_miss(KEY, tile, 9, proof, TAG),
    )


def _values(n: int) -> Proof:
    entropy = seeded("cost")
    tiles = [masked(code, KEY, entropy) for code in range(1, n + 1)]
    values, openings = commit_values(range(1, n + 1), entropy)
    return (
        lambda: prove_values(SECRET, tiles, values, openings, TAG, entropy),
        lambda proof: verify_values(KEY, tiles, values, proof, TAG),
    )


def _order(jokers: tuple[int, ...], tiles: int) -> Proof:
    entropy = seeded("cost")
    codes = range(1, tiles + 1)
    values, openings = commit_values(codes, entropy)
    row: list[HiddenEntry | OpenEntry] = [HiddenEntry(value, jokers) for value in values]
    gaps: Sequence[int] = range(tiles - 1)
    fields, witness = commit_order(row, dict(enumerate(openings)), gaps, entropy)
    return (
        lambda: prove_order(row, fields, witness, TAG, entropy),
        lambda proof: verify_order(row, gaps, fields, proof, TAG),
    )


COSTS: dict[str, Callable[[int], Proof]] = {
    "key": _key,
    "shares": _shares,
    "shuffle": _shuffle,
    "miss": _miss,
    "values": _values,
    "order, no jokers": lambda n: _order((), n + 1),
    "order, one joker a back": lambda n: _order((101,), n),
    "order, two jokers a back": lambda n: _order((101, 102), n),
}


def formula(text: str, n: int) -> int:
    """Evaluate ``32·(3·n + 5)`` and the like."""
    code = text.replace("·", "*").replace("−", "-")
    assert re.fullmatch(r"[\dn*+() -]+", code)
    return int(eval(code, {"__builtins__": {}}, {"n": n}))  # noqa: S307 - digits and signs of our own text


def test_costs_are_listed() -> None:
    assert [row[0] for row in rows(sections()["costs"])[1:]] == list(COSTS)


@pytest.mark.parametrize("row", rows(sections()["costs"])[1:], ids=lambda row: str(row[0]))
def test_costs_are_what_they_are_said_to_be(row: list[str]) -> None:
    name, _, proves, verifies, size = row
    for n in (2, 5):
        prove, verify = COSTS[name](n)
        prove()  # small multiples of G are in the table from now on
        with counted() as counts:
            proof = prove()
        proving = multiplications(counts)
        verify(proof)
        with counted() as counts:
            verify(proof)
        found = (proving, multiplications(counts), len(proof))
        assert found == tuple(formula(text, n) for text in (proves, verifies, size))


def test_vectors_say_which_section_they_belong_to() -> None:
    for path in VECTORS.glob("*.json"):
        assert json.loads(path.read_text("utf-8"))["spec"].lower() in sections()
