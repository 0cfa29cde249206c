"""The projector function for `eventsourcing`: it folds events into aggregates.

The library folds one event at a time with `mutate`. We fold a whole stream, because an undo needs
the earlier positions of the match.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import chain
from typing import Any, Final

from domain import army, frontend, player, runs
from domain.army import SavedArmy
from domain.conditional_moves import ConditionalMoves
from domain.conditional_moves import evolve as evolve_plan
from domain.frontend import Frontend
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import GENESIS, check_link
from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, replay
from domain.player import Player
from domain.runs import Runs
from domain.storage.topics import ARMY, FRONTEND, MATCH, PLAN, PLAYER, SERVICE, TABLE, kind_of_event
from domain.table import Table
from domain.table import evolve as evolve_table

Aggregate = AnyMatch | SavedArmy | Table | Frontend | Player | ConditionalMoves | Runs
"""The state of anything in the log. Each has an `id` and a `version`, as `eventsourcing`
requires."""

FOLDS: Final[dict[str, Callable[[Any, Iterable[SealedEvent[Any]], Library], Aggregate | None]]] = {
    MATCH: lambda before, events, library: replay(before, events, library=library),
    ARMY: lambda before, events, _: reduce(army.evolve, events, before),
    PLAN: lambda before, events, _: reduce(evolve_plan, events, before),
    TABLE: lambda before, events, _: reduce(evolve_table, events, before),
    FRONTEND: lambda before, events, _: reduce(frontend.evolve, events, before),
    PLAYER: lambda before, events, _: reduce(player.evolve, events, before),
    SERVICE: lambda before, events, _: reduce(runs.evolve, events, before),
}


def project(
    before: Aggregate | None, events: Iterable[SealedEvent[Any]], library: Library = BUILT_IN_PACKS
) -> Aggregate | None:
    """Return the aggregate after these events, or `before` if there are none.

    Args:
        before: The aggregate before the events; None for a new one.
        events: Events of one aggregate, in order.
        library: The content packs that matches may refer to.

    Raises:
        BrokenChainError: An event does not continue the digest chain.
    """
    coming = iter(events)
    first = next(coming, None)
    if first is None:
        return before
    linked = _linked(before.digest if before else GENESIS, chain((first,), coming))
    return FOLDS[kind_of_event(first)](before, linked, library)


def _linked(previous: str, events: Iterable[SealedEvent[Any]]) -> Iterator[SealedEvent[Any]]:
    for sealed in events:
        check_link(previous, sealed.digest, sealed.body)
        previous = sealed.digest
        yield sealed
