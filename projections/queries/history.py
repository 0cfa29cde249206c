"""The history of a match for one viewer: pages of events, with filters and search, and the record.

Events are redacted for the viewer before they are filtered and searched. So a search finds nothing
that the viewer may not see.
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
"""Replaces the action in a record when a seat leaves while the others continue."""
MAX_SCANNED_EVENTS: Final = 500
"""Maximum number of events that one page with a filter examines, which bounds its cost. Such a page
may have too few events, or none, before the last page."""


class HistoryQuery(Struct, frozen=True):
    """Conditions that events must meet, all together. Empty ones do not count."""

    seat: str = ""
    """The seat that caused the event."""
    kind: str = ""
    """The kind of the event, such as `match.ActionTaken`, or of one of its facts."""
    rule: str = ""
    """ID of a rule that one of the event's rulings cites."""
    text: str = ""
    """Words in the event's rendering, all of them, in any form with the same stem."""


class HistoryPage(Struct, frozen=True):
    """A page of a match's events."""

    events: tuple[EventView, ...]
    next: int | None
    """The `place` of the next page; None after the last page."""


class GameRecord(Struct, frozen=True):
    """A match in its game's notation."""

    text: str
    version: int
    """The version of the match at the end of the record."""


def history_page(
    connection: sqlite3.Connection,
    match: UUID,
    viewer: str,
    size: int,
    place: int = 0,
    query: HistoryQuery | None = None,
    *,
    descending: bool = False,
    changes: bool = False,
) -> HistoryPage:
    """Return a page of a match's events.

    Args:
        connection: The read models.
        match: ID of the match.
        viewer: The seat or role that the events are redacted for.
        size: Maximum number of events.
        place: `next` of the previous page; 0 for the first page.
        query: Conditions that the events must meet; None for all events.
        descending: Whether the latest event comes first.
        changes: Whether each event includes the changes of the viewer's scene.
    """
    window = MAX_SCANNED_EVENTS if query else size + 1
    if descending:
        end = (place or board_views.latest_version(connection, match) + 1) - 1
        window = min(window, end)
        found = board_views.read_transitions(connection, match, end - window, window)[::-1]
    else:
        found = board_views.read_transitions(connection, match, place, window)
    events = [render_event(step, viewer) for step in found]
    fitting = events
    if query:
        fitting = [event for event in events if _matches_query(event, query)]
        if query.text:
            fitting = [*find_with_snippets(fitting, query.text).values()]
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
    """Return the record of a match, from the start to the current version.

    The record is in the score notation of the rulebook. If the game has none, or the viewer may not
    know every action, the record has one action a line in machine notation. It then ends with the
    score if the players ended the match without an action. The record of an unknown match is empty.
    """
    steps = board_views.read_transitions(
        connection, match, 0, board_views.latest_version(connection, match)
    )
    if not steps:
        return GameRecord("", 0)
    game, start = steps[0].after.rules, steps[0].after.position
    on_line = {version for versions in line(steps[-1].after) for version in versions}
    events = [step.sealed.event for step in steps if step.after.version in on_line]
    played = [_resolved_action(event) for event in events if isinstance(event, ActionTaken)]
    known = [game.redact(each, viewer).action for each in played]
    # Score notation distinguishes an action from the other legal actions only: see `render_event`.
    # It is read from the start, so a verdict that corrects the position makes it unreadable.
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
    """Return the score, if the players ended the match without an action of the game."""
    ended = match.result if match.is_ended_by_players else None
    return () if ended is None else (ended.score,)


def _record_line(event: Event, actions: Iterator[str]) -> str:
    """Return the line of a record for an event, or an empty string.

    Args:
        event: The event.
        actions: The notations of the actions; an event that is an action takes the next one.
    """
    if isinstance(event, ActionTaken):
        return next(actions)
    if isinstance(event, PlayerResigned | FlagFell) and event.facts:
        return f"{event.seat} {DROPPED_OUT_TEXT}"
    return ""


def _resolved_action(event: ActionTaken[Any, Any]) -> ResolvedAction[Any, Any]:
    return ResolvedAction(event.seat, event.action, event.facts, event.rulings)


def _matches_query(event: EventView, query: HistoryQuery) -> bool:
    kinds = (event.kind, *(fact.kind for fact in event.facts))
    return (
        query.seat in ("", event.seat)
        and (not query.kind or query.kind in kinds)
        and (not query.rule or any(query.rule in ruling.rules for ruling in event.rulings))
    )
