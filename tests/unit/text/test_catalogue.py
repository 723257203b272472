"""What must hold of every sentence, and that every reason anybody gives has one."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth

import p2p_davinci
from p2p_davinci.console.vocabulary import VERBS
from p2p_davinci.rules.illegal import REASONS
from p2p_davinci.rules.options import FORMS
from p2p_davinci.rules.state import Phase
from p2p_davinci.session.flow import KINDS
from p2p_davinci.text import LANGS, Lang, Words, catalogue, placeholders
from tests.unit.text.keys import assert_told, missing

ROOT = Path(p2p_davinci.__file__).parent.parent
ENGLISH, CHINESE = catalogue("en"), catalogue("zh")
EVERY = [(lang, key, text) for lang in LANGS for key, text in catalogue(lang).items()]


def trees(*folders: str) -> Iterator[ast.AST]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield ast.parse(path.read_text("utf-8"))


def calls(*folders: str) -> Iterator[tuple[str, ast.Call]]:
    for tree in trees(*folders):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                function = node.func
                yield getattr(function, "attr", getattr(function, "id", "")), node


# --- the sentences themselves ------------------------------------------------------------------


def test_both_languages_have_the_same_keys() -> None:
    assert set(ENGLISH) ^ set(CHINESE) == set()


def test_both_languages_have_the_same_placeholders() -> None:
    differing = [k for k in ENGLISH if placeholders(ENGLISH[k]) != placeholders(CHINESE[k])]
    assert differing == []


def test_no_character_has_a_width_that_depends_on_the_terminal() -> None:
    ambiguous = [
        (lang, key, char)
        for lang, key, text in EVERY
        for char in text
        if unicodedata.east_asian_width(char) == "A"
    ]
    assert ambiguous == []


def test_characters_are_plain_latin_or_chinese_letters_and_their_punctuation() -> None:
    odd = [
        (lang, key, char)
        for lang, key, text in EVERY
        for char in text
        if not (char == "\n" or " " <= char <= "~" or unicodedata.east_asian_width(char) in "WF")
    ]
    assert odd == []
    assert [key for key, text in ENGLISH.items() if not text.isascii()] == []


def test_no_emoji_and_no_curly_quotes() -> None:
    symbols = [
        (key, char) for _, key, t in EVERY for char in t if unicodedata.category(char) == "So"
    ]
    assert symbols == []
    assert [key for _, key, text in EVERY if re.search("[\u2018-\u201f\u2026]", text)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_help_on_a_command_begins_with_it_in_the_language_that_is_spoken(lang: Lang) -> None:
    foreign = [
        verb
        for verb, words in VERBS.items()
        if verb != "guess"
        and not any(
            catalogue(lang)[f"help.{verb}"].startswith(word)
            for word in words
            if word.isascii() is (lang == "en")
        )
    ]
    assert foreign == []


def test_chinese_sentences_are_chinese() -> None:
    sentences = [key for key, text in ENGLISH.items() if text.endswith(".") and " " in text]
    untranslated = [key for key in sentences if not re.search("[\u4e00-\u9fff]", CHINESE[key])]
    assert untranslated == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_that_is_told_spans_lines_but_the_help_pages(lang: Lang) -> None:
    paged = {key.partition(".")[0] for key, text in catalogue(lang).items() if "\n" in text}
    assert paged <= {"help", "cli"}


WIDEST = {
    "name": "\u724c" * 8 + " (2)",
    "names": "\u724c" * 15,
    "place": "4.14",
    "missing": "3",
    "silent": "99999",
    "left": "60",
    "forms": "2.3 = b7, stop 1-14, resign, help",
    "words": "",
}
"""The widest that may stand for a placeholder of a line of the screen."""


def test_lines_of_the_screen_take_at_most_79_cells() -> None:
    for lang in LANGS:
        words = Words(lang)
        spoken = [text for key, text in catalogue(lang).items() if key.startswith("step.")]
        joker = words.tell("joker.white")
        values = {**WIDEST, "step": max(spoken, key=get_cwidth), "call": joker}
        wide = [
            (lang, key)
            for key in catalogue(lang)
            if key.startswith("status.") and get_cwidth(words.tell(key, **values)) > 79
        ]
        assert wide == []
        assert get_cwidth(words.tell("screen.keys")) <= 79


# --- every key that somebody needs -------------------------------------------------------------


def named_keys() -> Iterator[str]:
    """Yield the keys that the console's calls name; a prefix of one ends with a star."""
    for function, call in calls("p2p_davinci/console", "p2p_davinci/app"):
        if function not in {"tell", "refuse", "points_line"}:
            continue
        for argument in call.args[:2]:
            match argument:
                case ast.Constant(value=str(key)):
                    yield key
                case ast.JoinedStr(values=[ast.Constant(value=str(prefix)), *_]):
                    yield f"{prefix}*"
                case ast.IfExp(
                    body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(two))
                ):
                    yield from (one, two)


