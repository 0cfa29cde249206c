"""The scene that a viewer sees: the board, the units on it, their cards, what the seats have."""

from domain.games.golem_arcana.battle.attacks import attack_of, region_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.sides import LONE
from domain.games.golem_arcana.battle.sight import line
from domain.games.golem_arcana.display.captions import caption_of
from domain.games.golem_arcana.display.legend import legend_of
from domain.games.golem_arcana.display.names import listed, seat_name
from domain.games.golem_arcana.display.scene_board import markers, spaces
from domain.games.golem_arcana.display.scene_cards import cards, powers
from domain.games.golem_arcana.display.scene_goals import goals, secrets
from domain.games.golem_arcana.display.scene_scenario import scenario_cards
from domain.games.golem_arcana.display.scene_seats import tracks, zones
from domain.games.golem_arcana.display.scene_units import units
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Roll, State
from domain.kernel.scene import Scene


def scene(state: State, viewer: str) -> Scene:
    """What a seat, `spectator` or `referee` may see."""
    battle = Battle(state)
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
    )


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
