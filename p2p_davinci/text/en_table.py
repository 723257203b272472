"""English: finding one another, forming a table, the rules as sentences, links and verdicts."""

from __future__ import annotations

from collections.abc import Mapping

TABLE: Mapping[str, str] = {
    # tables that were found
    "hall.found": "{count} {count:table|tables} found:",
    "hall.open": "{number}  {table}, opened by {opener}, {members} of {seats} seats taken, rules "
    "{rules}, at {address}",
    "hall.full": "{number}  {table}, opened by {opener}, full ({members} of {seats}), rules "
    "{rules}, at {address}",
    "hall.playing": "{number}  {table}, opened by {opener}, playing already ({members} of "
    "{seats}), rules {rules}, at {address}",
    "hall.join": "Type join and a number, or open to open a table of your own.",
    "hall.empty": "No table found yet. Open one with open, or join one by its address: join "
    "HOST:PORT.",
    "shell.join": "Take a seat: p2p-davinci join and a table's name or address. Open a table of "
    "your own: p2p-davinci open.",
    "shell.empty": "No table was found in this time. Open one: p2p-davinci open. Or join one by "
    "its address: p2p-davinci join HOST:PORT.",
    "hall.reasons": "If there should be one, the usual reasons are: a guest Wi-Fi or an access "
    "point that keeps its guests apart; a firewall (UDP 5353 and this program's port); a VPN; WSL "
    "or a container; on macOS the Local Network permission.",
    "hall.address": "Others can join you at: {addresses}",
    # a table being formed
    "table.knocking": "Asking to be seated at {table}.",
    "table.head": "Table {table}, {members} of {seats} players. The order is how you sit; play "
    "goes to the next seat.",
    "table.member.you": "{seat}  {name} (you){role}: {state}",
    "table.member.other": "{seat}  {name}{role}: {state}",
    "table.opener": ", opened the table",
    "table.state.ready": "ready",
    "table.state.thinking": "not ready",
    "table.state.unlinked": "not connected to you yet",
    "table.youngest.nobody": "Nobody is marked as the youngest: a coin that nobody controls "
    "decides who begins. Mark with youngest and a name.",
    "table.youngest.you": "You are marked as the youngest and will begin.",
    "table.youngest.other": "{name} is marked as the youngest and will begin.",
    "table.waits_players": "Waiting for {missing} more {missing:player|players}.",
    "table.waits_links": "Waiting for a connection to {names}.",
    "table.waits_ready": "Waiting for {names} to say ready.",
    "table.say_ready": "If seats and rules are right, type ready. Any change takes every ready "
    "back.",
    "table.came.you": "You are seated.",
    "table.came.other": "{name} sits down.",
    "table.left.you": "You are not seated any more.",
    "table.left.other": "{name} is gone; the seat is free.",
    "table.order": "New order of the seats: {names}.",
    "table.seats": "The table now waits for {seats} players.",
    "table.option": "Rules changed: {option} is {value} (was {was}).",
    "table.ready.you": "You are ready.",
    "table.ready.other": "{name} is ready.",
    "table.unready.you": "You are not ready any more, because something changed.",
    "table.unready.other": "{name} is not ready any more.",
    "lobby.wait": "You are not seated yet; the one who opened the table must answer first.",
    "lobby.unlinked": "Not everybody at the table is connected to you yet. You count as ready as "
    "soon as they are, unless something changes before.",
    "lobby.impossible": "That cannot be set while so many are seated here; nothing was changed.",
    "lobby.other": "At the table: {reason}.",
    "closed.other": "You are not at the table any more ({reason}).",
    "closed.full": "The table is full. Type tables to look for another, or open for your own.",
    "closed.declined": "The one who opened the table did not want to seat you.",
    "closed.playing": "They are playing already at that table.",
    "closed.opener_left": "The one who opened the table has left; the table is closed.",
    "closed.left": "You left the table.",
    # rules
    "rules.are": "Rules: {rules}. Type rules for every option.",
    "rules.but": "{preset}, but {changes}",
    "rule.jokers.yes": "jokers yes: each colour has a joker, which may stand anywhere.",
    "rule.jokers.no": "jokers no: numbers only.",
    "rule.twelve.yes": "twelve yes: numbers go from 0 to 12.",
    "rule.twelve.no": "twelve no: numbers go from 0 to 11.",
    "rule.backs.open": "backs open: everybody sees the colour of every tile.",
    "rule.backs.hidden": "backs hidden: the colour of a hidden tile is known to its owner only.",
    "rule.call.number": "call number: a number or joker is enough for a guess.",
    "rule.call.colour": "call colour: a guess names colour and number; without a colour it is a "
    "miss.",
    "rule.empty_miss.reveal": "empty_miss reveal: with an empty pile, a miss turns up one of the "
    "guesser's own tiles.",
    "rule.empty_miss.pass": "empty_miss pass: with an empty pile, a miss only ends the turn.",
    "rule.first.random": "first random: a coin that nobody controls decides who begins.",
    "rule.first.youngest": "first youngest: who is marked as the youngest begins.",
    "rule.clock.off": "clock off: no limit for thinking.",
    "rule.clock.on": "clock {think}+{call}: after {think} seconds anybody may call the clock, "
    "which leaves {call}.",
    "rule.scoring.none": "scoring none: a round is won or lost.",
    "rule.scoring.revealed": "scoring revealed: a point for each tile you turn up by a correct "
    "call.",
    "rule.scoring.tournament": "scoring tournament: 1 for a correct call, 3 more for somebody's "
    "last hidden tile, 5 for the round, and the winner's hidden numbers.",
    "rule.rounds": "rounds {rounds}: that many rounds are played.",
    "rule.tie.shared": "tie shared: equal totals share the win.",
    "rule.tie.extra": "tie extra: equal totals play one more round.",
    "rule.aids.real-life": "aids real-life: no notes, no looking up beyond the last turn; please "
    "do not discuss your deductions aloud.",
    "rule.aids.normal": "aids normal: the whole public log and private notes.",
    "rule.aids.assisted": "aids assisted: also what each hidden tile may still be, computed.",
    # links and discovery
    "dial.refused": "Nothing listens at {address}. Is the program running there, and the port "
    "right?",
    "dial.timeout": "No answer from {address}. A firewall, or a network that keeps its guests "
    "apart, can cause this.",
    "dial.unreachable": "There is no way from here to {address}. Both must be in the same network.",
    "dial.version": "The program at {address} speaks another version ({detail}); both need the "
    "same one.",
    "dial.self": "{address} is this very program. Type the address that the other one's screen "
    "shows.",
    "dial.busy": "The program at {address} has no room for more connections. Try again in a while.",
    "dial.declined": "The player at {address} did not let you in.",
    "dial.not_ours": "Something else than this game listens at {address}. Is the port right?",
    "dial.stranger": "Somebody else than expected answers at {address}; nothing was sent.",
    "dial.fault": "The program at {address} broke the rules of the connection ({detail}).",
    "dial.lost": "The connection to {address} ended before it stood. Try again.",
    "dial.other": "No connection to {address} ({reason}).",
    "down.left": "{name} closed the program.",
    "down.silent": "Nothing was heard from {name} for too long.",
    "down.lost": "The connection to {name} broke.",
    "down.slow": "{name} did not take what was sent.",
    "down.replaced": "{name} has connected anew.",
    "down.forgotten": "The connection to {name} is not needed any more.",
    "down.fault": "{name} broke the rules of the connection.",
    "down.other": "The connection to {name} ended ({reason}).",
    "manual.no-interface": "No network: tables cannot be searched for. It is tried again by "
    "itself; join HOST:PORT works as soon as there is a network.",
    "manual.port-taken": "Another program holds UDP port 5353, so tables cannot be searched for. "
    "Type an address: join HOST:PORT.",
    "manual.no-multicast": "Tables cannot be searched for on this network ({detail}). Type an "
    "address: join HOST:PORT.",
    "manual.other": "Tables cannot be searched for ({reason}). Type an address: join HOST:PORT.",
    "manual.over": "Searching for tables works again.",
    "identity.damaged": "The key file in {detail} is damaged. Put it aside to get a new identity.",
    "identity.in-use": "Every profile in this folder is in use by another program ({detail}). "
    "Close one, or take another folder: --data DIR.",
    "identity.folder": "The folder for your identity cannot be read or written ({detail}). Make it "
    "yours, or keep all files elsewhere with --data DIR.",
    "identity.key": "An identity key was not valid ({detail}).",
    "identity.other": "Your identity cannot be used ({reason}).",
    "known.changed": "{name} comes with another key than the one you know. It may be somebody else "
    "with that name: compare the words aloud.",
    # verdicts
    "verdict.finished": "Valid and finished. Won by: {names}.",
    "verdict.claimed": "Valid, and ended by a claim of {name}: the only other player left was "
    "silent, says {name}. Nobody won; no key was given.",
    "verdict.dropped": "Left out in the last round, by the signatures of all others: {names}.",
    "verdict.nothing": "Valid, but nothing has been agreed yet: it ends before its first contract.",
    "verdict.unfinished": "Valid, but unfinished. Awaited: {names}.",
    "verdict.void": "Void: {name} broke the protocol at step {step}: {what} ({check}).",
    "verdict.invalid": "Invalid: record {record}: {what} ({check}).",
    "verdict.blamed": "{name} broke the protocol at step {step}: {what} ({check}). The game was "
    "decided, so the result stands for the others; {name} has lost.",
    "verdict.no_receipts": "Receipts are missing from: {names}.",
    "verdict.torn": "The last record was cut off ({bytes} {bytes:byte|bytes}) and left out.",
    "verdict.head": "Final check: {head}.",
    "verdict.uncovered": "Not covered by any proof: what was said, and the owner's own notes.",
    # the shell
    "shell.asked": "Plain mode: one event a line.",
    "shell.no_terminal": "Plain mode, because this is no terminal: one event a line.",
    "shell.dumb": "Plain mode, because the terminal says that it cannot redraw (TERM): one event a "
    "line.",
    "shell.accessible": "Plain mode, because ACCESSIBLE is set: one event a line.",
}
