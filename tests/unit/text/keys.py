"""For every package's tests: do the reasons it gives have a sentence in every language?"""

from __future__ import annotations

from collections.abc import Iterable

from p2p_davinci.text import LANGS, catalogue


def missing(topic: str, reasons: Iterable[str]) -> list[str]:
    """Return the keys ``topic.reason`` that some language lacks, with the language."""
    return [
        f"{lang}: {topic}.{reason}"
        for reason in reasons
        for lang in LANGS
        if f"{topic}.{reason}" not in catalogue(lang)
    ]


def assert_told(topic: str, reasons: Iterable[str]) -> None:
    """Fail unless every reason has its own sentence below ``topic`` in every language."""
    assert missing(topic, reasons) == []
