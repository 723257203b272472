"""The preferences of a player, as a JSON object; what they mean is the application's part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from .files import locked, write_private


def read_config(path: Path) -> dict[str, object]:
    """Return what ``path`` holds; a file that is missing or cannot be read holds nothing."""
    try:
        stored = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def update_config(path: Path, changes: Mapping[str, object]) -> None:
    """Write ``changes`` into ``path``, and leave the rest to whoever wrote it.

    Raises:
        OSError: it cannot be written.
    """
    with locked(path):
        text = json.dumps({**read_config(path), **changes}, ensure_ascii=False, indent=1) + "\n"
        write_private(path, text.encode())
