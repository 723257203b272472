"""What nobody decides is decided by chance, so that the others learn nothing from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from protocol import Entropy

PICK_BYTES: Final = 32
"""Fresh bytes for one choice: among at most 28 items the bias is below 2^-250."""

T = TypeVar("T")


def pick(items: Sequence[T], entropy: Entropy) -> T:
    """Return one of ``items``, each with the same chance.

    Raises:
        ValueError: there is none.
    """
    if not items:
        raise ValueError("nothing to choose from")
    return items[int.from_bytes(entropy(PICK_BYTES), "little") % len(items)]
