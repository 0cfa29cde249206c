"""The content packs as the contract of a game has them: checked, added, listed, shown."""

from collections.abc import Sequence
from typing import Final

from domain.games.golem_arcana.content.catalog import catalog
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import BOARDS, CONTENT, PackError, read_pack
from domain.games.golem_arcana.content.packs import PACKS, shelve
from domain.kernel.armies import Entry
from domain.kernel.packs import PackInfo, Packs


def check(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """The pack in its two files, or all its faults."""
    pack = _read(files)
    return _info(pack) if isinstance(pack, Pack) else pack


def add(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """The same, and matches may use it."""
    return _shelved(_read(files))


def recall(files: Sequence[bytes]) -> PackInfo | tuple[str, ...]:
    """Put a pack on the shelf that was there before."""
    return _shelved(_read(files, checked=True))


def _shelved(pack: Pack | tuple[str, ...]) -> PackInfo | tuple[str, ...]:
    if not isinstance(pack, Pack):
        return pack
    shelve(pack)
    return _info(pack)


def known() -> tuple[PackInfo, ...]:
    """Those on the shelf."""
    return tuple(map(_info, PACKS.values()))


def entries(digest: str) -> tuple[Entry, ...]:
    """All cards and scenarios of a pack."""
    return catalog(PACKS[digest])


def _read(files: Sequence[bytes], *, checked: bool = False) -> Pack | tuple[str, ...]:
    content, boards = files
    try:
        return read_pack(content, boards, checked=checked)
    except PackError as error:
        return error.errors


def _info(pack: Pack) -> PackInfo:
    counts = {
        "golem": len(pack.golems),
        "knight": len(pack.knights),
        "relic": len(pack.relics),
        "ancient": len(pack.ancients),
        "faction": len(pack.factions),
        "scenario": len(pack.scenarios),
        "tile": len(pack.tiles),
    }
    return PackInfo(pack.digest, pack.head.id, pack.head.version, counts)


SHELF: Final = Packs(
    endings=(f".{CONTENT}.toml", f".{BOARDS}.toml"),
    check=check,
    add=add,
    recall=recall,
    known=known,
    entries=entries,
)
