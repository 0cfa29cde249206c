"""The scene that a viewer sees: the board, the units on it, their cards, the seats' points."""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.ancients import mana_cost
from domain.games.golem_arcana.battle.attacks import attack_of, region_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost, heat_of
from domain.games.golem_arcana.battle.modifiers import laid_power
from domain.games.golem_arcana.battle.sides import LONE
from domain.games.golem_arcana.battle.sight import line
from domain.games.golem_arcana.battle.stacking import room
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Attack, Blessing, Miracle, Power
from domain.games.golem_arcana.display.army_status import charges
from domain.games.golem_arcana.display.captions import caption_of
from domain.games.golem_arcana.display.names import (
    ability_card,
    power_card,
    relic_card,
    seat_name,
    terrain_letters,
    terrain_name,
    unit_name,
)
from domain.games.golem_arcana.state import OFF, UNPLACED, Roll, State, on_board, seat_of
from domain.kernel.game import REFEREE
from domain.kernel.scene import Piece, Scene, Space, Track, Zone

_GLYPHS = {"warsprite": "", "ogre": "o", "titan": "T", "colossus": "C"}
"""How large a Golem is, behind its id."""


def look(state: State, viewer: str) -> Scene:
    """What a seat, `spectator` or `referee` may see."""
    battle = Battle(state)
    return Scene(
        caption=caption_of(battle, viewer),
        spaces=tuple(_space(battle, region) for region in battle.board.regions),
        pieces=(
            *_on_board(battle),
            *_on_cards(battle),
            *_places(battle),
            *_secrets(battle, viewer),
        ),
        zones=tuple(_zones(battle, viewer)),
        tracks=tuple(_tracks(battle)),
        attributes=_attributes(battle),
    )


def _attributes(battle: Battle) -> dict[str, str]:
    state = battle.state
    found = {"scenario": battle.scenario.name, "round": str(state.round)}
    if battle.scenario.rounds:
        found["rounds"] = str(battle.scenario.rounds)
    if battle.scenario.vp_target:
        found["victory_points_to_win"] = str(battle.scenario.vp_target)
    if state.variants.teams != LONE:
        sides = (" and ".join(map(seat_name, side)) for side in battle.sides)
        found["sides"] = " against ".join(sides)
    if gone := [seat_name(seat) for seat in battle.seats if battle.is_out(seat)]:
        found["out"] = ", ".join(gone)
    item = state.todo[0] if state.todo else None
    if isinstance(item, Roll):
        start = battle.golem(item.attacker).where
        end = region_of(battle, attack_of(battle, item), item.target)
        found["line_of_sight"] = f"{start} to {end}: {line(battle, start, end)}"
    return found


def _space(battle: Battle, region: str) -> Space:
    terrain = battle.terrain(region)
    x, y = battle.board.place(region)
    attributes = {"room": str(max(room(battle, region), 0))}
    if terrain.cover != "none":
        attributes["cover"] = terrain.cover
    if terrain.obstructions:
        attributes["obstructions"] = str(terrain.obstructions)
    if damage := entry_damage(terrain):
        attributes["damage_on_entering"] = str(damage)
    for place in battle.scenario.locations:
        if region in _expanded(battle, place.regions):
            attributes["location"] = f"{place.name}: {place.vp} VP"
    for seat in battle.scenario.seats:
        if region in battle.pack.zone(battle.scenario.id, seat):
            attributes["zone"] = seat
    return Space(
        region, x, y, terrain_name(terrain), terrain_letters(terrain) or region, attributes
    )


def _expanded(battle: Battle, regions: tuple[str, ...]) -> tuple[str, ...]:
    return battle.pack.regions(battle.scenario.id, regions)


# --- pieces --------------------------------------------------------------------------------------


