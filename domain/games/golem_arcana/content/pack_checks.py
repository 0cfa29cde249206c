"""What must hold between the entries of a pack: each check yields lines `entry: key: reason`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Final

from domain.games.golem_arcana.battle.board import Board
from domain.games.golem_arcana.battle.terrain import capacity
from domain.games.golem_arcana.content.cards import Army, Encounter, HoldQuest, RelicCard, Scenario
from domain.games.golem_arcana.content.layout import LayoutError, expand, lay_out
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import (
    SIZES,
    Ability,
    AnyEffect,
    Attack,
    DrainMana,
    FreeStep,
    Miracle,
    Passive,
    Power,
    Push,
    Raise,
    Teleport,
)

MOST_QUESTS: Final = 99


def check_cards(pack: Pack) -> Iterator[str]:
    """What is wrong between tables and cards."""
    yield from _check_tables(pack)
    for faction in pack.factions.values():
        if not any(golem.arcanum in faction.arcana for golem in pack.golems.values()):
            yield f"faction {faction.id}: arcana: no golem is of these"
    for golem in pack.golems.values():
        where = f"golem {golem.id}"
        yield from _check_abilities(where, golem.ability)
        yield from _check_passives(where, golem.passive)
    for knight in pack.knights.values():
        where = f"knight {knight.id}"
        yield from _check_factions(pack, where, knight.factions)
        yield from _check_abilities(where, knight.ability)
        yield from _check_passives(where, knight.passive)
        own = {ability.id for ability in knight.ability}
        for golem in pack.golems.values():
            for twice in own & {ability.id for ability in golem.ability}:
                yield f"{where}: ability: {twice} is an ability of golem {golem.id} too"
    for ancient in pack.ancients.values():
        where = f"ancient {ancient.id}"
        yield from _check_factions(pack, where, ancient.factions)
        yield from _check_unique(where, "power", (power.id for power in ancient.power))
        for n, power in enumerate(ancient.power):
            if isinstance(power, Miracle):
                yield from _check_plain(where, f"power[{n}].effects", power.effects)
    arcana = {golem.arcanum for golem in pack.golems.values()}
    for relic in pack.relics.values():
        yield from _check_relic(relic, arcana)


def _check_tables(pack: Pack) -> Iterator[str]:
    tables = pack.tables
    for size in SIZES:
        if size not in tables.base_size:
            yield f"base_size: {size}: missing"
        if size not in tables.kill_vp:
            yield f"kill_vp: {size}: missing"
    if "construct" not in tables.kill_vp:
        yield "kill_vp: construct: missing"
    if "region" not in tables.capacity:
        yield "capacity: region: missing"
    for kind in ("ground", "shallow", "medium", "deep", "pit", "heavy"):
        missing = [size for size in SIZES if size not in tables.cover.get(kind, {})]
        if missing:
            yield f"cover: {kind}: {', '.join(missing)} missing"
    costs = "plain ground medium elevated obstructed shallow deep pit swamp"
    for kind in costs.split():
        if kind not in tables.walk_cost:
            yield f"walk_cost: {kind}: missing"
    for apv in tables.ap_pool:
        if not (apv.isascii() and apv.isdigit()):
            yield f"ap_pool: {apv}: must be a number of points"


def _check_factions(pack: Pack, where: str, factions: tuple[str, ...]) -> Iterator[str]:
    for n, faction in enumerate(factions):
        if faction not in pack.factions:
            yield f"{where}: factions[{n}]: there is no faction {faction}"


def _check_unique(where: str, key: str, names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{where}: {key}: {name} is there twice"
        seen.add(name)


def _check_abilities(where: str, abilities: tuple[Ability, ...]) -> Iterator[str]:
    yield from _check_unique(where, "ability", (ability.id for ability in abilities))
    for n, ability in enumerate(abilities):
        key = f"ability[{n}]"
        if isinstance(ability, Attack):
            yield from _check_attack(where, key, ability)
        elif isinstance(ability, Power):
            yield from _check_power(where, key, ability, construct=False)


def _check_attack(where: str, key: str, attack: Attack) -> Iterator[str]:
    if (attack.mode == "ranged") != (attack.range is not None):
        yield f"{where}: {key}.range: a ranged attack has a range, a melee attack has none"
    for n, effect in enumerate(attack.effects):
        at = f"{where}: {key}.effects[{n}]"
        if isinstance(effect, Teleport | Raise):
            yield f"{at}.op: only a power can do this"
        if isinstance(effect, Push) and (attack.area or effect.to != "target"):
            yield f"{at}.op: displaces the one target of an attack that is not area"
        yield from _check_inward(at, effect)
        if isinstance(effect, FreeStep) and effect.to != "self":
            yield f"{at}.to: a free step is for the attacker: to = self"


def _check_power(where: str, key: str, power: Power, *, construct: bool) -> Iterator[str]:
    if (power.target == "self") != (power.range is None):
        yield f"{where}: {key}.range: a power has a range unless its target is self"
    if power.los and power.target != "enemy":
        yield f"{where}: {key}.los: only a power on an enemy needs Line of Sight"
    for n, effect in enumerate(power.effects):
        at = f"{where}: {key}.effects[{n}]"
        yield from _check_inward(at, effect)
        needs_region = isinstance(effect, Teleport | Raise)
        if needs_region != (power.target == "region"):
            yield f"{at}.op: teleport and construct, and only they, have a Region as target"
        if isinstance(effect, Raise) and not construct:
            yield f"{at}.op: only a Relic with a construct can place one"
        if isinstance(effect, FreeStep):
            yield f"{at}.op: only an attack gives a free step"
        if isinstance(effect, Push) and power.target not in ("ally", "enemy"):
            yield f"{at}.op: displaces a Golem that is the target"
        if effect.to == "target-group" and power.target == "region":
            yield f"{at}.to: there is no target Golem"


def _check_inward(at: str, effect: AnyEffect) -> Iterator[str]:
    if effect.to == "own-group" and effect.only is not None:
        yield f"{at}.only: nobody in one's own group is an enemy"


def _check_plain(where: str, key: str, effects: tuple[AnyEffect, ...]) -> Iterator[str]:
    """Miracles and encounters work on a Golem where it stands."""
    for n, effect in enumerate(effects):
        if isinstance(effect, Push | FreeStep | Teleport | Raise):
            yield f"{where}: {key}[{n}].op: not possible here"
        if effect.to != "target":
            yield f"{where}: {key}[{n}].to: there is only the target here"
        if isinstance(effect, DrainMana) and where.startswith("scenario"):
            yield f"{where}: {key}[{n}].op: an encounter has no enemy to drain"


def _check_passives(where: str, passives: tuple[Passive, ...]) -> Iterator[str]:
    for n, passive in enumerate(passives):
        if (passive.stat is None) == (passive.kind is None):
            yield f"{where}: passive[{n}]: has either stat or kind"
        if passive.affects == "allies" and passive.stat is None:
            yield f"{where}: passive[{n}].affects: only a stat helps allies"


def _check_relic(relic: RelicCard, arcana: Container[str]) -> Iterator[str]:
    where = f"relic {relic.id}"
    yield from _check_passives(where, relic.passive)
    yield from _check_power(where, "ability", relic.ability, construct=relic.construct is not None)
    places = sum(isinstance(effect, Raise) for effect in relic.ability.effects)
    if (relic.construct is not None) != bool(places):
        yield f"{where}: construct: goes with an ability that places it"
    power = relic.ability
    if relic.charges is None and not (power.ap or power.mana or power.hp):
        yield f"{where}: charges: what costs nothing has charges, or it never ends"
    for n, arcanum in enumerate(relic.arcana):
        if arcanum not in arcana:
            yield f"{where}: arcana[{n}]: no golem is of {arcanum}"
    if places and relic.charges != 1:
        yield f"{where}: charges: a Construct is placed once: 1"
    if places > 1:
        yield f"{where}: ability.effects: a Construct is placed once"


def check_scenarios(pack: Pack) -> Iterator[str]:
    """What is wrong with tiles and scenarios."""
    for scenario in pack.scenarios.values():
        where = f"scenario {scenario.id}"
        try:
            board = lay_out(scenario, pack.tiles)
        except LayoutError as error:
            yield f"{where}: {error.key}: {error}"
            continue
        yield from _check_numbers(pack, where, scenario)
        yield from _check_lessons(where, scenario)
        yield from _check_regions(where, scenario, board)
        yield from _check_armies(pack, where, scenario, board)
        ids = [encounter.id for encounter in scenario.encounters]
        yield from _check_unique(where, "encounter", ids)
        for encounter in scenario.encounters:
            yield from _check_encounter(where, encounter)


def _check_lessons(where: str, scenario: Scenario) -> Iterator[str]:
    """Each lesson but the last of those in a row must come to an end."""
    in_a_row = [n for n, each in enumerate(scenario.lessons) if each.asked is None]
    for n, each in enumerate(scenario.lessons):
        given = [each.until, each.round, each.asked].count(None)
        if given < 2:
            yield f"{where}: lesson[{n}]: has one of until, round and asked"
        elif given > 2 and n != in_a_row[-1]:
            yield f"{where}: lesson[{n}]: never ends: give until, round or asked"
        if each.round is not None and scenario.rounds and each.round > scenario.rounds:
            yield f"{where}: lesson[{n}].round: there are {scenario.rounds} Rounds"


def _check_numbers(pack: Pack, where: str, scenario: Scenario) -> Iterator[str]:
    yield from _check_unique(where, "seats", scenario.seats)
    if scenario.ap is None and str(scenario.apv) not in pack.tables.ap_pool:
        yield f"{where}: apv: the table of pools has no {scenario.apv}: give ap"
    if scenario.elimination == "continue" and not scenario.rounds:
        yield f"{where}: rounds: must be limited if the game goes on without Golems"
    for key, table in (
        ("start_vp", scenario.start_vp),
        ("zone", scenario.zone),
        ("army", scenario.armies),
    ):
        for seat in table:
            if seat not in scenario.seats:
                yield f"{where}: {key}.{seat}: this seat does not play"
    if scenario.kill_vp is not None:
        missing = [kind for kind in (*SIZES, "construct") if kind not in scenario.kill_vp]
        if missing:
            yield f"{where}: kill_vp: {', '.join(missing)} missing"
    if 0 < len(scenario.quests) < len(scenario.seats):
        yield f"{where}: quest: every seat needs one of its own"
    if len(scenario.quests) > MOST_QUESTS:
        yield f"{where}: quest: at most {MOST_QUESTS}"


def _check_regions(where: str, scenario: Scenario, board: Board) -> Iterator[str]:
    lists = [(f"zone.{seat}", zone) for seat, zone in scenario.zone.items()]
    lists += [(f"wells[{n}].at", (well.at,)) for n, well in enumerate(scenario.wells)]
    lists += [(f"location[{n}]", place.regions) for n, place in enumerate(scenario.locations)]
    lists += [
        (f"encounter[{n}].candidates", encounter.candidates)
        for n, encounter in enumerate(scenario.encounters)
    ]
    lists += [
        (f"quest[{n}].regions", quest.regions)
        for n, quest in enumerate(scenario.quests)
        if isinstance(quest, HoldQuest)
    ]
    for key, regions in lists:
        try:
            expand(regions, board)
        except LayoutError as error:
            yield f"{where}: {key}: {error}"
    wells = [well.at for well in scenario.wells]
    yield from _check_unique(where, "wells", wells)


def _check_armies(pack: Pack, where: str, scenario: Scenario, board: Board) -> Iterator[str]:
    if scenario.build and not pack.fielding(scenario.apv):
        yield f"{where}: apv: no faction fields a Golem for {scenario.apv}"
    yield from _check_places(pack, where, scenario, board)
    for seat in scenario.seats:
        army = scenario.armies.get(seat)
        if scenario.build:
            if army is not None:
                yield f"{where}: army.{seat}: armies are built for this scenario"
            if not scenario.zone.get(seat):
                yield f"{where}: zone.{seat}: missing"
        elif army is None:
            yield f"{where}: army.{seat}: missing"
        else:
            yield from _check_army(pack, f"{where}: army.{seat}", army, board)
            unplaced = any(golem.at is None for golem in army.golems)
            if unplaced and not scenario.zone.get(seat):
                yield f"{where}: zone.{seat}: missing, for Golems without a place"


def _check_places(pack: Pack, where: str, scenario: Scenario, board: Board) -> Iterator[str]:
    """Golems begin where they may stand, and where there is room for all."""
    standing: dict[str, int] = {}
    for seat, army in scenario.armies.items():
        for n, golem in enumerate(army.golems):
            terrain = board.terrain.get(golem.at or "")
            if golem.at is None or terrain is None or golem.type not in pack.golems:
                continue
            if terrain.base == "blocking":
                at = f"army.{seat}.golems[{n}].at"
                yield f"{where}: {at}: {golem.at} is blocking terrain, where no Golem stands"
            size = pack.tables.base_size[pack.golems[golem.type].size]
            standing[golem.at] = standing.get(golem.at, 0) + size
    for region, taken in standing.items():
        room = max(capacity(board.terrain[region], pack.tables), 0)
        if taken > room:
            yield f"{where}: army: Base Sizes of {taken} in {region}, which has room for {room}"


def _check_army(pack: Pack, where: str, army: Army, board: Board) -> Iterator[str]:
    if army.faction not in pack.factions:
        yield f"{where}.faction: there is no faction {army.faction}"
    if not army.golems:
        yield f"{where}.golems: an army has at least one Golem"
    for n, golem in enumerate(army.golems):
        if golem.type not in pack.golems:
            yield f"{where}.golems[{n}].type: there is no golem {golem.type}"
        if golem.knight is not None and golem.knight not in pack.knights:
            yield f"{where}.golems[{n}].knight: there is no knight {golem.knight}"
        if golem.relic is not None and golem.relic not in pack.relics:
            yield f"{where}.golems[{n}].relic: there is no relic {golem.relic}"
        if golem.at is not None and golem.at not in board.number:
            yield f"{where}.golems[{n}].at: {golem.at} is not on the board"
    for n, ancient in enumerate(army.ancients):
        if ancient not in pack.ancients:
            yield f"{where}.ancients[{n}]: there is no ancient {ancient}"
    for twice in sorted({name for name in army.ancients if army.ancients.count(name) > 1}):
        yield f"{where}.ancients: {twice} is there twice"


def _check_encounter(where: str, encounter: Encounter) -> Iterator[str]:
    key = f"encounter {encounter.id}"
    if bool(encounter.effects) == bool(encounter.choices):
        yield f"{where}: {key}: has either effects or choices"
    yield from _check_plain(where, f"{key}.effects", encounter.effects)
    for n, choice in enumerate(encounter.choices):
        yield from _check_plain(where, f"{key}.choices[{n}].effects", choice.effects)
