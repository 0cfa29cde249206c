"""SETUP: the board, the units, who is first, and what a turn is."""

from collections.abc import Callable

import msgspec
import pytest

from domain.games.agog import GAME
from domain.games.agog.state import Options
from domain.kernel.game import Prompt

START = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *"


def test_a_journeyman_stands_on_each_sanctum_behind_twenty_golems_on_five_diagonal_rows() -> None:
    start = GAME.start(Options())
    assert GAME.write_position(start) == START
    cited = {rule: ruling.figures for ruling in GAME.opening(Options()) for rule in ruling.rules}
    assert cited == {
        "agog.setup.board": {
            "rows": 8,
            "columns": 8,
            "white_sanctum": "a1",
            "black_sanctum": "h8",
        },
        "agog.setup.units": {"white_golems": 20, "black_golems": 20},
        "agog.setup.first": {"first": "white"},
    }


def test_white_goes_first_and_black_waits(refusal: Callable[..., str]) -> None:
    assert GAME.seats(Options()) == ("white", "black")
    assert GAME.turn(GAME.start(Options())) == (Prompt("white", "turn"),)
    assert refusal(START, "h3-h2", by="black") == "agog.turn.order"


def test_a_turn_is_one_action_and_then_the_other_player_is_to_move(
    after: Callable[..., str], cited: Callable[..., dict[str, object]], refusal: Callable[..., str]
) -> None:
    moved = "2gggggj/3ggggg/1G2gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 b 0 0 - *"
    assert after(START, "a6-b6") == moved
    passed = {"to_move": "black"}
    rulings = cited(START, "a6-b6")
    assert (rulings["agog.turn.order"], rulings["agog.turn.one"]) == (passed, passed)
    assert refusal(moved, "b6-b7", by="white") == "agog.turn.order"
    assert refusal(moved, "h3-h2", by="spectator") == "agog.turn.order"


def test_a_player_acts_only_with_own_units(refusal: Callable[..., str]) -> None:
    assert refusal(START, "h3-h2") == "agog.unit.own"  # Black's golem
    assert refusal(START, "a7-a8") == "agog.unit.own"  # nobody stands there
    assert refusal(START, "a7xa5") == "agog.unit.own"


@pytest.mark.parametrize(
    "options",
    [
        {"handicap": 21},
        {"handicap": -1},
        {"handicap": "1"},
        {"handicap": True},
        {"handicap": 1.5},
        {"handicap_tie": "middle"},
        {"handicap_supply": 1},
        {"fresh_supply": "yes"},
        {"board": 10},
    ],
)
def test_no_other_options_can_be_chosen(options: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, GAME.options)
