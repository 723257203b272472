"""Cheats before the deal: commitments, keys and shuffles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from p2p_davinci.session import setup
from p2p_davinci.session.messages import Body, deck_field, join, read_body
from p2p_davinci.session.state import Round
from protocol import (
    Ciphertext,
    Payload,
    Point,
    as_array,
    as_bytes,
    decode_deck,
    generate_secret,
    prove_key,
    prove_shuffle,
    public_key,
    shuffle_deck,
    start_deck,
)
from protocol.group import edwards25519
from tests.support.cheating import (
    Cheat,
    Scene,
    expect_found_out,
    expect_twin_passes,
    scene_at,
)
from tests.support.crypto import TORSION
from tests.support.recorded import Moment, recording
from tests.support.table import seeded


def moment(kind: str, seat: int = 1, preset: str = "standard") -> Callable[[], Moment]:
    return lambda: recording(preset).find(kind, seat=seat)


def said_by(seat: int, kind: str) -> Body:
    return read_body(recording("standard").find(kind, seat=seat).payload.body)


# --- opening ---------------------------------------------------------------------------------


def another_key(scene: Scene) -> Payload:
    secret = generate_secret(seeded("another key"))
    fields = (scene.me.secrets.nonce, public_key(secret))
    tag = scene.round.tag(scene.seat, "open.key", fields)
    return scene.says(Body(fields=fields, proofs=(prove_key(secret, tag, seeded(0)),)))


def proved_elsewhere(scene: Scene, label: str, index: int) -> Payload:
    tag = scene.round.tag(scene.seat, label, scene.body.fields, index)
    return scene.with_proofs(prove_key(scene.me.secrets.key, tag, seeded(0)))


OPENING = [
    Cheat(
        name="no commitment",
        moment=moment("commit"),
        says=lambda scene: scene.with_field(0, b""),
        check="commit.shape",
    ),
    Cheat(
        name="nonce changed late",
        moment=moment("open"),
        says=lambda scene: scene.with_field(0, bytes(32)),
        check="commit.mismatch",
    ),
    Cheat(
        name="key changed late",
        moment=moment("open"),
        says=another_key,
        check="commit.mismatch",
    ),
    Cheat(
        name="somebody else's nonce, key and proof",
        moment=moment("open"),
        says=lambda scene: scene.says(said_by(0, "open")),
        check="commit.mismatch",
    ),
    Cheat(
        name="no proof of the key",
        moment=moment("open"),
        says=lambda scene: scene.with_proofs(),
        check="open.shape",
    ),
    Cheat(
        name="empty proof of the key",
        moment=moment("open"),
        says=lambda scene: scene.with_proofs(b""),
        check="sigma.length",
    ),
    Cheat(
        name="somebody else's proof",
        moment=moment("open"),
        says=lambda scene: scene.with_proofs(*said_by(0, "open").proofs),
        check="sigma.equation",
    ),
    Cheat(
        name="proof for another purpose",
        moment=moment("open"),
        says=lambda scene: proved_elsewhere(scene, "opening", 0),
        check="sigma.equation",
    ),
    Cheat(
        name="proof under another index",
        moment=moment("open"),
        says=lambda scene: proved_elsewhere(scene, "open.key", 1),
        check="sigma.equation",
    ),
    Cheat(
        name="no key at all",
        moment=moment("open"),
        says=lambda scene: scene.with_field(1, edwards25519.identity),
        check="point.identity",
    ),
    Cheat(
        name="key of small order",
        moment=moment("open"),
        says=lambda scene: scene.with_field(1, TORSION[8]),
        check="point.encoding",
    ),
]


# --- shuffling -------------------------------------------------------------------------------

Meddle = Callable[[Scene, tuple[Ciphertext, ...]], Sequence[Ciphertext]]


def shuffled_with(meddle: Meddle) -> Callable[[Scene], Payload]:
    """Shuffle for real, meddle with the result, and prove as if nothing had happened."""

    def says(scene: Scene) -> Payload:
        key, me, decks = joint_key(scene), scene.me, scene.round.decks
        done = [shuffle_deck(deck, key, me.entropy) for deck in decks]
        changed = [replace(s, deck=tuple(meddle(scene, s.deck))) for s, _ in done]
        fields = tuple((deck_field(s.deck), join(s.commitments)) for s in changed)
        proofs = tuple(
            prove_shuffle(
                key,
                decks[k],
                changed[k],
                witness,
                scene.round.tag(scene.seat, "shuffle", fields, k),
                me.entropy,
            )
            for k, (_, witness) in enumerate(done)
        )
        return scene.says(Body(fields=fields, proofs=proofs))

    return says


def joint_key(scene: Scene) -> Point:
    joint = scene.round.joint
    assert joint is not None
    return joint


def stacked(scene: Scene, deck: tuple[Ciphertext, ...]) -> Sequence[Ciphertext]:
    """Put a deck of one's own in the place of the shuffled one."""
    (codes,) = scene.round.codes
    return start_deck(codes, joint_key(scene))


def all_equal(scene: Scene, deck: tuple[Ciphertext, ...]) -> Sequence[Ciphertext]:
    return start_deck([1] * len(deck), joint_key(scene))


