"""Text lines for a stylus screen: the card of a space, piece or card, and the view of one side."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.kernel.scene import Piece, Scene


def side_lines(scene: Scene, seat: str, page: int) -> tuple[str, ...]:
    """Return one page of a side's view: the side itself on page 1, then one piece on each page."""
    if page == 1:
        tracks = (track for track in scene.tracks if track.owner == seat)
        return (seat.title(), *(f"{track.name}: {track.value}" for track in tracks))
    own = [piece for piece in scene.pieces if piece.owner == seat and _is_independent(piece)]
    if page - 2 >= len(own):
        return (seat.title(),)
    shown = own[page - 2]
    attached = [
        each for each in scene.pieces if each.id.startswith((f"{shown.id}.", f"{shown.id}*"))
    ]
    return tuple(_piece_line(piece) for piece in (shown, *attached))


def _is_independent(piece: Piece) -> bool:
    """Return whether a piece is independent, not a card or token that belongs to another piece."""
    return not any(mark in piece.id for mark in ".*!")


def _piece_line(piece: Piece) -> str:
    attributes = ", ".join(f"{name} {value}" for name, value in piece.attributes.items())
    return f"{piece.name or piece.kind} ({piece.where}){': ' if attributes else ''}{attributes}"


def scene_card_lines(scene: Scene, thing: str) -> tuple[str, ...]:
    """Return the scene's information on a space, piece or card; empty if it does not exist."""
    kind, _, name = thing.partition(" ")
    if kind == "space":
        return tuple(_space_lines(scene, name))
    if kind in ("piece", "card"):
        return tuple(_piece_lines(scene, name))
    return ()


def _space_lines(scene: Scene, name: str) -> Iterator[str]:
    space = next((each for each in scene.spaces if each.id == name), None)
    if space is None:
        return
    yield space.description or " ".join(filter(None, (space.label or name, space.kind)))
    yield from _attribute_lines(space.attributes)
    yield from space.badges
    yield from (_piece_name(piece) for piece in scene.pieces if piece.where == name)


def _piece_lines(scene: Scene, name: str) -> Iterator[str]:
    piece = next((each for each in scene.pieces if each.id == name), None)
    if piece is None:
        return
    yield _piece_name(piece)
    yield from _attribute_lines(piece.attributes)
    yield from piece.badges
    yield from (f"{track.name}: {track.value}" for track in scene.tracks if track.piece == name)
    if piece.card is not None:
        yield " ".join(filter(None, (piece.card.title, piece.card.kind, piece.card.cost)))
        yield from (f"{stat.name} {stat.value}" for stat in piece.card.stats)
        yield from piece.card.lines


def _piece_name(piece: Piece) -> str:
    return piece.description or f"{piece.name or piece.kind} ({piece.where})"


def _attribute_lines(attributes: Mapping[str, Any]) -> Iterator[str]:
    return (f"{name}: {value}" for name, value in attributes.items())
