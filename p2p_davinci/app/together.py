"""What several logs of one game prove together, in words and as JSON (PEER, verdicts as JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..console.clean import NAME_WIDTH_MAX, clean
from ..rules.record import Json
from ..session.comparing import Account, Conviction, Difference, Proof, Together, compare
from ..text import Words
from .settings import Exit
from .verdicts import shown_path, speech_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The logs of one game among the files, in their order, and what they prove together."""

    files: tuple[str, ...]
    accounts: tuple[Account, ...]
    together: Together

    @property
    def exit(self) -> Exit:
        """The exit code that reading them together adds."""
        if self.together.convicted:
            return Exit.CHEAT
        return Exit.ERROR if self.together.unexplained else Exit.OK

    @property
    def verdict(self) -> str:
        """``contradiction``, ``behind`` (they differ as honest logs may), or ``agree``."""
        together = self.together
        by_two = any(isinstance(found.proof, Proof) for found in together.convicted)
        if by_two or any(one.behind is None for one in together.differences):
            return "contradiction"
        return "behind" if together.differences else "agree"


def groups(told: Sequence[tuple[str, Account]]) -> tuple[Group, ...]:
    """Return the games of which there are several logs, in the order of their first files."""
    games: dict[bytes, list[tuple[str, Account]]] = {}
    for file, account in told:
        games.setdefault(account.id, []).append((file, account))
    found = []
    for logs in games.values():
        if len(logs) > 1:
            files, accounts = zip(*logs, strict=True)
            found.append(Group(files=files, accounts=accounts, together=compare(accounts)))
    return tuple(found)


# --- as JSON ---------------------------------------------------------------------------------


def group_record(group: Group) -> dict[str, Json]:
    """Return what logs of one game prove together as a JSON object.

    ``game`` is the hash of the first contract; rounds, steps, seats and records count from 0.
    ``proof`` names one record that convicts, or two that do together; ``behind`` is the file that
    ends with words of ``lost`` that nobody followed.
    """
    return {
        "files": list(group.files),
        "game": group.accounts[0].id.hex(),
        "verdict": group.verdict,
        "exit": int(group.exit),
        "convicted": [_conviction_record(group, found) for found in group.together.convicted],
        "differences": [_difference_record(group, one) for one in group.together.differences],
        "winners": list(group.together.winners),
    }


def _conviction_record(group: Group, found: Conviction) -> dict[str, Json]:
    blamed = found.blamed
    return {
        "seat": blamed.seat,
        "step": blamed.step,
        "check": blamed.check,
        "proof": [{"file": group.files[log], "record": record} for log, record in _records(found)],
    }


def _records(found: Conviction) -> tuple[tuple[int, int], ...]:
    """Return where the proof of a conviction stands, as (log, record)."""
    if isinstance(found.proof, Proof):
        return tuple(zip(found.proof.logs, found.proof.records, strict=True))
    return (found.proof,)


def _difference_record(group: Group, one: Difference) -> dict[str, Json]:
    return {
        "files": [group.files[log] for log in one.logs],
        "round": one.round,
        "step": one.step,
        "behind": None if one.behind is None else group.files[one.logs[one.behind]],
        "lost": one.lost,
    }


# --- as sentences ----------------------------------------------------------------------------


def group_lines(words: Words, group: Group) -> Iterator[str]:
    """Yield what logs of one game prove together."""
    verdict = group.accounts[0].verdict
    spoken = speech_of(words, verdict)
    table = clean(verdict.contract.table, NAME_WIDTH_MAX)
    files = spoken.listed(shown_path(file) for file in group.files)
    yield words.tell("together.files", table=table, files=files)
    if group.verdict == "agree":
        yield f"  {words.tell('together.agree')}"
    for one in group.together.differences:
        first, second = (shown_path(group.files[log]) for log in one.logs)
        place = {"round": one.round + 1, "step": one.step}
        if one.behind is None or one.lost is None:
            yield f"  {words.tell('together.contradict', one=first, other=second, **place)}"
            continue
        behind, ahead = (first, second) if one.behind == 0 else (second, first)
        name = spoken.name(one.lost)
        line = words.tell("together.behind", name=name, behind=behind, ahead=ahead, **place)
        yield f"  {line}"
    if group.together.unexplained:
        yield f"  {words.tell('together.unexplained')}"
    for found in group.together.convicted:
        yield f"  {_convicted(words, group, found)}"
    if group.verdict != "agree" or group.together.convicted:
        names = spoken.named(group.together.winners) or words.tell("nobody")
        yield f"  {words.tell('together.won', names=names)}"


def _convicted(words: Words, group: Group, found: Conviction) -> str:
    spoken = speech_of(words, group.accounts[0].verdict)
    where = (
        words.tell("together.record", record=record, file=shown_path(group.files[log]))
        for log, record in _records(found)
    )
    return words.tell(
        "together.convicted",
        name=spoken.name(found.blamed.seat),
        step=found.blamed.step,
        what=words.reason("check", found.blamed.check),
        check=found.blamed.check,
        where=spoken.listed(where),
    )
