"""PHASE 4: DAMAGE."""

from collections.abc import Callable

import pytest

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Choices = Callable[[str], list[str]]

EMPTY = ".,.,./.,.,./.,.,."
CELLS = ("fl", "f", "fr", "l", "c", "r", "bl", "b", "br")


def grid(**squares: str) -> str:
    """A control grid with these dice and damages: `grid(fr="B2", c=".x")`."""
    cells = [squares.get(cell, ".") for cell in CELLS]
    return "/".join(",".join(cells[n : n + 3]) for n in (0, 3, 6))


def white(golems: str, attacker: str, victim: str, phase: str = "use") -> str:
    return f"ew1 6 w {phase} {golems} {attacker} {victim} - *"


@pytest.mark.parametrize(
    ("cell", "victim", "side"),
    [
        ("f", "c5", "south"), ("fr", "e5", "south-west"), ("r", "e3", "west"),
        ("br", "e1", "north-west"), ("b", "c1", "north"), ("bl", "a1", "north-east"),
        ("l", "a3", "east"), ("fl", "a5", "south-east"),
    ],
)  # fmt: skip
def test_the_damaged_square_is_where_the_attack_came_from_as_the_victim_sees_it(
    after: After, cited: Cited, cell: str, victim: str, side: str
) -> None:
    start = white(f"c3,{victim}", grid(**{cell: "B2"}), EMPTY)
    assert after(start, f"use {cell}") == (
        white(f"c3,{victim}", grid(**{cell: "B1u"}), grid(**{cell: ".x"}))
    )
    figures = cited(start, f"use {cell}")["ew.damage.side"]
    expected = {"from": "c3", "to": victim, "distance": 2, "damaged": cell, "attack_from": side}
    assert {name: figures[name] for name in expected} == expected


def test_black_hits_white_just_so(after: After) -> None:
    start = f"ew1 6 b use c3,d4 {EMPTY} {grid(fr='B1')} - *"
    assert after(start, "use fr") == f"ew1 6 b use c3,d4 {grid(fr='.x')} {EMPTY} - *"


def test_a_golem_in_its_trench_is_hit_like_any_other(after: After) -> None:
    start = f"ew1 6 b use c0,c2 {EMPTY} {grid(f='B2')} - *"
    assert after(start, "use f") == f"ew1 6 b use c0,c2 {grid(f='.x')} {grid(f='B1u')} - *"


def test_damage_leaves_a_die_where_it_is(after: After) -> None:
    start = white("c3,c4", grid(f="B1"), grid(f="W3"))
    assert after(start, "use f") == white("c3,c4", EMPTY, grid(f="W3x"))


def test_a_die_on_a_damaged_square_is_as_good_as_any(after: After) -> None:
    start = white("c3,c4", EMPTY, grid(f="B2x"))
    assert after(start, "end", "up f", "skip", "use f") == (
        f"ew1 6 b use c3,c4 {EMPTY} {grid(f='B1ux')} - *"
    )


HIT_AGAIN = white("c3,c4", EMPTY, grid(f=".x"), phase="hit:f")


def test_a_hit_on_a_damaged_square_is_located_by_two_dice(
    after: After, refusal: Refusal, cited: Cited, choices: Choices
) -> None:
    start = white("c3,c4", grid(f="B1"), grid(f=".x"))
    assert after(start, "use f") == HIT_AGAIN
    assert cited(start, "use f")["ew.damage.again"]["damaged"] == "f"
    assert choices(HIT_AGAIN) == [f"dice {a} {b}" for a in (1, 2, 3) for b in (1, 2, 3)]
    assert refusal(HIT_AGAIN, "dice 1") == "ew.entry.range"
    assert refusal(HIT_AGAIN, "dice 1 4") == "ew.entry.range"
    assert refusal(HIT_AGAIN, "dice 1 2", by="black") == "ew.turn.order", "the attacker rolls"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("dice 1 1", "fl"), ("dice 3 1", "fr"), ("dice 1 2", "l"), ("dice 2 2", "c"),
        ("dice 3 2", "r"), ("dice 1 3", "bl"), ("dice 2 3", "b"), ("dice 3 3", "br"),
    ],
)  # fmt: skip
def test_the_white_die_is_the_column_and_the_black_die_the_row(
    after: After, cited: Cited, text: str, cell: str
) -> None:
    assert after(HIT_AGAIN, text) == white("c3,c4", EMPTY, grid(f=".x", **{cell: ".x"}))
    assert cited(HIT_AGAIN, text)["ew.damage.coordinate"]["grid_square"] == cell


