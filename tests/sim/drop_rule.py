"""The rule that the search goes by: the protocol's own functions, one method for each question.

A test may break one of them and see the search find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from protocol.ballot import (
    Ballot,
    contradicts,
    may_accept,
    may_vote,
    owes_promise,
    unreleased,
)
from protocol.chain import Chain
from protocol.envelope import Aside, Envelope, Signed


class Rule:
    """What an honest seat goes by, and what convicts."""

    late_promises = True
    """Whether a seat that accepts late signs that it does."""
    shows_backing = True
    """Whether it shows why in what it signs later."""
    later_words = False
    """Whether a later word of another is as good as a promise."""
    backed_is_enough = False
    """Whether a backed promise is as good as a plain one."""
    votes_convict = False
    """Whether a vote convicts its signer once others have gone further."""
    forgets = False
    """Whether a crash takes from a seat what it has voted and promised."""

    def may_vote(self, ballot: Ballot, chain: Chain, me: int, lost: int) -> bool:
        return may_vote(ballot, chain, me, lost)

    def owes_promise(
        self, ballot: Ballot, me: int, accepted: Mapping[int, Envelope]
    ) -> tuple[int, ...]:
        return owes_promise(ballot, me, accepted)

    def may_accept(self, ballot: Ballot, me: int, lost: int, digest: bytes) -> bool:
        return may_accept(ballot, me, lost, digest)

    def supports(self, promises: Sequence[Sequence[int]]) -> Iterable[tuple[int, ...]]:
        """Yield which words of others a late acceptance is tried with, from theirs by seat."""
        return ((word,) for words in promises for word in words)

    def unreleased(self, ballot: Ballot, me: int) -> tuple[int, ...]:
        return unreleased(ballot, me)

    def follows(self, ballot: Ballot, me: int, lost: int, *, further: bool) -> bool:
        """Tell whether a seat follows a drop of which it has all votes, and no contradiction.

        ``further`` tells that it has closed the step.
        """
        return me not in ballot.required(lost) or (not further and ballot.late(me) is None)

    def follows_with_proof(self, *, required: bool) -> bool:
        """Tell whether a seat follows a drop although it holds a contradiction.

        ``required`` tells that its own vote was needed.
        """
        del required
        return False

    def contradicts(self, first: Aside, second: Signed, *, beyond: bool) -> bool:
        return contradicts(first, second, beyond=beyond)
