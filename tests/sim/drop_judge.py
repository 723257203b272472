"""Who can be convicted by what was signed around a silent seat."""

from __future__ import annotations

from dataclasses import replace

from protocol.ballot import DROP_KIND, backing_of, backs, is_plain
from protocol.chain import are_doubled
from protocol.envelope import Aside, Envelope, Signed

from .drop_rule import Rule
from .drop_words import Book, bits


class Judge:
    """Who can be convicted by a set of words."""

    def __init__(self, book: Book, rule: Rule) -> None:
        self.book = book
        self.rule = rule
        self._pairs: dict[tuple[int, int], bool] = {}
        self._convicted: dict[int, bool] = {}

    def convicted(self, held: int) -> bool:
        """Tell whether some words in a set show a liar."""
        if held not in self._convicted:
            words = list(bits(held))
            self._convicted[held] = any(map(self.alone, words)) or any(
                self.contradictory(one, two) for nth, one in enumerate(words) for two in words[:nth]
            )
        return self._convicted[held]

    def contradictory(self, one: int, two: int) -> bool:
        """Tell whether two words of one seat convict it."""
        if self.book.signer(one) != self.book.signer(two):
            return False
        key = (min(one, two), max(one, two))
        if key not in self._pairs:
            self._pairs[key] = self._contradictory(one, two)
        return self._pairs[key]

    def alone(self, word: int) -> bool:
        """Tell whether a vote by itself convicts its signer, in the eyes of those further on."""
        signed = self.book.words[word]
        return isinstance(signed, Aside) and signed.kind == DROP_KIND and self.rule.votes_convict

    def _contradictory(self, one: int, two: int) -> bool:
        first, second = self.book.words[one], self.book.words[two]
        if isinstance(first, Envelope) and isinstance(second, Envelope):
            same_step = first.payload.step == second.payload.step
            return same_step and first.data != second.data and are_doubled(first, second)
        return self._against(one, two) or self._against(two, one)

    def _against(self, one: int, two: int) -> bool:
        first = self.book.words[one]
        if not isinstance(first, Aside):
            return False
        beyond = first.kind == DROP_KIND and self._beyond(one, two)
        return self.rule.contradicts(first, self._sound(two), beyond=beyond)

    def _sound(self, word: int) -> Signed:
        """Return a word without a backing that convinces nobody."""
        signed = self.book.words[word]
        if all(p.seat != self.book.signer(word) and is_plain(p) for p in backing_of(signed)):
            return signed
        if isinstance(signed, Envelope):
            return replace(signed, payload=replace(signed.payload, backing=()))
        return replace(signed, backing=())

    def _beyond(self, vote: int, word: int) -> bool:
        """Whether the head of a word contains what the vote is about, and no backing of before."""
        here = self.book.places[self.book.at(vote)]
        path = self.book.places[self.book.at(word)].path()
        if here not in path or here is path[-1] or path[path.index(here) + 1].gone is not None:
            return False
        lost = self.book.lost(vote)
        between = (said for place in path[path.index(here) + 2 :] for said in place.said)
        mine = (said for said in between if self.book.signer(said) == self.book.signer(vote))
        return all(backs(self._sound(said), here.head, lost) is None for said in mine)
