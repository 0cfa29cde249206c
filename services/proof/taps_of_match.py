"""Puts together the taps that a match's actions name, from the log and the tree over it."""

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
    """Of each event the taps that it names, if it does: one step for each event."""
    for sealed in events:
        event = tapped_event(sealed.event)
        yield event.source.taps if event else None


def smallest_tree_size(connection: Connection, wanted: Sequence[Taps]) -> int:
    """Return how many events the smallest tree has that has all of these taps; 0 for none."""
    places = (
        devices.tap_leaf_index(connection, taps.table, version)
        for taps in wanted
        for version in taps.versions
    )
    return max((place + 1 for place in places if place is not None), default=0)


def match_tap_evidence(
    connection: Connection, log: Log, match: UUID, wanted: Sequence[Taps], signer: Signer
) -> list[bytes]:
    """The lines of a match's file for these taps, with proofs in the smallest tree that has them
    all: so they are the same whenever the file is written. Blocks on the disk."""
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
