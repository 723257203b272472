"""Write ``protocol/vectors/*.json`` from fixed seeds: ``python -m tests.support.vectors``.

The same files come out in every run, so a test makes them again and compares. Expected errors are
written down with the cases, never taken from what our code says; :mod:`tests.vectors` runs each
case against the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.support import (
    vector_ballots,
    vector_changed,
    vector_group,
    vector_proofs,
    vector_talk,
)
from tests.support.vector_cases import Json

FOLDER: Final = Path(__file__).parents[2] / "protocol" / "vectors"

SECTIONS: Final[Mapping[str, tuple[str, Callable[[], Json]]]] = MappingProxyType(
    {
        "generators": ("Suite and generators", vector_group.generators),
        "points": ("Suite and generators", vector_group.points),
        "codec": ("Encoding", vector_group.codec),
        "tags": ("Proofs", vector_group.tags),
        "sigma": ("Proofs", vector_proofs.sigma),
        "keys": ("Keys and tiles", vector_proofs.keys),
        "shares": ("Shares and openings", vector_proofs.shares),
        "shuffles": ("Shuffle", vector_proofs.shuffles),
        "miss": ("Miss", vector_proofs.miss),
        "values": ("Values and order", vector_proofs.values),
        "order": ("Values and order", vector_proofs.order),
        "envelopes": ("Transcript", vector_talk.envelopes),
        "asides": ("Transcript", vector_talk.asides),
        "steps": ("Transcript", vector_talk.steps),
        "evidence": ("Transcript", vector_talk.evidence),
        "opening": ("Opening", vector_talk.opening),
        "contracts": ("Contract", vector_talk.contracts),
        "ballots": ("Silent seats", vector_ballots.ballots),
        "logs": ("Verdicts", vector_changed.logs),
    }
)
"""File name to SPEC's section and the function that makes the content."""


def text_of(name: str) -> str:
    """Return the text of ``NAME.json`` as it must be."""
    section, make = SECTIONS[name]
    return json.dumps({"spec": section, **make()}, indent=1, ensure_ascii=True) + "\n"


def write(folder: Path = FOLDER) -> None:
    """Write every file anew."""
    for name in SECTIONS:
        (folder / f"{name}.json").write_text(text_of(name), "utf-8", newline="\n")


if __name__ == "__main__":
    write()
