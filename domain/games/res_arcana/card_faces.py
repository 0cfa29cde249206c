"""The cards of a pack as people know them: their names, and what is printed on them.

All of it is made once for each pack.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from domain.games.res_arcana.bundles import ICONS, in_icons
from domain.games.res_arcana.card_words import (
    collect_text,
    cost_parts,
    cost_text,
    effects_text,
    icons_in,
    kind_of,
    left_text,
    moment_text,
    power_text,
    reaction_text,
    spoken,
)
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.packs import Pack
from domain.games.res_arcana.state import HIDDEN
from domain.games.res_arcana.vocabulary import Artifact, Card, Discount, Monument, Place
from domain.kernel.scene import CardFace

_SAY: Final = ENGLISH.format
_SHOWN: Final = 4
"""Names in a list; the others are counted."""


class Known:
    """What there is to show of one card, wherever it lies."""

    def __init__(self, card: Card) -> None:
        self.name: Final = card.name
        self.kind: Final = kind_of(card)
        self.card: Final = card

    @cached_property
    def attributes(self) -> dict[str, str]:
        """What it is and says: cost, points, abilities, each under its own word."""
        return {key: spoken(text) for key, text in _abilities(self.card)}

    @cached_property
    def face(self) -> CardFace:
        """The same as it is printed."""
        card = self.card
        cost = ""
        if isinstance(card, Artifact | Monument | Place):
            cost = " ".join(cost_parts(card.cost)) or "0"
        return CardFace(
            title=card.name,
            kind=_face_kind(self.kind),
            cost=cost,
            lines=tuple(_lines(card)),
            points=card.points or None,
        )

    @cached_property
    def icons(self) -> frozenset[str]:
        """The icons on its face."""
        return frozenset(i for text in (self.face.cost, *self.face.lines) for i in icons_in(text))

    @cached_property
    def abilities(self) -> str:
        """All that it does, in one line of words."""
        return spoken("; ".join(self.face.lines))


class CardNames:
    """The cards of a pack by their ids."""

    def __init__(self, pack: Pack) -> None:
        self.known: Final = {card.id: Known(card) for card in pack.cards.values()}

    def the(self, card: str) -> str:
        """A card in a sentence: its name, or that it is a card one may not know."""
        if card == HIDDEN:
            return _SAY("card")
        known = self.known.get(card)
        # Somebody may have named a card that there is not.
        return known.name if known else card.replace("-", " ").strip().title() or card

    def abilities(self, card: str) -> str:
        """All that a card does, in one line of words; empty for one that may not be known."""
        known = self.known.get(card)
        return known.abilities if known else ""

    def all(self, cards: tuple[str, ...]) -> str:
        """Several cards in a sentence, by name as far as they may be known."""
        if HIDDEN in cards:
            return _SAY("card") if len(cards) == 1 else _SAY("cards", n=len(cards))
        names = [self.the(card) for card in cards[:_SHOWN]]
        more = len(cards) - _SHOWN
        return ENGLISH.join_and([*names, *([_SAY("more", n=more)] if more > 0 else [])])


@lru_cache(maxsize=64)
def names_of(pack: Pack) -> CardNames:
    """What the cards of this pack are called and say."""
    return CardNames(pack)


def _face_kind(kind: str) -> str:
    text = _SAY(f"kind.{kind}")
    return _SAY("face.artifact", kind=text) if kind in _ARTIFACTS else text


_ARTIFACTS: Final = ("creature", "dragon", "creature dragon")


# --- under words of their own --------------------------------------------------------------------


def _abilities(card: Card) -> Iterator[tuple[str, str]]:
    """What frontends find in the attributes of a piece; its keys are known to them."""
    yield kind_of(card), ""
    if isinstance(card, Artifact | Monument | Place):
        yield "cost", cost_text(card.cost)
    if card.points:
        yield "points", str(card.points)
    if isinstance(card, Place):
        if card.points_stored:
            yield "point", _SAY("text.point", of=ICONS[card.points_stored])
        for kind, points in card.points_per.items():
            yield f"for each {kind}", _SAY("text.per", n=points)
    if card.discount is not None:
        yield "discount", _discount(card.discount)
    if collected := collect_text(card.collect):
        yield "collect", collected
    if left := left_text(card.stored):
        yield "left in the collect phase", left
    if card.upkeep is not None:
        yield "upkeep", _SAY("text.upkeep", cost=in_icons(card.upkeep.pay))
    if isinstance(card, Monument | Place) and card.on_claim:
        yield "when claimed", effects_text(card.on_claim)
    for number, power in enumerate(card.power, 1):
        yield f"power {number}:", power_text(power)
    if card.react is not None:
        ability, moment = reaction_text(card.react), moment_text(card.react)
        yield "reaction", _SAY("text.reaction", moment=moment, ability=ability)


def _discount(discount: Discount) -> str:
    return _SAY(f"text.discount.{discount.on}", n=discount.less)


# --- as it is printed ----------------------------------------------------------------------------


def _lines(card: Card) -> Iterator[str]:
    if isinstance(card, Place):
        if card.points_stored:
            yield _SAY("face.point", of=ICONS[card.points_stored])
        for kind, points in card.points_per.items():
            yield _SAY("face.per", n=points, of=f"{{{kind}}}")
    for key, text in _abilities(card):
        if key in _LINES:
            yield _SAY(f"face.{_LINES[key]}", text=text)
        elif key == "discount" or key.startswith("power "):
            yield text


_LINES: Final = {
    "collect": "collect",
    "left in the collect phase": "left",
    "upkeep": "upkeep",
    "when claimed": "claimed",
    "reaction": "reaction",
}
