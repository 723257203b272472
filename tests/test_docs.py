"""What README and manual say is so: commands, links, rules, examples, and the turn they show."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from platformdirs.macos import MacOS

from p2p_davinci import cli
from p2p_davinci.app import launch, reports, settings
from p2p_davinci.app.launch import Command
from p2p_davinci.console.commands import PlayMove
from p2p_davinci.console.dialogue import read_line
from p2p_davinci.console.model import Told
from p2p_davinci.console.news import show_game
from p2p_davinci.rules import engine, referee, scoring
from p2p_davinci.rules.moves import (
    Answered,
    Draw,
    Drawn,
    Fact,
    Guess,
    Move,
    Placed,
    Stop,
    Stopped,
    parse_call,
)
from p2p_davinci.rules.options import FORMS, PRESETS, options_from
from p2p_davinci.rules.record import RULES
from p2p_davinci.rules.state import Phase, Piece, State
from p2p_davinci.rules.tiles import Tile, in_order, legal_slots, parse_tile
from p2p_davinci.session.events import Drew, Event, GameView, Happened
from p2p_davinci.storage import folders
from p2p_davinci.text import Lang
from tests.unit.console.scenes import game_view, guessed, model_of, tiles

ROOT = Path(__file__).parent.parent
READMES: dict[Lang, str] = {"en": "README.md", "zh": "README.zh.md"}
MANUALS: dict[Lang, str] = {
    "en": "p2p_davinci/manual/en.md",
    "zh": "p2p_davinci/manual/zh.md",
}
PAGES = (*READMES.values(), *MANUALS.values())
LANGS: tuple[Lang, ...] = ("en", "zh")

BLOCK = re.compile(r"^```(?P<mark>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
FLAG = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*")


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, mark: str) -> list[str]:
    return [found["text"] for found in BLOCK.finditer(page(name)) if found["mark"] == mark]


def spans(name: str) -> list[str]:
    """The code in running text and tables."""
    return SPAN.findall(BLOCK.sub("", page(name)))


def table_rows(name: str, first: str) -> list[list[str]]:
    """The rows of the tables whose first cells match ``first``, without their blanks."""
    lines = [line for line in page(name).splitlines() if re.match(rf"\| {first}", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# --- commands --------------------------------------------------------------------------------


@cache
def help_of(command: str) -> str:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        assert cli.main([*([] if command == cli.CONSOLE else [command]), "--help"]) == 0
    return told.getvalue()


def typed_programs(name: str) -> Iterator[list[str]]:
    """The words after the program's name in every line of every block that starts it."""
    for found in BLOCK.finditer(page(name)):
        # What a screen shows begins with the name of the program, too.
        shown = found["mark"] == "text screen"
        for line in () if shown else found["text"].splitlines():
            _, called, rest = line.partition("p2p-davinci")
            if called and (not rest or rest.startswith(" ")):
                yield rest.split()


def test_blocks_that_ci_runs_are_there_once_and_as_ci_needs_them() -> None:
    (play,) = blocks("README.md", "sh play")
    (test,) = blocks("README.md", "sh test")
    assert play.splitlines()[-1] == "p2p-davinci play --bots 1"
    assert test.splitlines()[-1] == "pytest"
    assert "git clone" not in play + test


