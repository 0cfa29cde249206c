"""Positions written as one line of thirteen fields."""

from typing import Final, assert_never

import msgspec

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.state import (
    Advance,
    Begin,
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Golem,
    Hide,
    Item,
    Meet,
    Outcome,
    Purse,
    Roll,
    State,
    Step,
    Variants,
)

VERSION: Final = "ga1"
HIDDEN: Final = "?"
"""What stands for what a viewer may not know."""


def write_position(state: State) -> str:
    """The whole state, with all that is hidden."""
    return _write(state, _secrets(state), [write_item(item) for item in state.todo])


def write_view(state: State, viewer: str) -> str:
    """The position as a seat, `spectator` or `referee` may see it."""
    if viewer == "referee":
        return write_position(state)
    todo = [f"hide/{HIDDEN}" if isinstance(i, Hide) else write_item(i) for i in state.todo]
    return _write(state, _known_secrets(state, viewer), todo)


def _write(state: State, secrets: list[str], todo: list[str]) -> str:
    battle = Battle(state)
    golems = [f"{name}={write_golem(state.golems[name])}" for name in battle.golems]
    constructs = [
        f"{name}={each.relic}@{each.where}:{each.hp}"
        for name in battle.constructs
        for each in (state.constructs[name],)
    ]
    seats = [write_purse(seat, state.seats[seat]) for seat in battle.seats]
    wells = [
        f"{region}:{state.wells[region]}"
        for region in battle.board.regions
        if region in state.wells
    ]
    powers = [f"{name}@{region}" for name, region in battle.laid]
    fields = (
        VERSION,
        state.scenario,
        write_variants(state.variants),
        f"R{state.round}",
        state.turn or "-",
        ";".join(seats),
        ";".join(golems) or "-",
        ";".join(constructs) or "-",
        ",".join(wells) or "-",
        ",".join(powers) or "-",
        ",".join(secrets) or "-",
        ",".join(todo) or "-",
        write_outcome(state.outcome),
    )
    return " ".join(fields)


def write_purse(seat: str, purse: Purse) -> str:
    """What a seat has.

    >>> write_purse("south", Purse(4, 1, 0, ("urzal", "nahesh")))
    'south:4:1:0:urzal+nahesh'
    >>> write_purse("east", Purse(0, 2, 1, out=True))
    'east:0:2:1:-:out'
    """
    ancients, out = "+".join(purse.ancients) or "-", ":out" * purse.out
    return f"{seat}:{purse.ap}:{purse.mana}:{purse.vp}:{ancients}{out}"


def write_variants(variants: Variants) -> str:
    """The options that differ from their default.

    >>> write_variants(Variants(range="steps", cooldown="text"))
    'cooldown=text,range=steps'
    """
    chosen: dict[str, str] = msgspec.to_builtins(variants)
    return ",".join(f"{name}={chosen[name]}" for name in sorted(chosen)) or "-"


def write_golem(golem: Golem) -> str:
    """A Golem without its id.

    >>> write_golem(Golem("sand-lion", "a1", 50, knight="tamsin"))
    'sand-lion+tamsin@a1:50'
    """
    knight = f"+{golem.knight}" if golem.knight else ""
    charges = "" if golem.charges is None else f".{golem.charges}"
    relic = f"*{golem.relic}{charges}" if golem.relic else ""
    heats = [
        f"%{name}.{heat.pips}.{heat.doublings}{'u' if heat.used else ''}"
        for name, heat in sorted(golem.heat.items())
    ]
    statuses = [
        f"!{each.source}:{each.stat}:{each.amount}:{each.left}:{each.seat}"
        for each in golem.statuses
    ]
    marks = "".join((*heats, *statuses))
    return f"{golem.type}{knight}{relic}@{golem.where}:{golem.hp}{marks}"


def _secrets(state: State) -> list[str]:
    quests = [
        f"{seat}={dealt.number or HIDDEN}{'!' * dealt.fulfilled}"
        for seat, dealt in Battle(state).dealt
    ]
    return quests + [_encounter(state, name) for name in _scenario_order(state)]


def _known_secrets(state: State, viewer: str) -> list[str]:
    quests = [
        f"{seat}={dealt.number if known else HIDDEN}{'!' * dealt.fulfilled}"
        for seat, dealt in Battle(state).dealt
        for known in (dealt.fulfilled or seat == viewer,)
    ]
    shown = [name for name in _scenario_order(state) if state.encounters[name].triggered]
    return quests + [_encounter(state, name) for name in shown]


def _scenario_order(state: State) -> list[str]:
    scenario = Battle(state).scenario
    return [each.id for each in scenario.encounters if each.id in state.encounters]


def _encounter(state: State, name: str) -> str:
    hidden = state.encounters[name]
    return f"{name}={hidden.where}{'!' * hidden.triggered}"


def write_item(item: Item) -> str:
    """A work item.

    >>> write_item(Displace("n1", "away", 1, "b7", "south"))
    'displace/n1/away/1/b7/south'
    """
    match item:
        case Hide(encounter=name):
            return f"hide/{name}"
        case DealQuest(seat=seat):
            return f"quest/{seat}"
        case DeployArmy(seat=seat):
            return f"deploy/{seat}"
        case Begin():
            return "begin"
        case Roll():
            verb = "croll" if item.charge else "roll"
            return f"{verb}/{item.attacker}/{item.ability}/{item.target}"
        case Displace():
            words = (item.golem, item.way, str(item.steps), item.origin, item.seat)
            return f"displace/{'/'.join(words)}"
        case Advance():
            return f"advance/{item.golem}/{item.way}/{'-'.join(item.path)}"
        case Step(golem=golem):
            return f"step/{golem}"
        case Meet(golem=golem):
            return f"meet/{golem}"
        case Choice():
            return f"choice/{item.encounter}/{item.golem}"
        case unreachable:
            assert_never(unreachable)


def write_outcome(outcome: Outcome | None) -> str:
    """The result field."""
    if outcome is None:
        return "*"
    return f"{'win' if outcome.won else 'draw'}:{'+'.join(outcome.leaders)}"
