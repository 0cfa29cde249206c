"""The content packs as the contract of a game has them: read, listed, shown."""

from collections.abc import Sequence
from typing import Final

from domain.games.golem_arcana.content.catalog import catalog
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import BOARDS, CONTENT, PackError, read_pack
from domain.games.golem_arcana.content.packs import SHIPPED
from domain.kernel.packs import PackInfo, PackType


def read(files: Sequence[bytes], checked: bool) -> Pack | tuple[str, ...]:
    """The pack in its two files, or all its faults."""
    content, boards = files
    try:
        return read_pack(content, boards, checked=checked)
    except PackError as error:
        return error.errors


def info(pack: Pack) -> PackInfo:
    """What it is called, and how much there is in it."""
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


SHELF: Final = PackType(
    kind=Pack,
    built_in=SHIPPED,
    file_suffixes=(f".{CONTENT}.toml", f".{BOARDS}.toml"),
    read=read,
    info=info,
    entries=catalog,
)
