"""The command `emeth conform`, which checks the rules against conformance vectors."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from domain.conformance.vectors import Mismatch, Vector, check, read_vector
from domain.kernel.notation_error import NotationError
from domain.registry import GAMES
from projections.drawing.mismatch import draw
from services.cli.conformance_by_grpc import check_vector_by_grpc, has_service_entries
from services.cli.connection import ServiceAddress
from services.cli.terminal.console import REFUSED
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
    help="Play the vectors on a running service; vectors that begin in mid-game are left out.",
)
def conform(files: tuple[Path, ...], via: tuple[str, str] | None) -> None:
    r"""Check the rules against conformance vectors, one JSON object a line.

    The rules must produce every position, list of legal actions, refusal, view and score notation
    in a vector. A failure shows the expected board and the actual board. A game may have vectors of
    further kinds, such as checks of armies. The last line is "N passed, N failed"; the exit code
    is 1 if any failed.

    \b
    Examples:
      emeth conform agog.vectors.jsonl
      emeth conform golem-arcana.taps.jsonl
      emeth conform --via grpc 127.0.0.1:20051 agog.vectors.jsonl
    """
    vectors = [vector for file in files for vector in read_file(file)]
    if via is not None:
        passed, failed = ServiceAddress(via[1]).run(lambda client: _play(client, vectors))
    else:
        outcomes = [_holds(vector) for vector in vectors]
        passed, failed = outcomes.count(True), outcomes.count(False)
    click.echo(f"{passed} passed, {failed} failed")
    if failed:
        raise click.exceptions.Exit(REFUSED)


class Extra(Struct, frozen=True):
    """A vector of a kind that only its game defines."""

    game: str
    kind: str
    line: bytes
    where: str
    """Its file and line."""


class _VectorHead(Struct, frozen=True):
    game: str
    kind: str


async def _play(client: Client, vectors: list[Vector | Extra]) -> tuple[int, int]:
    """Play the vectors that a service can play; return how many passed and how many failed."""
    plays = [each for each in vectors if isinstance(each, Vector)]
    if vector_checks := len(vectors) - len(plays):
        click.echo(f"left out {vector_checks} of {len(vectors)}, which are not matches to play")
    playable = [each for each in plays if each.start is None]
    if left_out := len(plays) - len(playable):
        click.echo(f"left out {left_out} of {len(vectors)}, which begin in mid-game")
    checked = [each for each in playable if not has_service_entries(each)]
    if left_out := len(playable) - len(checked):
        click.echo(f"left out {left_out} of {len(vectors)}, in which the service deals face down")
    outcomes = [_passed(vector, await check_vector_by_grpc(client, vector)) for vector in checked]
    return outcomes.count(True), outcomes.count(False)


def read_file(path: Path) -> Iterator[Vector | Extra]:
    """Yield the vectors of a file.

    Raises:
        UsageError: A line is not a vector; the message has its number.
    """
    lines = [
        (number, line)
        for number, line in enumerate(path.read_bytes().splitlines(), 1)
        if line.strip()
    ]
    if not lines:
        raise click.UsageError(f"{path} holds no vectors: there must be one JSON object a line")
    for number, line in lines:
        where = f"{path}, line {number}"
        try:
            vector = _read_extra(line, where) or read_vector(line)
        except NotationError as error:
            raise click.UsageError(f"{where}: {error}") from None
        if vector.game not in GAMES:
            known = ", ".join(GAMES)
            raise click.UsageError(
                f"{where}: there is no game {vector.game!r}; the games are {known}"
            )
        if isinstance(vector, Extra) and vector.kind not in GAMES[vector.game].vector_checks:
            kinds = ", ".join(GAMES[vector.game].vector_checks) or "none"
            raise click.UsageError(
                f"{where}: {vector.game} has no vectors of the kind {vector.kind!r}; its kinds are"
                f" {kinds}"
            )
        yield vector


def _read_extra(line: bytes, where: str) -> Extra | None:
    try:
        head = msgspec.json.decode(line, type=_VectorHead)
    except msgspec.DecodeError:
        return None
    return Extra(head.game, head.kind, line, where)


def _holds(vector: Vector | Extra) -> bool:
    """Return whether the rules agree with a vector, after printing the differences."""
    if isinstance(vector, Vector):
        return _passed(vector, check(GAMES[vector.game], vector))
    try:
        differences = GAMES[vector.game].vector_checks[vector.kind](vector.line)
    except NotationError as error:
        raise click.UsageError(f"{vector.where}: {error}") from None
    for each in differences:
        click.echo(
            f"FAILED {vector.where}: {each.what}\n  expected: {each.expected}\n"
            f"  got:      {each.got}"
        )
    return not differences


def _passed(vector: Vector, mismatches: list[Mismatch]) -> bool:
    for mismatch in mismatches:
        click.echo(draw(GAMES[vector.game], vector, mismatch))
    return not mismatches
