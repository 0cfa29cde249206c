"""A benchmark of how fast the rules of A.G.O.G. are, beside python-chess in the same run.

Both count trees of play with every node made: ours by folding the facts of each action into a new
immutable state, python-chess by pushing and popping each move on one board. Seconds are of
processor time, and rounds of the two alternate, so that a busy machine slows both alike. The ratio
is the median over the rounds.
"""

from collections.abc import Callable, Iterator
from random import Random
from statistics import mean, median
from time import process_time

import chess
import click

from domain.conformance.perft import children, perft
from domain.games.agog import GAME
from domain.games.agog.state import Options, State

PLIES = (16, 32, 48)
"""Plies of random games after which positions are measured."""

Count = Callable[[], int]


def chess_perft(board: chess.Board, depth: int) -> int:
    """Count the sequences of `depth` moves; each move is made, the last too."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += chess_perft(board, depth - 1)
        board.pop()
    return nodes


def agog_game(random: Random) -> Iterator[State]:
    """Yield the states of a random game before its end."""
    state = GAME.start(Options())
    while after := list(children(GAME, state)):
        yield state
        state = random.choice(after)[1]


def chess_game(random: Random) -> Iterator[chess.Board]:
    """Yield the positions of a random game, up to the last ply that is measured."""
    board = chess.Board()
    while board.ply() <= max(PLIES) and (moves := list(board.legal_moves)):
        yield board.copy(stack=False)
        board.push(random.choice(moves))


def nodes_per_second(count: Count, seconds: float) -> float:
    """Return the nodes counted in a second, over at least this many seconds."""
    nodes, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        nodes += count()
    return nodes / spent


def compare(name: str, ours: Count, theirs: Count, rounds: int, seconds: float) -> float:
    """Print both speeds, and return the ratio."""
    pairs = [
        (nodes_per_second(ours, seconds), nodes_per_second(theirs, seconds)) for _ in range(rounds)
    ]
    ratio = median(our / their for our, their in pairs)
    our, their = (median(side) for side in zip(*pairs, strict=True))
    click.echo(f"{name:<24}{our:>12,.0f}{their:>14,.0f}{ratio:>8.2f}")
    return ratio


def listing(games: int, random: Random) -> tuple[float, float, int]:
    """Return the mean microseconds of a list of legal actions, its mean length, and the lists."""
    times: list[float] = []
    lengths: list[int] = []
    for _ in range(games):
        for state in agog_game(random):
            seat = GAME.turn(state)[0].seat
            start = process_time()
            actions = list(GAME.legal(state, seat))
            times.append(process_time() - start)
            lengths.append(len(actions))
    return 1e6 * mean(times), mean(lengths), len(times)


@click.command(context_settings={"show_default": True})
@click.option("--rounds", default=5, help="How often each pair is measured.")
@click.option("--seconds", default=1.0, help="For how long, each side of each round.")
@click.option("--games", default=20, help="Games at random for the listing of actions.")
@click.option("--seed", default=1, help="Of those games and of the positions amid a game.")
@click.option("--goal", default=0.0, help="Exit with 1 if any ratio is below this.")
def main(rounds: int, seconds: float, games: int, seed: int, goal: float) -> None:
    """Measure the rules of A.G.O.G. in nodes per second, as ratios to python-chess."""
    random = Random(seed)
    start, board = GAME.start(Options()), chess.Board()
    states = [s for _ in range(8) for n, s in enumerate(agog_game(random)) if n in PLIES]
    boards = [b for _ in range(8) for n, b in enumerate(chess_game(random)) if n in PLIES]
    click.echo(f"{'perft, nodes/s':<24}{'A.G.O.G.':>12}{'python-chess':>14}{'ratio':>8}")
    ratios = (
        compare(
            "from the start",
            lambda: perft(GAME, start, 4),
            lambda: chess_perft(board, 3),
            rounds,
            seconds,
        ),
        compare(
            "amid games at random",
            lambda: sum(perft(GAME, state, 2) for state in states),
            lambda: sum(chess_perft(board, 2) for board in boards),
            rounds,
            seconds,
        ),
    )
    micros, length, lists = listing(games, random)
    click.echo(
        f"listing the actions of the player to move: {micros:.1f} microseconds on average"
        f" (over {lists:,} positions of {games} games at random, {length:.1f} actions each)"
    )
    raise SystemExit(min(ratios) < goal)


if __name__ == "__main__":
    main()
