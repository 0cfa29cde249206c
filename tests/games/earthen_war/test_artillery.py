"""OPTIONAL VARIANT - ARTILLERY."""

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


def use(
    golems: str, shells: str, white: str = EMPTY, black: str = EMPTY, phase: str = "use"
) -> str:
    return f"ew1 6a w {phase} {golems} {white} {black} {shells} *"


def begun(golems: str, shells: str, white: str = EMPTY, black: str = EMPTY) -> str:
    """Black's turn has begun."""
    return f"ew1 6a b improve {golems} {white} {black} {shells} *"


def test_an_attack_on_an_empty_square_may_leave_a_shell_for_three_turns(
    after: After, cited: Cited, choices: Choices
) -> None:
    start = use("c1,f6", "-", grid(f="B3"))
    asked = use("c1,f6", "-", grid(f="B1u"), phase="shell:c4")
    assert after(start, "use f") == asked
    assert choices(asked) == ["shell", "no-shell"]
    assert after(asked, "shell") == use("c1,f6", "c4=3", grid(f="B1u"))
    assert cited(asked, "shell")["ew.shell.place"] == {"square": "c4", "turns": 3}


def test_it_need_not(after: After, cited: Cited) -> None:
    asked = use("c1,f6", "-", grid(f="B1u"), phase="shell:c4")
    assert after(asked, "no-shell") == use("c1,f6", "-", grid(f="B1u"))
    assert cited(asked, "no-shell")["ew.shell.decline"]["square"] == "c4"


def test_without_the_variant_there_are_no_shells(after: After) -> None:
    start = f"ew1 6 w use c1,f6 {grid(f='B3')} {EMPTY} - *"
    assert after(start, "use f") == f"ew1 6 w use c1,f6 {grid(f='B1u')} {EMPTY} - *"


def test_no_shell_is_placed_on_a_golem_a_shell_or_a_trench(after: After, cited: Cited) -> None:
    on_golem = use("c1,c4", "-", grid(f="B3"))
    assert after(on_golem, "use f") == use("c1,c4", "-", grid(f="B1u"), grid(f=".x"))
    on_shell = use("c1,f6", "c4=2", grid(f="B3"))
    assert after(on_shell, "use f") == use("c1,f6", "c4=2", grid(f="B1u"))
    on_trench = use("c2,e5", "-", grid(b="B2"))
    assert after(on_trench, "use b") == use("c2,e5", "-", grid(b="B1u"))
    assert cited(on_shell, "use f")["ew.shell.empty"] == {"square": "c4"}
    assert cited(on_trench, "use b")["ew.shell.empty"] == {"square": "c0"}


NINE = ("B3,.,B3/B3,.,B3/.,.,.", "B1,B1,B1/B1,.,B1/.,.,.")
"""Nine black dice, five of them Black's."""


def test_a_shell_needs_a_black_die_from_the_supply(after: After, cited: Cited) -> None:
    white, black = NINE
    none_left = use("c1,f6", "-", white.replace(".", "B3", 1), black)
    assert after(none_left, "use f") == (use("c1,f6", "-", white.replace(".", "B1u", 1), black))
    assert cited(none_left, "use f")["ew.shell.supply"] == {"square": "c4", "supply": 0}


def test_the_spent_die_itself_may_be_the_shell(after: After) -> None:
    white, black = NINE
    last = use("c1,f6", "-", white.replace(".", "B1", 1), black)
    assert after(last, "use f", "shell") == use("c1,f6", "c2=3", white, black)


def test_all_shells_count_down_at_the_start_of_each_players_turn(
    after: After, cited: Cited
) -> None:
    start = use("c3,f6", "a1=3,e1=2")
    assert after(start, "end") == begun("c3,f6", "a1=2,e1=1")
    black = after(start, "end", "skip", "skip")
    assert after(black, "end") == use("c3,f6", "a1=1", phase="improve")
    assert cited(start, "end")["ew.shell.countdown"] == {"shells": 2}


