"""The branches of a match: what was undone, where it parts from the mainline, and what is
otherwise there."""

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
"""Events without which nothing was played. A verdict that upholds an event is none."""


class Branch(Struct, frozen=True):
    """A run of events that was undone, or the mainline."""

    head_version: int
    """Its last version."""
    base_version: int
    """The last version that leads to the present too; its head for the line itself."""
    mainline: bool
    versions: tuple[int, ...]
    """Those that lead to its head since they parted."""
    position: str
    """At its head, as the viewer may see it."""
    differences: tuple[str, ...]
    """What is otherwise there than in the present, a sentence each, as the viewer may see it."""


def list_branches(
    connection: sqlite3.Connection, match: AnyMatch, viewer: str, begin: int, size: int
) -> list[Branch]:
    """Up to `size` branches of a match as it stands: the line, then those undone in which anything
    was played, the latest first. `begin` are left out."""
    game = match.rules
    present = game.scene(match.position, viewer)
    found = []
    for head in islice(_heads(connection, match), begin, begin + size):
        stood = match if head == match.version else board_views.match_at(connection, match.id, head)
        assert stood is not None
        versions = (version for stretch in branch_ranges(match, head) for version in stretch)
        found.append(
            Branch(
                head_version=head,
                base_version=branch_point(match, head),
                mainline=head == match.version,
                versions=tuple(versions),
                position=game.write_view(stood.position, viewer),
                differences=tuple(scene_differences(present, game.scene(stood.position, viewer))),
            )
        )
    return found


def _heads(connection: sqlite3.Connection, match: AnyMatch) -> Iterator[int]:
    """Yield the heads of the branches: of two that play the same, and differ by a dispute or by
    another event of which no game knows, the one that was left last."""
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
    """How another scene differs from the present one, a sentence for each difference."""
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
    """What lies in a place now, and lay there then: by name, or where the names are the same, with
    what is particular to each."""
    plain = [sorted(piece.name or piece.glyph for piece in pieces) for pieces in (now, then)]
    if plain[0] != plain[1]:
        return plain[0], plain[1]
    return sorted(zone_contents(now)), sorted(zone_contents(then))
