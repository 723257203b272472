"""The command line: what is read from it, what it refuses, and in which words."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from prompt_toolkit.utils import get_cwidth

from p2p_davinci import __version__, cli
from p2p_davinci.app import runner
from p2p_davinci.app.settings import DATA_VARIABLE, WAIT_S, Exit, Folders, Settings
from p2p_davinci.cli import COMMANDS, CONSOLE, OPTIONS, help_page, main, options_of
from p2p_davinci.net.identity import Identity, IdentityError, load_identity
from p2p_davinci.net.interfaces import Interface, NoSuchInterface
from p2p_davinci.rules.options import FORMS, PRESETS, Options, options_from
from p2p_davinci.text import CATALOGUES, Lang, Words, placeholders
from p2p_davinci.text.en_reports import REPORTS as EN_REPORTS
from p2p_davinci.text.zh_reports import REPORTS as ZH_REPORTS

from . import logs

PAGE_WIDTH = 79
LANGS: tuple[Lang, ...] = ("en", "zh")
EN = Words("en")
HEAVY = (
    *("zeroconf", "prompt_toolkit", "nacl", "cryptography", "msgpack", "platformdirs"),
    *("asyncio", "protocol", "p2p_davinci.app", "p2p_davinci.rules"),
)


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv("LANG", "C")
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


class Runs:
    """What stands for the program: it remembers what it was asked."""

    def __init__(self) -> None:
        self.settings: list[Settings] = []
        self.keys: list[bytes] = []
        self.exit: int = Exit.OK
        self.error: BaseException | None = None

    def run(self, settings: Settings, identity: Identity) -> int:
        self.settings.append(settings)
        self.keys.append(identity.public)
        if self.error is not None:
            raise self.error
        return self.exit


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    fake = Runs()
    monkeypatch.setattr(runner, "run", fake.run)
    return fake


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
    assert EN_REPORTS.items() <= CATALOGUES["en"].items()
    assert ZH_REPORTS.items() <= CATALOGUES["zh"].items()


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


# --- settings --------------------------------------------------------------------------------


def plain_settings(root: Path) -> Settings:
    return Settings(command="console", folders=Folders(root=root), options=Options())


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ([], {}),
        (["--plain", "--name", "ana"], {"plain": True, "name": "ana"}),
        (["play"], {"command": "play", "bots": 1, "seats": 2}),
        (["play", "--bots", "3"], {"command": "play", "bots": 3, "seats": 4}),
        (["play", "--bots", "0"], {"command": "play", "bots": 0, "seats": 2}),
        (["play", "--seats", "4"], {"command": "play", "bots": 1, "seats": 4}),
        (["play", "--auto"], {"command": "play", "bots": 1, "auto": True}),
        (
            ["play", "--auto", "--pace", "0.25"],
            {"command": "play", "bots": 1, "auto": True, "pace_s": 0.25},
        ),
        (["open"], {"command": "open", "bots": 0, "seats": 2}),
        (["open", "--bots", "2"], {"command": "open", "bots": 2, "seats": 3}),
        (["open", "--seats", "3"], {"command": "open", "bots": 0, "seats": 3}),
        (["open", "--wait", "5"], {"command": "open", "wait_s": 5.0}),
        (
            ["open", "--interface", "lo", "--interface", "127.0.0.1"],
            {"command": "open", "interfaces": ("lo", "127.0.0.1")},
        ),
        (["join"], {"command": "join", "target": None, "wait_s": WAIT_S}),
        (["join", "river-lamp"], {"command": "join", "target": "river-lamp"}),
        (["join", "--wait", "0", "[::1]:40000"], {"target": "[::1]:40000", "wait_s": 0.0}),
        (
            ["join", "river-lamp/abcd", "--address", "127.0.0.1:1"],
            {"target": "river-lamp/abcd", "fallback": "127.0.0.1:1"},
        ),
        (["--plain", "--lang", "zh", "join"], {"command": "join", "plain": True, "lang": "zh"}),
        (["open", "--name", " ana\u202e  b "], {"command": "open", "name": "ana b"}),
        (
            ["open", "--rules", "tournament", "--option", "rounds=2", "--option", "tie=extra"],
            {"options": options_from("tournament", {"rounds": "2", "tie": "extra"})},
        ),
        (
            ["open", "--option", "clock=60+20"],
            {"options": options_from("classic", {"clock": "60+20"})},
        ),
    ],
)
def test_what_is_asked_becomes_settings(
    typed: list[str], changes: dict[str, Any], runs: Runs, own_data: Path
) -> None:
    assert main(typed) == Exit.OK
    command = next((word for word in typed if word in COMMANDS), CONSOLE)
    expected = replace(plain_settings(own_data), **{"command": command, **changes})
    assert runs.settings == [expected]


def test_a_data_folder_is_used_wherever_it_stands(tmp_path: Path, runs: Runs) -> None:
    main(["--data", str(tmp_path / "a"), "play"])
    main(["play", "--data", str(tmp_path / "b")])
    assert [s.folders.root.name for s in runs.settings] == ["a", "b"]
    assert len(set(runs.keys)) == 2


@pytest.mark.parametrize("code", [Exit.OK, Exit.ERROR, Exit.UNFINISHED, Exit.CHEAT])
def test_the_programs_exit_code_is_the_commands(code: Exit, runs: Runs) -> None:
    runs.exit = code
    assert main(["play"]) == code


def test_the_identity_is_free_again_after_the_program(runs: Runs, own_data: Path) -> None:
    main(["play"])
    again = load_identity(own_data / "identity")
    assert (again.public, again.folder) == (runs.keys[0], own_data / "identity")
    again.close()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("typed", "key"),
    [
        (["nonsense"], "cli.no_command"),
        (["console"], "cli.no_command"),
        (["play", "river-lamp"], "cli.left_over"),
        (["play", "--what"], "cli.left_over"),
        (["play", "--bot", "1"], "cli.left_over"),
        (["--what"], "cli.left_over"),
        (["--what", "play"], "cli.left_over"),
        (["--name", "ana", "verify", "x"], "cli.left_over"),
        (["join", "one", "two"], "cli.left_over"),
        (["join", "one", "--", "two"], "cli.left_over"),
        (["join", "--rules", "classic"], "cli.left_over"),
        (["show", "one", "two"], "cli.left_over"),
        (["referee", "--json"], "cli.left_over"),
        (["verify"], "cli.file_missing"),
        (["show", "--json"], "cli.file_missing"),
        (["play", "--bots"], "cli.bad_use"),
        (["play", "--pace", "-inf"], "cli.bad_use"),
        (["verify", "--json=yes", "x"], "cli.bad_use"),
        (["play", "--bots", "4"], "cli.whole"),
        (["play", "--bots", "-1"], "cli.whole"),
        (["play", "--bots", "1.0"], "cli.whole"),
        (["play", "--bots", "１"], "cli.whole"),
        (["play", "--bots", "9" * 5000], "cli.whole"),
        (["play", "--seats", "1"], "cli.whole"),
        (["open", "--seats", "5"], "cli.whole"),
        (["play", "--bots", "3", "--seats", "3"], "cli.bots"),
        (["open", "--bots", "2", "--seats", "2"], "cli.bots"),
        (["play", "--pace", "1"], "cli.pace"),
        (["play", "--auto", "--pace", "nan"], "cli.seconds"),
        (["play", "--auto", "--pace", "-1"], "cli.seconds"),
        (["join", "--wait", "inf"], "cli.seconds"),
        (["join", "--wait", "1e9"], "cli.seconds"),
        (["join", "--wait", "soon"], "cli.seconds"),
        (["tables", "--wait", "-1"], "cli.seconds"),
        (["join", "here:0"], "cli.address"),
        (["join", "::1:5"], "cli.address"),
        (["join", "--address", "here"], "cli.address"),
        (["open", "--name", ""], "cli.name"),
        (["open", "--name", "\u200b\u202e"], "cli.name"),
        (["open", "--name", "a\u0301\u0323" * 16], "cli.name"),
        (["open", "--option", "jokers"], "cli.option_form"),
        (["open", "--option", "jokers=no", "--option", "jokers=yes"], "cli.option_twice"),
        (["open", "--rules", "poker"], "option.unknown_preset"),
        (["open", "--option", "wild=yes"], "option.unknown_option"),
        (["open", "--option", "jokers=maybe"], "option.bad_value"),
        (["open", "--option", "rounds=2"], "option.rounds_need_scoring"),
        (["open", "--option", "backs=hidden"], "option.hidden_needs_colour"),
        (["open", "--option", "clock=0+5"], "option.clock_zero"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    typed: list[str], key: str, lang: Lang, runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", lang, *typed]) == Exit.USAGE
    out, err = capsys.readouterr()
    assert (out, runs.settings) == ("", [])
    start = Words(lang)._catalogue[key].partition("{")[0]
    assert start in err
    assert "{" not in err


def test_a_language_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--lang", "fr"]) == Exit.USAGE
    assert EN.tell("cli.lang", lang="fr") in capsys.readouterr().err


def test_files_may_stand_around_options_and_behind_two_dashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "a", "--json", "b", "--", "-c", "--json"]) == Exit.ERROR
    out = capsys.readouterr().out
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["a", "b", "-c", "--json"]


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
    assert "test_cli.py" in report
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


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NoSuchInterface("eth7"), EN.tell("cli.no_interface", name="eth7")),
        (OSError(28, "disk full"), EN.tell("cli.system", detail="[Errno 28] disk full")),
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


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_output_survives_a_terminal_that_lacks_letters(encoding: str) -> None:
    environ = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"}
    with program("--lang", "zh", "verify", "\u4f60\u00e9", env=environ) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (Exit.ERROR, b"")
    expected = Words("zh").tell("report.names").encode(encoding, "backslashreplace")
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
def test_an_interrupt_ends_all_verifying_processes_without_a_word(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.log" for number in range(20)]
    for file in files:
        file.write_bytes(logs.finished())
    with program("verify", "--json", *map(str, files), start_new_session=True) as process:
        assert process.stdout is not None
        assert b'"finished"' in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
    assert len(out.splitlines()) < len(files) - 1


# --- id --------------------------------------------------------------------------------------


@pytest.fixture
def two_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    from ipaddress import ip_interface

    present = (
        Interface(name="net0", index=1, addresses=(ip_interface("192.0.2.5/24"),)),
        Interface(name="net1", index=2, addresses=(ip_interface("fe80::1/64"),)),
    )
    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", lambda: present)


@pytest.mark.usefixtures("two_interfaces")
def test_id_tells_name_fingerprint_folders_and_addresses(
    own_data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "ana")
    assert main(["id"]) == Exit.OK
    identity = load_identity(own_data / "identity")
    identity.close()
    assert capsys.readouterr().out.splitlines() == [
        EN.tell("id.name", name="ana"),
        EN.tell("id.fingerprint", fingerprint=identity.fingerprint),
        EN.tell("id.data", path=str(own_data)),
        EN.tell("id.logs", path=str(own_data / "logs")),
        EN.tell("id.address", interface="net0", addresses="192.0.2.5"),
    ]


def test_id_leaves_a_running_game_its_key(
    own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    playing = load_identity(own_data / "identity")
    second = load_identity(own_data / "identity")
    assert main(["id"]) == Exit.OK
    out = capsys.readouterr().out
    assert EN.tell("id.fingerprint", fingerprint=playing.fingerprint) in out
    told = {"profile": "profile-2", "fingerprint": second.fingerprint}
    assert EN.tell("id.profile", **told) in out
    assert not (own_data / "identity" / "profile-3").exists()
    playing.close()
    second.close()


def other_key() -> bytes:
    return X25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----\nAAAA\n", other_key()])
def test_id_says_that_a_key_is_damaged(
    content: bytes, own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_data / "identity" / "identity.pem"
    file.parent.mkdir()
    file.write_bytes(content)
    assert main(["id"]) == Exit.ERROR
    assert EN.tell("identity.damaged", detail=str(file)) in capsys.readouterr().err


def test_id_says_that_a_key_cannot_be_read(
    own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (own_data / "identity" / "identity.pem").mkdir(parents=True)
    assert main(["id"]) == Exit.ERROR
    start = EN.tell("identity.folder", detail="").rstrip(").")
    assert start in capsys.readouterr().err


def test_id_when_the_system_does_not_tell_its_interfaces(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> tuple[Interface, ...]:
        raise OSError("not told")

    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", refuse)
    assert main(["id"]) == Exit.OK
    assert EN.tell("cli.system", detail="not told") in capsys.readouterr().out


def test_id_without_a_network(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_davinci.app.myself.lan_interfaces", lambda: ())
    assert main(["id"]) == Exit.OK
    assert EN.tell("id.no_address") in capsys.readouterr().out


def test_lines_go_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["--version"]) == Exit.OK
    assert raw.getvalue().startswith(b"p2p-davinci")
