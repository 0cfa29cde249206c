"""Events, each between the match before it and the match after it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, Event
from projections.projector.schema import NameLookup, former_player_name
from projections.queries.player_names import with_player_names


class Transition(Struct, frozen=True):
    """One event, and the match around it. Nothing is veiled yet."""

    before: AnyMatch | None
    """None for the event that created the match."""
    sealed: SealedEvent[Event]
    after: AnyMatch
    moved: "Transition | None" = None
    """The last event before it that changed the position, where this one did not."""


def changes_position(step: Transition) -> bool:
    """Did the event change the position, or bring it about?"""
    before, after = step.before, step.after
    if before is None:
        return True
    return before.position is not after.position and before.position != after.position


def with_last_change(
    steps: Iterable[Transition], moved: Transition | None = None
) -> Iterator[Transition]:
    """The same steps, each that changed no position with the last one that did; `moved` is the last
    one before them."""
    for step in steps:
        if changes_position(step):
            moved = step
            yield step
        else:
            yield replace(step, moved=moved)


def transitions(
    before: AnyMatch, changeset: Changeset[AnyMatch], names: NameLookup = former_player_name
) -> Iterator[Transition]:
    """What was decided in a match, event by event, with the names of frontends' players."""
    yield from with_last_change(_transitions(before, changeset, names))


def _transitions(
    before: AnyMatch, changeset: Changeset[AnyMatch], names: NameLookup
) -> Iterator[Transition]:
    for sealed, after in zip(changeset.events, changeset.states, strict=True):
        yield Transition(with_player_names(before, names), sealed, after)
        before = after
