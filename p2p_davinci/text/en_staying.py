"""English: somebody falls silent, and what the others can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

STAYING: Mapping[str, str] = MappingProxyType(
    {
        "help.vote": "vote, vote bo: go on without a player who has been silent for too long. All "
        "others must agree; you are asked first.",
        "help.wait": "wait: give a silent player as much time once more.",
        "help.claim": "claim: claim the game when the only other player left is silent.",
        "help.save": "save: stop here; the game can be resumed another time by the same players.",
        "check.drop": "It voted to go on without somebody, and signed otherwise as well.",
        "silent.long.you": "The others have been waiting for you for {seconds} "
        "{seconds:second|seconds}.",
        "silent.long.other": "{name} has been silent for {seconds} {seconds:second|seconds}. It "
        "usually helps to wake that computer, or to bring it back into the network: the game then "
        "goes on by itself.",
        "silent.left": "{name} has left. The game goes on if {name} comes back and resumes it.",
        "silent.choice.vote.you": "The others may go on without you.",
        "silent.choice.vote.other": 'Your choice: "wait", "vote" to go on without {name} (all '
        "others must agree; then the pile is closed and {name}'s hidden tiles are out of play), "
        'or "save" to stop and resume later.',
        "silent.choice.claim.you": "The other one may claim the game.",
        "silent.choice.claim.other": 'Your choice: "wait", "save" to stop and resume later, or '
        '"claim" the game, since {name} is the only other player left. The log will say that it '
        "was claimed, not won.",
        "silent.choice.wait.you": "The others can only wait, or stop.",
        "silent.choice.wait.other": 'Your choice: "wait", or "save" to stop and resume later. '
        "There is no going on without {name} now.",
        "silent.voted.you": "You signed to go on without {lost}. Still needed: {names}.",
        "silent.voted.other": "{name} signed to go on without {lost}. Still needed: {names}.",
        "silent.voted_last.you": "You signed to go on without {lost}, as all others have.",
        "silent.voted_last.other": "{name} signed to go on without {lost}, as all others have.",
        "silent.promised.you": "Your program has a message of {lost} that others lack, and stands "
        "by it: nobody goes on without {lost}.",
        "silent.promised.other": "{name} has a message of {lost} that others lack, and stands by "
        "it: nobody goes on without {lost}.",
        "silent.promise": "A message arrived after somebody had voted to play on without its "
        "sender. {name} has not confirmed it yet, and the game waits for that.",
        "silent.unreachable": "{names} must agree as well, and cannot be reached now. Until then "
        "you can only wait, or save and stop.",
        "silent.waiting": "You wait. You will be asked again if the silence lasts.",
        "silent.nobody": "The game waits for nobody who has been silent for too long; there is "
        "nothing to choose now.",
        "silent.not_awaited": "The game does not wait for {name} now, so it can go on without a "
        "choice about {name}. You are asked if that changes.",
        "slip.vote": "Go on without {name}? All others must agree; nobody can open the hidden "
        "tiles of {name} or the pile after that. It cannot be taken back.",
        "slip.claim": "Claim the game? It ends here, and the log calls it claimed.",
        "slip.save": "Stop here? The others are told; the game can be resumed with all players.",
        "fact.dropped.you": "The others went on without you: your hidden tiles are out of play. "
        "You may watch to the end.",
        "fact.dropped.other": "The game goes on without {name}: the hidden tiles of {name} are out "
        "of play, an open guess at them is void, and nobody scores for them. Without that key the "
        "pile cannot be opened, so it is closed.",
        "board.dropped": "silent, out of play",
        "halted.saved": "You stopped the game. It is saved, and can be resumed with the same "
        "players.",
        "halted.claimed": "The game was claimed by {name}, because the only other player left was "
        "silent. No key was given away.",
        "refused.no_vote": "There is no voting without that player now: nobody is silent for too "
        "long, fewer than three are still in, or you have signed otherwise.",
        "refused.promises": "A message that you had voted about arrived after all. Your program "
        "waits until {names} confirm it; that takes a moment if they are there.",
        "refused.no_claim": "The game can be claimed only when the one other player left has been "
        "silent for too long.",
        "illegal.already_dropped": "The game goes on without {name} already.",
        "illegal.too_few": "At least two others must still be in to play on without somebody.",
    }
)
