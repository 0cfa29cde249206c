"""The shelf of content packs. The one place where packs are loaded; a match names its by digest."""

from importlib.resources import files
from typing import Final

from domain.games.golem_arcana.pack import Pack, read_pack


def _packaged(name: str) -> Pack:
    here = files(__package__)
    return read_pack(
        (here / f"{name}.content.toml").read_bytes(), (here / f"{name}.boards.toml").read_bytes()
    )


CORE: Final[Pack] = _packaged("eretsu-core")
"""The pack that comes with the game."""

PACKS: Final[dict[str, Pack]] = {CORE.digest: CORE}
"""Every pack that matches may use, by digest."""


def shelve(pack: Pack) -> None:
    """Put a pack on the shelf, so that matches may use it. Doing it again changes nothing."""
    PACKS.setdefault(pack.digest, pack)
