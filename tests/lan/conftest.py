from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from .network import Lan, NotPermitted

MakeLan = Callable[[int], Lan]


@pytest.fixture
def make_lan() -> Iterator[MakeLan]:
    """Build networks of any size for one test; skip it where this machine forbids them."""
    with contextlib.ExitStack() as networks:

        def make(size: int) -> Lan:
            try:
                return networks.enter_context(Lan(size))
            except NotPermitted as why:
                pytest.skip(str(why))

        yield make
