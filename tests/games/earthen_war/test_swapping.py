"""PHASE 3: SWAPPING."""

from collections.abc import Callable
from itertools import combinations

from domain.games.earthen_war import GAME
from domain.kernel.rulings import Refused

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Choices = Callable[[str], list[str]]

EMPTY = ".,.,./.,.,./.,.,."
FULL = "W1,B1,W1/B1,.,W1/B1,W1,B1"
ROUND_THE_RING = "fl f, f fr, fl l, fr r, l bl, r br, bl b, b br"
ACROSS_A_CORNER = "f l, f r, l b, r b"


def swap(white: str, phase: str = "swap") -> str:
    return f"ew1 6 w {phase} c1,d6 {white} {EMPTY} - *"


def test_two_adjacent_dice_are_swapped_whatever_their_colour(after: After, cited: Cited) -> None:
    assert after(swap(".,W1,B3/.,.,./.,.,."), "swap f fr") == (
        swap(".,B3,W1/.,.,./.,.,.", phase="use")
    )
    rulings = cited(swap(".,W1,B3/.,.,./.,.,."), "swap f fr")
    assert rulings["ew.swap.adjacent"] == {"first": "f", "second": "fr"}


def test_a_single_die_is_swapped_with_an_empty_square_either_way(after: After) -> None:
    assert after(swap("W1,.,./.,.,./.,.,."), "swap fl l") == (
        swap(".,.,./W1,.,./.,.,.", phase="use")
    )
    assert after(swap(".,.,./W1,.,./.,.,."), "swap fl l") == (
        swap("W1,.,./.,.,./.,.,.", phase="use")
    )


def test_two_empty_squares_are_not_swapped(refusal: Refusal, choices: Choices) -> None:
    assert refusal(swap("W1,.,./.,.,./.,.,."), "swap f fr") == "ew.swap.empty"
    assert choices(swap("W1,.,./.,.,./.,.,.")) == ["swap fl f", "swap fl l", "skip"]
    assert choices(swap(EMPTY)) == ["skip"]


def test_damage_stays_where_it_is(after: After) -> None:
    assert after(swap(".,W1x,./.,.,B2/.,.,."), "swap f r") == (
        swap(".,B2x,./.,.,W1/.,.,.", phase="use")
    )


def test_twelve_pairs_are_adjacent_diagonals_included(choices: Choices, refusal: Refusal) -> None:
    adjacent = set(f"{ROUND_THE_RING}, {ACROSS_A_CORNER}".split(", "))
    assert {text.removeprefix("swap ") for text in choices(swap(FULL))} - {"skip"} == adjacent
    for pair in combinations(("fl", "f", "fr", "l", "r", "bl", "b", "br"), 2):
        if " ".join(pair) not in adjacent:
            assert refusal(swap(FULL), f"swap {' '.join(pair)}") == "ew.swap.adjacent"


def test_squares_on_opposite_sides_are_not_adjacent(refusal: Refusal) -> None:
    for pair in ("f b", "l r", "fl br", "fr bl"):
        assert refusal(swap(FULL), f"swap {pair}") == "ew.swap.adjacent"


def test_the_centre_is_in_the_way(refusal: Refusal) -> None:
    for pair in ("f c", "c b", "fl c", "c br"):
        assert refusal(swap(FULL), f"swap {pair}") == "ew.grid.centre"


def test_a_pair_the_wrong_way_round_is_refused_by_naming_the_right_way() -> None:
    for pair in ("r f", "f fl", "br r", "b l"):
        refused = GAME.read_action(f"swap {pair}")
        assert isinstance(refused, Refused)
        assert refused.rule == "ew.action.syntax"
        assert refused.why.endswith(f"write swap {' '.join(reversed(pair.split()))}")
