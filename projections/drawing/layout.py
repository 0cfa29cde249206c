"""Positions and names of pieces, spaces and tracks, as text and SVG drawings share them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.scene import MarkKind, Piece, Scene, Space, Track, Zone
from projections.drawing.words import FACE_DOWN, MARK_MEANINGS

_NAMED_SQUARE: Final = re.compile(r"([a-z]+)([0-9]+)")

Places = Mapping[str, list[Piece]]
"""The pieces on each space and in each zone, by its id."""


class Grid(Struct, frozen=True):
    """The board as rows and columns, with the names that players use for them."""

    columns: range
    """Values of `x` from left to right."""
    rows: range
    """Values of `y` from top to bottom."""
    at: dict[tuple[int, int], Space]
    files: dict[int, str]
    """Names of columns by `x`, where all squares of the column agree: letters, or numbers on a
    board turned by a quarter."""
    ranks: dict[int, str]
    """Names of rows by `y`: numbers, or letters on a board turned by a quarter."""


def grid(spaces: Iterable[Space]) -> Grid:
    """Return the grid of one or more spaces."""
    at = {(space.x, space.y): space for space in spaces}
    xs = [x for x, _ in at]
    ys = [y for _, y in at]
    named = {where: _NAMED_SQUARE.fullmatch(space.id) for where, space in at.items()}
    squares = {where: found for where, found in named.items() if found}
    straight, by_a_quarter = (_line_names(squares, letters) for letters in (1, 2))
    files, ranks = max(straight, by_a_quarter, key=lambda names: sum(map(len, names)))
    return Grid(
        columns=range(min(xs), max(xs) + 1),
        rows=range(max(ys), min(ys) - 1, -1),
        at=at,
        files=files,
        ranks=ranks,
    )


def _line_names(
    squares: Mapping[tuple[int, int], re.Match[str]], across: int
) -> tuple[dict[int, str], dict[int, str]]:
    """Return the names of columns and rows; `across` is the column's part of a square's name."""
    files: dict[int, set[str]] = defaultdict(set)
    ranks: dict[int, set[str]] = defaultdict(set)
    for (x, y), named in squares.items():
        files[x].add(named[across])
        ranks[y].add(named[3 - across])
    return _unanimous_names(files), _unanimous_names(ranks)


def board_groups(spaces: Iterable[Space]) -> list[list[Space]]:
    """Return the spaces in groups that empty columns, then empty rows, separate."""
    found = []
    for column in _split_at_gaps(spaces, lambda space: space.x):
        found += _split_at_gaps(column, lambda space: -space.y)
    return found


def _split_at_gaps(spaces: Iterable[Space], line: Callable[[Space], int]) -> list[list[Space]]:
    groups: list[list[Space]] = []
    last: int | None = None
    for space in sorted(spaces, key=line):
        if last is None or line(space) > last + 1:
            groups.append([])
        groups[-1].append(space)
        last = line(space)
    return groups


def _unanimous_names(names: Mapping[int, set[str]]) -> dict[int, str]:
    return {line: next(iter(found)) for line, found in names.items() if len(found) == 1}


def pieces_by_place(scene: Scene) -> dict[str, list[Piece]]:
    """Return the pieces on each space and in each zone, in the scene's order."""
    places: dict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        places[piece.where].append(piece)
    return places


def zone_pieces(zone: Zone, places: Places) -> list[Piece]:
    """Return the pieces in a zone, with a card's back for each hidden one."""
    return [*places.get(zone.id, ()), *([_BACK] * zone.hidden)]


_BACK: Final = Piece("", "", "?", "", name=FACE_DOWN, description=FACE_DOWN, states=("hidden",))


def group_marks(scene: Scene) -> tuple[Mapping[str, list[MarkKind]], Mapping[str, list[MarkKind]]]:
    """Return the kinds of marks that stills show, by space or zone, and by piece.

    A piece has no mark for the last action if its space has one.
    """
    places: dict[str, list[MarkKind]] = {}
    pieces: dict[str, list[MarkKind]] = {}
    marks = [mark for mark in dict.fromkeys(scene.marks) if mark.kind in MARK_MEANINGS]
    for mark in marks:
        if mark.space:
            places.setdefault(mark.space, []).append(mark.kind)
    where = {piece.id: piece.where for piece in scene.pieces}
    for mark in marks:
        below = places.get(where.get(mark.piece, ""), ())
        if mark.piece and not (mark.kind == "last" and "last" in below):
            pieces.setdefault(mark.piece, []).append(mark.kind)
    return places, pieces


def owners(scene: Scene) -> set[str]:
    """Return all seats that the scene names."""
    found = {piece.owner for piece in scene.pieces}
    found |= {zone.owner for zone in scene.zones}
    found |= {track.owner for track in scene.tracks}
    return found - {""}


def seat_name(seat: str) -> str:
    """Return a seat with a capital letter, such as "South"."""
    return seat[:1].upper() + seat[1:]


def describe_piece(piece: Piece) -> str:
    """Return the name and attributes of a piece, such as "Horned Blight (hit points 39)"."""
    name = piece.name or piece.glyph
    particulars = ", ".join(f"{key} {value}".strip() for key, value in piece.attributes.items())
    return f"{name} ({particulars})" if particulars else name


def zone_contents(pieces: Iterable[Piece]) -> list[str]:
    """Return descriptions of pieces with duplicates counted, such as "golem", "hulk x 2"."""
    return count_duplicates(describe_piece(piece) for piece in pieces)


def count_duplicates(words: Iterable[str]) -> list[str]:
    """Return each text once, with its count if there are several."""
    return [
        text if number == 1 else f"{text} x {number}" for text, number in Counter(words).items()
    ]


def format_track(track: Track) -> str:
    """Return the value of a track, such as "3 of 20"."""
    return f"{track.value}" if track.most is None else f"{track.value} of {track.most}"


def track_label(track: Track) -> str:
    """Return what a track counts, without the name of its owner."""
    if track.label:
        return track.label
    whose = f"{seat_name(track.owner)}'s "
    name = track.name.removeprefix(whose) if track.owner else track.name
    return f"{name[:1].upper()}{name[1:]}"


def space_text(space: Space) -> str:
    """Return the label of a space, or nothing if the label is its id, as the edge shows that."""
    return "" if space.label == space.id else space.label
