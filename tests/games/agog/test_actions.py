"""Actions as text: one spelling each, and the order in which the rules refuse."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action, Capture, Jump, Move, Resign
from domain.kernel.rulings import Refused

Refusal = Callable[..., str]

SPELLINGS: dict[str, Action] = {
    "a6-b6": Move("a6", "b6"),
    "c3xc5xe5": Capture("c3", (Jump("c5"), Jump("e5"))),
    "a1xa3+c3": Capture("a1", (Jump("a3"), Jump("c3", corrupt=True))),
    "g8-h8=c3": Move("g8", "h8", "c3"),
    "h6xh8=out": Capture("h6", (Jump("h8"),), "out"),
    "resign white": Resign("white"),
    "resign black": Resign("black"),
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_an_action_has_one_spelling(text: str) -> None:
    assert GAME.read_action(text) == SPELLINGS[text]
    assert GAME.write_action(SPELLINGS[text]) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "a6", "a6b6", "a6-", "-b6", "a6-b6 ", " a6-b6", "a6 - b6", "A6-b6", "a6-b6-b7",
        "a6-a9", "a0-a1", "i1-i2", "a6–b6", "a6×c6", "a6Xc6", "a6-b6=", "a6-b6=H", "a6-b6=OUT",
        "a6-b6=out=out", "a6-b6xd6", "a6xc6-d6", "a6*c6", "a6-b6\n", "a٦-b٦", "resign",
        "resign White", "resign north", "resign  white", "resign white ", "0-1", "draw", "pass",
        "ab6", "Jxa3",
    ],
)  # fmt: skip
def test_no_other_spelling_is_read(text: str) -> None:
    answer = GAME.read_action(text)
    assert isinstance(answer, Refused)
    assert answer.rule == "agog.action.syntax"


_SQUARES = st.from_regex("[a-h][1-8]", fullmatch=True)


@given(st.one_of(st.text(), st.from_regex("[a-i0-9x+=out -]{0,14}", fullmatch=True)))
def test_reading_an_action_never_fails(text: str) -> None:
    answer = GAME.read_action(text)
    if isinstance(answer, Refused):
        assert answer.rule == "agog.action.syntax"
    else:
        assert GAME.write_action(answer) == text


# Each line breaks the rule beside it, and with it as many later ones as it can.
OPEN = "7j/8/8/2gg4/1gGG4/H1G1g3/8/J7 w 0 0 - *"
ORDER = (
    ("white", "c4-z9", "agog.action.syntax"),
    ("black", "resign white", "agog.resign.own"),
    ("black", "b4-c5=out", "agog.turn.order"),
    ("white", "b4-c6=out", "agog.unit.own"),
    ("white", "c4-d6=out", "agog.move.straight"),
    ("white", "d4-a4=out", "agog.move.forward"),
    ("white", "c4-c6=out", "agog.move.step"),
    ("white", "c4-d4=out", "agog.move.clear"),
    ("white", "a3-a4=out", "agog.capture.mandatory"),
    ("white", "d4+f6=out", "agog.capture.straight"),
    ("white", "c4+e4=out", "agog.capture.own"),
    ("white", "d4+g4=out", "agog.capture.adjacent"),
    ("white", "d4+d3=out", "agog.capture.adjacent"),
    ("white", "a3+c3=out", "agog.capture.landing"),
    ("white", "a3+f3=out", "agog.capture.own"),
    ("white", "a3+a5=out", "agog.capture.nothing"),
    ("white", "c4+c6=out", "agog.corrupt.journeyman"),
    ("white", "d4xd6+d4=out", "agog.capture.once"),
    ("white", "c4xa4=out", "agog.promote.only"),
)


@pytest.mark.parametrize(("by", "text", "rule"), ORDER)
def test_a_refusal_names_the_first_rule_that_is_broken(
    refusal: Refusal, by: str, text: str, rule: str
) -> None:
    assert refusal(OPEN, text, by=by) == rule


def test_too_few_jumps_are_refused_before_a_wrong_suffix(refusal: Refusal) -> None:
    choice = "8/8/8/3g4/2g5/2G2j2/5G2/J7 w 0 0 - *"
    assert refusal(choice, "f2xf4=out") == "agog.capture.maximal"
    assert refusal(choice, "c3xc5=out") == "agog.capture.continue"
    assert refusal(choice, "c3xc5xe5=out") == "agog.promote.only"


def test_after_the_end_that_is_the_first_rule_but_for_the_spelling(refusal: Refusal) -> None:
    over = "8/8/8/2G5/8/8/8/J7 - 0 0 - 1-0:capture"
    assert refusal(over, "resign black", by="white") == "agog.end.over"
    assert refusal(over, "z9-z9", by="white") == "agog.action.syntax"


def test_a_journeymans_corruption_is_judged_jump_by_jump(refusal: Refusal) -> None:
    # The first jump cannot corrupt, the second is no jump: the first is judged first.
    steps = "7j/8/8/8/2g5/2J5/8/8 w 0 0 - *"
    assert refusal(steps, "c3+c5xe6") == "agog.corrupt.supply"
    assert refusal(steps, "c3xc5+e6") == "agog.capture.straight"


def test_what_is_wrong_is_said_in_a_players_words_with_what_would_be_right() -> None:
    state = GAME.read_position("7j/8/8/8/2g5/2G5/8/J7 w 0 0 - *", GAME.options())
    action = GAME.read_action("a1-a2")
    assert not isinstance(action, Refused)
    answer = GAME.decide(state, "white", action)
    assert isinstance(answer, Refused)
    assert "c3xc5" in answer.why
