"""What happened, in whole sentences: every fact and event of a game, for one listener.

Pure. An event's sentences depend on the event, on the guess that was pending before it, and on
the view after it; nothing is told here that the listener's own seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..rules.moves import (
    Answered,
    Awarded,
    Drawn,
    Dropped,
    Fact,
    Guessed,
    Overran,
    Placed,
    Resigned,
    Revealed,
    Stopped,
    parse_call,
)
from ..rules.options import Options
from ..rules.tiles import Colour, Tile
from ..session.events import (
    Begun,
    Blamed,
    ClockCalled,
    ClockIgnored,
    Dealt,
    Drew,
    Event,
    GameOver,
    GameView,
    Halted,
    Happened,
    Heard,
    Offered,
    Progress,
    Promised,
    Refused,
    RoundOver,
    Voted,
)
from .clean import CHAT_WIDTH_MAX, clean
from .commands import Place
from .speech import Speech

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a sentence may need: the listener, the rules, the view now, the guess before."""

    speech: Speech
    options: Options
    view: GameView
    guess: Guessed | None

    def pile(self) -> str:
        """Return how much is left in the pile."""
        if self.view.board is None:
            return ""
        return self.speech.pile(self.view.board.state.pile)


def tell_event(scene: Scene, event: Event) -> Lines:
    """Return the sentences for one event."""
    speech, words = scene.speech, scene.speech.words
    match event:
        case Happened(seat=seat, fact=fact):
            return tell_fact(scene, seat, fact)
        case Dealt(tiles=tiles):
            return (words.tell("dealt", tiles=speech.tiles(tiles)),)
        case Drew(tile=tile):
            return (words.tell("drew", tile=speech.tile(tile)),)
        case Begun(number=number, first=first):
            return (_begun(scene, number, first),)
        case Progress():
            return (_progress(scene, event),)
        case Refused(reason=reason, values=values):
            why = refused(speech, reason, values)
            return (speech.run(why, words.tell("nothing_sent")),)
        case Heard(seat=seat, text=text):
            return (speech.tell("said", seat, text=clean(text, CHAT_WIDTH_MAX)),)
        case ClockCalled(by=by, seat=seat, call_s=call_s):
            return (speech.tell("clock_called", seat, by=speech.name(by), seconds=call_s),)
        case Offered() | Voted() | Promised():
            return _tell_silence(scene, event)
        case _:
            return _tell_stop(scene, event)


def _tell_silence(scene: Scene, event: Offered | Voted | Promised) -> Lines:
    speech = scene.speech
    match event:
        case Offered(seat=seat, waited_s=waited_s):
            way = "vote" if event.vote else "claim" if event.claim else "wait"
            silent = speech.tell("silent.long", seat, seconds=waited_s)
            if event.left:
                silent = speech.words.tell("silent.left", name=speech.name(seat))
            if event.promise:
                silent = speech.words.tell("silent.promise", name=speech.name(seat))
            voters = set(range(len(speech.names))) - {seat, *scene.view.out}
            choice = speech.tell(f"silent.choice.{way}", seat)
            return (silent, choice, *(_unreachable(scene, voters) if event.vote else ()))
        case Voted(by=by, seat=seat, missing=()):
            return (speech.tell("silent.voted_last", by, lost=speech.name(seat)),)
        case Voted(by=by, seat=seat, missing=missing):
            awaited = speech.named(missing)
            lost = speech.name(seat)
            line = speech.tell("silent.voted", by, lost=lost, names=awaited)
            return (line, *_unreachable(scene, missing))
        case Promised(by=by, seat=seat):
            return (speech.tell("silent.promised", by, lost=speech.name(seat)),)


def _unreachable(scene: Scene, voters: Collection[int]) -> Lines:
    """Tell who of those that must agree cannot be asked now."""
    away = sorted({*scene.view.down, *scene.view.left} & set(voters))
    names = scene.speech.named(away)
    return (scene.speech.words.tell("silent.unreachable", names=names),) if away else ()


def _tell_stop(scene: Scene, event: ClockIgnored | Blamed | Halted | RoundOver | GameOver) -> Lines:
    match event:
        case ClockIgnored(seat=seat):
            return (scene.speech.tell("clock_ignored", seat),)
        case Blamed():
            return _blamed(scene.speech, event)
        case Halted(reason=reason, seat=seat):
            words = scene.speech.words
            name = words.tell("nobody") if seat is None else scene.speech.name(seat)
            return (words.reason("halted", reason, name=name),)
        case RoundOver():
            return _round_over(scene, event)
        case GameOver():
            return _game_over(scene, event)


def refused(speech: Speech, reason: str, values: Sequence[tuple[str, str]]) -> str:
    """Return why a move or an input was refused.

    ``reason`` is a catalogue key below ``illegal.`` or ``refused.``, with that word before it.
    Players, tiles and decks among ``values`` are spoken by name.
    """
    spoken = dict(values)
    if "seat" in spoken and 1 <= int(spoken["seat"]) <= len(speech.names):
        spoken["name"] = speech.name(int(spoken["seat"]) - 1)
    if "tile" in spoken:
        spoken["tile"] = speech.call(parse_call(spoken["tile"]))
    if spoken.get("deck") in ("1", "2"):
        spoken["colour"] = speech.colour(Colour(int(spoken["deck"]) - 1))
    topic, _, rest = reason.partition(".")
    return speech.words.reason(topic, rest, **spoken)


def _begun(scene: Scene, number: int, first: int) -> str:
    rounds = scene.options.rounds
    if number > rounds:
        return scene.speech.tell("begun.extra", first)
    if rounds == 1:
        return scene.speech.tell("begun.single", first)
    return scene.speech.tell("begun", first, number=number, rounds=rounds)


