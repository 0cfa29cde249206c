"""The Hulk: lines of any length, and what becomes of a unit on the enemy sanctum."""

from collections.abc import Callable

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Turns = Callable[[str], str]

ALONE = "7j/8/2G5/8/8/2H1gg2/8/1J6 w 0 0 - *"


def test_a_hulk_moves_forward_any_distance_over_free_squares(
    turns: Turns, refusal: Refusal, cited: Cited
) -> None:
    assert turns(ALONE) == "b1-b2 b1-c1 c3-c4 c3-c5 c3-d3 c6-c7 c6-d6"
    assert refusal(ALONE, "c3-c6") == "agog.move.clear"
    assert refusal(ALONE, "c3-c7") == "agog.move.clear"
    assert refusal(ALONE, "c3-c1") == "agog.move.forward"
    figures = {"unit": "hulk", "from": "c3", "to": "c5", "squares": 2}
    assert cited(ALONE, "c3-c5")["agog.move.slide"] == figures


def test_a_hulk_jumps_from_any_distance_and_lands_on_any_free_square_behind(
    turns: Turns, refusal: Refusal, cited: Cited
) -> None:
    far = "7j/8/8/8/8/H1g5/8/J7 w 0 0 - *"
    assert turns(far) == "a3xd3 a3xe3 a3xf3 a3xg3 a3xh3"
    assert refusal(far, "a3xb3") == "agog.capture.nothing"
    assert cited(far, "a3xf3")["agog.capture.fly"]["over"] == "c3"
    wall = "7j/8/8/8/8/H1gg4/8/J7 w 0 0 - *"
    assert turns(wall) == "a1-a2 a1-b1 a3-a4 a3-a5 a3-a6 a3-a7 a3-a8 a3-b3"


def test_a_hulk_lands_so_that_it_can_capture_the_most(turns: Turns, refusal: Refusal) -> None:
    bend = "7j/8/5g2/8/8/H1g5/8/J7 w 0 0 - *"
    assert turns(bend) == "a3xf3xf7 a3xf3xf8"
    assert refusal(bend, "a3xe3") == "agog.capture.maximal"
    assert refusal(bend, "a3xf3") == "agog.capture.continue"


def test_a_golem_on_the_enemy_sanctum_makes_a_hulk_or_leaves_play(
    after: After, turns: Turns, refusal: Refusal, cited: Cited
) -> None:
    gate = "6G1/3j4/8/8/7G/2G5/4H3/J7 w 0 0 - *"
    assert [turn for turn in turns(gate).split() if "h8" in turn] == [
        "g8-h8=c3",
        "g8-h8=h4",
        "g8-h8=out",
    ]
    assert after(gate, "g8-h8=h4") == "8/3j4/8/8/7H/2G5/4H3/J7 b 0 0 - *"
    rulings = cited(gate, "g8-h8=h4")
    assert rulings["agog.promote.golem"]["square"] == "h4"
    assert "agog.supply.promoted" not in rulings  # both golems are in play
    assert after(gate, "g8-h8=out") == "8/3j4/8/8/7G/2G5/4H3/J7 b 1 0 - *"
    rulings = cited(gate, "g8-h8=out")
    assert rulings["agog.promote.out"]["other_golems"] == 2
    assert rulings["agog.supply.promoted"]["white_supply_after"] == 1
    assert "agog.promote.no_golem" not in rulings
    assert refusal(gate, "g8-h8") == "agog.promote.choice"


def test_a_new_hulk_is_made_of_another_own_golem(refusal: Refusal) -> None:
    gate = "6G1/3j4/8/8/7G/2G5/4H3/J7 w 0 0 - *"
    for square in ("e2", "a1", "g8", "h8", "d7", "b6"):
        # The hulk, the journeyman, itself, the sanctum, an enemy, nobody.
        assert refusal(gate, f"g8-h8={square}") == "agog.promote.target"


def test_only_a_unit_that_ends_on_the_enemy_sanctum_leaves_it(refusal: Refusal) -> None:
    gate = "6G1/3j4/8/8/7G/2G5/4H3/J7 w 0 0 - *"
    assert refusal(gate, "h4-h5=c3") == "agog.promote.only"
    assert refusal(gate, "h4-h5=out") == "agog.promote.only"
    nearly = "6J1/8/8/8/4j3/2G5/8/7g w 0 0 - *"
    assert refusal(nearly, "g8-h8=out") == "agog.promote.only"  # it has won, and stays
    # When the journeyman is captured on the way, the game is over and the unit stays.
    last = "5Gj1/8/8/8/8/2G5/8/J7 w 0 0 - *"
    assert refusal(last, "f8xh8=c3") == "agog.promote.only"
    assert refusal(last, "f8xh8=out") == "agog.promote.only"


def test_a_hulk_on_the_enemy_sanctum_gives_its_top_golem_or_both(
    after: After, cited: Cited
) -> None:
    gate = "8/3j4/8/8/8/2G4H/8/J7 w 0 0 - *"
    assert after(gate, "h3-h8=c3") == "8/3j4/8/8/8/2H5/8/J7 b 1 0 - *"
    rulings = cited(gate, "h3-h8=c3")
    assert rulings["agog.promote.hulk"]["square"] == "c3"
    assert rulings["agog.supply.promoted"]["white_supply_after"] == 1
    assert after(gate, "h3-h8=out") == "8/3j4/8/8/8/2G5/8/J7 b 2 0 - *"


def test_without_another_golem_the_unit_goes_out(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    last = "4j3/6h1/3J4/8/8/8/8/1g6 b 0 0 - *"
    assert after(last, "b1-a1=out") == "4j3/6h1/3J4/8/8/8/8/8 w 0 1 - *"
    assert cited(last, "b1-a1=out")["agog.promote.no_golem"]["other_golems"] == 0
    assert refusal(last, "b1-a1=g7") == "agog.promote.no_golem"
    assert refusal(last, "b1-a1") == "agog.promote.choice"


def test_a_golem_that_must_jump_on_from_the_sanctum_is_not_promoted(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    through = "6g1/7g/3j3G/8/8/2G5/8/J7 w 0 0 - *"
    assert after(through, "h6xh8xf8") == "5G2/8/3j4/8/8/2G5/8/J7 b 0 2 - *"
    assert cited(through, "h6xh8xf8")["agog.sanctum.pass"] == {"sanctum": "h8"}
    assert refusal(through, "h6xh8=c3") == "agog.capture.continue"
    assert refusal(through, "h6xh8xf8=c3") == "agog.promote.only"


def test_a_capture_that_ends_on_the_sanctum_promotes_too(after: After, refusal: Refusal) -> None:
    gate = "8/7g/3j3G/8/8/2G5/8/J7 w 0 0 - *"
    assert after(gate, "h6xh8=c3") == "8/8/3j4/8/8/2H5/8/J7 b 0 1 - *"
    assert refusal(gate, "h6xh8") == "agog.promote.choice"
