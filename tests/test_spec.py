"""The protocol's two texts and the code say the same: sections, errors, tables, lists, costs.

``SPEC.md`` holds what a verifier needs, ``PEER.md`` what a program at the table needs besides.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from p2p_davinci.app import together
from p2p_davinci.app.findings import examine, finding_record
from p2p_davinci.rules.illegal import REASONS
from p2p_davinci.rules.options import FORMS
from p2p_davinci.session import hearing
from p2p_davinci.session.allowance import AGAIN, OWN_REMARKS, REMARKS
from p2p_davinci.session.audit import NOTE_BYTES_MAX
from p2p_davinci.session.flow import KINDS, THINKING
from p2p_davinci.session.remarks import SAY_BYTES_MAX
from p2p_davinci.session.secrets import KINDS as SECRETS_KINDS
from protocol.chain import EVIDENCE_MAGIC
from protocol.codec import ARRAY_ITEMS_MAX, FRAME_BYTES_MAX, PROTOCOL_VERSION
from protocol.elgamal import make_shares, prove_key, prove_shares, verify_key, verify_shares
from protocol.envelope import BACKING_ITEMS_MAX, ENVELOPE_BYTES_MAX
from protocol.group import PERMUTATION_BASES, derive_generator, edwards25519
from protocol.log import DATA_BYTES_MAX, HEADER, LOG_KINDS
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
from tests.support import worked_example
from tests.support.crypto import TAG, counted, masked, multiplications, seeded
from tests.support.vector_cases import KEYS, SECRETS

ROOT = Path(__file__).parent.parent
TEXTS = {name: (ROOT / "protocol" / f"{name}.md").read_text("utf-8") for name in ("SPEC", "PEER")}
SPEC, PEER = TEXTS["SPEC"], TEXTS["PEER"]
BOTH = SPEC + PEER
LINES_MAX = 900
"""A verifier's author reads SPEC in an hour."""
VECTORS = ROOT / "protocol" / "vectors"
PARTS = ("protocol", "p2p_davinci/session")


def flat(text: str) -> str:
    return " ".join(text.split())


@cache
def sections(name: str = "SPEC") -> dict[str, str]:
    """Title (small letters, without its number) to text, of every section and subsection."""
    pieces = re.split(r"^#{1,3} (?:\d+\. )?(.+)$", TEXTS[name], flags=re.MULTILINE)
    return dict(zip(map(str.lower, pieces[1::2]), pieces[2::2], strict=True))


