"""A game at one seat: the current round, this seat's secrets, and what the links are doing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from protocol import Ballot, Envelope, comparison, decrypt, read_envelope, unreleased

from ..rules.options import hand_size
from ..rules.scoring import leaders, totals
from ..rules.state import View
from ..rules.tiles import Tile, tile_of_code
from .allowance import Allowance
from .contract import Contract
from .ending import all_results, faces
from .events import Blamed, GameView, Halted, Lost, Stage
from .flow import DONE, THINKING, begin
from .secrets import Secrets
from .state import Held, Round


class Refusal(Exception):  # noqa: N818 - it is one
    """Something that this seat's player may not do now, beyond what the rules refuse.

    ``reason`` is a whole catalogue key below ``refused.``; ``values`` fill its placeholders.
    """

    def __init__(self, reason: str, values: tuple[tuple[str, str], ...] = ()) -> None:
        self.reason = reason
        self.values = values
        super().__init__(reason, values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCall:
    """A clock call that counts now: the signed aside, who called, when time is up here.

    ``ignored`` tells that the player has been told of a thinker who does not obey, ``returns`` how
    often the thinker was away meanwhile.
    """

    raw: bytes
    by: int
    deadline_s: float
    ignored: bool = False
    returns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A signed envelope that does not go with what was read here: who sent it, and since when."""

    sender: int
    raw: bytes
    check: str
    step: int
    since_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game at one seat; ``seat`` and ``secrets`` are ``None`` for a watcher or verifier.

    ``past`` are the finished rounds. ``early`` are envelopes of later steps as (sender, bytes).
    ``down`` maps seats whose link is down to the time since when, also those that play another
    game (``elsewhere``), ``gone`` those that left for good to the reason. ``ended`` tells that the
    game is over and nothing more is expected; ``proof`` are the messages that convict whoever made
    it void, or is ``accused``.

    ``trail`` is the current round as it stood before each closed step; ``ballots`` are the votes
    and promises by head; ``held`` are envelopes of a seat about which this one has voted,
    ``ahead`` votes and promises at heads that are not known here yet, as (sender, bytes).
    ``opened_s`` is when the current step began, ``last_s`` when the session last heard
    anything, ``calm_s`` before when it does not suspect anybody, ``patience`` until when its player
    wants to wait for a seat, ``lost`` who has been silent for too long. ``served`` is what each
    seat may still ask to be sent again, ``remarks`` what it may still say beside the game.
    """

    round: Round
    seat: int | None
    secrets: Secrets | None = field(default=None, repr=False)
    past: tuple[Round, ...] = ()
    early: tuple[tuple[int, bytes], ...] = ()
    down: Mapping[int, float] = field(default_factory=dict)
    gone: Mapping[int, str] = field(default_factory=dict)
    elsewhere: frozenset[int] = frozenset()
    doubts: tuple[Doubt, ...] = ()
    resigning: bool = False
    counters: Mapping[int, int] = field(default_factory=dict)
    calls: tuple[ClockCall, ...] = ()
    """Calls of the clock in this stretch of thinking, one of a seat, as they were heard."""
    since_s: float = 0.0
    """When the current stretch of thinking (or the current step) began, on this seat's clock."""
    beat_s: float = 0.0
    """When this seat last told the others where it stands."""
    stopped: Blamed | Halted | None = None
    accused: tuple[Blamed, ...] = ()
    """Who was blamed once the result stood, each seat once."""
    proof: tuple[bytes, ...] = ()
    ended: bool = False
    trail: tuple[Round, ...] = ()
    ballots: Mapping[bytes, Ballot] = field(default_factory=dict)
    held: tuple[bytes, ...] = ()
    ahead: tuple[tuple[int, bytes], ...] = ()
    opened_s: float = 0.0
    last_s: float = 0.0
    calm_s: float = 0.0
    patience: Mapping[int, float] = field(default_factory=dict)
    lost: tuple[Lost, ...] = ()
    served: Mapping[int, Allowance] = field(default_factory=dict)
    remarks: Mapping[int, Allowance] = field(default_factory=dict)

    @property
    def id(self) -> bytes:
        """The hash of the first round's contract, which tells this game from any other."""
        return (*self.past, self.round)[0].contract_hash

    @property
    def convicted(self) -> tuple[int, ...]:
        """The seats that were proved to have cheated once the result stood, ascending."""
        return tuple(sorted(blamed.seat for blamed in self.accused if blamed.proved))

    @property
    def call(self) -> ClockCall | None:
        """The call that counts; the next one does once its caller is out."""
        return self.calls[0] if self.calls else None


def new_game(contract: Contract, seat: int | None) -> Game:
    """Return a game before its first step."""
    return Game(round=begin(contract), seat=seat)


def stage(game: Game) -> Stage:
    """Return where the game stands."""
    if game.stopped is not None:
        return Stage.HALTED
    if game.ended:
        return Stage.OVER
    if game.round.state is None:
        return Stage.SETUP
    return Stage.PLAY if game.round.state.winner is None else Stage.ENDING


def asks_player(game: Game) -> bool:
    """Tell whether the current step awaits a decision of this seat's player.

    Without jokers the arrangement and the place of a drawn tile leave no choice, so the program
    acts by itself; with jokers it asks whether or not there is a choice, for acting at once when
    there is none would tell the others.
    """
    round_ = game.round
    if game.seat not in round_.chain.awaited or game.stopped is not None:
        return False
    return decides(round_) and not awaited_promises(game, round_)


def accepted_at(game: Game, at: Round) -> dict[int, Envelope]:
    """Return what was accepted here in the step of ``at``, by seat; nothing if it was dropped."""
    number = at.chain.step.number
    if at is game.round:
        return dict(at.chain.spoken)
    return {envelope.payload.seat: envelope for envelope in game.round.transcript[number]}


