"""Events, each between the match before it and the match after it."""

from collections.abc import Iterator

from msgspec import Struct

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Decided, Event
from projections.following.schema import Names, nameless
from projections.player_names import named


class Transition(Struct, frozen=True):
    """One event, and the match around it. Nothing is veiled yet."""

    before: AnyMatch | None
    """None for the event that created the match."""
    sealed: Sealed[Event]
    after: AnyMatch


def transitions(
    before: AnyMatch, decided: Decided[AnyMatch], names: Names = nameless
) -> Iterator[Transition]:
    """What was decided in a match, event by event, with the names of frontends' players."""
    for sealed, after in zip(decided.events, decided.states, strict=True):
        yield Transition(named(before, names), sealed, after)
        before = after
