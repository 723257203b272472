"""Expecting a peer's fault by the name of its check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from protocol.errors import PeerFault


@contextmanager
def expect_fault(check: str) -> Iterator[None]:
    """Fail unless the body raises a :class:`PeerFault` of exactly this check."""
    with pytest.raises(PeerFault) as caught:
        yield
    assert caught.value.check == check
