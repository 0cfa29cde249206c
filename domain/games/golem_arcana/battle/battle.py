"""A state with its content looked up and its Golems found by Region: what the rules read."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, Final

from domain.games.golem_arcana.battle.board import Board, Terrain
from domain.games.golem_arcana.battle.sides import Side, banners, sides_of
from domain.games.golem_arcana.content.cards import (
    ConstructCard,
    GolemCard,
    KnightCard,
    RelicCard,
    Scenario,
    Seat,
    SecretQuest,
)
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Ability, Fly, Passive, Size
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import DealtQuest, Golem, State, in_id_order, on_board, seat_of


class Battle:
    """One state, read. It holds nothing that the state does not say."""

    def __init__(self, state: State, seats: tuple[Seat, ...] = ()) -> None:
        """`seats` are in Turn order; the scenario says so unless they are given."""
        self.state: Final = state
        self.pack: Final[Pack] = state.pack
        self.scenario: Final[Scenario] = self.pack.scenarios[state.scenario]
        self.board: Final[Board] = self.pack.board(state.scenario)
        self.seats: Final[tuple[Seat, ...]] = seats or self.scenario.seats
        """In Turn order."""
        self._banners: Final[dict[str, str]] = banners(state.variants.teams)
        self.ways: Final[dict[tuple[str, str], Any]] = {}
        """Where movement leads, by Golem and ability, as far as `movement.ways` was asked."""

        self.ends: Final[dict[str, frozenset[int]]] = {}
        """The Regions where ways end, by the first letter of the seat whose they are, likewise."""

    def hostile(self, one: str, other: str) -> bool:
        """Are they of different sides? Each is a seat, or a unit's id, which begins alike."""
        return self._banners[one[0]] != self._banners[other[0]]

    @property
    def sides(self) -> tuple[Side, ...]:
        """Who fights together, in Turn order."""
        return sides_of(self.state.variants.teams, self.seats)

    @cached_property
    def golems(self) -> tuple[str, ...]:
        """The Golems that are not destroyed, wherever they are, in id order."""
        return in_id_order(self.seats, tuple(self.state.golems))

    @cached_property
    def constructs(self) -> tuple[str, ...]:
        """The Constructs on the board, in id order."""
        return in_id_order(self.seats, tuple(self.state.constructs))

    @cached_property
    def laid(self) -> tuple[tuple[str, str], ...]:
        """The Blessings and Curses on the board, each with its Region, by seat, Ancient One and
        power as they are spelt."""
        return tuple(sorted(self.state.powers.items(), key=lambda laid: laid[0].split(".")))

    @property
    def dealt(self) -> Iterator[tuple[Seat, DealtQuest]]:
        """The secret quests that have been dealt, in Turn order."""
        quests = self.state.quests
        return ((seat, quests[seat]) for seat in self.seats if seat in quests)

    @cached_property
    def standing(self) -> dict[str, list[str]]:
        """The Golems in each Region that holds one, in id order."""
        found: dict[str, list[str]] = {}
        golems = self.state.golems
        for name in self.golems:
            where = golems[name].where
            if on_board(where):
                found.setdefault(where, []).append(name)
        return found

    @cached_property
    def constructs_at(self) -> dict[str, list[str]]:
        """The Constructs in each Region that holds one, in id order."""
        found: dict[str, list[str]] = {}
        for name in self.constructs:
            found.setdefault(self.state.constructs[name].where, []).append(name)
        return found

    @cached_property
    def taken(self) -> dict[str, int]:
        """The Base Sizes that stand in each Region that holds a Golem."""
        return {
            region: sum(self.base_size(name) for name in names)
            for region, names in self.standing.items()
        }

    def golem(self, name: str) -> Golem:
        """A Golem that is not destroyed."""
        return self.state.golems[name]

    def where(self, unit: str) -> str:
        """Where a Golem or Construct is."""
        construct = self.state.constructs.get(unit)
        return self.state.golems[unit].where if construct is None else construct.where

    def card(self, name: str) -> GolemCard:
        """The card of a Golem."""
        return self.pack.golems[self.state.golems[name].type]

    def knight(self, name: str) -> KnightCard | None:
        """The card of a Golem's Knight."""
        knight = self.state.golems[name].knight
        return None if knight is None else self.pack.knights[knight]

    def relic(self, name: str) -> RelicCard | None:
        """The card of a Golem's Relic."""
        relic = self.state.golems[name].relic
        return None if relic is None else self.pack.relics[relic]

    def spent(self, name: str) -> bool:
        """Has the Relic of a Golem no charge left? Without charges it is never spent."""
        return self.state.golems[name].charges == 0

    def construct_card(self, unit: str) -> ConstructCard:
        """The card of a Construct."""
        card = self.pack.relics[self.state.constructs[unit].relic].construct
        assert card is not None, "only such Relics are placed"
        return card

    def size(self, name: str) -> Size:
        """The size of a Golem."""
        return self.card(name).size

    def base_size(self, name: str) -> int:
        """The Base Size of a Golem."""
        return self.pack.tables.base_size[self.card(name).size]

    def abilities(self, name: str) -> dict[str, Ability]:
        """The abilities of a Golem and its Knight, by id."""
        golem = self.state.golems[name]
        return self.pack.abilities(golem.type, golem.knight)

    def passives(self, name: str) -> tuple[Passive, ...]:
        """The passives of a Golem, its Knight and its Relic."""
        golem = self.state.golems[name]
        return self.pack.passives(golem.type, golem.knight, golem.relic)

    def gifts(self, name: str) -> Iterator[tuple[str, Passive]]:
        """The passives of others that help this Golem, and whose they are."""
        where = self.state.golems[name].where
        if where not in self.standing:
            return
        for ally in self.friends_at(name, where):
            if ally != name:
                yield from (
                    (ally, each) for each in self.passives(ally) if each.affects == "allies"
                )

    def flies(self, name: str) -> bool:
        """Has this Golem a Fly ability?"""
        return any(isinstance(ability, Fly) for ability in self.abilities(name).values())

    def terrain(self, region: str) -> Terrain:
        """What a Region is like."""
        return self.board.terrain[region]

    def enemies_at(self, seat: str, region: str) -> list[str]:
        """The Golems in a Region that are not of this seat's side (GA-R49)."""
        return [name for name in self.standing.get(region, ()) if self.hostile(seat, name)]

    def friends_at(self, seat: str, region: str) -> list[str]:
        """The Golems in a Region that are of this seat's side."""
        return [name for name in self.standing.get(region, ()) if not self.hostile(seat, name)]

    def own_at(self, seat: str, region: str) -> list[str]:
        """This seat's Golems in a Region."""
        return [name for name in self.standing.get(region, ()) if name[0] == seat[0]]

    def holds(self, seat: str, regions: tuple[str, ...]) -> bool:
        """Has this seat a Golem in any of these Regions, and no enemy a Golem in any?"""
        here = [name for region in regions for name in self.standing.get(region, ())]
        own = any(name[0] == seat[0] for name in here)
        return own and not any(self.hostile(seat, name) for name in here)

    def quest(self, seat: Seat) -> SecretQuest | None:
        """The secret quest of a seat, fulfilled or not; None if it has none that is known."""
        dealt = self.state.quests.get(seat)
        number = None if dealt is None else dealt.number
        return None if number is None else self.scenario.quests[number - 1]

    def named(self, unit: str) -> str:
        """A unit as a person names it: `South's Sand Lion s1`."""
        there = unit in self.state.constructs
        card = (self.construct_card if there else self.card)(unit).name
        return named(unit, card)

    def is_out(self, seat: Seat) -> bool:
        """Has this seat given up?"""
        return self.state.seats[seat].out

    @property
    def sides_in(self) -> tuple[Side, ...]:
        """The sides of which some seat is not out."""
        return tuple(side for side in self.sides if not all(map(self.is_out, side)))

    def fighting(self) -> list[Seat]:
        """The seats that have Golems left, wherever they are, and are not out, in Turn order."""
        having = {seat_of(name) for name in self.state.golems}
        return [seat for seat in self.seats if seat in having and not self.is_out(seat)]


_recent: Battle | None = None


def read_battle(state: State) -> Battle:
    """Return a state, read. Many questions in a row about one state share what was looked up."""
    global _recent
    known = _recent
    if known is None or known.state is not state:
        known = _recent = Battle(state)
    return known


@lru_cache(maxsize=1024)
def named(unit: str, card: str) -> str:
    """A unit with the name on its card.

    >>> named("n2", "Prism Archer")
    "North's Prism Archer n2"
    """
    return ENGLISH.format("unit", seat=ENGLISH.format(f"seat.{seat_of(unit)}"), card=card, id=unit)


def bearer(battle: Battle, name: str, ability: str) -> str:
    """The card, a Golem's or its Knight's, that an ability is on: as status effects name it."""
    knight = battle.knight(name)
    if knight is not None and any(each.id == ability for each in knight.ability):
        return knight.id
    return battle.card(name).id


def units_in_order(battle: Battle, region: str) -> list[str]:
    """Every unit in a Region: Golems in id order, then Constructs."""
    return [*battle.standing.get(region, ()), *battle.constructs_at.get(region, ())]
