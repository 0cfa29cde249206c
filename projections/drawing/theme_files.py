"""A game's theme as files for graphical frontends: an SVG sprite and colors as JSON.

File names contain a hash of the content, so that browsers may cache them forever.
"""

from functools import cache
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from domain.kernel.theme import Icon, Theme
from domain.registry import GAMES
from projections.drawing.markup import escape_xml

HASH_LENGTH: Final = 16


class ThemeFiles(Struct, frozen=True):
    """The files of one game's theme."""

    game: str
    hash: str
    """The first hexadecimal digits of the SHA-256 of both files."""
    sprite: bytes
    """SVG with a `<symbol>` for each icon, whose id is the icon's name."""
    colors: bytes
    """JSON: `grounds` by kind of space, `tokens` by kind of piece, `seats`, `backs` of cards."""

    @property
    def sprite_url(self) -> str:
        """The path of the sprite on the HTTP port."""
        return f"/themes/{self.game}-{self.hash}.svg"

    @property
    def colors_url(self) -> str:
        """The path of the colors on the HTTP port."""
        return f"/themes/{self.game}-{self.hash}.json"


@cache
def theme_files(game: str) -> ThemeFiles:
    """Return the files of the theme of a game of the registry, by its slug."""
    theme = GAMES[game].theme
    sprite, colors = _sprite(theme), _colors(theme)
    return ThemeFiles(game, sha256(sprite + colors).hexdigest()[:HASH_LENGTH], sprite, colors)


def _sprite(theme: Theme) -> bytes:
    symbols = "".join(_symbol(name, icon) for name, icon in sorted(theme.icons.items()))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>\n'.encode()


def _symbol(name: str, icon: Icon) -> str:
    # An icon without a fill has the color of the surrounding text.
    fill = icon.fill or "currentColor"
    path = f'<path fill="{escape_xml(fill)}" d="{escape_xml(icon.path)}"/>'
    return f'<symbol id="{escape_xml(name)}" viewBox="0 0 24 24">{path}</symbol>'


def _colors(theme: Theme) -> bytes:
    built = msgspec.to_builtins(theme)
    built["symbols"] = {
        name: {key: value for key, value in icon.items() if key != "path"}
        for name, icon in built.pop("icons", {}).items()
    }
    return msgspec.json.encode(built, order="sorted") + b"\n"
