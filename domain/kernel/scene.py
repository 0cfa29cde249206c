"""The scene: what one viewer may see of a match, in a form that any frontend can draw.

A scene is independent of the game. It has *spaces* on a plane, *pieces* on them, *zones* off the
plane (a supply, a hand) and *tracks* (a number with its bounds). Attributes carry further details
as text, for frontends that know the game.

Texts may contain the name of an icon in braces, as "pay 1 {death}". A drawing shows the icon; other
output shows the icon's word in the legend.
"""

from typing import Literal

from msgspec import Struct

State = Literal["turned", "spent", "hidden", "marked", "damaged", "moved", "out"]
"""A state of a piece that a drawing shows: turned sideways, used up, face down, marked by the game,
damaged, already moved, out of play."""

Place = Literal["", "above", "below", "left", "right", "mat", "supply", "card"]
"""The location of a zone: an edge of the board, the mat of its owner, the common supply, or the
card of its piece; empty for any location."""

Side = Literal["near", "right", "far", "left"]
"""A side of the board: smallest `y`, greatest `x`, greatest `y`, smallest `x`."""

Arrangement = Literal["list", "row", "fan", "pile", "grid"]
"""The layout of a zone's pieces: a list of names, side by side, overlapping as in a hand, stacked
with the first on top, or in rows."""

MarkKind = Literal["last", "legal", "threatened", "selected", "reachable"]
"""The reason for a mark: part of the last action, part of a legal action, can be lost, selected, or
reachable by the selected piece."""


class Space(Struct, frozen=True, omit_defaults=True):
    """A place on the board. `x` grows to the right and `y` upwards, in units of one space."""

    id: str
    x: int
    y: int
    kind: str = ""
    """The game's word for the kind of space, such as `dark` or `sanctum`; empty for plain."""
    label: str = ""
    attributes: dict[str, str] = {}
    description: str = ""
    """The space in a few words, for a screen reader: "d3, forest, a Mana Well"."""
    icons: tuple[str, ...] = ()
    """Names of icons of permanent features, such as `well`."""
    badges: tuple[str, ...] = ()
    """Short texts to write on the space, as "5 VP"."""


class Stat(Struct, frozen=True):
    """A figure on a card: "Armor 4"."""

    name: str
    value: str


class CardFace(Struct, frozen=True, omit_defaults=True):
    """The text printed on a card."""

    title: str
    kind: str = ""
    """The line under the title, as "artifact, dragon"."""
    cost: str = ""
    """The cost to play or use the card, with icons."""
    stats: tuple[Stat, ...] = ()
    lines: tuple[str, ...] = ()
    """One line for each ability, with icons."""
    points: int | None = None
    """The victory points of the card."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """An object on a space or in a zone: a unit, a card, a token."""

    id: str
    kind: str
    """The game's word for the kind of piece, such as `golem`."""
    glyph: str
    """One or a few characters that show the piece in text."""
    where: str
    """The id of its space or zone."""
    owner: str = ""
    """The seat that owns the piece; empty for none."""
    name: str = ""
    """The name in a sentence, as "White's golem"."""
    attributes: dict[str, str] = {}
    description: str = ""
    """The piece with its state in a few words, for a screen reader: "White's hulk, d3"."""
    states: tuple[State, ...] = ()
    icon: str = ""
    """The name of the icon that shows the piece, such as `die-3`; empty to show the glyph."""
    badges: tuple[str, ...] = ()
    """Short texts or icons to write next to the piece, as counters: "2 {death}"."""
    face: CardFace | None = None
    """The text of the piece's card, if there is one that this viewer may read."""


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place off the board that holds pieces: a hand, a graveyard, a supply."""

    id: str
    name: str
    owner: str = ""
    attributes: dict[str, str] = {}
    piece: str = ""
    """The id of the piece whose card the zone is; empty otherwise."""
    place: Place = ""
    arrangement: Arrangement = "list"
    description: str = ""
    """The zone in a few words, for a screen reader: "South's hand, 3 cards"."""


class Track(Struct, frozen=True, omit_defaults=True):
    """A number shown to players: golems in the supply, hit points, mana."""

    id: str
    name: str
    value: int
    owner: str = ""
    most: int | None = None
    """The upper bound, with which the track can be drawn as a bar; None without a bound."""
    piece: str = ""
    """The id of the piece that the number belongs to; empty for none."""
    icon: str = ""
    """The name of the icon of the counted thing."""
    label: str = ""
    """The short name next to its owner or piece: "Mana"."""


class Mark(Struct, frozen=True, omit_defaults=True):
    """A highlight on a space or a piece."""

    kind: MarkKind
    space: str = ""
    piece: str = ""


class LegendEntry(Struct, frozen=True):
    """One line of the legend."""

    kind: Literal["glyph", "icon", "space", "state"]
    """The kind of sign: characters on a piece, an icon in braces, a kind of space, a state."""
    sign: str
    """The characters, the name of the icon, the kind of space, or the state."""
    meaning: str


class Scene(Struct, frozen=True, omit_defaults=True):
    """Everything that one viewer may see of a match."""

    caption: str
    """One sentence on the situation: "White to move"."""
    spaces: tuple[Space, ...] = ()
    pieces: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    tracks: tuple[Track, ...] = ()
    attributes: dict[str, str] = {}
    marks: tuple[Mark, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    """The meanings of all signs in the scene."""


def space_detail(scene: Scene, space: str) -> Scene | None:
    """Return the scene of one space: its pieces with their cards and tracks.

    Returns:
        The reduced scene, or None if there is no space with this id.
    """
    spaces = tuple(each for each in scene.spaces if each.id == space)
    if not spaces:
        return None
    standing = tuple(piece for piece in scene.pieces if piece.where == space)
    named = {piece.id for piece in standing}
    zones = tuple(zone for zone in scene.zones if zone.piece in named)
    cards = {zone.id for zone in zones}
    shown = (*standing, *(piece for piece in scene.pieces if piece.where in cards))
    ids = {piece.id for piece in shown}
    return Scene(
        caption=scene.caption,
        spaces=spaces,
        pieces=shown,
        zones=zones,
        tracks=tuple(track for track in scene.tracks if track.piece in named),
        attributes=scene.attributes,
        marks=tuple(m for m in scene.marks if m.space == space or m.piece in ids),
        legend=scene.legend,
    )
