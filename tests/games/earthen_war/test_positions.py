"""Positions as text: there and back, and what is no position."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.state import Options, State
from domain.kernel.notation_error import NotationError

EMPTY = ".,.,./.,.,./.,.,."
LINE = ".x,.x,.x/.,.,./.,.,."
FULL = "W1,B1,W1/B1,.,W1/B1,W1,B1"

POSITIONS = (
    "ew1 6 w init c0,d7 .,W1,./.,.,./.,.,. .,W1,./.,.,./.,.,. - *",
    "ew1 6 b init:6 c0,d7 .,W1,./.,.,./.,.,. .,W1,./.,.,./.,.,. - *",
    f"ew1 6 w roll:white c3,d7 {EMPTY} {EMPTY} - *",
    f"ew1 6 b place:B3 c3,d7 {EMPTY} {EMPTY} - *",
    "ew1 6 b hit:fl c3,d7 .x,.,./.,.x,./.,.,. .,W3ux,./.,.,./B1u,.,. - *",
    f"ew1 6a w shell:a6 c3,d7 {EMPTY} {EMPTY} a1=3,a2=1,f5=2 *",
    f"ew1 6 - - c3,d4 {EMPTY} {LINE} - white",
    f"ew1 6 - - c3,d4 {LINE} {EMPTY} - black",
    f"ew1 6a - - c3,d4 {LINE} {LINE} - draw",
)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_reads_back_as_it_was_written(
    state_of: Callable[[str], State], position: str
) -> None:
    assert GAME.write_position(state_of(position)) == position


@pytest.mark.parametrize("board", ["5", "6o", "6ao", "8"])
def test_the_board_says_what_the_options_say(board: str) -> None:
    with pytest.raises(NotationError, match=r"these options is 6a, not"):
        GAME.read_position(f"ew1 {board} w use c3,d4 {EMPTY} {EMPTY} - *", Options(artillery=True))


NO_POSITIONS = {
    "": "nine fields",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} -": "nine fields",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} - * ": "nine fields",
    f"ew2 6a w use c3,d4 {EMPTY} {EMPTY} - *": "begins with ew1",
    f"ew1 6a W use c3,d4 {EMPTY} {EMPTY} - *": "the turn is",
    f"ew1 6a - use c3,d4 {EMPTY} {EMPTY} - *": "do not go with",
    f"ew1 6a w - c3,d4 {EMPTY} {EMPTY} - *": "do not go with",
    f"ew1 6a w use c3,d4 {EMPTY} {LINE} - white": "do not go with",
    f"ew1 6a - - c3,d4 {EMPTY} {LINE} - *": "do not go with",
    f"ew1 6a - - c3,d4 {EMPTY} {LINE} - 1-0": "the result is",
    f"ew1 6a w sleep c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w use: c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a b init c0,d7 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w init:4 c0,d7 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a b init:7 c0,d7 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w roll:grey c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w place:W4 c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w place:W1u c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w place:W1x c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w place:. c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w hit:c c3,d4 {EMPTY} .,.,./.,.x,./.,.,. - *": "the phase is",
    f"ew1 6a w hit:up c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w shell:c0 c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w shell:g1 c3,d4 {EMPTY} {EMPTY} - *": "the phase is",
    f"ew1 6a w use c3 {EMPTY} {EMPTY} - *": "two squares",
    f"ew1 6a w use c3,d4,e5 {EMPTY} {EMPTY} - *": "two squares",
    f"ew1 6a w use g3,d4 {EMPTY} {EMPTY} - *": "White's golem stands on",
    f"ew1 6a w use d7,d4 {EMPTY} {EMPTY} - *": "White's golem stands on",
    f"ew1 6a w use c3,c0 {EMPTY} {EMPTY} - *": "Black's golem stands on",
    f"ew1 6a w use c3,c3 {EMPTY} {EMPTY} - *": "both golems stand on c3",
    f"ew1 6a w use c3,d4 .,.,./.,.,. {EMPTY} - *": "three rows of three",
    f"ew1 6a w use c3,d4 {EMPTY} .,./.,.,./.,.,. - *": "three rows of three",
    f"ew1 6a w use c3,d4 .,W4,./.,.,./.,.,. {EMPTY} - *": "f of White's grid",
    f"ew1 6a w use c3,d4 {EMPTY} .,.,./.,.,./.,.,w1 - *": "br of Black's grid",
    f"ew1 6a w use c3,d4 .,W1xu,./.,.,./.,.,. {EMPTY} - *": "f of White's grid",
    f"ew1 6a w use c3,d4 .,.,./.,W1,./.,.,. {EMPTY} - *": "the centre of White's grid",
    f"ew1 6a w use c3,d4 {FULL} {FULL.replace('W', 'B')} - *": "12 black dice",
    f"ew1 6a w place:W1 c3,d4 {FULL} {FULL} - *": "White's grid is full",
    f"ew1 6a w roll:white c3,d4 {FULL} {EMPTY} - *": "White's grid is full",
    f"ew1 6a w hit:f c3,d4 .,.x,./.,.,./.,.,. {EMPTY} - *": "not damaged on f",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} a1=0 *": "shells are squares in order",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} a1=4 *": "shells are squares in order",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} a2=1,a1=1 *": "shells are squares in order",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} a1=1,a1=2 *": "shells are squares in order",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} a1=1, *": "shells are squares in order",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} c0=1 *": "no square of the battlefield",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} g1=1 *": "no square of the battlefield",
    f"ew1 6a w use c3,d4 {EMPTY} {EMPTY} c3=1 *": "a golem stands on c3",
    f"ew1 6a w shell:c3 c3,d4 {EMPTY} {EMPTY} - *": "c3 is not empty",
    f"ew1 6a w shell:a1 c3,d4 {EMPTY} {EMPTY} a1=2 *": "a1 is not empty",
    f"ew1 6a w shell:a1 c3,d4 {FULL.replace('W', 'B')} .,B1,./.,.,B1/.,.,. - *": (
        "no black die is in the supply"
    ),
    f"ew1 6a w use c3,d4 {EMPTY} {LINE} - *": "the result must be white",
    f"ew1 6a w use c3,d4 {LINE} {EMPTY} - *": "the result must be black",
    f"ew1 6a w use c3,d4 {LINE} {LINE} - *": "the result must be draw",
    f"ew1 6a - - c3,d4 {EMPTY} {LINE} - black": "the result must be white",
    f"ew1 6a - - c3,d4 {EMPTY} {EMPTY} - white": r"the result must be \*",
}


@pytest.mark.parametrize("text", NO_POSITIONS)
def test_what_is_no_position_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(NotationError, match=NO_POSITIONS[text]):
        GAME.read_position(text, Options(artillery=True))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"ew1 6 w use c3,d4 {EMPTY} {EMPTY} a1=2 *", "no shells without artillery"),
        (f"ew1 6 w shell:a1 c3,d4 {EMPTY} {EMPTY} - *", "no shell is placed without artillery"),
        (f"ew1 6 - - c3,d4 {LINE} {LINE} - draw", "no line on one grid"),
    ],
)
def test_without_artillery_there_are_neither_shells_nor_draws(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        GAME.read_position(text, Options())


def fault_of(text: str, options: Options) -> NotationError | None:
    """What is wrong with a text; if nothing is, it is also what would be written."""
    try:
        state = GAME.read_position(text, options)
    except NotationError as fault:
        return fault
    assert GAME.write_position(state) == text
    return None


def check_reading(text: str, options: Options) -> None:
    fault = fault_of(text, options)
    if fault is not None:
        assert fault.why
        assert fault.at is None or 0 <= fault.at <= len(text)


_GRID = r"((\.|[WB][1-3]u?)x?[,/]){8}(\.|[WB][1-3]u?)x?"


@given(
    st.one_of(
        st.text(),
        st.from_regex(
            r"ew1 6a [wb-] (init(:[2-6])?|improve|swap|use|-|(roll|place|hit|shell):[a-zW1-9]{1,5})"
            rf" [a-f][0-7],[a-f][0-7] {_GRID} {_GRID} (-|[a-f][0-7]=[1-3]) (\*|white|black|draw)",
            fullmatch=True,
        ),
    )
)
def test_reading_a_position_fails_only_as_promised(text: str) -> None:
    check_reading(text, Options(artillery=True))


@settings(deadline=None)
@given(st.randoms(use_true_random=True))
def test_reading_a_position_with_a_few_wrong_letters_fails_only_as_promised(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    letters = list(GAME.write_position(state))
    for _ in range(random.randint(1, 3)):
        letters[random.randrange(len(letters))] = random.choice("abcfghlrWBux.,/:=-* 0123456789\n")
    check_reading("".join(letters), state.options)
