"""The referee's vectors: 804 open records, broken ones among them, and the right results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from p2p_davinci.rules.referee import run_referee

FOLDER = Path(__file__).parent / "referee"


def lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def without_why(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_why(each) for key, each in value.items() if key != "why"}
    return [without_why(each) for each in value] if isinstance(value, list) else value


def test_every_record_has_its_result() -> None:
    records, results = lines("records.jsonl"), lines("results.jsonl")
    assert len(records) == len(results) == 804
    judged = [without_why(json.loads(line)) for line in run_referee(records)]
    expected = [without_why(json.loads(line)) for line in results]
    assert [k for k in range(804) if judged[k] != expected[k]] == []
