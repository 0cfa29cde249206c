"""A content pack: all its entries, and what is worked out from them."""

from typing import Any, Final

import msgspec

from domain.games.golem_arcana.battle.board import Board
from domain.games.golem_arcana.content.cards import (
    AncientCard,
    Faction,
    GolemCard,
    KnightCard,
    PackHead,
    RelicCard,
    Scenario,
    Tables,
    Tile,
)
from domain.games.golem_arcana.content.layout import expand, lay_out
from domain.games.golem_arcana.content.vocabulary import Ability, Passive
from domain.kernel import packs


class Pack(packs.Pack):
    """All of one content pack, by id."""

    def __init__(self, digest: str, head: PackHead, tables: Tables, entries: "Entries") -> None:
        self.digest = digest
        """SHA-256 over both files, in hexadecimal: the pack's name."""
        self.head: Final = head
        self.tables: Final = tables
        self.factions: Final = {entry.id: entry for entry in entries.factions}
        self.golems: Final = {entry.id: entry for entry in entries.golems}
        self.knights: Final = {entry.id: entry for entry in entries.knights}
        self.ancients: Final = {entry.id: entry for entry in entries.ancients}
        self.relics: Final = {entry.id: entry for entry in entries.relics}
        self.tiles: Final = {entry.id: entry for entry in entries.tiles}
        self.scenarios: Final = {entry.id: entry for entry in entries.scenarios}
        self.gives: Final = any(
            passive.affects == "allies"
            for cards in (self.golems, self.knights, self.relics)
            for card in cards.values()
            for passive in card.passive
        )
        """Does any passive help others?"""
        self._boards: dict[str, Board] = {}
        self._abilities: dict[tuple[str, str | None], dict[str, Ability]] = {}
        self._passives: dict[tuple[str, str | None, str | None], tuple[Passive, ...]] = {}
        self._zones: dict[tuple[str, str], tuple[str, ...]] = {}
        self._regions: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}

    def board(self, scenario: str) -> Board:
        """The board of a scenario."""
        board = self._boards.get(scenario)
        if board is None:
            board = self._boards[scenario] = lay_out(self.scenarios[scenario], self.tiles)
        return board

    def zone(self, scenario: str, seat: str) -> tuple[str, ...]:
        """The deployment zone of a seat, in order of columns, then rows."""
        found = self._zones.get((scenario, seat))
        if found is None:
            lists: dict[Any, tuple[str, ...]] = dict(self.scenarios[scenario].zone)
            found = tuple(expand(lists.get(seat, ()), self.board(scenario)))
            self._zones[scenario, seat] = found
        return found

    def regions(self, scenario: str, lists: tuple[str, ...]) -> tuple[str, ...]:
        """The Regions in lists that may hold rectangles."""
        found = self._regions.get((scenario, lists))
        if found is None:
            found = self._regions[scenario, lists] = tuple(expand(lists, self.board(scenario)))
        return found

    def abilities(self, golem: str, knight: str | None) -> dict[str, Ability]:
        """The abilities of a type of Golem and of its Knight, by id: the Golem's first."""
        found = self._abilities.get((golem, knight))
        if found is None:
            every = [*self.golems[golem].ability]
            if knight is not None:
                every += self.knights[knight].ability
            found = self._abilities[golem, knight] = {ability.id: ability for ability in every}
        return found

    def fielding(self, apv: int) -> tuple[str, ...]:
        """The factions that field a Golem of at most this value, in the pack's order."""
        arcana = {card.arcanum for card in self.golems.values() if card.apv <= apv}
        return tuple(each.id for each in self.factions.values() if arcana & {*each.arcana})

    def passives(self, golem: str, knight: str | None, relic: str | None) -> tuple[Passive, ...]:
        """The passives of a type of Golem, of its Knight and of its Relic."""
        found = self._passives.get((golem, knight, relic))
        if found is None:
            found = self.golems[golem].passive
            if knight is not None:
                found += self.knights[knight].passive
            if relic is not None:
                found += self.relics[relic].passive
            self._passives[golem, knight, relic] = found
        return found


class Entries(msgspec.Struct, frozen=True):
    """The entries of both files, in their order."""

    factions: list[Faction]
    golems: list[GolemCard]
    knights: list[KnightCard]
    ancients: list[AncientCard]
    relics: list[RelicCard]
    tiles: list[Tile]
    scenarios: list[Scenario]
