"""All cheats share what the honest part of their games has already proved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.table import each_proof_checked_once


@pytest.fixture(autouse=True, scope="package")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield
