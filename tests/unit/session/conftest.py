"""Tables of these tests check each proof once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.table import each_proof_checked_once


@pytest.fixture(autouse=True, scope="package")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield
