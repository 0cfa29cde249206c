"""How Golem Arcana is drawn: grounds for each kind of terrain, tokens that grow with the size of a
Golem, icons for what is paid, counted and done.

No ground is told by its colour alone: each has a pattern or an icon of its own.
"""

from typing import Final

from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.display.names import terrain_name
from domain.games.golem_arcana.icons import PATHS
from domain.kernel.theme import Ground, Icon, Theme, Token

_SAND: Final = ("#efe6cf", "#3a3630")
_GRASS: Final = ("#d5deb0", "#343d29")
_WOOD: Final = ("#b3cc95", "#2b3c2a")
_HIGH: Final = ("#dfbf92", "#4a3b2a")
_STONE: Final = ("#a9a29a", "#55504a")
_SHOAL: Final = ("#c3e2ef", "#24414f")
_DEEP: Final = ("#7fb4d8", "#173450")
_HOLE: Final = ("#8f7b6e", "#221c18")
_BOG: Final = ("#b7bf8c", "#363a20")

GROUNDS: Final[dict[Terrain, Ground]] = {
    Terrain("plain"): Ground(*_SAND),
    Terrain("plain", "ground"): Ground(*_GRASS, "grass"),
    Terrain("plain", "medium"): Ground(*_WOOD, "trees"),
    Terrain("elevated"): Ground(*_HIGH, "peaks", "hill"),
    Terrain("elevated", "ground"): Ground(*_HIGH, "grass", "hill"),
    Terrain("elevated", "medium"): Ground(*_HIGH, "trees", "hill"),
    Terrain("blocking"): Ground(*_STONE, "bricks"),
    Terrain("shallow"): Ground(*_SHOAL, "waves"),
    Terrain("deep"): Ground(*_DEEP, "waves", "anchor"),
    Terrain("pit"): Ground(*_HOLE, "hatch", "hole"),
    Terrain("swamp"): Ground(*_BOG, "dots", "reed"),
    **{Terrain("plain", obstructions=n): Ground(*_SAND, "sand", "rock") for n in (1, 2, 3)},
}
"""Every kind of Region that a board can have."""

_LETTERS: Final = {
    "ap": "AP", "mana": "Mana", "hp": "HP", "vp": "VP", "mp": "MP", "zone": "zone ",
    "pinned": "pinned", "uncovered": "no cover", "disarmed": "disarmed",
}  # fmt: skip
_FILLS: Final = {
    "ap": "#c77700", "mana": "#1c7ed6", "hp": "#d0312d", "vp": "#a67c00", "pip": "#b3541e",
    "place": "#a67c00", "well": "#1c7ed6", "blessing": "#2f8f46", "curse": "#8a4fbf",
    "miracle": "#a67c00", "dot": "#d0312d",
}  # fmt: skip
_INK: Final = "#1d1b16"

THEME: Final = Theme(
    grounds={terrain_name(terrain): ground for terrain, ground in GROUNDS.items()},
    tokens={
        "warsprite": Token("disc", icon="warsprite", size=0.82),
        "ogre": Token("hexagon", icon="ogre", size=0.92),
        "titan": Token("shield", icon="titan", size=1.05),
        "colossus": Token("square", icon="colossus", size=1.2),
        "construct": Token("diamond", icon="construct", size=0.85),
        "mana well": Token("marker", "#d7ebfb", "#0b4f8a", "well"),
        "blessing": Token("marker", "#dcf3e0", "#1c6b31", "blessing"),
        "curse": Token("marker", "#ecdff7", "#5d2a8c", "curse"),
        "miracle": Token("card", "#f8edc7", _INK, "miracle"),
        "ability": Token("card", "#ece6d8", _INK, "power"),
        "relic": Token("card", "#f3e3c3", _INK, "relic"),
        "status effect": Token("card", "#f4d9d3", _INK, "dot"),
        "place": Token("card", "#f6e8bb", _INK, "place"),
        "quest": Token("card", "#e2e8f3", _INK, "quest"),
        "encounter": Token("card", "#e8e0ee", _INK, "encounter"),
        "scenario": Token("card", "#e9e4d6", _INK, "scenario"),
    },
    icons={
        name: Icon(path, _FILLS.get(name, ""), _LETTERS.get(name, ""))
        for name, path in PATHS.items()
    },
    seats={"south": "#a4472a", "north": "#2a5fa5", "east": "#2f7341", "west": "#744694"},
    backs="#3d4a63",
)
