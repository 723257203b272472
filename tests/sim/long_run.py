"""Many simulated games by hand: ``python -m tests.sim.long_run --games 1000 --group small``.

Prints every seed that breaks a rule, with what it broke, a summary, and how often what these tables
are there for has happened; exit code 1 if any seed broke a rule.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from contextlib import nullcontext

from tests.support.table import each_proof_checked_once

from .runs import run
from .small_group import small_group


def main() -> int:
    """Play the games that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--group", choices=("small", "real"), default="small")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    asked = parser.parse_args()
    began_s = time.monotonic()
    ends: Counter[str] = Counter()
    met: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    broken = []
    gc.disable()  # a game leaves few cycles and many small values: once between games is enough
    with small_group() if asked.group == "small" else nullcontext():
        for seed in range(asked.first_seed, asked.first_seed + asked.games):
            if time.monotonic() - began_s > asked.seconds:
                break
            gc.collect()
            with each_proof_checked_once():
                totals["games"] += 1
                try:
                    outcome = run(seed)
                except Exception as error:  # noqa: BLE001 - whatever it is, its seed must be known
                    broken.append(seed)
                    _say(f"seed {seed}: {error!r}")
                    continue
            ends.update(outcome.ends)
            met.update(dict(outcome.met))
            totals.update(drops=outcome.dropped, crashes=outcome.crashes, steps=outcome.steps)
    spent_s = time.monotonic() - began_s
    _say(f"{dict(totals)} in {spent_s:.0f} s, {asked.group} group; ends {dict(ends)}")
    _say(f"met: {dict(sorted(met.items()))}")
    _say(f"broken: {broken}")
    return 1 if broken else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
