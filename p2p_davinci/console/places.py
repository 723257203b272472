"""What the middle of the screen shows where there is no table of tiles: pages, the lobby, the deal.

Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby

from prompt_toolkit.utils import get_cwidth

from ..rules.candidates import candidates
from ..rules.tiles import Colour, Tile
from ..session.events import GameView
from ..session.lobby_events import LobbyView
from ..text import Words
from .canvas import Line, fit, wrap
from .choices import Item, Offer
from .clean import clean
from .drawing import TILE_HEIGHT, Art, Picture, draw
from .lobby import ADDRESS_WIDTH_MAX, lobby_speech, member_line, rules_name
from .model import Model

_CUT = " .."
"""What stands where a text goes on that is not shown."""
_STATES = ("screen.done", "screen.awaited")


def name_lines(words: Words, name: str, width: int, room: int) -> tuple[Line, ...]:
    """Return the page of the first start; if room is short, the question alone."""
    welcome, question = (
        tuple((("", f"   {line}"),) for line in wrap(text, width - 4))
        for text in (words.tell("ask.welcome"), words.tell("ask.name", name=name))
    )
    title = (("class:title", f"   {words.tell('screen.welcome')}"),)
    lines: tuple[Line, ...] = ((), title, (), *welcome, (), *question, ())
    return lines if len(lines) <= room else question


def offer_block(found: Offer, picked: Item | None, width: int, room: int) -> tuple[Line, ...]:
    """Return the choices one below the other; those around the picked one if room is short.

    The picked one takes as many lines as its text does, the others one.
    """
    digits = max(len(item.key) for item in found.items)
    whole = () if picked is None else _whole_item(picked, digits, width)
    others = max(1, room - max(0, len(whole) - 1))
    at = found.items.index(picked) if picked in found.items else 0
    first = max(0, min(at - others // 2, len(found.items) - others))
    lines: list[Line] = []
    for item in found.items[first : first + others]:
        lines += whole if item is picked else (_short_item(item, digits, width),)
    return tuple(lines[:room])


def _whole_item(item: Item, digits: int, width: int) -> tuple[Line, ...]:
    head = f" > {item.key.rjust(digits)} "
    texts = wrap(item.text, max(1, width - len(head) - 1), indent=0)
    heads = (head, *(" " * len(head) for _ in texts[1:]))
    return tuple((("class:picked", f"{a}{b} "),) for a, b in zip(heads, texts, strict=True))


def _short_item(item: Item, digits: int, width: int) -> Line:
    head = f"   {item.key.rjust(digits)} "
    room = max(1, width - len(head) - 1)
    text = item.text
    if get_cwidth(text) > room:
        text = f"{wrap(text, max(1, room - len(_CUT)), indent=0)[0]}{_CUT}"
    return (("class:item", f"{head}{text} "),)


def hall_lines(found: Offer | None, picked: Item | None, width: int, room: int) -> tuple[Line, ...]:
    """Return a page that is nothing but choices."""
    if found is None or found.across:
        return ()
    title = tuple((("class:title", f" {text}"),) for text in wrap(found.title, width - 2))
    return (*title, *offer_block(found, picked, width, max(1, room - len(title))))


def lobby_page_lines(
    words: Words, lobby: LobbyView, found: Offer | None, picked: Item | None, width: int, room: int
) -> tuple[Line, ...]:
    """Return who sits at the table that is being formed, its rules, and the choices."""
    spoken = lobby_speech(words, lobby)
    members = tuple(
        (
            (
                "class:ready" if member.ready else "class:name",
                f"   {member_line(spoken, lobby, seat, member)}",
            ),
        )
        for seat, member in enumerate(lobby.members)
    )
    free = tuple(
        (("class:foot", f"   {seat + 1}  {words.tell('screen.free')}"),)
        for seat in range(len(lobby.members), lobby.seats if lobby.members else 0)
    )
    texts = [words.tell("rules.are", rules=rules_name(words, lobby.options))]
    if free:
        texts += _address_texts(words, lobby)
    foot = tuple((("class:foot", fit_text(f"   {text}", width)),) for text in texts)
    seats: tuple[Line, ...] = (*members, *free, *foot)
    return (*seats, *hall_lines(found, picked, width, max(2, room - len(seats))))


def _address_texts(words: Words, lobby: LobbyView) -> Iterator[str]:
    """Yield where others can join, as the opener tells it."""
    for member in lobby.members:
        if member.key == lobby.opener and member.addresses:
            shown = (clean(address, ADDRESS_WIDTH_MAX) for address in member.addresses)
            yield words.tell("screen.address", addresses=words.tell("comma").join(shown))


def fit_text(text: str, width: int) -> str:
    """Return ``text`` cut to ``width`` cells, without blanks at its end."""
    return "".join(part for _, part in fit((("", text),), width)).rstrip()


# --- the deal --------------------------------------------------------------------------------


def deal_lines(
    model: Model,
    view: GameView,
    art: Art,
    found: Offer | None,
    picked: Item | None,
    width: int,
    room: int,
) -> tuple[Line, ...]:
    """Return how far the deal has come, who is awaited, and one's own tiles once they are seen."""
    if model.over:
        title = (("class:title", f" {model.words.tell('status.halted')}"),)
        return (title, *_dealt(model, view, art), *focus_lines(model, view, width))
    lines = [*_progress(model, view), *_dealt(model, view, art)]
    if found is not None and not found.across:
        lines += hall_lines(found, picked, width, max(2, room - len(lines)))
    elif view.compare and not model.compared:
        lines += _comparison(model, view, width)
    return tuple(lines)


