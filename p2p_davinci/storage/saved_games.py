"""The files of games: made, and if a game is not over, found, opened to go on with, deleted.

A game is saved as long as its secrets file is there: that goes when the game is over, the log
stays. Nothing here replays a log; whether a game can really be gone on with shows when it is tried.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol import SECRETS_HEADER, PeerFault, Record, read_log

from ..session.contract import Contract
from ..session.resuming import CannotResume, first_contract, kept_seat, read_damaged
from ..session.secrets import KINDS
from .files import write_private
from .folders import Folders
from .identity import fingerprint, profiles
from .journal import LogFile

LOG_SUFFIX = ".log"
SECRETS_SUFFIX = ".secrets"
DAMAGED_SUFFIX = ".damaged"
EVIDENCE_SUFFIX = ".evidence"
FILES_MAX = 100
"""How many games of one second and table get files of their own."""
HASH_DIGITS_MIN = 8
"""How many hex digits of a contract's hash name a game at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A game that is not over.

    ``contract`` is that of its first round, ``seat`` this player's and ``key`` the identity that
    plays it. ``messages`` is how many are in the log, ``changed_s`` when that was last written
    (seconds since 1970). ``torn_bytes`` at the ends of the files belong to records that were not
    written whole.
    """

    path: Path
    secrets: Path
    contract: Contract
    seat: int
    key: bytes
    messages: int
    rounds: int
    changed_s: float
    torn_bytes: int

    @property
    def names(self) -> tuple[str, ...]:
        """The players in seat order; they come from peers."""
        return tuple(player.name for player in self.contract.players)

    @property
    def me(self) -> str:
        """The name under which this player plays it."""
        return self.names[self.seat]

    @property
    def others(self) -> tuple[str, ...]:
        """The other players in seat order."""
        return (*self.names[: self.seat], *self.names[self.seat + 1 :])


def saved_games(folders: Folders) -> tuple[Saved, ...]:
    """Return the saved games of this player's identities, the latest first.

    What cannot be read, or was played by somebody else, is left out.
    """
    own = profiles(folders.identity)
    found = []
    for secrets in folders.secrets.glob(f"*{SECRETS_SUFFIX}"):
        with contextlib.suppress(OSError, PeerFault, CannotResume):
            saved = _look_at(folders.logs / f"{secrets.stem}{LOG_SUFFIX}", secrets, own)
            if saved is not None:
                found.append(saved)
    return tuple(sorted(found, key=lambda saved: -saved.changed_s))


def _look_at(path: Path, secrets: Path, own: dict[bytes, Path]) -> Saved | None:
    records, torn_bytes = read_damaged(path.read_bytes())
    contract = first_contract(records)
    if any(record.kind == "fault" for record in records):
        return None
    kept, torn_secrets = read_log(secrets.read_bytes(), header=SECRETS_HEADER, kinds=KINDS)
    seat = _seat_of(path, contract, kept, own)
    if seat is None:
        return None
    return Saved(
        path=path,
        secrets=secrets,
        contract=contract,
        seat=seat,
        key=contract.players[seat].key,
        messages=sum(record.kind == "envelope" for record in records),
        rounds=sum(record.kind == "contract" for record in records),
        changed_s=path.stat().st_mtime,
        torn_bytes=torn_bytes + torn_secrets,
    )


def log_stem(when: str, table: str, contract: Contract, seat: int) -> str:
    """Return what the files of a game begin with; the seat tells players of one folder apart."""
    return f"{when}-{table}-{_opener_mark(contract)}-{seat + 1}"


def new_files(folders: Folders, stem: str) -> tuple[LogFile, LogFile]:
    """Make the log and the secrets file of a game; where ``stem`` is taken, it gets a number.

    Raises:
        OSError: they cannot be made.
    """
    for number in range(FILES_MAX):
        name = f"{stem}-{number}" if number else stem
        try:
            log = LogFile.create(folders.logs / f"{name}{LOG_SUFFIX}")
        except FileExistsError:
            continue
        try:
            path = secrets_of(folders, log.path)
            return log, LogFile.create(path, header=SECRETS_HEADER, private=True)
        except OSError:
            log.close()
            raise
    raise FileExistsError(str(folders.logs / stem))


def secrets_of(folders: Folders, log: Path) -> Path:
    """Return where the secrets file of a log lies, as long as its game is not over."""
    return folders.secrets / f"{log.stem}{SECRETS_SUFFIX}"


def keep_evidence(log: Path, data: bytes) -> Path:
    """Write evidence of double speaking beside the log of its game; return where it lies.

    Raises:
        OSError: it cannot be written.
    """
    path = log.with_suffix(EVIDENCE_SUFFIX)
    write_private(path, data)
    return path


def _opener_mark(contract: Contract) -> str:
    return fingerprint(contract.players[0].key)[:4]


def _seat_of(
    path: Path, contract: Contract, kept: Sequence[Record], own: Collection[bytes]
) -> int | None:
    """Return whose game it is: several players may share a folder, and only one said all this.

    As long as nothing was said, the name that the program gave the file has to do.
    """
    seats = [seat for seat, player in enumerate(contract.players) if player.key in own]
    told = kept_seat(kept, contract)
    if told is not None:
        return told if told in seats else None
    if len(seats) > 1:
        number = path.stem.rpartition(f"-{_opener_mark(contract)}-")[2].partition("-")[0]
        seats = [seat for seat in seats if str(seat + 1) == number]
    return seats[0] if seats else None


def named(games: Sequence[Saved], target: str) -> tuple[Saved, ...]:
    """Return the games that a word names.

    That is a number in the list (from 1), a table, a file's name or path, or at least 8 hex digits
    of the contract's hash.
    """
    if target.isascii() and target.isdecimal() and 1 <= int(target) <= len(games):
        return (games[int(target) - 1],)
    word = Path(target)
    return tuple(
        saved
        for saved in games
        if target == saved.contract.table
        or word.name in (saved.path.name, saved.path.stem)
        or (len(target) >= HASH_DIGITS_MIN and saved.contract.hash.hex().startswith(target))
    )


def past_log(folders: Folders, word: str) -> Path | None:
    """Return the log that a word names, by file name or path, if nobody can go on with its game."""
    name = Path(word).name
    path = folders.logs / (name if name.endswith(LOG_SUFFIX) else f"{name}{LOG_SUFFIX}")
    try:
        return path if name and path.is_file() and not secrets_of(folders, path).exists() else None
    except OSError:
        # No file can have such a name.
        return None


def delete(saved: Saved) -> None:
    """Delete a game for good: its secrets first, then its log.

    Raises:
        OSError: the system refused.
    """
    saved.secrets.unlink(missing_ok=True)
    saved.path.unlink(missing_ok=True)
    saved.path.with_suffix(DAMAGED_SUFFIX).unlink(missing_ok=True)


def _cut_damage(path: Path) -> None:
    data = path.read_bytes()
    _, rest_bytes = read_damaged(data)
    torn_bytes = 0
    with contextlib.suppress(PeerFault):
        _, torn_bytes = read_log(data)
    if rest_bytes > torn_bytes:
        write_private(path.with_suffix(DAMAGED_SUFFIX), data)
        os.truncate(path, len(data) - rest_bytes)


def open_saved(saved: Saved) -> tuple[LogFile, LogFile]:
    """Open log and secrets file, and cut off what a crash left unreadable at the log's end.

    The damaged log is kept beside it under another name, for whoever wants to look into it.

    Raises:
        CannotResume: ``log`` or ``secrets``: one of them cannot be read.
        OSError: the system refused.
    """
    try:
        _cut_damage(saved.path)
        log = LogFile.open(saved.path)
    except PeerFault as fault:
        raise CannotResume("log", fault.check) from None
    try:
        return log, LogFile.open(saved.secrets, header=SECRETS_HEADER, kinds=KINDS)
    except PeerFault as fault:
        log.close()
        raise CannotResume("secrets", fault.check) from None
    except OSError:
        log.close()
        raise
