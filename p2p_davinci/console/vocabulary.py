"""The words that begin a command, in both languages at once; either language is always understood.

Pure data and its look-up. A Chinese word need not be followed by a space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .commands import Page

VERBS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        # a turn
        "guess": ("guess", "猜"),
        "draw": ("draw", "抽", "摸"),
        "stop": ("stop", "停", "停止"),
        "slot": ("slot", "位置", "插"),
        "reveal": ("reveal", "翻", "翻开"),
        "resign": ("resign", "认输", "投降"),
        "clock": ("clock", "催", "催促"),
        # somebody is silent
        "vote": ("vote", "投票"),
        "wait": ("wait", "等", "等待"),
        "claim": ("claim", "宣告"),
        "save": ("save", "保存"),
        # the deal
        "take": ("take", "取", "拿"),
        "arrange": ("arrange", "排", "排列"),
        # talk and looking
        "say": ("say", "说"),
        "board": ("board", "牌面"),
        "row": ("row", "牌列"),
        "repeat": ("repeat", "重复"),
        "legal": ("legal", "可做"),
        "log": ("log", "记录"),
        "note": ("note", "notes", "笔记"),
        "candidates": ("candidates", "候选"),
        "mark": ("mark", "标记", "标"),
        "compare": ("compare", "核对"),
        "compared": ("compared", "已核对"),
        "help": ("help", "?", "帮助"),
        "language": ("language", "语言"),
        "menu": ("menu", "菜单"),
        "name": ("name", "名字"),
        "tiles": ("tiles", "牌样"),
        "theme": ("theme", "配色"),
        "bell": ("bell", "铃声"),
        "quit": ("quit", "exit", "退出"),
        # a table being formed
        "ready": ("ready", "准备"),
        "seat": ("seat", "seats", "座位"),
        "youngest": ("youngest", "最小"),
        "option": ("option", "选项"),
        "rules": ("rules", "规则"),
        "players": ("players", "人数"),
        "bots": ("bots", "机器人"),
        "decline": ("decline", "拒绝"),
        "leave": ("leave", "离桌"),
        # no table yet
        "tables": ("tables", "找桌"),
        "open": ("open", "开桌"),
        "join": ("join", "加入"),
        "saved": ("saved", "存档"),
        "resume": ("resume", "继续"),
        "delete": ("delete", "删除"),
        # a game that is over
        "again": ("again", "rematch", "再来"),
    }
)
"""Every verb and its spellings, folded; the first is the one that help and completion offer."""

YES: Final = frozenset(("yes", "y", "ok", "是", "是的", "好"))
NO: Final = frozenset(("no", "n", "否", "不", "不要"))
MYSELF: Final = frozenset(("me", "我"))
NOBODY: Final = frozenset(("nobody", "none", "-", "无", "没有"))
ON: Final = frozenset(("on", "yes", "开"))
OFF: Final = frozenset(("off", "no", "关"))
_PAGE_NAMES: Final[Mapping[Page, tuple[str, ...]]] = MappingProxyType(
    {
        "main": ("",),
        "open": ("open", "开桌"),
        "rules": ("rules", "规则"),
        "seats": ("seats", "座位"),
        "away": ("away", "拒绝"),
        "look": ("look", "外观"),
        "saved": ("saved", "存档"),
    }
)
PAGES: Final[Mapping[str, Page]] = MappingProxyType(
    {name: page for page, names in _PAGE_NAMES.items() for name in names}
)
"""The lists of choices, as they are named after ``menu``."""
CLEAR: Final = frozenset(("clear", "清除", "删"))
LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {"en": "en", "english": "en", "英文": "en", "英语": "en"}
    | {"zh": "zh", "chinese": "zh", "中文": "zh", "汉语": "zh"}
)

_LATIN = {word: verb for verb, words in VERBS.items() for word in words if word.isascii()}
_CHINESE = sorted(
    ((word, verb) for verb, words in VERBS.items() for word in words if not word.isascii()),
    key=lambda pair: -len(pair[0]),
)
_LATIN_WORD = re.compile(r"[a-z]+|\?")


def split_verb(text: str) -> tuple[str, str, str] | None:
    """Return (verb, its spelling, what follows) for a folded line that begins with a verb."""
    match = _LATIN_WORD.match(text)
    if match is not None:
        verb = _LATIN.get(match[0])
        return None if verb is None else (verb, match[0], text[match.end() :].strip())
    for word, verb in _CHINESE:
        if text.startswith(word):
            return verb, word, text[len(word) :].strip()
    return None
