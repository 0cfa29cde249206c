"""PHASES OF A TURN and PHASE 1: REFRESH DICE."""

from collections.abc import Callable

import pytest

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Choices = Callable[[str], list[str]]

EMPTY = ".,.,./.,.,./.,.,."
IMPROVE = f"ew1 6 w improve c3,d6 .,W1,./.,.,./.,.,. {EMPTY} - *"
SWAP = IMPROVE.replace("improve", "swap")
USE = IMPROVE.replace("improve", "use")


def test_a_turn_is_improve_swap_use_and_every_phase_may_be_skipped(after: After) -> None:
    assert after(IMPROVE, "skip") == SWAP
    assert after(SWAP, "skip") == USE
    assert after(USE, "end") == IMPROVE.replace(" w ", " b ")


@pytest.mark.parametrize(
    ("position", "texts"),
    [
        (IMPROVE, ["swap fl f", "use f", "end"]),
        (SWAP, ["add white", "up f", "down f", "use f", "end"]),
        (USE, ["add white", "up f", "down f", "swap fl f", "skip"]),
    ],
    ids=["improve", "swap", "use"],
)
def test_no_phase_is_left_out_or_done_again(
    refusal: Refusal, position: str, texts: list[str]
) -> None:
    for text in texts:
        assert refusal(position, text) == "ew.turn.phases", text


def test_there_is_one_improvement_and_one_swap_in_a_turn(after: After, cited: Cited) -> None:
    assert after(IMPROVE, "up f").split(" ")[3] == "swap"
    assert cited(IMPROVE, "up f")["ew.improve.one"]["improvements"] == 1
    assert cited(IMPROVE, "skip")["ew.improve.one"]["improvements"] == 0
    assert after(SWAP, "swap fl f").split(" ")[3] == "use"
    assert cited(SWAP, "swap fl f")["ew.swap.one"]["swaps"] == 1
    assert cited(SWAP, "skip")["ew.swap.one"]["swaps"] == 0


def test_only_the_player_in_turn_acts(refusal: Refusal, choices: Choices) -> None:
    assert refusal(IMPROVE, "skip", by="black") == "ew.turn.order"
    assert refusal(IMPROVE, "dice 1", by="black") == "ew.turn.order"
    assert refusal(IMPROVE, "skip", by="spectator") == "ew.turn.order"
    assert choices(IMPROVE) == ["add white", "add black", "up f", "down f", "skip"]


def test_a_turn_ends_when_its_player_says_so_with_dice_left_or_without(
    after: After, choices: Choices, cited: Cited
) -> None:
    assert choices(USE) == ["use f", "end"]
    moved = after(USE, "use f")
    assert choices(moved) == ["end"]
    assert cited(USE, "end")["ew.turn.end"] == {"dice_not_used": 1, "next": "black"}
    assert cited(moved, "end")["ew.turn.end"] == {"dice_not_used": 0, "next": "black"}


def test_at_the_start_of_a_turn_all_own_dice_go_back_to_their_moons(
    after: After, cited: Cited
) -> None:
    ending = "ew1 6 w use c3,d6 .,W1u,./.,.,./.,B1u,. W2u,W1ux,./B1u,.,./.,W3,. - *"
    begun = "ew1 6 b improve c3,d6 .,W1u,./.,.,./.,B1u,. W2,W1x,./B1,.,./.,W3,. - *"
    assert after(ending, "end") == begun
    assert cited(ending, "end")["ew.refresh.all"] == {"seat": "black", "dice": 3}


def test_a_die_is_used_once_in_a_turn(after: After, refusal: Refusal) -> None:
    two = f"ew1 6 w use c3,f6 .,W1,./.,.,./.,B3,. {EMPTY} - *"
    assert refusal(after(two, "use f"), "use f") == "ew.refresh.once"
    assert refusal(after(two, "use b"), "use b") == "ew.refresh.once"
    assert after(two, "use f", "use b") == (f"ew1 6 w use c4,f6 .,W1u,./.,.,./.,B1u,. {EMPTY} - *")


def test_an_answer_needs_a_question(refusal: Refusal) -> None:
    for position in (IMPROVE, SWAP, USE):
        for text in ("dice 1", "dice 1 2", "place f", "place c", "shell", "no-shell", "dice 9"):
            assert refusal(position, text) == "ew.prompt.none", text


@pytest.mark.parametrize(
    ("phase", "answers"),
    [
        ("init", ["dice 1 2"]),
        ("roll:white", ["dice 1"]),
        ("place:W2", ["place b"]),
        ("hit:f", ["dice 1 2"]),
        ("shell:d4", ["shell", "no-shell"]),
    ],
)
def test_a_question_is_answered_before_anything_else(
    after: After, refusal: Refusal, phase: str, answers: list[str]
) -> None:
    asked = f"ew1 6a w {phase} c3,d6 .,W1,./.,.,./.,.,. .,.x,./.,.,./.,.,. - *"
    for text in ("skip", "end", "add white", "up f", "down l", "swap fl f", "use c"):
        assert refusal(asked, text) == "ew.prompt.other", text
    for verb, text in (("dice", "dice 1"), ("place", "place b"), ("shell", "shell")):
        if not any(answer.startswith(verb) for answer in answers):
            assert refusal(asked, text) == "ew.prompt.other", text
    for answer in answers:
        assert after(asked, answer)
