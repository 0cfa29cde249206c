"""The scene that a viewer sees: the board, the units on it, their cards, what the seats have."""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.attacks import attack_of, region_of
from domain.games.golem_arcana.battle.battle import Battle, read_battle
from domain.games.golem_arcana.battle.sides import LONE
from domain.games.golem_arcana.battle.sight import line
from domain.games.golem_arcana.display.captions import caption_of
from domain.games.golem_arcana.display.legend import legend_of
from domain.games.golem_arcana.display.names import listed, seat_name, unit_piece
from domain.games.golem_arcana.display.prompts import prompt_of
from domain.games.golem_arcana.display.scene_board import markers, spaces
from domain.games.golem_arcana.display.scene_cards import cards, powers
from domain.games.golem_arcana.display.scene_goals import goals, secrets
from domain.games.golem_arcana.display.scene_scenario import scenario_cards
from domain.games.golem_arcana.display.scene_seats import (
    phases,
    round_counter,
    sides,
    tracks,
    zones,
)
from domain.games.golem_arcana.display.scene_units import asked_about, units
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Roll, State
from domain.kernel.scene import Mark, Scene, Tone


def scene(state: State, viewer: str) -> Scene:
    """What a seat, `spectator` or `referee` may see."""
    battle = read_battle(state)
    board = spaces(battle, viewer)
    pieces = (
        *units(battle),
        *markers(battle),
        *cards(battle),
        *powers(battle),
        *scenario_cards(battle.pack, state.scenario),
        *goals(battle),
        *secrets(battle, viewer),
    )
    counted = tuple(tracks(battle))
    return Scene(
        caption=caption_of(battle, viewer),
        spaces=board,
        pieces=pieces,
        zones=tuple(zones(battle, viewer)),
        tracks=counted,
        attributes=_attributes(battle),
        legend=legend_of(board, pieces, counted),
        sides=sides(battle),
        counters=(round_counter(battle),),
        phases=phases(battle),
        prompt=prompt_of(battle, viewer),
        marks=tuple(_marks(battle, viewer)),
    )


def _marks(battle: Battle, viewer: str) -> Iterator[Mark]:
    """Yield places to hold, and what is in question: with dice awaited, the line of the attack."""
    for place in battle.scenario.locations:
        regions = battle.pack.regions(battle.state.scenario, place.regions)
        holder = next((seat for seat in battle.seats if battle.holds(seat, regions)), None)
        if holder is None:
            yield Mark("area", at=regions)
            continue
        tone: Tone = ""
        if viewer in battle.seats:
            tone = "bad" if battle.hostile(viewer, holder) else "good"
        yield Mark("area", at=regions, label=ENGLISH.format("scene.held", seat=seat_name(holder)),
                   tone=tone)  # fmt: skip
    item = battle.state.todo[0] if battle.state.todo else None
    if asked := asked_about(battle):
        units = {*battle.state.golems, *battle.state.constructs}
        is_area = isinstance(item, Roll) and attack_of(battle, item).area
        at = tuple(
            each if n and is_area else unit_piece(battle, each)
            for n, each in enumerate(asked)
            if (n and is_area) or each in units
        )
        yield Mark("asked", at=at)
        if isinstance(item, Roll):
            yield Mark("line", at=at)


def _attributes(battle: Battle) -> dict[str, str]:
    state = battle.state
    found = {"scenario": battle.scenario.name, "round": str(state.round)}
    if battle.scenario.rounds:
        found["rounds"] = str(battle.scenario.rounds)
    if battle.scenario.vp_target:
        found["victory_points_to_win"] = str(battle.scenario.vp_target)
    if state.variants.teams != LONE:
        sides = [listed([*map(seat_name, side)]) for side in battle.sides]
        found["sides"] = ENGLISH.format("scene.against").join(sides)
    if gone := [seat_name(seat) for seat in battle.seats if battle.is_out(seat)]:
        found["out"] = ENGLISH.format("comma").join(gone)
    item = state.todo[0] if state.todo else None
    if isinstance(item, Roll):
        start = battle.golem(item.attacker).where
        end = region_of(battle, attack_of(battle, item), item.target)
        found["line_of_sight"] = f"{start} to {end}: {line(battle, start, end)}"
    return found
