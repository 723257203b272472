"""What is kept of preferences, and what several programs make of one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_davinci.storage.config import read_config, update_config


def test_a_change_leaves_what_another_program_wrote(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    update_config(path, {"name": "安娜", "bell": False})
    update_config(path, {"theme": "light", "bell": True})
    assert read_config(path) == {"name": "安娜", "bell": True, "theme": "light"}


@pytest.mark.parametrize("stored", [b"", b"[]", b"{", b"\xff", b"null"])
def test_what_is_no_object_holds_nothing_and_is_replaced(stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(stored)
    assert read_config(path) == {}
    update_config(path, {"lang": "zh"})
    assert read_config(path) == {"lang": "zh"}
