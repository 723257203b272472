"""English: the help pages, and one explanation for each command."""

from __future__ import annotations

from collections.abc import Mapping

HELP: Mapping[str, str] = {
    "help.game": """A place is a seat and a slot counted from the left: 2.3, or bo 3.
A call: 2.3 = 7, 2.3 = b7, 2.3 white 7, bo 3 = joker; for a marked tile just 7, b7 or joker.
Rows: [b?] a hidden tile with a black back, [??] one whose back says nothing, w5 an open tile.
A turn: draw, then a call; after a hit another call or stop. After a miss: slot or reveal.
The deal: take, arrange. Besides: resign, clock, say, save; wait, vote, claim.
Looking: board, row, log, repeat, legal, candidates, rules; compare, then compared.
For yourself: mark, note.""",
    "help.table": """No table yet: menu, tables, open, join, name; saved, resume, delete.
For a table of your own, before you open it: players, bots, rules, option.
At a table: menu, ready, seat, youngest, option, rules, players, decline, leave.
After a game: again, leave.""",
    "help.keys": """Nothing typed: arrows choose or mark a tile, Enter takes, Esc steps back.
With something typed: Tab completes, Ctrl-P and Ctrl-N fetch earlier lines, Esc drops it.
PgUp and PgDn turn the log. Ctrl-C asks whether to leave, twice leaves.""",
    "help.always": """Always: help and a command, menu, language, tiles, theme, bell, quit.
Chinese commands work too.""",
    "help.also": "Understood alike: {words}",
    "help.guess": "2.3 = 7: name the hidden tile 2.3. Also 2.3 = b7, 2.3 white 7, 2.3 joker, bo 3 "
    "= b7; with a marked tile just the call. A dash is a joker.",
    "help.draw": "draw, draw black, draw white: take a tile from the pile; you alone see it.",
    "help.stop": "stop, stop 3: end your turn after a hit; with jokers in the game say the slot "
    "where the drawn tile will stand, face down.",
    "help.slot": "slot 3: where your drawn tile goes, counted from the left of the new row.",
    "help.reveal": "reveal 2: turn up your own hidden tile in slot 2, when a miss demands it.",
    "help.resign": "resign: turn up your whole row and leave the round. You are asked first.",
    "help.clock": "clock: call the clock on a player who has thought too long, if the table has "
    "one.",
    "help.take": "take 3 black, take 3 black 1 white, take 3 1: how many tiles of each colour you "
    "start with.",
    "help.arrange": "arrange b3 w- w5: stand your tiles in this order. No order is suggested: the "
    "others would know by which rule.",
    "help.say": "say and a text: everybody at the table reads it.",
    "help.board": "board: the pile and every row.",
    "help.row": "row, row bo, row 2: one row, your own without a name.",
    "help.repeat": "repeat: what was told last, again.",
    "help.legal": "legal: whose turn it is, and what you can type now. An empty line does the "
    "same.",
    "help.log": "log, log 30: the last lines of what happened.",
    "help.note": "note 2.3 5 or 7: a private remark that follows the tile; note 2.3 clear takes it "
    "away; note lists all.",
    "help.candidates": "candidates 2.3: what a hidden tile may still be, where the table allows "
    "it.",
    "help.mark": "mark 2.3, mark bo 3: a bare call then names this tile; mark clear takes the mark "
    "away.",
    "help.compare": "compare: the words and digits that everybody must see alike.",
    "help.compared": "compared: you have compared the words aloud.",
    "help.help": "help, help draw: the commands, or one of them.",
    "help.language": "language en, language zh: the language of the console.",
    "help.menu": "menu: what can be chosen here, by number; menu open, menu saved, menu rules, "
    "menu seats, menu away, menu look: other lists of choices.",
    "help.name": "name ana: what the others call you.",
    "help.tiles": "tiles box, tiles block, tiles ascii, tiles auto: how the screen draws tiles.",
    "help.theme": "theme dark, theme light, theme mono: the colours of the screen.",
    "help.bell": "bell on, bell off: whether the terminal sounds when it is your turn.",
    "help.quit": "quit: leave the program. You are asked first, and told what it does to the "
    "others.",
    "help.ready": "ready: you agree to seats and rules as they are shown. Any change takes it "
    "back.",
    "help.seat": "seat bo ana cy: propose the order in which you sit.",
    "help.youngest": "youngest bo, youngest nobody: mark who is the youngest and begins.",
    "help.option": "option jokers no: change one option of the rules.",
    "help.rules": "rules: every option in force; rules standard: change to a bundle of options "
    "(classic, standard, advanced, tournament).",
    "help.players": "players 3: how many players the table waits for.",
    "help.bots": "bots 1: how many players of the table you are about to open are programs.",
    "help.again": "again: another game with the same people, once this one is over.",
    "help.decline": "decline bo: send somebody away, if you opened the table. You are asked first.",
    "help.leave": "leave: stand up from the table.",
    "help.tables": "tables: look for tables on this network.",
    "help.open": "open, open NAME: open a table.",
    "help.join": "join 2: a table from the list; join HOST:PORT: one at an address.",
}
