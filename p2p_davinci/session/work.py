"""One step of a session in the making: the game so far, and the effects it has asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from protocol import Entropy, Signer, encode_record

from .allowance import AGAIN, spend
from .events import Append, Effect, Event, Send, Show
from .game import Game
from .secrets import Seat

WAIT_S = 60.0
"""How long a lost peer may stay away before the game stops without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """What a player brings to a game: an identity and the OS's randomness."""

    signer: Signer
    entropy: Entropy = field(repr=False)
    wait_s: float = WAIT_S


@dataclass(slots=True, kw_only=True)
class Work:
    """One step in the making."""

    game: Game
    now_s: float
    who: Who | None
    effects: list[Effect] = field(default_factory=list)

    def show(self, *events: Event) -> None:
        """Tell the player."""
        self.effects.extend(Show(event=event) for event in events)

    def log(self, kind: str, data: bytes) -> None:
        """Add a record to the public log."""
        self.effects.append(Append(record=encode_record(kind, data)))

    def may_ask(self, seat: int) -> bool:
        """Tell whether a seat may still ask for what was said before."""
        return spend(self.game.served, seat, AGAIN, 0, self.now_s) is not None

    def send_again(self, messages: tuple[bytes, ...], seat: int) -> None:
        """Answer a seat that asks for what was said before, unless it has asked for too much."""
        cost = sum(map(len, messages))
        served = spend(self.game.served, seat, AGAIN, cost, self.now_s)
        if served is not None:
            self.game = replace(self.game, served=served)
            self.effects.extend(Send(data=message, seat=seat) for message in messages)

    def me(self) -> Seat | None:
        """Return who speaks for this seat, ``None`` for a watcher or verifier."""
        game, who = self.game, self.who
        if who is None or game.seat is None or game.secrets is None:
            return None
        return Seat(seat=game.seat, signer=who.signer, entropy=who.entropy, secrets=game.secrets)

    @property
    def live(self) -> bool:
        """Whether anything can still happen."""
        return self.game.stopped is None and not self.game.ended