def is_there(key: str) -> bool:
    if key.endswith("*"):
        return any(known.startswith(key[:-1]) for known in ENGLISH)
    return key in ENGLISH or f"{key}.other" in ENGLISH


def test_every_key_that_the_console_names_is_there() -> None:
    named = list(named_keys())
    assert len(named) > 100
    assert [key for key in named if not is_there(key)] == []


def test_every_sentence_to_oneself_has_its_twin_about_others() -> None:
    lonely = [k for k in ENGLISH if k.endswith(".you") and f"{k[:-4]}.other" not in ENGLISH]
    assert lonely == []


def test_every_reason_of_the_rules_has_a_sentence() -> None:
    assert_told("illegal", REASONS)


def test_sentences_about_moves_need_no_more_than_the_rules_tell() -> None:
    derived = {"seat": "name", "deck": "colour"}
    short = {
        reason: placeholders(ENGLISH[f"illegal.{reason}"]) - {*given, *map(derived.get, given)}
        for reason, given in REASONS.items()
    }
    assert {reason: needs for reason, needs in short.items() if needs} == {}


def test_every_reason_against_an_option_has_a_sentence() -> None:
    raised = {
        argument.value
        for function, call in calls("p2p_davinci/rules")
        if function == "BadOption"
        for argument in call.args[:1]
        if isinstance(argument, ast.Constant)
    }
    assert len(raised) >= 7
    assert_told("option", map(str, raised))


def test_every_option_and_value_has_a_sentence() -> None:
    values = [
        f"{name}.{choice}"
        for name, form in FORMS.items()
        if name not in {"clock", "rounds"}
        for choice in form.choices
    ]
    assert_told("rule", [*values, "clock.off", "clock.on", "rounds"])


def test_every_phase_of_somebody_elses_turn_has_a_sentence() -> None:
    silent = {Phase.ANSWER, Phase.OVER}
    assert_told("turn", (f"{phase.value}.other" for phase in Phase if phase not in silent))


def test_every_command_is_explained() -> None:
    assert_told("help", VERBS)


def constants(call: ast.Call) -> Iterator[str]:
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        for node in ast.walk(argument):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_refusal_of_the_session_has_a_sentence() -> None:
    given = {
        text
        for _, call in calls("p2p_davinci/session", "p2p_davinci/app")
        for text in constants(call)
    }
    refused = {text.partition(".")[2] for text in given if re.fullmatch(r"refused\.[a-z_]+", text)}
    assert len(refused) >= 7
    assert_told("refused", refused)


def test_every_kind_of_step_has_a_name() -> None:
    assert_told("step", KINDS)


def test_every_family_of_checks_has_a_sentence() -> None:
    checks = {
        text
        for function, call in calls("protocol", "p2p_davinci/session", "p2p_davinci/app")
        if function in {"PeerFault", "Invalid"} or function.startswith(("as_", "read_"))
        for text in constants(call)
        if re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z_]+", text)
    }
    families = {check.partition(".")[0] for check in checks}
    assert {"sigma", "chain", "codec", "order"} <= families
    assert missing("check", families) == []


def test_every_notice_and_farewell_of_the_lobby_has_a_sentence() -> None:
    notices: set[str] = set()
    closed: set[str] = set()
    for function, call in calls("p2p_davinci/session"):
        texts = [text for text in constants(call) if re.fullmatch("[a-z_.]+", text)]
        if function == "Notice":
            notices.update(text for text in texts if not text.endswith("."))
        if function == "Closed":
            closed.update(texts)
    assert {"lobby.wait"} <= notices
    assert [key for key in notices if key not in ENGLISH] == []
    assert "left" in closed
    assert_told("closed", closed | {"full", "declined", "playing", "other"})


def reasons_given(module: str, *functions: str) -> set[str]:
    return {
        text
        for function, call in calls(f"p2p_davinci/{module}")
        if function in functions
        for text in list(constants(call))[:1]
        if re.fullmatch("[a-z_-]+", text)
    }


@pytest.mark.parametrize(
    ("room", "topic", "raised_by", "some"),
    [
        ("net", "dial", "DialError", {"refused", "version"}),
        ("net", "dial", "LinkError", {"fault", "version"}),
        ("net", "manual", "ManualMode", {"no-interface", "port-taken"}),
        ("storage", "identity", "IdentityError", {"damaged", "in-use"}),
    ],
)
def test_every_reason_of_the_network_and_of_identities_has_a_sentence(
    room: str, topic: str, raised_by: str, some: set[str]
) -> None:
    given = reasons_given(room, raised_by)
    assert some <= given
    assert_told(topic, given)


def test_every_end_of_a_link_has_a_sentence() -> None:
    assert_told("down", ["left", "silent", "lost", "slow", "replaced", "forgotten", "fault"])


def test_every_reason_to_halt_has_a_sentence() -> None:
    assert_told("halted", ["silent", "left", "other"])
