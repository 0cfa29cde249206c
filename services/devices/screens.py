"""The text of stylus screens in each view, apart from the prompt."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.kernel.scene import Mark, Scene
from domain.stylus.tap_machine import (
    INFO,
    MAP,
    PLACE_KINDS,
    PLAY,
    Selection,
    StylusView,
    card_lines,
    stylus_screen,
)
from projections.drawing.orientation import orientation_for, rotate_scene
from projections.drawing.text import draw


def screen(moment: StylusView, hand: Selection) -> str:
    r"""Return the text of a view, lines ending in \n."""
    view, _, what = hand.view.partition(" ")
    if view == PLAY and moment.hides_cards:
        return ""  # what walks one through a question may tell of what lies hidden
    if view == PLAY:
        return _lines(moment.pointing.guide(hand.picked))
    if view == MAP:
        scene = highlighted_scene(moment, hand)
        seen = neighborhood(scene, what) if what else scene
        return draw(rotate_scene(seen, orientation_for(moment.game, moment.viewer)))
    if view == INFO:
        return _lines(card_lines(moment, what))
    shown = moment.views.get(view)
    return "" if shown is None else _lines(shown.lines(moment.scene, what, hand.page))


def highlighted_scene(moment: StylusView, hand: Selection) -> Scene:
    """Return the scene with the possible next targets highlighted."""
    spaces = {space.id for space in moment.scene.spaces}
    things = (thing.partition(" ") for thing in stylus_screen(moment, hand).next)
    marks = tuple(
        Mark("reachable", space=name)
        for kind, _, name in things
        if kind in PLACE_KINDS and name in spaces
    )
    return replace(moment.scene, marks=(*moment.scene.marks, *marks))


def neighborhood(scene: Scene, space: str) -> Scene:
    """Return the scene of a space and its neighbors, with all their pieces and tracks."""
    centre = next((each for each in scene.spaces if each.id == space), None)
    if centre is None:
        return scene
    near = tuple(
        each
        for each in scene.spaces
        if each.zone == centre.zone and abs(each.x - centre.x) <= 1 and abs(each.y - centre.y) <= 1
    )
    names = {each.id for each in near}
    standing = {piece.id for piece in scene.pieces if piece.where in names}
    zones = tuple(zone for zone in scene.zones if zone.piece in standing)
    places = names | {zone.id for zone in zones}
    return replace(
        scene,
        spaces=near,
        pieces=tuple(piece for piece in scene.pieces if piece.where in places),
        zones=zones,
        tracks=tuple(track for track in scene.tracks if track.piece in standing),
        marks=tuple(m for m in scene.marks if m.space in names or m.piece in standing),
    )


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
