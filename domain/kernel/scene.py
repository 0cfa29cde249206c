"""The scene: what one viewer may see of a match, in a form that any frontend can draw.

A scene names no game's ideas. It has *spaces* on a plane, *pieces* on them, *zones* beside the
plane (a supply, a hand), and *tracks* (a number with its bounds). Attributes carry the rest, as
text, for frontends that know the game.
"""

from msgspec import Struct


class Space(Struct, frozen=True, omit_defaults=True):
    """A place on the board. `x` grows to the right and `y` upwards, in units of one space."""

    id: str
    x: int
    y: int
    kind: str = ""
    """How it differs from its neighbours, as `dark`, `sanctum`, `trench`; empty for plain."""
    label: str = ""
    attributes: dict[str, str] = {}


class Piece(Struct, frozen=True, omit_defaults=True):
    """A thing on a space or in a zone."""

    id: str
    kind: str
    """The game's word for it, as `golem`."""
    glyph: str
    """One or a few characters that show it in text."""
    where: str
    """The id of its space or zone."""
    owner: str = ""
    """The seat that holds it; empty for nobody's."""
    name: str = ""
    """How a person would name it, as "White's golem"."""
    attributes: dict[str, str] = {}


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place off the board that holds pieces: a hand, a graveyard, a supply."""

    id: str
    name: str
    owner: str = ""
    attributes: dict[str, str] = {}
    piece: str = ""
    """The id of the piece that it is the card of, where it is one's."""


class Track(Struct, frozen=True, omit_defaults=True):
    """A number that players watch: golems in the supply, hit points, mana."""

    id: str
    name: str
    value: int
    owner: str = ""
    most: int | None = None
    """The upper bound, where there is one."""
    piece: str = ""
    """The id of the piece that it counts something of, where it does."""


class Scene(Struct, frozen=True, omit_defaults=True):
    """Everything that one viewer may see."""

    caption: str
    """What is going on, in a sentence: "White to move"."""
    spaces: tuple[Space, ...] = ()
    pieces: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    tracks: tuple[Track, ...] = ()
    attributes: dict[str, str] = {}


def focus(scene: Scene, space: str) -> Scene | None:
    """What there is to see of one space: all that is on it, with its cards and tracks; None if
    there is no such space."""
    spaces = tuple(each for each in scene.spaces if each.id == space)
    if not spaces:
        return None
    standing = tuple(piece for piece in scene.pieces if piece.where == space)
    named = {piece.id for piece in standing}
    zones = tuple(zone for zone in scene.zones if zone.piece in named)
    cards = {zone.id for zone in zones}
    return Scene(
        caption=scene.caption,
        spaces=spaces,
        pieces=(*standing, *(piece for piece in scene.pieces if piece.where in cards)),
        zones=zones,
        tracks=tuple(track for track in scene.tracks if track.piece in named),
        attributes=scene.attributes,
    )
