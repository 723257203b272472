"""What a person really sees, in tmux: scenes as they always look, and whole games by keys.

``GOLDEN=write`` in the environment writes the scenes to ``tests/term/golden`` anew.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_davinci.session.audit import verify_log

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("tmux") is None, reason="there is no tmux"
)

if sys.platform != "win32":
    from tests.term.window import Window, window

GOLDEN = Path(__file__).parent / "golden"
STAGE = [sys.executable, "-m", "tests.term.stage"]
SCENES = (
    *("hall en box", "page zh box", "table zh box", "deal en box"),
    *("hit en box", "hit zh box", "hit zh block", "hit en ascii"),
    *("crowd en box", "crowd zh box", "end en box", "end zh block"),
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with window(tmp_path_factory.mktemp("stage"), STAGE) as opened:
        opened.expect("F1 Help")
        yield opened


def change(stage: Window, scene: str) -> list[str]:
    """Change to a scene; return the screen once it is whole."""
    name, lang, _ = scene.split()
    stage.type("scene blank en box")
    stage.expect("Type your name")
    stage.type(f"scene {scene}")
    expected = {
        "hall": ("Join night-owl", "加入 night-owl"),
        "page": ("Open it now", "现在就开"),
        "table": ("river-lamp. Choose:", "river-lamp。请选择"),
        "deal": ("Choose how", "请选择你的牌"),
        "hit": ("A hit.", "猜对了。"),
        "crowd": ("4 dee", "4 dee"),
        "end": ("What now?", "接下来"),
    }[name]
    stage.expect(expected[lang == "zh"])
    return stage.lines()


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_looks_as_it_always_does(stage: Window, scene: str) -> None:
    shown = change(stage, scene)
    file = GOLDEN / f"{scene.replace(' ', '-')}.txt"
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(shown) + "\n", "utf-8")
    assert shown == file.read_text("utf-8").splitlines()


def test_every_golden_file_is_a_scene() -> None:
    files = {file.stem for file in GOLDEN.glob("*.txt")}
    assert files == {scene.replace(" ", "-") for scene in SCENES}


def test_help_covers_the_table_and_gives_it_back(stage: Window) -> None:
    before = change(stage, "hit zh box")
    stage.press("F1")
    stage.expect("位置是座位和从左数第几张")
    stage.press("Escape")
    stage.until(lambda: stage.lines() == before)


def test_a_storm_of_window_sizes_leaves_a_whole_screen(stage: Window) -> None:
    before = change(stage, "crowd zh box")
    for number in range(25):
        stage.resize(20 + (number * 37) % 100, 5 + (number * 7) % 30)
    stage.resize(39, 12)
    stage.expect("窗口太小")
    stage.resize(80, 24)
    stage.until(lambda: stage.lines() == before)


# --- whole games -----------------------------------------------------------------------------

TURNS_MAX = 8
"""After so many turns the player resigns, so that a test does not last for ever."""
MOMENTS: dict[str, dict[str, str]] = {
    "en": {
        "take": "You take 4 tiles",
        "arrange": "Choose how your tiles",
        "draw": "Draw a tile:",
        "guess": "Your turn",
        "more": "A hit.",
        "place": "Your .* goes face up",
        "stop": "You stop. Where",
        "reveal": "Which of your own",
        "sure": "Really?",
        "over": "What now?",
    },
    "zh": {
        "take": "你不看牌面拿",
        "arrange": "请选择你的牌怎么立",
        "draw": "抽一张：",
        "guess": "轮到你了",
        "more": "猜对了。继续",
        "place": "你的 .* 要翻开",
        "stop": "你停止。",
        "reveal": "翻开自己的哪一张",
        "sure": "确定吗？",
        "over": "接下来？",
    },
}
"""How the line on what is due begins, by language and moment."""


def assert_rows_are_straight(lines: list[str]) -> None:
    """Every box of a tile stands in the same columns from its ceiling to its floor."""
    for top, middle, bottom in zip(lines, lines[1:], lines[2:], strict=False):
        if "\u250c" in top and "\u2514" in bottom:
            assert cells(top, "\u250c") == cells(bottom, "\u2514"), "\n".join(lines)
            assert set(cells(top, "\u250c")) <= set(cells(middle, "\u2502")), "\n".join(lines)


def cells(line: str, char: str) -> list[int]:
    """Return the cells in which ``char`` stands."""
    at, found = 0, []
    for each in line:
        if each == char:
            found.append(at)
        at += 2 if "\u2e80" <= each <= "\uff60" else 1
    return found


CANDIDATES = re.compile(r"(?:May be: |可能是：)([bw](?:[0-9]+|-))")


class Player:
    """Somebody who plays by what the screen shows, and looks whether it is whole."""

    def __init__(self, seen: Window, lang: str) -> None:
        self.seen = seen
        self.moments = MOMENTS[lang]
        self.turns = 0

    def moment(self) -> str | None:
        """Return what is due now, by the line that says so."""
        lines = self.seen.lines()
        if len(lines) < 4:
            return None
        return next((k for k, text in self.moments.items() if re.match(text, lines[-4])), None)

    def wait(self) -> str:
        self.seen.until(lambda: self.moment() is not None)
        assert_rows_are_straight(self.seen.lines())
        return self.moment() or self.wait()

    def act(self, moment: str) -> None:
        """Do what is due, and wait until the screen has changed."""
        before = self.seen.lines()
        if moment == "draw":
            self.turns += 1
        if moment == "draw" and self.turns > TURNS_MAX:
            self.seen.type("resign")
        elif moment == "sure":
            self.seen.press("Right", "Enter")
        elif moment == "more":
            self.seen.type("stop")
        elif moment == "guess":
            self.guess()
        elif moment == "over":
            self.seen.press("Enter")
        else:
            # Where a choice could show a secret none is marked, so the first must be chosen.
            self.seen.press("Down", "Enter")
        self.seen.until(lambda: self.seen.lines() != before)

    def guess(self) -> None:
        """Mark a tile and name the first that it may be."""
        self.seen.press("Right")
        self.seen.until(lambda: CANDIDATES.search(self.seen.text()) is not None)
        called = CANDIDATES.search(self.seen.text())
        if called is not None:
            self.seen.type(called[1])


def open_table(seen: Window) -> None:
    """From the first start to a table with a bot, by what the pages offer."""
    seen.expect("Type your name", "输入名字")
    seen.type("ana")
    seen.expect("Choose:", "请选择：")
    # Not by its number: tables of others on this machine come before it.
    seen.type("menu open")
    for number, chosen in (("3", "3[ a-zA-Z其中机器人]+[:：] ?1"), ("15", "15 aids assisted")):
        seen.type(number)
        seen.find(chosen)
    seen.type("1")


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "again"), [("en", True), ("zh", False)])
def test_a_first_start_a_whole_game_against_a_bot_and_another_are_played_with_keys(
    tmp_path: Path, lang: str, again: bool
) -> None:
    data = tmp_path / "data"
    program = [sys.executable, "-m", "p2p_davinci", "--data", str(data), "--lang", lang]
    with window(tmp_path, [*program, "--interface", "127.0.0.1"]) as seen:
        open_table(seen)
        player = Player(seen, lang)
        while (moment := player.wait()) != "over":
            player.act(moment)
        (log,) = (data / "logs").glob("*.log")
        assert log.name in re.sub(r"\s", "", seen.text())
        if again:
            player.act("over")
            # What else is still told changes the screen, too.
            seen.until(lambda: player.moment() not in (None, "over"))
            assert player.wait() == "take"
        seen.type("quit")
        seen.until(lambda: player.moment() == "sure")
        player.act("sure")
        assert seen.exit_code() == (3 if again else 0)
        assert re.search(r"\.log$", "".join(seen.left()))
    assert verify_log(log.read_bytes()).status == "finished"
