"""English: the program itself, from its start to its last line."""

from __future__ import annotations

from collections.abc import Mapping

APP: Mapping[str, str] = {
    "app.opened": "Table {table} is open. Others find it by themselves, or join it at: {address}",
    "app.opened_nowhere": "Table {table} is open, but this machine has no address at which others "
    "could join it.",
    "app.opened_again": "{name} has opened the table once more: type again to sit down.",
    "app.opened_for_bots": "Table {table} is open for you and your bots, on this machine only.",
    "app.searching": "Looking for a table on this network.",
    "app.none_found": "No table was found in this time. Nothing was sent to anybody. Open one with "
    "p2p-davinci open, or join by address: p2p-davinci join HOST:PORT.",
    "app.several": "More than one table could be meant, so you have joined none. Say which.",
    "app.input_over": "The input has ended, so you leave.",
    "app.saved": "The game is saved. Go on with it: p2p-davinci resume.",
    "app.saved_out": "You are out, so the others play on without you. Watch the end: p2p-davinci "
    "resume, as long as one of them is there; later p2p-davinci show, with the log of one of them.",
    "app.no_table": "The program at {address} is at no table yet. Ask its player to open one.",
    "app.seated_already": "You are at a table already; leave it first. Nothing was sent.",
    "app.bot_died": "A bot ended before the game began. What it said is in {folder}.",
    "app.verified": "This program has verified the whole log once more, as anybody can: {verdict}.",
    "app.verdict.finished": "valid and finished",
    "app.verdict.claimed": "valid, and ended by a claim",
    "app.verdict.convicted": "valid and finished, and it proves who cheated",
    "app.verdict.unfinished": "valid but unfinished",
    "app.verdict.void": "void, and it proves who cheated",
    "app.verdict.invalid": "not valid",
    "app.evidence": "What {name} said twice and signed twice is kept in {path}. It convicts that "
    "key without the rest of the game: anybody can check it with p2p-davinci verify.",
    "app.no_log": "No game was begun, so there is no log.",
    "app.disk": "The game stopped, because its files cannot be written ({detail}). Nothing was "
    "sent that is not on the disk. Make room first.",
    "app.verifying": "One moment: the log of this game is still being verified.",
    "app.log_path": "The log of the game: {path}",
    "app.not_kept": "Your wish could not be kept for the next time ({detail}).",
    "app.wants_again": "{name} would like another game: type again.",
    "app.awaits_opener": "You would like another game. The one who opened the table must want one, "
    "too.",
    "app.opener_gone": "The one who opened the table is not there any more. Open a table yourself.",
    "app.no_rematch": "This game was resumed, so there is no table to go back to. Type leave, then "
    "open.",
    "app.no_game": "No game is being played yet. Nothing was sent.",
}