def test_a_shell_at_0_explodes_and_its_die_is_in_the_supply_again(
    after: After, cited: Cited
) -> None:
    start = use("c3,f6", "a1=1")
    assert after(start, "end") == begun("c3,f6", "-")
    assert cited(start, "end")["ew.shell.explode"] == {"square": "a1", "turns_left": 0}


@pytest.mark.parametrize(
    ("shell", "cell"),
    [
        ("b4", "fl"), ("c4", "f"), ("d4", "fr"), ("b3", "l"), ("d3", "r"), ("b2", "bl"),
        ("c2", "b"), ("d2", "br"),
    ],
)  # fmt: skip
def test_an_explosion_damages_a_golem_around_it_on_the_side_of_the_shell(
    after: After, cited: Cited, shell: str, cell: str
) -> None:
    start = use("c3,f6", f"{shell}=1")
    assert after(start, "end") == begun("c3,f6", "-", grid(**{cell: ".x"}))
    assert cited(start, "end")["ew.shell.damage"] == {
        "shell": shell,
        "golem": "c3",
        "seat": "white",
        "damaged": cell,
    }


def test_it_damages_every_golem_around_it_of_either_side(after: After) -> None:
    assert after(use("c3,d5", "c4=1"), "end") == (begun("c3,d5", "-", grid(f=".x"), grid(fr=".x")))


def test_a_golem_two_squares_away_is_not_damaged(after: After) -> None:
    assert after(use("c3,f6", "c5=1"), "end") == begun("c3,f6", "-")
    assert after(use("c3,f6", "e4=1"), "end") == begun("c3,f6", "-")


def test_a_golem_between_two_shells_receives_two_damages(after: After) -> None:
    assert after(use("c3,f6", "c2=1,c4=1"), "end") == begun("c3,f6", "-", grid(f=".x", b=".x"))


def test_a_golem_in_its_trench_is_damaged_like_any_other(after: After) -> None:
    assert after(use("c0,f6", "b1=1"), "end") == begun("c0,f6", "-", grid(fl=".x"))


def test_an_explosion_does_not_damage_what_is_damaged_already(after: After, cited: Cited) -> None:
    start = use("c3,f6", "c4=1", grid(f="W2x"))
    assert after(start, "end") == begun("c3,f6", "-", grid(f="W2x"))
    assert cited(start, "end")["ew.shell.repeat"]["damaged"] == "f"


def test_an_explosion_sets_off_the_shells_around_it_and_so_on(after: After, cited: Cited) -> None:
    start = use("d4,a6", "a1=1,b2=3,c3=3,f6=3")
    assert after(start, "end") == begun("d4,a6", "f6=2", grid(bl=".x"))
    assert cited(start, "end")["ew.shell.chain"] == {
        "square": "c3",
        "turns_left": 2,
        "set_off_by": "b2",
    }


def test_a_shell_two_squares_away_is_not_set_off(after: After) -> None:
    assert after(use("f6,a6", "a1=1,c1=3"), "end") == begun("f6,a6", "c1=2")


def test_shells_due_together_explode_together(after: After) -> None:
    assert after(use("f6,a6", "a1=1,a2=1,c1=1"), "end") == begun("f6,a6", "-")


def test_shell_damage_can_complete_a_line_and_then_the_opponent_wins(
    after: After, cited: Cited
) -> None:
    start = use("c3,f6", "c4=1", grid(fl=".x", fr=".x"))
    assert after(start, "end") == (
        f"ew1 6a - - c3,f6 {grid(fl='.x', f='.x', fr='.x')} {EMPTY} - black"
    )
    assert cited(start, "end")["ew.end.line"] == {"white_line": "fl f fr"}


def test_both_golems_destroyed_by_one_chain_is_a_draw(after: After, cited: Cited) -> None:
    start = use("c3,d5", "c4=1", grid(fl=".x", fr=".x"), grid(f=".x", fl=".x"))
    assert after(start, "end").split(" ")[2:4] == ["-", "-"]
    assert after(start, "end").endswith(" - draw")
    assert cited(start, "end")["ew.end.draw"] == {
        "white_line": "fl f fr",
        "black_line": "fl f fr",
    }


