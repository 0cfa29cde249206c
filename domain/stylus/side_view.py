"""The view of one side, drawn from the scene: what its icon on the Control Card shows."""

from domain.kernel.scene import Piece, Scene


def side(scene: Scene, seat: str, page: int) -> tuple[str, ...]:
    """A page in lines: the side on the first, then what it has, piece by piece."""
    if page == 1:
        tracks = (track for track in scene.tracks if track.owner == seat)
        return (seat.title(), *(f"{track.name}: {track.value}" for track in tracks))
    own = [piece for piece in scene.pieces if piece.owner == seat and _stands_alone(piece)]
    if page - 2 >= len(own):
        return (seat.title(),)
    shown = own[page - 2]
    beside = [each for each in scene.pieces if each.id.startswith((f"{shown.id}.", f"{shown.id}*"))]
    return tuple(_described(piece) for piece in (shown, *beside))


def _stands_alone(piece: Piece) -> bool:
    """Is it a piece by itself, and not a card or a token that belongs to one?"""
    return not any(mark in piece.id for mark in ".*!")


def _described(piece: Piece) -> str:
    told = ", ".join(f"{name} {value}" for name, value in piece.attributes.items())
    return f"{piece.name or piece.kind} ({piece.where}){': ' if told else ''}{told}"
