"""The packs that come with the game, and how options and states name any pack."""

from importlib.resources import files
from typing import Any, Final

from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import read_pack


def _packaged(cards: str, boards: str) -> Pack:
    here = files(__package__)
    return read_pack(
        (here / f"{cards}.content.toml").read_bytes(), (here / f"{boards}.boards.toml").read_bytes()
    )


CORE: Final[Pack] = _packaged("eretsu-core", "eretsu-core")
"""The pack that comes with the game, and is played with unless another is named."""
BANNERS: Final[Pack] = _packaged("eretsu-core", "eretsu-banners")
"""Boards for four seats, with the same cards."""

SHIPPED: Final = (CORE, BANNERS)
"""The packs that are part of the game."""

BY_DIGEST: Final[dict[str, Any]] = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "default": CORE.digest,
}
"""What JSON Schema says of an option that is a pack: it is written as its digest."""
