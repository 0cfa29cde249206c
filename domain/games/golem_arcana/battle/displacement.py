"""Displacement, and the free step ("Charge attacks and some Special Effects")."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import enter_hazard
from domain.games.golem_arcana.battle.stacking import fits, stacking_rulings
from domain.games.golem_arcana.battle.surprises import come_to_rest
from domain.games.golem_arcana.facts import GolemDisplaced, GolemMoved, WorkDone
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Displace, Step
from domain.kernel.rulings import Refused


def places(battle: Battle, item: Displace) -> list[str]:
    """The Regions a displaced Golem can go to, in order; none once it is destroyed."""
    if item.golem not in battle.state.golems:
        return []
    board, here = battle.board, battle.golem(item.golem).where
    away = board.steps(item.origin, here)
    return [
        region
        for region in board.regions
        if 0 < board.steps(here, region) <= item.steps
        and (item.way != "away" or board.steps(item.origin, region) > away)
        and (item.way != "toward" or board.steps(item.origin, region) < away)
        and fits(battle, item.golem, region)
    ]


def displace(course: Resolution, item: Displace, region: str) -> None:
    """Put the Golem into this Region. Only the Region it ends in counts."""
    choices = places(course.battle, item)
    course.record(WorkDone())
    course.record(
        GolemDisplaced(item.golem, region),
        "ga.displace.kind",
        "ga.displace.place",
        *stacking_rulings(course.battle, region),
        kind=item.way,
        steps=item.steps,
        seen_from=item.origin,
        possible=", ".join(choices),
    )
    enter_hazard(course, item.golem)
    come_to_rest(course, item.golem)


def refuse_displacement(battle: Battle, item: Displace, region: str) -> Refused | None:
    """Why the Golem cannot be displaced to this Region of the board."""
    possible = places(battle, item)
    if region in possible:
        return None
    why = f"{battle.named(item.golem)} can be displaced to {', '.join(possible)}, not to {region}"
    return Refused("ga.displace.place", why, {"kind": item.way, "steps": item.steps})


def step_places(battle: Battle, item: Step) -> list[str]:
    """The Regions a free step can go to: adjacent, not blocking, with room (GA-R30).

    None once the Golem is destroyed.
    """
    if item.golem not in battle.state.golems:
        return []
    here = battle.golem(item.golem).where
    return [each for each in battle.board.adjacent[here] if fits(battle, item.golem, each)]


def step(course: Resolution, item: Step, region: str) -> None:
    """Take the free step: no cost, no Breakaway, no Cooldown."""
    course.record(WorkDone())
    course.record(GolemMoved(item.golem, (region,)), "ga.step.place", to=region)
    enter_hazard(course, item.golem)
    come_to_rest(course, item.golem)


def refuse_step(battle: Battle, item: Step, region: str) -> Refused | None:
    """Why the free step cannot go to this Region of the board."""
    possible = step_places(battle, item)
    if region in possible:
        return None
    can = ", ".join(possible) or "nowhere"
    why = f"{battle.named(item.golem)} can step to {can}, not to {region}; or it stays"
    return Refused("ga.step.place", why)
