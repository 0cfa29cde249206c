"""Scenes to draw: a board with corners and a supply, and a table of cards without a board."""

import pytest

from domain.kernel.scene import Piece, Scene, Space, Track, Zone


@pytest.fixture
def board() -> Scene:
    """Three by two squares; White's golem and journeyman share b2, Black's hulk stands on c1."""
    return Scene(
        caption="White to move",
        spaces=tuple(
            Space(f"{file}{y + 1}", x, y, "dark" if (x + y) % 2 == 0 else "light")
            for y in range(2)
            for x, file in enumerate("abc")
        ),
        pieces=(
            Piece("w1", "golem", "G", "b2", "white", "White's golem"),
            Piece("w2", "journeyman", "J", "b2", "white", "White's journeyman"),
            Piece("b1", "hulk", "h", "c1", "black", "Black's hulk", {"stack": "two golems"}),
        ),
        tracks=(
            Track("white-supply", "White's supply", 3, "white", 20),
            Track("turn", "Turn", 7),
        ),
    )


@pytest.fixture
def cards() -> Scene:
    """Zones only: a hand with two equal cards, an empty deck."""
    return Scene(
        caption="North & South trade",
        zones=(Zone("hand", "North's hand", "north"), Zone("deck", "Deck")),
        pieces=(
            Piece("c1", "artifact", "P", "hand", "north", "Prism"),
            Piece("c2", "artifact", "V", "hand", "north", 'Vault <of "gold">', {"essence": "2"}),
            Piece("c3", "artifact", "P", "hand", "north", "Prism"),
        ),
    )
