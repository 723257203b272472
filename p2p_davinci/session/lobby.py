"""A table being formed, sans I/O: who sits where, under which rules, and who is ready for that.

The opener keeps the one document that all see and numbers its revisions; any member may propose a
change, and any change voids every "ready". That is all the opener's privilege, with declining a
stranger: what is played is fixed by the contract, which everybody computes from the document and
signs with the first message of the game (SPEC, contract).
"""

from __future__ import annotations

from dataclasses import replace

from protocol import (
    PeerFault,
    Value,
    as_array,
    as_bytes,
    as_text,
    decode,
    encode,
    read_envelope,
)

from ..rules.options import BadOption
from .contract import FRESH_BYTES, Contract
from .lobby_events import (
    Agreed,
    Closed,
    Leave,
    LobbyCommand,
    LobbyEffect,
    LobbyInput,
    Notice,
    PeerCame,
    PeerSaid,
    PeerWent,
    SetReady,
    Tell,
    Want,
)
from .lobby_state import SHEETS_KEPT, Lobby
from .sheet import (
    ADDRESSES_MAX,
    TEXT_BYTES_MAX,
    Sheet,
    Sitting,
    changed,
    contract_of,
    proposal,
    read_addresses,
    read_name,
    read_sheet,
    unique_name,
    without,
)

Moved = tuple[Lobby, tuple[LobbyEffect, ...]]


def step(lobby: Lobby, given: LobbyInput) -> Moved:
    """Return the lobby after one input, and what to do.

    What a peer sends and makes no sense is ignored: nothing has been played yet, and nothing can
    be lost.
    """
    if lobby.done:
        return lobby, ()
    match given:
        case PeerCame():
            moved = _came(lobby, given)
        case PeerWent():
            moved = _went(lobby, given.peer)
        case PeerSaid():
            try:
                moved = _said(lobby, given.peer, given.data)
            except (PeerFault, BadOption):
                return lobby, ()
        case _:
            moved = _command(lobby, given)
    after, effects = moved
    sheet = after.sheet
    if after.done or sheet is None or not _sees_all(after, sheet):
        return moved
    after, told = _tell_ready(after, sheet)
    contract = _agreed(after, sheet)
    after, agreed = (after, ()) if contract is None else _begin(after, sheet, contract)
    return after, (*effects, *told, *agreed)


def ready_again(lobby: Lobby) -> bytes | None:
    """Return what this member said when it was ready for the sheet as it stands, if it was.

    Somebody whose link broke before it heard so needs it even when the others play already.
    """
    sheet = lobby.sheet
    told = sheet is not None and (sheet.hash, lobby.me) in lobby.ready
    return _ready_message(sheet) if told and sheet is not None else None


# --- links -----------------------------------------------------------------------------------


def _came(lobby: Lobby, given: PeerCame) -> Moved:
    after = replace(lobby, linked=lobby.linked | {given.peer})
    effects: list[LobbyEffect] = []
    if given.peer == lobby.opener:
        seat = encode(("sit", lobby.name, lobby.addresses[:ADDRESSES_MAX], lobby.fresh))
        effects.append(Tell(data=seat, peer=given.peer))
    told = ready_again(lobby)
    if told is not None:
        effects.append(Tell(data=told, peer=given.peer))
    return after, tuple(effects)


def _went(lobby: Lobby, peer: bytes) -> Moved:
    after = replace(lobby, linked=lobby.linked - {peer})
    if not any(peer in sheet.keys for sheet in lobby.sheets):
        # What strangers said is not kept longer than they stay.
        after = replace(after, ready=tuple(said for said in lobby.ready if said[1] != peer))
    sheet = after.sheet
    if sheet is None or peer not in sheet.keys or lobby.me != lobby.opener:
        return after, ()
    return _revise(after, without(sheet, peer))


# --- what peers say --------------------------------------------------------------------------


