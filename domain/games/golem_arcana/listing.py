"""The one order of each list of a position: seats in Turn order, units in id order, and so on."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from domain.games.golem_arcana.battle import Battle
from domain.games.golem_arcana.state import (
    Golem,
    Outcome,
    State,
    number_of,
    seat_of,
    status_key,
)

K = TypeVar("K")
V = TypeVar("V")


def in_order(state: State) -> State:
    """The state with every list in its order. What belongs nowhere comes last: checks find it."""
    battle = Battle(state)
    seats, encounters = battle.scenario.seats, (each.id for each in battle.scenario.encounters)
    of_seat, of_encounter = _place(seats), _place(encounters)

    def of_unit(unit: str) -> tuple[int, int]:
        return of_seat(seat_of(unit)), number_of(unit)

    def of_power(name: str) -> tuple[str, ...]:
        return tuple(name.split("."))

    golems = {name: _golem(golem) for name, golem in state.golems.items()}
    return replace(
        state,
        seats=_sorted(state.seats, of_seat),
        golems=_sorted(golems, of_unit),
        constructs=_sorted(state.constructs, of_unit),
        wells=_sorted(state.wells, _place(battle.board.regions)),
        powers=_sorted(state.powers, of_power),
        quests=_sorted(state.quests, of_seat),
        encounters=_sorted(state.encounters, of_encounter),
        outcome=_outcome(state.outcome, of_seat),
    )


def _golem(golem: Golem) -> Golem:
    heat = {name: golem.heat[name] for name in sorted(golem.heat)}
    return replace(golem, heat=heat, statuses=tuple(sorted(golem.statuses, key=status_key)))


def _outcome(outcome: Outcome | None, key: Callable[[str], int]) -> Outcome | None:
    if outcome is None:
        return None
    return replace(outcome, leaders=tuple(sorted(outcome.leaders, key=key)))


def _sorted(things: Mapping[K, V], key: Callable[[K], object]) -> dict[K, V]:
    return {name: things[name] for name in sorted(things, key=key)}  # type: ignore[arg-type]


def _place(names: Iterable[str]) -> Callable[[str], int]:
    places = {name: n for n, name in enumerate(names)}
    return lambda name: places.get(name, len(places))
