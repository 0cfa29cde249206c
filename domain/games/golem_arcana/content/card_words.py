"""What a card does, in a line for people who choose between cards: its face as plain text."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from domain.games.golem_arcana.content.card_faces import (
    ability_face,
    ancient_faces,
    construct_lines,
    passive_line,
    power_face,
    relic_face,
)
from domain.games.golem_arcana.content.cards import (
    AncientCard,
    ConstructCard,
    GolemCard,
    KnightCard,
    RelicCard,
)
from domain.games.golem_arcana.content.vocabulary import Ability, AncientPower
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.scene import CardFace, Stat

_ICON: Final = re.compile(r"\{([a-z-]+)\}")


def plain(text: str) -> str:
    """A text with the words for its icons.

    >>> plain("2 {ap}")
    '2 AP'
    """
    return _ICON.sub(lambda found: ENGLISH.format(f"icon.{found[1]}"), text)


def face_words(face: CardFace) -> str:
    """All that a face says."""
    text = printed_words(face)
    key = "card.line" if face.cost else "card.line-plain"
    return plain(ENGLISH.format(key, title=face.title, cost=face.cost, text=text))


def printed_words(face: CardFace) -> str:
    """Return what a face says below its title, with icons."""
    return ENGLISH.format("comma").join((face.kind, *map(_figure, face.stats), *face.lines))


def _figure(stat: Stat) -> str:
    # In a sentence figures have no capitals, but for HP and MP.
    name = stat.name if stat.name.isupper() else stat.name.lower()
    return ENGLISH.format("card.stat-line", stat=name, value=stat.value)


def golem_lines(card: GolemCard) -> list[str]:
    """A Golem: its figures, abilities and passives."""
    figures = ENGLISH.format("card.figures", hp=card.hp, armor=card.armor, dodge=card.dodge)
    return [figures, *map(ability_words, card.ability), *map(passive_line, card.passive)]


def knight_lines(card: KnightCard) -> list[str]:
    """What a Knight adds to its Golem."""
    return [*map(ability_words, card.ability), *map(passive_line, card.passive)]


def relic_words(card: RelicCard) -> str:
    """What a Relic can do, and how often."""
    return face_words(replace(relic_face(card), title=card.ability.name))


def ancient_lines(card: AncientCard) -> list[str]:
    """The powers of an Ancient One."""
    return [*map(face_words, ancient_faces(card))]


def golem_words(card: GolemCard) -> str:
    """The same in one line, as for Knights, Ancient Ones and Constructs."""
    return _line(golem_lines(card))


def knight_words(card: KnightCard) -> str:
    """What a Knight adds to its Golem, in one line."""
    return _line(knight_lines(card))


def ancient_words(card: AncientCard) -> str:
    """The powers of an Ancient One, in one line."""
    return _line(ancient_lines(card))


def construct_words(card: ConstructCard) -> str:
    """A Construct as it is placed, in one line."""
    return _line(construct_lines(card))


def ability_words(ability: Ability) -> str:
    """An ability with its price and figures.

    >>> from domain.games.golem_arcana.content.vocabulary import Walk
    >>> ability_words(Walk(id="walk", name="Walk", ap=1, mp=3, nimble=True))
    'Walk (1 AP): walk, nimble, MP 3'
    """
    return face_words(ability_face(ability))


def power_words(power: AncientPower) -> str:
    """A power of an Ancient One: its kind, its price, what it does."""
    return face_words(power_face(power))


def _line(parts: Iterable[str]) -> str:
    return ENGLISH.format("semicolon").join(parts)
