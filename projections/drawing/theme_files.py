"""A game's theme as files for graphical frontends: JSON, and an SVG sprite that the JSON names.

File names are hashes of the content, so that browsers may cache the files forever. A theme has the
faces of a match's content, so matches with different content packs have different themes.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS, Library, Pack
from domain.kernel.theme import Icon, Theme
from domain.registry import GAMES
from projections.drawing.markup import escape_xml

HASH_LENGTH: Final = 16
MAX_CACHED_THEMES: Final = 256


class ThemeFiles(Struct, frozen=True):
    """The files of one theme."""

    hash: str
    """The first hexadecimal digits of the SHA-256 of `content` without the hash."""
    content: bytes
    """JSON: the fields of `TableTheme` without their defaults, `hash`, the URL of the `sprite`
    relative to this file, and `faces`."""
    sprite_hash: str
    sprite: bytes
    """SVG with a `<symbol>` for each drawing."""

    @property
    def url(self) -> str:
        """The path of the JSON file on the HTTP port."""
        return f"/themes/{self.hash}.json"

    @property
    def sprite_url(self) -> str:
        """The path of the sprite on the HTTP port."""
        return f"/themes/{_sprite_name(self.sprite_hash)}"


def theme_files(game: str, options: Struct | None = None) -> ThemeFiles:
    """Return the files of the theme of a match.

    Args:
        game: The slug of a game of the registry.
        options: The options of the match; None for the default options.
    """
    return _theme_files(game, _pack_in(GAMES[game].options() if options is None else options))


def find_theme_file(name: str, library: Library = BUILT_IN_PACKS) -> bytes | None:
    """Return the file below `/themes/` with this name, or None.

    The themes of all games are searched, with each content pack of the library.
    """
    stem, _, suffix = name.rpartition(".")
    if len(stem) != HASH_LENGTH or suffix not in ("json", "svg"):
        return None
    for slug, game in GAMES.items():
        for pack in library.packs_of(game.packs) if game.packs else (None,):
            found = _theme_files(slug, pack)
            if suffix == "json" and found.hash == stem:
                return found.content
            if suffix == "svg" and found.sprite_hash == stem:
                return found.sprite
    return None


def _pack_in(options: Struct) -> Pack | None:
    """Return the content pack among options; None in a game without packs."""
    values = (getattr(options, name) for name in options.__struct_fields__)
    return next((value for value in values if isinstance(value, Pack)), None)


@lru_cache(maxsize=MAX_CACHED_THEMES)
def _theme_files(slug: str, pack: Pack | None) -> ThemeFiles:
    game = GAMES[slug]
    sprite = (game.table_theme.sprite or _icon_sprite(game.theme)).encode()
    sprite_hash = _hash(sprite)
    content = _appearance(game)
    if faces := game.faces(pack):
        content["faces"] = msgspec.to_builtins(faces)
    content["sprite"] = _sprite_name(sprite_hash)
    found = _hash(_encode(content))
    return ThemeFiles(found, _encode({"hash": found, **content}), sprite_hash, sprite)


def _appearance(game: AnyGame) -> dict[str, Any]:
    table = msgspec.to_builtins(game.table_theme)
    if table.pop("sprite", ""):
        return dict(table)
    built: dict[str, Any] = msgspec.to_builtins(game.theme)
    built["symbols"] = {
        name: {key: value for key, value in icon.items() if key != "path"}
        for name, icon in built.pop("icons", {}).items()
    }
    return built


def _icon_sprite(theme: Theme) -> str:
    """Return the sprite of a game that has no drawings but icons."""
    symbols = "".join(_symbol(name, icon) for name, icon in sorted(theme.icons.items()))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>\n'


def _symbol(name: str, icon: Icon) -> str:
    # An icon without a fill has the color of the surrounding text.
    fill = icon.fill or "currentColor"
    path = f'<path fill="{escape_xml(fill)}" d="{escape_xml(icon.path)}"/>'
    return f'<symbol id="{escape_xml(name)}" viewBox="0 0 24 24">{path}</symbol>'


def _sprite_name(sprite_hash: str) -> str:
    return f"{sprite_hash}.svg"


def _encode(content: dict[str, Any]) -> bytes:
    return msgspec.json.encode(content, order="sorted") + b"\n"


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:HASH_LENGTH]
