"""The command ``referee``: a result for every line, whatever bytes it holds."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from p2p_davinci.app.reports import referee
from p2p_davinci.app.settings import Exit

from .printing import EN, Printed

RECORD = b'{"hands": [["b0", "w1", "b2", "w3"], ["w0", "b1", "w2", "b3"]], "moves": []}'


def judged(data: bytes, tmp_path: Path) -> list[dict[str, Any]]:
    file = tmp_path / "records"
    file.write_bytes(data)
    printed = Printed()
    assert referee(str(file), EN, printed.out.append, printed.err.append) == Exit.OK
    return [json.loads(line) for line in printed.out]


def move_of(result: dict[str, Any]) -> int | None:
    illegal = result.get("illegal")
    return None if illegal is None else illegal["move"]


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (RECORD + b"\n" + RECORD + b"\n", [None, None]),
        (RECORD + b"\r\n" + RECORD, [None, None]),
        (b"\xef\xbb\xbf" + RECORD, [None]),
        (RECORD + b"\n\xef\xbb\xbf" + RECORD, [None, -1]),
        (b"\n" + RECORD, [-1, None]),
        (b"\xff\xfe\n" + RECORD, [-1, None]),
        (RECORD.replace(b"moves", b"m\xffoves") + b"\n" + RECORD, [-1, None]),
        (b"{}\x85\x0c\n" + RECORD, [-1, None]),
        (b"", []),
    ],
)
def test_every_line_has_its_result(data: bytes, moves: list[int | None], tmp_path: Path) -> None:
    assert [move_of(result) for result in judged(data, tmp_path)] == moves


@pytest.mark.parametrize("name", [None, "-"])
def test_records_come_from_standard_input(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RECORD)))
    printed = Printed()
    assert referee(name, EN, printed.out.append, printed.err.append) == Exit.OK
    assert "ok" in json.loads(printed.text)


def test_records_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    printed = Printed()
    assert referee(str(tmp_path), EN, printed.out.append, printed.err.append) == Exit.ERROR
    assert (printed.out, len(printed.err)) == ([], 1)


def test_an_error_of_the_reader_of_results_is_not_an_error_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "records"
    file.write_bytes(RECORD)

    def full(_line: str) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        referee(str(file), EN, full, full)
