"""The bots that cheat on demand, among real sessions: found out, every time, and explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_davinci.app.cheats import CHEATS, Cheater
from p2p_davinci.app.findings import Proof, examine
from p2p_davinci.app.lessons import aftermath
from p2p_davinci.app.seat import Update
from p2p_davinci.console.speech import speech
from p2p_davinci.rules.moves import Move, Stop
from p2p_davinci.rules.state import Phase
from p2p_davinci.session.arriving import DOUBT_S
from p2p_davinci.session.audit import Status, verify_log
from p2p_davinci.session.events import Blamed, GameOver
from p2p_davinci.session.game import view
from p2p_davinci.text import LANGS, Lang, Words
from tests.support.recorded import hitting, own_slot, right_guess, wrong_guess
from tests.support.table import Peer, Table, each_proof_checked_once, new_table

CHEATER = 1
UNPROVED = {"changed-contract"}
"""The cheater signs nothing under the others' contract, so nothing can be shown to a stranger."""


@pytest.fixture(autouse=True, scope="module")
def proofs_checked_once() -> Iterator[None]:
    with each_proof_checked_once():
        yield


def table_with_cheater(name: str, seats: int, preset: str) -> Table:
    table = new_table(seats, preset, seed=("cheats", name, seats))
    driver = table.peers[CHEATER].driver
    outlets = driver._outlets
    cheater = Cheater(name, table.who[CHEATER], outlets.send, lambda: driver.game)
    driver._outlets = replace(outlets, send=cheater.send)
    return table


def patient(table: Table, peer: Peer, target: int | None) -> Move:
    """Guess right where it is aimed at ``target``, else wrong, and let the others have turns."""
    state = peer.game.round.state
    if state is not None and state.phase is Phase.GUESS and peer.seat != CHEATER:
        if target is None:
            return wrong_guess(table, peer.seat)
        return right_guess(table, peer.seat, target)
    if state is not None and state.phase is Phase.MORE:
        return Stop(slot=own_slot(peer))
    return hitting(table, peer)


def play_until_caught(table: Table, target: int | None = None) -> tuple[Peer, ...]:
    """Let all play on until the honest peers blame somebody; return those."""
    honest = tuple(peer for peer in table.peers if peer.seat != CHEATER)
    table.start().deliver()
    for _ in range(100):
        if all(peer.blamed for peer in honest):
            return honest
        peer = table.due()
        if peer is None or peer.blamed:
            # Nobody knows what to say: doubts are held against their sender in time.
            table.tick(DOUBT_S / 2)
        else:
            table.play(peer.seat, patient(table, peer, target))
        table.deliver()
    raise AssertionError("nobody was caught")


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("name", CHEATS)
def test_every_cheat_is_blamed_on_the_bot_by_its_own_check(name: str, seats: int) -> None:
    preset = "advanced" if seats == 3 else "classic"
    target = CHEATER if name == "false-miss" else None
    for peer in play_until_caught(table_with_cheater(name, seats, preset), target):
        blamed = peer.blamed
        assert blamed is not None
        assert (blamed.seat, blamed.proved) == (CHEATER, name not in UNPROVED)
        assert blamed.check in CHEATS[name].checks
        verdict = verify_log(peer.log_bytes)
        if name in UNPROVED:
            assert verdict.status is Status.UNFINISHED
            assert [note.seat for note in verdict.notes] == [CHEATER]
        else:
            assert (verdict.status, verdict.blamed) == (Status.VOID, (blamed,))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_faces_leave_a_file_that_convicts_the_key_by_itself(seats: int, tmp_path: Path) -> None:
    table = table_with_cheater("two-faces", seats, "standard")
    for peer in play_until_caught(table):
        ((seat, data),) = peer.evidence
        file = tmp_path / f"{peer.seat}.evidence"
        file.write_bytes(data)
        finding = examine(str(file))
        assert (seat, finding.proof) == (CHEATER, Proof.EVIDENCE)
        assert finding.accused is not None
        assert finding.accused.key == table.who[CHEATER].public


def test_other_cheats_leave_no_evidence_of_double_speaking() -> None:
    for peer in play_until_caught(table_with_cheater("stacked-deck", 2, "standard")):
        assert peer.evidence == []


def test_a_bot_without_an_occasion_plays_an_honest_game() -> None:
    table = table_with_cheater("wrong-share", 2, "standard").start()
    table.deliver()
    # Only the cheater draws: whoever resigns takes no tile that it could uncover wrongly.
    while (peer := table.due()) is not None and peer.game.round.state is None:
        table.play(peer.seat, table.bot_move(peer))
        table.deliver()
    assert all(peer.blamed is None for peer in table.peers)


# --- what is told ----------------------------------------------------------------------------


def told(lang: Lang, cheat: str | None, *events: Blamed | GameOver) -> list[str]:
    table = new_table(2, seed="told").start()
    update = Update(events=events, view=view(table.peers[0].game))
    return list(aftermath(speech(Words(lang), ["ana", "bo"], 0), cheat, update))


def blame(check: str) -> Blamed:
    return Blamed(seat=1, step=3, check=check, proved=True)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", CHEATS)
def test_every_cheat_is_explained_in_both_languages(lang: Lang, name: str) -> None:
    (check, *_) = CHEATS[name].checks
    tried, caught, more = told(lang, name, blame(check))
    assert "bo" in tried
    assert tried != caught
    assert "p2p-davinci show" in more


def test_a_cheat_found_by_another_check_is_not_explained_by_the_usual_one() -> None:
    tried, _ = told("en", "false-miss", blame("chain.head"))
    assert "deny a right guess" in tried


def test_a_game_without_an_occasion_says_so() -> None:
    over = GameOver(winners=(0,), totals=(0, 0), head=bytes(32))
    (line,) = told("en", "false-miss", over)
    assert "no occasion" in line


def test_without_a_cheat_asked_for_nothing_is_explained() -> None:
    assert told("en", None, blame("sigma.equation")) == []


def test_the_evidence_is_named_with_its_path(tmp_path: Path) -> None:
    table = new_table(2, seed="told").start()
    file = tmp_path / "game.evidence"
    update = Update(events=(), view=view(table.peers[0].game), evidence=(1, file))
    (line,) = aftermath(speech(Words("en"), ["ana", "bo"], 0), None, update)
    assert str(file) in line
    assert "bo" in line
