"""What all drawings share: where things stand, and in what words."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.scene import MarkKind, Piece, Scene, Space, Track

_NAMED_SQUARE: Final = re.compile(r"([a-z]+)([0-9]+)")

Places = Mapping[str, list[Piece]]
"""The pieces on each space and in each zone."""


class Grid(Struct, frozen=True):
    """The board as rows and columns, with the names that players give to these."""

    columns: range
    """From left to right, as `x`."""
    rows: range
    """From the top down, as `y`."""
    at: dict[tuple[int, int], Space]
    files: dict[int, str]
    """The letters of a column, where all squares in it agree on them; its number, if the board is
    turned by a quarter."""
    ranks: dict[int, str]
    """The number of a row, or its letters, likewise."""


def grid(spaces: Iterable[Space]) -> Grid:
    """The spaces laid out. There is at least one."""
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
    """The names of columns and of rows, where that part of a square's name tells its column."""
    files: dict[int, set[str]] = defaultdict(set)
    ranks: dict[int, set[str]] = defaultdict(set)
    for (x, y), named in squares.items():
        files[x].add(named[across])
        ranks[y].add(named[3 - across])
    return _unanimous_names(files), _unanimous_names(ranks)


def board_groups(spaces: Iterable[Space]) -> list[list[Space]]:
    """The spaces in groups that empty columns, and in these empty rows, keep apart."""
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
    """The pieces on each space and in each zone, in the scene's order."""
    places: dict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        places[piece.where].append(piece)
    return places


def group_marks(scene: Scene) -> tuple[Mapping[str, list[MarkKind]], Mapping[str, list[MarkKind]]]:
    """The kinds of marks by space (or zone), and by piece. The last action is not marked twice
    where it is marked on the space that the piece stands on."""
    places: dict[str, list[MarkKind]] = {}
    pieces: dict[str, list[MarkKind]] = {}
    for mark in dict.fromkeys(scene.marks):
        if mark.space:
            places.setdefault(mark.space, []).append(mark.kind)
    where = {piece.id: piece.where for piece in scene.pieces}
    for mark in dict.fromkeys(scene.marks):
        below = places.get(where.get(mark.piece, ""), ())
        if mark.piece and not (mark.kind == "last" and "last" in below):
            pieces.setdefault(mark.piece, []).append(mark.kind)
    return places, pieces


def owners(scene: Scene) -> set[str]:
    """All seats that the scene names."""
    found = {piece.owner for piece in scene.pieces}
    found |= {zone.owner for zone in scene.zones}
    found |= {track.owner for track in scene.tracks}
    return found - {""}


def seat_name(seat: str) -> str:
    """A seat as people call it: "South"."""
    return seat[:1].upper() + seat[1:]


def describe_piece(piece: Piece) -> str:
    """A piece in words, with what is particular to it: "Horned Blight (hit points 39)"."""
    name = piece.name or piece.glyph
    particulars = ", ".join(f"{key} {value}".strip() for key, value in piece.attributes.items())
    return f"{name} ({particulars})" if particulars else name


def zone_contents(pieces: Iterable[Piece]) -> list[str]:
    """What lies in a zone, equal things counted: "golem", "hulk x 2"."""
    return count_duplicates(describe_piece(piece) for piece in pieces)


def count_duplicates(words: Iterable[str]) -> list[str]:
    """Texts, equal ones counted."""
    return [
        text if number == 1 else f"{text} x {number}" for text, number in Counter(words).items()
    ]


def format_track(track: Track) -> str:
    """The value of a track: "3 of 20"."""
    return f"{track.value}" if track.most is None else f"{track.value} of {track.most}"


def track_label(track: Track) -> str:
    """What a track counts, where its owner or its piece is plain to see."""
    if track.label:
        return track.label
    whose = f"{seat_name(track.owner)}'s "
    name = track.name.removeprefix(whose) if track.owner else track.name
    return f"{name[:1].upper()}{name[1:]}"


def space_text(space: Space) -> str:
    """What a space shows besides its pieces. Its own name is at the edge of the board already."""
    return "" if space.label == space.id else space.label
