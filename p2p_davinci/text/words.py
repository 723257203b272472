"""Look-up of the sentences that people see, in English and Chinese.

A catalogue maps a key to a template with named placeholders: ``{name}``, or ``{left:tile|tiles}``,
which becomes the first word if ``left`` is 1 and the second otherwise. Both languages have the
same keys and the same placeholders (a test reads them). This module knows nothing of the game.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Literal, TypeAlias

Lang: TypeAlias = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")


def catalogue(lang: Lang) -> Mapping[str, str]:
    """Return a language's sentences; the other's stay unloaded, which a page of help feels."""
    if lang == "zh":
        from .catalogue_zh import CATALOGUE as CHINESE

        return CHINESE
    from .catalogue_en import CATALOGUE as ENGLISH

    return ENGLISH


class _Filler(string.Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return one if value == 1 else many
        return str(value)


_FILLER = _Filler()


class Words:
    """One language's sentences."""

    __slots__ = ("_catalogue", "lang")

    def __init__(self, lang: Lang) -> None:
        self.lang: Lang = lang
        self._catalogue = catalogue(lang)

    def tell(self, key: str, **values: str | int) -> str:
        """Return the sentence under ``key`` with its placeholders filled.

        Raises:
            KeyError: no such key, or a placeholder without a value: a mistake of the program.
        """
        return _FILLER.vformat(self._catalogue[key], (), values)

    def reason(self, topic: str, reason: str, **values: str | int) -> str:
        """Return the sentence for a dotted ``reason`` below ``topic``, the most specific one.

        For ``sigma.equation`` below ``check`` these are ``check.sigma.equation``,
        ``check.sigma`` and ``check.other``; the last gets the placeholder ``reason`` too.

        Raises:
            KeyError: no such topic, or a placeholder without a value.
        """
        parts = reason.split(".")
        for length in range(len(parts), 0, -1):
            key = ".".join((topic, *parts[:length]))
            if key in self._catalogue:
                return self.tell(key, **values)
        return self.tell(f"{topic}.other", **{**values, "reason": reason})

    def has(self, key: str) -> bool:
        """Tell whether the catalogue knows ``key``."""
        return key in self._catalogue


def placeholders(template: str) -> frozenset[str]:
    """Return the names of the placeholders in ``template``."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name)


def language(setting: str | None, environ: Mapping[str, str]) -> Lang:
    """Choose the language: what was set (``en`` or ``zh``), else what the environment speaks.

    The environment's word is the first of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is not
    empty (POSIX, Environment Variables, 8.2); whatever is not Chinese is English.
    """
    if setting == "zh" or setting == "en":
        return "zh" if setting == "zh" else "en"
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return "zh" if environ[name].lower().startswith("zh") else "en"
    return "en"
