"""What there is to build an army of: every card of a pack, the factions and the scenarios."""

from collections.abc import Iterator

from domain.games.golem_arcana.content.card_words import (
    ancient_words,
    golem_words,
    knight_words,
    relic_words,
)
from domain.games.golem_arcana.content.cards import Scenario
from domain.games.golem_arcana.content.pack import Pack
from domain.kernel.armies import Entry


def catalog(pack: Pack) -> tuple[Entry, ...]:
    """All entries of a pack but its tiles: factions, Golems, Knights, Relics, Ancient Ones,
    scenarios."""
    return (
        *_factions(pack),
        *_golems(pack),
        *_knights(pack),
        *_relics(pack),
        *_ancients(pack),
        *map(_scenario, pack.scenarios.values()),
    )


def _factions(pack: Pack) -> Iterator[Entry]:
    for faction in pack.factions.values():
        words = f"fields Golems of {', '.join(faction.arcana)}"
        yield Entry("faction", faction.id, faction.name, words, (faction.id,))


def _golems(pack: Pack) -> Iterator[Entry]:
    for card in pack.golems.values():
        serves = tuple(f.id for f in pack.factions.values() if card.arcanum in f.arcana)
        attributes = {
            "arcanum": card.arcanum,
            "base size": str(pack.tables.base_size[card.size]),
            "source": card.source,
        }
        words = golem_words(card)
        yield Entry("golem", card.id, card.name, words, serves, card.size, card.apv, attributes)


def _knights(pack: Pack) -> Iterator[Entry]:
    for card in pack.knights.values():
        source = {"source": card.source}
        words = knight_words(card)
        yield Entry("knight", card.id, card.name, words, card.factions, "", card.apv, source)


def _relics(pack: Pack) -> Iterator[Entry]:
    for card in pack.relics.values():
        attributes = {"base size": str(card.size), "source": card.source}
        words = relic_words(card)
        yield Entry("relic", card.id, card.name, words, (), "", card.apv, attributes)


def _ancients(pack: Pack) -> Iterator[Entry]:
    for card in pack.ancients.values():
        source = {"source": card.source}
        words = ancient_words(card)
        yield Entry("ancient", card.id, card.name, words, card.factions, "", card.apv, source)


def _scenario(scenario: Scenario) -> Entry:
    attributes = {
        "armies": "built" if scenario.build else "fixed",
        "seats": ", ".join(scenario.seats),
        "rounds": str(scenario.rounds or "unlimited"),
        "source": scenario.source,
    }
    return Entry(
        "scenario", scenario.id, scenario.name, scenario.about, (), "", scenario.apv, attributes
    )
