"""PHASE 4: USE DICE - ATTACKING."""

from collections.abc import Callable

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]

EMPTY = ".,.,./.,.,./.,.,."
HIT_IN_FRONT = ".,.x,./.,.,./.,.,."


def use(golems: str, white: str, black: str = EMPTY, board: str = "6") -> str:
    return f"ew1 {board} w use {golems} {white} {black} - *"


def front(die: str) -> str:
    return f".,{die},./.,.,./.,.,."


def test_an_attack_hits_exactly_as_many_squares_away_as_the_die_has_dots(
    after: After, cited: Cited
) -> None:
    for dots, there in ((1, "c4"), (2, "c5"), (3, "c6")):
        start = use(f"c3,{there}", front(f"B{dots}"))
        assert after(start, "use f").split(" ")[6] == HIT_IN_FRONT
        attack = cited(start, "use f")["ew.attack.exact"]
        assert (attack["from"], attack["to"], attack["distance"]) == ("c3", there, dots)
    assert after(use("c3,c4", front("B2")), "use f").split(" ")[6] == EMPTY
    assert after(use("c3,c5", front("B1")), "use f").split(" ")[6] == EMPTY


def test_a_black_2_or_3_becomes_a_1_whether_it_hits_or_not(after: After, cited: Cited) -> None:
    for die in ("B2", "B3"):
        for golems in ("c1,c3", "c1,c4", "c1,f6"):
            assert after(use(golems, front(die)), "use f").split(" ")[5] == front("B1u")
        assert cited(use("c1,f6", front(die)), "use f")["ew.attack.reduce"]["to"] == (
            "c3" if die == "B2" else "c4"
        )


def test_a_black_1_goes_back_to_the_supply(after: After, cited: Cited) -> None:
    assert after(use("c3,c4", front("B1")), "use f") == use("c3,c4", EMPTY, HIT_IN_FRONT)
    assert "ew.attack.spend" in cited(use("c3,c4", front("B1")), "use f")


def test_empty_squares_may_be_attacked(after: After, cited: Cited) -> None:
    assert after(use("c3,f6", front("B3")), "use f") == use("c3,f6", front("B1u"))
    assert cited(use("c3,f6", front("B3")), "use f")["ew.attack.empty"] == {"to": "c6"}


def test_an_attack_flies_over_whatever_lies_between(after: After, cited: Cited) -> None:
    assert after(use("c1,c2", front("B2")), "use f") == use("c1,c2", front("B1u"))
    assert cited(use("c1,c2", front("B2")), "use f")["ew.attack.over"] == {"over": "c2", "to": "c3"}
    assert "ew.attack.over" not in cited(use("c1,d2", front("B2")), "use f")


def test_an_attack_must_land_on_a_square_unless_an_option_allows_more(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    left = ".,.,./B2,.,./.,.,."
    assert refusal(use("a1,d6", left), "use l") == "ew.attack.board"
    assert refusal(use("b1,d6", left), "use l") == "ew.attack.board"
    assert after(use("c1,d6", left), "use l")
    anywhere = use("a1,d6", left, board="6ao")
    reduced = use("a1,d6", ".,.,./B1u,.,./.,.,.", board="6ao")
    assert after(anywhere, "use l") == reduced, "it just reduces its die, and leaves no shell"
    assert "ew.shell.empty" in cited(anywhere, "use l")


def test_an_attack_may_land_on_a_trench_empty_or_not(after: After) -> None:
    back = ".,.,./.,.,./.,B2,."
    assert after(use("c2,e5", back), "use b") == use("c2,e5", ".,.,./.,.,./.,B1u,.")
    assert after(use("d5,d7", front("B2")), "use f") == use("d5,d7", front("B1u"), HIT_IN_FRONT)


def test_several_attacks_and_moves_may_be_made_in_any_order(after: After) -> None:
    start = use("c2,f6", "W1,B3,./B1,.,./.,.,.")
    assert after(start, "use fl", "use l", "use f") == use("b3,f6", "W1u,B1u,./.,.,./.,.,.")
    assert after(start, "use f", "use l", "use fl") == use("b3,f6", "W1u,B1u,./.,.,./.,.,.")
    hit = use("c3,c4", "W1,B1,./B1,.,./.,.,.")
    assert after(hit, "use f", "use fl") == use("b4,c4", "W1u,.,./B1,.,./.,.,.", HIT_IN_FRONT)


def test_the_golem_of_the_example_attacks_two_forward_left_one_left_and_one_right(
    after: After,
) -> None:
    example = "B2,.,./B1,.,B1/.,.,."
    for cell, there in (("fl", "b5"), ("l", "c3"), ("r", "e3")):
        struck = after(use(f"d3,{there}", example), f"use {cell}").split(" ")[6]
        assert struck.count("x") == 1
