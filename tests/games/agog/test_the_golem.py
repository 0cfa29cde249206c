"""The Golem: one step, and jumps over what is adjacent."""

from collections.abc import Callable

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]

ALONE = "7j/8/8/8/8/2G5/8/J7 w 0 0 - *"


def test_a_golem_moves_one_square(after: After, refusal: Refusal, cited: Cited) -> None:
    assert after(ALONE, "c3-c4") == "7j/8/8/8/2G5/8/8/J7 b 0 0 - *"
    assert refusal(ALONE, "c3-c5") == "agog.move.step"
    rulings = cited(ALONE, "c3-c4")
    figures = {"unit": "golem", "from": "c3", "to": "c4", "squares": 1}
    assert (rulings["agog.move.forward"], rulings["agog.move.step"]) == (figures, figures)


def test_a_golem_jumps_only_what_is_adjacent_and_lands_right_behind_it(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    facing = "7j/8/8/8/2g5/2G5/8/J7 w 0 0 - *"
    assert after(facing, "c3xc5") == "7j/8/8/2G5/8/8/8/J7 b 0 1 - *"
    assert cited(facing, "c3xc5")["agog.capture.adjacent"]["over"] == "c4"
    assert refusal(facing, "c3xc6") == "agog.capture.adjacent"
    apart = "7j/8/8/2g5/8/2G5/8/J7 w 0 0 - *"
    assert refusal(apart, "c3xc6") == "agog.capture.adjacent"