def _on_board(battle: Battle) -> Iterator[Piece]:
    """Golems, Constructs, wells, Blessings and Curses."""
    for name in battle.golems:
        yield _golem(battle, name, battle.golem(name).where)
    for unit in battle.constructs:
        construct, card = battle.state.constructs[unit], battle.construct_card(unit)
        attributes = {"hit points": f"{construct.hp} of {card.hp}", "armor": str(card.armor)}
        attributes |= {"dodge": str(card.dodge)}
        yield Piece(
            unit, "construct", unit, construct.where, seat_of(unit), unit_name(battle, unit),
            attributes,
        )  # fmt: skip
    for well in battle.scenario.wells:
        side = battle.state.wells.get(well.at)
        if side is not None:
            capacity = str(well.start if side == "L" else well.depleted)
            yield Piece(
                f"well-{well.at}", "mana well", "*" if side == "L" else "'", well.at,
                name="Mana Well", attributes={"capacity": capacity},
            )  # fmt: skip
    for name, region in battle.laid:
        seat, ancient, power = name.split(".")
        laid = laid_power(battle.pack.ancients[ancient], power)
        kind = "blessing" if isinstance(laid, Blessing) else "curse"
        yield Piece(f"laid-{name}", kind, "+" if kind == "blessing" else "-", region, seat,
                    f"{seat_name(seat)}'s {laid.name}",
                    {each.stat: f"{each.amount:+d}" for each in laid.modifiers})  # fmt: skip


def _golem(battle: Battle, name: str, where: str) -> Piece:
    golem, card = battle.golem(name), battle.card(name)
    seat = seat_of(name)
    attributes = {
        "size": card.size,
        "hit points": f"{golem.hp} of {card.hp}",
        "armor": str(card.armor),
        "dodge": str(card.dodge),
    }
    knight, relic = battle.knight(name), battle.relic(name)
    if knight is not None:
        attributes["knight"] = knight.name
    if relic is not None:
        left = "" if golem.charges is None else f", {golem.charges} charges"
        attributes["relic"] = f"{relic.name}{left}"
    for status in golem.statuses:
        attributes[f"{status.stat} by {status.source} of {status.seat}"] = (
            f"{status.amount:+d}, {status.left} Upkeeps left"
        )
    place = where if on_board(where) else f"{'reserve' if where == OFF else 'muster'}-{seat}"
    glyph = f"{name}{_GLYPHS[card.size]}"
    return Piece(name, "golem", glyph, place, seat, unit_name(battle, name), attributes)


def _on_cards(battle: Battle) -> Iterator[Piece]:
    """Abilities, Relics and powers, as they lie before the players."""
    for name in battle.golems:
        seat, zone = seat_of(name), f"card-{name}"
        for ability in battle.abilities(name).values():
            heat = heat_of(battle, name, ability.id)
            attributes = {"AP": str(cost(battle, name, ability))} if ability.ap else {}
            if heat.pips:
                attributes["pips"] = str(heat.pips)
            if isinstance(ability, Attack):
                attributes |= {"accuracy": str(ability.accuracy), "damage": str(ability.damage)}
                attributes |= {"range": str(ability.range)} if ability.range else {}
                attributes |= {"ignores armor": str(ability.pierce)} if ability.pierce else {}
            elif isinstance(ability, Power):
                attributes |= _price(ability)
            else:
                attributes["MP"] = str(ability.mp)
            card = ability_card(name, ability.id)
            yield Piece(card, "ability", ability.name, zone, seat, ability.name, attributes)
        relic = battle.relic(name)
        if relic is not None:
            attributes = {**charges(battle, name), **_price(relic.ability)}
            attributes |= {"AP": str(relic.ability.ap)} if relic.ability.ap else {}
            title = f"{relic.name}: {relic.ability.name}"
            yield Piece(relic_card(name), "relic", title, zone, seat, title, attributes)
        for status in battle.golem(name).statuses:
            mark = f"{name}!{status.source}:{status.stat}:{status.seat}"
            words = f"{status.stat} {status.amount:+d} by {status.source} of {status.seat}"
            left = {"Upkeeps left": str(status.left)}
            yield Piece(mark, "status effect", words, zone, seat, words, left)
    for seat in battle.seats:
        for ancient in battle.state.seats[seat].ancients:
            yield from _powers(battle, seat, ancient)


def _places(battle: Battle) -> Iterator[Piece]:
    """Where Victory Points are to be had."""
    for n, place in enumerate(battle.scenario.locations, 1):
        regions = ", ".join(_expanded(battle, place.regions))
        attributes = {"regions": regions, "VP": str(place.vp)}
        yield Piece(f"place-{n}", "place", place.name, "places", "", place.name, attributes)


def _price(power: Power) -> dict[str, str]:
    prices = {"Mana": power.mana, "HP": power.hp}
    return {what: str(amount) for what, amount in prices.items() if amount}


