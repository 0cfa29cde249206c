"""Play Golem Arcana with packs that are made up at random, and check every step.

    python bench/soak_packs.py --packs 1000 --seed 7

Each pack is one that the check of packs lets through; each is played twice, from positions that
crowd its Golems too. What is checked at each step is what `soak_games` checks, and that nothing
raises. A failure names the seed that draws the pack and the match again. The last line is
"N passed, N failed".
"""

import argparse
import random
import sys
import time

from golem_packs import draw_options, draw_pack, draw_start, put_away
from soak_games import Soak

from domain.games.golem_arcana import GAME

MATCHES = 2
"""With each pack."""


def soak(seed: str, steps: int) -> tuple[int, str | None]:
    """Draw a pack and play it: how many actions were taken, and what was wrong."""
    chance = random.Random(seed)
    pack = draw_pack(chance)
    actions = 0
    try:
        for _ in range(MATCHES):
            chosen = draw_options(chance, pack)
            match = Soak(GAME, chosen)
            fault = match.match(chance, steps, draw_start(chance, chosen))
            actions += match.actions
            if fault is not None:
                return actions, fault
    finally:
        put_away(pack)
    return actions, None


def main() -> int:
    """Soak as many packs as the command line says; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="Play packs that are made up at random.")
    parser.add_argument("--packs", type=int, default=100, metavar="N")
    parser.add_argument("--steps", type=int, default=60, help="actions in a match, at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    failed = actions = 0
    for number in range(given.packs):
        seed = f"{given.seed}/{number}"
        taken, fault = soak(seed, given.steps)
        actions += taken
        if fault is not None:
            failed += 1
            print(f"pack {seed}: {fault}")
    took = time.perf_counter() - began
    print(f"{given.packs:,} packs, {actions:,} actions, {actions / took:,.0f} actions/s checked")
    print(f"{given.packs - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
