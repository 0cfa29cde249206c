"""A soak test of content packs that are drawn at random, with checks at every step.

    python bench/soak_packs.py golem-arcana --packs 1000 --seed 7

Each pack passes the check of packs, and is played twice, also from positions that crowd its Golems.
Each step is checked as in `soak_games`, and nothing may raise. A failure names the seed that draws
the pack and the match again. The last line is "N passed, N failed".
"""

import argparse
import random
import sys
import time

from soak_games import Soak

from bench import golem_packs, res_packs
from domain.registry import GAMES

PACKS = {"golem-arcana": golem_packs, "res-arcana": res_packs}
"""Modules that draw packs, by game."""
MATCHES = 2
"""Matches played with each pack."""


def soak(slug: str, seed: str, steps: int) -> tuple[int, str | None]:
    """Draw a pack and play it; return how many actions were taken, and the fault or None."""
    chance, packs = random.Random(seed), PACKS[slug]
    pack = packs.draw_pack(chance)
    actions = 0
    for _ in range(MATCHES):
        chosen = packs.draw_options(chance, pack)
        match = Soak(GAMES[slug], chosen)
        fault = match.match(chance, steps, packs.draw_start(chance, chosen))
        actions += match.actions
        if fault is not None:
            return actions, fault
    return actions, None


def main() -> int:
    """Soak packs of the named games; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="Play packs that are made up at random.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=" or ".join(PACKS))
    parser.add_argument("--packs", type=int, default=20, metavar="N")
    parser.add_argument("--steps", type=int, default=60, help="actions in a match, at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    passed = failed = 0
    for slug in given.games or PACKS:
        began, actions = time.perf_counter(), 0
        for number in range(given.packs):
            taken, fault = soak(slug, f"{given.seed}/{number}", given.steps)
            actions += taken
            passed, failed = passed + (fault is None), failed + (fault is not None)
            if fault is not None:
                print(f"{slug}, pack {given.seed}/{number}: {fault}", flush=True)
        took = time.perf_counter() - began
        print(
            f"{slug}: {given.packs:,} packs, {actions:,} actions, {actions / took:,.0f} actions/s"
            " checked"
        )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
