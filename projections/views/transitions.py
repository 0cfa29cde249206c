"""Transitions: events, each with the match before and after it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, Event
from projections.projector.schema import NameLookup, former_player_name
from projections.queries.player_names import with_player_names


class Transition(Struct, frozen=True):
    """One event with the match before and after it, not redacted yet."""

    before: AnyMatch | None
    """The match before the event; None for the event that created the match."""
    sealed: SealedEvent[Event]
    after: AnyMatch
    last_change: "Transition | None" = None
    """The last earlier transition that changed the position, if this one did not."""


def changes_position(step: Transition) -> bool:
    """Return whether the event changed the position, or created it."""
    before, after = step.before, step.after
    if before is None:
        return True
    return before.position is not after.position and before.position != after.position


def with_last_change(
    steps: Iterable[Transition], last_change: Transition | None = None
) -> Iterator[Transition]:
    """Yield the transitions; those that changed no position get the last one that did.

    Args:
        steps: Transitions in order.
        last_change: The last transition before `steps` that changed the position.
    """
    for step in steps:
        if changes_position(step):
            last_change = step
            yield step
        else:
            yield replace(step, last_change=last_change)


def transitions(
    before: AnyMatch, changeset: Changeset[AnyMatch], names: NameLookup = former_player_name
) -> Iterator[Transition]:
    """Yield the transitions of a decision, with the names of frontends' players."""
    yield from with_last_change(_transitions(before, changeset, names))


def _transitions(
    before: AnyMatch, changeset: Changeset[AnyMatch], names: NameLookup
) -> Iterator[Transition]:
    for sealed, after in zip(changeset.events, changeset.states, strict=True):
        yield Transition(with_player_names(before, names), sealed, after)
        before = after
