"""Army status: everything a viewer may know of each side, as the Control Card tells it."""

from msgspec import Struct

from domain.games.golem_arcana.battle import Battle
from domain.games.golem_arcana.cards import Seat
from domain.games.golem_arcana.cooldown import cost, heat_of
from domain.games.golem_arcana.deployment import mustered
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import Golem, State, StatusEffect
from domain.kernel.game import REFEREE


class AbilityStatus(Struct, frozen=True):
    """An ability with what it costs now, in Action Points, and its pips of Cooldown."""

    id: str
    name: str
    cost: int
    pips: int


class GolemStatus(Struct, frozen=True):
    """A Golem as it stands."""

    id: str
    name: str
    where: str
    """A Region, `off` in reserve, `?` before it is deployed."""
    hp: int
    hp_printed: int
    knight: str | None
    relic: str | None
    charges: int
    abilities: tuple[AbilityStatus, ...]
    effects: tuple[StatusEffect, ...]


class ConstructStatus(Struct, frozen=True):
    """A Construct as it stands."""

    id: str
    name: str
    where: str
    hp: int


class Loss(Struct, frozen=True):
    """A Golem that was destroyed."""

    id: str
    name: str
    apv: int


class ArmyStatus(Struct, frozen=True):
    """One side, as a viewer may see it."""

    seat: Seat
    ap: int
    mana: int
    vp: int
    ancients: tuple[str, ...]
    golems: tuple[GolemStatus, ...]
    constructs: tuple[ConstructStatus, ...]
    losses: tuple[Loss, ...]
    quest: str | None
    """The name of its secret quest, for those who may know it."""
    quest_fulfilled: bool


def army_status(state: State, viewer: str, options: Options) -> tuple[ArmyStatus, ...]:
    """Every side in Turn order, as a seat, `spectator` or `referee` may see it.

    `options` say which Golems there were at first: those that are missing are losses.
    """
    battle = Battle(state)
    began = mustered(options)
    return tuple(_army(battle, seat, viewer, began) for seat in state.seats)


def _army(battle: Battle, seat: Seat, viewer: str, began: dict[str, Golem]) -> ArmyStatus:
    state = battle.state
    purse = state.seats[seat]
    dealt = state.quests.get(seat)
    known = dealt is not None and (dealt.fulfilled or viewer in (seat, REFEREE))
    cards = battle.pack.golems
    return ArmyStatus(
        seat=seat,
        ap=purse.ap,
        mana=purse.mana,
        vp=purse.vp,
        ancients=tuple(battle.pack.ancients[name].name for name in purse.ancients),
        golems=tuple(_golem(battle, name) for name in state.golems if name[0] == seat[0]),
        constructs=tuple(
            ConstructStatus(unit, battle.construct_card(unit).name, each.where, each.hp)
            for unit, each in state.constructs.items()
            if unit[0] == seat[0]
        ),
        losses=tuple(
            Loss(name, cards[golem.type].name, cards[golem.type].apv)
            for name, golem in began.items()
            if name[0] == seat[0] and name not in state.golems
        ),
        quest=battle.scenario.quests[dealt.number - 1].name if known and dealt else None,
        quest_fulfilled=dealt is not None and dealt.fulfilled,
    )


def _golem(battle: Battle, name: str) -> GolemStatus:
    golem, card = battle.golem(name), battle.card(name)
    knight, relic = battle.knight(name), battle.relic(name)
    return GolemStatus(
        id=name,
        name=card.name,
        where=golem.where,
        hp=golem.hp,
        hp_printed=card.hp,
        knight=knight.name if knight else None,
        relic=relic.name if relic else None,
        charges=golem.charges,
        abilities=tuple(
            AbilityStatus(
                ability.id,
                ability.name,
                cost(battle, name, ability),
                heat_of(battle, name, ability.id).pips,
            )
            for ability in battle.abilities(name).values()
        ),
        effects=golem.statuses,
    )