def _progress(model: Model, view: GameView) -> Iterator[Line]:
    words, speech = model.words, model.speech
    step = words.reason("step", view.kind)
    yield (("class:title", f" {words.tell('screen.deal', step=step)}"),)
    for seat, name in enumerate(speech.names):
        awaited = seat in view.awaited
        state = words.tell("screen.down" if seat in view.down else _STATES[awaited])
        who = "table.member.you" if seat == view.seat else "table.member.other"
        role = ""
        if any(view.totals):
            role = words.tell("screen.role.points", points=view.totals[seat])
        text = words.tell(who, seat=seat + 1, name=name, role=role, state=state)
        yield (("class:turn" if awaited else "class:name", f"   {text}"),)


def _dealt(model: Model, view: GameView, art: Art) -> Iterator[Line]:
    if not view.dealt:
        return
    drawn = [
        draw(
            Picture(
                value="-" if tile.number is None else str(tile.number),
                colour=tile.colour,
                standing=True,
                foot="",
                own=True,
            ),
            art,
            model.lang,
        )
        for tile in view.dealt
    ]
    title = model.words.tell("screen.your_tiles")
    yield (("class:title", f" {title}"),)
    for line in range(TILE_HEIGHT):
        pieces = [piece for picture in drawn for piece in (picture[line], ("", " "))]
        yield (("", "   "), *pieces)


def _comparison(model: Model, view: GameView, width: int) -> Iterator[Line]:
    words = model.words.tell("compare", words=" ".join(view.compare), digits=view.digits)
    for text in (words, model.words.tell("compare.why")):
        for line in wrap(text, width - 2):
            yield (("class:alarm", f" {line}"),)


# --- below the table -------------------------------------------------------------------------


def focus_lines(model: Model, view: GameView, width: int) -> tuple[Line, ...]:
    """Return what is worth knowing below the table.

    That is what is known of the marked tile or of one's own drawn one, or else what is still to
    be compared; at the end what the log is worth, and where it lies.
    """
    words = model.words
    if not model.over:
        return (fit(_focus(model, view), width),)
    if not model.log_path:
        return ((),)
    verdict = words.tell(f"app.verdict.{model.verdict}")
    verified = words.tell("screen.verified", verdict=verdict)
    texts = (verified, words.tell("screen.log_path", path=model.log_path))
    return tuple((("class:foot", f" {text}"),) for text in texts)


def _focus(model: Model, view: GameView) -> Line:
    words = model.words
    parts: list[tuple[str, str]] = []
    known = tuple(_known(model, view))
    if view.board is not None and view.board.drawn is not None and not known:
        tile = model.speech.tile(view.board.drawn)
        parts.append(("class:own", f" {words.tell('screen.drawn', tile=tile)}"))
    if model.mark is not None:
        parts.append(("class:foot", f" {words.tell('screen.marked', place=str(model.mark))}"))
        parts += known
    if not parts and view.compare and not model.compared:
        text = words.tell("screen.compare", words=" ".join(view.compare), digits=view.digits)
        parts.append(("class:alarm", f" {text}"))
    return tuple(parts)


def _known(model: Model, view: GameView) -> Iterator[tuple[str, str]]:
    """Yield what the table's aids allow to show of the marked tile."""
    if model.options is None or model.options.aids == "real-life" or model.mark is None:
        return
    if model.options.aids == "assisted" and view.board is not None:
        row = candidates(view.board)[model.mark.seat]
        if model.mark.slot <= len(row):
            tiles = " ".join(spans(row[model.mark.slot - 1]))
            yield "class:computed", f" {model.words.tell('screen.may_be', tiles=tiles)}"
    for note in model.notes:
        if note.place == model.mark:
            yield "class:note", f" {model.words.tell('screen.noted', text=note.text)}"


def spans(tiles: Collection[Tile]) -> Iterator[str]:
    """Yield tiles by colour and number, those in a row as from-to: ``b0-3 b8 b-``."""
    for colour in Colour:
        letter = colour.letter
        numbers = sorted(t.number for t in tiles if t.colour is colour and t.number is not None)
        for _, pairs in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
            run = [number for _, number in pairs]
            yield f"{letter}{run[0]}" + (f"-{run[-1]}" if len(run) > 1 else "")
        if Tile(colour=colour, number=None) in tiles:
            yield f"{letter}-"