def _powers(battle: Battle, seat: Seat, ancient: str) -> Iterator[Piece]:
    for power in battle.pack.ancients[ancient].power:
        kind = type(power).__name__.lower()
        attributes = {"Mana": str(mana_cost(battle, seat, ancient, power))}
        if not isinstance(power, Miracle):
            lies = battle.state.powers.get(power_card(seat, ancient, power.id))
            attributes |= {"lies in": lies} if lies else {}
        yield Piece(
            power_card(seat, ancient, power.id), kind, power.name, f"ancient-{seat}-{ancient}",
            seat, f"{power.name} ({kind})", attributes,
        )  # fmt: skip


def _secrets(battle: Battle, viewer: str) -> Iterator[Piece]:
    state = battle.state
    for seat, dealt in battle.dealt:
        quest = battle.quest(seat)
        if quest is not None and (dealt.fulfilled or viewer in (seat, REFEREE)):
            done = {"fulfilled": "yes"} if dealt.fulfilled else {}
            attributes = {"number": str(dealt.number), "VP": str(quest.vp), **done}
            yield Piece(f"quest-{seat}", "quest", quest.name, "secrets", seat,
                        f"{seat_name(seat)}'s quest: {quest.name}", attributes)  # fmt: skip
        else:
            yield Piece(f"quest-{seat}", "quest", "?", "secrets", seat,
                        f"{seat_name(seat)}'s secret quest")  # fmt: skip
    for encounter in battle.scenario.encounters:
        hidden = state.encounters.get(encounter.id)
        if hidden is None or not (hidden.triggered or viewer == REFEREE):
            continue
        attributes = {"region": hidden.where, "met": "yes" if hidden.triggered else "no"}
        yield Piece(f"encounter-{encounter.id}", "encounter", encounter.name, "secrets",
                    name=encounter.name, attributes=attributes)  # fmt: skip


# --- zones and tracks ----------------------------------------------------------------------------


def _zones(battle: Battle, viewer: str) -> Iterator[Zone]:
    for seat in battle.seats:
        places = {golem.where for n, golem in battle.state.golems.items() if n[0] == seat[0]}
        if UNPLACED in places:
            zone = ", ".join(battle.pack.zone(battle.scenario.id, seat))
            yield Zone(f"muster-{seat}", f"{seat_name(seat)} has still to deploy in {zone}", seat)
        if OFF in places:
            yield Zone(f"reserve-{seat}", f"{seat_name(seat)}'s reserve", seat)
        for ancient in battle.state.seats[seat].ancients:
            name = battle.pack.ancients[ancient].name
            yield Zone(f"ancient-{seat}-{ancient}", f"{seat_name(seat)}: {name}", seat)
    for name in battle.golems:
        yield Zone(f"card-{name}", _card_title(battle, name), seat_of(name), piece=name)
    if battle.scenario.locations:
        yield Zone("places", "Places to hold")
    if battle.scenario.quests or any(
        each.triggered or viewer == REFEREE for each in battle.state.encounters.values()
    ):
        yield Zone("secrets", "Quests and encounters")


def _card_title(battle: Battle, name: str) -> str:
    golem, card = battle.golem(name), battle.card(name)
    knight = battle.knight(name)
    where = {OFF: "in reserve", UNPLACED: "not deployed"}.get(golem.where, golem.where)
    if on_board(golem.where):
        where += f", {terrain_name(battle.terrain(golem.where))}"
    driven = f" with {knight.name}" if knight else ""
    return (
        f"{name} {card.name}{driven}, {card.size}, armor {card.armor}, dodge {card.dodge} ({where})"
    )


def _tracks(battle: Battle) -> Iterator[Track]:
    rounds = battle.scenario.rounds or None
    yield Track("round", "Round", battle.state.round, most=rounds)
    for seat in battle.seats:
        name, purse = seat_name(seat), battle.state.seats[seat]
        yield Track(f"ap-{seat}", f"{name}'s Action Points", purse.ap, seat)
        yield Track(f"mana-{seat}", f"{name}'s Mana", purse.mana, seat)
        target = battle.scenario.vp_target
        yield Track(f"vp-{seat}", f"{name}'s Victory Points", purse.vp, seat, target)
    for name in battle.golems:
        golem, card = battle.golem(name), battle.card(name)
        yield Track(
            f"hp-{name}", f"{name} {card.name}", golem.hp, seat_of(name), card.hp, piece=name
        )
