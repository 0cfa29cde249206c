"""SCOREKEEPING: what players write on paper, and how it is read back."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.conformance.perft import children
from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.legal import first_steps
from domain.games.agog.score import record, writer
from domain.games.agog.score_reading import read, read_record
from domain.games.agog.state import Options, Seat, State
from domain.kernel.game import ScoreNotation
from domain.kernel.rulings import Refused
from tests.hypothesis_settings import example_settings

SCORE: ScoreNotation[State, Action] = ScoreNotation(writer, read, record)
assert GAME.score == SCORE

ISOLATED = "7j/8/G7/8/8/8/8/J7 w 0 0 - *"
TWO_COMERS = "7j/8/G7/1G6/8/8/8/J7 w 0 0 - *"
TWO_CORRUPTED = "7j/8/C7/1C6/8/8/8/J7 w 0 0 - *"
HULK_AND_CORRUPTED = "7j/8/H7/1C6/8/8/8/J7 w 0 0 - *"
CORRUPTION = "7j/8/8/8/8/1g6/g7/J7 w 1 0 - *"
PROMOTION = "C7/8/2J5/8/4j3/c7/8/7g b 0 0 - *"
CHAIN = "7j/8/8/3g4/2g5/2G5/8/J7 w 0 0 - *"
TWO_HULKS = "7j/8/8/8/1Hg5/3g4/3H4/J7 w 0 0 - *"

WRITTEN = (
    (ISOLATED, "a6-b6", "b6"),
    (TWO_COMERS, "a6-b6", "ab6"),
    (TWO_COMERS, "b5-b6", "5b6"),
    (TWO_CORRUPTED, "b5-b6", "C5b6"),
    (TWO_CORRUPTED, "a6-b6", "Cab6"),
    (TWO_CORRUPTED, "a6-a7", "Ca7"),
    (HULK_AND_CORRUPTED, "a6-b6", "Hb6"),
    (HULK_AND_CORRUPTED, "b5-b6", "Cb6"),
    (CORRUPTION, "a1xa3+c3", "Jxa3+c3"),
    (PROMOTION, "a3-a1=h1", "Ca1 h1=H"),
    (PROMOTION, "a3-a1=out", "Ca1"),
    (CHAIN, "c3xc5xe5", "3xc5xe5"),
    (TWO_HULKS, "b4xd4", "Hbxd4"),
    (TWO_HULKS, "d2xd4", "H2xd4"),
    (TWO_HULKS, "b4xe4", "Hxe4"),
    (ISOLATED, "resign white", "0-1"),
    (ISOLATED, "resign black", "1-0"),
)


def state_of(position: str) -> State:
    return GAME.read_position(position, Options())


def action_of(text: str) -> Action:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return action


@pytest.mark.parametrize(("position", "text", "score"), WRITTEN)
def test_players_write_and_read_a_turn(position: str, text: str, score: str) -> None:
    state, action = state_of(position), action_of(text)
    assert SCORE.write(state, action) == score
    assert SCORE.read(state, score) == action


FORGIVEN = (
    (ISOLATED, " b6 ", "a6-b6"),
    (ISOLATED, "ab6", "a6-b6"),  # not needed
    (ISOLATED, "6b6", "a6-b6"),
    (ISOLATED, "a6b6", "a6-b6"),
    (ISOLATED, "0—1", "resign white"),
    (ISOLATED, "1 – 0", "resign black"),
    (TWO_COMERS, "6b6", "a6-b6"),  # the other coordinate
    (TWO_COMERS, "bb6", "b5-b6"),
    (TWO_CORRUPTED, "C b5b6", "b5-b6"),
    (CHAIN, "3×c5×e5", "c3xc5xe5"),
    (CHAIN, "cxc5 xe5", "c3xc5xe5"),
    (PROMOTION, "Ca1  h1=h", "a3-a1=h1"),
    (PROMOTION, "Ca1 h1 = H", "a3-a1=h1"),
)


@pytest.mark.parametrize(("position", "score", "text"), FORGIVEN)
def test_a_reader_forgives_what_does_not_hide_the_meaning(
    position: str, score: str, text: str
) -> None:
    assert SCORE.read(state_of(position), score) == action_of(text)


UNREAD = (
    (TWO_COMERS, "b6", "agog.notation.origin"),
    (CHAIN, "xc5xe5", "agog.notation.origin"),
    (TWO_HULKS, "Hxd4", "agog.notation.origin"),
    (TWO_HULKS, "Hcxd4", "agog.notation.origin"),
    (ISOLATED, "Hb6", "agog.notation.label"),
    (ISOLATED, "a2", "agog.notation.label"),
    (ISOLATED, "Kb6", "agog.notation.label"),
    (ISOLATED, "xb6", "agog.notation.capture"),
    (CHAIN, "c3xc5x", "agog.notation.capture"),
    (CHAIN, "d3", "agog.capture.mandatory"),
    (CHAIN, "3xc5", "agog.capture.continue"),
    (CORRUPTION, "J+a3+c3", "agog.corrupt.supply"),
    (PROMOTION, "Ca1 h1=Q", "agog.notation.promotion"),
    (PROMOTION, "Ca1 e4=H", "agog.promote.target"),
    (PROMOTION, "Ca2 h1=H", "agog.promote.only"),
    (ISOLATED, "a8", "agog.move.step"),
    (ISOLATED, "h1", "agog.unit.own"),
    (ISOLATED, "½-½", "agog.end.no_draw"),
    (ISOLATED, "well played", "agog.action.syntax"),
    (ISOLATED, "", "agog.action.syntax"),
)


@pytest.mark.parametrize(("position", "score", "rule"), UNREAD)
def test_a_reader_never_chooses_between_two_turns_nor_makes_one_up(
    position: str, score: str, rule: str
) -> None:
    answer = SCORE.read(state_of(position), score)
    assert isinstance(answer, Refused), GAME.write_action(answer)
    assert answer.rule == rule


ENDING = "8/8/8/2gJ1G2/8/hh3H2/8/5j2 w 4 0 - *"
ENDING_ACTIONS = "d5+b5 b3xg3 c5-c8 a3-a2 b5-b6 g3-b3 c8-h8=f5 b3xb7"
ENDING_RECORD = """\
1. J+b5 Hxg3
2. Cc8 Ha2
3. Jb6 Hb3
4. Ch8 f5=H Hxb7
0-1"""


def test_a_record_numbers_the_pairs_of_turns_and_ends_with_the_result() -> None:
    start = state_of(ENDING)
    actions = tuple(action_of(text) for text in ENDING_ACTIONS.split())
    assert SCORE.record(start, actions) == ENDING_RECORD
    assert read_record(start, ENDING_RECORD) == actions
    assert read_record(start, ENDING_RECORD.replace("0-1", "0—1").replace("\n", "  ")) == actions


def test_a_record_that_starts_with_black_leaves_whites_place_open() -> None:
    start = state_of("7j/8/8/8/8/8/8/J7 b 0 0 - *")
    actions = (action_of("h8-h7"), action_of("a1-b1"), action_of("h7-h6"))
    sheet = "1. ... Jh7\n2. Jb1 Jh6"
    assert SCORE.record(start, actions) == sheet
    assert read_record(start, sheet) == actions


def test_a_resignation_is_the_result_and_nothing_else() -> None:
    start = state_of(ISOLATED)
    actions = (action_of("a6-b6"), action_of("resign white"))
    assert SCORE.record(start, actions) == "1. b6\n0-1"
    assert read_record(start, "1. b6\n0-1") == actions
    assert SCORE.record(start, actions[1:]) == "0-1"
    assert read_record(start, "0-1") == actions[1:]
    assert SCORE.record(start, ()) == ""
    assert read_record(start, "") == ()


@pytest.mark.parametrize(
    "sheet",
    [
        "b6",
        "2. b6",
        "1. ... b6",
        "1.",
        "1. b6 Jh7 Jb1",
        "1. b6 2. Jh7",
        "1. b6\n0-1 0-1",
        "1. b6\n0-1\n2. Jb1",
    ],
)
def test_a_record_out_of_order_is_refused(sheet: str) -> None:
    answer = read_record(state_of(ISOLATED), sheet)
    assert isinstance(answer, Refused)
    assert answer.rule == "agog.notation.record"


@pytest.mark.parametrize("tail", ["", "\n1-0", "\n0-1 1-0", "\n5. Jb7\n0-1"])
def test_the_record_of_a_game_that_is_over_ends_with_its_own_result(tail: str) -> None:
    answer = read_record(state_of(ENDING), ENDING_RECORD.removesuffix("\n0-1") + tail)
    assert isinstance(answer, Refused)
    assert answer.rule == "agog.notation.record"


def test_a_turn_that_cannot_be_read_is_named_with_its_pair() -> None:
    answer = read_record(state_of(ISOLATED), "1. b6 Jh7\n2. b8")
    assert isinstance(answer, Refused)
    assert (answer.rule, answer.why.startswith("in pair 2:")) == ("agog.move.step", True)


def test_all_turns_are_written_at_the_cost_of_looking_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[str] = []

    def counted(board: str, seat: Seat) -> Iterator[tuple[int, int]]:
        looks.append(board)
        return first_steps(board, seat)

    monkeypatch.setattr("domain.games.agog.score.first_steps", counted)
    start = GAME.start(Options())
    for state, most in ((start, 0), (state_of(TWO_HULKS), 1)):
        looks.clear()
        write = SCORE.writer(state)
        written = {GAME.write_action(each): write(each) for each in GAME.legal(state, "white")}
        assert len(looks) == most
        if state is start:
            assert len(written) == 13
            assert written["a6-b6"] == "ab6"
            assert written["a6-a7"] == "a7"
            assert written["resign white"] == "0-1"


def exact_and_distinct(state: State) -> None:
    actions = [action for action, _ in children(GAME, state)]
    scores = {SCORE.write(state, action): action for action in actions}
    assert len(scores) == len(actions), GAME.write_position(state)
    for score, action in scores.items():
        assert SCORE.read(state, score) == action, GAME.write_position(state)


@example_settings(50, deadline=None)
@given(st.randoms(use_true_random=True))
def test_different_turns_have_different_texts_and_each_reads_back(
    scattered: Callable[[Random], State], random: Random
) -> None:
    exact_and_distinct(scattered(random))


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_record_of_any_match_reads_back(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    start, actions = wandered(random)
    assert read_record(start, SCORE.record(start, actions)) == tuple(actions)
    # And of its beginning, given up on either player's turn.
    resigned = [*actions[: random.randrange(len(actions))], action_of("resign white")]
    assert read_record(start, SCORE.record(start, resigned)) == tuple(resigned)


@example_settings(80, deadline=None)
@given(
    st.randoms(use_true_random=True),
    st.one_of(st.text(), st.from_regex(r"[HCJ]?[a-h]?[1-8]?([x+]?[a-h][1-8]){1,3}( h4=H)?")),
)
def test_reading_a_score_never_fails(
    scattered: Callable[[Random], State], random: Random, score: str
) -> None:
    state = scattered(random)
    answer = SCORE.read(state, score)
    if isinstance(answer, Refused):
        assert answer.rule in GAME.rules
    elif not GAME.is_administrative(answer):
        assert answer in [action for action, _ in children(GAME, state)]
    answers = read_record(state, score)
    assert not isinstance(answers, Refused) or answers.rule in GAME.rules
