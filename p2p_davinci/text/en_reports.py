"""English: the command line's help pages and refusals, and reports on logs."""

from __future__ import annotations

from collections.abc import Mapping

REPORTS: Mapping[str, str] = {
    # help pages, at most 79 columns; an option's lines have 55
    "cli.about.console": """\
Da Vinci Code for friends on one network: no server, every move proved.

Usage: p2p-davinci [OPTIONS]
       p2p-davinci COMMAND [OPTIONS]

Without a command a console opens: find, open or join a table, and play.

Commands:
  play      open a table and play, against a bot unless told otherwise
  open      open a table and wait for others
  join      join a table on this network
  resume    go on with a saved game
  saved     list saved games, or delete one
  tables    list the tables on this network
  verify    check logs: what they prove, and who is to blame
  show      tell a logged game step by step
  referee   judge open records, one JSON object a line
  id        your name, fingerprint, folders and addresses
  completion  the script for completion in bash, zsh or fish

p2p-davinci COMMAND --help tells more of a command.

Exit codes: 0 played to the end, or done; 1 an error, or a file that cannot be
read; 2 a command line that cannot be understood; 3 unfinished; 4 cheating was
seen, or a verification failed; 130, 143, 129 ended by a signal.""",
    "cli.about.play": """\
Usage: p2p-davinci play [OPTIONS]

Open a table and play. Bots take seats as programs of their own; seats that are
left wait for people on this network.""",
    "cli.about.open": """\
Usage: p2p-davinci open [OPTIONS]

Open a table on this network and wait until its seats are taken.""",
    "cli.about.join": """\
Usage: p2p-davinci join [TABLE | HOST:PORT] [OPTIONS]

Join a table: the one of that name (NAME, or NAME/FINGERPRINT if several have
it), the one at that address, or, without either, the only one that is open.""",
    "cli.about.tables": """\
Usage: p2p-davinci tables [OPTIONS]

List the tables that answer on this network.""",
    "cli.about.verify": """\
Usage: p2p-davinci verify LOG... [OPTIONS]

Check logs, or files of evidence, by nothing but what is in them: signatures,
proofs and the rules. For each file: the verdict, who won, who is to blame and
by which check, who never signed the result, and what no proof covers.

Logs of one game are read together: who signed one thing in one log and another
in the next is named, with the records that prove it.

Of several files the exit code is the worst: 4 somebody is convicted, or a file
is invalid; 1 unreadable; 3 valid but unfinished; 0 valid and finished.""",
    "cli.about.show": """\
Usage: p2p-davinci show LOG [OPTIONS]

Tell a logged game step by step. Hidden tiles are shown once the keys of their
round were given. Exit codes are those of verify; but 1 with --json if the game
is over and has no open record, because the keys were never given.""",
    "cli.about.referee": """\
Usage: p2p-davinci referee [FILE]

Read open records, one JSON object a line (from standard input without FILE),
play each by the rules, and print one JSON result a line. Exit code 1: the file
cannot be read; what the results say does not change the exit code.""",
    "cli.about.id": """\
Usage: p2p-davinci id [OPTIONS]

Tell your name, the fingerprint by which others know you, where your files lie,
and at which addresses others reach you. A running game is not disturbed.""",
    "cli.about.completion": """\
Usage: p2p-davinci completion bash|zsh|fish

Writes the script that lets your shell complete commands and options. Keep it
where the shell looks for it:
  bash  ~/.local/share/bash-completion/completions/p2p-davinci
  zsh   _p2p-davinci, in a folder of $fpath
  fish  ~/.config/fish/completions/p2p-davinci.fish""",
    "cli.options": "Options:",
    "cli.option.lang": "language; otherwise as LC_ALL, LC_MESSAGES, LANG say",
    "cli.option.data": "keep all files below this folder; otherwise below\n"
    "P2P_DAVINCI_DATA, or where the system keeps such data",
    "cli.option.version": "tell the version",
    "cli.option.help": "this page",
    "cli.option.interface": "use this network interface (its name, or an address\n"
    "of it) instead of all; may be given several times",
    "cli.option.wait": "how long a lost player is waited for, in seconds (60)",
    "cli.option.join.wait": "how long the table is looked for, and later a lost\n"
    "player waited for, in seconds (60)",
    "cli.option.tables.wait": "how long to look, in seconds (5)",
    "cli.option.name": "your name at the table, up to 16 columns wide",
    "cli.option.plain": "one event a line, nothing redrawn",
    "cli.option.tiles": "how the screen draws tiles: box, block, ascii or auto,\n"
    "which asks the terminal (auto)",
    "cli.option.auto": "a bot plays for you",
    "cli.option.pace": "seconds that your bot waits before each move (0)",
    "cli.option.bots": "how many bots take part, 0 to 3 (1)",
    "cli.option.open.bots": "how many bots take part, 0 to 3 (0)",
    "cli.option.bot_cheats": "let the first bot cheat, and see it caught: false-miss,\n"
    "stacked-deck, wrong-share, unsorted-row, out-of-turn,\n"
    "two-faces, changed-contract",
    "cli.option.cheat": "what the bot does that it must not (see play --help);\n"
    "with --auto, to show how it is caught",
    "cli.option.seats": "how many play, 2 to 4 (you and the bots)",
    "cli.option.open.seats": "how many play, 2 to 4 (2)",
    "cli.option.rules": "classic (default), standard, advanced or tournament",
    "cli.option.option": "change one option of the rules; may be repeated.\n"
    "Options: jokers, twelve, backs, call, empty_miss,\n"
    "first, clock, scoring, rounds, tie, aids",
    "cli.option.address": "dial this if the table is not found by itself",
    "cli.option.tables.json": "one JSON object a line for each table",
    "cli.option.verify.json": "one JSON object a line for each file",
    "cli.option.explain": "tell what was proved at each step, by whom, and why it\nconvinces",
    "cli.option.show.json": "the open record, as the referee reads it",
    # a command line that cannot be understood, or not be obeyed
    "cli.no_command": "There is no command {command}.",
    "cli.late_option": "{option} is no option of the program without a command. Name the command "
    "first, as in p2p-davinci play --rules standard.",
    "cli.bad_use": "{option} was not given as it must be: it lacks its value, or has one too many.",
    "cli.left_over": "This has no meaning here: {words}",
    "cli.file_missing": "Which file? Name it after the command.",
    "cli.see_help": "{program} --help lists the commands, {program} COMMAND --help the options of "
    "one.",
    "cli.shell": "Say for which shell: {shells}.",
    "cli.tiles": "There are no tiles called {value}; there are {kinds}.",
    "cli.lang": "There is no language {lang}; there are en and zh.",
    "cli.whole": "{option} must be a whole number from {low} to {high}, not {value}.",
    "cli.seconds": "{option} must be a number of seconds from {low} to {high}, not {value}.",
    "cli.bots": "With {seats} seats, one of them yours, there is room for {most} "
    "{most:bot|bots}, not {bots}.",
    "cli.no_cheat": "There is no cheat {value}; there are {names}.",
    "cli.no_bot": "--bot-cheats is for a bot that takes part: add --bots 1.",
    "cli.cheat_alone": "--cheat is for a bot that plays for you: add --auto.",
    "cli.pace": "--pace is for a bot that plays for you: add --auto.",
    "cli.option_form": "An option is written KEY=VALUE, as in jokers=no; not {value}.",
    "cli.option_twice": "The option {option} is given twice.",
    "cli.address": "{value} is no address. An address is HOST:PORT, as in 192.168.1.20:40000, or "
    "[HOST]:PORT for IPv6.",
    "cli.name": "That cannot be a name: it must have letters that can be seen, at most 64 bytes.",
    "cli.other": "The command line cannot be understood ({reason}).",
    "cli.no_interface": "This machine has no network interface {name}. It has: {names}.",
    "cli.system": "The system refused something that this program needs: {detail}.",
    "cli.crash": "This should not have happened; it is a mistake of the program. A report lies in "
    "{path}.",
    "cli.crash_unkept": "This should not have happened; it is a mistake of the program. The report "
    "above could not be kept in a file.",
    # id
    "id.name": "Name: {name}",
    "id.fingerprint": "Fingerprint: {fingerprint}",
    "id.profile": "Fingerprint of {profile} (used while the first is in use): {fingerprint}",
    "id.data": "Files: {path}",
    "id.logs": "Logs: {path}",
    "id.address": "Addresses at {interface}: {addresses}",
    "id.no_address": "No address at which others could reach you.",
    # verify
    "report.table": "Table {table}, rules {rules}, {played} of {rounds} {rounds:round|rounds}.",
    "report.player": "{seat} {name}, fingerprint {fingerprint}",
    "report.key": "The key it speaks against: fingerprint {fingerprint}, {public}",
    "report.key_alone": "The two signatures prove it, whatever else was played. Whose key it is, "
    "only its fingerprint tells.",
    "report.session": "Session: {session}",
    "report.no_rows": "The deal was not completed.",
    "report.invalid": "Invalid: {what} ({check}).",
    "report.evidence": "Proof of cheating: the holder of this key, at seat {seat}, said two "
    "different things in step {step} and signed both.",
    "report.no_evidence": "Proves nothing against anybody: {what} ({check}).",
    "report.no_file": "Cannot be read: {detail}.",
    "report.no_log": "Is no log of this game.",
    "report.unreadable": "Cannot be read: {what} ({check}).",
    "report.note": "Note of the log's owner, proved by nothing: {text}",
    "report.saved": "{name} stopped the game, to go on with it another time.",
    "report.suspicion": "Something from {name} failed a check: {what} ({check}).",
    "report.covered": "Covered by proofs and signatures: keys, shuffles, who took which tile, the "
    "order of every row, every answer, every turned-up tile, the moves and the result.",
    "report.names": "Names are what the players called themselves; who somebody is shows only the "
    "fingerprint, or the words that were compared aloud.",
    "report.summary": "{files} files: {finished} finished, {unfinished} unfinished, {cheating} "
    "void, invalid or evidence, {unreadable} unreadable.",
    "report.progress": "{done} of {total}",
    # several logs of one game
    "together.files": "Logs of one game at table {table}: {files}.",
    "together.agree": "They agree as far as each of them goes.",
    "together.contradict": "{one} and {other} contradict each other: they part in round {round}, "
    "step {step}.",
    "together.behind": "{behind} ends with words of {name} in round {round}, step {step}; in "
    "{ahead} the others play on without {name}. Both can be honest; the game is in {ahead}.",
    "together.unexplained": "No signature in them shows who made them differ.",
    "together.record": "record {record} of {file}",
    "together.convicted": "{name} cheated at step {step} and has lost: {what} ({check}). Proof: "
    "{where}.",
    "together.won": "All of them together: won by {names}.",
    "check.record": "the tiles do not bear out the moves",
    # show
    "show.round": "Round {round}",
    "show.commit": "{names} seal a key and their share of the coin.",
    "show.open": "{names} open what they sealed.",
    "show.compare": "The words to be compared aloud: {words} / {digits}",
    "show.shuffle": "{names}: tiles shuffled and masked anew.",
    "show.take.you": "You take {black} black and {white} white tiles.",
    "show.take.other": "{name} takes {black} black and {white} white {white:tile|tiles}.",
    "show.shares": "The dealt tiles are uncovered, each for its owner alone.",
    "show.was": "It was {tile}.",
    "show.receipt": "{names} sign the result.",
    "show.no_keys": "The hidden tiles stay hidden: without the keys that open them there is no "
    "open record.",
}