@cache
def docstring(path: str) -> str:
    return flat(ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8"))) or "")


def modules(part: str) -> list[str]:
    names = sorted(path.name for path in (ROOT / part).glob("*.py"))
    return [f"{part}/{name}" for name in names if name != "__init__.py"]


Title = tuple[str, str]
"""A text's name, and a section's title in small letters."""


def named_sections(path: str) -> list[Title]:
    """The sections that a module's docstring names: ``(SPEC, one; another; PEER, a third)``."""
    named = []
    for group in re.findall(r"\(((?:SPEC|PEER), [^)]*)\)", docstring(path)):
        text = ""
        for item in map(str.strip, group.split(";")):
            first, _, rest = item.partition(", ")
            if first in TEXTS:
                text, item = first, rest
            if not item.startswith("RFC"):
                named.append((text, item.lower()))
    return named


def implementing(text: str) -> list[str]:
    lines = re.findall(r"^\*Modules?:\* (.*)$", text, re.MULTILINE)
    return [name for line in lines for name in re.findall(r"`([^`]+\.py)`", line)]


# --- sections and modules --------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
def test_sections_are_numbered_without_a_gap_and_have_different_titles(name: str) -> None:
    numbered = re.findall(r"^## (\d+)\. (.+)$", TEXTS[name], re.MULTILINE)
    assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
    titles = re.findall(r"^#{1,3} (?:\d+\. )?(.+)$", TEXTS[name], re.MULTILINE)
    assert len({title.lower() for title in titles}) == len(titles)


def test_spec_stays_short() -> None:
    assert len(SPEC.splitlines()) <= LINES_MAX


@pytest.mark.parametrize("path", modules("protocol"))
def test_module_of_the_protocol_names_its_sections_and_they_name_it(path: str) -> None:
    named = named_sections(path)
    assert named
    for text, title in named:
        assert path in implementing(sections(text)[title])


@pytest.mark.parametrize("path", modules("p2p_davinci/session") + modules("p2p_davinci/net"))
def test_section_that_a_module_names_is_there(path: str) -> None:
    loose = re.findall(r"(?<!\()\b(SPEC|PEER), ([a-z ]+)[.;)]", docstring(path))
    # A sentence may name two: "PEER, finding and staying together".
    named = [
        (text, part)
        for text, title in loose
        for part in ([title] if title in sections(text) else title.split(" and "))
    ]
    unknown = [
        (text, title)
        for text, title in (*named_sections(path), *named)
        if title not in sections(text)
    ]
    assert unknown == []


def test_module_that_a_section_names_is_there_and_names_the_section() -> None:
    wrong = []
    for name in TEXTS:
        for title, text in sections(name).items():
            for path in implementing(text):
                knows_spec = path.startswith(PARTS)
                named = not knows_spec or (name, title) in named_sections(path)
                if not (ROOT / path).exists() or not named:
                    wrong.append(f"{name}, {title}: {path}")
    assert wrong == []


@pytest.mark.parametrize("name", TEXTS)
def test_references_to_sections_by_number_lead_somewhere(name: str) -> None:
    # "SPEC 14" is a section of the other text; lengths stand in parentheses, too: bytes (32).
    own = re.sub(r"SPEC \d+", "", TEXTS[name])
    last = int(re.findall(r"^## (\d+)\.", own, re.MULTILINE)[-1])
    referred = [int(n) for n in re.findall(r"\bsections? (\d+)", own)]
    referred += [
        int(n) for group in re.findall(r"\((\d+(?:, \d+)*)\)", own) for n in group.split(", ")
    ]
    assert {n for n in referred if n > last} <= {32, 64}


def test_references_from_peer_to_spec_lead_somewhere() -> None:
    last = int(re.findall(r"^## (\d+)\.", SPEC, re.MULTILINE)[-1])
    assert all(int(n) <= last for n in re.findall(r"SPEC (\d+)", PEER))


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
    "evidence.{field}": ("session", "seat", "step", "same", "receipt"),
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


TREE = re.compile(r"^    .* \.{3,} ([a-z.*, -]+?)(?: +P)?$", re.MULTILINE)
"""A leaf of the tree that judges an envelope."""


def names_in_texts() -> set[str]:
    leaves = [name for leaf in TREE.findall(SPEC) for name in leaf.split(", ")]
    found = [*re.findall(r"`([^`\n]+)`", BOTH), *leaves]
    return {name for name in found if NAME.fullmatch(name)}


def without_log() -> set[str]:
    """The names that SPEC marks as such that no log can bring out."""
    return set(re.findall(r"`([a-z-]+\.[a-z_]+)` †", SPEC))


MESSAGES = ("steps of a round", "turns", "the end of a round")
"""The subsections that hold one table for each message."""


def message_tables() -> list[list[list[str]]]:
    """The rows of each table of a message; its first row names it and counts fields and proofs."""
    blocks = [
        block
        for title in MESSAGES
        for block in re.findall(r"(?:^\|.*\n)+", sections()[title], re.MULTILINE)
    ]
    return [rows(block) for block in blocks]


def proof_labels() -> set[str]:
    """The labels in the tables' rows of proofs, and the role in a shuffle."""
    proofs = ("proof", "proofs")
    cells = [row[1] for table in message_tables() for row in table if row[0] in proofs]
    names = {name for cell in cells for name in ticked(cell)}
    labels = {name for name in names if NAME.fullmatch(name) or name in TAGS}
    return labels | set(re.findall(r"role\(`([a-z.]+)`\)", sections()["shuffle"]))


TAGS = frozenset({"shuffle", "shares", "opening"})
"""The labels of proofs that consist of one word."""


def test_every_name_of_an_error_or_label_in_the_sources_is_in_the_texts() -> None:
    assert names_in_sources() - names_in_texts() == set()


def test_every_name_of_an_error_or_label_in_the_texts_is_in_the_sources() -> None:
    rules = {f"rules.{reason}" for reason in REASONS}
    assert names_in_texts() - names_in_sources() - rules == set()


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
    "rules.wrong_back": "excluded by proofs",
    "rules.wrong_order": "excluded by proofs",
    "rules.tile_elsewhere": "excluded by proofs",
    "rules.tile_missed": "excluded by proofs",
}


