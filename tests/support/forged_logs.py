"""Fresh and forged logs with our verdicts: ``python -m tests.support.forged_logs FOLDER --seed 1``.

For a second verifier to be compared with: whoever writes one reads SPEC alone, and then says of
every file what ours says in ``expected.jsonl``, and of every pair in ``together.jsonl``.
``forgeries.jsonl`` says how each file was made. A seed repeats every byte.

Of several forgeries the one is kept whose verdict came up least often, so that rare names occur.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from p2p_davinci.session.audit import verify_log
from protocol import PeerFault
from tests.support.forged_games import UNFIT, Fresh, Luck, fresh_games
from tests.support.forged_messages import MESSAGES, Forge
from tests.support.forged_pairs import pairs
from tests.support.forged_records import RECORDS
from tests.support.forged_votes import VOTES
from tests.support.table import each_proof_checked_once
from tests.support.vector_cases import Json
from tests.support.vector_logs import verdict_shown

KEYS: Final = (
    *("status", "check", "record", "winners", "points", "totals", "head", "awaited"),
    *("receipts_missing", "dropped", "claimed", "blamed", "torn_bytes"),
)
FAMILIES: Final = ((MESSAGES, 5), (RECORDS, 3), (VOTES, 3))
TRIES: Final = 6
"""How many forgeries are made for each that is kept."""
LOGS_OF_A_GAME: Final = 10
PAIRS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A log, what was done to it, and what our verifier says of it."""

    data: bytes = field(repr=False)
    how: str
    expected: Json

    @property
    def checks(self) -> tuple[str, ...]:
        """The bare names of checks in the verdict; a status if there is none."""
        return tuple(name.split()[-1] for name in self.names[1:] or self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Status or error, and every name of a check in the verdict, each with where it stands."""
        if "error" in self.expected:
            return (f"unreadable {self.expected['error']}",)
        status = self.expected["status"]
        checks = [f"blamed {blamed['check']}" for blamed in self.expected["blamed"]]
        if self.expected["check"] is not None:
            checks.append(f"invalid {self.expected['check']}")
        return (str(status), *checks)


def expected(data: bytes) -> Json:
    """Return what our verifier says of a log, or why it cannot be read."""
    try:
        shown = verdict_shown(verify_log(data))
    except PeerFault as fault:
        return {"error": fault.check}
    return {key: shown[key] for key in KEYS}


def logs(seed: int, count: int) -> Iterator[Logged]:
    """Yield ``count`` logs, whole ones and forged ones."""
    seen: Counter[str] = Counter()
    games = fresh_games(seed)
    made = 0
    while made < count:
        game = next(games)
        for logged in islice(_of_game(game, seed, seen), count - made):
            seen.update(logged.checks)
            made += 1
            yield logged


def _of_game(game: Fresh, seed: int, seen: Mapping[str, int]) -> Iterator[Logged]:
    luck = Luck(f"forged {seed} {game.plan.name}")
    yield Logged(data=game.log, how="nothing", expected=expected(game.log))
    for _ in range(LOGS_OF_A_GAME - 1):
        found = [made for made in (_forged(game, luck) for _ in range(TRIES)) if made is not None]
        if found:
            yield min(found, key=lambda one: min(seen.get(name, 0) for name in one.checks))


def _forged(game: Fresh, luck: Luck) -> Logged | None:
    forge = _drawn(luck)
    try:
        data = forge(game, luck)
    except UNFIT:
        return None
    return (
        None if data == game.log else Logged(data=data, how=forge.__name__, expected=expected(data))
    )


def _drawn(luck: Luck) -> Forge:
    family = luck.pick([family for family, weight in FAMILIES for _ in range(weight)])
    return luck.pick([forge for forge, weight in family for _ in range(weight)])


# --- the program -----------------------------------------------------------------------------


def write(folder: Path, seed: int, count: int) -> Counter[str]:
    """Write all files and return how often each status and name occurs."""
    folder.mkdir(parents=True)
    seen: Counter[str] = Counter()
    verdicts: list[Json] = []
    ways: list[Json] = []
    together: list[Json] = []
    for number, logged in enumerate(logs(seed, count)):
        name = f"{number:04}.log"
        (folder / name).write_bytes(logged.data)
        verdicts.append({"file": name, **logged.expected})
        ways.append({"file": name, "forgery": logged.how})
        seen.update(logged.names)
    for number, two in enumerate(pairs(seed, PAIRS)):
        names = [f"pair-{number:02}{side}.log" for side in "ab"]
        for name, data in zip(names, two.logs, strict=True):
            (folder / name).write_bytes(data)
        together.append({"files": names, **two.expected})
        ways.append({"files": names, "forgery": two.how})
    for file, lines in (
        ("expected.jsonl", verdicts),
        ("together.jsonl", together),
        ("forgeries.jsonl", ways),
    ):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / file).write_text(text, encoding="utf-8")
    return seen


def main() -> int:
    """Write the logs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder that is not there yet")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    gc.disable()  # games leave few cycles
    with each_proof_checked_once():
        seen = write(asked.folder, asked.seed, asked.count)
    for name, times in sorted(seen.items()):
        sys.stdout.write(f"{times:5}  {name}\n")
    sys.stdout.write(f"{len(seen)} statuses and names\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