def with_a_copy(_scene: Scene, deck: tuple[Ciphertext, ...]) -> Sequence[Ciphertext]:
    return (deck[1], *deck[1:])


def swapped(_scene: Scene, deck: tuple[Ciphertext, ...]) -> Sequence[Ciphertext]:
    return (deck[1], deck[0], *deck[2:])


def with_new_deck(
    change: Callable[[tuple[Ciphertext, ...]], Sequence[Ciphertext]],
) -> Callable[[Scene], Payload]:
    """Change the deck in the honest message, and leave its proof as it is."""

    def says(scene: Scene) -> Payload:
        ((blob, commitments),) = (as_array(f, "field", length=2) for f in scene.body.fields)
        data = as_bytes(blob, "deck")
        deck = change(decode_deck(data, len(data) // 64))
        return scene.with_fields((deck_field(tuple(deck)), commitments))

    return says


def under_another_key(scene: Scene) -> Payload:
    own = public_key(scene.me.secrets.key)
    return scene.says(setup.make_shuffle(replace(scene.round, joint=own), scene.me))


def proofs_swapped(scene: Scene) -> Payload:
    return scene.with_proofs(*reversed(scene.body.proofs))


def one_deck_twice(scene: Scene) -> Payload:
    """Show the black deck's shuffle for the white one, too."""
    return scene.says(
        replace(
            scene.body,
            fields=(scene.body.fields[0],) * 2,
            proofs=(scene.body.proofs[0],) * 2,
        )
    )


SHUFFLING = [
    Cheat(
        name="stacked deck",
        moment=moment("shuffle"),
        says=shuffled_with(stacked),
        check="sigma.equation",
    ),
    Cheat(
        name="all tiles equal",
        moment=moment("shuffle"),
        says=shuffled_with(all_equal),
        check="sigma.equation",
    ),
    Cheat(
        name="a tile twice",
        moment=moment("shuffle"),
        says=shuffled_with(with_a_copy),
        check="sigma.equation",
    ),
    Cheat(
        name="two tiles swapped before the proof",
        moment=moment("shuffle"),
        says=shuffled_with(swapped),
        check="sigma.equation",
    ),
    Cheat(
        name="two tiles swapped after the proof",
        moment=moment("shuffle"),
        says=with_new_deck(lambda deck: (deck[1], deck[0], *deck[2:])),
        check="sigma.equation",
    ),
    Cheat(
        name="a tile dropped",
        moment=moment("shuffle"),
        says=with_new_deck(lambda deck: deck[1:]),
        check="point.length",
    ),
    Cheat(
        name="a tile added",
        moment=moment("shuffle"),
        says=with_new_deck(lambda deck: (*deck, deck[0])),
        check="point.length",
    ),
    Cheat(
        name="under another key",
        moment=moment("shuffle"),
        says=under_another_key,
        check="sigma.equation",
    ),
    Cheat(
        name="the shuffle of the seat before, again",
        moment=moment("shuffle"),
        says=lambda scene: scene.says(said_by(0, "shuffle")),
        check="sigma.equation",
    ),
    Cheat(
        name="no proof",
        moment=moment("shuffle"),
        says=lambda scene: scene.with_proofs(b""),
        check="point.length",
    ),
    Cheat(
        name="proof strings missing",
        moment=moment("shuffle"),
        says=lambda scene: scene.with_proofs(),
        check="shuffle.shape",
    ),
    Cheat(
        name="the proofs of two decks swapped",
        moment=moment("shuffle", preset="classic"),
        says=proofs_swapped,
        check="sigma.equation",
    ),
    Cheat(
        name="one colour for both",
        moment=moment("shuffle", preset="classic"),
        says=one_deck_twice,
        check="sigma.equation",
    ),
]

CHEATS = OPENING + SHUFFLING


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_a_cheat_before_the_deal_is_found_out(cheat: Cheat) -> None:
    expect_found_out(cheat)


@pytest.mark.parametrize("cheat", CHEATS, ids=str)
def test_the_honest_message_passes(cheat: Cheat) -> None:
    expect_twin_passes(cheat)


def test_a_shuffle_that_is_meddled_with_not_at_all_passes() -> None:
    (cheat,) = (c for c in SHUFFLING if c.name == "stacked deck")
    scene = cheat.scene
    scene.tell(shuffled_with(lambda _, deck: deck)(scene))
    scene.expect_accepted()


# --- who begins ------------------------------------------------------------------------------


def opened_with(seed: int) -> Round:
    """The round after the last one to open has proved its key with these nonces."""
    scene = scene_at(moment("open")())
    scene.table.tamper = lambda sender, _to, data: None if sender == scene.seat else data
    tag = scene.round.tag(scene.seat, "open.key", scene.body.fields)
    scene.tell(scene.with_proofs(prove_key(scene.me.secrets.key, tag, seeded(seed))))
    scene.table.deliver()
    return scene.others[0].game.round


def test_who_opens_last_cannot_choose_who_begins_by_choosing_its_proof() -> None:
    """A key has many proofs, and each makes another head; who begins hangs on the nonces alone."""
    rounds = [opened_with(seed) for seed in range(4)]
    assert len({round_.head_before(2) for round_ in rounds}) == 4
    assert len({round_.first for round_ in rounds}) == 1
    assert rounds[0].first is not None
