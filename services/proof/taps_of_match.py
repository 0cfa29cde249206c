"""The taps that a match's actions name, with their proofs, from the log and its tree."""

from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from uuid import UUID

from domain.log.origin import Taps
from domain.log.sealed_events import SealedEvent
from domain.match import Event
from domain.table.tap_evidence import tapped_event
from projections.queries import devices, log_tree
from services.proof.signing import Signer
from services.proof.tap_evidence import ProvenTap, evidence_lines, lost_taps_line
from services.store.log import Log
from services.store.taps import NamedTap, named_taps


def taps_of(events: Iterable[SealedEvent[Event]]) -> Iterator[Taps | None]:
    """Yield for each event the taps that it names, or None."""
    for sealed in events:
        event = tapped_event(sealed.event)
        yield event.source.taps if event else None


def smallest_tree_size(connection: Connection, wanted: Sequence[Taps]) -> int:
    """Return the size of the smallest tree that includes all of these taps; 0 for none."""
    places = (
        devices.tap_leaf_index(connection, taps.table, version)
        for taps in wanted
        for version in taps.versions
    )
    return max((place + 1 for place in places if place is not None), default=0)


def match_tap_evidence(
    connection: Connection, log: Log, match: UUID, wanted: Sequence[Taps], signer: Signer
) -> list[bytes]:
    """Return the tap lines of a match file. Blocks on the disk.

    The proofs are for the smallest tree that includes all taps, so that the lines are the same
    whenever the file is written.
    """
    found: list[tuple[NamedTap, int]] = []
    lines: list[bytes] = []
    for taps in wanted:
        missing = {*taps.versions}
        for tap in named_taps(log, match, taps):
            place = devices.tap_leaf_index(connection, taps.table, tap.version)
            if place is not None:
                found.append((tap, place))
                missing.discard(tap.version)
        if missing:
            lines.append(lost_taps_line(taps.table, sorted(missing)))
    if found:
        size = max(place for _, place in found) + 1
        head = log_tree.tree_head_at(connection, size)
        assert head is not None, "the tree has a leaf for each place"
        lines += evidence_lines(
            (
                ProvenTap(
                    tap.sealed,
                    tap.previous,
                    place,
                    (*log_tree.inclusion_proof(connection, place, size),),
                )
                for tap, place in found
            ),
            head.size,
            head.root,
            signer,
        )
    return lines
