"""English: saved games, and how to go on with them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RESUMING: Mapping[str, str] = MappingProxyType(
    {
        "cli.about.resume": """\
Usage: p2p-davinci resume [GAME] [OPTIONS]

Go on with a saved game: the latest, or the one that GAME names (its number or
table as listed by saved, or its log's name). Its other players do the same, in
any order; those who still run are found again. Bots of your own come back too.""",
        "cli.about.saved": """\
Usage: p2p-davinci saved [OPTIONS]

List the games that are not over and can be resumed by you, the latest first.
A game's log can be verified like any other.""",
        "cli.option.delete": "delete this saved game for good (number, table or name)",
        "cli.option.saved.json": "one JSON object a line for each game",
        "cli.option.resume.address": "dial this, besides looking for the other players",
        "quit.out": "Leave the program? You are out, and the others play on without you.",
        "saved.none": "There is no saved game.",
        "saved.head": "{count} {count:game is|games are} not over, the latest first:",
        "saved.game": "{number}. table {table} as {me}, with {names}; {messages} "
        "{messages:message|messages}, last at {date}. Log: {file}",
        "saved.how": "Go on: p2p-davinci resume NUMBER. Delete: p2p-davinci saved --delete NUMBER.",
        "saved.how_here": "Go on: resume and a number. Delete for good: delete and a number.",
        "saved.unknown": "No saved game is called {word}. Nothing was sent.",
        "saved.over": "That game is over, or can be gone on with no longer: its secrets are "
        "deleted. Look at it with p2p-davinci verify or p2p-davinci show, and {file}",
        "saved.several": "More than one saved game is called {word}; take its number.",
        "saved.deleted": "The saved game of table {table} is deleted.",
        "saved.not_deleted": "The saved game of table {table} could not be deleted, or not all of "
        "it: {detail}.",
        "saved.ask_delete": "Delete the saved game {word}? Without your part the others cannot go "
        "on with it either.",
        "grammar.which_saved": "Which game? Write resume or delete, and a number of the list that "
        "saved shows.",
        "resume.begins": "Going on with the game of table {table}: {names}. The others are looked "
        "for. If they have finished without you, the log of one of them shows the end: p2p-davinci "
        "verify, or show.",
        "resume.dial": "Whoever does not find you can dial you: p2p-davinci resume --address and "
        "one of {addresses}",
        "resume.mended": "The end of the files on the disk was damaged, or had not been written "
        "whole: {bytes} {bytes:byte is|bytes are} cut off. What you said is kept apart and goes "
        "out unchanged; what the others said is asked for again.",
        "resume.profile": "Another identity of yours plays that game, which this program does not "
        "hold now. Leave, and use p2p-davinci resume.",
        "resume.finished": "That game is over already; only its log is left to look at.",
        "resume.void": "That game is void: its log proves that somebody cheated.",
        "resume.stranger": "That game was played with another identity; only that one can go on.",
        "resume.log": "The log of that game is damaged ({detail}), so nothing was sent. Copy the "
        "log of another player of that game over yours, then go on: it holds the same game.",
        "resume.secrets": "The file of your secrets does not go with the log ({detail}); nothing "
        "was sent. Without it you cannot go on.",
        "resume.other": "That game cannot be resumed ({reason}).",
        "identity.held": "Another program of yours uses this identity right now ({detail}). Two "
        "programs never play one game. Close that one first.",
        "identity.missing": "The identity that plays this game is not here ({detail}). Use the "
        "folder in which it was played: --data DIR.",
        "help.saved": "saved: the games that are not over and can be gone on with.",
        "help.resume": "resume 1: go on with a saved game, by its number in the list.",
        "help.delete": "delete 1: delete a saved game for good. You are asked first.",
    }
)
