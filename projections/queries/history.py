"""What happened in a match, as one viewer may know it: in pages, filtered, searched, as a record.

No rendering is stored. Filters and searches look at what the veil has left for this viewer, so
nothing can be found that may not be seen.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import ResolvedAction
from domain.match import ActionTaken, AnyMatch, Event, FlagFell, PlayerResigned, VerdictGiven, line
from projections.queries.search import find_with_snippets
from projections.views import board_views
from projections.views.scenes import scene_change
from projections.views.viewer_events import EventView, render_event

DROPPED_OUT_TEXT: Final = "(drops out)"
"""Stands where an action would, of a seat that gave up while the others played on."""
MAX_SCANNED_EVENTS: Final = 500
"""Events that one page of a filtered history looks at, at most: so its cost has a bound, and a
page may have fewer events than were asked for, or none, and yet not be the last."""


class HistoryQuery(Struct, frozen=True):
    """Which events are wanted: those that fit all that is set."""

    seat: str = ""
    """Whose doing they were."""
    kind: str = ""
    """Of the event, as `match.ActionTaken`, or of one of its facts."""
    rule: str = ""
    """ID of a rule that one of the event's rulings cites."""
    text: str = ""
    """Words, all of which are told of the event, in any form that has the same stem."""


class HistoryPage(Struct, frozen=True):
    """Some events of a match."""

    events: tuple[EventView, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


class GameRecord(Struct, frozen=True):
    """What was played, as people write it."""

    text: str
    version: int
    """The version that it goes to."""


def history_page(
    connection: sqlite3.Connection,
    match: UUID,
    viewer: str,
    size: int,
    place: int = 0,
    wanted: HistoryQuery | None = None,
    *,
    descending: bool = False,
    changes: bool = False,
) -> HistoryPage:
    """Return at most `size` events of a match that fit, in their order or in the reverse one.

    Args:
        connection: The read models.
        match: ID of the match.
        viewer: Who looks.
        size: Number of events, at most.
        place: `next` of the page before; 0 for the first page.
        wanted: Which events fit; None for all.
        descending: Whether the latest event comes first.
        changes: Whether each event has the changes of the viewer's scene.
    """
    window = MAX_SCANNED_EVENTS if wanted else size + 1
    if descending:
        end = (place or board_views.latest_version(connection, match) + 1) - 1
        window = min(window, end)
        found = board_views.read_transitions(connection, match, end - window, window)[::-1]
    else:
        found = board_views.read_transitions(connection, match, place, window)
    events = [render_event(step, viewer) for step in found]
    fitting = events
    if wanted:
        fitting = [event for event in events if _matches_query(event, wanted)]
        if wanted.text:
            fitting = [*find_with_snippets(fitting, wanted.text).values()]
    following = events[-1].version if events and len(events) == window else None
    if descending and following == 1:
        following = None
    if len(fitting) > size:
        fitting, following = fitting[:size], fitting[size - 1].version
    if changes:
        by_version = {step.after.version: step for step in found}
        fitting = [
            replace(event, changes=scene_change(by_version[event.version], viewer)[1])
            for event in fitting
        ]
    return HistoryPage(tuple(fitting), following)


def game_record(connection: sqlite3.Connection, match: UUID, viewer: str) -> GameRecord:
    """The whole match in the rulebook's score notation; where the game has none, or the viewer may
    not know every action, one action a line in machine notation, and how the players ended it if it
    was by no action. Empty for an unknown match.
    """
    steps = board_views.read_transitions(
        connection, match, 0, board_views.latest_version(connection, match)
    )
    if not steps:
        return GameRecord("", 0)
    game, start = steps[0].after.rules, steps[0].after.position
    on_line = {version for stretch in line(steps[-1].after) for version in stretch}
    events = [step.sealed.event for step in steps if step.after.version in on_line]
    played = [_resolved_action(event) for event in events if isinstance(event, ActionTaken)]
    known = [game.redact(each, viewer).action for each in played]
    # Score notation tells an action from all others that were legal: see `seen`. And it can only be
    # read on from the start, which a position that was put right does not follow from.
    whole = not any(isinstance(event, VerdictGiven) and event.facts for event in events)
    if game.score and whole and known == [each.action for each in played]:
        text = game.score.record(start, known)
    else:
        written = map(game.write_action, known)
        lines = [_record_line(event, written) for event in events]
        text = "".join(
            f"{line}\n" for line in (*filter(None, lines), *_agreed_score(steps[-1].after))
        )
    return GameRecord(text, steps[-1].after.version)


def _agreed_score(match: AnyMatch) -> tuple[str, ...]:
    """The score, if the players ended the match in a way that the game has no action for."""
    ended = match.result if match.is_ended_by_players else None
    return () if ended is None else (ended.score,)


def _record_line(event: Event, actions: Iterator[str]) -> str:
    """The line of a record for an event: the next of the actions, for one that is an action."""
    if isinstance(event, ActionTaken):
        return next(actions)
    if isinstance(event, PlayerResigned | FlagFell) and event.facts:
        return f"{event.seat} {DROPPED_OUT_TEXT}"
    return ""


def _resolved_action(event: ActionTaken[Any, Any]) -> ResolvedAction[Any, Any]:
    return ResolvedAction(event.seat, event.action, event.facts, event.rulings)


def _matches_query(event: EventView, wanted: HistoryQuery) -> bool:
    kinds = (event.kind, *(fact.kind for fact in event.facts))
    return (
        wanted.seat in ("", event.seat)
        and (not wanted.kind or wanted.kind in kinds)
        and (not wanted.rule or any(wanted.rule in ruling.rules for ruling in event.rulings))
    )
