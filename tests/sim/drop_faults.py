"""Rules about silent seats that do not hold: the search must find out each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from protocol.ballot import DROP_KIND, PROMISE_KIND, Ballot, contradicts
from protocol.envelope import Aside, Signed

from .drop_rule import Rule


class FirstEdition(Rule):
    """A later word vouches, too; who accepted late signs nothing about it and is taken back."""

    late_promises = False
    shows_backing = False
    later_words = True

    def may_accept(self, *_: object, **__: object) -> bool:
        return True

    def unreleased(self, *_: object, **__: object) -> tuple[int, ...]:
        return ()

    def follows(self, *_: object, **__: object) -> bool:
        return True

    def contradicts(self, first: Aside, second: Signed, **_: object) -> bool:
        return contradicts(first, second, beyond=False)


class FirstRepair(Rule):
    """All must promise; votes and later words convict; nobody is taken back."""

    late_promises = False
    shows_backing = False

    def may_accept(self, *_: object, **__: object) -> bool:
        return True

    def supports(self, promises: Sequence[Sequence[int]]) -> Iterable[tuple[int, ...]]:
        return product(*promises)

    def unreleased(self, *_: object, **__: object) -> tuple[int, ...]:
        return ()


class TakenBack(Rule):
    """(a) A late acceptance is not final: its seat follows a complete drop, too."""

    def follows(self, *_: object, **__: object) -> bool:
        return True

    def follows_with_proof(self, *, required: bool) -> bool:
        return required


class LostStays(Rule):
    """(b) The lost seat does not follow once it has spoken on."""

    def follows(self, ballot: Ballot, me: int, lost: int, *, further: bool) -> bool:
        return super().follows(ballot, me, lost, further=further) and not further


class LostFollowsProof(Rule):
    """(b) The lost seat follows even with a word of a required seat after its own."""

    def follows_with_proof(self, *, required: bool) -> bool:
        return not required


class LaterWordsPass(Rule):
    """(c) A vote and a later word of its signer do not convict."""

    def contradicts(self, first: Aside, second: Signed, **_: object) -> bool:
        return super().contradicts(first, second, beyond=False)


class BackedWordsConvict(Rule):
    """(c) A vote and a later word convict, backed or not."""

    def contradicts(self, first: Aside, second: Signed, *, beyond: bool) -> bool:
        return (beyond and first.kind == DROP_KIND) or super().contradicts(
            first, second, beyond=beyond
        )


class BackingHidden(Rule):
    """(c) Who accepted late does not show why in its later words."""

    shows_backing = False


class NoPromiseNeeded(Rule):
    """(d) A late message is accepted without a promise of another."""

    late_promises = False
    shows_backing = False

    def may_accept(self, *_: object, **__: object) -> bool:
        return True

    def supports(self, *_: object, **__: object) -> Iterable[tuple[int, ...]]:
        return ((),)

    def contradicts(self, first: Aside, second: Signed, **_: object) -> bool:
        return super().contradicts(first, second, beyond=False)


class BackedIsEnough(Rule):
    """(d) A promise that is itself backed is enough to accept a late message."""

    backed_is_enough = True

    def may_accept(self, *_: object, **__: object) -> bool:
        return True


class AllPromisesNeeded(Rule):
    """(d) A late message needs plain promises of all: two who have voted wait for ever."""

    def supports(self, promises: Sequence[Sequence[int]]) -> Iterable[tuple[int, ...]]:
        return product(*promises)


class LateVotesConvict(Rule):
    """(e) A vote that comes after others have gone further convicts."""

    votes_convict = True


class NoRelease(Rule):
    """(f) Who accepted late signs on at once."""

    def unreleased(self, *_: object, **__: object) -> tuple[int, ...]:
        return ()


class Turncoats(Rule):
    """Who has voted and makes a plain promise in spite of that is not convicted."""

    def contradicts(self, first: Aside, second: Signed, *, beyond: bool) -> bool:
        here = isinstance(second, Aside) and second.head == first.head
        mixed = isinstance(second, Aside) and {first.kind, second.kind} == {DROP_KIND, PROMISE_KIND}
        return not (here and mixed) and super().contradicts(first, second, beyond=beyond)


class TwoVotesPass(Rule):
    """Votes about two seats at one head do not convict."""

    def contradicts(self, first: Aside, second: Signed, *, beyond: bool) -> bool:
        votes = isinstance(second, Aside) and first.kind == second.kind == DROP_KIND
        here = isinstance(second, Aside) and second.head == first.head
        return not (here and votes) and super().contradicts(first, second, beyond=beyond)


class TwoPromisesPass(Rule):
    """Promises to stand by two messages of one seat do not convict."""

    def contradicts(self, first: Aside, second: Signed, *, beyond: bool) -> bool:
        promises = isinstance(second, Aside) and first.kind == second.kind == PROMISE_KIND
        return not promises and super().contradicts(first, second, beyond=beyond)


class Forgetful(Rule):
    """A crash takes votes and promises from a seat."""

    forgets = True
