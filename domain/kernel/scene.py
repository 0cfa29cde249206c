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

Place = Literal[
    "", "main", "side", "bar", "hand", "table", "supply", "prompt",
    "above", "below", "left", "right", "mat", "card",
]  # fmt: skip
"""The location of a zone: the main board, a board beside it, the bar of its owner, a hand, the
table of its owner, the common supply, the prompt. The words of the last line are of games that are
not yet drawn by the page itself: an edge of the board, the mat of its owner, the card of its
piece."""

Edge = Literal["near", "right", "far", "left"]
"""A side of the board: smallest `y`, greatest `x`, greatest `y`, smallest `x`."""

Arrangement = Literal["list", "row", "fan", "pile", "grid", "board"]
"""The layout of a zone's pieces: a list of names, side by side, overlapping as in a hand, stacked
with the first on top, in rows, or on the spaces of a board."""

MarkKind = Literal[
    "last", "danger", "asked", "area", "range", "reach", "blocked", "path", "line", "group",
    "legal", "selected", "reachable",
]  # fmt: skip
"""The reason for a mark: part of the last action; can be lost; in question; an area that matters;
in range, within reach or blocked for the selected piece; a path or a line of sight; things that
count together. A device's picture also has: part of a legal action, selected, reachable by the
selected piece."""


CounterStyle = Literal["number", "bar", "pips", "coins", "figures", "die", "badge"]
"""The look of a counter: a number beside its symbol, a bar up to its bound, one dot or one coin for
each, one small figure for each, the face of a die, or a small plate with symbol and number."""

PhaseState = Literal["done", "now", "next"]

Tone = Literal["", "good", "bad", "plain"]
"""The meaning of a color: good or bad for the viewer who acts, or neither."""


class Counter(Struct, frozen=True, omit_defaults=True):
    """A number that players watch: Hit Points, essences on a card, captured golems."""

    symbol: str
    """The name of what is counted, a key of the theme's symbols; once in its holder."""
    value: int
    max: int | None = None
    """The upper bound, with which a bar or "5 of 10" can be drawn; None without a bound."""
    style: CounterStyle = "number"
    owner: str = ""
    """The seat in whose colors it is drawn; empty for none."""
    note: str = ""
    """A text that explains the counter with its rule, for example when the pointer is on it."""


class LineState(Struct, frozen=True, omit_defaults=True):
    """What differs now from the printed line of a card: its cost, its cooldown."""

    line: str
    """The id of the line on the piece's face."""
    cost: str | None = None
    """The cost now, with symbols; None for the printed cost."""
    pips: int = 0
    """The rounds that the cooldown still lasts."""
    of: int = 0
    """The rounds that the whole cooldown lasts."""


class Side(Struct, frozen=True, omit_defaults=True):
    """A seat with what belongs in its bar: a short note and its counters."""

    seat: str
    note: str = ""
    """The most important fact about the seat, at most 20 characters, as "2 pieces captured"."""
    symbol: str = ""
    """The name of the symbol that stands for the seat, as a portrait."""
    counters: tuple[Counter, ...] = ()


class Phase(Struct, frozen=True):
    """A phase of the turn or the round."""

    name: str
    state: PhaseState


class PromptText(Struct, frozen=True, omit_defaults=True):
    """What is expected now, for people."""

    heading: str
    """What to do, at most 40 characters: "Your move", "White must capture"."""
    why: str = ""
    """The reason, at most 120 characters."""
    rule: str = ""
    """The id of the rule that the reason rests on."""


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
    zone: str = ""
    """The id of the zone that is the space's board; empty for the main board."""
    owner: str = ""
    """The seat whose colors the space has; empty for none."""
    counters: tuple[Counter, ...] = ()
    """What lies on the space for good, with its worth: a Mana Well, victory points."""
    note: str = ""
    """A text about the space that no move changes, for example when the pointer is on it."""


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
    card: CardFace | None = None
    """The text of the piece's card, if there is one that this viewer may read."""
    face: str = ""
    """The key of the piece's face among the theme's faces; empty for a piece without a face."""
    rank: int = 0
    """The number of studs or dots on the piece, 0 to 6."""
    counters: tuple[Counter, ...] = ()
    """What the piece carries: Hit Points, essences, effects."""
    lines: tuple[LineState, ...] = ()
    """The lines of the face that are not as printed now."""


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
    hidden: int = 0
    """The number of pieces in the zone that this viewer cannot tell apart."""
    columns: tuple[str, ...] = ()
    """For a board: the labels of its columns, from the least `x`."""
    rows: tuple[str, ...] = ()
    """For a board: the labels of its rows, from the least `y`."""


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
    at: tuple[str, ...] = ()
    """Ids of spaces, pieces and zones; for a path or a line the stations in order."""
    label: str = ""
    """A text at the mark, at most 12 characters."""
    tone: Tone = ""


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
    sides: tuple[Side, ...] = ()
    """The seats in order of play."""
    counters: tuple[Counter, ...] = ()
    """Numbers that belong to no seat, as the round."""
    phases: tuple[Phase, ...] = ()
    """The phases of the turn or the round in order, at most 6."""
    prompt: PromptText | None = None
    """What is expected of whom; None when nothing is."""
    theme: str = ""
    """The hash of the theme that the scene is drawn with, which the service fills in."""


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
