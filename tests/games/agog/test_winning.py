"""WINNING: four ways, and no draws."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.score import after as state_after
from domain.games.agog.state import Options, State
from domain.kernel.game import Result
from domain.kernel.rulings import Refused

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Turns = Callable[[str], str]

START = GAME.write_position(GAME.start(Options()))


def result(position: str) -> Result | None:
    return GAME.result(GAME.read_position(position, Options()))


def test_to_capture_the_enemy_journeyman_wins(after: After, cited: Cited) -> None:
    facing = "8/8/8/8/2j5/2G5/8/J7 w 0 0 - *"
    won = "8/8/8/2G5/8/8/8/J7 - 0 0 - 1-0:capture"
    assert after(facing, "c3xc5") == won
    assert cited(facing, "c3xc5")["agog.end.capture"] == {"winner": "white"}
    assert result(won) == Result(("white",), "capture", "1-0")
    assert result(facing) is None


def test_a_sequence_over_the_journeyman_is_still_played_to_its_end(
    after: After, refusal: Refusal
) -> None:
    amid = "8/8/8/3g4/2j5/2G5/8/J7 w 0 0 - *"
    assert after(amid, "c3xc5xe5") == "8/8/8/4G3/8/8/8/J7 - 0 1 - 1-0:capture"
    assert refusal(amid, "c3xc5") == "agog.capture.continue"


def test_a_journeyman_that_ends_its_turn_on_the_enemy_sanctum_wins(
    after: After, cited: Cited
) -> None:
    nearly = "8/3J4/8/8/8/g7/8/1j6 b 0 0 - *"
    won = "8/3J4/8/8/8/g7/8/j7 - 0 0 - 0-1:sanctum"
    assert after(nearly, "b1-a1") == won
    assert cited(nearly, "b1-a1")["agog.end.sanctum"] == {"winner": "black"}
    assert result(won) == Result(("black",), "sanctum", "0-1")


def test_a_journeyman_that_must_jump_on_from_the_sanctum_has_not_won(
    after: After, refusal: Refusal
) -> None:
    through = "6g1/7g/3j3J/8/8/8/8/8 w 0 0 - *"
    assert after(through, "h6xh8xf8") == "5J2/8/3j4/8/8/8/8/8 b 0 2 - *"
    assert refusal(through, "h6xh8") == "agog.capture.continue"


def test_an_opponent_without_a_turn_has_lost(after: After, cited: Cited, turns: Turns) -> None:
    locked = "Jgg5/8/8/4j3/8/8/8/8 b 0 0 - *"
    lost = "Jgg5/8/8/3j4/8/8/8/8 - 0 0 - 0-1:immobile"
    assert after(locked, "e5-d5") == lost
    assert cited(locked, "e5-d5")["agog.end.immobile"] == {"winner": "black"}
    # A golem that opens the way, or lets itself be jumped, leaves White a turn.
    assert after(locked, "b8-b7") == "J1g5/1g6/8/4j3/8/8/8/8 w 0 0 - *"
    assert after(locked, "c8-c7") == "Jg6/2g5/8/4j3/8/8/8/8 w 0 0 - *"
    assert turns("Jg6/2g5/8/4j3/8/8/8/8 w 0 0 - *") == "a8xc8xc6"


def test_a_capture_can_immobilise_too(after: After) -> None:
    # White's golem on c6 was the last unit that could move.
    last = "Jgg5/2g5/2G5/8/4j3/8/8/8 b 0 0 - *"
    assert after(last, "c7xc5") == "Jgg5/8/8/2g5/4j3/8/8/8 - 1 0 - 0-1:immobile"


def test_a_player_may_resign_on_either_players_turn(
    after: After, cited: Cited, refusal: Refusal
) -> None:
    board = START.removesuffix(" w 0 0 - *")
    assert after(START, "resign white") == f"{board} - 0 0 - 0-1:resign"
    assert after(START, "resign black") == f"{board} - 0 0 - 1-0:resign"
    assert cited(START, "resign white") == {"agog.end.resign": {"winner": "black"}}
    assert cited(START, "resign black")["agog.resign.any_time"] == {"to_move": "white"}
    assert refusal(START, "resign black", by="white") == "agog.resign.own"
    assert refusal(START, "resign white", by="black") == "agog.resign.own"
    assert GAME.resign is not None
    assert GAME.write_action(GAME.resign("black")) == "resign black"


def test_after_the_end_nothing_can_be_done(refusal: Refusal) -> None:
    over = "8/8/8/2G5/8/8/8/J7 - 0 0 - 1-0:capture"
    assert refusal(over, "c5-c6", by="white") == "agog.end.over"
    assert refusal(over, "resign white", by="black") == "agog.end.over"
    state = GAME.read_position(over, Options())
    assert GAME.turn(state) == ()
    assert [*GAME.legal(state, "white"), *GAME.legal(state, "black")] == []


def test_there_is_no_draw(refusal: Refusal) -> None:
    assert refusal(START, "draw") == "agog.action.syntax"
    assert GAME.score is not None
    answer = GAME.score.read(GAME.start(Options()), "1/2-1/2")
    assert isinstance(answer, Refused)
    assert answer.rule == "agog.end.no_draw"


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=True))
def test_every_game_ends(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    # Units, and units that are not corrupted hulks, only ever grow fewer; a turn that leaves both
    # as they are goes forward. So nothing recurs, and fewer than 2,800 turns make a game.
    state, actions = wandered(random)
    assert len(actions) < 2800
    seen = {state.board + str(state.turn)}
    for action in actions:
        before, state = state, state_after(state, action)
        assert units(state) <= units(before)
        assert units(state, "C") <= units(before, "C")
        assert state.board + str(state.turn) not in seen
        seen.add(state.board + str(state.turn))
    assert GAME.result(state) is not None


def units(state: State, but: str = "") -> int:
    return sum(unit.isalpha() and unit.upper() != but for unit in state.board)
