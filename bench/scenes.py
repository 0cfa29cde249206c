"""A benchmark of scenes and their drawings, halfway through the recorded game of each game.

    python bench/scenes.py golem-arcana --rounds 300

For each game: the median and the 99th percentile, in milliseconds, of the scene as structure, as
SVG and as text, and the size of the SVG. The first SVG is timed separately, since later ones find
faces of cards set already.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import msgspec

from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, AnyGame
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from projections.drawing import svg, text
from services.cli.recorded_games import read_recorded, recorded_games


def halfway(game: AnyGame) -> Any:
    """Return the position in the middle of the game's recorded game."""
    recorded = read_recorded(game.slug)
    state = game.start(msgspec.convert(recorded.options, game.options, strict=False))
    for seat, line in recorded.actions[: len(recorded.actions) // 2]:
        action = game.read_action(line)
        # Entries of chance are recorded under the name of the role that made them.
        asked = [prompt.seat for prompt in game.turn(state)]
        outcome = game.decide(state, seat if seat in asked else asked[0], action)
        assert isinstance(outcome, Accepted), f"{line}: {outcome}"
        state = fold(game, state, outcome.facts)
    return state


def timed(work: Callable[[], object], rounds: int) -> str:
    """Return the median and the 99th percentile of so many calls, as text."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return f"{statistics.median(times):6.2f} ms (99%: {times[rounds * 99 // 100]:6.2f})"


def measure(game: AnyGame, rounds: int) -> None:
    """Print the figures of one game."""
    state = halfway(game)
    scene = game.scene(state, SPECTATOR)
    began = time.perf_counter()
    drawn = svg.draw(scene, game.theme)
    first = (time.perf_counter() - began) * 1000
    print(f"{game.slug}: {len(scene.pieces)} pieces, {len(drawn.encode()) // 1024} KB of SVG")
    print(f"  structure {timed(lambda: game.scene(state, SPECTATOR), rounds)}")
    drawing = timed(lambda: svg.draw(scene, game.theme), rounds)
    print(f"  SVG       {drawing} first {first:.2f} ms")
    print(f"  text      {timed(lambda: text.draw(scene), rounds)}")


def main() -> None:
    """Measure the games that the command line names."""
    parser = argparse.ArgumentParser(description="Time scenes and drawings.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    parser.add_argument("--rounds", type=int, default=200, help="times that each is made")
    given = parser.parse_args()
    for slug in given.games or recorded_games():
        measure(GAMES[slug], given.rounds)


if __name__ == "__main__":
    main()
