"""The Journeyman: moves like a golem, and corrupts what it jumps."""

from collections.abc import Callable

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Turns = Callable[[str], str]


def test_a_journeyman_moves_and_jumps_like_a_golem(turns: Turns, refusal: Refusal) -> None:
    alone = "7j/8/8/8/8/2J5/8/8 w 0 0 - *"
    assert turns(alone) == "c3-c4 c3-d3"
    assert refusal(alone, "c3-c5") == "agog.move.step"
    apart = "7j/8/8/2g5/8/2J5/8/8 w 0 0 - *"
    assert refusal(apart, "c3xc6") == "agog.capture.adjacent"


def test_a_journeyman_may_corrupt_the_golem_it_jumps(
    after: After, turns: Turns, cited: Cited
) -> None:
    facing = "7j/8/8/8/2g5/2J5/8/8 w 1 0 - *"
    assert turns(facing) == "c3+c5 c3xc5"
    assert after(facing, "c3+c5") == "7j/8/8/2J5/2C5/8/8/8 b 0 0 - *"
    assert after(facing, "c3xc5") == "7j/8/8/2J5/8/8/8/8 b 1 1 - *"
    rulings = cited(facing, "c3+c5")
    assert rulings["agog.corrupt.golem"]["square"] == "c4"
    assert rulings["agog.corrupt.owner"]["owner"] == "white"
    spent = rulings["agog.supply.spent"]
    assert (spent["white_supply_before"], spent["white_supply_after"]) == (1, 0)


def test_corrupting_a_hulk_sends_its_top_golem_out_of_play(after: After, cited: Cited) -> None:
    facing = "7j/8/8/8/2h5/2J5/8/8 w 1 0 - *"
    assert after(facing, "c3+c5") == "7j/8/8/2J5/2C5/8/8/8 b 0 1 - *"
    rulings = cited(facing, "c3+c5")
    assert rulings["agog.corrupt.hulk"]["unit"] == "hulk"
    assert "agog.corrupt.golem" not in rulings


def test_only_a_journeyman_corrupts(refusal: Refusal) -> None:
    golem = "7j/8/8/8/2g5/2G5/8/J7 w 5 0 - *"
    assert refusal(golem, "c3+c5") == "agog.corrupt.journeyman"
    hulk = "7j/8/8/8/2g5/2H5/8/J7 w 5 0 - *"
    assert refusal(hulk, "c3+c5") == "agog.corrupt.journeyman"


def test_a_corrupted_hulk_cannot_be_corrupted_again(after: After, refusal: Refusal) -> None:
    facing = "7j/8/8/8/2c5/2J5/8/8 w 5 0 - *"
    assert refusal(facing, "c3+c5") == "agog.corrupt.not_corrupted"
    assert after(facing, "c3xc5") == "7j/8/8/2J5/8/8/8/8 b 6 1 - *"  # both golems leave play


def test_a_journeyman_cannot_be_corrupted(after: After, refusal: Refusal) -> None:
    facing = "8/4g3/8/8/2j5/2J5/8/8 w 5 0 - *"
    assert refusal(facing, "c3+c5") == "agog.corrupt.not_journeyman"
    assert after(facing, "c3xc5") == "8/4g3/8/2J5/8/8/8/8 - 5 0 - 1-0:capture"


def test_each_corruption_needs_a_golem_out_of_play(turns: Turns, refusal: Refusal) -> None:
    two = "7j/8/8/8/8/1g6/g7/J7 w {} 0 - *"
    assert turns(two.format(0)) == "a1xa3xc3"
    assert refusal(two.format(0), "a1+a3xc3") == "agog.corrupt.supply"
    assert turns(two.format(1)) == "a1+a3xc3 a1xa3+c3 a1xa3xc3"
    assert refusal(two.format(1), "a1+a3+c3") == "agog.corrupt.supply"
    assert turns(two.format(2)) == "a1+a3+c3 a1+a3xc3 a1xa3+c3 a1xa3xc3"


def test_a_golem_freed_in_the_sequence_cannot_be_used_in_it(turns: Turns, refusal: Refusal) -> None:
    freeing = "7j/8/8/8/8/1g6/c7/J7 w 0 0 - *"
    assert turns(freeing) == "a1xa3xc3"
    assert refusal(freeing, "a1xa3+c3") == "agog.corrupt.supply"


def test_unless_the_option_says_so(
    after: After, turns: Turns, refusal: Refusal, cited: Cited
) -> None:
    freeing = "7j/8/8/8/8/1g6/c7/J7 w 0 0 fresh *"
    assert turns(freeing) == "a1xa3+c3 a1xa3xc3"
    assert after(freeing, "a1xa3+c3") == "7j/8/8/8/8/1CJ5/8/8 b 0 1 fresh *"
    figures = {"freed": 1, "fresh_supply": "true"}
    assert cited(freeing, "a1xa3+c3")["agog.supply.fresh"] == figures
    too_soon = "7j/8/8/8/8/1c6/g7/J7 w 0 0 fresh *"
    assert refusal(too_soon, "a1+a3xc3") == "agog.corrupt.supply"


def test_a_corrupted_unit_counts_blocks_and_cannot_be_jumped_again(refusal: Refusal) -> None:
    ring = "7j/8/8/3g4/2g1g3/2Jg4/8/8 w 4 0 - *"
    assert refusal(ring, "c3+c5xe5xe3xc3xc5") == "agog.capture.once"
    assert refusal(ring, "c3+c5") == "agog.capture.continue"


def test_a_corrupted_hulk_acts_for_its_new_owner(turns: Turns, refusal: Refusal) -> None:
    made = "7j/8/8/2J5/2C5/8/8/8 b 0 1 - *"
    assert refusal(made, "c4-c3") == "agog.unit.own"
    later = "7j/8/8/2J5/2C5/8/8/8 w 0 1 - *"
    assert "c4-h4" in turns(later).split()


def test_a_corrupted_hulk_promotes_a_golem_to_a_regular_hulk(
    after: After, turns: Turns, cited: Cited
) -> None:
    gate = "C7/8/2J5/8/4j3/c7/8/7g b 0 0 - *"
    assert turns(gate) == "a3-a1=h1 a3-a1=out a3-a2 e4-d4 e4-e3 h1-g1"
    assert after(gate, "a3-a1=h1") == "C7/8/2J5/8/4j3/8/8/7h w 1 0 - *"
    assert after(gate, "a3-a1=out") == "C7/8/2J5/8/4j3/8/8/7g w 1 1 - *"
    rulings = cited(gate, "a3-a1=h1")
    assert rulings["agog.promote.corrupted"]["unit"] == "corrupted hulk"
    assert rulings["agog.supply.promoted"]["white_supply_after"] == 1
