"""What the screen of a stylus shows in the views other than play."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.kernel.scene import Scene
from domain.stylus.taps import INFO, MAP, PLAY, Hand, Moment
from projections.drawing.text import draw


def screen(moment: Moment, hand: Hand) -> str:
    r"""A view in text, lines ending in \n; empty for play."""
    view, _, what = hand.view.partition(" ")
    if view == PLAY:
        return ""
    if view == MAP:
        return draw(around(moment.scene, what) if what else moment.scene)
    if view == INFO:
        return _lines(moment.pointing.info(what))
    shown = moment.views.get(view)
    return "" if shown is None else _lines(shown.lines(moment.scene, what, hand.page))


def around(scene: Scene, space: str) -> Scene:
    """The scene from near: a space and those next to it."""
    centre = next((each for each in scene.spaces if each.id == space), None)
    if centre is None:
        return scene
    near = tuple(
        each for each in scene.spaces if abs(each.x - centre.x) <= 1 and abs(each.y - centre.y) <= 1
    )
    names = {each.id for each in near}
    pieces = tuple(piece for piece in scene.pieces if piece.where in names)
    return replace(scene, spaces=near, pieces=pieces, zones=(), tracks=())


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
