"""The board seen from its far side."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from domain.kernel.any_game import read_options
from domain.kernel.game import AnyGame
from domain.kernel.scene import Scene, Space, Track, Zone
from domain.registry import GAMES
from projections.drawing import svg, text
from projections.drawing.boards import on_one_plane
from projections.drawing.layout import grid
from projections.drawing.orientation import HALF_TURN, Orientation, orientation_for, rotate_scene
from tests.projections.drawing.test_svg import check_alone


def begun(game: AnyGame) -> Scene:
    """Return its first position, as drawings have it."""
    options = read_options(game, {})
    return on_one_plane(game.scene(game.start(options), game.seats(options)[0]))


def seated(slug: str) -> list[str]:
    """The seats that a board of this game may have at its sides."""
    return list(GAMES[slug].sides)


def banners(viewer: str) -> Scene:
    """A battle of three armies, as it begins."""
    game = GAMES["golem-arcana"]
    return game.scene(game.start(read_options(game, {"scenario": "three-banners"})), viewer)


def places(scene: Scene) -> dict[str, tuple[int, int]]:
    return {space.id: (space.x, space.y) for space in scene.spaces}


def test_black_has_its_own_side_below_and_coordinates_follow() -> None:
    agog = GAMES["agog"]
    lines = text.draw(rotate_scene(begun(agog), orientation_for(agog, "black"))).splitlines()
    assert " ".join(lines[0].split()) == "1 . . G G G G G J"
    assert " ".join(lines[7].split()) == "8 j g g g g g . ."
    assert lines[8].split() == list("hgfedcba")


def test_east_has_its_own_side_below_and_letters_name_the_rows() -> None:
    game = GAMES["golem-arcana"]
    seen = rotate_scene(banners("east"), orientation_for(game, "east"))
    lines = text.draw(seen).splitlines()
    assert [line.split()[0] for line in lines[:9]] == list("abcdefghi")
    assert lines[9].split() == list("123456")
    # South, whose side is below on the plane, is at the left hand of a viewer from the east.
    assert places(seen)["i1"] == (0, 0)
    assert places(seen)["a1"] == (0, 8)
    assert places(seen)["i6"] == (5, 0)
    board = grid(seen.spaces)
    assert (len(board.columns), len(board.rows)) == (6, 9)


def test_a_viewer_at_the_left_sees_the_left_below() -> None:
    spaces = (Space("a1", 0, 0), Space("b1", 1, 0), Space("a2", 0, 1), Space("b2", 1, 1))
    seen = rotate_scene(Scene("", spaces), orientation_for(GAMES["golem-arcana"], "west"))
    assert places(seen) == {"a1": (1, 0), "a2": (0, 0), "b1": (1, 1), "b2": (0, 1)}


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("viewer", ["east", "west", "north"])
def test_a_board_of_letters_and_numbers_names_its_edges_however_it_is_turned(
    viewer: str, *, narrow: bool
) -> None:
    game = GAMES["golem-arcana"]
    seen = rotate_scene(banners(viewer), orientation_for(game, viewer))
    drawn = svg.draw(seen, game.theme, narrow=narrow)
    check_alone(drawn)
    edges = set(re.findall(r">([a-i1-6])</text>", drawn))
    assert edges >= set("abcdefghi123456")


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize(
    ("slug", "viewer"), [(slug, seat) for slug in GAMES for seat in ("", *seated(slug))]
)
def test_only_places_are_different_and_turning_on_comes_back(
    slug: str, viewer: str, *, across: bool
) -> None:
    game = GAMES[slug]
    seen = orientation_for(game, viewer, across=across)
    scene = begun(game)
    found = rotate_scene(scene, seen)
    assert [space.id for space in found.spaces] == [space.id for space in scene.spaces]
    assert (found.pieces, found.marks) == (scene.pieces, scene.marks)
    for listed, before in ((found.tracks, scene.tracks), (found.zones, scene.zones)):
        assert {each.id for each in listed} == {each.id for each in before}
    assert (found.spaces != scene.spaces) == (bool(scene.spaces) and seen.quarters != 0)
    back = rotate_scene(
        found, Orientation((4 - seen.quarters) % 4, orientation_for(game, "").nearest)
    )
    assert back == rotate_scene(scene, orientation_for(game, ""))


def test_two_quarters_are_a_half() -> None:
    game = GAMES["golem-arcana"]
    quarter, half = orientation_for(game, "east"), orientation_for(game, "north")
    assert places(rotate_scene(rotate_scene(banners("east"), quarter), quarter)) == places(
        rotate_scene(banners("east"), half)
    )


EDGES: Final[dict[str, Callable[[Space], int]]] = {
    "near": lambda space: space.y,
    "right": lambda space: -space.x,
    "far": lambda space: -space.y,
    "left": lambda space: space.x,
}
"""The least of it is at that side."""


@pytest.mark.parametrize(
    ("slug", "seat"), [(slug, seat) for slug in GAMES for seat in seated(slug)]
)
def test_the_side_where_one_sits_is_below(slug: str, seat: str) -> None:
    game = GAMES[slug]
    scene = begun(game)
    seen = rotate_scene(scene, orientation_for(game, seat))
    edge = EDGES[game.sides[seat]]
    own = {space.id for space in scene.spaces if edge(space) == min(map(edge, scene.spaces))}
    below = min(space.y for space in seen.spaces)
    assert own == {space.id for space in seen.spaces if space.y == below}


def test_every_seat_of_a_game_with_sides_has_one_and_none_has_two() -> None:
    for game in GAMES.values():
        if game.sides:
            assert set(game.sides) >= set(game.seats(read_options(game, {})))
            assert len(set(game.sides.values())) == len(game.sides)


def test_what_is_a_players_own_is_nearest() -> None:
    zones = [Zone(name, name, owner=name) for name in ("south", "north", "east")]
    tracks = [Track(name, name, 1, owner=name) for name in ("south", "north", "east")]
    supply = Zone("supply", "supply", place="supply")
    shown = (zones[0], supply, *zones[1:])
    scene = Scene("", (Space("a1", 0, 0),), zones=shown, tracks=tuple(tracks))
    game = GAMES["golem-arcana"]
    seen = rotate_scene(scene, orientation_for(game, "east"))
    assert seen.zones == (zones[2], supply, zones[0], zones[1])
    assert seen.tracks == (tracks[2], tracks[0], tracks[1])
    mats = svg.draw(seen, game.theme)
    assert mats.index('"zone-east"') < mats.index('"zone-south"') < mats.index('"zone-north"')
    # Nobody sits across from East.
    assert rotate_scene(scene, orientation_for(game, "east", across=True)).tracks == scene.tracks


def test_zones_at_the_side_of_the_board_stay_there_and_its_arrows_rotate() -> None:
    war = GAMES["earthen-war"]
    across = {
        space.id: space for space in rotate_scene(begun(war), orientation_for(war, "black")).spaces
    }
    straight = {space.id: space for space in begun(war).spaces}
    assert across["black-fl"].label == "fl ↖"
    assert straight["black-fl"].label == "fl ↘"
    board = {name for name in across if "-" not in name}
    for spaces in (across, straight):
        most = max(spaces[name].x for name in board)
        assert all(space.x > most for name, space in spaces.items() if name not in board)
    assert across["black-f"].y < across["white-f"].y


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_any_board_is_turned_within_its_own_rows_and_columns(quarters: int) -> None:
    chance = Random(7)
    for _ in range(50):
        taken = {(chance.randrange(-4, 9), chance.randrange(-4, 9)) for _ in range(20)}
        spaces = tuple(Space(f"s{x}.{y}", x, y) for x, y in sorted(taken))
        across = rotate_scene(Scene("", spaces), Orientation(quarters)).spaces
        assert len({(space.x, space.y) for space in across}) == len(taken)
        before, after = grid(spaces), grid(across)
        lines = (before.columns, before.rows)
        sizes = (len(after.columns), len(after.rows))
        if quarters == HALF_TURN:
            assert (after.columns, after.rows) == lines
        else:
            assert sizes == (len(before.rows), len(before.columns))
