"""The wheel holds the two packages and nothing else, and starts the program by its name."""

from __future__ import annotations

import configparser
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import p2p_davinci

ROOT = Path(__file__).parent.parent
PACKAGES = ("p2p_davinci", "protocol")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """The root of a wheel built from this checkout, without a network."""
    out = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("*.whl")
    return zipfile.Path(path)


def names(wheel: zipfile.Path) -> list[str]:
    return sorted(wheel.root.namelist())


def dist_info(wheel: zipfile.Path) -> zipfile.Path:
    return wheel / f"p2p_davinci-{p2p_davinci.__version__}.dist-info"


def test_wheel_holds_the_two_packages_and_its_own_description(wheel: zipfile.Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    assert tops == {*PACKAGES, dist_info(wheel).name}


def test_wheel_holds_every_module_of_the_checkout(wheel: zipfile.Path) -> None:
    expected = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    assert {name for name in names(wheel) if name.endswith(".py")} == expected


def test_wheel_holds_no_tests_and_no_vectors(wheel: zipfile.Path) -> None:
    parts = {part for name in names(wheel) for part in name.split("/")}
    assert parts.isdisjoint({"tests", "vectors", "conftest.py", "__pycache__"})
    assert not [name for name in names(wheel) if name.endswith((".json", ".jsonl", ".pyc"))]


@pytest.mark.parametrize("package", PACKAGES)
def test_both_packages_say_that_they_are_typed(wheel: zipfile.Path, package: str) -> None:
    assert (wheel / package / "py.typed").is_file()


def test_wheel_starts_the_program_by_its_name(wheel: zipfile.Path) -> None:
    entries = configparser.ConfigParser()
    entries.read_string((dist_info(wheel) / "entry_points.txt").read_text("utf-8"))
    assert dict(entries["console_scripts"]) == {"p2p-davinci": "p2p_davinci.cli:main"}


def test_wheel_runs_anywhere_and_carries_its_licence(wheel: zipfile.Path) -> None:
    assert "Tag: py3-none-any" in (dist_info(wheel) / "WHEEL").read_text("utf-8")
    assert (dist_info(wheel) / "licenses" / "LICENSE").is_file()
