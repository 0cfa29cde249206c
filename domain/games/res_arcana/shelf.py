"""The content packs as the contract of a game has them: checked, added, listed, shown."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.games.res_arcana.card_faces import names_of
from domain.games.res_arcana.pack_checks import PackError
from domain.games.res_arcana.packs import PACKS, Pack, install, read_pack
from domain.games.res_arcana.vocabulary import Card
from domain.kernel.armies import Entry
from domain.kernel.packs import PackInfo, Packs


def check(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """The pack in its one file, or its first fault."""
    (cards,) = files
    try:
        return _info(read_pack(cards))
    except PackError as error:
        return (str(error),)


def add(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """The same, and matches may use it."""
    return _installed(files, checked=False)


def recall(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """Install a pack that was installed before."""
    return _installed(files, checked=True)


def _installed(files: Sequence[bytes], *, checked: bool) -> PackInfo | tuple[str, ...]:
    (cards,) = files
    try:
        return _info(PACKS[install(cards, checked=checked)])
    except PackError as error:
        return (str(error),)


def known() -> tuple[PackInfo, ...]:
    """Those that are installed."""
    return tuple(map(_info, PACKS.values()))


def entries(digest: str) -> tuple[Entry, ...]:
    """All cards of a pack."""
    return tuple(
        Entry(_kind(card), card.id, card.name, _words(digest, card), points=card.points)
        for card in PACKS[digest].cards.values()
    )


def _words(digest: str, card: Card) -> str:
    told = names_of(PACKS[digest]).known[card.id].attributes
    return "; ".join(f"{name} {words}".strip() for name, words in told.items() if name != "points")


def _kind(card: Card) -> str:
    return type(card).__name__.lower()


def _info(pack: Pack) -> PackInfo:
    counts = Counter(map(_kind, pack.cards.values()))
    return PackInfo(pack.hash, pack.id, pack.version, dict(sorted(counts.items())))


SHELF: Final = Packs(
    endings=(".cards.toml",),
    check=check,
    add=add,
    recall=recall,
    known=known,
    entries=entries,
)
