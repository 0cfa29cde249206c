"""How many Golems a Region holds ("More than one Golem can occupy a single Region")."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.terrain import capacity
from domain.kernel.rulings import Refused


def room(battle: Battle, region: str) -> int:
    """The Base Sizes that still fit into a Region."""
    holds = capacity(battle.terrain(region), battle.pack.tables)
    return holds - battle.taken.get(region, 0)


def fits(battle: Battle, name: str, region: str) -> bool:
    """Is there room for this Golem, which stands elsewhere? Nobody stops in blocking terrain."""
    if battle.terrain(region).base == "blocking":
        return False
    return room(battle, region) >= battle.base_size(name)


def refuse_blocking(battle: Battle, region: str) -> Refused | None:
    """Why no Golem may stop here, if the terrain is the reason."""
    if battle.terrain(region).base != "blocking":
        return None
    return Refused("ga.terrain.blocking", f"{region} is blocking terrain: no Golem can stop there")


def refuse_full(battle: Battle, name: str, region: str) -> Refused | None:
    """Why this Golem does not fit into a Region it does not stand in."""
    need, free = battle.base_size(name), room(battle, region)
    if need <= free:
        return None
    terrain = battle.terrain(region)
    why = f"{region} has room for Base Size {max(free, 0)}, but {battle.named(name)} needs {need}"
    figures: dict[str, int | str] = {
        "capacity": capacity(terrain, battle.pack.tables),
        "taken": battle.taken.get(region, 0),
        "needed": need,
    }
    return Refused("ga.stack.full", why, figures)


def stacking_rulings(battle: Battle, region: str) -> tuple[str, ...]:
    """The rules behind the room in a Region."""
    if battle.terrain(region).obstructions:
        return ("ga.stack.limit", "ga.stack.obstruction")
    return ("ga.stack.limit",)