def test_chinese_readme_gives_the_same_commands() -> None:
    (play,), (test,) = blocks("README.md", "sh play"), blocks("README.md", "sh test")
    chinese = blocks("README.zh.md", "sh")
    assert chinese[:2] == [play.replace("--bots 1", "--bots 1 --lang zh"), test]
    assert chinese[2:] == blocks("README.md", "sh")


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the command line would have done instead of doing it: the commands, in order."""
    deeds: list[str] = []

    def would_launch(command: Command, asked: Any, *_: object) -> int:
        launch.settings_from(command, asked)
        deeds.append(command)
        return 0

    def would(deed: str) -> Callable[..., int]:
        def note(*_: object, **__: object) -> int:
            deeds.append(deed)
            return 0

        return note

    monkeypatch.setattr(launch, "launch", would_launch)
    monkeypatch.setattr(launch, "list_tables", would("tables"))
    for deed in ("verify", "show", "referee"):
        monkeypatch.setattr(reports, deed, would(deed))
    return deeds


@pytest.mark.parametrize("name", READMES.values())
def test_every_line_that_starts_the_program_is_understood(name: str, done: list[str]) -> None:
    found = list(typed_programs(name))
    for arguments in found:
        assert cli.main(arguments) == 0, arguments
    assert done == [arguments[0] for arguments in found]
    assert set(done) == {"play", "open", "join", "verify", "show"}


@pytest.mark.parametrize("name", READMES.values())
def test_every_whole_command_in_the_text_is_understood(name: str, done: list[str]) -> None:
    """All but those with words in capitals, which stand for something."""
    found = [span.split()[1:] for span in spans(name) if re.fullmatch("p2p-davinci [^A-Z]+", span)]
    found = [arguments for arguments in found if arguments not in (["id"], ["resume"], ["saved"])]
    for arguments in found:
        assert cli.main(arguments) == 0, arguments
    assert done == [arguments[0] for arguments in found]
    assert {"open", "join", "tables"} <= set(done)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_and_option_that_is_named_is_in_the_help(name: str) -> None:
    everything = "".join(help_of(command) for command in cli.COMMANDS)
    for span in spans(name):
        program, _, rest = span.partition(" ")
        if program == "p2p-davinci" and rest:
            command = rest.split()[0]
            assert command in cli.COMMANDS, span
            assert set(FLAG.findall(rest)) <= set(FLAG.findall(help_of(command))), span
        elif not span.startswith("git "):
            assert set(FLAG.findall(span)) <= set(FLAG.findall(everything)), span


@pytest.mark.parametrize("name", READMES.values())
def test_readme_names_every_command_and_every_option(name: str) -> None:
    commands = {cell[0].strip("`").split()[1] for cell in table_rows(name, "`p2p-davinci .")}
    assert commands == set(cli.COMMANDS) - {cli.CONSOLE}
    options = {flag for command in cli.COMMANDS for flag in FLAG.findall(help_of(command))}
    assert options - set(FLAG.findall(page(name))) == set()


@pytest.mark.parametrize("name", READMES.values())
def test_readme_names_every_exit_code(name: str) -> None:
    (line,) = re.findall(
        r"^(?:Exit codes: |退出码：)(.*?)\n\n", page(name), re.MULTILINE | re.DOTALL
    )
    codes = [
        int(code)
        for bold in re.findall(r"\*\*(.+?)\*\*", line)
        for code in re.findall(r"\d+", bold)
    ]
    assert codes == [*settings.Exit, 130, 143, 129]


@pytest.mark.parametrize("name", READMES.values())
def test_readme_says_where_files_lie(name: str) -> None:
    text, own = page(name), folders.Folders(root=Path("x"))
    assert f"`{folders.DATA_VARIABLE}`" in text
    for folder in (own.logs, own.identity, own.secrets, own.bot("ada").root.parent):
        assert f"`{folder.name}/`" in text
    for file in (own.config, own.crashes):
        assert f"`{file.name}`" in text
    on_a_mac = MacOS(folders.PROGRAM, appauthor=False).user_data_path
    assert f"`~/{on_a_mac.relative_to(Path.home()).as_posix()}`" in text


@pytest.mark.skipif("sys.platform != 'linux'", reason="the folder of this system")
@pytest.mark.parametrize("name", READMES.values())
def test_readme_names_the_folder_of_this_system(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    folder = folders.folders(None, {}).root
    assert f"`~/{folder.relative_to(Path.home()).as_posix()}`" in page(name)


def test_config_of_the_readme_is_read(tmp_path: Path) -> None:
    for lang, name in READMES.items():
        (text,) = re.findall(r'`(\{"name".*?\})`', page(name))
        file = tmp_path / f"{lang}.json"
        file.write_text(text, "utf-8")
        expected = settings.Config(name="ana", lang=lang, plain=False)
        assert settings.load_config(file) == expected


# --- links -----------------------------------------------------------------------------------


def anchors(name: str) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", page(name)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    targets = LINK.findall(page(name))
    assert targets
    for target in targets:
        path, _, anchor = target.partition("#")
        linked = (ROOT / name).parent / path if path else ROOT / name
        assert linked.is_file(), target
        if anchor:
            assert anchor in anchors(linked.resolve().relative_to(ROOT).as_posix()), target


@pytest.mark.parametrize("pages", [READMES, MANUALS])
def test_languages_link_to_each_other_and_have_the_same_parts(pages: dict[Lang, str]) -> None:
    english, chinese = pages["en"], pages["zh"]
    assert Path(chinese).name in LINK.findall(page(english))
    assert Path(english).name in LINK.findall(page(chinese))
    shapes = [
        re.findall(r"^(?:#+|\||- |```)", page(name), re.MULTILINE) for name in (english, chinese)
    ]
    assert shapes[0] == shapes[1]


def test_manual_is_part_of_the_wheel() -> None:
    files = WheelBuilder(str(ROOT)).recurse_included_files()
    shipped = {Path(file.distribution_path).as_posix() for file in files}
    assert set(MANUALS.values()) <= shipped


# --- rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_table_of_rules_is_that_of_the_program(name: str) -> None:
    (head,) = table_rows(name, "(?:option|选项) ")
    assert [cell.strip("`") for cell in head[2:]] == list(PRESETS)
    values = [dict(options.fields()) for options in PRESETS.values()]
    expected = [
        [f"`{key}`", ", ".join(form.choices), *(value[key] for value in values)]
        for key, form in FORMS.items()
    ]
    rows = [row for row in table_rows(name, "`[a-z_]+` ") if len(row) == len(head)]
    assert [
        [row[0], row[1].replace("1 … 9", ", ".join("123456789")), *row[2:]] for row in rows
    ] == (expected)


def test_manual_is_right_about_what_fits_between_two_tiles() -> None:
    low, high = tiles("b3", "w7")
    others = PRESETS["standard"].tiles - {low, high}
    assert sum(in_order((low, tile, high)) for tile in others) == 8
    assert "eight tiles" in page(MANUALS["en"])
    assert "八张" in page(MANUALS["zh"])


def test_manual_is_right_about_a_number_beside_a_joker() -> None:
    row, drawn = tiles("b5", "w-", "w8"), parse_tile("b6")
    for name in MANUALS.values():
        for slot in legal_slots(row, drawn):
            stood = " ".join(map(str, (*row[: slot - 1], drawn, *row[slot - 1 :])))
            assert f"`{stood}`" in page(name)


def test_manual_counts_points_as_the_program_does() -> None:
    options = PRESETS["tournament"]
    row = tuple(Piece(back=None) for _ in range(3))
    calls = 4 * scoring.hit_points(options, last=False) + scoring.hit_points(options, last=True)
    bonus = scoring.standing_sum(row, tiles("w2", "b9", "w-"))
    total = calls + scoring.win_points(options) + bonus
    assert (calls, bonus, total) == (5 + 3, 2 + 9 + 0, 24)
    assert "2 + 9 + 0 = 11 for her row: 24 points" in page(MANUALS["en"])
    assert "2 + 9 + 0 = 11 分：共 24 分" in page(MANUALS["zh"])


# --- open records ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", MANUALS.values())
def test_record_in_the_manual_has_the_result_that_stands_below_it(name: str) -> None:
    (record,), (result,) = blocks(name, "json record"), blocks(name, "json result")
    assert json.loads(referee.referee_line(json.dumps(json.loads(record)))) == json.loads(result)


@pytest.mark.parametrize("name", MANUALS.values())
def test_manual_tells_every_move_and_every_rule_of_a_record(name: str) -> None:
    first = [row[0] for row in table_rows(name, r"`\[")]
    moves = [json.loads(span) for cell in first for span in SPAN.findall(cell)]
    assert {kind for kind, *_ in moves} == set(referee._MOVES)
    (block,) = blocks(name, "json record")
    played = json.loads(block)
    for move in moves:
        result = json.loads(referee.referee_line(json.dumps({**played, "moves": [move]})))
        # Words of the reader, not of the rules, say that a move cannot be read.
        assert ":" not in result.get("illegal", {}).get("why", ""), move
    part = page(name).partition("json result")[2].partition("\n## ")[0]
    for named in (*RULES, *(str(phase) for phase in Phase if phase is not Phase.ANSWER)):
        assert f"`{named}`" in part


# --- the turn that is shown ------------------------------------------------------------------

# A game that was really played; README shows its fifth turn, the manual tells it from the start.
PLAYERS = ("ana", "ada")
ANA, ADA = ("w0", "w2", "b5", "b7"), ("w4", "w5", "w7", "w9")
BEFORE: tuple[Fact, ...] = (
    *(Drawn(deck=1), guessed("2.1", "1"), Answered(tile=None)),
    Placed(slot=5, tile=parse_tile("w8")),
    *(Drawn(deck=0), guessed("1.1", "w0"), Answered(tile=parse_tile("w0")), Stopped(slot=2)),
    *(Drawn(deck=0), guessed("2.5", "11"), Answered(tile=None)),
    Placed(slot=6, tile=parse_tile("b9")),
    *(Drawn(deck=1), guessed("1.2", "w2"), Answered(tile=parse_tile("w2"))),
)
LAST_STOP = Stopped(slot=1)
ROW = ("w0", "w2", "b5", "b7", "w8", "b9")
TYPED: dict[Lang, tuple[str, str, str]] = {
    "en": ("draw black", "2.1 = 1", "stop 1"),
    "zh": ("抽黑", "2.1 = 1", "停 1"),
}


class Replay:
    """Ana's console, shown again what happened; it keeps what was told and typed."""

    def __init__(self, lang: Lang) -> None:
        options = options_from("classic", {})
        backs = [[options.back_of(tile) for tile in tiles(*hand)] for hand in (ANA, ADA)]
        self.state: State = engine.start(options, backs, 0)
        self.row: Sequence[Tile] = tiles(*ROW)
        self.drawn: Tile | None = None
        self.lines: list[str] = []
        for fact in BEFORE:
            self.state = engine.apply(self.state, fact)
        self.model = model_of(self.view(), options, lang)

    def view(self) -> GameView:
        waiting = self.state.drawn is not None and self.drawn is None
        view = game_view(self.state, own=self.row, drawn=self.drawn, names=PLAYERS)
        return replace(view, due=view.due and not waiting)

    def happens(self, fact: Fact) -> None:
        seat = engine.actor(self.state)
        assert seat is not None
        self.state = engine.apply(self.state, fact)
        self.tell(Happened(seat=seat, fact=fact))

    def tell(self, event: Event) -> None:
        told: Told = show_game(self.model, [event], self.view())
        self.model = told.model
        self.lines += told.lines

    def type(self, line: str) -> Move:
        self.lines.append(f"> {line}")
        reply = read_line(self.model, line)
        assert isinstance(reply.command, PlayMove), reply
        self.model = reply.model
        return reply.command.move