def _said(lobby: Lobby, peer: bytes, data: bytes) -> Moved:
    kind, *rest = as_array(decode(data), "lobby.shape") or (None,)
    values = tuple(rest)
    match kind:
        case "sit" if lobby.me == lobby.opener:
            return _seat(lobby, peer, values)
        case "change" if lobby.me == lobby.opener:
            return _change(lobby, peer, values)
        case "table" if peer == lobby.opener:
            return _show_sheet(lobby, values)
        case "refused" if peer == lobby.opener:
            (reason,) = as_array(values, "lobby.shape", length=1)
            text = as_text(reason, "lobby.shape", bytes_max=TEXT_BYTES_MAX)
            known = text if text in ("full", "declined", "playing") else "other"
            return replace(lobby, done=True), (Closed(reason=known),)
        case "ready":
            return _hear_ready(lobby, peer, values)
        case "envelope":
            (raw,) = as_array(values, "lobby.shape", length=1)
            envelope = read_envelope(as_bytes(raw, "lobby.shape"))
            return _follow(lobby, envelope.payload.session)
        case "at":
            return _follow(lobby, as_array(values, "lobby.shape", length=4)[0])
        case "bye":
            return _farewell(lobby, peer)
    return lobby, ()


def _seat(lobby: Lobby, peer: bytes, values: tuple[Value, ...]) -> Moved:
    sheet = lobby.sheet
    if sheet is None:
        return lobby, ()
    name, addresses, fresh = as_array(values, "lobby.sit", length=3)
    new = Sitting(
        key=peer,
        name=unique_name(read_name(name), without(sheet, peer)),
        addresses=read_addresses(addresses),
        fresh=as_bytes(fresh, "lobby.sit", length=FRESH_BYTES),
    )
    if peer in sheet.keys:
        # It may have started anew, and then knows no more of what it was ready for.
        again = tuple(new if member.key == peer else member for member in sheet.sitting)
        return _revise(lobby, replace(sheet, sitting=again))
    held = lobby.reserved - set(sheet.keys) - {peer}
    refusal = None
    if peer in lobby.declined:
        refusal = "declined"
    elif len(sheet.sitting) + len(held) >= sheet.seats:
        refusal = "full"
    if refusal is not None:
        return lobby, (Tell(data=encode(("refused", refusal)), peer=peer),)
    return _revise(lobby, replace(sheet, sitting=(*sheet.sitting, new)))


def _revise(lobby: Lobby, sheet: Sheet) -> Moved:
    """Number a changed sheet and show it to all; every "ready" was for another."""
    revised = replace(sheet, revision=sheet.revision + 1)
    after = _keep_sheet(lobby, revised)
    told = encode(("table", *revised.fields()))
    wants = _wants(lobby, revised)
    return after, (*wants, *(Tell(data=told, peer=want.peer) for want in wants))


def _keep_sheet(lobby: Lobby, sheet: Sheet) -> Lobby:
    sheets = (sheet, *lobby.sheets)[:SHEETS_KEPT]
    kept = {one.hash for one in sheets}
    past = {one.hash for one in lobby.sheets} - kept
    # What is neither may be a sheet that others were shown sooner.
    ready = tuple(
        (digest, peer)
        for digest, peer in lobby.ready
        if digest in kept or (digest not in past and peer in lobby.linked)
    )
    return replace(lobby, sheets=sheets, ready=ready)


def _show_sheet(lobby: Lobby, values: tuple[Value, ...]) -> Moved:
    sheet = read_sheet(values)
    if sheet.opener != lobby.opener or (lobby.sheet and sheet.revision <= lobby.sheet.revision):
        return lobby, ()
    mine = next((member for member in sheet.sitting if member.key == lobby.me), None)
    if mine is None and lobby.sheet is None:
        # Shown before the wish for a seat came; whoever is refused one is told so.
        return lobby, ()
    if mine is None:
        return replace(lobby, done=True), (Closed(reason="declined"),)
    if mine.fresh != lobby.fresh:
        # Bytes of another time would make a contract that may have been played under before.
        return lobby, ()
    return _keep_sheet(lobby, sheet), _wants(lobby, sheet)


def _wants(lobby: Lobby, sheet: Sheet) -> tuple[Want, ...]:
    others = [member for member in sheet.sitting if member.key != lobby.me]
    return tuple(Want(peer=member.key, addresses=member.addresses) for member in others)


# --- ready -----------------------------------------------------------------------------------


def _ready_message(sheet: Sheet) -> bytes:
    return encode(("ready", sheet.hash))


def _sees_all(lobby: Lobby, sheet: Sheet) -> bool:
    return lobby.linked | {lobby.me} >= set(sheet.keys)


