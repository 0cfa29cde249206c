"""How Golem Arcana is drawn: grounds for each kind of terrain, tokens that grow with the size of a
Golem, icons for what is paid, counted and done.

No ground is told by its colour alone: each has a pattern or an icon of its own.
"""

import re
from importlib.resources import files
from typing import Final

import msgspec.toml
from msgspec import Struct

from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.display.names import terrain_name
from domain.games.golem_arcana.icons import PATHS
from domain.kernel.table_theme import TableTheme, read_theme
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


# --- the theme of the page's table ---------------------------------------------------------------


class Art(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `art.toml`: names of icons."""

    figures: dict[str, str]
    """Figures of miniatures, by the id of a Golem or a Relic, by size, and for a Construct."""
    cards: dict[str, str]
    """Pictures of other cards, by the id of what they show, or by its kind."""
    symbols: dict[str, str]
    """Symbols of texts and counters, by their keys in the theme."""


_PACKAGE: Final = __name__.rpartition(".")[0]
_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)</symbol>\n?', re.DOTALL)
_FINE: Final = re.compile(r"(\.\d)\d+")
"""The digits of a number after the first decimal, too fine to be seen."""
_CREDIT: Final = "<!-- Icons of game-icons.net, under CC BY 3.0. -->"
_OUTLINE: Final = (
    'style="color:var(--ink,#fff6e6)" stroke="#1a1208" stroke-width="30" '
    'stroke-linejoin="round" paint-order="stroke"'
)

ART: Final = msgspec.toml.decode(files(_PACKAGE).joinpath("art.toml").read_bytes(), type=Art)


def _table_theme() -> TableTheme:
    """Return the theme with a drawing of each miniature and each symbol of texts.

    A page cannot follow a reference from one drawing to another, so each is drawn whole.
    """
    theme = read_theme(_PACKAGE)
    read = {
        name: (box, _FINE.sub(r"\1", body)) for name, box, body in _SYMBOL.findall(theme.sprite)
    }
    _, base = read.pop("base-disc")
    drawn = {name: read[icon] for name, icon in ART.symbols.items()}
    for name, icon in ART.figures.items():
        box, body = read[icon]
        figure = f'<svg x="17" y="3" width="66" height="76" viewBox="{box}" overflow="visible">'
        drawn[name] = "0 0 100 100", f"{base}{figure}<g {_OUTLINE}>{body}</g></svg>"
    parts = {*ART.figures.values(), *ART.symbols.values()} - _named(theme)
    drawn |= {name: each for name, each in read.items() if name not in parts}
    symbols = (
        f'<symbol id="{n}" viewBox="{b}">{body}</symbol>\n' for n, (b, body) in drawn.items()
    )
    sprite = f'<svg xmlns="http://www.w3.org/2000/svg">\n{_CREDIT}\n{"".join(symbols)}</svg>\n'
    return msgspec.structs.replace(theme, sprite=sprite)


def _named(theme: TableTheme) -> set[str]:
    """Return the icons that are drawn alone."""
    tokens = {token.symbol for token in theme.tokens.values()}
    return {*ART.cards.values(), *tokens, *(verb.symbol for verb in theme.verbs.values())}


TABLE_THEME: Final = _table_theme()
