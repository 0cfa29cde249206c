"""The content packs as the contract of a game has them: read, listed, shown."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.games.res_arcana.card_faces import Known, names_of
from domain.games.res_arcana.card_words import spoken
from domain.games.res_arcana.pack_checks import PackError
from domain.games.res_arcana.packs import BASE, Pack, read_pack
from domain.games.res_arcana.vocabulary import Card
from domain.kernel.armies import CatalogEntry
from domain.kernel.packs import PackInfo, PackType


def read(files: Sequence[bytes], checked: bool) -> Pack | tuple[str, ...]:
    """The pack in its one file, or its first fault."""
    (cards,) = files
    try:
        return read_pack(cards, checked=checked)
    except PackError as error:
        return (str(error),)


def info(pack: Pack) -> PackInfo:
    """What it is called, and how much there is in it."""
    counts = Counter(map(_kind, pack.cards.values()))
    return PackInfo(pack.digest, pack.id, pack.version, dict(sorted(counts.items())))


def entries(pack: Pack) -> tuple[CatalogEntry, ...]:
    """All its cards."""
    return tuple(_entry(names_of(pack).known[card.id]) for card in pack.cards.values())


def _entry(known: Known) -> CatalogEntry:
    card = known.card
    told = {name: words for name, words in known.attributes.items() if name != "points"}
    return CatalogEntry(
        _kind(card),
        card.id,
        card.name,
        "; ".join(f"{name} {words}".strip() for name, words in told.items()),
        points=card.points,
        attributes=told,
        lines=tuple(map(spoken, known.face.lines)),
    )


def _kind(card: Card) -> str:
    return type(card).__name__.lower()


SHELF: Final = PackType(
    kind=Pack,
    built_in=(BASE,),
    file_suffixes=(".cards.toml",),
    read=read,
    info=info,
    entries=entries,
)
