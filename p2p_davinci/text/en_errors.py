"""English: refusals, slips, faults, and why something stopped."""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, str] = {
    "nothing_sent": "Nothing was sent.",
    # moves that the rules refuse
    "illegal.draw_first": "You must draw a tile first.",
    "illegal.guess_first": "You must name a tile first; one guess a turn is compulsory.",
    "illegal.answer_first": "A guess is waiting for its answer.",
    "illegal.guess_or_stop": "You hit: guess again, or stop.",
    "illegal.place_first": "The drawn tile must first be placed face up.",
    "illegal.reveal_first": "One of your own tiles must first be turned up.",
    "illegal.over": "The round is over.",
    "illegal.not_your_turn": "It is not your turn.",
    "illegal.already_out": "You are out of this round.",
    "illegal.no_clock": "This table plays without a clock.",
    "illegal.own_clock": "You cannot call the clock on yourself.",
    "illegal.clock_early": "Too early: {seconds} {seconds:second|seconds} of thinking time are "
    "left.",
    "illegal.clock_called": "The clock has been called already.",
    "illegal.no_award": "There is nothing to count now.",
    "illegal.no_such_deck": "There is no such pile.",
    "illegal.pile_empty": "The pile is empty: nothing is drawn, name a tile right away.",
    "illegal.colour_used_up": "No {colour} tile is left in the pile; draw the other colour.",
    "illegal.deck_needed": "A pile to draw from must be named.",
    "illegal.deck_unwanted": "The tile of this turn has been drawn already.",
    "illegal.no_such_seat": "There is no seat {seat} at this table.",
    "illegal.own_tile": "That is your own row; point at another player's tile.",
    "illegal.out": "{name} is out; point at a player who is still in.",
    "illegal.no_such_slot": "There is no tile {place}: that row has {tiles} {tiles:tile|tiles}.",
    "illegal.face_up": "{place} lies open already: {tile}. Point at a hidden tile.",
    "illegal.no_such_tile": "{tile} is not in this game.",
    "illegal.slot_needed": "Say where {tile} will stand. Possible: {slots}.",
    "illegal.slot_unwanted": "There is no drawn tile to place.",
    "illegal.slot_missing": "It is not said where the drawn tile stands.",
    "illegal.slot_illegal": "{tile} cannot stand at {slot}: the row must stay in order. Possible: "
    "{slots}.",
    "illegal.wrong_answer": "The opened tile is not the one that was named.",
    "illegal.wrong_back": "The opened tile has not the colour of its back.",
    "illegal.wrong_order": "The row is not in order.",
    "illegal.wrong_row": "The opened row is not the one that stood there.",
    "illegal.tile_elsewhere": "That tile lies open somewhere else.",
    "illegal.tile_missed": "An earlier answer said that it is not that tile.",
    "illegal.drawn_needed": "The drawn tile is missing.",
    "illegal.drawn_unwanted": "No tile was drawn.",
    "illegal.wrong_count": "You take {tiles} tiles in all, and no more of a colour than there are.",
    "illegal.wrong_arrangement": "Every tile of yours must stand exactly once, numbers ascending.",
    "illegal.other": "The rules do not allow that now ({reason}).",
    # what the session refuses
    "refused.watching": "You are watching: a watcher makes no moves.",
    "refused.not_now": "That is not due now.",
    "refused.say": "That cannot be said: too long, empty, or you are only watching.",
    "refused.say_often": "You said a lot in a short time: wait a few seconds.",
    "refused.no_clock": "This table plays without a clock.",
    "refused.own_clock": "You cannot call the clock on yourself.",
    "refused.clock_out": "You are out of this round: those who play call the clock.",
    "refused.clock_rests": "The clock runs only while a draw or a guess is owed.",
    "refused.clock_called": "The clock has been called already.",
    "refused.clock_early": "Too early: {seconds} {seconds:second|seconds} of thinking time are "
    "left.",
    "refused.other": "That was not accepted ({reason}).",
    # options
    "option.unknown_preset": "There are no rules called {preset}. There are: {presets}.",
    "option.unknown_option": "There is no option {option}. There are: {options}.",
    "option.bad_value": "{option} cannot be {value}. It can be: {choices}.",
    "option.bad_fields": "The list of options is not complete or not in order; the other program "
    "may be of another version.",
    "option.hidden_needs_colour": "With hidden backs a number alone would not say which colour is "
    "meant: set call colour as well.",
    "option.rounds_need_scoring": "Several rounds are decided by points: set scoring revealed or "
    "scoring tournament first.",
    "option.clock_zero": "Nobody can think for 0 seconds: both numbers of the clock must be at "
    "least 1, for example 60+20.",
    "option.other": "That cannot be an option of a table ({reason}).",
    # slips that would cost a turn
    "slip.no_colour": "At this table a call without a colour counts as a miss. You can say {place} "
    "= b{call} or {place} = w{call}.",
    "slip.wrong_colour": "{place} is {back}, and you said {call}: a sure miss. Did you mean "
    "{place} = {right}?",
    "slip.resign": "Resign? Your whole row will lie open and you are out of this round.",
    "slip.decline": "Send {name} away from this table?",
    "question.answer": "Nothing was sent yet. Type yes to do it; anything else drops it.",
    "question.none": "There is no question to answer. Nothing was sent.",
    "question.dropped": "Dropped. Nothing was sent.",
    "quit.hall": "Leave the program? Nobody else is affected.",
    "quit.lobby": "Leave the table and the program? The others see your seat free again, and must "
    "all say ready anew.",
    "quit.deal": "Leave now? The deal cannot be completed without you: the game stops for "
    "everybody. It is saved, and all of you can resume it.",
    "quit.game": "Leave now? Without your key neither your tiles nor the pile can be opened, so "
    "the game stops for everybody unless the others vote to go on. It is saved, and all of you can "
    "resume it. To let the others play on, resign first.",
    "quit.two": "Leave now? Without your key neither your tiles nor the pile can be opened, so the "
    "game stops. It is saved, and both of you can resume it, unless the other one claims it. To "
    "lose it properly, resign first.",
    "quit.resigning": "Leave now? Your resignation has not gone out yet: that needs this program, "
    "now or once you have resumed the game. Until then it cannot go on without you.",
    "quit.over": "Leave the program? Nobody else is affected any more.",
    # what a line lacked
    "grammar.unknown": 'I do not know what to do with "{line}" here. Type help for the commands.',
    "grammar.call_unclear": 'For {place} I cannot read "{call}" as a tile. Write {place} = 7, '
    "{place} = b7 or {place} = white 7; for a joker {place} = joker. Numbers go up to 11, or 12 "
    "if the table has it.",
    "grammar.no_game": "No game is being played yet.",
    "grammar.no_mark": "Which tile? Write the place too, as in 2.3 = {call}, or mark one first: "
    "mark 2.3.",
    "grammar.still_dealing": "The tiles are still being dealt.",
    "grammar.watching": "You are watching: a watcher makes no moves.",
    "grammar.wait": "One moment: still waiting for {names}.",
    "grammar.which_colour": "Which colour? Type draw black or draw white.",
    "grammar.backs_hidden": "At this table the backs are hidden, so the colour cannot be chosen: "
    "type draw.",
    "grammar.slot_unclear": "A slot is a number, counted from the left: slot 2, stop 2, reveal 2.",
    "grammar.own_clock": "You cannot call the clock on yourself.",
    "grammar.not_taking": "There are no tiles to take now.",
    "grammar.take_unclear": "You take {count} tiles in all. Write how many are black, as in take 2 "
    "black.",
    "grammar.not_arranging": "There is nothing to arrange now.",
    "grammar.not_your_tiles": "Write each of your own tiles once, with its letter: {tiles}.",
    "grammar.not_in_order": "Numbers must ascend from the left, at the same number black before "
    "white; only jokers stand where you like.",
    "grammar.say_what": "Say what? Write say and a text.",
    "grammar.no_notes": "This table plays by real-life manners: no notes.",
    "grammar.place_unclear": "Which tile? A place is a seat and a slot, as in 2.3, or a name and a "
    "slot, as in bo 3.",
    "grammar.no_candidates": "This table plays without computed help (option aids).",
    "grammar.no_board": "The rows do not stand yet.",
    "grammar.no_player": 'Nobody here is called "{who}". At the table: {names}.',
    "grammar.log_unclear": "How many lines? Write log, or log and a number.",
    "grammar.no_compare": "There is nothing to compare yet; the words come when all keys are open.",
    "grammar.no_help": 'There is no command "{topic}". Type help for the list.',
    "grammar.language_unclear": "The console speaks English and Chinese: language en, language zh.",
    "grammar.no_lobby": "That is for a table that is being formed; you are not at one.",
    "grammar.not_seated": "You are not seated yet; the one who opened the table must answer first.",
    "grammar.seat_all": "Name everybody once, in the order in which you sit: {names}.",
    "grammar.option_unclear": "Write an option and its value, as in option jokers no. There are: "
    "{options}.",
    "grammar.players_unclear": "A table has 2 to 4 players: players 3.",
    "grammar.not_opener": "Only the one who opened the table can send somebody away.",
    "grammar.decline_self": "To stand up yourself, type leave.",
    "grammar.bots_late": "Bots are chosen before a table is opened; leave this one first.",
    "grammar.bots_unclear": "A table can have up to 3 bots: bots 1.",
    "grammar.leave_game": "The game is not over. To give it up for yourself type resign, to "
    "leave the program type quit.",
    "grammar.not_over": "That is for a game that is over.",
    "grammar.no_page": 'There are no choices called "{page}". There are: menu, menu open, '
    "menu saved, menu rules, menu seats, menu away, menu look.",
    "grammar.page_hall": "That is for a table that is not opened yet; you are at one.",
    "grammar.page_lobby": "That is for a table that is being formed; you are not at one.",
    "grammar.name_first": "First the name under which the others see you; then type {word} again.",
    "grammar.name_unclear": "A name is one to {width} columns wide. Type name and your name.",
    "grammar.tiles_unclear": "Tiles can be drawn as: {kinds}. Type tiles and one of these.",
    "grammar.theme_unclear": "The colours can be: {kinds}. Type theme and one of these.",
    "grammar.bell_unclear": "Type bell on or bell off.",
    "grammar.at_a_table": "You are at a table; leave it first.",
    "grammar.no_table": "There is no table {number}; the list has {found}. Type tables to look "
    "again.",
    "grammar.address_unclear": "Write join and a number from the list, or an address with its "
    "port: join 192.168.1.20:40000.",
    # faults of peers
    "blamed.proved.you": "Your program broke the protocol at step {step}: {what} ({check}).",
    "blamed.proved.other": "{name}'s program broke the protocol at step {step}: {what} ({check}). "
    "{name}'s own signature stands under it.",
    "blamed.suspected.you": "Your program sent something that failed a check at step {step}: "
    "{what} ({check}).",
    "blamed.suspected.other": "Something from {name} failed a check at step {step}: {what} "
    "({check}).",
    "blamed.means.proved": "That proves it to anybody, and your log holds it. The game is void; "
    "nothing more is sent.",
    "blamed.means.stands": "The game was decided already, so the result stands all the same.",
    "blamed.means.lost": "That proves it to anybody, and your log holds it. The game was decided "
    "already, so the result stands for the others; who cheated has lost.",
    "blamed.means.suspected": "Only your program saw it, so it proves nothing to others; a broken "
    "program or line can look like this too. The game stops here.",
    "check.codec": "a message was not in the agreed encoding",
    "check.body": "a message had not the parts it must have",
    "check.envelope": "an envelope was malformed",
    "check.envelope.signature": "a signature did not match its sender",
    "check.aside": "a side message was malformed",
    "check.identity": "an identity key was not valid",
    "check.chain": "a message did not belong to this step of the game",
    "check.chain.doubled": "it said two different things in one step",
    "check.contract": "it signed other terms than those of this table",
    "check.commit": "what it opened is not what it had sealed",
    "check.open": "the opened key or tile was not a possible one",
    "check.open.reused": "it used a key of an earlier round again",
    "check.shuffle": "the proof that tiles were only shuffled failed",
    "check.take": "it took a wrong number of tiles",
    "check.shares": "it did not uncover a tile correctly",
    "check.arrange": "its opening row was not its tiles, each once",
    "check.order": "the proof that its row is in order failed",
    "check.guess": "its guess was not one that can be made",
    "check.answer": "its answer did not fit the guess",
    "check.draw": "its draw was not one that can be made",
    "check.stop": "its end of turn was malformed",
    "check.place": "its placing of a tile was malformed",
    "check.turn-up": "its turning up of a tile was malformed",
    "check.overdue": "it called a turn overdue without the right to",
    "check.resign": "its resignation was malformed",
    "check.key": "a key it gave was not valid",
    "check.receipt": "it signed another result",
    "check.rules": "its move was against the rules of the game",
    "check.sigma": "a proof failed",
    "check.point": "a group element was not valid",
    "check.scalar": "a number in a proof was not valid",
    "check.evidence": "the evidence was not valid",
    "check.log": "the log could not be read",
    "check.wire": "what arrived was no message of this game",
    "check.lobby": "a message about the table made no sense",
    "check.card": "what it told of its table could not be read",
    "check.secrets": "the file of one's own secrets could not be read",
    "check.record": "the record does not lead to the same game",
    "check.other": "check {reason} failed",
    # why a game stopped
    "halted.silent": "The game stopped: too long without a word from {name}, and without that key "
    "it cannot go on. It is saved, and can be resumed with the same players.",
    "halted.left": "The game stopped: it cannot go on without {name}, who left. It is saved, and "
    "can be resumed with the same players.",
    "halted.other": "The game stopped ({reason}). Concerned: {name}. The log is saved up to here.",
}
