"""What refusals say: an action that they name can be taken as it is named."""

from domain.games.agog import GAME
from domain.games.agog.state import Options
from domain.kernel.rulings import Accepted, Refused


def test_a_capture_that_ends_on_the_enemy_sanctum_is_named_with_where_the_unit_goes() -> None:
    position = "4g1g1/3g1ggj/1G1G1ggg/6gg/1G1G2g1/G1GG4/G1GGG3/JGGG1G2 w 5 9 - *"
    state = GAME.read_position(position, Options())
    refused = GAME.decide(state, "white", GAME.read_action("d1-e1"))
    assert isinstance(refused, Refused)
    assert "as by d6xd8xf8xh8=b6:" in refused.why
    named = GAME.read_action("d6xd8xf8xh8=b6")
    assert isinstance(GAME.decide(state, "white", named), Accepted)