def test_dice_are_refreshed_before_shells_explode(after: After) -> None:
    start = use("c3,d5", "c4=1", grid(fl=".x", fr=".x", b="W1u"), grid(b="W2u"))
    assert after(start, "end") == (
        "ew1 6a - - c3,d5 .x,.x,.x/.,.,./.,W1u,. .,.,.x/.,.,./.,W2,. - black"
    )


# --- walking into a shell ---


def test_a_shell_explodes_before_a_golem_enters_its_square(after: After, cited: Cited) -> None:
    start = use("c2,f6", "c3=3", grid(f="W1"))
    assert after(start, "use f") == use("c3,f6", "-", grid(f="W1ux"))
    assert cited(start, "use f")["ew.shell.walk"] == {"square": "c3", "turns_left": 3}


def test_it_sets_off_its_neighbours_whose_damage_counts_from_the_square_before(
    after: After,
) -> None:
    assert after(use("c2,f6", "c3=3,d3=2", grid(f="W1")), "use f") == (
        use("c3,f6", "-", grid(f="W1ux", fr=".x"))
    )


def test_every_square_of_a_move_counts_and_the_move_continues_to_its_exact_end(
    after: After,
) -> None:
    assert after(use("c2,f6", "c4=3", grid(f="W3")), "use f") == (use("c5,f6", "-", grid(f="W3ux")))


def test_two_shells_on_the_way_explode_one_after_the_other(after: After) -> None:
    # Not neighbours: the second explodes on its own, on a side that is damaged by then.
    assert after(use("c1,f6", "c2=3,c4=3", grid(f="W3")), "use f") == (
        use("c4,f6", "-", grid(f="W3ux"))
    )


def test_a_walk_can_damage_the_enemy(after: After) -> None:
    assert after(use("c2,d4", "c3=3", grid(f="W1")), "use f") == (
        use("c3,d4", "-", grid(f="W1ux"), grid(fr=".x"))
    )


def test_a_golem_that_is_destroyed_on_its_way_falls_on_the_square_before(after: After) -> None:
    start = use("c1,f6", "c3=3", grid(f="W3", fl=".x", fr=".x"))
    assert after(start, "use f") == (
        f"ew1 6a - - c2,f6 {grid(f='W3ux', fl='.x', fr='.x')} {EMPTY} - black"
    )


def test_the_battle_and_the_move_end_when_a_walk_destroys_the_enemy(after: After) -> None:
    start = use("c1,d4", "c3=3", grid(f="W3"), grid(fl=".x", f=".x"))
    assert after(start, "use f") == (
        f"ew1 6a - - c2,d4 {grid(f='W3ux')} {grid(fl='.x', f='.x', fr='.x')} - white"
    )


def test_no_later_shell_makes_a_draw_of_a_battle_that_is_won(after: After) -> None:
    # The shell on c4 is no neighbour of the one on c2: walked into, it would destroy White too.
    start = use("c1,d3", "c2=3,c4=3", grid(f="W3", fl=".x"), grid(fl=".x", f=".x"))
    assert after(start, "use f").split(" ")[4] == "c1,d3"
    assert after(start, "use f").endswith(" c4=3 white")


def test_a_move_that_cannot_be_made_is_refused_whatever_shells_lie_on_the_way(
    refusal: Refusal,
) -> None:
    start = use("c4,f6", "c5=3", grid(f="W3", fl=".x", fr=".x"))
    assert refusal(start, "use f") == "ew.move.board"


def test_an_attack_flies_over_shells_and_sets_none_off(after: After, cited: Cited) -> None:
    start = use("c1,c4", "c2=2,c3=2", grid(f="B3"))
    assert after(start, "use f") == use("c1,c4", "c2=2,c3=2", grid(f="B1u"), grid(f=".x"))
    assert cited(start, "use f")["ew.attack.over"]["over"] == "c2 c3"
