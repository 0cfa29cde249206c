"""Actions and positions as text: there and back, and what is neither."""

from collections.abc import Callable
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.state import Options, State
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Refused
from tests.hypothesis_settings import example_settings

FORMS = (
    "a2-a3", "d4xe5", "d4*d7", "d4-d5*e6", "a5 off", "d1 brew e3", "d1-f1 brew e3",
    "d1 brew e3 then f1", "c1 return b5", "e1 vanquish", "e1-e2 vanquish", "e1 promote b10 K",
    "e1 recall b10 e2", "a10 revive I b10", "d1 trade d2 a7 M e2", "d1 trade S S M e2",
    "d1 wind a6", "d1 explode d4", "d1 slay", "pass", "draw offer", "draw accept", "draw decline",
    "resign south", "resign north", "ready south", "first north", "place e5", "revive e4",
    "decline", "raise M e7", "skip", "a99-h99",
)  # fmt: skip


@pytest.mark.parametrize("text", FORMS)
def test_each_action_has_one_spelling(text: str) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused), action
    assert GAME.write_action(action) == text


def test_every_kind_of_action_has_a_form() -> None:
    assert {type(GAME.read_action(text)) for text in FORMS} == set(get_args(Action))


@pytest.mark.parametrize(
    "text",
    [
        "", "d2d3", "A2-A3", "a2-a0", "a2-a03", "a2-a100", "a2-i3", "a2:a3", "a2-a", "-e1", "0-0",
        "a2-a3 ", " a2-a3", "a2-a3\n", "a2-a3\t", "a²-a3", "a2-a3-a4", "a2-a3*", "b1xd1*c2",
        "d1-e2 revive S e1", "d1-e1 brew f1 then g1", "e1xe2 vanquish", "d1 promote a10 k",
        "d1 promote a10 V", "d1 trade a1 S M e2", "first", "resign", "resign West", "draw maybe",
        "raise e7 M", "place", "a2  off", "x" * 1000, "e1-e2" * 1000,
    ],
)  # fmt: skip
def test_what_is_no_form_of_an_action_is_refused(text: str) -> None:
    refused = GAME.read_action(text)
    assert isinstance(refused, Refused)
    assert refused.rule == "ta.notation.form"
    assert len(refused.why) < 400


@settings(deadline=None)
@given(st.text())
def test_reading_an_action_never_fails(text: str) -> None:
    action = GAME.read_action(text)
    assert isinstance(action, Refused) or GAME.write_action(action) == text


@example_settings(100, deadline=None)
@given(st.sampled_from(FORMS), st.integers(0, 30), st.sampled_from(" -x*abh129IKQsn\n²"))
def test_nor_does_reading_an_action_with_a_letter_changed(text: str, at: int, letter: str) -> None:
    changed = text[:at] + letter + text[at + 1 :]
    action = GAME.read_action(changed)
    assert isinstance(action, Refused) or GAME.write_action(action) == changed


# --- positions -----------------------------------------------------------------------------------

POSITIONS = (
    "mztnxtzm/ssssssss/8/8/8/8/8/8/IIIIIIII/WKPDBAKW - - south order -",
    "7n/8/8/8/3m**4/2z1s3/2IBt3/8/8/8 IIKWPQADSZMTX iikwpqadszmtx north order! -",
    "7n/3X!***4/8/8/8/8/8/8/3x!4/7B - - south draw -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:zsm*** -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south revive:Ppp -",
    "7n/8/8/8/8/8/4z3/8/8/7B - stt north revive:P+raise:e4:captain -",
    "7n/8/8/8/8/8/4z*3/8/8/7B - stt north raise:e4:captain -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - north endrevive:pp -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - - toss -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south brief:n -",
    "8/8/8/8/8/8/8/8/8/8 B n - end:south:resign -",
    "7n/8/8/8/8/8/8/8/8/8 B - south end:north:general -",
    "8/8/8/8/8/8/8/8/8/8 B n south end:draw:generals -",
)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_reads_back_as_it_was_written(position: str) -> None:
    assert GAME.write_position(GAME.read_position(position, Options())) == position


