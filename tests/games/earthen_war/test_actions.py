"""Actions as text: one spelling each, and the order in which the rules refuse."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.actions import (
    Action,
    Add,
    DeclineShell,
    Downgrade,
    EndTurn,
    EnterDice,
    Place,
    PlaceShell,
    Skip,
    Swap,
    Upgrade,
    Use,
)
from domain.games.earthen_war.state import State
from domain.kernel.rulings import Refused

Refusal = Callable[..., str]
EMPTY = ".,.,./.,.,./.,.,."

SPELLINGS: dict[str, Action] = {
    "dice 1 3": EnterDice((1, 3)),
    "dice 2": EnterDice((2,)),
    "dice 0": EnterDice((0,)),
    "dice 10 999": EnterDice((10, 999)),
    "add white": Add("white"),
    "add black": Add("black"),
    "place fr": Place("fr"),
    "place c": Place("c"),
    "up bl": Upgrade("bl"),
    "down b": Downgrade("b"),
    "skip": Skip(),
    "swap fl f": Swap("fl", "f"),
    "swap f b": Swap("f", "b"),
    "swap c r": Swap("c", "r"),
    "use l": Use("l"),
    "shell": PlaceShell(),
    "no-shell": DeclineShell(),
    "end": EndTurn(),
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_an_action_has_one_spelling(text: str) -> None:
    assert GAME.read_action(text) == SPELLINGS[text]
    assert GAME.write_action(SPELLINGS[text]) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "dice", "dice ", "dice 1 2 3", "dice 01", "dice 1  2", "dice 1 2 ", "dice -1",
        "dice 1000", "dice 1,2", "dice one", "dice ١", "dice 1\n", "Dice 1", "add", "add grey",
        "add White", "add white black", "place", "place up", "place f f", "up", "up 1", "down",
        "skip ", "skip f", "pass", "swap", "swap f", "swap f fl", "swap f f", "swap r f",
        "swap c l", "swap fl f fr", "use", "use f f", "use F", "use c4", "walk f", "shell c4",
        "no shell", "no-shell ", "end turn", "resign white", "resign", "draw",
    ],
)  # fmt: skip
def test_no_other_spelling_is_read(text: str) -> None:
    answer = GAME.read_action(text)
    assert isinstance(answer, Refused)
    assert answer.rule == "ew.action.syntax"


@given(st.one_of(st.text(), st.from_regex(r"[a-z]{2,5}( (0|[1-9])?[a-z0-9]{1,2}){0,3}")))
def test_reading_an_action_never_fails(text: str) -> None:
    answer = GAME.read_action(text)
    if isinstance(answer, Refused):
        assert answer.rule == "ew.action.syntax"
    else:
        assert GAME.write_action(answer) == text


ROLL = f"ew1 6 w roll:white c3,c4 .,W1,./.,.,./.,.,. {EMPTY} - *"
PLACE = f"ew1 6 w place:W2 c3,c4 .,W1,./.,.,./.,.,. {EMPTY} - *"
IMPROVE = f"ew1 6 w improve c3,c4 .,W3,./.,.,./.,.,. {EMPTY} - *"
SWAP = f"ew1 6 w swap c3,c4 .,W3,./.,.,./.,.,. {EMPTY} - *"
USE = "ew1 6 w use a1,a2 W3u,W1,./B2,.,./.,W1,. .,.,./.,.,./.,.,. - *"
OVER = "ew1 6 - - c3,c4 .,W1,./.,.,./.,.,. .x,.x,.x/.,.,./.,.,. - white"

# Each line breaks the rule at its end, and with it later ones.
ORDER = (
    (OVER, "white", "dice 4 4 4", "ew.action.syntax"),
    (OVER, "referee", "dice 9", "ew.end.over"),
    (ROLL, "black", "use c", "ew.turn.order"),
    (ROLL, "white", "use c", "ew.prompt.other"),
    (ROLL, "white", "place c", "ew.prompt.other"),
    (ROLL, "white", "dice 4", "ew.entry.range"),
    (PLACE, "white", "dice 4", "ew.prompt.other"),
    (PLACE, "white", "place c", "ew.grid.centre"),
    (PLACE, "white", "place f", "ew.grid.one"),
    (IMPROVE, "white", "place c", "ew.prompt.none"),
    (IMPROVE, "white", "use c", "ew.turn.phases"),
    (IMPROVE, "white", "up c", "ew.grid.centre"),
    (IMPROVE, "white", "up l", "ew.grid.no-die"),
    (IMPROVE, "white", "up f", "ew.improve.top"),
    (SWAP, "white", "up c", "ew.turn.phases"),
    (SWAP, "white", "swap f c", "ew.grid.centre"),
    (SWAP, "white", "swap l r", "ew.swap.adjacent"),
    (SWAP, "white", "swap l b", "ew.swap.empty"),
    (USE, "white", "use c", "ew.grid.centre"),
    (USE, "white", "use r", "ew.grid.no-die"),
    (USE, "white", "use fl", "ew.refresh.once"),
    (USE, "white", "use f", "ew.move.golem"),
    (USE, "white", "use b", "ew.move.board"),
    (USE, "white", "use l", "ew.attack.board"),
)


@pytest.mark.parametrize(("position", "by", "text", "rule"), ORDER)
def test_a_refusal_names_the_first_rule_that_is_broken(
    refusal: Refusal, position: str, by: str, text: str, rule: str
) -> None:
    assert refusal(position, text, by=by) == rule


def test_a_missing_die_is_reported_before_a_full_grid(refusal: Refusal) -> None:
    full = "ew1 6 w improve c3,c4 W1,W1,W1/W1,.,W1/W1,W1,W1 W1,W1,./.,.,./.,.,. - *"
    assert refusal(full, "add white") == "ew.improve.supply"
    assert refusal(full, "add black") == "ew.improve.full"


@pytest.mark.parametrize(
    ("position", "text", "words"),
    [
        (ROLL, "use f", "roll the new white die"),
        (PLACE, "place f", "place the new one on an empty square"),
        (IMPROVE, "end", "add white or black, up or down a die, or skip"),
        (SWAP, "swap f b", "front is swapped with front-left, front-right, left or right"),
        (USE, "use f", "Black's golem is on a2"),
        (USE, "use b", "exactly 1 square south"),
        (USE, "use l", "exactly 2 to the west of a1"),
        (IMPROVE, "dance", "write dice 1 3"),
    ],
)
def test_what_is_wrong_is_said_in_a_players_words_with_what_would_be_right(
    state_of: Callable[[str], State], position: str, text: str, words: str
) -> None:
    answer = GAME.read_action(text)
    if not isinstance(answer, Refused):
        outcome = GAME.decide(state_of(position), "white", answer)
        assert isinstance(outcome, Refused)
        answer = outcome
    assert words in answer.why
