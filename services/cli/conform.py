"""`emeth conform`: do the rules agree with files of conformance vectors?"""

from collections.abc import Iterator
from pathlib import Path

import click

from domain.games.golem_arcana.tap_vectors import TapVector, check_taps, read_tap_vector
from domain.kernel.text import NotationError
from domain.kernel.vectors import Mismatch, Vector, check, read_vector
from domain.registry import GAMES
from projections.drawing.mismatch import draw
from services.cli.calling import Service
from services.cli.console import REFUSED
from services.cli.via_grpc import check_via
from services.client import Client


@click.command(short_help="Check the rules against vector files.")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--via",
    type=(click.Choice(["grpc"]), str),
    metavar="grpc ADDRESS",
    help="Play the vectors through a running service; only those that begin where the options do.",
)
def conform(files: tuple[Path, ...], via: tuple[str, str] | None) -> None:
    """Check the rules against conformance vectors, one JSON object a line.

    Every position, list of legal actions, refusal, view and score notation in a vector must be
    what the rules say. A failure shows the board as expected and the board as got. Vectors of taps
    (`"kind": "taps"`) run through the same tap machine that gateways use. The last line is
    "N passed, N failed"; the exit code is 1 if any failed.

    \b
    Examples:
      emeth conform agog.vectors.jsonl
      emeth conform golem-arcana.taps.jsonl
      emeth conform --via grpc 127.0.0.1:50051 agog.vectors.jsonl
    """
    vectors = [vector for file in files for vector in read_file(file)]
    if via is not None:
        passed, failed = Service(via[1]).run(lambda client: _play(client, vectors))
    else:
        outcomes = [_passed(vector, _check(vector)) for vector in vectors]
        passed, failed = outcomes.count(True), outcomes.count(False)
    click.echo(f"{passed} passed, {failed} failed")
    if failed:
        raise click.exceptions.Exit(REFUSED)


def _check(vector: Vector | TapVector) -> list[Mismatch]:
    game = GAMES[vector.game]
    return check_taps(game, vector) if isinstance(vector, TapVector) else check(game, vector)


async def _play(client: Client, vectors: list[Vector | TapVector]) -> tuple[int, int]:
    """Play what a service can; how many passed and failed."""
    playable = [each for each in vectors if isinstance(each, Vector) and each.start is None]
    if left_out := len(vectors) - len(playable):
        click.echo(f"left out {left_out} of {len(vectors)}, which begin in mid-game")
    outcomes = [_passed(vector, await check_via(client, vector)) for vector in playable]
    return outcomes.count(True), outcomes.count(False)


def read_file(path: Path) -> Iterator[Vector | TapVector]:
    """The vectors of a file. A usage error tells which line is none, and why."""
    lines = [
        (number, line)
        for number, line in enumerate(path.read_bytes().splitlines(), 1)
        if line.strip()
    ]
    if not lines:
        raise click.UsageError(f"{path} holds no vectors: there must be one JSON object a line")
    for number, line in lines:
        try:
            taps = b'"kind"' in line
            vector = read_tap_vector(line) if taps else read_vector(line)
        except NotationError as error:
            raise click.UsageError(f"{path}, line {number}: {error}") from None
        if vector.game not in GAMES:
            known = ", ".join(GAMES)
            why = f"there is no game {vector.game!r}; there is {known}"
            raise click.UsageError(f"{path}, line {number}: {why}")
        yield vector


def _passed(vector: Vector | TapVector, mismatches: list[Mismatch]) -> bool:
    for mismatch in mismatches:
        click.echo(draw(GAMES[vector.game], vector, mismatch))
    return not mismatches
