"""A benchmark of how long listing the legal actions takes, over random play.

    python bench/legal.py earthen-war --matches 50

For each game: the mean and the 99th percentile, in milliseconds, and how many actions were listed.
"""

import random
import statistics
import time

from play import arguments, games, options, random_game


def main() -> None:
    """Measure the games that the command line names."""
    given = arguments("Time the listing of legal actions.", matches=10).parse_args()
    for game in games(given.games):
        chosen = options(game, given.option)
        times: list[float] = []
        counts: list[int] = []
        for number in range(given.matches):
            chance = random.Random(f"{given.seed}/{number}")
            for moment in random_game(game, game.start(chosen), chance, given.steps):
                began = time.perf_counter()
                listed = list(game.legal(moment.before, moment.seat))
                times.append((time.perf_counter() - began) * 1000)
                counts.append(len(listed))
        times.sort()
        print(
            f"{game.slug} {chosen}: {len(times):,} positions, {statistics.mean(counts):.1f} actions"
            f" each; listing takes {statistics.mean(times):.3f} ms on average,"
            f" {times[len(times) * 99 // 100]:.3f} ms at the 99th percentile"
        )


if __name__ == "__main__":
    main()
