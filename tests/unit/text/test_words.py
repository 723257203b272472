from __future__ import annotations

import pytest

from p2p_davinci.text import LANGS, Words, language, placeholders
from tests.unit.text.keys import assert_told, missing


def test_a_sentence_is_filled() -> None:
    assert Words("en").tell("tile.white", number=5) == "white 5"
    assert Words("zh").tell("tile.white", number=5) == "白 5"


def test_a_count_chooses_between_one_and_many() -> None:
    words = Words("en")
    assert words.tell("pile.one_deck", left=1) == "1 tile left in the pile"
    assert words.tell("pile.one_deck", left=2) == "2 tiles left in the pile"
    assert words.tell("pile.one_deck", left=0) == "0 tiles left in the pile"


def test_values_are_not_read_as_templates() -> None:
    assert Words("en").tell("said.other", name="{x}", text="{}{0}") == "{x} says: {}{0}"


@pytest.mark.parametrize(("key", "values"), [("no.such.key", {}), ("tile.white", {})])
def test_a_missing_key_or_value_is_an_error(key: str, values: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        Words("en").tell(key, **values)


def test_a_reason_takes_the_most_specific_sentence() -> None:
    words = Words("en")
    assert words.reason("check", "chain.doubled") == words.tell("check.chain.doubled")
    assert words.reason("check", "chain.step") == words.tell("check.chain")
    assert words.reason("check", "nobody.knows") == "check nobody.knows failed"


def test_it_is_known_which_keys_there_are() -> None:
    assert Words("zh").has("you")
    assert not Words("zh").has("you.not")


def test_placeholders_are_named_without_their_plurals() -> None:
    assert placeholders("{a} {b:one|many} {{c}}") == {"a", "b"}


def test_the_helper_for_other_packages_finds_what_is_missing() -> None:
    assert_told("illegal", ["face_up", "own_tile"])
    assert missing("illegal", ["own_tile", "nonsense"]) == [
        "en: illegal.nonsense",
        "zh: illegal.nonsense",
    ]
    with pytest.raises(AssertionError):
        assert_told("illegal", ["nonsense"])


@pytest.mark.parametrize(
    ("setting", "environ", "chosen"),
    [
        ("zh", {"LANG": "en_GB.UTF-8"}, "zh"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        (None, {}, "en"),
        ("auto", {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "zh_TW", "LC_ALL": "en_US"}, "en"),
        (None, {"LANG": "en_US", "LC_MESSAGES": "zh_CN"}, "zh"),
        (None, {"LANG": "ZH_cn", "LC_ALL": ""}, "zh"),
    ],
)
def test_the_language_is_what_was_set_or_what_the_environment_speaks(
    setting: str | None, environ: dict[str, str], chosen: str
) -> None:
    assert language(setting, environ) == chosen


def test_both_languages_are_there() -> None:
    assert sorted(LANGS) == ["en", "zh"]