NO_POSITIONS = {
    "": "six fields",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south order": "six fields",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south order - ": "six fields",
    "7n/8/8/8/8/3B4/8/8/8/8  - - south order -": "six fields",
    "7n/8/8/8/8/3B4/8/8/8 - - south order -": "10 rows",
    "7n/8/8/8/8/3B4/8/8/8/7 - - south order -": "row 1",
    "7n/8/8/8/8/3B4/8/8/8/8I - - south order -": "row 1",
    "7n/8/8/8/8/3B4/8/8//8 - - south order -": "row 2",
    "7n/8/8/8/8/3B4/8/8/44/8 - - south order -": "two gaps",
    "7n/8/8/8/8/3B4/8/8/9/8 - - south order -": "row 2",
    "7n/8/8/8/8/3B4/8/8/3V4/8 - - south order -": "not a model",
    "7n/8/8/8/8/3B4/8/8/3I****4/8 - - south order -": "row 2",
    "7n/8/8/8/8/3B4/8/8/3I!4/8 - - south order -": "only a Dark Priest",
    "7n/8/8/8/8/3B4/8/8/3X*!4/8 - - south order -": "row 2",
    "7n/8/8/8/8/3B4/8/8/8/8 i - south order -": "South's graveyard",
    "7n/8/8/8/8/3B4/8/8/8/8 - I south order -": "North's graveyard",
    "7n/8/8/8/8/3B4/8/8/8/8 KI - south order -": "in the order",
    "7n/8/8/8/8/3B4/8/8/8/8 I* - south order -": "without marks",
    "7n/8/8/8/8/3B4/8/8/8/8 - - South order -": "the turn is",
    "7n/8/8/8/8/3B4/8/8/8/8 - - - order -": "the turn is south or north",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south toss -": "the turn is -",
    "7n/8/8/8/8/3B4/8/8/8/8 - - north brief:sn -": "the turn is south",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south brief:ns -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south revive: -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south revive:P* -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south endrevive:P+raise:d5:captain -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south revive:P+raise:d5:general -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south end:draw:general -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south end:south:quiet -": "not a phase",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south raise:d5:captain -": "no Zombie",
    "7n/8/8/8/8/3BZ3/8/8/8/8 - - south raise:e5:captain -": "cannot raise",
    "7n/8/8/8/8/3BZ3/8/8/8/8 T - south raise:e15:captain -": "no Zombie",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish: -": "in the air",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:z-s -": "in the air",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:Z -": "cannot be in the air",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south vanquish:t -": "cannot be in the air",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south revive:pP -": "asked first",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south endrevive:p -": "of the seat on turn",
    "7n/8/8/8/8/8/8/8/8/8 - - south order -": "South has 0 generals",
    "7n/8/8/8/8/3BN3/8/8/8/8 - - south order -": "South has 2 generals",
    "7n/8/8/8/8/3B4/8/8/8/8 - - south order 0": "write -",
}


@pytest.mark.parametrize("text", NO_POSITIONS)
def test_what_is_no_position_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(NotationError, match=NO_POSITIONS[text]):
        GAME.read_position(text, Options())


def test_the_rows_and_the_quiet_count_are_those_of_the_options() -> None:
    small = "7n/8/8/8/8/8/8/7B - - south order 7"
    options = Options(rows=8, quiet_limit=20)
    assert GAME.write_position(GAME.read_position(small, options)) == small
    for wrong in ("-", "07", "x", "-1", "9999999999"):
        with pytest.raises(NotationError, match="quiet_limit is 20"):
            GAME.read_position(small.replace("7B", "B7").rpartition(" ")[0] + f" {wrong}", options)
    with pytest.raises(NotationError, match="10 rows"):
        GAME.read_position(small, Options(quiet_limit=20))


def fault_of(text: str, options: Options) -> NotationError | None:
    """What is wrong with a text; if nothing is, it is also what would be written."""
    try:
        state = GAME.read_position(text, options)
    except NotationError as fault:
        return fault
    assert GAME.write_position(state) == text
    for prompt in GAME.turn(state):
        for action in GAME.legal(state, prompt.seat):
            assert GAME.parts(state, action).sentence
    assert GAME.scene(state, "spectator").caption
    return None


def check_reading(text: str, options: Options) -> None:
    """A text is refused kindly, or shows a position that can be looked at and played."""
    fault = fault_of(text, options)
    if fault is not None:
        assert fault.why
        assert fault.at is None or 0 <= fault.at <= len(text)


_MODELS = "[IKWPQADBSZMTXNikwpqadbszmtxn]!?[*]{0,3}"


@settings(deadline=None)
@given(
    st.one_of(
        st.text(),
        st.from_regex(
            rf"(([1-8]|{_MODELS}){{1,8}}/){{9}}({_MODELS}){{8}}"
            r" (-|[IKZMT]{1,3}) (-|[ikzmt]{1,3})"
            r" (south|north|-) (order|draw|toss|(end)?revive:P|raise:a1:soldier|vanquish:z) -",
            fullmatch=True,
        ),
    )
)
def test_reading_a_position_fails_only_as_promised(text: str) -> None:
    check_reading(text, Options())


@example_settings(100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_so_it_does_with_a_few_letters_wrong(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    letters = list(GAME.write_position(state))
    for _ in range(random.randint(1, 3)):
        letters[random.randrange(len(letters))] = random.choice("IKPQBSZXNnxz*!18/ -:sr0\n")
    check_reading("".join(letters), state.options)
