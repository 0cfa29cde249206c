"""Loading of aggregates from the log: their current state, and earlier states of matches."""

from collections import deque
from uuid import UUID

from domain import army
from domain.army import SavedArmy
from domain.conditional_moves import ConditionalMoves
from domain.conditional_moves import evolve as evolve_plan
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.origin import request_lookup_key
from domain.match import AnyMatch, FoldInput, evolve, replay, target_version
from domain.storage.snapshots import RequestVersions, read_snapshot, read_table_snapshot
from domain.storage.topics import TABLE, kind_of
from domain.table import Table
from domain.table import evolve as evolve_table
from services.store.log import Log


def load_match(
    store: Log, identity: UUID, library: Library = BUILT_IN_PACKS
) -> tuple[AnyMatch, RequestVersions] | None:
    """Return a match from its latest snapshot and the events since; None if there is none."""
    match, requests, later = _from_snapshot(store, identity, library)
    for step in later:
        requests.setdefault(request_lookup_key(step.event.request), step.event.version)
    loaded = replay(match, later, library=library)
    return None if loaded is None else (loaded, requests)


def load_match_at(
    store: Log, identity: UUID, version: int, library: Library = BUILT_IN_PACKS
) -> AnyMatch | None:
    """Return a match as of a version, at least 1."""
    return next(iter(reversed(load_match_states(store, identity, version, 1, library))), None)


def load_match_states(
    store: Log, identity: UUID, version: int, limit: int, library: Library = BUILT_IN_PACKS
) -> list[AnyMatch]:
    """Return the states of a match up to a version (at least 1), at most `limit` of them."""
    match, _, later = _from_snapshot(store, identity, library, version)
    states: deque[AnyMatch] = deque([match] if match else (), maxlen=limit)
    known = {match.version: match} if match else {}
    for step in later:
        match = evolve(match, step, known.__getitem__, library)
        known[match.version] = match
        states.append(match)
    return [*states]


def _from_snapshot(
    store: Log, identity: UUID, library: Library, until: int | None = None
) -> tuple[AnyMatch | None, RequestVersions, list[FoldInput]]:
    """Return the latest snapshot up to a version, and the events since.

    The snapshot is skipped if one of the events undoes to a version before it. Then the whole log
    is needed, once.
    """
    stored = store.latest_snapshot(identity, until)
    taken = read_snapshot(stored, library) if stored is not None else None
    if taken is not None and taken[0].id == identity:
        match, requests = taken
        later = [*store.steps(identity, after=match.version, until=until, digest=match.digest)]
        if all((target_version(each.event) or match.version) >= match.version for each in later):
            return match, requests, later
    return None, {}, [*store.steps(identity, until=until)]


def load_table(store: Log, identity: UUID) -> Table | None:
    """Return a table from its latest snapshot and the events since; None if there is none."""
    stored = store.latest_snapshot(identity)
    if stored is not None and kind_of(stored) != TABLE:
        return None
    table = read_table_snapshot(stored) if stored is not None else None
    if table is not None and table.id != identity:
        table = None
    after, digest = (table.version, table.digest) if table else (0, None)
    for sealed in store.table_events(identity, after=after, digest=digest):
        table = evolve_table(table, sealed)
    return table


def load_army(store: Log, identity: UUID) -> tuple[SavedArmy, RequestVersions] | None:
    """Return an army from all its events, with its requests; None if there is none."""
    saved: SavedArmy | None = None
    requests: RequestVersions = {}
    for sealed in store.army_events(identity):
        saved = army.evolve(saved, sealed)
        requests.setdefault(request_lookup_key(sealed.event.request), sealed.event.version)
    return None if saved is None else (saved, requests)


def load_conditional_moves(
    store: Log, identity: UUID
) -> tuple[ConditionalMoves, RequestVersions] | None:
    """Return conditional moves from all their events, with their requests, or None."""
    plan: ConditionalMoves | None = None
    requests: RequestVersions = {}
    for sealed in store.plan_events(identity):
        plan = evolve_plan(plan, sealed)
        requests.setdefault(request_lookup_key(sealed.event.request), sealed.event.version)
    return None if plan is None else (plan, requests)