def _progress(scene: Scene, event: Progress) -> str:
    words = scene.speech.words
    line = words.tell(
        "progress",
        step=words.reason("step", event.kind),
        done=event.done,
        total=event.total,
    )
    awaited = [seat for seat in scene.view.awaited if seat != scene.speech.me]
    if event.done == event.total or event.kind != scene.view.kind or not awaited:
        return line
    return scene.speech.run(line, words.tell("waiting", names=scene.speech.named(awaited)))


def _blamed(speech: Speech, event: Blamed) -> Lines:
    kind = "proved" if event.proved else "suspected"
    means = kind
    if event.stands:
        means = "lost" if event.proved else "stands"
    what = speech.words.reason("check", event.check)
    return (
        speech.tell(f"blamed.{kind}", event.seat, what=what, check=event.check, step=event.step),
        speech.words.tell(f"blamed.means.{means}"),
    )


def points_line(speech: Speech, key: str, points: tuple[int, ...]) -> str:
    """Return the players' points in one sentence under ``key``."""
    each = (
        speech.words.tell("points.one", name=speech.name(seat), points=value)
        for seat, value in enumerate(points)
    )
    return speech.words.tell(key, points=speech.listed(each))


def _round_over(scene: Scene, event: RoundOver) -> Lines:
    lines = [scene.speech.tell("round_over", event.winner, number=scene.view.round)]
    if scene.options.scoring != "none":
        lines.append(points_line(scene.speech, "points.round", event.points))
        lines.append(points_line(scene.speech, "points.total", event.totals))
    return tuple(lines)


def _game_over(scene: Scene, event: GameOver) -> Lines:
    speech, words = scene.speech, scene.speech.words
    if not event.winners:
        line = words.tell("game_over.nobody")
    elif len(event.winners) == 1:
        line = speech.tell("game_over", event.winners[0])
    else:
        line = words.tell("game_over.shared", names=speech.named(event.winners))
    lines = [line]
    if scene.options.scoring != "none":
        lines.append(points_line(speech, "points.total", event.totals))
    lines.append(words.tell("game_over.head", head=event.head.hex()[:16]))
    return tuple(lines)


# --- facts -----------------------------------------------------------------------------------


def tell_fact(scene: Scene, seat: int, fact: Fact) -> Lines:
    """Return the sentences for a fact that ``seat`` caused."""
    speech = scene.speech
    match fact:
        case Drawn(deck=deck):
            what = speech.deck(deck, len(scene.options.decks))
            return (speech.tell("fact.drawn", seat, what=what, pile=scene.pile()),)
        case Guessed():
            return _guessed(scene, seat, fact)
        case Answered(tile=tile):
            return (_answered(scene, seat, tile),)
        case Stopped(slot=slot):
            if slot is None:
                return (speech.tell("fact.stopped", seat),)
            return (speech.tell("fact.stopped_at", seat, place=_place(seat, slot)),)
        case Placed(slot=slot, tile=tile):
            values = {"place": _place(seat, slot), "tile": speech.tile(tile)}
            return (speech.tell("fact.placed", seat, **values),)
        case Revealed(slot=slot, tile=tile):
            values = {"place": _place(seat, slot), "tile": speech.tile(tile)}
            return (speech.tell("fact.revealed", seat, **values),)
        case Overran():
            return (_overran(scene, seat, fact),)
        case Resigned(row=row, drawn=drawn):
            return _resigned(speech, fact, row, drawn)
        case Dropped():
            return (speech.tell("fact.dropped", seat),)
        case Awarded(row=row):
            return (speech.tell("fact.awarded", seat, tiles=speech.tiles(row)),)


def _place(seat: int, slot: int) -> str:
    return str(Place(seat=seat, slot=slot))


def is_ruled_miss(options: Options, guess: Guessed) -> bool:
    """Tell whether the guess is a miss by rule: no colour named where the colour counts."""
    return options.call == "colour" and guess.call.colour is None


def _guessed(scene: Scene, seat: int, guess: Guessed) -> Lines:
    speech = scene.speech
    place = _place(guess.seat, guess.slot)
    call = speech.call(guess.call)
    if guess.seat == speech.me:
        line = speech.tell("fact.guessed_mine", seat, place=place, call=call)
    else:
        owner = speech.names[guess.seat]
        line = speech.tell("fact.guessed", seat, owner=owner, place=place, call=call)
    if is_ruled_miss(scene.options, guess):
        return (line, speech.words.tell("fact.ruled"))
    return (speech.run(line, speech.tell("fact.must_answer", guess.seat)),)


def _answered(scene: Scene, seat: int, tile: Tile | None) -> str:
    speech, guess = scene.speech, scene.guess
    place = "?" if guess is None else _place(seat, guess.slot)
    if tile is not None:
        return speech.tell("fact.hit", seat, place=place, tile=speech.tile(tile))
    call = "?" if guess is None else speech.call(guess.call)
    return speech.tell("fact.miss", seat, place=place, call=call)


def _overran(scene: Scene, seat: int, fact: Overran) -> str:
    speech = scene.speech
    if fact.deck is not None:
        what = speech.deck(fact.deck, len(scene.options.decks))
        return speech.tell("fact.overran_draw", seat, what=what)
    if fact.slot is not None:
        return speech.tell("fact.overran_stop", seat, place=_place(seat, fact.slot))
    return speech.tell("fact.overran", seat)


def _resigned(speech: Speech, fact: Resigned, row: tuple[Tile, ...], drawn: Tile | None) -> Lines:
    lines = [speech.tell("fact.resigned", fact.seat, tiles=speech.tiles(row))]
    if drawn is not None:
        lines.append(speech.tell("fact.resigned_drawn", fact.seat, tile=speech.tile(drawn)))
    return tuple(lines)
