"""Loading matches from the log: as they stand, and as they stood."""

from collections import deque
from uuid import UUID

from domain.aggregates.snapshots import Requests, read_snapshot
from domain.kernel.packs import OWN, Library
from domain.match import AnyMatch, Folding, evolve, goes_to, replay
from services.store.log import Log


def load(store: Log, identity: UUID, library: Library = OWN) -> tuple[AnyMatch, Requests] | None:
    """A match from its latest snapshot and the events since; None if the log has none of it. It
    names packs of the library."""
    match, requests, later = _from_snapshot(store, identity, library)
    for step in later:
        requests.setdefault(step.event.request, step.event.version)
    loaded = replay(match, later, library=library)
    return None if loaded is None else (loaded, requests)


def load_at(store: Log, identity: UUID, version: int, library: Library = OWN) -> AnyMatch | None:
    """A match as it stood at a version (at least 1)."""
    return next(iter(reversed(load_until(store, identity, version, 1, library))), None)


def load_until(
    store: Log, identity: UUID, version: int, most: int, library: Library = OWN
) -> list[AnyMatch]:
    """A match as it stood at a version (at least 1), preceded by how it stood at up to `most` - 1
    versions before."""
    match, _, later = _from_snapshot(store, identity, library, version)
    stood: deque[AnyMatch] = deque([match] if match else (), maxlen=most)
    positions = {match.version: match.position} if match else {}
    for step in later:
        match = evolve(match, step, positions.__getitem__, library)
        positions[match.version] = match.position
        stood.append(match)
    return [*stood]


def _from_snapshot(
    store: Log, identity: UUID, library: Library, until: int | None = None
) -> tuple[AnyMatch | None, Requests, list[Folding]]:
    """The latest snapshot up to a version, and the events since. It is left out where one of them
    goes back to before it: then the whole log is needed, once, however many do."""
    stored = store.latest_snapshot(identity, until)
    taken = read_snapshot(stored, library) if stored is not None else None
    if taken is not None and taken[0].id == identity:
        match, requests = taken
        later = [*store.steps(identity, after=match.version, until=until, digest=match.digest)]
        if all((goes_to(each.event) or match.version) >= match.version for each in later):
            return match, requests, later
    return None, {}, [*store.steps(identity, until=until)]
