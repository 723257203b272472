"""English: what is proved at each step of a game, and why it convinces (``show --explain``)."""

from __future__ import annotations

from collections.abc import Mapping

EXPLAIN: Mapping[str, str] = {
    "explain.intro": "What follows a > tells what was proved, and, the first time, why it "
    "convinces. One thing holds of every message: it is signed with its author's key and names "
    "the game, the step and a hash of all that was said before. So nobody can change, move, "
    "leave out or deny a message, and whoever has the same last hash has read the same game.",
    # what was said or proved
    "explain.commit": "{names} showed a hash of a new key and of a random number, and neither of "
    "the two.",
    "explain.open": "{names} showed key and number, and proved to know the secret half of the key.",
    "explain.shuffle": "{names} proved that the tiles that came in went out again, each once, in "
    "a new order and under new masks.",
    "explain.take": "{names} named colours only; which tiles that gives, the shuffled decks say.",
    "explain.shares.deal": "{names} took their own mask off every tile that another player "
    "holds, and proved that it was theirs.",
    "explain.shares.draw": "{names} took their own mask off the drawn tile, and proved that it "
    "was theirs. Now its drawer alone can see it.",
    "explain.arrange": "{names} proved that the row holds all the tiles that were dealt, and "
    "that they stand in order.",
    "explain.draw": "{names} took the next tile of that deck; there is nothing to prove.",
    "explain.guess": "{names} only asked; there is nothing to prove.",
    "explain.answer.hit": "{names} took the last mask off that tile, and proved that it was its "
    "mask. Everybody sees that it is the tile that was called.",
    "explain.answer.miss": "{names} proved that the tile is not the one that was called, and "
    "nothing else about it.",
    "explain.stop": "{names} only ended the turn; there is nothing to prove.",
    "explain.stop.hidden": "{names} proved that the drawn tile now stands hidden in the row, at "
    "a place where it belongs.",
    "explain.place": "{names} took the last mask off the drawn tile, and proved that it was its "
    "mask. Everybody sees whether it stands in order.",
    "explain.place.order": "{names} took the last mask off the drawn tile, proved that it was "
    "its mask, and proved that the hidden tiles beside it are lower and higher.",
    "explain.turn-up": "{names} took the last mask off a tile of the row, and proved that it was "
    "its mask.",
    "explain.overdue": "{names} showed the signed call of the clock that ended this turn.",
    "explain.overdue.hidden": "{names} showed the signed call of the clock, and proved that the "
    "drawn tile now stands hidden in the row, at a place where it belongs.",
    "explain.resign": "{names} gave the secret half of the key, so that everybody sees the row.",
    "explain.key": "{names} gave the secret half of the key, so that everybody sees the rest of "
    "the winner's row.",
    "explain.key.out": "{names} is out and gave the secret half of the key: from now on everybody "
    "can take this mask off the tiles of the pile.",
    "explain.receipt": "{names} signed the winner, the points and the hash of the whole game.",
    "explain.drop": "{names} signed, at this very moment of the game, that it goes on without "
    "the one who was silent.",
    # why it convinces
    "explain.why.seal": "Why: nobody can find two things with the same hash, so nobody can "
    "change what was sealed; and nobody can choose to fit the others, as all seal before any "
    "opens.",
    "explain.why.key": "Why: the hash of what was shown is the one that was sealed. All the "
    "random numbers together make the coin that says who begins, so one honest number makes it "
    "fair. And the secret half: its owner answers a question that is made by a hash, so that "
    "nobody could foresee it, with a number that fits an equation. Whoever does not know the "
    "secret can only guess that number; whoever sees it learns nothing of the secret.",
    "explain.why.shuffle": "Why: a tile is a number under the masks of all players together. The "
    "proof weighs all tiles, each with a number that nobody could foresee, and shows that the "
    "sum before and the sum after are the same but for the new masks. A tile that was lost, "
    "doubled or changed would upset the sum. The proof does not tell the order; and as everybody "
    "shuffles, nobody knows it unless all others tell.",
    "explain.why.take": "Why: the order of the decks is unknown to everybody, so a colour is all "
    "that can be chosen.",
    "explain.why.share": "Why: the mask of a player follows from that player's key and from the "
    "tile. The proof shows that this mask was made with the key that was published at the "
    "beginning, without showing the key. So no tile can be made another one by taking a false "
    "mask off. A tile keeps its owner's mask: the owner can see it, all others together cannot.",
    "explain.why.order": "Why: the value of each tile is sealed once, so that it cannot change "
    "later, with a proof that the seal holds what the masked tile holds. Then it is proved, "
    "digit by digit, that each sealed value is not below its left neighbour's; the digits stay "
    "secret. With jokers each tile is shown to stand by its value or to be a joker, and not "
    "which of the two.",
    "explain.why.opening": "Why: under a mask there is one tile only. The proof shows that the "
    "mask was made with the owner's key, so the owner could neither choose what would appear nor "
    "open another tile.",
    "explain.why.secret": "Why: the secret half fits the published half, which anybody can "
    "check, and with it everybody can take that player's masks off without trusting anybody. It "
    "is worth nothing after this round.",
    "explain.why.miss": "Why: the proof is two equations with the masked tile and the called one "
    "in them. If the two are the same tile, no numbers satisfy the equations; if they differ, "
    "the owner can work such numbers out. The proof shows that the owner knows them, and does "
    "not show them.",
    "explain.why.clock": "Why: the call is signed by a player who was still in, and names a "
    "moment of this very turn. How much time passed, no proof can show.",
    "explain.why.drop": "Why: all who were still needed must have signed, so no part of a table "
    "that fell apart can go on by itself; and whoever signs has promised nothing else about what "
    "the silent one may have said. That somebody was silent, no proof can show.",
    "explain.why.receipt": "Why: it is the players' own word. The result does not need it: it "
    "follows from what everybody has read.",
    # how somebody was convicted
    "explain.fault.chain.doubled": "The log holds two messages of one player for one step that "
    "say different things, both signed with that player's key. Nobody else can make such a "
    "signature, so the two alone are proof.",
    "explain.fault.chain": "The log holds a message, signed for this very step, that its author "
    "had not to say then. Who may speak follows from the steps before.",
    "explain.fault.rules": "The log holds a signed move that the rules do not allow. Anybody who "
    "knows the rules comes to the same board and sees it.",
    "explain.fault.sigma": "The log holds a signed message with a proof that does not hold: the "
    "numbers in it do not fit the equations. Somebody who speaks the truth can always make one "
    "that does.",
    "explain.fault.other": "The log holds a signed message that fails this check; anybody can "
    "make the check again.",
}
