"""What the screen of a stylus shows in the views other than play."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.kernel.scene import Piece, Scene
from domain.stylus.taps import Hand, Moment
from projections.drawing.text import draw


def screen(moment: Moment, hand: Hand) -> str:
    r"""A view in text, lines ending in \n; empty for play."""
    view, _, what = hand.view.partition(" ")
    match view:
        case "army":
            return _lines(army(moment.scene, what, hand.page))
        case "map":
            return draw(around(moment.scene, what) if what else moment.scene)
        case "ancients":
            return _lines(moment.pointing.ancient(int(what)))
        case "info":
            return _lines(moment.pointing.info(what))
        case _:
            return ""


def army(scene: Scene, seat: str, page: int) -> list[str]:
    """The side on its first page; then what it has, piece by piece."""
    if page == 1:
        tracks = (track for track in scene.tracks if track.owner == seat)
        return [seat.title(), *(f"{track.name}: {track.value}" for track in tracks)]
    own = [piece for piece in scene.pieces if piece.owner == seat and _stands_alone(piece)]
    if page - 2 >= len(own):
        return [seat.title()]
    shown = own[page - 2]
    beside = [each for each in scene.pieces if each.id.startswith((f"{shown.id}.", f"{shown.id}*"))]
    return [line for piece in (shown, *beside) for line in _described(piece)]


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


def _stands_alone(piece: Piece) -> bool:
    """Is it a piece by itself, and not a card or a token that belongs to one?"""
    return not any(mark in piece.id for mark in ".*!")


def _described(piece: Piece) -> list[str]:
    told = ", ".join(f"{name} {value}" for name, value in piece.attributes.items())
    return [f"{piece.name or piece.kind} ({piece.where}){': ' if told else ''}{told}"]


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
