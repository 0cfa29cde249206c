"""`emeth play` without an action: the board, a prompt, and bots."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Emeth = Callable[..., Result]


@pytest.fixture
def match(emeth_online: Emeth) -> str:
    made = json.loads(emeth_online("new", "agog", "--json").output)
    return str(made["match"]["match_id"])


def test_one_terminal_plays_both_seats(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("play", typed="a6-b6\nhg3\nresign\n")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "1 A match of A.G.O.G. begins."
    assert [line[:18] for line in lines if ", your turn" in line] == [
        "white, your turn (",
        "black, your turn (",
        "white, your turn (",
    ]
    assert lines[-1] == "black won (resign), 0-1"
    assert emeth_online("export", "--format", "score").output == "1. ab6 hg3\n0-1\n"


def test_a_mistake_is_explained_and_asked_again(emeth_online: Emeth, match: str) -> None:
    shown = emeth_online("play", typed="a6-a5\nb6\n\nx\x07\nquit\n").output
    assert "refused: " in shown
    assert "[agog.move.forward: " in shown
    assert "[agog.notation.origin: " in shown
    assert "has a control character" in shown
    assert shown.count("white, your turn") == 5


def test_help_actions_and_preview_take_no_turn(emeth_online: Emeth, match: str) -> None:
    shown = emeth_online("play", typed="?\nactions\npreview ab6\n").output
    assert "preview ACTION" in shown
    assert "a6-a7         Move the golem from a6 to a7" in shown
    assert "agog.move.step" in shown
    assert emeth_online("history").output.count("\n") == 1


def test_a_bot_answers_for_the_other_seat(emeth_online: Emeth, match: str) -> None:
    shown = emeth_online("play", "--against", "beginner", typed="a6-b6\nquit\n").output
    lines = shown.splitlines()
    assert any(line.startswith("3 black ") for line in lines)
    assert shown.count("white, your turn") == 2


def test_a_bot_may_begin(emeth_online: Emeth, match: str) -> None:
    shown = emeth_online("play", "--against", "beginner", "--as", "black", typed="resign\n").output
    assert "2 white " in shown
    assert shown.splitlines()[-1] == "white won (resign), 1-0"


def test_only_ones_own_seat_is_asked(emeth_online: Emeth, match: str) -> None:
    emeth_online("join", "white", "--name", "Ann")
    emeth_online("play", "a6-b6")
    emeth_online("play", "h3-g3", "--as", "black")
    shown = emeth_online("play", typed="quit\n").output
    assert shown.count("white, your turn") == 1


def test_a_match_that_is_over_is_only_shown(emeth_online: Emeth, match: str) -> None:
    emeth_online("resign")
    assert emeth_online("play").output.splitlines()[-1] == "black won (resign), 0-1"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("play", "--json"), "--json and --at need an ACTION"),
        (("play", "--token", "x"), "--token needs --as"),
        (("play", "--as", "north"), "no token is remembered here for north"),
        (("play", "-m", "ffff"), "no remembered match has an ID that begins with 'ffff'"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error(
    emeth_online: Emeth, match: str, words: tuple[str, ...], why: str
) -> None:
    result = emeth_online(*words)
    assert result.exit_code == 2
    assert why in result.output


def test_without_a_match_there_is_a_hint(emeth: Emeth) -> None:
    result = emeth("play")
    assert result.exit_code == 2
    assert "start one with `emeth new GAME`" in result.output


def test_a_bot_lets_the_player_undo(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("play", "--against", "beginner", typed="a6-b6\nundo\nf1-g1\nquit\n")
    assert result.exit_code == 0, result.output
    assert "black must agree" in result.output
    assert "The match goes on from version 1." in result.output
    assert emeth_online("export", "--format", "score").output.startswith("1. g1 ")


def test_one_terminal_asks_and_answers(emeth_online: Emeth, match: str) -> None:
    typed = "a6-b6\nundo\nyes\nhg3\nundo 2\nno\nundo x\nundo 2\nyes\nquit\n"
    shown = emeth_online("play", typed=typed).output
    assert "black has taken no action that could be undone" in shown
    assert "no such proposal is pending" in shown
    assert "White asks Black to go on from version 2" in shown
    assert "no undo request is pending" not in shown


def test_no_seat_is_prompted_for_dice_that_the_service_rolls(emeth_online: Emeth) -> None:
    emeth_online("new", "earthen-war", "--chance", "rolled")
    shown = emeth_online("play", typed="actions\nquit\n").output
    assert shown.count("your ") == 2
    assert "your dice" not in shown
    assert "your initiative" not in shown
