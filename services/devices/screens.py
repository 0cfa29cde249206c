"""What the screen of a stylus shows beside the prompt, in each view."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.kernel.scene import Mark, Scene
from domain.stylus.tap_machine import INFO, MAP, PLACES, PLAY, Hand, Moment, card, show
from projections.drawing.orientation import outlook, turned
from projections.drawing.text import draw


def screen(moment: Moment, hand: Hand) -> str:
    r"""A view in text, lines ending in \n."""
    view, _, what = hand.view.partition(" ")
    if view == PLAY and moment.discreet:
        return ""  # what walks one through a question may tell of what lies hidden
    if view == PLAY:
        return _lines(moment.pointing.guide(hand.picked))
    if view == MAP:
        scene = marked(moment, hand)
        seen = around(scene, what) if what else scene
        return draw(turned(seen, outlook(moment.game, moment.viewer)))
    if view == INFO:
        return _lines(card(moment, what))
    shown = moment.views.get(view)
    return "" if shown is None else _lines(shown.lines(moment.scene, what, hand.page))


def marked(moment: Moment, hand: Hand) -> Scene:
    """The scene, with the spaces marked that may be tapped next."""
    spaces = {space.id for space in moment.scene.spaces}
    things = (thing.partition(" ") for thing in show(moment, hand).next)
    marks = tuple(
        Mark("reachable", space=name)
        for kind, _, name in things
        if kind in PLACES and name in spaces
    )
    return replace(moment.scene, marks=(*moment.scene.marks, *marks))


def around(scene: Scene, space: str) -> Scene:
    """The scene from near: a space and those next to it, with all that stands and lies there and
    what is known of it."""
    centre = next((each for each in scene.spaces if each.id == space), None)
    if centre is None:
        return scene
    near = tuple(
        each for each in scene.spaces if abs(each.x - centre.x) <= 1 and abs(each.y - centre.y) <= 1
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
