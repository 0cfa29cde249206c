"""Reading a content pack from its two files, with every fault that is found."""

import tomllib
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from domain.games.golem_arcana.content.cards import (
    AncientCard,
    Faction,
    GolemCard,
    KnightCard,
    PackHead,
    Raw,
    RelicCard,
    Scenario,
    Tables,
    Tile,
)
from domain.games.golem_arcana.content.pack import Entries, Pack
from domain.games.golem_arcana.content.pack_checks import check_cards, check_scenarios

T = TypeVar("T")

CONTENT: Final = "content"
BOARDS: Final = "boards"
"""The two files of a pack, as errors name them."""

_TABLES: Final = ("base_size", "capacity", "ap_pool", "walk_cost", "cover", "kill_vp")
_CARDS: Final = ("faction", "golem", "knight", "ancient", "relic")
_PLACES: Final = ("tile", "scenario")


class PackError(ValueError):
    """A pack that cannot be used. `errors` has a line for each fault: file, entry, key, reason."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(self.errors))


def read_pack(content: bytes, boards: bytes, *, checked: bool = False) -> Pack:
    """The pack in these two TOML files. Raises PackError with every fault found.

    Of a pack that was `checked` before, by whatever was checked then, only the words are read.
    """
    errors: list[str] = []
    first = _parse(CONTENT, content, ("pack", *_TABLES, *_CARDS), errors)
    second = _parse(BOARDS, boards, ("pack", *_PLACES), errors)
    if errors:
        raise PackError(errors)
    for relic in _list(first.get("relic")):
        _name_class(relic)
    # Boards that are played with the cards of another pack have a name of their own.
    file, named = (BOARDS, second) if "pack" in second else (CONTENT, first)
    head = _convert(named.get("pack", {}), PackHead, f"{file}: pack", errors)
    tables = _convert(
        {name: first[name] for name in _TABLES if name in first}, Tables, CONTENT, errors
    )
    entries = Entries(
        _entries(first, CONTENT, "faction", Faction, errors),
        _entries(first, CONTENT, "golem", GolemCard, errors),
        _entries(first, CONTENT, "knight", KnightCard, errors),
        _entries(first, CONTENT, "ancient", AncientCard, errors),
        _entries(first, CONTENT, "relic", RelicCard, errors),
        _entries(second, BOARDS, "tile", Tile, errors),
        _entries(second, BOARDS, "scenario", Scenario, errors),
    )
    if errors or head is None or tables is None:
        raise PackError(errors)
    pack = Pack(pack_digest(content, boards), head, tables, entries)
    if checked:
        return pack
    errors += (f"{CONTENT}: {error}" for error in check_cards(pack))
    if not errors:
        errors += (f"{BOARDS}: {error}" for error in check_scenarios(pack))
    if errors:
        raise PackError(errors)
    return pack


def pack_digest(content: bytes, boards: bytes) -> str:
    """The name of a pack: SHA-256 over the SHA-256 of each file, so that none runs into the other.

    >>> pack_digest(b"", b"")[:8]
    '2dba5dbc'
    """
    return sha256(sha256(content).digest() + sha256(boards).digest()).hexdigest()


def _parse(file: str, text: bytes, known: tuple[str, ...], errors: list[str]) -> Raw:
    try:
        table = tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        errors.append(f"{file}: this is no TOML: {error}")
        return {}
    errors += (
        f"{file}: {key}: unknown; {', '.join(known)} are known" for key in table if key not in known
    )
    return table


def _name_class(relic: Any) -> None:
    """A Relic's ability is a power, and content need not say so."""
    ability = relic.get("ability") if isinstance(relic, dict) else None
    if isinstance(ability, dict):
        ability.setdefault("class", "power")


def _entries(table: Raw, file: str, kind: str, shape: type[T], errors: list[str]) -> list[T]:
    found: list[T] = []
    names: set[str] = set()
    for n, raw in enumerate(_list(table.get(kind))):
        name = raw.get("id") if isinstance(raw, dict) else None
        where = f"{file}: {kind} {name if isinstance(name, str) else n + 1}"
        entry = _convert(raw, shape, where, errors)
        if entry is None:
            continue
        if name in names:
            errors.append(f"{where}: id: this id is there twice")
        names.add(str(name))
        found.append(entry)
    if not isinstance(table.get(kind, []), list):
        errors.append(f"{file}: {kind}: must be written as [[{kind}]]")
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _convert(raw: Any, shape: type[T], where: str, errors: list[str]) -> T | None:
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        key = path.removesuffix("`").removeprefix("$").removeprefix(".")
        errors.append(f"{where}: {key or 'entry'}: {reason}")
        return None
