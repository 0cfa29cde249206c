"""PHASE 2: IMPROVE DICE."""

from collections.abc import Callable

import pytest

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Choices = Callable[[str], list[str]]

EMPTY = ".,.,./.,.,./.,.,."


def improve(white: str, black: str = EMPTY, phase: str = "improve") -> str:
    return f"ew1 6 w {phase} c1,d6 {white} {black} - *"


def test_a_new_die_is_rolled_and_then_placed_on_its_moon(after: After, cited: Cited) -> None:
    grid = ".,W1,./.,.,./.,.,."
    taken = after(improve(grid), "add black")
    assert taken == improve(grid, phase="roll:black")
    rolled = after(taken, "dice 3")
    assert rolled == improve(grid, phase="place:B3")
    assert after(rolled, "place bl") == improve(".,W1,./.,.,./B3,.,.", phase="swap")
    assert cited(improve(grid), "add black")["ew.improve.roll"] == {
        "colour": "black",
        "supply_before": 10,
        "supply_after": 9,
    }
    assert cited(taken, "dice 3")["ew.improve.roll"] == {"colour": "black", "dots": 3}
    assert cited(rolled, "place bl")["ew.improve.roll"]["grid_square"] == "bl"


def test_one_die_is_rolled_with_1_to_3_dots(refusal: Refusal, choices: Choices) -> None:
    taken = improve(EMPTY, phase="roll:white")
    for text in ("dice 0", "dice 4", "dice 1 2"):
        assert refusal(taken, text) == "ew.entry.range", text
    assert choices(taken) == ["dice 1", "dice 2", "dice 3"]


def test_a_die_goes_to_an_empty_square_and_never_to_the_centre(
    after: After, refusal: Refusal, choices: Choices
) -> None:
    rolled = improve("W1,.,./B1u,.,.x/.,.,.", phase="place:W2")
    assert refusal(rolled, "place fl") == "ew.grid.one"
    assert refusal(rolled, "place c") == "ew.grid.centre"
    assert choices(rolled) == [f"place {cell}" for cell in ("f", "fr", "r", "bl", "b", "br")]
    on_damage = improve("W1,.,./B1u,.,W2x/.,.,.", phase="swap")
    assert after(rolled, "place r") == on_damage, "a damaged square may hold a die"


FIVE = "W1,W1,W1/W1,.,W1/.,.,."


def test_without_a_die_of_a_colour_the_other_must_be_chosen(
    after: After, refusal: Refusal, choices: Choices
) -> None:
    assert refusal(improve(FIVE, FIVE), "add white") == "ew.improve.supply"
    assert after(improve(FIVE, FIVE), "add black")
    assert "add white" not in choices(improve(FIVE, FIVE))
    assert after(improve(FIVE, FIVE.replace("W1/.", "./.", 1)), "add white")


def test_shells_are_black_dice_too(after: After, refusal: Refusal) -> None:
    nine = improve(FIVE.replace("W", "B"), "B1,B1,B1/B1,.,./.,.,.").replace(" 6 ", " 6a ")
    assert after(nine, "add black")
    assert refusal(nine.replace(" - *", " a5=2 *"), "add black") == "ew.improve.supply"


def test_a_full_grid_takes_no_die(after: After, refusal: Refusal, choices: Choices) -> None:
    full = "W1,B1,W1/B1,.,W1/B1,W1,B1"
    assert refusal(improve(full), "add white") == "ew.improve.full"
    assert refusal(improve(full), "add black") == "ew.improve.full"
    assert not {"add white", "add black"} & set(choices(improve(full)))
    assert after(improve(full.replace("W1,B1,W1", "W1,.,W1", 1)), "add white")


@pytest.mark.parametrize("colour", ["W", "B"])
def test_an_upgrade_is_one_dot_more(
    after: After, refusal: Refusal, cited: Cited, colour: str
) -> None:
    one, two, three = (f".,.,./.,.,{colour}{dots}/.,.,." for dots in (1, 2, 3))
    assert after(improve(one), "up r") == improve(two, phase="swap")
    assert after(improve(two), "up r") == improve(three, phase="swap")
    assert refusal(improve(three), "up r") == "ew.improve.top"
    assert cited(improve(one), "up r")["ew.improve.up"]["dots"] == 2


@pytest.mark.parametrize("colour", ["W", "B"])
def test_a_downgrade_is_one_dot_less_and_removes_a_1(
    after: After, cited: Cited, colour: str
) -> None:
    one, two, three = (f".,.,./.,.,{colour}{dots}/.,.,." for dots in (1, 2, 3))
    assert after(improve(three), "down r") == improve(two, phase="swap")
    assert after(improve(two), "down r") == improve(one, phase="swap")
    assert after(improve(one), "down r") == improve(EMPTY, phase="swap")
    assert cited(improve(three), "down r")["ew.improve.down"]["dots"] == 2
    assert cited(improve(one), "down r")["ew.improve.remove"]["dots"] == 1


def test_what_is_turned_is_a_die(refusal: Refusal) -> None:
    for verb in ("up", "down"):
        assert refusal(improve(".,W1,./.,.,./.,.,."), f"{verb} fl") == "ew.grid.no-die"
        assert refusal(improve(".,W1,./.,.,./.,.,."), f"{verb} c") == "ew.grid.centre"


def test_a_new_die_may_be_used_in_the_same_turn(after: After) -> None:
    rolled = improve(".,W1,./.,.,./.,.,.", phase="place:W2")
    assert after(rolled, "place r", "skip", "use r") == (
        f"ew1 6 w use e1,d6 .,W1,./.,.,W2u/.,.,. {EMPTY} - *"
    )
