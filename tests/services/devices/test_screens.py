"""What the screen of a stylus shows."""

from domain.registry import GAMES
from domain.stylus.selection import Selection, StylusView
from domain.stylus.tap_machine import MAP
from services.devices.screens import screen


def ranks(*seats: str) -> list[str]:
    """The first and the last rank of the map, as who sits there sees them."""
    game = GAMES["agog"]
    moment = StylusView(game, game.start(game.options()), seats)
    lines = screen(moment, Selection(view=MAP)).splitlines()
    return [lines[0].split()[0], lines[7].split()[0]]


def test_the_map_is_seen_from_the_side_of_the_stylus() -> None:
    assert ranks("white") == ["8", "1"]
    assert ranks("black") == ["1", "8"]
    assert ranks("white", "black") == ["8", "1"]  # which is white's, who is asked
    assert ranks() == ["8", "1"]


def test_a_space_is_seen_from_near_from_the_same_side() -> None:
    game = GAMES["agog"]
    moment = StylusView(game, game.start(game.options()), ("black",))
    lines = screen(moment, Selection(view=f"{MAP} d4")).splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["3", "4", "5"]
