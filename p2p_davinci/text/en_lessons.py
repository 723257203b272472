"""English: how cheating is found, for people who want to see it (``--bot-cheats``)."""

from __future__ import annotations

from collections.abc import Mapping

LESSONS: Mapping[str, str] = {
    "lesson.no_occasion": "The bot found no occasion to cheat ({cheat}) in this game. Play again.",
    "lesson.more": "Every step, with what was proved and why it convinces: p2p-davinci show LOG "
    "--explain, LOG being the file that is named when the program ends.",
    "lesson.false-miss.tried": "What {name} tried: to deny a right guess.",
    "lesson.false-miss.caught": "How it was caught: whoever says miss must prove, without showing "
    "the tile, that it is another than the one called. The proof is two equations with the masked "
    "tile in them. If the tile is the one called, no numbers at all satisfy them, so no proof of "
    "this answer exists; what {name} sent in its place did not hold.",
    "lesson.stacked-deck.tried": "What {name} tried: to hand on the tiles in an order of its own "
    "choice, instead of shuffling those that it was given.",
    "lesson.stacked-deck.caught": "How it was caught: whoever shuffles must prove, without telling "
    "the new order, that the tiles that came in went out again, each once, under new masks. These "
    "were other masked tiles, so the equations of the proof did not hold.",
    "lesson.wrong-share.tried": "What {name} tried: to uncover a drawn tile for its drawer as "
    "another tile than it is.",
    "lesson.wrong-share.caught": "How it was caught: every player takes a mask of one's own off a "
    "tile that somebody else draws, and must prove that this mask was made with the key that was "
    "published at the beginning of the round. This one was not.",
    "lesson.unsorted-row.tried": "What {name} tried: to stand its numbers in falling order.",
    "lesson.unsorted-row.caught": "How it was caught: the owner of a row seals the value of every "
    "tile, proves that the seal holds the very tile that was dealt, and proves that the sealed "
    "values rise from left to right. {name} sealed values that rise, but not those of its tiles, "
    "so the first proof did not hold; with the true values the second would not have.",
    "lesson.out-of-turn.tried": "What {name} tried: to draw a tile after its turn was over.",
    "lesson.out-of-turn.caught": "How it was caught: whose turn it is follows from what everybody "
    "has heard, and nobody can talk it away. {name} signed a message for a step in which it had "
    "nothing to say, together with the hash of all that had been said until then; that signature "
    "is the proof.",
    "lesson.two-faces.tried": "What {name} tried: to make two different guesses in one step, each "
    "for other ears if there were several.",
    "lesson.two-faces.caught": "How it was caught: in one step a player signs one message. The "
    "programs compare a hash of all that they have heard; where it differs they show each other "
    "the messages, and two different ones of one step convict whoever signed both.",
    "lesson.changed-contract.tried": "What {name} tried: to begin under other terms than those "
    "that all have agreed on.",
    "lesson.changed-contract.caught": "How it was caught: every message names the hash of the "
    "terms. That of {name} named another, so it belongs to some other game, and nobody goes on "
    "from it. It is no proof for others, as nothing was signed under these terms; so the game "
    "only stopped, and the log notes why.",
}
