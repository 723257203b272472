"""The library stands alone: copied elsewhere, without the game, its README's example runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Runs first in the other process: whatever names the game, from wherever, is not there.
NO_GAME = """
import importlib.abc
import sys


class NoGame(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "p2p_davinci":
            raise ImportError("the game is not here")
        return None


sys.meta_path.insert(0, NoGame())
"""


def example() -> str:
    readme = (ROOT / "protocol" / "README.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    return str(block)


def run_alone(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder that holds a copy of the library and nothing else of ours."""
    leave_out = shutil.ignore_patterns("__pycache__", "vectors", "*.md")
    shutil.copytree(ROOT / "protocol", folder / "protocol", ignore=leave_out)
    (folder / "script.py").write_text(NO_GAME + script, "utf-8")
    # -P: nothing of the current folder but what is named here; the copy must come first.
    where = f"import sys; sys.path.insert(0, {str(folder)!r}); import runpy; "
    start = where + f"runpy.run_path({str(folder / 'script.py')!r})"
    return subprocess.run(
        [sys.executable, "-P", "-c", start],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("code", [3, None], ids=["the tile that is asked for", "whatever comes up"])
def test_example_of_the_readme_runs_without_the_game(tmp_path: Path, code: int | None) -> None:
    script = example()
    if code is not None:
        # One tile only: both branches of the example are run.
        script = script.replace("CODES = (1, 2, 3, 4, 5, 6)", f"CODES = ({code},)")
    done = run_alone(tmp_path, script)
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout in {"a hit: 3\n", "a proved miss\nrefused: sigma.equation\n"}
    if code is not None:
        assert done.stdout == f"a hit: {code}\n"


def test_what_runs_there_is_the_copy_and_nothing_else(tmp_path: Path) -> None:
    script = """
import protocol

print(protocol.__file__)
for module in sorted(sys.modules):
    if module.partition(".")[0] == "p2p_davinci":
        print("found", module)
try:
    import p2p_davinci
except ImportError as error:
    print(error)
"""
    done = run_alone(tmp_path, script)
    copy = tmp_path / "protocol" / "__init__.py"
    assert done.stdout.splitlines() == [str(copy), "the game is not here"]
    assert done.stderr == ""
