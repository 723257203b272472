from __future__ import annotations

import shutil
import subprocess

import pytest

from p2p_davinci import cli
from p2p_davinci.app.shells import SHELLS
from p2p_davinci.text import LANGS, Lang


def script(shell: str, capsys: pytest.CaptureFixture[str], lang: Lang = "en") -> str:
    assert cli.main(["completion", shell, "--lang", lang]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_completed(
    shell: str, lang: Lang, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys, lang)
    for name in cli.COMMANDS:
        if name != cli.CONSOLE:
            assert name in text
        for option in cli.options_of(name):
            # fish names an option without its dashes.
            assert cli.OPTIONS[option][0].split(", ")[-1].lstrip("-") in text


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_commands_and_options_are_described_by_what_they_do(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys)
    assert "Usage p2p" not in text
    for described in (
        "Open a table and play",
        "Join a table",
        "how the screen draws tiles - box, block, ascii or auto, which asks the terminal",
        "change one option of the rules",
    ):
        assert described in text
    assert "开一桌就玩" in script(shell, capsys, "zh")


@pytest.mark.parametrize("words", [["completion"], ["completion", "tcsh"]])
def test_another_shell_is_refused_with_those_there_are(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*words, "--lang", "en"]) == 2
    assert "bash, zsh, fish" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["pl"], ["play"]),
        (["play", "--ru"], ["--rules"]),
        (["play", "--rules", "s"], ["standard"]),
        (["open", "--option", "jok"], ["jokers=yes", "jokers=no"]),
        (["open", "--option", "jokers", "="], ["yes", "no"]),
        (["open", "--option", "jokers", "=", "n"], ["no"]),
        (["open", "--option", "jokers", "=", "no", "--ru"], ["--rules"]),
        (["--til"], ["--tiles"]),
        (["completion", "f"], ["fish"]),
    ],
)
def test_bash_completes_with_it(
    typed: list[str], completed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["p2p-davinci", *typed]
    asked = f"""
{script("bash", capsys)}
COMP_WORDS=({" ".join(words)})
COMP_CWORD={len(words) - 1}
bound=$(complete -p p2p-davinci)
bound=${{bound##*-F }}
"${{bound%% *}}" p2p-davinci {words[-1]} {words[-2]}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == completed
