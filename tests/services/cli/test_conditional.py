"""`emeth conditional`, and how conditional moves are written."""

import click
import pytest

from services.cli.commands.conditional import move_lines, read_moves

WRITTEN = [
    "a6-b6 -> h3-g3",
    "  north: f1-g1 -> c8-c7 & d8-d7",
    "    x: y",
    "      * -> z",
    "* -> c8-c7",
]


def test_conditional_moves_are_written_as_they_were_read() -> None:
    moves = read_moves(WRITTEN, ["north", "south"])
    assert [move.parent for move in moves] == [0, 1, 2, 3, 0]
    assert [move.trigger_seat for move in moves] == ["", "north", "", "", ""]
    assert [*moves[1].responses] == ["c8-c7", "d8-d7"]
    assert moves[2].trigger_action == "x: y"
    assert [*move_lines(moves)] == WRITTEN
    assert [*move_lines(moves, [5])][-1] == "* -> c8-c7  (next)"


@pytest.mark.parametrize("lines", [["  a -> b"], ["a -> b", "   c -> d"], ["a", "    b"]])
def test_a_line_that_hangs_on_nothing_is_refused(lines: list[str]) -> None:
    with pytest.raises(click.UsageError, match="two spaces"):
        read_moves(lines, [])