def names_in_vectors(pattern: str = "*.json") -> set[str]:
    text = "".join(path.read_text("utf-8") for path in VECTORS.glob(pattern))
    found = re.findall(r'"(?:error|check)": "([^"]+)"', text)
    return set(found)


def test_there_is_a_broken_vector_for_every_error() -> None:
    errors = names_in_texts() - (proof_labels() - {"arrange.order"})
    assert errors - names_in_vectors() - WITHOUT_VECTOR.keys() == set()


def test_every_error_of_the_vectors_is_in_the_texts() -> None:
    assert names_in_vectors() - names_in_texts() == set()


def test_no_log_brings_out_a_name_that_is_marked_so() -> None:
    assert without_log() & names_in_vectors("logs.json") == set()
    assert without_log() <= names_in_texts()


# --- tables and lists ------------------------------------------------------------------------


def rows(text: str) -> list[list[str]]:
    """The cells of a table's rows, without head and ruler."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in cells if not set("".join(row)) <= set("-|")]


def ticked(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


def test_generators_are_listed() -> None:
    listed = json.loads((VECTORS / "generators.json").read_text("utf-8"))["generators"]
    bases = {f"H_{i}": base.hex() for i, base in enumerate(PERMUTATION_BASES, 1)}
    second = derive_generator("H").hex()
    known = {"G": edwards25519.generator.hex(), "H": second, **bases}
    assert {item["name"]: item["bytes"] for item in listed} == known
    assert f"H is `{second}`" in sections()["suite and generators"]


def test_worked_example_is_what_the_code_makes() -> None:
    assert worked_example.filled(SPEC) == SPEC


def test_words_are_listed() -> None:
    block = re.findall(r"^    (.+)$", sections("PEER")["appendix. words"], re.MULTILINE)
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
    listed = flat(sections()["log"]).split("The kinds are")[1].split("Refused")[0]
    assert set(ticked(listed)) == LOG_KINDS
    kinds = sections("PEER")["secrets file"].split("Kinds:")[1]
    assert {kind for kind in ticked(kinds) if "." not in kind} == SECRETS_KINDS


def test_message_kinds_are_listed() -> None:
    listed = [ticked(table[0][0]) for table in message_tables()]
    kinds = {kind for kinds in KINDS.values() for kind in kinds} | {"overdue"}
    assert sorted(listed) == sorted([kind] for kind in kinds)


def test_shape_of_each_message_has_its_own_name() -> None:
    heads = [table[0] for table in message_tables()]
    assert all(ticked(head[2]) == [f"{ticked(head[0])[0]}.shape"] for head in heads)


@pytest.mark.parametrize(
    ("name", "title", "number"),
    [
        ("SPEC", "encoding", FRAME_BYTES_MAX),
        ("SPEC", "encoding", ARRAY_ITEMS_MAX),
        ("SPEC", "envelopes and asides", ENVELOPE_BYTES_MAX),
        ("SPEC", "log", len(HEADER) - 1),
        ("SPEC", "log", FRAME_BYTES_MAX + 32),
        ("SPEC", "verdicts", hearing.ENVELOPE_BYTES_MAX),
        ("PEER", "evidence file", len(EVIDENCE_MAGIC)),
        *(("PEER", "limits at a table", int(most)) for most in (AGAIN.most, AGAIN.per_s)),
        *(("PEER", "limits at a table", int(most)) for most in (REMARKS.most, OWN_REMARKS.most)),
    ],
)
def test_limits_are_those_of_the_code(name: str, title: str, number: int) -> None:
    assert {str(number), f"{number:,}"} & set(re.findall(r"[\d,]*\d", sections(name)[title]))


V = PROTOCOL_VERSION


@pytest.mark.parametrize(
    ("name", "title", "words"),
    [
        ("SPEC", "envelopes and asides", f"array of at most {BACKING_ITEMS_MAX} items"),
        ("SPEC", "verdicts", f"body text of at most {SAY_BYTES_MAX} bytes"),
        ("SPEC", "verdicts", f"check and reason text of 1 to {NOTE_BYTES_MAX} bytes"),
        ("SPEC", "log", f"bytes, at most {DATA_BYTES_MAX:,}"),
        # The version.
        ("SPEC", "p2p-davinci: the protocol", f"Version {V}."),
        ("SPEC", "labels", f"`p2p-davinci/{V} `"),
        ("SPEC", "suite and generators", f"`p2p-davinci/{V}/generator/`"),
        ("SPEC", "proofs", f'"p2p-davinci" ‖ {V:02x} (1 byte)'),
        ("SPEC", "envelopes and asides", f"the first field, number {V};"),
        ("SPEC", "log", f"the version, one byte `{V:02x}`"),
        ("SPEC", "contract", f"text `p2p-davinci contract`, number {V} "),
        ("PEER", "evidence file", f"`[{V}, key, first, second]`"),
        ("PEER", "proving", f"`p2p-davinci/{V}/nonce`"),
        ("PEER", "secrets file", f"a line feed and `{V:02x}`"),
        ("PEER", "hello", f"application version (4), {V} "),
    ],
)
def test_limits_and_the_version_stand_in_the_texts(name: str, title: str, words: str) -> None:
    assert words in flat(sections(name)[title])


def test_the_texts_name_no_other_version() -> None:
    assert set(re.findall(r"p2p-davinci/(\d+)", BOTH)) == {str(V)}


def test_every_field_of_the_json_of_verify_is_named(tmp_path: Path) -> None:
    text = sections("PEER")["verdicts as json"]
    finding = finding_record(examine(str(tmp_path / "none.log")))
    assert set(finding) <= set(ticked(text))
    groups = text.partition("Behind all files")[2]
    for source in ("group_record", "_conviction_record", "_difference_record"):
        tree = ast.parse(inspect.getsource(getattr(together, source)))
        keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
        fields = {key.value for key in keys if isinstance(key, ast.Constant)} - {"record"}
        assert fields - {"file"} <= set(ticked(groups))


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
    assert [row[0] for row in rows(sections("PEER")["costs"])[1:]] == list(COSTS)


@pytest.mark.parametrize("row", rows(sections("PEER")["costs"])[1:], ids=lambda row: str(row[0]))
def test_costs_are_what_they_are_said_to_be(row: list[str]) -> None:
    name, _, proves, verifies, size = row
    for n in (2, 5):
        prove, verify = COSTS[name](n)
        with counted() as proving:
            proof = prove()
        verify(proof)
        with counted() as verifying:
            verify(proof)
        assert len(proof) == formula(size, n)
        for counts, cell in ((proving, proves), (verifying, verifies)):
            every, of_g = cell.rstrip("]").split(" [")
            found = multiplications(counts), counts["mul_base"]
            assert found == (formula(every, n), formula(of_g, n))


def test_vectors_say_which_section_they_belong_to() -> None:
    for path in VECTORS.glob("*.json"):
        named = json.loads(path.read_text("utf-8"))["spec"].lower()
        assert named in sections() or named in sections("PEER")
