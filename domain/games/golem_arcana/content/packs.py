"""The shelf of content packs. The one place where packs are loaded; a match names its by digest."""

from importlib.resources import files
from typing import Final

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
PACKS: Final[dict[str, Pack]] = {pack.digest: pack for pack in SHIPPED}
"""Every pack that matches may use, by digest."""


def shelve(pack: Pack) -> None:
    """Put a pack on the shelf, so that matches may use it. Doing it again changes nothing."""
    PACKS.setdefault(pack.digest, pack)
