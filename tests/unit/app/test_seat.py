"""A seat and its files: what does not belong together is refused, and can be closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p_davinci.app.saved import Saved
from p2p_davinci.app.seat import Seat
from p2p_davinci.rules.moves import Draw, Resign
from p2p_davinci.session.resuming import CannotResume
from protocol import SECRETS_HEADER
from tests.support.dealt import dealt_table, record_dealt
from tests.support.table import seeded

HANDS = ("b0 b3 w5 w8", "b1 b2 w6 w7", "w0 w1 b4 b9")


def test_a_log_and_secrets_of_two_pasts_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    """One of the files was put back from a copy: going on would be saying two things."""
    base = record_dealt(dealt_table(HANDS, "b6"), HANDS, "b6", ()).end
    one, other = base.fork(seeded("one")), base.fork(seeded("other"))
    one.play(0, Draw(deck=0))
    one.deliver()
    other.play(0, Resign())
    log, secrets = tmp_path / "g.log", tmp_path / "g.secrets"
    log.write_bytes(one.peers[0].log_bytes)
    secrets.write_bytes(SECRETS_HEADER + b"".join(other.peers[0].secrets.records))
    saved = Saved(
        path=log,
        secrets=secrets,
        contract=one.contract,
        seat=0,
        key=one.who[0].public,
        messages=0,
        rounds=1,
        changed_s=0,
        torn_bytes=0,
    )
    sent: list[bytes] = []
    seat = Seat(
        private=Ed25519PrivateKey.generate(),
        wait_s=60,
        send=lambda data, _seat: sent.append(data),
        wake=lambda _at_s: None,
    )
    with pytest.raises(CannotResume) as refused:
        seat.resume(saved, 0.0)
    seat.close()
    assert (refused.value.reason, refused.value.detail) == ("secrets", "chain.doubled")
    assert sent == []
    assert log.exists()
    assert secrets.exists()
