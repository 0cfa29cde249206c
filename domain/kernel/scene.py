"""The scene: what one viewer may see of a match, in a form that any frontend can draw.

A scene names no game's ideas. It has *spaces* on a plane, *pieces* on them, *zones* beside the
plane (a supply, a hand), and *tracks* (a number with its bounds). Attributes carry the rest, as
text, for frontends that know the game.

Texts may name an icon in braces, as "pay 1 {death}": a drawing shows the icon, everything else the
word that the scene's legend has for it.
"""

from typing import Literal

from msgspec import Struct

State = Literal["turned", "spent", "hidden", "marked", "damaged", "moved", "out"]
"""What a piece can be in, for a drawing: turned sideways, used up, face down, singled out by the
game, damaged, unable to move again, out of play."""

Place = Literal["", "above", "below", "left", "right", "mat", "supply", "card"]
"""Where a zone lies: an edge of the board, the mat of its owner, the common supply, or the card of
its piece; empty: anywhere."""

Side = Literal["near", "right", "far", "left"]
"""A side of the board: where `y` of its spaces is least, where `x` is greatest, where `y` is
greatest, where `x` is least."""

Arrangement = Literal["list", "row", "fan", "pile", "grid"]
"""How the pieces of a zone lie: named one below the other, side by side, overlapping as in a hand,
one on top of the other with the first on top, in rows."""

MarkKind = Literal["last", "legal", "threatened", "selected", "reachable"]
"""Why something is marked: the last action, what may be done now, what could be lost, what is
picked, where the picked piece can go."""


class Space(Struct, frozen=True, omit_defaults=True):
    """A place on the board. `x` grows to the right and `y` upwards, in units of one space."""

    id: str
    x: int
    y: int
    kind: str = ""
    """How it differs from its neighbours, as `dark`, `sanctum`, `trench`; empty for plain."""
    label: str = ""
    attributes: dict[str, str] = {}
    description: str = ""
    """The space in a few words, for a screen reader: "d3, forest, a Mana Well"."""
    icons: tuple[str, ...] = ()
    """Names of icons of what lies on it for good, as `well`."""
    badges: tuple[str, ...] = ()
    """Short texts to write on it, as "5 VP"."""


class Stat(Struct, frozen=True):
    """A figure on a card: "Armor 4"."""

    name: str
    value: str


class CardFace(Struct, frozen=True, omit_defaults=True):
    """What a card says."""

    title: str
    kind: str = ""
    """The line under the title, as "artifact, dragon"."""
    cost: str = ""
    """What it costs to play or use, with icons."""
    stats: tuple[Stat, ...] = ()
    lines: tuple[str, ...] = ()
    """What it does, a line for each ability, with icons."""
    points: int | None = None
    """The victory points that it is worth."""


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
    description: str = ""
    """The piece with its state in a few words, for a screen reader: "White's hulk, d3"."""
    states: tuple[State, ...] = ()
    icon: str = ""
    """The name of the icon that shows it best, as `die-3`; empty: its glyph does."""
    badges: tuple[str, ...] = ()
    """Short texts or icons to write beside it, as counters: "2 {death}"."""
    face: CardFace | None = None
    """What is on it, if it is a card that this viewer may read, or has one to study."""


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place off the board that holds pieces: a hand, a graveyard, a supply."""

    id: str
    name: str
    owner: str = ""
    attributes: dict[str, str] = {}
    piece: str = ""
    """The id of the piece that it is the card of, where it is one's."""
    place: Place = ""
    arrangement: Arrangement = "list"
    description: str = ""
    """The zone in a few words, for a screen reader: "South's hand, 3 cards"."""


class Track(Struct, frozen=True, omit_defaults=True):
    """A number that players watch: golems in the supply, hit points, mana."""

    id: str
    name: str
    value: int
    owner: str = ""
    most: int | None = None
    """The upper bound, where there is one: then it can be drawn as a bar."""
    piece: str = ""
    """The id of the piece that it counts something of, where it does."""
    icon: str = ""
    """The name of the icon of what it counts."""
    label: str = ""
    """Its name where the owner or the piece is plain to see: "Mana"."""


class Mark(Struct, frozen=True, omit_defaults=True):
    """A space or a piece that is to stand out."""

    kind: MarkKind
    space: str = ""
    piece: str = ""


class LegendEntry(Struct, frozen=True):
    """One line of the legend."""

    kind: Literal["glyph", "icon", "space", "state"]
    """What is explained: characters on a piece, an icon in braces, a kind of space, a state."""
    sign: str
    """The characters, the name of the icon, the kind of space, the state."""
    meaning: str


class Scene(Struct, frozen=True, omit_defaults=True):
    """Everything that one viewer may see."""

    caption: str
    """What is going on, in a sentence: "White to move"."""
    spaces: tuple[Space, ...] = ()
    pieces: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    tracks: tuple[Track, ...] = ()
    attributes: dict[str, str] = {}
    marks: tuple[Mark, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    """The meaning of all signs that this scene uses."""


def space_detail(scene: Scene, space: str) -> Scene | None:
    """What there is to see of one space: all that is on it, with its cards and tracks; None if
    there is no such space."""
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
