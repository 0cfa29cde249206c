"""Facts as sentences."""

from typing import assert_never

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.display.names import fallen_name, seat_name
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import (
    Advance,
    Begin,
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Hide,
    Item,
    Meet,
    Roll,
    Step,
)

_REASONS = {
    "target": "by reaching the Victory Points",
    "elimination": "for want of Golems",
    "rounds": "after the last Round",
    "resign": "since all others gave up",
}


def tell(fact: Fact) -> str:
    """A fact as a sentence, for those who may know the fact."""
    words = _words(fact)
    return f"{words[:1].upper()}{words[1:]}."


def _words(fact: Fact) -> str:
    match fact:
        case f.EncounterHidden(name, region):
            return f"the encounter {name} lies hidden in {region}"
        case f.QuestDealt(seat, number):
            return (
                f"{seat_name(seat)} was dealt a secret quest{f', number {number}' * bool(number)}"
            )
        case f.RoundBegan(number):
            return f"Round {number} began"
        case f.TurnBegan(seat):
            return f"{seat_name(seat)}'s Turn began"
        case f.TurnSkipped(seat):
            return f"{seat_name(seat)} was passed over"
        case f.SeatResigned(seat):
            return f"{seat_name(seat)} gave up and is out; its Golems stay"
        case f.ApChanged(seat, by):
            return _changed(seat, by, "Action Point")
        case f.ManaChanged(seat, by):
            return _changed(seat, by, "Mana")
        case f.VpGained(seat, amount):
            return _changed(seat, amount, "Victory Point")
        case f.WellHarvested(region):
            return f"the Mana Well in {region} was harvested"
        case f.PowerPlaced(seat, ancient, power, region):
            return f"{seat_name(seat)} laid {power} of {ancient} on {region}"
        case f.EncounterTriggered(name, golem, region):
            return f"{fallen_name(golem)} met {name} in {region}"
        case f.QuestFulfilled(seat, number):
            return f"{seat_name(seat)} fulfilled secret quest {number}"
        case f.WorkQueued(items):
            return "; ".join(_awaited(item) for item in items)
        case f.WorkDone():
            return "that was settled"
        case f.GameEnded(leaders, won, reason):
            names = " and ".join(seat_name(seat) for seat in leaders)
            return f"{names} {'won' if won else 'drew'} {_REASONS[reason]}"
        case f.CooldownsFell(seat):
            return f"every ability of {seat_name(seat)}'s Golems cooled by a pip"
        case f.StatusesFaded(seat):
            return f"the status effects that {seat_name(seat)} caused ran down"
        case _:
            return _about_unit(fact)


def _changed(seat: str, by: int, what: str) -> str:
    plural = "s" * (what != "Mana" and abs(by) != 1)
    return f"{seat_name(seat)} {'gained' if by > 0 else 'gave'} {abs(by)} {what}{plural}"


UnitFact = (
    f.GolemDeployed
    | f.GolemHeld
    | f.DamageTaken
    | f.HitPointsRestored
    | f.UnitDestroyed
    | f.CooldownGained
    | f.AbilityUsed
    | f.CooldownLost
    | f.StatusGained
    | f.StatusesCleansed
    | f.GolemMoved
    | f.GolemDisplaced
    | f.GolemTeleported
    | f.GolemEntered
    | f.RelicUsed
    | f.ConstructPlaced
)


def _about_unit(fact: UnitFact) -> str:
    unit = getattr(fact, "golem", "") or getattr(fact, "unit", "") or getattr(fact, "construct", "")
    who = fallen_name(unit)
    match fact:
        case f.GolemDeployed(region=region):
            return f"{who} was deployed in {region}"
        case f.GolemHeld():
            return f"{who} was held in reserve"
        case f.DamageTaken(amount=amount):
            return f"{who} lost {amount} Hit Point{'s' * (amount != 1)}"
        case f.HitPointsRestored(amount=amount):
            return f"{who} got {amount} Hit Point{'s' * (amount != 1)} back"
        case f.UnitDestroyed():
            return f"{who} was destroyed"
        case f.CooldownGained(ability=ability, pips=pips):
            return f"{ability} of {who} gained {pips} pip{'s' * (pips != 1)}, and its cost doubled"
        case f.AbilityUsed(ability=ability):
            return f"{ability} of {who} was used, and does not cool"
        case f.CooldownLost(ability=ability, pips=pips):
            return f"{ability} of {who} cooled by {pips} pip{'s' * (pips != 1)}"
        case f.StatusGained(status=status):
            return f"{who} has {status.stat} {status.amount:+d} from {status.source}"
        case f.StatusesCleansed():
            return f"{who} was freed of what others had done to it"
        case f.GolemMoved(path=path):
            return f"{who} went to {', '.join(path)}"
        case f.GolemDisplaced(region=region):
            return f"{who} was displaced to {region}"
        case f.GolemTeleported(region=region):
            return f"{who} was in {region} all at once"
        case f.GolemEntered(region=region):
            return f"{who} entered in {region}"
        case f.RelicUsed():
            return f"{who} used its Relic"
        case f.ConstructPlaced(relic=relic, region=region):
            return f"{who}, {relic}, was raised in {region}"
        case unreachable:
            assert_never(unreachable)


def _awaited(item: Item) -> str:
    match item:
        case Roll(attacker=golem, ability=ability, target=target):
            return f"{ability} of {fallen_name(golem)} at {target} awaits the dice"
        case Displace(golem=golem):
            return f"{fallen_name(golem)} is to be displaced"
        case Advance(golem=golem, path=path):
            return f"{fallen_name(golem)} is to advance towards {path[-1]}"
        case Step(golem=golem):
            return f"{fallen_name(golem)} may take a free step"
        case Choice(encounter=name, golem=golem):
            return f"{fallen_name(golem)} has a choice to make: {name}"
        case Meet(golem=golem):
            return f"{fallen_name(golem)} looks around"
        case Hide() | DealQuest() | DeployArmy() | Begin():
            return "setting up goes on"
        case unreachable:
            assert_never(unreachable)
