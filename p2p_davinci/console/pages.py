"""The pages of choices outside a game: tables, a table to open, a table being formed, the look.

Pure. Each item stands for a line of the grammar; names that come from peers are cleaned here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..rules.options import FORMS, PRESETS, SEATS_MAX, SEATS_MIN, Options
from ..session.lobby_events import LobbyView
from ..text import Words
from .choices import Item, Offer, Row, numbered
from .clean import NAME_WIDTH_MAX, clean
from .commands import Draft, Look, Page
from .lobby import Found, Kept, lobby_speech, option_sentence, rules_name
from .look_verbs import THEMES, TILES
from .speech import Speech

_SEATS = tuple(map(str, range(SEATS_MIN, SEATS_MAX + 1)))
_BOTS = tuple(map(str, range(SEATS_MAX)))


def over_offer(words: Words, *, again: bool) -> Offer:
    """Return what can be done after a game; ``again``: there is a table to go back to."""
    lines = ("again", "leave", "quit") if again else ("leave", "quit")
    items = [
        Item(key=words.tell(f"menu.key.{line}"), text=words.tell(f"menu.{line}"), line=line)
        for line in lines
    ]
    return Offer(topic="over", title=words.tell("menu.title.over"), items=tuple(items), across=True)


def look_offer(words: Words, look: Look) -> Offer:
    """Return how the console can look and sound."""
    bell = words.tell(f"menu.bell.{'on' if look.bell else 'off'}")
    tiles = words.tell("menu.tiles", tiles=look.tiles)
    theme = words.tell("menu.theme", theme=look.theme)
    rows = [
        Row(words.tell("menu.language"), "language", "language"),
        _turned(tiles, "tiles", TILES, look.tiles),
        _turned(theme, "theme", THEMES, look.theme),
        Row(bell, "bell", "bell"),
        Row(words.tell("menu.back"), "menu"),
    ]
    return numbered("look", words.tell("menu.title.look"), rows)


def _turned(text: str, verb: str, values: Sequence[str], value: str) -> Row:
    """Return a row whose lines set the next value and the one before, round the circle."""
    at = values.index(value) if value in values else 0
    after, before = values[(at + 1) % len(values)], values[(at - 1) % len(values)]
    return Row(text, f"{verb} {after}", f"{verb} {before}", verb)


# --- before a table --------------------------------------------------------------------------


def hall_offer(words: Words, found: Sequence[Found], saved: int, name: str) -> Offer:
    """Return the tables that answered, and what else can be done without a table."""
    resumed = [Row(words.tell("menu.saved", count=saved), "menu saved")] if saved else []
    rows = [
        *(Row(_table_text(words, table), f"join {table.address}") for table in found),
        Row(words.tell("menu.open_page"), "menu open"),
        Row(words.tell("menu.address"), "join "),
        Row(words.tell("menu.search"), "tables"),
        *resumed,
        Row(words.tell("menu.name", name=name), "name "),
        Row(words.tell("menu.look"), "menu look"),
        Row(words.tell("menu.help"), "help"),
        Row(words.tell("menu.quit"), "quit"),
    ]
    title = "menu.title.tables" if found else "menu.title.none"
    return numbered("hall", words.tell(title, count=len(found)), rows)


def saved_offer(words: Words, saved: Sequence[Kept]) -> Offer:
    """Return the saved games that can be gone on with."""
    rows = [Row(_saved_text(words, game), f"resume {at}") for at, game in enumerate(saved, start=1)]
    rows.append(Row(words.tell("menu.back"), "menu"))
    return numbered("saved", words.tell("menu.title.saved"), rows)


def _saved_text(words: Words, game: Kept) -> str:
    names = words.tell("comma").join(clean(name, NAME_WIDTH_MAX) for name in game.names)
    table = clean(game.table, NAME_WIDTH_MAX)
    return words.tell("menu.resume", table=table, names=names, date=game.when)


def _table_text(words: Words, table: Found) -> str:
    return words.tell(
        f"menu.table.{table.state}",
        table=clean(table.table, NAME_WIDTH_MAX),
        opener=clean(table.opener, NAME_WIDTH_MAX),
        members=table.members,
        seats=table.seats,
        rules=rules_name(words, table.options),
    )


def open_offer(words: Words, draft: Draft) -> Offer:
    """Return what can be chosen of a table before it is opened."""
    seats = words.tell("menu.seats", seats=draft.seats)
    bots = words.tell("menu.bots", bots=draft.bots)
    rows = [
        Row(words.tell("menu.open_now"), "open"),
        _turned(seats, "players", _SEATS, str(draft.seats)),
        _turned(bots, "bots", _BOTS, str(draft.bots)),
        *_rules_rows(words, draft.options),
        Row(words.tell("menu.back"), "menu"),
    ]
    return numbered("open", words.tell("menu.title.open"), rows)


def _rules_rows(words: Words, options: Options) -> Iterator[Row]:
    presets = tuple(PRESETS)
    preset = next((name for name in presets if PRESETS[name] == options), "")
    text = words.tell("menu.preset", rules=rules_name(words, options))
    yield _turned(text, "rules", presets, preset)
    for key, value in options.fields():
        choices = FORMS[key].choices
        values = choices if value in choices else (*choices, value)
        yield _turned(option_sentence(words, options, key), f"option {key}", values, value)


# --- at a table ------------------------------------------------------------------------------


def lobby_offer(words: Words, lobby: LobbyView, page: Page) -> Offer:
    """Return what can be done at a table that is being formed."""
    spoken = lobby_speech(words, lobby)
    back = Row(words.tell("menu.back"), "menu")
    match page:
        case "rules":
            rows = [*_rules_rows(words, lobby.options), back]
            return numbered("rules", words.tell("menu.title.rules"), rows)
        case "seats":
            return numbered("seats", words.tell("menu.title.order"), [*_order_rows(spoken), back])
        case "away":
            return numbered(
                "away", words.tell("menu.title.away"), [*_away_rows(spoken, lobby), back]
            )
        case _:
            title = words.tell("menu.title.lobby", table=clean(lobby.table, NAME_WIDTH_MAX))
            return numbered("lobby", title, _table_rows(spoken, lobby))


def _table_rows(spoken: Speech, lobby: LobbyView) -> list[Row]:
    tell = spoken.words.tell
    leave = [Row(tell("menu.look"), "menu look"), Row(tell("menu.leave"), "leave")]
    if not lobby.members:
        return leave
    ready = any(member.ready for member in lobby.members if member.key == lobby.me)
    rules = rules_name(spoken.words, lobby.options)
    seats = tell("menu.seats", seats=lobby.seats)
    rows = [
        Row(tell("menu.is_ready" if ready else "menu.ready"), "ready"),
        Row(tell("menu.rules_page", rules=rules), "menu rules"),
        _turned(seats, "players", _SEATS, str(lobby.seats)),
    ]
    if lobby.options.first == "youngest":
        rows.append(_youngest_row(spoken, lobby))
    if len(lobby.members) > 1:
        rows.append(Row(tell("menu.order_page"), "menu seats"))
        if lobby.me == lobby.opener:
            rows.append(Row(tell("menu.away_page"), "menu away"))
    return [*rows, *leave]


def _youngest_row(spoken: Speech, lobby: LobbyView) -> Row:
    keys = [member.key for member in lobby.members]
    values = ("nobody", *(str(seat) for seat in range(1, len(keys) + 1)))
    if lobby.youngest not in keys:
        return _turned(spoken.words.tell("menu.no_youngest"), "youngest", values, "nobody")
    seat = keys.index(lobby.youngest)
    text = spoken.words.tell("menu.youngest", name=spoken.name(seat))
    return _turned(text, "youngest", values, str(seat + 1))


def _order_rows(spoken: Speech) -> Iterator[Row]:
    count = len(spoken.names)
    for seat, name in enumerate(spoken.names):
        text = spoken.words.tell("menu.move", seat=seat + 1, name=spoken.name(seat))
        earlier, later = (seat - 1) % count, (seat + 1) % count
        yield Row(text, _swapped(count, seat, later), _swapped(count, seat, earlier), name)


def _swapped(count: int, one: int, other: int) -> str:
    order = list(range(1, count + 1))
    order[one], order[other] = order[other], order[one]
    return f"seat {' '.join(map(str, order))}"


def _away_rows(spoken: Speech, lobby: LobbyView) -> Iterator[Row]:
    for seat, member in enumerate(lobby.members):
        if member.key != lobby.me:
            yield Row(spoken.names[seat], f"decline {seat + 1}")
