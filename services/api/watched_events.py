"""Events of matches, each with a view of the match after it, for one viewer."""

from collections import OrderedDict
from threading import Lock
from typing import Final
from uuid import UUID

from google.protobuf.field_mask_pb2 import FieldMask
from msgspec import Struct
from msgspec.structs import replace

from projections.views.scenes import scene_change
from projections.views.transitions import Transition
from projections.views.viewer_events import render_event
from services.api.field_masks import includes, keep_fields, read_paths
from services.api.match_views import (
    DEFAULT_VIEW_FIELDS,
    ActionsPage,
    PresentContext,
    ViewStyle,
    fill_view,
)
from services.mapping import messages, scene_messages
from services.wire.emeth.v1 import match_views_pb2 as pb
from services.wire.emeth.v1.subscriptions_pb2 import MatchTopic

EVENT: Final = "event"
CHANGES: Final = "event.changes"
DEFAULT_EVENT_FIELDS: Final = (EVENT, *(f"view.{name}" for name in DEFAULT_VIEW_FIELDS))
"""Fields of a `MatchEvent` for an empty mask."""


class EventStyle(Struct, frozen=True):
    """The fields of an event, and the style of its view."""

    paths: tuple[str, ...] = ()
    """Requested fields of `Event`, sorted; `*` alone for all of them."""
    view: ViewStyle = ViewStyle()
    edition: int = 0
    """Edition of the players' names. A new edition invalidates cached messages."""

    @property
    def whole(self) -> bool:
        """Return whether all fields of the event are included."""
        return self.paths == ("*",)


def event_style(mask: FieldMask, field: str, **view: bool | int) -> EventStyle:
    """Parse a mask over `MatchEvent`.

    Args:
        mask: The mask of the request.
        field: Name of the mask in the request.
        view: Fields of `ViewStyle` for drawings.

    Raises:
        ApiError: FIELD_INVALID for unknown fields.
    """
    paths = read_paths(pb.MatchEvent.DESCRIPTOR, mask, DEFAULT_EVENT_FIELDS, field)
    drawn = ViewStyle(_paths_below(paths, "view", pb.View), **view)  # type: ignore[arg-type]
    if not drawn.has_drawing:  # then nothing depends on how, and more callers share a message
        drawn = ViewStyle(drawn.paths)
    return EventStyle(("*",) if EVENT in paths else _paths_below(paths, EVENT, None), drawn)


class WatchOptions(Struct, frozen=True):
    """What one watcher gets with each event of a match."""

    every: EventStyle
    newest: EventStyle
    """Style of the newest event."""

    @property
    def edition(self) -> int:
        """Return the edition of the players' names."""
        return self.every.edition

    def at_edition(self, edition: int) -> "WatchOptions":
        """Return the same options with another edition of the players' names."""
        every, newest = (replace(each, edition=edition) for each in (self.every, self.newest))
        return WatchOptions(every, newest)


def watch_options(topic: MatchTopic) -> WatchOptions:
    """Parse the options of a match topic. Raise FIELD_INVALID for unknown fields."""
    how = {"narrow": topic.narrow, "view_from": topic.view_from}
    every = event_style(topic.read_mask, "match.read_mask", **how)
    newest = event_style(
        topic.latest_read_mask if topic.latest_read_mask.paths else topic.read_mask,
        "match.latest_read_mask",
        mark_legal=topic.mark_legal,
        **how,
    )
    return WatchOptions(every, newest)


def _paths_below(paths: tuple[str, ...], name: str, kind: type[pb.View] | None) -> tuple[str, ...]:
    """Return the paths below a field; all its fields if the field itself is included."""
    if name in paths and kind is not None:
        return tuple(sorted(each.name for each in kind.DESCRIPTOR.fields))
    start = f"{name}."
    return tuple(sorted(each.removeprefix(start) for each in paths if each.startswith(start)))


_Key = tuple[UUID, int, str, EventStyle, bool]
MAX_CACHED_BYTES: Final = 16 << 20
"""Maximum encoded size of cached messages. In memory they take about four times as much."""


class RenderedEventCache:
    """A cache of rendered events, shared by the watchers of a match."""

    def __init__(self, limit: int, actions: ActionsPage) -> None:
        self._max_entries = limit
        self._present = PresentContext(actions)
        self._entries: OrderedDict[_Key, tuple[pb.MatchEvent, int]] = OrderedDict()
        """Messages with their encoded sizes."""
        self._bytes = 0
        self._lock = Lock()

    def get(
        self, step: Transition, viewer: str, style: EventStyle, *, newest: bool = False
    ) -> pb.MatchEvent:
        """Return an event as this viewer sees it. The message is shared and must not change.

        At worst, two threads render the same event at once.
        """
        key = (step.after.id, step.after.version, viewer, style, newest)
        if (kept := self._entries.get(key)) is not None:
            return kept[0]
        found = pb.MatchEvent()
        fill_match_event(found, step, viewer, style, self._present if newest else None)
        self._insert(key, found, found.ByteSize())
        return found

    def _insert(self, key: "_Key", message: pb.MatchEvent, size: int) -> None:
        with self._lock:
            _, before = self._entries.get(key, (None, 0))
            self._entries[key] = message, size
            self._bytes += size - before
            while len(self._entries) > self._max_entries or self._bytes > MAX_CACHED_BYTES:
                _, (_, gone) = self._entries.popitem(last=False)
                self._bytes -= gone


def match_event(step: Transition, viewer: str, style: EventStyle) -> pb.MatchEvent:
    """Return an event and the match after it, as this viewer sees them."""
    message = pb.MatchEvent()
    fill_match_event(message, step, viewer, style)
    return message


def fill_match_event(
    message: pb.MatchEvent,
    step: Transition,
    viewer: str,
    style: EventStyle,
    present: PresentContext | None = None,
) -> None:
    """Fill in an event and the match after it. `present` is given for the newest event."""
    shown, changes = None, style.whole or includes(style.paths, "changes")
    if changes or style.view.has_drawing:
        shown, found = scene_change(step, viewer)
        if changes:
            scene_messages.fill_changes(message.event.changes, found)
    if style.paths:
        messages.fill_event(message.event, render_event(step, viewer))
        if not style.whole:
            keep_fields(message.event, style.paths)
    if style.view.paths:
        fill_view(message.view, step, viewer, style.view, shown, present)


def match_view(step: Transition, viewer: str, style: ViewStyle) -> pb.View:
    """Return the match after an event, as this viewer sees it."""
    message = pb.View()
    shown = scene_change(step, viewer)[0] if style.has_drawing else None
    fill_view(message, step, viewer, style, shown)
    return message
