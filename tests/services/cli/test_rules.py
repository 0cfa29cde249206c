"""`emeth games`, `rules` and `perft`: no service needed."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

from domain.registry import GAMES

Emeth = Callable[..., Result]


def test_games_lists_every_game_of_the_registry(emeth: Emeth) -> None:
    shown = emeth("games").output
    for game in GAMES.values():
        assert game.slug in shown
        assert game.name in shown


def test_games_as_json(emeth: Emeth) -> None:
    assert {game["slug"] for game in json.loads(emeth("games", "--json").output)} == {*GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_rules_shows_each_option_and_each_rule_of_a_game(emeth: Emeth, game: str) -> None:
    shown = emeth("rules", game).output
    for name in GAMES[game].options.__struct_encode_fields__:
        assert name in shown
    for rule in GAMES[game].rules.values():
        assert f"{rule.id} " in shown


def test_rules_finds_those_with_a_text(emeth: Emeth) -> None:
    lines = emeth("rules", "agog", "--find", "no_draw").output.splitlines()
    assert [line.split()[0] for line in lines] == ["RULE", "agog.end.no_draw"]


def test_perft_counts_each_depth(emeth: Emeth) -> None:
    assert emeth("perft", "agog", 3).output == "1 12\n2 144\n3 1848\n"


def test_perft_counts_from_a_position_and_divides(emeth: Emeth) -> None:
    position = "8/8/8/2gJ1G2/8/hh3H2/8/5j2 w 4 0 - *"
    shown = emeth("perft", "agog", 2, "--position", position, "--divide").output
    assert shown == "1 2\n2 10\nd5xb5: 5\nd5+b5: 5\n"


def test_perft_takes_options_and_gives_json(emeth: Emeth) -> None:
    shown = json.loads(emeth("perft", "agog", 1, "--option", "handicap=20", "--json").output)
    assert shown == {
        "game": "agog",
        "position": "7j/8/G7/GG6/GGG5/GGGG4/GGGGG3/JGGGGG2 w 0 0 - *",
        "perft": {"1": 12},
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("perft", "chess", 1), "there is no game 'chess'; the games are agog"),
        (("perft", "agog", 0), "0 is not in the range x>=1"),
        (("perft", "agog", 1, "--position", "8/8 w"), "a position has six fields"),
        (("perft", "agog", 1, "--option", "handicap=21"), "Expected `int` <= 20"),
        (("perft", "agog", 1, "--option", "dice=2"), "unknown field `dice`"),
        (("perft", "agog", 1, "--option", "handicap"), "'handicap' is not NAME=VALUE"),
        (("rules", "agog2"), "there is no game"),
    ],
)
def test_a_command_that_makes_no_sense_says_why(
    emeth: Emeth, words: tuple[object, ...], why: str
) -> None:
    result = emeth(*words)
    assert result.exit_code == 2
    assert why in result.output
