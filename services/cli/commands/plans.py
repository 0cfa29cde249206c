"""`emeth plan`: conditional actions."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from services.cli.access import Access, accessed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import print_json
from services.client import Client
from services.wire.emeth.v1 import plans_pb2 as pb
from services.wire.emeth.v1.plans_pb2 import PlanNode

STEP = "  "
ANY = "*"


def read_plan(lines: Iterable[str], seats: Sequence[str]) -> list[PlanNode]:
    """The nodes of a plan. UsageError for a line that is none."""
    nodes: list[PlanNode] = []
    open_at: list[int] = []
    for line in filter(str.strip, lines):
        text = line.rstrip()
        depth, odd = divmod(len(text) - len(text.lstrip(" ")), len(STEP))
        if odd or depth > len(open_at):
            raise click.UsageError(
                f"indent by two blanks under the line that it follows: {text.strip()!r}"
            )
        del open_at[depth:]
        nodes.append(_node(text.strip(), open_at[-1] if open_at else 0, seats))
        open_at.append(len(nodes))
    return nodes


def _node(text: str, parent: int, seats: Sequence[str]) -> PlanNode:
    condition, _, replies = text.partition("->")
    by, _, on = condition.strip().rpartition(": ")
    if by not in ("", *seats):
        by, on = "", condition.strip()
    on = "" if on.strip() == ANY else on.strip()
    said = [reply.strip() for reply in replies.split(" & ") if reply.strip()]
    return PlanNode(parent=parent, by=by, on=on, replies=said)


def plan_lines(nodes: Sequence[PlanNode], awaiting: Iterable[int] = ()) -> Iterator[str]:
    """A plan in the same form; what may come next is marked."""
    depths: list[int] = []
    marked = {*awaiting}
    for number, node in enumerate(nodes, 1):
        depths.append(depths[node.parent - 1] + 1 if node.parent else 0)
        by = f"{node.by}: " if node.by else ""
        replies = f" -> {' & '.join(node.replies)}" if node.replies else ""
        mark = "  (next)" if number in marked else ""
        yield f"{STEP * depths[-1]}{by}{node.on or ANY}{replies}{mark}"


STATUS = {
    pb.PLAN_STATUS_WAITING: "waits",
    pb.PLAN_STATUS_DONE: "done",
    pb.PLAN_STATUS_DROPPED: "dropped",
    pb.PLAN_STATUS_CANCELLED: "cancelled",
}


@click.group(short_help="Leave actions for when others do this or that.")
def plan() -> None:
    """Leave actions that your seat takes if others do this or that, also while you are away.

    Nobody else is told that there is a plan. It is dropped when something else happens.

    \b
    Examples:
      emeth plan set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" "* -> c8-c7"
      emeth plan show
    """


@plan.command("set", short_help="Leave a plan, in place of any before.")
@click.argument("lines", nargs=-1, metavar="LINE...")
@click.option(
    "--file",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read the lines from a file.",
)
@accessed
@connected
@as_json
def set_(
    service: ServiceAddress,
    access: Access,
    lines: tuple[str, ...],
    file: Path | None,
    as_json: bool,
) -> None:
    """Leave a plan. Each LINE is `WHAT THEY DO -> WHAT YOU DO`; two blanks more for what follows.

    `*` stands for anything, `SEAT: ACTION` for what one of several does, and several actions of
    yours are separated by ` & `.

    \b
    Examples:
      emeth plan set "a6-b6 -> h3-g3" "  f1-g1 -> c8-c7" --as black
      emeth plan set --file plan.txt
    """
    written = [*(file.read_text().splitlines() if file else ()), *lines]
    if not written:
        raise click.UsageError('give a plan, as "a6-b6 -> h3-g3", or --file')
    token = _token(access)

    async def setting(client: Client) -> pb.Plan:
        match = await access.present(client)
        nodes = read_plan(written, [seat.name for seat in match.seats])
        return await client.set_plan(token, access.match, nodes)

    _tell(service.run(setting), as_json=as_json)


@plan.command(short_help="Show your plan, and how far it has come.")
@accessed
@connected
@as_json
def show(service: ServiceAddress, access: Access, as_json: bool) -> None:
    """Show your plan, how far it has come, and why it was dropped.

    \b
    Example:
      emeth plan show --as black
    """
    token = _token(access)
    found = service.run(lambda client: client.plan(token, access.match))
    if found is None:
        click.echo("no plan")
        return
    _tell(found, as_json=as_json)


@plan.command(short_help="Take your plan back.")
@accessed
@connected
@as_json
def cancel(service: ServiceAddress, access: Access, as_json: bool) -> None:
    """Take your plan back.

    \b
    Example:
      emeth plan cancel --as black
    """
    token = _token(access)
    _tell(service.run(lambda client: client.cancel_plan(token, access.match)), as_json=as_json)


def _token(access: Access) -> str:
    seats = access.ring.seats
    if access.token is None and access.role is None and len(seats) != 1:
        raise click.UsageError(f"say with --as whose plan it is: {', '.join(seats) or 'none'}")
    return access.token_of(access.role or (seats[0] if seats else ""))


def _tell(found: pb.Plan, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for line in plan_lines(found.nodes, found.awaiting):
        click.echo(line)
    why = f": {found.why}" if found.why else ""
    click.echo(f"plan of {found.seat}, {STATUS.get(found.status, '')}{why}")
