"""Plans as people write them: a line for each condition, indented under the one it follows.

a6-b6 -> h3-g3
  f1-g1 -> c8-c7 & d8-d7
* -> c8-c7
"""

from collections.abc import Iterable, Iterator, Sequence

import click

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
