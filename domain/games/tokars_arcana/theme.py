"""How Tokar's Arcana is drawn: a marble board, and a token for each unit.

Humans stand on shields and the undead on hexagons, larger with their rank; the picture tells the
unit.
"""

from typing import Final

from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.icons import PATHS
from domain.games.tokars_arcana.state import Race, Rank, Unit
from domain.kernel.table_theme import read_theme
from domain.kernel.theme import Ground, Icon, Shape, Theme, Token

ICONS_OF: Final[dict[Unit, str]] = {
    "I": "warrior", "K": "knight", "W": "wind-mage", "P": "priest", "Q": "priest-alone",
    "A": "alchemist", "D": "duelist", "B": "battle-mage",
    "S": "skeleton", "Z": "zombie", "M": "mummy", "T": "tomb-keeper", "X": "dark-priest",
    "N": "necromancer",
}  # fmt: skip
"""The icon of each unit."""

_SHAPES: Final[dict[Race, Shape]] = {"human": "shield", "undead": "hexagon"}
_SIZES: Final[dict[Rank, float]] = {
    "soldier": 0.85, "sergeant": 0.9, "lieutenant": 0.9, "captain": 0.95, "chief": 1.0,
    "general": 1.1,
}  # fmt: skip

_TOKENS: Final[dict[str, Token]] = {
    ICONS_OF[unit]: Token(_SHAPES[card.race], icon=ICONS_OF[unit], size=_SIZES[card.rank])
    for unit, card in CARDS.items()
}
_FLAME: Final = "#b3360a"

TABLE_THEME: Final = read_theme("domain.games.tokars_arcana")
"""The look of the page's table, from `theme.toml`."""

THEME: Final = Theme(
    grounds={
        "light": Ground("#efeae0", "#4a4a55"),
        "dark": Ground("#cfc7b8", "#34343e"),
    },
    tokens={**_TOKENS, "arcana-card": Token("card")},
    icons={
        **{name: Icon(PATHS[name]) for name in ICONS_OF.values()},
        "firebrew": Icon(PATHS["firebrew"], _FLAME, "*"),
    },
    seats={"south": "#1d4e89", "north": "#8a1c2b"},
)
