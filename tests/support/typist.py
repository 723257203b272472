"""Somebody who plays by typing: reads what the console tells and answers what is asked."""

from __future__ import annotations

import random
import re

_FORMS = re.compile(r"(?:You can type: |现在可以输入：)(.*)(?:\. For everything else|。其他命令见)")
_TILE = re.compile(r"\b(\d)\.(\d+) (\[?[bw?][0-9?-]*\]?)")
_ROW = re.compile(r"(\d) (.*)(?:, |，)(?:\d+ of \d+ hidden|out|\d+ 张中 \d+ 张立着|出局)[:：]")
_MORE_OF_A_ROW = re.compile(r" +\d\.\d+ ")


class Typist:
    """Plays badly, at the seat whose row is marked "(you)", or in Chinese "（你）"."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        self._me = 0
        self._tiles: dict[tuple[int, int], str] = {}

    def answer(self, line: str) -> str | None:
        """Return what to type after this line was told, if anything is asked."""
        row = _ROW.match(line)
        if row is not None:
            self._look_again(int(row[1]), mine=row[2].endswith(("(you)", "（你）")))
        if row is not None or _MORE_OF_A_ROW.match(line):
            for seat, slot, tile in _TILE.findall(line):
                self._tiles[int(seat), int(slot)] = tile
        forms = _FORMS.search(line)
        return None if forms is None else self._choose(re.split(", |、", forms[1]))

    def _look_again(self, seat: int, *, mine: bool) -> None:
        if mine:
            self._me = seat
        self._tiles = {place: tile for place, tile in self._tiles.items() if place[0] != seat}

    def _choose(self, forms: list[str]) -> str:
        first = forms[0]
        if first.startswith(("ok", "好")):
            return "ok"
        for verb in ("stop", "slot", "reveal", "停", "位置", "翻"):
            for form in forms:
                if form.split()[0] == verb:
                    return " ".join(form.split()[:2]).partition("/")[0]
        if first.startswith("2.3 ="):
            return self._call()
        return first

    def _call(self) -> str:
        hidden = [
            (place, tile)
            for place, tile in sorted(self._tiles.items())
            if tile.startswith("[") and place[0] != self._me
        ]
        (seat, slot), tile = self._rng.choice(hidden)
        colour = tile[1] if tile[1] in "bw" else self._rng.choice("bw")
        return f"{seat}.{slot} = {colour}{self._rng.randrange(12)}"
