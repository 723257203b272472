"""What goes into a session and what comes out: inputs, effects, and the view of a game.

The session never calls anybody: ``step`` takes one input and returns effects in the order in which
the driver must carry them out. Seats count from 0.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TypeAlias

from ..rules.moves import Fact, Move
from ..rules.state import View
from ..rules.tiles import Tile

# --- inputs ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Bytes that arrived over the authenticated link from ``seat``."""

    seat: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """This seat's player wants to make a move."""

    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """This seat's player wants to say something to all."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallClock:
    """This seat's player calls the clock on the player in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUp:
    """The link to ``seat`` stands (again)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDown:
    """The link to ``seat`` broke, or it plays another game (``elsewhere``); it may come back."""

    seat: int
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """``seat`` said that it leaves for good, or was given up; ``reason`` is a catalogue key."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Time passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slept:
    """This machine was asleep, whatever the session's own clock made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteOut:
    """This seat's player wants to go on without ``seat``, which has been silent for too long."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepWaiting:
    """This seat's player wants to wait for whoever is silent, as long again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """This seat's player claims the game, because the only other player left is silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveAndStop:
    """This seat's player wants to stop here; the game can be resumed from what is on disk."""


Input: TypeAlias = (
    Received
    | Play
    | Say
    | CallClock
    | LinkUp
    | LinkDown
    | Left
    | Tick
    | Slept
    | VoteOut
    | KeepWaiting
    | Claim
    | SaveAndStop
)


# --- effects ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Write this record to the public log, on disk before anything is sent."""

    record: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Write this record to the secrets file, on disk before anything is sent."""

    record: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """Have on disk what was written so far before anything else is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Send these bytes to ``seat``, or to every other seat if it is ``None``."""

    data: bytes
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Testify:
    """Write this file of evidence beside the log: it convicts ``seat`` of double speaking."""

    seat: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Send a :class:`Tick` at this time (seconds on the monotonic clock) at the latest."""

    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Tell the player."""

    event: Event


Effect: TypeAlias = Append | Keep | Sync | Testify | Send | Wake | Show


# --- events that a player is told ------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """A fact of the game, caused by ``seat``."""

    seat: int
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """One's own tiles, as dealt, before they are arranged."""

    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew:
    """The tile one has drawn; only its drawer is told."""

    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """The deal of round ``number`` (from 1) is complete; ``first`` begins."""

    number: int
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A set-up step was completed by ``done`` of ``total`` seats; ``kind`` is the step's kind."""

    kind: str
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A move or an input of one's own was not carried out; nothing was sent.

    ``reason`` is a whole catalogue key (``illegal.face_up``, ``refused.not_now``), ``values`` fill
    its placeholders.
    """

    reason: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """``seat`` said something; the text comes from a peer and must be cleaned before display."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCalled:
    """``by`` called the clock on ``seat``, who now has ``call_s`` seconds."""

    by: int
    seat: int
    call_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockIgnored:
    """``seat`` let a called clock run out and its program did not obey."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """``seat`` has been silent for too long: play on without it, claim the game, wait, or stop.

    ``vote`` and ``claim`` show which of the first two is open; ``waited_s`` how long it has been
    silent, in whole seconds; ``left`` that it said farewell; ``promise`` that it owes a promise.
    """

    seat: int
    waited_s: int
    vote: bool
    claim: bool
    left: bool = False
    promise: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Voted:
    """``by`` signed to go on without ``seat``; ``missing`` are those whose vote is still needed."""

    by: int
    seat: int
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """``by`` has a message of ``seat`` and signed to stand by it: nobody will be dropped now."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Blamed:
    """A peer sent something that failed a check: the game is void (or stops, if not proved).

    ``stands``: only receipts were due when it was found, so the result stands all the same.
    """

    seat: int
    step: int
    check: str
    proved: bool
    stands: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Halted:
    """The game stopped without an end; ``reason`` is a catalogue key below ``halted.``."""

    reason: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOver:
    """A round ended: winner, this round's points, totals over all rounds so far."""

    winner: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The game ended; ``winners`` are the seats that share the win, ``head`` the final head."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
    head: bytes


Event: TypeAlias = (
    Happened
    | Dealt
    | Drew
    | Begun
    | Progress
    | Refused
    | Heard
    | ClockCalled
    | ClockIgnored
    | Offered
    | Voted
    | Promised
    | Blamed
    | Halted
    | RoundOver
    | GameOver
)


# --- the view --------------------------------------------------------------------------------


class Stage(enum.StrEnum):
    """Where a game stands."""

    SETUP = "setup"
    PLAY = "play"
    ENDING = "ending"
    """The round is decided; keys and receipts are being exchanged."""
    OVER = "over"
    HALTED = "halted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A seat that is awaited and silent; times are in seconds on the session's monotonic clock.

    ``since_s`` is when its silence began, ``opens_s`` when the others may choose what to do about
    it, ``patient_s`` until when this seat's player would rather wait, ``votes`` who has signed to
    go on without it. ``left``: it said farewell, so no silence need be waited out.
    """

    seat: int
    since_s: float
    opens_s: float
    patient_s: float = 0.0
    votes: tuple[int, ...] = ()
    left: bool = False
    offered: bool = False
    promise: bool = False
    """It owes this seat a promise, so there is nothing to vote about."""

    @property
    def asks_s(self) -> float:
        """When this seat's player is asked what to do."""
        return max(self.opens_s, self.patient_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """All that a screen or a bot needs to know of a game at one moment; nothing more.

    ``kind`` and ``awaited`` are the current step's kind and the seats that still have to speak in
    it; ``due`` tells whether a move of this seat's player is one of them (as opposed to something
    its program does by itself). ``hand`` is how many tiles each player of this round takes at its
    start, ``dealt`` are one's own before the arrangement. ``board`` is
    ``None`` until every row is arranged. ``compare`` are the words and ``digits`` the number that
    all must see alike; empty until all keys are open. ``faces`` are rows that lie open at the end.
    ``down`` are the seats whose link is down, ``elsewhere`` those of them that play another game;
    ``left`` are those that said farewell, ``dropped`` those that the others went on without,
    ``lost`` those that are awaited and silent. ``resigning`` tells that this seat's player resigns
    as soon as its program may speak, ``owing`` whose promise about a late message is missing.
    """

    stage: Stage
    round: int
    names: tuple[str, ...]
    seat: int | None
    step: int
    kind: str
    awaited: tuple[int, ...]
    due: bool
    down: tuple[int, ...]
    hand: int
    dealt: tuple[Tile, ...]
    backs: tuple[int, ...]
    """The deck of each of ``dealt``."""
    board: View | None
    compare: tuple[str, ...]
    digits: str
    faces: tuple[tuple[Tile | None, ...], ...] | None
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    head: bytes
    left: tuple[int, ...] = ()
    elsewhere: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    lost: tuple[Lost, ...] = ()
    resigning: bool = False
    owing: tuple[int, ...] = ()

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out of the round, ascending."""
        return () if self.board is None else self.board.state.out
