"""`emeth plan`, and how plans are written."""

import click
import pytest

from services.cli.commands.plans import plan_lines, read_plan

WRITTEN = [
    "a6-b6 -> h3-g3",
    "  north: f1-g1 -> c8-c7 & d8-d7",
    "    x: y",
    "      * -> z",
    "* -> c8-c7",
]


def test_a_plan_is_written_as_it_was_read() -> None:
    nodes = read_plan(WRITTEN, ["north", "south"])
    assert [node.parent for node in nodes] == [0, 1, 2, 3, 0]
    assert [node.by for node in nodes] == ["", "north", "", "", ""]
    assert [*nodes[1].replies] == ["c8-c7", "d8-d7"]
    assert nodes[2].on == "x: y"
    assert [*plan_lines(nodes)] == WRITTEN
    assert [*plan_lines(nodes, [5])][-1] == "* -> c8-c7  (next)"


@pytest.mark.parametrize("lines", [["  a -> b"], ["a -> b", "   c -> d"], ["a", "    b"]])
def test_a_line_that_hangs_on_nothing_is_refused(lines: list[str]) -> None:
    with pytest.raises(click.UsageError, match="two blanks"):
        read_plan(lines, [])
