"""`emeth demo` and the games that are recorded for it."""

from collections.abc import Callable

import pytest
from click.testing import Result

from domain.kernel.any_game import fold, read_options
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted, Refused
from domain.registry import GAMES
from services.cli.recorded_games import read_recorded, recorded_games

Emeth = Callable[..., Result]


def test_two_clients_play_a_whole_game_while_a_third_draws_it(emeth: Emeth) -> None:
    result = emeth("demo")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert "Rava (white), Tobin (black) play A.G.O.G., each from a process of its own." in lines
    assert lines.count("  a b c d e f g h") >= 5
    assert "black won (capture), 0-1" in lines
    sheet = lines[lines.index("1. de3 h2") :]
    assert sheet[-2:] == ["34. exg2xg4xg6xe6xe8xg8xg6 Hxa7xa2xg2xg7", "0-1"]


def test_every_game_has_a_recorded_one() -> None:
    assert {*recorded_games()} >= {*GAMES}


@pytest.mark.parametrize("slug", [slug for slug in recorded_games() if slug != "agog"])
def test_other_games_are_played_whole_too(emeth: Emeth, slug: str) -> None:
    result = emeth("demo", slug)
    assert result.exit_code == 0, result.output
    assert " won (" in result.output


@pytest.mark.parametrize("slug", recorded_games())
def test_a_recorded_game_is_legal_and_whole(slug: str) -> None:
    game: AnyGame = GAMES[slug]
    recorded = read_recorded(slug)
    options = read_options(game, recorded.options)
    assert {*recorded.players} >= {seat for seat, _ in recorded.actions}
    state = game.start(options)
    for seat, notation in recorded.actions:
        action = game.read_action(notation)
        assert not isinstance(action, Refused), notation
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted), (game.write_position(state), notation, outcome)
        state = fold(game, state, outcome.facts)
    assert game.result(state) is not None


def test_the_game_of_agog_has_what_the_game_is_about() -> None:
    actions = [action for _, action in read_recorded("agog").actions]
    assert sum(action.count("x") + action.count("+") >= 2 for action in actions) >= 3
    assert any("+" in action for action in actions)
    assert any("=" in action and not action.endswith("=out") for action in actions)
