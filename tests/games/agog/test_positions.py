"""Positions as text: there and back, and what is no position."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.score import after
from domain.games.agog.state import Options, State
from domain.kernel.notation_error import NotationError

START = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *"

POSITIONS = (
    START,
    "7j/8/8/8/8/8/8/J7 b 20 20 - *",
    "C7/8/2J5/8/4j3/c7/8/7g b 0 0 - *",
    "8/8/8/2J5/8/8/8/8 - 5 0 - 1-0:capture",
    "7G/8/8/8/8/8/8/J7 - 0 0 - 1-0:capture",
    "7J/8/8/4j3/8/8/8/8 - 0 0 - 1-0:sanctum",
    "Jgg5/8/8/3j4/8/8/8/8 - 0 0 - 0-1:immobile",
    "7j/8/8/8/8/8/8/J7 - 0 0 - 0-1:resign",
)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_reads_back_as_it_was_written(position: str) -> None:
    assert GAME.write_position(GAME.read_position(position, Options())) == position


def test_the_flag_says_what_the_option_says() -> None:
    fresh = START.replace("- *", "fresh *")
    state = GAME.read_position(fresh, Options(fresh_supply=True))
    assert state == GAME.start(Options(fresh_supply=True))
    assert GAME.write_position(state) == fresh
    for position, options in ((fresh, Options()), (START, Options(fresh_supply=True))):
        with pytest.raises(NotationError, match="option fresh_supply"):
            GAME.read_position(position, options)


NO_POSITIONS = {
    "": "six fields",
    "7j/8/8/8/8/8/8/J7 w 0 0 -": "six fields",
    "7j/8/8/8/8/8/8/J7 w 0 0 - * ": "six fields",
    "7j/8/8/8/8/8/8/J7  w 0 0 - *": "six fields",
    "7j/8/8/8/8/8/J7 w 0 0 - *": "8 rows",
    "7j/8/8/8/8/8/8/J6 w 0 0 - *": "row 1",
    "7j/8/8/8/8/8/8/J8 w 0 0 - *": "row 1",
    "7j//8/8/8/8/8/J7 w 0 0 - *": "row 7",
    "7j/9/8/8/8/8/8/J7 w 0 0 - *": "row 7",
    "7j/44/8/8/8/8/8/J7 w 0 0 - *": "two gaps",
    "7j/8/3k4/8/8/8/8/J7 w 0 0 - *": "row 6",
    "7j/8/8/8/8/8/8/J7 W 0 0 - *": "turn",
    "7j/8/8/8/8/8/8/J7 - 0 0 - *": "turn",
    "7j/8/8/8/8/8/8/J7 w 0 0 - 1-0:resign": "turn",
    "7j/8/8/8/8/8/8/J7 w 01 0 - *": "White's supply",
    "7j/8/8/8/8/8/8/J7 w 0 21 - *": "Black's supply",
    "7j/8/8/8/8/8/8/J7 w 0 -1 - *": "Black's supply",
    "7j/8/8/8/8/8/8/J7 w 0 0 old *": "flag",
    "7j/8/8/8/8/8/8/J7 - 0 0 - 1-0": "result",
    "7j/8/8/8/8/8/8/J7 - 0 0 - 1-0:draw": "result",
    "8/8/8/8/8/8/8/J7 w 0 0 - *": "Black has 0 journeymen",
    "7j/8/8/8/8/8/8/JJ6 w 0 0 - *": "White has 2 journeymen",
    "7j/8/8/8/8/8/8/J7 - 0 0 - 1-0:capture": "Black has 1 journeymen",
    "8/8/8/8/8/8/8/J7 - 0 0 - 1-0:resign": "Black has 0 journeymen",
    "7j/8/8/8/8/8/8/JG6 w 20 0 - *": "more than 20",
    "7j/8/8/8/8/8/8/Jc6 w 20 0 - *": "more than 20",
    "7G/8/8/4j3/8/8/8/J7 w 0 0 - *": "enemy sanctum",
    "7j/8/8/8/8/8/8/g1J5 w 0 0 - *": "enemy sanctum",
    "7G/8/8/4j3/8/8/8/J7 - 0 0 - 1-0:sanctum": "not on h8",
    "7G/8/8/4j3/8/8/8/J7 - 0 0 - 1-0:resign": "enemy sanctum",
    "7J/8/8/4j3/8/8/8/8 - 0 0 - 0-1:resign": "enemy sanctum",
    "Jgg5/8/8/3j4/8/8/8/8 w 0 0 - *": "no turn",
    "J1g5/8/8/3j4/8/8/8/8 - 0 0 - 0-1:immobile": "has a turn",
}


@pytest.mark.parametrize("text", NO_POSITIONS)
def test_what_is_no_position_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(NotationError, match=NO_POSITIONS[text]):
        GAME.read_position(text, Options())


def fault_of(text: str, fresh: bool) -> NotationError | None:
    """What is wrong with a text; if nothing is, it is also what would be written."""
    try:
        state = GAME.read_position(text, Options(fresh_supply=fresh))
    except NotationError as fault:
        return fault
    assert GAME.write_position(state) == text
    return None


def check_reading(text: str, fresh: bool) -> None:
    fault = fault_of(text, fresh)
    if fault is not None:
        assert fault.why
        assert fault.at is None or 0 <= fault.at <= len(text)


@given(
    st.one_of(
        st.text(),
        st.from_regex(
            r"([GHCJghcj1-8]{1,8}/){7}[GHCJghcj1-8]{1,8} [wb-] [0-9]{1,2} [0-9]{1,2} "
            r"(-|fresh) (\*|(1-0|0-1):(capture|sanctum|immobile|resign))",
            fullmatch=True,
        ),
    ),
    st.booleans(),
)
def test_reading_a_position_fails_only_as_promised(text: str, fresh: bool) -> None:
    check_reading(text, fresh)


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_reading_a_position_with_a_few_wrong_letters_fails_only_as_promised(
    scattered: Callable[[Random], State], random: Random
) -> None:
    letters = list(GAME.write_position(scattered(random)))
    for _ in range(random.randint(1, 3)):
        letters[random.randrange(len(letters))] = random.choice("GgHhCcJj18/ wb-0*:\n")
    check_reading("".join(letters), fresh=False)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=True))
def test_every_position_of_a_match_reads_back(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    state, actions = wandered(random)
    for action in [None, *actions]:
        state = state if action is None else after(state, action)
        options = Options(fresh_supply=state.fresh_supply)
        assert GAME.read_position(GAME.write_position(state), options) == state
