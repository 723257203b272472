"""English: tiles, turns, what happened and what is due."""

from __future__ import annotations

from collections.abc import Mapping

PLAY: Mapping[str, str] = {
    # parts of sentences
    "you": "you",
    "nobody": "nobody",
    "nameless": "nameless",
    "comma": ", ",
    "space": " ",
    "colour.black": "black",
    "colour.white": "white",
    "joker": "joker",
    "joker.black": "black joker",
    "joker.white": "white joker",
    "tile.black": "black {number}",
    "tile.white": "white {number}",
    "back.any": "a tile",
    "back.black": "a black tile",
    "back.white": "a white tile",
    "pile.one_deck": "{left} {left:tile|tiles} left in the pile",
    "pile.two_decks": "{left} {left:tile|tiles} left in the pile ({black} black, {white} white)",
    # the deal
    "step.commit": "Sealing the keys",
    "step.open": "Opening the keys",
    "step.shuffle": "Shuffling",
    "step.take": "Choosing colours",
    "step.shares": "Uncovering tiles for their owners",
    "step.arrange": "Standing the tiles",
    "step.draw": "to draw a tile",
    "step.guess": "to name a tile",
    "step.answer": "to answer a guess",
    "step.more": "to guess again or stop",
    "step.place": "to place the drawn tile",
    "step.turn-up": "to turn up a tile",
    "step.key": "to give the key of this round",
    "step.receipt": "Signing the result",
    "step.other": "step {reason}",
    "progress": "{step}: {done} of {total} done.",
    "waiting": "Waiting for {names}.",
    "wait.setup": "{step}: waiting for {names}.",
    "wait.long": "Still waiting for {names} ({step}), {seconds} {seconds:second|seconds} now.",
    "dealt": "Your tiles: {tiles}. Only you see them.",
    "begun.you": "Round {number} of {rounds}. You begin.",
    "begun.other": "Round {number} of {rounds}. {name} begins.",
    "begun.single.you": "The tiles stand. You begin.",
    "begun.single.other": "The tiles stand. {name} begins.",
    "begun.extra.you": "The totals are equal: an extra round. You begin.",
    "begun.extra.other": "The totals are equal: an extra round. {name} begins.",
    # facts
    "drew": "You drew {tile}. Only you see it.",
    "fact.drawn.you": "You take {what}; {pile}. The others' programs uncover it for you alone.",
    "fact.drawn.other": "{name} draws {what}; {pile}.",
    "fact.guessed.you": "You guess {owner}'s tile {place}: {call}.",
    "fact.guessed.other": "{name} guesses {owner}'s tile {place}: {call}.",
    "fact.guessed_mine.you": "You guess your own tile {place}: {call}.",
    "fact.guessed_mine.other": "{name} guesses your tile {place}: {call}.",
    "fact.must_answer.you": "Your program answers by itself, truthfully.",
    "fact.must_answer.other": "{name}'s answer is awaited.",
    "fact.ruled": "No colour was named: by this table's rule that is a miss. It says nothing about "
    "the tile.",
    "fact.hit.you": "Hit: your tile {place} was {tile}. It lies open now.",
    "fact.hit.other": "Hit: {name}'s tile {place} is {tile}. It lies open now.",
    "fact.miss.you": "Miss: your tile {place} is not {call}.",
    "fact.miss.other": "Miss: {name}'s tile {place} is not {call}.",
    "fact.stopped.you": "You stop.",
    "fact.stopped.other": "{name} stops.",
    "fact.stopped_at.you": "You stop. Your drawn tile stands at {place}, face down.",
    "fact.stopped_at.other": "{name} stops. The drawn tile stands at {place}, face down.",
    "fact.placed.you": "Your drawn tile lies open at {place}: {tile}.",
    "fact.placed.other": "{name}'s drawn tile lies open at {place}: {tile}.",
    "fact.revealed.you": "You turn up your tile {place}: {tile}.",
    "fact.revealed.other": "{name} turns up a tile of the own row, {place}: {tile}.",
    "fact.overran.you": "Your time is up.",
    "fact.overran.other": "{name}'s time is up.",
    "fact.overran_draw.you": "Your time is up before you drew: {what} is drawn for you and counts "
    "as missed.",
    "fact.overran_draw.other": "{name}'s time is up before the draw: {what} is drawn and counts as "
    "missed.",
    "fact.overran_stop.you": "Your time is up: the turn ends, and your drawn tile stands at "
    "{place}, face down.",
    "fact.overran_stop.other": "{name}'s time is up: the turn ends, and the drawn tile stands at "
    "{place}, face down.",
    "fact.resigned.you": "You resign. Your row lies open: {tiles}.",
    "fact.resigned.other": "{name} resigns. The row lies open: {tiles}.",
    "fact.resigned_drawn.you": "Your drawn tile, {tile}, joins it.",
    "fact.resigned_drawn.other": "{name}'s drawn tile, {tile}, joins it.",
    "fact.awarded.you": "Your row is opened and its standing numbers count for you: {tiles}.",
    "fact.awarded.other": "{name}'s row is opened and its standing numbers count: {tiles}.",
    "resign.waits": "Your resignation goes out as soon as your program may speak: with the next "
    "draw, or when it is your turn.",
    "out.you": "All your tiles lie open: you are out. You may watch to the end.",
    "out.other": "All of {name}'s tiles lie open: {name} is out.",
    "pile.closed.reveal": "From now on nobody draws, and whoever misses turns up one of the own "
    "tiles.",
    "pile.closed.pass": "From now on nobody draws, and a miss only ends the turn.",
    "pile.empty.reveal": "The pile is empty. From now on nobody draws, and whoever misses turns up "
    "one of the own tiles.",
    "pile.empty.pass": "The pile is empty. From now on nobody draws, and a miss only ends the "
    "turn.",
    "said.you": "You say: {text}",
    "said.other": "{name} says: {text}",
    "said.manners": "This table plays by real-life manners: please do not discuss your deductions.",
    # clock
    "clock_called.you": "The clock was called on you by {by}: {seconds} {seconds:second|seconds} "
    "to play. After that the turn counts as a miss, or ends if you had hit.",
    "clock_called.other": "The clock was called on {name} by {by}: {seconds} "
    "{seconds:second|seconds} from now.",
    "clock_ignored.you": "Your program let a called clock run out without ending your turn.",
    "clock_ignored.other": "The clock of {name} ran out, but that program did not end the turn. "
    "Nobody can prove times; talk about it, or leave.",
    "clock.rule": "Time to think: {think} {think:second|seconds}; then anybody may call the clock, "
    "which leaves {call}.",
    # the end
    "round_over.you": "Round {number} is over. You win it.",
    "round_over.other": "Round {number} is over. {name} wins it.",
    "points.one": "{name} {points}",
    "points.round": "Points of this round: {points}.",
    "points.total": "Points in all: {points}.",
    "game_over.you": "The game is over. You win.",
    "game_over.other": "The game is over. {name} wins.",
    "game_over.nobody": "The game is over. Nobody wins.",
    "game_over.shared": "The game is over. The win is shared: {names}.",
    "game_over.head": "All programs must show the same final check: {head}.",
    # what is due
    "ask.take": "You take {count} tiles, unseen. Say how many of them are black: take 2 black.",
    "ask.arrange": "Stand your tiles: {tiles}. Numbers ascend; a joker may stand anywhere. Type "
    "arrange and all of them in your order.",
    "ask.draw": "Your turn. Draw a tile; {pile}.",
    "ask.guess": "Your turn. You drew {tile}; only you see it. Name a hidden tile of another "
    "player.",
    "ask.guess_empty": "Your turn. Nothing is left to draw. Name a hidden tile of another player.",
    "ask.more": "Guess again, or stop. If you stop, your {tile} joins your row face down; if you "
    "guess and miss, it lies open.",
    "ask.more_slot": "Guess again, or stop and say where your {tile} will stand, face down "
    "(possible: {slots}). If you guess and miss, it lies open.",
    "ask.more_empty.reveal": "Guess again, or stop. If you guess and miss, you must turn up one of "
    "your own tiles.",
    "ask.more_empty.pass": "Guess again, or stop. If you guess and miss, your turn ends.",
    "ask.place": "You missed. Your {tile} goes face up into your row; say where (possible: "
    "{slots}).",
    "ask.reveal": "You missed, and there was no drawn tile to lose. Turn up one of your own hidden "
    "tiles (possible: {slots}).",
    "turn.draw.other": "{name}'s turn: {name} must draw a tile.",
    "turn.guess.other": "{name}'s turn: {name} must name a tile.",
    "turn.more.other": "{name} may guess again or stop.",
    "turn.place-up.other": "{name} missed and must place the drawn tile face up.",
    "turn.reveal.other": "{name} missed and must turn up one of the own tiles.",
    "legal": "You can type: {forms}. For everything else: help.",
    "legal.none": "Nothing is due from you now. You can type: board, row, log, say, help, quit.",
    "legal.lobby": "You can type: menu, ready, seat, youngest, option, rules, players, decline, "
    "leave, help, quit.",
    "legal.hall": "You can type: menu, tables, open, join 1, join HOST:PORT, help, quit.",
    "legal.resumed": "You can type: leave, board, help, quit.",
    "legal.over": "You can type: again, leave, board, help, quit.",
    "form.take": "take 2 black",
    "form.arrange": "arrange and your tiles in order",
    "form.draw": "draw",
    "form.draw_colour": "draw {colour}",
    "form.guess.number": "2.3 = 7",
    "form.guess.colour": "2.3 = b7",
    "form.joker": "2.3 = joker",
    "form.stop": "stop",
    "form.stop_slot": "stop {slots}",
    "form.slot": "slot {slots}",
    "form.reveal": "reveal {slots}",
    "form.resign": "resign",
    "form.save": "save",
    "form.clock": "clock",
    "form.help": "help",
    # the board
    "board.head.you": "Turn {turn}: you. {pile}.",
    "board.head.other": "Turn {turn}: {name}. {pile}.",
    "board.over.you": "The rows at the end; you won.",
    "board.over.other": "The rows at the end; {name} won.",
    "board.row.you": "{seat} {name} (you), {status}:",
    "board.row.other": "{seat} {name}, {status}:",
    "board.in": "{standing} of {tiles} hidden",
    "board.out": "out",
    "board.drawn": "drawn {tile}",
    "log.empty": "Nothing has happened yet.",
    "log.real_life": "This table plays by real-life manners: only this turn and the one before it "
    "can be looked up.",
    "note.kept": "Noted at {place}, for you alone: {text}",
    "note.cleared": "No note at {place} any more.",
    "note.is": "{place}: {text}",
    "note.none": "No notes.",
    "candidates.are": "{place}, from what you can see, may still be: {tiles}",
    "candidates.none": "{place}: nothing fits what you can see.",
    "mark.set": "Marked: {place}. A bare call (7, b7, joker) now names this tile.",
    "mark.cleared": "No tile is marked.",
    "compare": "Compare aloud with everybody: {words} / {digits}",
    "compare.why": "All must see the same words and digits; if not, somebody sits between you: "
    "stop. Type compared when you have done it. Until then: not compared.",
    "compare.done": "Compared: these are the people you spoke with.",
    "language.set": "The console speaks English now.",
    # links
    "link.elsewhere.other": "{name} is connected, but plays another game. This one waits until "
    "{name} has resumed it.",
    "link.down.other": "The connection to {name} is lost. The program keeps calling; nothing is "
    "lost, and the game goes on when {name} is back.",
    "link.left.other": "{name} has left the game. It is saved here, and goes on if {name} comes "
    "back and resumes it.",
    "link.left_out.other": "{name}, who is out, has closed the program. The game goes on.",
    "link.up.other": "{name} is connected again.",
    "link.quiet.other": "Nothing heard from {name} for {seconds} {seconds:second|seconds}.",
    "link.heard.other": "{name} is heard again.",
}