def _be_ready(lobby: Lobby, sheet: Sheet) -> Moved:
    after = replace(lobby, willing=sheet.hash)
    waits = after.willing != lobby.willing and not _sees_all(lobby, sheet)
    return after, (Notice(key="lobby.unlinked"),) if waits else ()


def _tell_ready(lobby: Lobby, sheet: Sheet) -> Moved:
    said = (sheet.hash, lobby.me)
    if lobby.willing != sheet.hash or said in lobby.ready:
        return lobby, ()
    told = Tell(data=_ready_message(sheet), peer=None)
    return replace(lobby, ready=(*lobby.ready, said)), (told,)


def _hear_ready(lobby: Lobby, peer: bytes, values: tuple[Value, ...]) -> Moved:
    (digest,) = as_array(values, "lobby.ready", length=1)
    said = as_bytes(digest, "lobby.ready", length=32), peer
    if said in lobby.ready:
        return lobby, ()
    mine = [held for held in lobby.ready if held[1] == peer]
    # A member that never repeats itself keeps a few; a flood replaces its own oldest.
    kept = tuple(held for held in lobby.ready if held not in mine[: 1 - SHEETS_KEPT])
    return replace(lobby, ready=(*kept, said)), ()


def _follow(lobby: Lobby, session: Value) -> Moved:
    """Somebody plays already: so do we, if it is a sheet that all were ready for."""
    for sheet in lobby.sheets:
        contract = _agreed(lobby, sheet)
        if contract is not None and contract.hash == session:
            return _begin(lobby, sheet, contract)
    return lobby, ()


def _begin(lobby: Lobby, sheet: Sheet, contract: Contract) -> Moved:
    return replace(lobby, sheets=(sheet,), done=True), (Agreed(contract=contract),)


def _agreed(lobby: Lobby, sheet: Sheet) -> Contract | None:
    """Return the contract if every member of a full table is ready for this very sheet."""
    if len(sheet.sitting) != sheet.seats:
        return None
    digest = sheet.hash
    all_ready = all((digest, key) in lobby.ready for key in sheet.keys)
    return contract_of(sheet) if all_ready else None


# --- commands and changes --------------------------------------------------------------------


def _command(lobby: Lobby, given: LobbyCommand) -> Moved:
    if isinstance(given, Leave):
        farewell = Tell(data=encode(("bye",)), peer=None)
        return replace(lobby, done=True), (farewell, Closed(reason="left"))
    if lobby.sheet is None:
        return lobby, (Notice(key="lobby.wait"),)
    if isinstance(given, SetReady):
        return _be_ready(lobby, lobby.sheet)
    change = proposal(given)
    try:
        if lobby.me == lobby.opener:
            return _change(lobby, lobby.me, change)
        changed(lobby.sheet, change)
    except BadOption as error:
        return lobby, (Notice(key=f"option.{error.reason}", values=error.values),)
    except PeerFault:
        return lobby, (Notice(key="lobby.impossible"),)
    return lobby, (Tell(data=encode(("change", *change)), peer=lobby.opener),)


def _change(lobby: Lobby, peer: bytes, values: tuple[Value, ...]) -> Moved:
    """Apply a member's proposal.

    Raises:
        PeerFault: ``lobby.change``: it makes no sense, or comes from somebody without a seat.
        BadOption: rules that no table can have.
    """
    sheet = lobby.sheet
    if sheet is None or peer not in sheet.keys:
        raise PeerFault("lobby.change")
    match values:
        case ("decline", bytes(member)) if peer == lobby.me != member and member in sheet.keys:
            return _decline(lobby, sheet, member)
    after = changed(sheet, values)
    if after.seats < len(lobby.reserved | set(sheet.keys)):
        raise PeerFault("lobby.change")
    return (lobby, ()) if after == sheet else _revise(lobby, after)


def _decline(lobby: Lobby, sheet: Sheet, member: bytes) -> Moved:
    refused = Tell(data=encode(("refused", "declined")), peer=member)
    after = replace(lobby, declined=lobby.declined | {member}, reserved=lobby.reserved - {member})
    after, effects = _revise(after, without(sheet, member))
    return after, (refused, *effects)


def _farewell(lobby: Lobby, peer: bytes) -> Moved:
    if peer == lobby.opener:
        return replace(lobby, done=True), (Closed(reason="opener_left"),)
    return _went(lobby, peer)
