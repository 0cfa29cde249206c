"""What there is to build an army of: every card of a pack, the factions and the scenarios."""

from collections.abc import Iterable, Iterator

from domain.games.golem_arcana.content.card_faces import arcanum_name
from domain.games.golem_arcana.content.card_words import (
    ancient_lines,
    ancient_words,
    golem_lines,
    golem_words,
    knight_lines,
    knight_words,
    plain,
    relic_words,
)
from domain.games.golem_arcana.content.cards import Scenario
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.scenario_words import scenario_lines
from domain.games.golem_arcana.display.names import seat_name
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.armies import CatalogEntry


def catalog(pack: Pack) -> tuple[CatalogEntry, ...]:
    """All entries of a pack but its tiles: factions, Golems, Knights, Relics, Ancient Ones,
    scenarios."""
    return (
        *_factions(pack),
        *_golems(pack),
        *_knights(pack),
        *_relics(pack),
        *_ancients(pack),
        *(_scenario(pack, card) for card in pack.scenarios.values()),
    )


def _factions(pack: Pack) -> Iterator[CatalogEntry]:
    for faction in pack.factions.values():
        names = [arcanum_name(arcanum) for arcanum in faction.arcana]
        words = ENGLISH.format("card.fields", arcana=ENGLISH.join_and(names))
        yield CatalogEntry("faction", faction.id, faction.name, words, (faction.id,))


def _golems(pack: Pack) -> Iterator[CatalogEntry]:
    for card in pack.golems.values():
        serves = tuple(f.id for f in pack.factions.values() if card.arcanum in f.arcana)
        attributes = {
            "arcanum": arcanum_name(card.arcanum),
            "base size": str(pack.tables.base_size[card.size]),
            "source": card.source,
        }
        words = golem_words(card)
        lines = _plain(golem_lines(card))
        yield CatalogEntry(
            "golem", card.id, card.name, words, serves, card.size, card.apv, attributes, lines
        )


def _knights(pack: Pack) -> Iterator[CatalogEntry]:
    for card in pack.knights.values():
        source = {"source": card.source}
        words = knight_words(card)
        lines = _plain(knight_lines(card))
        yield CatalogEntry(
            "knight", card.id, card.name, words, card.factions, "", card.apv, source, lines
        )


def _relics(pack: Pack) -> Iterator[CatalogEntry]:
    for card in pack.relics.values():
        attributes = {"base size": str(card.size), "source": card.source}
        words = relic_words(card)
        lines = (words,)
        yield CatalogEntry("relic", card.id, card.name, words, (), "", card.apv, attributes, lines)


def _ancients(pack: Pack) -> Iterator[CatalogEntry]:
    for card in pack.ancients.values():
        source = {"source": card.source}
        words = ancient_words(card)
        lines = _plain(ancient_lines(card))
        yield CatalogEntry(
            "ancient", card.id, card.name, words, card.factions, "", card.apv, source, lines
        )


def _plain(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(plain, lines))


def _scenario(pack: Pack, card: Scenario) -> CatalogEntry:
    say = ENGLISH.format
    attributes = {
        "armies": say("catalog.built" if card.build else "catalog.fixed"),
        "seats": ", ".join(map(seat_name, card.seats)),
        "rounds": str(card.rounds or say("catalog.unlimited")),
        "source": card.source,
    }
    laid_down = scenario_lines(pack, card)
    for key, lines in laid_down.items():
        attributes[key] = say("scenario.between").join(map(plain, lines))
    told = _plain(line for lines in laid_down.values() for line in lines)
    return CatalogEntry(
        "scenario", card.id, card.name, card.about, (), "", card.apv, attributes, told
    )
