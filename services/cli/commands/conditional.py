"""The command `emeth conditional`: sets, shows and deletes conditional moves."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal.console import print_json
from services.client import Client
from services.wire.emeth.v1 import conditional_moves_pb2 as pb
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMove

STEP = "  "
ANY = "*"


def read_moves(lines: Iterable[str], seats: Sequence[str]) -> list[ConditionalMove]:
    """Return the conditional moves that indented lines describe.

    Raises:
        UsageError: The indentation of a line is wrong.
    """
    moves: list[ConditionalMove] = []
    open_at: list[int] = []
    for line in filter(str.strip, lines):
        text = line.rstrip()
        depth, odd = divmod(len(text) - len(text.lstrip(" ")), len(STEP))
        if odd or depth > len(open_at):
            raise click.UsageError(
                f"wrong indentation of {text.strip()!r}: indent a line by two spaces more than the"
                " line that it follows"
            )
        del open_at[depth:]
        moves.append(_node(text.strip(), open_at[-1] if open_at else 0, seats))
        open_at.append(len(moves))
    return moves


def _node(text: str, parent: int, seats: Sequence[str]) -> ConditionalMove:
    condition, _, replies = text.partition("->")
    by, _, on = condition.strip().rpartition(": ")
    if by not in ("", *seats):
        by, on = "", condition.strip()
    on = "" if on.strip() == ANY else on.strip()
    said = [reply.strip() for reply in replies.split(" & ") if reply.strip()]
    return ConditionalMove(parent=parent, trigger_seat=by, trigger_action=on, responses=said)


def move_lines(moves: Sequence[ConditionalMove], awaiting: Iterable[int] = ()) -> Iterator[str]:
    """Yield conditional moves as the lines that `read_moves` reads, with the next ones marked."""
    depths: list[int] = []
    marked = {*awaiting}
    for number, node in enumerate(moves, 1):
        depths.append(depths[node.parent - 1] + 1 if node.parent else 0)
        by = f"{node.trigger_seat}: " if node.trigger_seat else ""
        replies = f" -> {' & '.join(node.responses)}" if node.responses else ""
        mark = "  (next)" if number in marked else ""
        yield f"{STEP * depths[-1]}{by}{node.trigger_action or ANY}{replies}{mark}"


STATES = {
    pb.CONDITIONAL_MOVES_STATE_WAITING: "waits",
    pb.CONDITIONAL_MOVES_STATE_DONE: "done",
    pb.CONDITIONAL_MOVES_STATE_DROPPED: "dropped",
    pb.CONDITIONAL_MOVES_STATE_DELETED: "deleted",
}


@click.group(short_help="Set conditional moves.")
def conditional() -> None:
    r"""Set moves that your seat makes if others make certain moves, even while you are away.

    No other player sees them. They are dropped when something else is played.

    \b
    Examples:
      emeth conditional set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" "* -> c8-c7"
      emeth conditional show
    """


@conditional.command("set", short_help="Set conditional moves, replacing earlier ones.")
@click.argument("lines", nargs=-1, metavar="LINE...")
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the lines from this file.",
)
@with_access
@with_service
@as_json
def set_(
    service: ServiceAddress,
    access: MatchAccess,
    lines: tuple[str, ...],
    file: Path | None,
    as_json: bool,
) -> None:
    r"""Set conditional moves, each LINE as `THEIR ACTION -> YOUR ACTION`.

    Indent a line by two spaces more than the line it follows. `*` matches any action, and `SEAT:
    ACTION` matches the action of one of several opponents. Separate several actions of yours by ` &
    `.

    \b
    Examples:
      emeth conditional set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" --as black
      emeth conditional set --file moves.txt
    """
    written = [*(file.read_text().splitlines() if file else ()), *lines]
    if not written:
        raise click.UsageError(
            'no conditional moves are given: give lines such as "a6-b6 -> h3-g3", or --file'
        )
    token = _token(access)

    async def setting(client: Client) -> pb.ConditionalMoves:
        match = await client.match(access.match)
        moves = read_moves(written, [seat.name for seat in match.seats])
        return await client.set_conditional_moves(token, access.match, moves=moves)

    _tell(service.run(setting), as_json=as_json)


@conditional.command(short_help="Show your conditional moves and their progress.")
@with_access
@with_service
@as_json
def show(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    r"""Show your conditional moves, their progress, and why they were dropped.

    \b
    Example:
      emeth conditional show --as black
    """
    token = _token(access)
    found = service.run(lambda client: client.get_conditional_moves(token, access.match))
    if not found.version:
        click.echo("no conditional moves")
        return
    _tell(found, as_json=as_json)


@conditional.command(short_help="Delete your conditional moves.")
@with_access
@with_service
@as_json
def delete(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    r"""Delete your conditional moves.

    \b
    Example:
      emeth conditional delete --as black
    """
    token = _token(access)
    found = service.run(lambda client: client.delete_conditional_moves(token, access.match))
    _tell(found, as_json=as_json)


def _token(access: MatchAccess) -> str:
    seats = access.ring.seats
    if access.token is None and access.role is None and len(seats) != 1:
        raise click.UsageError(
            "cannot tell whose conditional moves are meant: choose a seat with --as (remembered"
            f" here: {', '.join(seats) or 'none'})"
        )
    return access.token_of(access.role or (seats[0] if seats else ""))


def _tell(found: pb.ConditionalMoves, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for line in move_lines(found.moves, found.awaiting):
        click.echo(line)
    why = f": {found.end_reason}" if found.end_reason else ""
    click.echo(f"conditional moves of {found.seat}, {STATES.get(found.state, '')}{why}")