def awaited_promises(game: Game, at: Round) -> tuple[int, ...]:
    """Return the seats whose promise this seat awaits before it signs at the head of ``at``."""
    me = game.seat
    if me is None:
        return ()
    seats: set[int] = set()
    for earlier in game.trail[: at.chain.step.number]:
        ballot = game.ballots.get(earlier.chain.step.head)
        if ballot is not None:
            seats.update(unreleased(ballot, me))
    return tuple(sorted(seats))


def owing(game: Game) -> tuple[int, ...]:
    """Return the seats whose promise is missing where somebody has voted about a late message.

    Until it is there, whoever has voted cannot play on, be it this seat or another.
    """
    if not game.ballots:
        return ()
    held = {envelope.seat: envelope for envelope in map(read_envelope, game.held)}
    seats: set[int] = set()
    for at in (*game.trail, game.round):
        ballot = game.ballots.get(at.chain.step.head)
        if ballot is None:
            continue
        said = {**(held if at is game.round else {}), **accepted_at(game, at)}
        for lost in said.keys() & set(ballot.droppable):
            if set(ballot.voters(lost)) & set(game.round.present):
                promised = ballot.promised(lost, said[lost].digest)
                seats.update(set(ballot.required(lost)) - set(promised))
    return tuple(sorted(seats - {game.seat}))


def decides(round_: Round) -> bool:
    """Tell whether the current step awaits players, not what their programs say by themselves."""
    if round_.step in THINKING or round_.step in ("take", "turn-up"):
        return True
    return round_.step in ("arrange", "place") and round_.contract.options.jokers


def learn(game: Game) -> Game:
    """Return the game in which this seat has looked at the tiles that the others unmasked."""
    secrets, seat, round_ = game.secrets, game.seat, game.round
    if secrets is None or seat is None or not round_.hands:
        return game
    for held in own_tiles(round_, seat):
        if held.clear and (held.deck, held.index) not in secrets.codes:
            code = decrypt(held.cipher, secrets.key, round_.codes[held.deck])
            secrets = secrets.with_code(held, code)
    return replace(game, secrets=secrets)


def own_tiles(round_: Round, seat: int) -> tuple[Held, ...]:
    """Return the tiles in ``seat``'s row from the left, and the one it has drawn."""
    mine = round_.state is not None and round_.state.turn == seat
    drawn = (round_.drawn,) if mine and round_.drawn is not None else ()
    return (*round_.hands[seat], *drawn)


def own_faces(game: Game) -> tuple[tuple[Tile, ...], Tile | None]:
    """Return the tiles of one's own row, and the one drawn; nothing for a watcher."""
    secrets, seat, round_ = game.secrets, game.seat, game.round
    if secrets is None or seat is None or not round_.hands:
        return (), None
    known = [secrets.codes.get((held.deck, held.index)) for held in own_tiles(round_, seat)]
    tiles = tuple(tile_of_code(code) for code in known if code is not None)
    size = len(round_.hands[seat])
    return tiles[:size], tiles[size] if len(tiles) > size else None


def view(game: Game) -> GameView:
    """Return all that this seat's screen may show, and nothing more."""
    round_ = game.round
    names = tuple(player.name for player in round_.contract.players)
    row, drawn = own_faces(game)
    board = None
    if round_.state is not None:
        board = View(state=round_.state, seat=game.seat, own=row, drawn=drawn)
    words, digits = comparison(round_.chain.session) if round_.keys else ((), "")
    hand = round_.hands[game.seat] if round_.hands and game.seat is not None else ()
    return GameView(
        stage=stage(game),
        round=len(round_.results) + 1,
        names=names,
        seat=game.seat,
        step=round_.chain.step.number,
        kind=round_.step,
        awaited=() if round_.step == DONE else round_.chain.awaited,
        due=asks_player(game),
        down=tuple(sorted(game.down)),
        hand=hand_size(len(round_.contract.playing)),
        dealt=row if round_.state is None else (),
        backs=tuple(held.deck for held in hand) if round_.state is None else (),
        board=board,
        compare=words,
        digits=digits,
        faces=open_rows(round_),
        totals=running_totals(round_, game.convicted),
        winners=winners(round_, game.convicted) if game.ended else (),
        head=round_.chain.step.head,
        elsewhere=tuple(sorted(game.elsewhere)),
        left=tuple(sorted(seat for seat, reason in game.gone.items() if reason == "left")),
        dropped=round_.dropped,
        lost=game.lost,
        resigning=game.resigning,
        owing=() if round_.step == DONE else owing(game),
    )


def open_rows(round_: Round) -> tuple[tuple[Tile | None, ...], ...] | None:
    """Return every row once the round is over and its rows can be opened, else ``None``.

    Of a seat that was dropped only the open tiles are known.
    """
    if round_.state is None or round_.state.winner is None:
        return None
    if round_.opened[round_.state.winner] is None:
        return None
    return tuple(
        tuple(piece.face for piece in round_.board.rows[seat])
        if round_.opened[seat] is None
        else faces(round_, seat)
        for seat in range(round_.seats)
    )


def running_totals(round_: Round, convicted: Collection[int] = ()) -> tuple[int, ...]:
    """Return the points of all rounds, this one included once it is over; 0 for the convicted."""
    over = round_.state is not None and round_.state.winner is not None
    points = totals(all_results(round_) if over else round_.results, convicted)
    return points or (0,) * round_.seats


def winners(round_: Round, convicted: Collection[int] = ()) -> tuple[int, ...]:
    """Return who is ahead, after a finished round; nobody convicted is."""
    return leaders(round_.contract.options, all_results(round_), convicted)
