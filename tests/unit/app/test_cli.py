"""The command line: its pages and languages, how it fails, and where its lines go."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.utils import get_cwidth

from p2p_davinci import __version__, cli
from p2p_davinci.app import launch
from p2p_davinci.app.settings import Exit
from p2p_davinci.cli import COMMANDS, CONSOLE, OPTIONS, help_page, main, options_of
from p2p_davinci.net.interfaces import Interface, NoSuchInterface
from p2p_davinci.rules.options import FORMS, PRESETS
from p2p_davinci.storage.identity import IdentityError
from p2p_davinci.text import Lang, Words, catalogue, placeholders
from p2p_davinci.text.en_reports import REPORTS as EN_REPORTS
from p2p_davinci.text.zh_reports import REPORTS as ZH_REPORTS

from . import logs
from .conftest import Runs

PAGE_WIDTH = 79
LANGS: tuple[Lang, ...] = ("en", "zh")
EN = Words("en")
HEAVY = (
    *("zeroconf", "prompt_toolkit", "nacl", "cryptography", "msgpack", "platformdirs"),
    *("asyncio", "protocol", "p2p_davinci.app", "p2p_davinci.rules"),
)

pytestmark = pytest.mark.usefixtures("own_data")


# --- help ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_has_its_line_of_help(command: str, lang: Lang) -> None:
    page = help_page(command, Words(lang))
    for name in options_of(command):
        flags, value = OPTIONS[name]
        assert f"\n  {flags} {value}" in page
    assert all(get_cwidth(line) <= PAGE_WIDTH for line in page.splitlines())


@pytest.mark.parametrize("lang", LANGS)
def test_the_first_page_names_every_command(lang: Lang) -> None:
    page = Words(lang).tell("cli.about.console")
    rows = [line.split()[0] for line in page.splitlines() if line.startswith("  ")]
    assert [row for row in rows if row != cli.PROGRAM] == [c for c in COMMANDS if c != CONSOLE]


@pytest.mark.parametrize("lang", LANGS)
def test_help_lists_the_presets_and_options_that_there_are(lang: Lang) -> None:
    words = Words(lang)
    assert all(preset in words.tell("cli.option.rules") for preset in PRESETS)
    listed = words.tell("cli.option.option")
    assert all(option in listed for option in FORMS)


def test_both_languages_have_the_same_sentences_with_the_same_placeholders() -> None:
    assert EN_REPORTS.keys() == ZH_REPORTS.keys()
    for key, template in EN_REPORTS.items():
        assert placeholders(template) == placeholders(ZH_REPORTS[key]), key
    assert EN_REPORTS.items() <= catalogue("en").items()
    assert ZH_REPORTS.items() <= catalogue("zh").items()


@pytest.mark.parametrize(
    "typed",
    [
        ["--help"],
        ["-h"],
        ["play", "--help"],
        ["--help", "play"],
        ["play", "--bots", "x", "--what", "-h"],
    ],
)
def test_help_is_told_and_nothing_is_run(
    typed: list[str], capsys: pytest.CaptureFixture[str], runs: Runs
) -> None:
    assert main(typed) == Exit.OK
    out, err = capsys.readouterr()
    command = "play" if "play" in typed else CONSOLE
    assert out == help_page(command, EN) + "\n"
    assert (err, runs.settings) == ("", [])


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != CONSOLE])
def test_version_is_told_before_or_after_every_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed in (["--version", command], [command, "--version"]):
        assert main(typed) == Exit.OK
        assert capsys.readouterr().out == f"p2p-davinci {__version__}\n"


@pytest.mark.parametrize(
    "typed", [["--help"], ["--version"], ["play", "--help"], ["nonsense"], ["verify"]]
)
def test_what_needs_nothing_loads_nothing(typed: list[str]) -> None:
    script = (
        "import sys, p2p_davinci.cli; p2p_davinci.cli.main(sys.argv[1:]);"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *typed], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


# --- language --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "environ", "lang"),
    [
        ([], "C", "en"),
        ([], "zh_CN.UTF-8", "zh"),
        (["--lang", "zh"], "C", "zh"),
        (["--lang=en"], "zh_CN.UTF-8", "en"),
    ],
)
def test_help_speaks_the_language_asked_for_or_the_environments(
    typed: list[str],
    environ: str,
    lang: Lang,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LANG", environ)
    for words in ([*typed, "show", "--help"], ["show", *typed, "--help"]):
        assert main(words) == Exit.OK
        assert capsys.readouterr().out == help_page("show", Words(lang)) + "\n"


# --- what goes wrong -------------------------------------------------------------------------


def test_a_crash_leaves_a_report_and_says_where(
    runs: Runs, own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.error = RuntimeError("the sky fell \ud800")
    assert main(["play"]) == Exit.ERROR
    assert main(["play"]) == Exit.ERROR
    path = own_data / "crash.txt"
    assert capsys.readouterr().err.count(EN.tell("cli.crash", path=str(path))) == 2
    report = path.read_text("utf-8")
    assert report.count("RuntimeError: the sky fell") == 2
    assert "raise self.error" in report
    assert __version__ in report


def test_a_crash_that_cannot_be_kept_is_told(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crash.txt").mkdir()
    runs.error = RuntimeError("the sky fell")
    assert main(["play"]) == Exit.ERROR
    err = capsys.readouterr().err
    assert "RuntimeError: the sky fell" in err
    assert EN.tell("cli.crash_unkept") in err


def no_room() -> IdentityError:
    error = IdentityError("folder", "here")
    error.__cause__ = OSError(errno.ENOSPC, "disk full")
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NoSuchInterface("eth7"), EN.tell("cli.no_interface", name="eth7", names="lo, eth0")),
        (OSError(28, "disk full"), EN.tell("cli.system", detail="disk full")),
        (no_room(), EN.tell("cli.system", detail="disk full")),
        (IdentityError("in-use", "here"), EN.tell("identity.in-use", detail="here")),
    ],
)
@pytest.mark.parametrize("command", ["play", "tables"])
def test_what_the_machine_refuses_is_told_in_a_sentence(
    command: str,
    error: Exception,
    sentence: str,
    runs: Runs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_asked: object) -> int:
        raise error

    runs.error = error
    there = [Interface(name=name, index=0, addresses=()) for name in ("lo", "eth0")]
    monkeypatch.setattr(launch, "all_interfaces", lambda: there)
    monkeypatch.setattr("p2p_davinci.app.finder.run_tables", refuse)
    assert main([command]) == Exit.ERROR
    assert capsys.readouterr().err == f"{sentence}\n"


def test_an_interrupt_has_its_own_exit_code(runs: Runs) -> None:
    runs.error = KeyboardInterrupt()
    assert main(["play"]) == 130


def test_tables_are_looked_for_as_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[dict[str, Any]] = []

    def look(*, tell: Callable[[str], None], **given: object) -> int:
        asked.append(given)
        tell("a table")
        return Exit.OK

    monkeypatch.setattr("p2p_davinci.app.finder.run_tables", look)
    assert main(["tables", "--json", "--wait", "0.5", "--interface", "lo"]) == Exit.OK
    assert main(["tables"]) == Exit.OK
    told = [(a["as_json"], a["wait_s"], list(a["interfaces"])) for a in asked]
    assert told == [(True, 0.5, ["lo"]), (False, 5.0, [])]
    assert capsys.readouterr().out == "a table\n" * 2


# --- output ----------------------------------------------------------------------------------


def program(*typed: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "p2p_davinci", *typed]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def rest(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Return what a program prints after its first line, and its errors; it is over then.

    Unlike ``communicate`` this has the lines, too, that came in one read with the first one.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    printed = process.stdout.read(), process.stderr.read()
    process.wait(60)
    return printed


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_output_survives_a_terminal_that_lacks_letters(encoding: str) -> None:
    environ = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"}
    with program("--lang", "zh", "verify", "\u4f60\u00e9", env=environ) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (Exit.ERROR, b"")
    sentence = Words("zh").tell("report.no_file", detail=os.strerror(errno.ENOENT))
    expected = sentence.encode(encoding, "backslashreplace")
    assert expected in out


def test_each_result_comes_before_the_next_record_is_typed() -> None:
    with program("referee") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(b"{}\n")
            process.stdin.flush()
            assert b"illegal" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(60) == Exit.OK


def test_a_reader_that_stops_reading_is_no_crash(own_data: Path) -> None:
    with program("referee") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"{}\n" * 5)
        process.stdin.close()
        assert process.wait(60) == Exit.ERROR
        assert process.stderr.read() == b""
    assert not (own_data / "crash.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups to interrupt")
@pytest.mark.slow
def test_an_interrupt_ends_all_verifying_processes_without_a_word(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.log" for number in range(20)]
    for file in files:
        file.write_bytes(logs.finished())
    with program("verify", "--json", *map(str, files), start_new_session=True) as process:
        assert process.stdout is not None
        assert b'"finished"' in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        out, err = rest(process)
    assert (process.returncode, err) == (130, b"")
    assert len(out.splitlines()) < len(files) - 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups to interrupt")
@pytest.mark.slow
def test_an_interrupt_that_is_ignored_ends_no_verifying_process(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.log" for number in range(6)]
    for file in files:
        file.write_bytes(logs.finished())
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = program("verify", "--json", *map(str, files), start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        assert process.stdout is not None
        assert b'"finished"' in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        out, err = rest(process)
    assert (process.returncode, err) == (Exit.OK, b"")
    assert out.count(b'"finished"') == len(files) - 1


def test_lines_go_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["--version"]) == Exit.OK
    assert raw.getvalue().startswith(b"p2p-davinci")