@pytest.mark.parametrize(("text", "cell"), [("dice 1 3", "fr"), ("dice 3 1", "bl")])
def test_with_dice_axes_white_row_it_is_the_other_way_round(
    after: After, cited: Cited, text: str, cell: str
) -> None:
    position = HIT_AGAIN.replace("ew1 6 ", "ew1 6r ")
    hit = white("c3,c4", EMPTY, grid(f=".x", **{cell: ".x"}))
    assert after(position, text) == hit.replace("ew1 6 ", "ew1 6r ")
    assert cited(position, text)["ew.damage.coordinate"]["dice_axes"] == "white-row"
    assert "dice_axes" not in cited(HIT_AGAIN, text)["ew.damage.coordinate"]


def test_only_2_and_2_damage_the_centre(after: After, cited: Cited) -> None:
    centre = [
        text
        for text in (f"dice {a} {b}" for a in (1, 2, 3) for b in (1, 2, 3))
        if after(HIT_AGAIN, text).split(" ")[6].split("/")[1] == ".,.x,."
    ]
    assert centre == ["dice 2 2"]
    assert "ew.damage.centre" in cited(HIT_AGAIN, "dice 2 2")
    assert "ew.damage.centre" not in cited(HIT_AGAIN, "dice 2 3")


def test_if_that_is_damaged_too_there_is_no_damage(after: After, cited: Cited) -> None:
    assert after(HIT_AGAIN, "dice 2 1") == white("c3,c4", EMPTY, grid(f=".x"))
    assert cited(HIT_AGAIN, "dice 2 1")["ew.damage.none"]["grid_square"] == "f"


LINES = (
    "fl f fr", "l c r", "bl b br", "fl l bl", "f c b", "fr r br", "fl c br", "fr c bl",
)  # fmt: skip


def on(cell: str) -> str:
    """The dice that locate this square."""
    n = CELLS.index(cell)
    return f"dice {n % 3 + 1} {n // 3 + 1}"


@pytest.mark.parametrize("line", LINES)
def test_three_damaged_squares_in_a_line_destroy_a_golem(
    after: After, cited: Cited, line: str
) -> None:
    for last in line.split():
        two = {cell: ".x" for cell in line.split() if cell != last}
        source = next(cell for cell in two if cell != "c")
        hit = white("c3,c4", EMPTY, grid(**two), phase=f"hit:{source}")
        three = grid(**two, **{last: ".x"})
        assert after(hit, on(last)) == f"ew1 6 - - c3,c4 {EMPTY} {three} - white"
        assert cited(hit, on(last))["ew.end.line"] == {"black_line": line}


def test_three_damaged_squares_that_are_no_line_destroy_nothing(after: After) -> None:
    hit = white("c3,c4", EMPTY, grid(fl=".x", f=".x"), phase="hit:f")
    assert after(hit, on("l")).endswith(" - *")
    assert after(hit, on("fr")).endswith(" - white")


def test_a_direct_hit_can_end_the_game_too(
    after: After, refusal: Refusal, choices: Choices
) -> None:
    start = white("c3,c4", grid(f="B1", b="W1"), grid(fl=".x", fr="W1x"))
    over = after(start, "use f")
    assert over == f"ew1 6 - - c3,c4 {grid(b='W1')} {grid(fl='.x', f='.x', fr='W1x')} - white"
    assert choices(over) == []
    for by in ("white", "black", "referee"):
        for text in ("end", "use b", "dice 1 2", "skip"):
            assert refusal(over, text, by=by) == "ew.end.over"
