"""What became true. Facts are stored for ever: their tags and fields are a storage format."""

from msgspec import Struct

from domain.games.golem_arcana.content.cards import Region, Seat
from domain.games.golem_arcana.content.vocabulary import Id
from domain.games.golem_arcana.state import GolemId, Item, StatusEffect, UnitId


class EncounterHidden(Struct, frozen=True, tag="golem-arcana.encounter-hidden"):
    """An encounter lies in a Region. Only the referee knows."""

    encounter: Id
    region: Region


class QuestDealt(Struct, frozen=True, omit_defaults=True, tag="golem-arcana.quest-dealt"):
    """A seat has a secret quest. `number` is None for those who may not know it."""

    seat: Seat
    number: int | None = None


class GolemDeployed(Struct, frozen=True, tag="golem-arcana.golem-deployed"):
    """A Golem was placed before the battle."""

    golem: GolemId
    region: Region


class GolemHeld(Struct, frozen=True, tag="golem-arcana.golem-held"):
    """A Golem was kept in reserve."""

    golem: GolemId


class RoundBegan(Struct, frozen=True, tag="golem-arcana.round-began"):
    """A Round began."""

    round: int


class TurnBegan(Struct, frozen=True, tag="golem-arcana.turn-began"):
    """The Turn of a seat began, with its Upkeep."""

    seat: Seat


class TurnSkipped(Struct, frozen=True, tag="golem-arcana.turn-skipped"):
    """A seat without Golems was passed over."""

    seat: Seat


class ApChanged(Struct, frozen=True, tag="golem-arcana.ap-changed"):
    """A seat's Action Points rose or fell by so many."""

    seat: Seat
    by: int


class ManaChanged(Struct, frozen=True, tag="golem-arcana.mana-changed"):
    """A seat's Mana rose or fell by so much."""

    seat: Seat
    by: int


class VpGained(Struct, frozen=True, tag="golem-arcana.vp-gained"):
    """A seat gained Victory Points."""

    seat: Seat
    amount: int


class WellHarvested(Struct, frozen=True, tag="golem-arcana.well-harvested"):
    """A Mana Well was turned to its small side, or from that ran dry."""

    region: Region


class DamageTaken(Struct, frozen=True, tag="golem-arcana.damage-taken"):
    """A unit lost Hit Points; no more than it had."""

    unit: UnitId
    amount: int


class HitPointsRestored(Struct, frozen=True, tag="golem-arcana.hit-points-restored"):
    """A Golem was healed."""

    golem: GolemId
    amount: int


class UnitDestroyed(Struct, frozen=True, tag="golem-arcana.unit-destroyed"):
    """A Golem, with its Knight and Relic, or a Construct is out of the game."""

    unit: UnitId


class CooldownGained(Struct, frozen=True, omit_defaults=True, tag="golem-arcana.cooldown-gained"):
    """An ability was used: its cost doubled, and it gained pips."""

    golem: GolemId
    ability: Id
    pips: int
    used: bool = False
    """Is it remembered that it was used this Turn?"""


class AbilityUsed(Struct, frozen=True, tag="golem-arcana.ability-used"):
    """An ability was used and does not cool; it is remembered that it was used this Turn."""

    golem: GolemId
    ability: Id


class CooldownLost(Struct, frozen=True, tag="golem-arcana.cooldown-lost"):
    """An ability lost pips; at none its cost is normal again."""

    golem: GolemId
    ability: Id
    pips: int


class CooldownsFell(Struct, frozen=True, tag="golem-arcana.cooldowns-fell"):
    """In the Upkeep of a seat each ability of its Golems lost a pip."""

    seat: Seat


class StatusGained(Struct, frozen=True, tag="golem-arcana.status-gained"):
    """A Golem has a status effect, in place of the same one before."""

    golem: GolemId
    status: StatusEffect


class StatusesFaded(Struct, frozen=True, tag="golem-arcana.statuses-faded"):
    """Every status effect that a seat caused has an Upkeep less to go; some ended."""

    seat: Seat


class StatusesCleansed(Struct, frozen=True, tag="golem-arcana.statuses-cleansed"):
    """Every status effect that other seats caused ended on a Golem."""

    golem: GolemId


class GolemMoved(Struct, frozen=True, tag="golem-arcana.golem-moved"):
    """A Golem went through these Regions, by itself; it is in the last."""

    golem: GolemId
    path: tuple[Region, ...]


class GolemDisplaced(Struct, frozen=True, tag="golem-arcana.golem-displaced"):
    """A Golem was put into another Region."""

    golem: GolemId
    region: Region


class GolemTeleported(Struct, frozen=True, tag="golem-arcana.golem-teleported"):
    """A Golem is in another Region without having gone there."""

    golem: GolemId
    region: Region


class GolemEntered(Struct, frozen=True, tag="golem-arcana.golem-entered"):
    """A Golem came in from the reserve."""

    golem: GolemId
    region: Region


class RelicUsed(Struct, frozen=True, tag="golem-arcana.relic-used"):
    """A Golem used its Relic; it spent a charge, if it has any."""

    golem: GolemId


class ConstructPlaced(Struct, frozen=True, tag="golem-arcana.construct-placed"):
    """A Construct stands on the board."""

    construct: UnitId
    relic: Id
    region: Region
    hp: int


class PowerPlaced(Struct, frozen=True, tag="golem-arcana.power-placed"):
    """A Blessing or Curse lies in a Region, and no longer in another."""

    seat: Seat
    ancient: Id
    power: Id
    region: Region


class EncounterTriggered(Struct, frozen=True, tag="golem-arcana.encounter-triggered"):
    """A Golem met an encounter: all know of it now."""

    encounter: Id
    golem: GolemId
    region: Region


class QuestFulfilled(Struct, frozen=True, tag="golem-arcana.quest-fulfilled"):
    """A seat has fulfilled its secret quest: all know of it now."""

    seat: Seat
    number: int


class WorkQueued(Struct, frozen=True, tag="golem-arcana.work-queued"):
    """These are to be resolved next, before what was waiting."""

    items: tuple[Item, ...]


class WorkDone(Struct, frozen=True, tag="golem-arcana.work-done"):
    """The first item of work is resolved."""


class SeatResigned(Struct, frozen=True, tag="golem-arcana.seat-resigned"):
    """A seat gave up and is out; its Golems stay where they are."""

    seat: Seat


class GameEnded(Struct, frozen=True, tag="golem-arcana.game-ended"):
    """The battle is over."""

    leaders: tuple[Seat, ...]
    won: bool
    reason: str


Fact = (
    EncounterHidden
    | QuestDealt
    | GolemDeployed
    | GolemHeld
    | RoundBegan
    | TurnBegan
    | TurnSkipped
    | ApChanged
    | ManaChanged
    | VpGained
    | WellHarvested
    | DamageTaken
    | HitPointsRestored
    | UnitDestroyed
    | CooldownGained
    | AbilityUsed
    | CooldownLost
    | CooldownsFell
    | StatusGained
    | StatusesFaded
    | StatusesCleansed
    | GolemMoved
    | GolemDisplaced
    | GolemTeleported
    | GolemEntered
    | RelicUsed
    | ConstructPlaced
    | PowerPlaced
    | EncounterTriggered
    | QuestFulfilled
    | WorkQueued
    | WorkDone
    | SeatResigned
    | GameEnded
)