def turn_shown(lang: Lang) -> list[str]:
    """Replay the fifth turn; what is typed must mean the moves that were made."""
    replay = Replay(lang)
    draw, guess, stop = TYPED[lang]
    replay.happens(LAST_STOP)
    del replay.lines[0]
    assert replay.type(draw) == Draw(deck=0)
    replay.happens(Drawn(deck=0))
    replay.drawn = parse_tile("b0")
    replay.tell(Drew(tile=replay.drawn))
    assert replay.type(guess) == Guess(seat=1, slot=1, call=parse_call("1"))
    replay.happens(guessed("2.1", "1"))
    replay.happens(Answered(tile=parse_tile("w1")))
    assert replay.type(stop) == Stop(slot=1)
    replay.row, replay.drawn = tiles("b0", *ROW), None
    replay.happens(Stopped(slot=1))
    return replay.lines


@pytest.mark.parametrize("lang", LANGS)
def test_turn_in_the_readme_is_what_the_console_tells(lang: Lang) -> None:
    (shown,) = blocks(READMES[lang], "text")
    assert shown.splitlines() == turn_shown(lang)


@pytest.mark.parametrize("name", MANUALS.values())
def test_manual_tells_the_same_game(name: str) -> None:
    assert f"`{' '.join(ANA)}`" in page(name)
    assert f"`{' '.join((*ANA, 'w8'))}!`" in page(name)
