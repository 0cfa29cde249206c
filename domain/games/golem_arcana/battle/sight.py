"""Line of Sight: what lies between two Regions, and what of it blocks the view."""

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle
from domain.kernel.rulings import Refused


class Block(Struct, frozen=True):
    """What blocks a line."""

    region: str
    rule: str
    what: str


def block(battle: Battle, start: str, end: str) -> Block | None:
    """The first thing between two Regions that blocks the Line of Sight; None for a clear one."""
    raised = "elevated" in (battle.terrain(start).base, battle.terrain(end).base)
    for region in battle.board.between(start, end):
        base = battle.terrain(region).base
        if base == "blocking":
            return Block(region, "ga.los.line", "blocking terrain")
        if base == "elevated" and not raised:
            return Block(region, "ga.los.elevated", "elevated ground, and neither end is elevated")
        if any(battle.size(name) == "colossus" for name in battle.standing.get(region, ())):
            return Block(region, "ga.los.colossus", "a Colossus")
    return None


def refuse_sight(battle: Battle, start: str, end: str) -> Refused | None:
    """Why there is no Line of Sight from one Region to another."""
    found = block(battle, start, end)
    if found is None:
        return None
    why = f"the Line of Sight from {start} to {end} is blocked in {found.region} by {found.what}"
    return Refused("ga.los.blocked", why, {"region": found.region, "rule": found.rule})


def line(battle: Battle, start: str, end: str) -> str:
    """The Regions between, for people: `b2, c2`, or `none`."""
    return ", ".join(battle.board.between(start, end)) or "none"
