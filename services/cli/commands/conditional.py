"""`emeth conditional`: conditional moves."""

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
    """Return the moves that lines write. UsageError for a line that is none."""
    moves: list[ConditionalMove] = []
    open_at: list[int] = []
    for line in filter(str.strip, lines):
        text = line.rstrip()
        depth, odd = divmod(len(text) - len(text.lstrip(" ")), len(STEP))
        if odd or depth > len(open_at):
            raise click.UsageError(
                f"indent by two blanks under the line that it follows: {text.strip()!r}"
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
    """Return moves in the same form; what may come next is marked."""
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


@click.group(short_help="Set moves for what the others may do.")
def conditional() -> None:
    """Set moves that your seat makes if the others make certain moves, also while you are away.

    Nobody else is told of them. They are dropped when something else happens.

    \b
    Examples:
      emeth conditional set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" "* -> c8-c7"
      emeth conditional show
    """


@conditional.command("set", short_help="Set conditional moves, in place of any before.")
@click.argument("lines", nargs=-1, metavar="LINE...")
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the lines from a file.",
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
    """Set conditional moves. Each LINE is `WHAT THEY DO -> WHAT YOU DO`; two blanks more for what
    follows.

    `*` stands for anything, `SEAT: ACTION` for what one of several does, and several actions of
    yours are separated by ` & `.

    \b
    Examples:
      emeth conditional set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" --as black
      emeth conditional set --file moves.txt
    """
    written = [*(file.read_text().splitlines() if file else ()), *lines]
    if not written:
        raise click.UsageError('give moves, as "a6-b6 -> h3-g3", or --file')
    token = _token(access)

    async def setting(client: Client) -> pb.ConditionalMoves:
        match = await client.match(access.match)
        moves = read_moves(written, [seat.name for seat in match.seats])
        return await client.set_conditional_moves(token, access.match, moves=moves)

    _tell(service.run(setting), as_json=as_json)


@conditional.command(short_help="Show your conditional moves, and how far they have come.")
@with_access
@with_service
@as_json
def show(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    """Show your conditional moves, how far they have come, and why they were dropped.

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
    """Delete your conditional moves.

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
        raise click.UsageError(f"say with --as whose they are: {', '.join(seats) or 'none'}")
    return access.token_of(access.role or (seats[0] if seats else ""))


def _tell(found: pb.ConditionalMoves, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for line in move_lines(found.moves, found.awaiting):
        click.echo(line)
    why = f": {found.end_reason}" if found.end_reason else ""
    click.echo(f"conditional moves of {found.seat}, {STATES.get(found.state, '')}{why}")
