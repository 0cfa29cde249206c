"""Random workloads on real services, with a check that every match stays sound.

    python bench/soak_sound.py --lives 200 --steps 120 golem-arcana res-arcana

Each workload creates matches in every way, and plays them by calls and by taps. It undoes actions,
raises and resolves disputes, forks, replays and exports matches, restarts the services, and imports
every file elsewhere. The last line is "N lives, N unsound".
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the lives, which the tests have too

from domain.registry import GAMES
from tests.services.proof.random_workload import RandomWorkload


async def life(seed: str, games: tuple[str, ...], steps: int) -> tuple[int, str]:
    """Run one workload; return its number of steps, and the fault or an empty text."""
    with tempfile.TemporaryDirectory() as folder:
        world = RandomWorkload(Path(folder), Random(seed), games)
        try:
            async with world:
                await world.live(steps)
        except Exception as error:
            return len(world.done), f"{type(error).__name__}: {error}"
        return len(world.done), ""


def main() -> int:
    """Run the workloads; return 1 if a match was unsound."""
    parser = argparse.ArgumentParser(description="Run random workloads, and verify all matches.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all unless given")
    parser.add_argument("--lives", type=int, default=3)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    unsound, began = 0, time.perf_counter()
    for number in range(given.lives):
        seed = f"{given.seed}/{number}"
        done, wrong = asyncio.run(life(seed, tuple(given.games) or tuple(GAMES), given.steps))
        if wrong:
            unsound += 1
            print(f"life {seed} ({done} doings): {wrong}", flush=True)
    took = time.perf_counter() - began
    print(f"{took:.0f} s\n{given.lives} lives, {unsound} unsound")
    return 1 if unsound else 0


if __name__ == "__main__":
    sys.exit(main())
