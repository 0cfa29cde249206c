"""Queries for the branches of a match: undone events, and how they differ from the mainline."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.scene import Piece, Scene
from domain.match import AnyMatch, branch_heads, branch_point, branch_ranges
from projections.drawing.layout import format_track, pieces_by_place, zone_contents
from projections.views import board_views

PLAY_EVENTS: Final = (
    "match.ActionTaken",
    "match.Resigned",
    "match.TimeRanOut",
    "match.DrawAnswered",
    "match.VerdictGiven",
)
"""Kinds of events that change a position. A branch without any of them is not listed.

A verdict that upholds an event does not count.
"""


class Branch(Struct, frozen=True):
    """An undone sequence of events, or the mainline."""

    head_version: int
    """The last version of the branch."""
    base_version: int
    """The last version that the branch shares with the mainline; for the mainline, its head."""
    mainline: bool
    versions: tuple[int, ...]
    """The versions after the base, through the head."""
    position: str
    """The position at the head, redacted for the viewer."""
    differences: tuple[str, ...]
    """One sentence for each difference from the current scene, as the viewer sees both."""


def list_branches(
    connection: sqlite3.Connection, match: AnyMatch, viewer: str, begin: int, size: int
) -> list[Branch]:
    """Return branches of a match: the mainline, then the undone branches, the latest first.

    Undone branches without an action or another event of play are left out.

    Args:
        connection: The read models.
        match: The match at its current version.
        viewer: The seat or role that positions are redacted for.
        begin: Number of branches to skip.
        size: Maximum number of branches.
    """
    game = match.rules
    present = game.scene(match.position, viewer)
    found = []
    for head in islice(_heads(connection, match), begin, begin + size):
        at_head = (
            match if head == match.version else board_views.match_at(connection, match.id, head)
        )
        assert at_head is not None
        versions = (version for each in branch_ranges(match, head) for version in each)
        found.append(
            Branch(
                head_version=head,
                base_version=branch_point(match, head),
                mainline=head == match.version,
                versions=tuple(versions),
                position=game.write_view(at_head.position, viewer),
                differences=tuple(scene_differences(present, game.scene(at_head.position, viewer))),
            )
        )
    return found


def _heads(connection: sqlite3.Connection, match: AnyMatch) -> Iterator[int]:
    """Yield the head versions of the branches, the mainline first.

    Branches that differ only in events that change no position, such as disputes, count as one:
    the last one that was undone.
    """
    yield match.version
    if match.details.jumps:
        left = _played_versions(connection, match.id)
        for head in branch_heads(match):
            own = {version for each in branch_ranges(match, head) for version in each} & left
            if own:
                yield head
                left -= own


def _played_versions(connection: sqlite3.Connection, match: UUID) -> set[int]:
    rows = connection.execute(
        "SELECT e.version FROM events e JOIN matches m ON m.number = e.match WHERE m.match = ?"
        " AND json_extract(e.body, '$.type') IN (?, ?, ?, ?, ?)"
        " AND json_extract(e.body, '$.verdict') IS NOT 'upheld'",
        (str(match), *PLAY_EVENTS),
    )
    return {version for (version,) in rows}


def scene_differences(present: Scene, other: Scene) -> Iterator[str]:
    """Yield one sentence for each difference between the current scene and another scene."""
    if present.caption != other.caption:
        yield f"{other.caption}, not: {present.caption}"
    lying, lain = pieces_by_place(present), pieces_by_place(other)
    names = {zone.id: zone.name for zone in (*present.zones, *other.zones)}
    for place in dict.fromkeys((*lying, *lain)):
        now, then = _distinct_contents(lying.get(place, ()), lain.get(place, ()))
        if now != then:
            name = names.get(place, place)
            yield f"{name}: {', '.join(then) or 'nothing'}, not {', '.join(now) or 'nothing'}"
    tracks = {(track.owner, track.id): track for track in present.tracks}
    for track in other.tracks:
        now_at = tracks.get((track.owner, track.id))
        if now_at is None or now_at.value != track.value:
            instead = format_track(now_at) if now_at else "none"
            yield f"{track.name}: {format_track(track)}, not {instead}"


def _distinct_contents(now: Sequence[Piece], then: Sequence[Piece]) -> tuple[list[str], list[str]]:
    """Return the pieces of one place in two scenes, by name.

    If the names are equal, each name includes the details of its piece.
    """
    plain = [sorted(piece.name or piece.glyph for piece in pieces) for pieces in (now, then)]
    if plain[0] != plain[1]:
        return plain[0], plain[1]
    return sorted(zone_contents(now)), sorted(zone_contents(then))
