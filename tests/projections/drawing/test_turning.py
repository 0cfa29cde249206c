"""The board seen from its far side."""

from random import Random

import pytest

from domain.kernel.game import AnyGame, read_options
from domain.kernel.scene import Scene, Space, Track, Zone
from domain.registry import GAMES
from projections.drawing import svg, text
from projections.drawing.layout import grid
from projections.drawing.turning import turned


def begun(game: AnyGame) -> Scene:
    """Its first position."""
    options = read_options(game, {})
    return game.look(game.start(options), game.seats(options)[0])


def test_black_has_its_own_side_below_and_coordinates_follow() -> None:
    lines = text.draw(turned(begun(GAMES["agog"]))).splitlines()
    assert " ".join(lines[0].split()) == "1 . . G G G G G J"
    assert " ".join(lines[7].split()) == "8 j g g g g g . ."
    assert lines[8].split() == list("hgfedcba")


@pytest.mark.parametrize("slug", GAMES)
def test_only_places_are_different_and_turning_twice_is_nothing(slug: str) -> None:
    scene = begun(GAMES[slug])
    across = turned(scene)
    assert [space.id for space in across.spaces] == [space.id for space in scene.spaces]
    assert (across.pieces, across.marks) == (scene.pieces, scene.marks)
    for listed, before in ((across.tracks, scene.tracks), (across.zones, scene.zones)):
        assert {each.id for each in listed} == {each.id for each in before}
    assert (across == scene) == (slug == "res-arcana")  # which has no board
    assert turned(across) == scene


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.far_seats])
def test_who_sits_far_has_far_spaces_near(slug: str) -> None:
    game = GAMES[slug]
    assert game.far_seats < set(game.seats(read_options(game, {})))
    scene, across = begun(game), turned(begun(game))
    far = max(space.y for space in scene.spaces)
    far_ids = {space.id for space in scene.spaces if space.y == far}
    near = min(space.y for space in across.spaces)
    assert far_ids == {space.id for space in across.spaces if space.y == near}


def test_what_is_a_players_own_is_nearest() -> None:
    zones = [Zone(name, name, owner=name) for name in ("white", "black")]
    tracks = [Track(name, name, 1, owner=name) for name in ("white", "black")]
    supply = Zone("supply", "supply", place="supply")
    shown = (zones[0], supply, zones[1])
    scene = Scene("", (Space("a1", 0, 0),), zones=shown, tracks=tuple(tracks))
    across = turned(scene)
    assert across.zones == (zones[1], supply, zones[0])
    assert across.tracks == (tracks[1], tracks[0])
    mats = svg.draw(across, GAMES["agog"].theme)
    assert mats.index('"zone-black"') < mats.index('"zone-white"')


def test_what_lies_beside_the_board_stays_there_and_its_arrows_turn() -> None:
    across = {space.id: space for space in turned(begun(GAMES["earthen-war"])).spaces}
    straight = {space.id: space for space in begun(GAMES["earthen-war"]).spaces}
    assert across["black-fl"].label == "fl ↖"
    assert straight["black-fl"].label == "fl ↘"
    board = {name for name in across if "-" not in name}
    for spaces in (across, straight):
        most = max(spaces[name].x for name in board)
        assert all(space.x > most for name, space in spaces.items() if name not in board)
    assert across["black-f"].y < across["white-f"].y


def test_any_board_is_turned_within_its_own_rows_and_columns() -> None:
    chance = Random(7)
    for _ in range(50):
        places = {(chance.randrange(-4, 9), chance.randrange(-4, 9)) for _ in range(20)}
        spaces = tuple(Space(f"s{x}.{y}", x, y) for x, y in sorted(places))
        across = turned(Scene("", spaces)).spaces
        assert len({(space.x, space.y) for space in across}) == len(places)
        before, after = grid(spaces), grid(across)
        assert (after.columns, after.rows) == (before.columns, before.rows)
