"""PHASE 4: USE DICE - MOVING."""

from collections.abc import Callable
from itertools import permutations

import pytest

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]

EMPTY = ".,.,./.,.,./.,.,."
CELLS = ("fl", "f", "fr", "l", "c", "r", "bl", "b", "br")


def grid(**dice: str) -> str:
    """A control grid with these dice: `grid(fr="W2")`."""
    cells = [dice.get(cell, ".") for cell in CELLS]
    return "/".join(",".join(cells[n : n + 3]) for n in (0, 3, 6))


def white(golems: str, **dice: str) -> str:
    return f"ew1 6 w use {golems} {grid(**dice)} {EMPTY} - *"


def black(golems: str, **dice: str) -> str:
    return f"ew1 6 b use {golems} {EMPTY} {grid(**dice)} - *"


def test_the_golem_of_the_example_moves_two_forward_right_one_right_one_back_in_any_order(
    after: After,
) -> None:
    example = white("b2,d6", fr="W2", r="W1", b="W1")
    moved = white("e3,d6", fr="W2u", r="W1u", b="W1u")
    for order in permutations(("use fr", "use r", "use b")):
        assert after(example, *order) == moved


@pytest.mark.parametrize(
    ("cell", "for_white", "for_black"),
    [
        ("f", "c5", "c1"), ("fr", "e5", "a1"), ("r", "e3", "a3"), ("br", "e1", "a5"),
        ("b", "c1", "c5"), ("bl", "a1", "e5"), ("l", "a3", "e3"), ("fl", "a5", "e1"),
    ],
)  # fmt: skip
def test_the_square_of_the_die_is_the_direction_as_its_owner_sees_it(
    after: After, cited: Cited, cell: str, for_white: str, for_black: str
) -> None:
    start = white("c3,f6", **{cell: "W2"})
    assert after(start, f"use {cell}") == white(f"{for_white},f6", **{cell: "W2u"})
    start = black("f6,c3", **{cell: "W2"})
    assert after(start, f"use {cell}") == black(f"f6,{for_black}", **{cell: "W2u"})
    assert cited(start, f"use {cell}")["ew.grid.direction"]["grid_square"] == cell


def test_a_golem_moves_exactly_as_many_squares_as_the_die_has_dots(
    after: After, cited: Cited
) -> None:
    for dots, end in ((1, "c2"), (2, "c3"), (3, "c4")):
        start = white("c1,f6", f=f"W{dots}")
        assert after(start, "use f").split(" ")[4] == f"{end},f6"
        assert cited(start, "use f")["ew.move.exact"] == {
            "grid_square": "f",
            "direction": "north",
            "dots": dots,
            "from": "c1",
            "to": end,
        }


def test_a_white_die_keeps_its_number(after: After, cited: Cited) -> None:
    start = white("c1,f6", f="W3")
    assert after(start, "use f") == white("c4,f6", f="W3u")
    assert cited(start, "use f")["ew.move.keep"]["dots"] == 3


def test_a_golem_stays_on_the_battlefield(after: After, refusal: Refusal) -> None:
    assert refusal(white("c3,f6", l="W3"), "use l") == "ew.move.board"
    assert after(white("c3,f6", l="W2"), "use l")
    assert refusal(white("c3,a6", f="W3", fl="W3"), "use fl") == "ew.move.board"
    assert refusal(black("c6,d7", b="W1"), "use b") == "ew.move.board"


def test_a_golem_moves_neither_into_nor_through_the_other(after: After, refusal: Refusal) -> None:
    assert refusal(white("c1,c3", f="W2"), "use f") == "ew.move.golem"
    assert refusal(white("c1,c3", f="W3"), "use f") == "ew.move.golem"
    assert after(white("c1,c3", f="W1"), "use f")
    assert after(white("c1,d3", f="W3"), "use f")


def test_a_golem_leaves_its_trench_for_the_battlefield_only(after: After, refusal: Refusal) -> None:
    assert after(white("c0,d7", f="W1"), "use f") == white("c1,d7", f="W1u")
    assert after(white("c0,d7", fr="W3"), "use fr") == white("f3,d7", fr="W3u")
    assert refusal(white("c0,d7", r="W1"), "use r") == "ew.move.board"
    assert refusal(white("c0,d7", b="W1"), "use b") == "ew.move.board"
    assert after(black("c0,d7", f="W1"), "use f") == black("c0,d6", f="W1u")


def test_no_golem_enters_a_starting_square_be_it_the_own_or_the_others(refusal: Refusal) -> None:
    assert refusal(white("c1,f6", b="W1"), "use b") == "ew.move.trench"
    assert refusal(white("d6,f6", f="W1"), "use f") == "ew.move.trench"
    assert refusal(white("d6,d7", f="W1"), "use f") == "ew.move.trench", "whoever is in it"
    assert refusal(black("a1,d6", b="W2"), "use b") == "ew.move.trench", "before the board ends"
    assert refusal(black("a1,c1", f="W1"), "use f") == "ew.move.trench"


def test_what_is_used_is_a_die(refusal: Refusal) -> None:
    assert refusal(white("c3,f6", f="W1"), "use b") == "ew.grid.no-die"
    assert refusal(white("c3,f6", f="W1"), "use c") == "ew.grid.centre"
