"""What can be put into an army: every card with what it costs, narrowed by what is asked for."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from domain.games.golem_arcana.pack import Pack
from domain.games.golem_arcana.vocabulary import Size

Kind = Literal["golem", "knight", "relic", "ancient"]


class CatalogEntry(Struct, frozen=True):
    """A card of the content pack."""

    kind: Kind
    id: str
    name: str
    apv: int
    factions: tuple[str, ...]
    """Those that may field it."""
    size: Size | None
    """Of a Golem."""
    base_size: int | None
    """Of a Golem; of a Relic the least that its carrier must have."""
    source: str


def catalog(
    pack: Pack,
    *,
    faction: str | None = None,
    kind: Kind | None = None,
    size: Size | None = None,
    most_apv: int | None = None,
) -> tuple[CatalogEntry, ...]:
    """The cards of a pack, in its order, that answer every question that is asked."""
    return tuple(
        entry
        for entry in _every(pack)
        if (faction is None or faction in entry.factions)
        and (kind is None or entry.kind == kind)
        and (size is None or entry.size == size)
        and (most_apv is None or entry.apv <= most_apv)
    )


def _every(pack: Pack) -> Iterator[CatalogEntry]:
    for golem in pack.golems.values():
        serves = tuple(f.id for f in pack.factions.values() if golem.arcanum in f.arcana)
        base = pack.tables.base_size[golem.size]
        yield CatalogEntry(
            "golem", golem.id, golem.name, golem.apv, serves, golem.size, base, golem.source
        )
    for knight in pack.knights.values():
        yield CatalogEntry(
            "knight", knight.id, knight.name, knight.apv, knight.factions, None, None, knight.source
        )
    everyone = tuple(pack.factions)
    for relic in pack.relics.values():
        yield CatalogEntry(
            "relic", relic.id, relic.name, relic.apv, everyone, None, relic.size, relic.source
        )
    for ancient in pack.ancients.values():
        yield CatalogEntry(
            "ancient", ancient.id, ancient.name, ancient.apv, ancient.factions, None, None,
            ancient.source,
        )  # fmt: skip
