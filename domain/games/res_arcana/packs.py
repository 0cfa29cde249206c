"""Content packs: cards as data, each pack named by the hash of its file."""

import re
import tomllib
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from domain.games.res_arcana.bundles import Bundle
from domain.games.res_arcana.pack_checks import PackError, check
from domain.games.res_arcana.vocabulary import (
    EFFECTS,
    Artifact,
    Card,
    Item,
    Mage,
    Monument,
    Place,
)
from domain.kernel import packs

C = TypeVar("C", bound=Card)

_KINDS: Final[dict[str, type[Card]]] = {
    "item": Item,
    "mage": Mage,
    "artifact": Artifact,
    "monument": Monument,
    "place": Place,
}


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack says of itself."""

    id: str
    version: str
    counts: dict[str, int] = {}


class Pack(packs.Pack):
    """The cards of a pack, by kind and id, each kind sorted by id."""

    def __init__(self, digest: str, head: Head, token_points: int, cards: dict[str, Card]) -> None:
        self.digest = digest
        """SHA-256 over the file, in hexadecimal: the pack's name."""
        self.id: Final = head.id
        self.version: Final = head.version
        self.token_points: Final = token_points
        """What the starting player token counts for its holder."""
        self.cards: Final = cards

    def of_kind(self, kind: type[C]) -> dict[str, C]:
        """The cards of one kind."""
        return {name: card for name, card in self.cards.items() if isinstance(card, kind)}

    @cached_property
    def items(self) -> dict[str, Item]:
        """The magic items."""
        return self.of_kind(Item)

    @cached_property
    def mages(self) -> dict[str, Mage]:
        """The mages."""
        return self.of_kind(Mage)

    @cached_property
    def artifacts(self) -> dict[str, Artifact]:
        """The artifacts."""
        return self.of_kind(Artifact)

    @cached_property
    def monuments(self) -> dict[str, Monument]:
        """The monuments."""
        return self.of_kind(Monument)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Both sides of the places of power."""
        return self.of_kind(Place)

    @cached_property
    def monument_cost(self) -> Bundle:
        """What every monument costs."""
        return next(iter(self.monuments.values())).cost


def read_pack(data: bytes, *, checked: bool = False) -> Pack:
    """The pack in these bytes of a card file.

    Raises PackError, which names the card and the field, for anything that is no sound pack. Of
    one that was `checked` before, by whatever was checked then, only the words are read.
    """
    try:
        tables = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise PackError("pack", "", f"the file is no TOML: {error}") from None
    for key in tables:
        if key not in _KINDS and key not in ("pack", "token"):
            known = ", ".join(("pack", "token", *_KINDS))
            raise PackError("pack", key, f"there is no such table; there is {known}")
    head = _convert("pack", tables.get("pack", {}), Head)
    token = tables.get("token", {})
    points = token.get("points", 1) if isinstance(token, dict) else None
    if type(points) is not int:
        raise PackError("token", "points", "a whole number is wanted")
    cards = {card.id: card for card in sorted(_read_cards(tables, head), key=lambda each: each.id)}
    if not checked:
        check(cards)
    return Pack(sha256(data).hexdigest(), head, points, cards)


def _read_cards(tables: dict[str, Any], head: Head) -> list[Card]:
    cards: list[Card] = []
    seen: set[str] = set()
    for kind, wanted in _KINDS.items():
        rows = tables.get(kind, [])
        if not isinstance(rows, list):
            raise PackError(kind, "", f"cards are written as [[{kind}]]")
        for number, row in enumerate(rows, 1):
            name = str(row.get("id", f"{kind} {number}"))
            card = _convert(name, _tagged(name, row), wanted)
            if card.id in seen:
                raise PackError(name, "id", "another card has it too")
            seen.add(card.id)
            cards.append(card)
        if head.counts.get(kind, len(rows)) != len(rows):
            said = head.counts[kind]
            raise PackError("pack", f"counts.{kind}", f"says {said}, but there are {len(rows)}")
    return cards


def _convert(name: str, table: Any, wanted: type[Any]) -> Any:
    try:
        return msgspec.convert(table, wanted)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        field = path.rstrip("`").lstrip(".")
        inside = re.search(r"field `([^`]+)`", why)
        if inside is not None:
            field = f"{field}.{inside[1]}".lstrip(".")
        raise PackError(name, field, why) from None


def _tagged(name: str, row: dict[str, Any]) -> dict[str, Any]:
    """The card with the tag that the vocabulary wants in each effect."""
    tagged = dict(row)
    if "on_claim" in row:
        tagged["on_claim"] = _tag_effects(name, "on_claim", row["on_claim"])
    if isinstance(row.get("power"), list):
        tagged["power"] = [
            _tag_do(name, f"power[{n}]", power) for n, power in enumerate(row["power"])
        ]
    if "react" in row:
        tagged["react"] = _tag_do(name, "react", row["react"])
    return tagged


def _tag_do(name: str, field: str, table: Any) -> Any:
    if not isinstance(table, dict) or "do" not in table:
        return table
    return {**table, "do": _tag_effects(name, f"{field}.do", table["do"])}


def _tag_effects(name: str, field: str, effects: Any) -> Any:
    if not isinstance(effects, list):
        return effects
    tagged = []
    for n, effect in enumerate(effects):
        keys = effect if isinstance(effect, dict) else {}
        tag = next((key for key in EFFECTS if key in keys), None)
        if tag is None:
            known = ", ".join(EFFECTS)
            raise PackError(name, f"{field}[{n}]", f"no effect has these keys; there is {known}")
        tagged.append({**keys, "effect": tag})
    return tagged


BASE: Final = read_pack(files(__package__).joinpath("res-arcana.cards.toml").read_bytes())
"""The pack of the base game, which comes with it."""
