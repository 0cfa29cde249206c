"""The cards of a pack as people know them: their names, and what is printed on them.

All of it is made once for each pack.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Final

import msgspec.toml

from domain.games.res_arcana.bundles import ICONS, in_icons
from domain.games.res_arcana.card_icons import (
    collect_icons,
    cost_icons,
    discount_icons,
    effects_icons,
    power_icons,
    reaction_icons,
    stored_icons,
)
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
from domain.games.res_arcana.vocabulary import (
    Artifact,
    Card,
    Discount,
    Monument,
    Place,
    Reaction,
)
from domain.kernel.scene import CardFace
from domain.kernel.table_theme import CardLine, Face, read_theme

_SAY: Final = ENGLISH.format
TABLE_THEME: Final = read_theme(__package__)
_ART: Final = msgspec.toml.decode(
    files(__package__).joinpath("art.toml").read_bytes(), type=dict[str, str]
)
_FRAMES: Final = {
    "mage": "mage",
    "magic item": "item",
    "monument": "monument",
    "place of power": "place",
}
"""The frames of cards by their kind; all others are artifacts."""
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
            lines=tuple([line.text for line in self.lines]),
            points=card.points or None,
        )

    @cached_property
    def lines(self) -> tuple[CardLine, ...]:
        """The abilities as they are printed."""
        return tuple(_lines(self.card))

    @cached_property
    def table_face(self) -> Face:
        """The face of the card on the page's table."""
        card = self.card
        return Face(
            title=card.name,
            kind=_face_kind(self.kind),
            frame=_FRAMES.get(self.kind, "artifact"),
            art=_ART.get(card.id) or TABLE_THEME.tokens[self.kind].symbol,
            cost=_printed_cost(card),
            points=card.points or None,
            lines=self.lines,
        )

    @property
    def art(self) -> str:
        """The symbol of its picture."""
        return self.table_face.art

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


def faces(pack: Pack) -> Mapping[str, Face]:
    """Return the faces of all cards of a pack, by their ids."""
    return {card: known.table_face for card, known in names_of(pack).known.items()}


def _printed_cost(card: Card) -> str:
    if isinstance(card, Artifact | Monument | Place):
        return cost_icons(card.cost) or "0"
    return ""


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
        yield "upkeep", _upkeep(card)
    if isinstance(card, Monument | Place) and card.on_claim:
        yield "when claimed", effects_text(card.on_claim)
    for number, power in enumerate(card.power, 1):
        yield f"power {number}:", power_text(power)
    if card.react is not None:
        yield "reaction", _reaction(card.react)


def _upkeep(card: Card) -> str:
    return _SAY("text.upkeep", cost=in_icons(card.upkeep.pay)) if card.upkeep else ""


def _reaction(react: Reaction) -> str:
    ability, moment = reaction_text(react), moment_text(react)
    return _SAY("text.reaction", moment=moment, ability=ability)


def _discount(discount: Discount) -> str:
    return _SAY(f"text.discount.{discount.on}", n=discount.less)


# --- as it is printed ----------------------------------------------------------------------------


def _lines(card: Card) -> Iterator[CardLine]:
    if isinstance(card, Place):
        if card.points_stored:
            of = ICONS[card.points_stored]
            text = _SAY("face.point", of=of)
            yield CardLine("point", text, icons=f"1{{points}} / {of}{{on}}")
        for kind, points in card.points_per.items():
            text = _SAY("face.per", n=points, of=f"{{{kind}}}")
            yield CardLine(f"per-{kind}", text, icons=f"{points}{{points}} / {{{kind}}}")
    if card.discount is not None:
        yield CardLine("discount", _discount(card.discount), icons=discount_icons(card.discount))
    if collected := collect_text(card.collect):
        text, verb = _SAY("face.collect", text=collected), "collect" if card.collect.any else ""
        yield CardLine("collect", text, verb, icons=collect_icons(card.collect))
    if left := left_text(card.stored):
        text = _SAY("face.left", text=left)
        yield CardLine("left", text, "leave", icons=stored_icons(card.stored))
    if card.upkeep is not None:
        cost = cost_icons(card.upkeep.pay)
        text = _SAY("face.upkeep", text=_upkeep(card))
        yield CardLine("upkeep", text, "pay", icons=f"{{collect}} \N{MINUS SIGN}{cost}", cost=cost)
    if isinstance(card, Monument | Place) and card.on_claim:
        text = _SAY("face.claimed", text=effects_text(card.on_claim))
        yield CardLine("claimed", text, icons=f"{{claimed}} {effects_icons(card.on_claim)}")
    yield from _usable_lines(card)


def _usable_lines(card: Card) -> Iterator[CardLine]:
    for number, power in enumerate(card.power, 1):
        cost = cost_icons(power.pay, power.pay_of)
        text, icons = power_text(power), power_icons(power)
        yield CardLine(power_line(number), text, "use", icons=icons, cost=cost)
    if card.react is not None:
        text, cost = _SAY("face.reaction", text=_reaction(card.react)), cost_icons(card.react.pay)
        yield CardLine("reaction", text, "react", icons=reaction_icons(card.react), cost=cost)


def power_line(number: int) -> str:
    """Return the id of the line of a power."""
    return f"power-{number}"
