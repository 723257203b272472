"""The player's desk: what it asks first, what it keeps, and what is kept for the next time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_davinci.app import desk as desks
from p2p_davinci.app.desk import Desk
from p2p_davinci.app.settings import Config, Settings, load_config, save_config
from p2p_davinci.console import commands as c
from p2p_davinci.console.model import Model
from p2p_davinci.console.shell import How, Shell
from p2p_davinci.rules.options import Options
from p2p_davinci.storage.folders import Folders
from tests.unit.console.scenes import moments, rules


class FakeShell:
    """A shell whose player types what the test says."""

    def __init__(self, typed: Sequence[str]) -> None:
        self.typed = typed
        self.told: list[str] = []
        self.answers: list[How] = []
        self.shown: list[Model] = []
        self.closes = 0

    def tell(self, line: str) -> None:
        self.told.append(line)

    def answer(self, lines: Sequence[str], how: How) -> None:
        self.told += lines
        self.answers.append(how)

    def show(self, model: Model) -> None:
        self.shown.append(model)

    async def lines(self) -> AsyncIterator[str]:
        for line in self.typed:
            yield line

    def close(self) -> None:
        self.closes += 1

    async def closed(self) -> None:
        self.closes += 1


class Sitting:
    """A desk with a player who types some lines, and what came of it."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, *typed: str, terminal: bool = True
    ) -> None:
        self.folders = Folders(root=folder)
        self.shell = FakeShell(typed)
        shell: Shell = self.shell
        monkeypatch.setattr(desks, "open_shell", lambda *_: shell)
        monkeypatch.setattr("os.isatty", lambda _: terminal)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("USER", "player")
        monkeypatch.delenv("ACCESSIBLE", raising=False)

    def desk(self, **settings: object) -> Desk:
        chosen = {"command": "console", "folders": self.folders, "options": Options(), **settings}
        return Desk(Settings(**chosen))  # type: ignore[arg-type]

    def commands(self, desk: Desk) -> list[c.Outward]:
        async def run() -> list[c.Outward]:
            return [command async for command in desk.commands()]

        return asyncio.run(run())


def test_the_first_start_asks_for_a_name_and_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, monkeypatch, "ana")
    desk = sitting.desk(lang="en")
    desk.greet(ask=True)
    assert desk.model.naming
    assert sitting.shell.told == []
    assert sitting.commands(desk) == [c.SetName(name="ana")]
    assert load_config(sitting.folders.config).name == "ana"
    again = sitting.desk()
    again.greet(ask=True)
    assert not again.model.naming
    assert again.model.name == "ana"


@pytest.mark.parametrize("settings", [{"name": "bo"}, {"auto": True}])
def test_a_name_that_is_known_or_that_nobody_could_type_is_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    desk = Sitting(tmp_path, monkeypatch).desk(**settings)
    desk.greet(ask=True)
    assert not desk.model.naming


def test_two_consoles_keep_what_the_other_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Sitting(tmp_path, monkeypatch, "theme light")
    first = one.desk()
    other = Sitting(tmp_path, monkeypatch, "language zh")
    second = other.desk()
    one.commands(first)
    other.commands(second)
    kept = load_config(one.folders.config)
    assert (kept.theme, kept.lang) == ("light", "zh")


def test_preferences_are_kept_and_the_command_line_goes_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(
        tmp_path, monkeypatch, "tiles ascii", "theme light", "bell off", "language zh"
    )
    sitting.commands(sitting.desk(lang="en", name="ana"))
    kept = load_config(sitting.folders.config)
    assert kept == Config(lang="zh", tiles="ascii", theme="light", bell=False)
    later = sitting.desk(tiles="block")
    assert later.model.look == c.Look(tiles="block", theme="light", bell=False)
    assert later.model.lang == "zh"


def test_what_cannot_be_kept_is_said_and_holds_for_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    sitting = Sitting(tmp_path / "file", monkeypatch, "theme mono")
    desk = sitting.desk(lang="en", name="ana")
    assert sitting.commands(desk) == [c.SetLook(look=c.Look(theme="mono"))]
    assert desk.model.look.theme == "mono"
    assert "could not be kept" in sitting.shell.told[-1]


def test_answers_go_to_the_shell_with_what_a_screen_should_do_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, monkeypatch, "help", "log", "menu", "nonsense")
    desk = sitting.desk(lang="en", name="ana")
    desk.model = moment_of(desk.model)
    assert sitting.commands(desk) == []
    assert sitting.shell.answers == ["apart", "latest", "seen", "told"]
    assert len(sitting.shell.shown) == 4


def moment_of(model: Model) -> Model:
    view = moments(rules()).draw
    return replace(model, game=view, options=rules())


def test_without_a_terminal_the_plain_mode_comes_by_itself_and_the_game_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, monkeypatch, terminal=False)
    desk = sitting.desk(lang="en")
    desk.greet(ask=True)
    assert (desk.model.stays, desk.model.on_screen, desk.model.naming) == (False, False, False)
    assert "this is no terminal" in sitting.shell.told[0]


def test_a_preference_for_plain_mode_is_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, monkeypatch)
    save_config(sitting.folders.config, Config(plain=True))
    desk = sitting.desk(lang="en", name="ana")
    assert (desk.model.on_screen, desk.model.stays) == (False, True)


def test_closing_waits_until_the_terminal_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(tmp_path, monkeypatch)
    asyncio.run(sitting.desk().close())
    assert sitting.shell.closes == 2


@pytest.mark.parametrize(
    ("path", "saved", "said"),
    [
        (Path("a.log"), True, "The game is saved. Go on with it: p2p-davinci resume.\na.log\n"),
        (Path("a.log"), False, "a.log\n"),
        (None, False, "No game was begun, so there is no log.\n"),
    ],
)
def test_the_last_line_is_the_log_and_the_one_before_tells_how_to_go_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: Path | None,
    saved: bool,
    said: str,
) -> None:
    Sitting(tmp_path, monkeypatch).desk(lang="en").part(path, saved=saved)
    assert capsys.readouterr().out == said


def test_who_is_out_is_not_told_that_the_game_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Sitting(tmp_path, monkeypatch).desk(lang="en").part(Path("a.log"), saved=True, out=True)
    told = capsys.readouterr().out
    assert told.startswith("You are out, so the others play on without you.")
    assert "The game is saved" not in told


@pytest.mark.parametrize("text", ['{"tiles": "round", "theme": 3, "bell": "no"}', "[]", "{"])
def test_a_config_that_makes_no_sense_counts_as_never_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.json"
    file.write_text(text, "utf-8")
    assert load_config(file) == Config()
