"""A match as one viewer sees it, and its events, as messages."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import Lock
from typing import Final, Protocol
from uuid import UUID

from msgspec import Struct

from domain.kernel.scene import Scene
from domain.kernel.theme import Theme
from domain.match import AnyMatch, known
from projections.drawing import closeup, svg, text
from projections.drawing.turning import HALF_TURN, Outlook, outlook, turned
from projections.scenes import scene_change, with_legal
from projections.transitions import Transition
from projections.visible_events import see
from services import match_messages, messages, scene_messages
from services.errors import malformed
from services.wire.emeth.v1 import views_pb2 as pb
from services.wire.emeth.v1.play_pb2 import ListActionsRequest, ListActionsResponse

CLOSE: Final = 3
"""How much larger one space is drawn when it is looked at closely."""
LISTED: Final = 500
"""Legal actions that come with an event, at most."""
SHOWN: Final = 12
"""Names of what there is in an error, at most."""

ActionsPage = Callable[[AnyMatch, str, ListActionsRequest], ListActionsResponse]
"""A page of what a seat may do, as `LegalActions.page` gives it."""


class Wanted(Struct, frozen=True):
    """With what a watcher wants events."""

    form: int = pb.SCENE_FORMAT_UNSPECIFIED
    """That of the scene; none if unspecified."""
    narrow: bool = False
    """A drawing for a narrow screen."""
    present: bool = False
    """The scene of the newest event only, with what the viewer may do."""
    view_from: int = pb.VIEW_FROM_UNSPECIFIED
    """The side of the board that it is drawn from."""
    edition: int = 0
    """Of the names of players: what was told with others is told anew."""


_Key = tuple[UUID, int, str, Wanted]
MOST_BYTES: Final = 16 << 20
"""Of kept messages as they are sent; as they are held they take about four times as much."""


class Rendered:
    """Events as messages, kept so that many watchers of one match share the work."""

    def __init__(self, most: int, actions: ActionsPage) -> None:
        self._most = most
        self._actions = actions
        self._kept: OrderedDict[_Key, tuple[pb.WatchMatchResponse, int]] = OrderedDict()
        """With the bytes of each."""
        self._bytes = 0
        self._keeping = Lock()

    def get(self, step: Transition, viewer: str, wanted: Wanted) -> pb.WatchMatchResponse:
        """The event as this viewer sees it, for all who see it so: never changed. At worst, two
        threads make the same at once."""
        key = (step.after.id, step.after.version, viewer, wanted)
        if (kept := self._kept.get(key)) is not None:
            return kept[0]
        found = pb.WatchMatchResponse(event=self._rendered(step, viewer, wanted))
        self._keep(key, found, found.ByteSize())
        return found

    def _keep(self, key: "_Key", message: pb.WatchMatchResponse, size: int) -> None:
        with self._keeping:
            _, before = self._kept.get(key, (None, 0))
            self._kept[key] = message, size
            self._bytes += size - before
            while len(self._kept) > self._most or self._bytes > MOST_BYTES:
                _, (_, gone) = self._kept.popitem(last=False)
                self._bytes -= gone

    def _rendered(self, step: Transition, viewer: str, wanted: Wanted) -> pb.WatchedEvent:
        if not wanted.present:
            how = wanted.view_from
            return watched(step, viewer, wanted.form, narrow=wanted.narrow, view_from=how)
        message, shown = _told(step, viewer)
        match = step.after
        if wanted.form != pb.SCENE_FORMAT_UNSPECIFIED:
            shown = with_legal(shown, match, viewer)
            look_from(message, match, viewer, wanted.view_from)
            draw(message, shown, match.rules.theme, wanted.form, narrow=wanted.narrow)
        message.match.CopyFrom(match_messages.match(match, step.sealed.event.at))
        if any(prompt.seat == viewer for prompt in match.prompts):
            asked = ListActionsRequest(page_size=LISTED)
            page = self._actions(known(match, viewer), viewer, asked)
            message.actions.version = page.version
            message.actions.actions.extend(page.actions)
            message.actions.next_page_token = page.next_page_token
        return message


def watched(
    step: Transition,
    viewer: str,
    form: int,
    *,
    narrow: bool = False,
    view_from: int = pb.VIEW_FROM_UNSPECIFIED,
) -> pb.WatchedEvent:
    """An event and the match after it, as this viewer sees them; no scene if none is wanted."""
    message, shown = _told(step, viewer)
    if form != pb.SCENE_FORMAT_UNSPECIFIED:
        look_from(message, step.after, viewer, view_from)
        draw(message, shown, step.after.rules.theme, form, narrow=narrow)
    return message


def _told(step: Transition, viewer: str) -> tuple[pb.WatchedEvent, Scene]:
    """An event as a message without a scene, and the scene after it."""
    message = pb.WatchedEvent()
    messages.fill_event(message.event, see(step, viewer))
    after, found = scene_change(step, viewer)
    scene_messages.fill_changes(message.event.changes, found)
    fill_standing(message, step.after, viewer)
    return message, after


def fill_standing(
    message: pb.GetSceneResponse | pb.WatchedEvent,
    match: AnyMatch,
    viewer: str,
    now: datetime | None = None,
) -> None:
    """What is to be said of a match beside its scene; its clocks now, or else at its last event."""
    game, position = match.rules, match.position
    message.position = game.write_view(position, viewer)
    messages.fill_prompts(message.prompts, match.prompts)
    match_messages.fill_affairs(message, match, now)
    if match.result is not None:
        message.result.CopyFrom(messages.result(match.result, match.seats))
    if game.announce is not None:
        message.announcements.extend(game.announce(position))


def draw(
    message: pb.GetSceneResponse | pb.WatchedEvent,
    shown: Scene,
    theme: Theme,
    form: int,
    *,
    narrow: bool = False,
) -> None:
    """Fill in the wanted one of the three drawings, from the side that the message tells."""
    if form == pb.SCENE_FORMAT_STRUCTURE:
        message.scene.CopyFrom(scene_messages.scene(shown))
        return
    seen = turned(shown, Outlook(message.quarter_turns, message.nearest_seat))
    match form:
        case pb.SCENE_FORMAT_TEXT:
            message.text = text.draw(seen)
        case _:
            message.svg = svg.draw(seen, theme, narrow=narrow)


def draw_focus(
    message: pb.GetSceneResponse, shown: Scene, theme: Theme, focus: str, form: int
) -> None:
    """The same of one space, zone or piece, drawn larger, with everything about it told.
    FIELD_INVALID for what the scene does not have."""
    found = closeup.pick(shown, focus)
    if found is None:
        known = ", ".join(closeup.names(shown)[:SHOWN])
        raise malformed("focus", f"the scene has nothing called {focus[:40]!r}; it has {known} ...")
    match form:
        case pb.SCENE_FORMAT_STRUCTURE:
            message.scene.CopyFrom(scene_messages.scene(found))
        case pb.SCENE_FORMAT_TEXT:
            message.text = closeup.draw(found)
        case _:
            message.svg = svg.draw(found, theme, scale=CLOSE)


def look_from(
    message: pb.WatchedEvent | pb.GetSceneResponse, match: AnyMatch, viewer: str, view_from: int
) -> None:
    """Say in the answer from where its board is seen; what is drawn then, is drawn so."""
    across, near = view_from == pb.VIEW_FROM_OPPOSITE, view_from == pb.VIEW_FROM_NEAR_SIDE
    seen = outlook(match.rules, viewer, across=across, near=near)
    message.turned, message.quarter_turns = seen.quarters == HALF_TURN, seen.quarters
    message.nearest_seat = seen.nearest if seen.nearest in match.seats else ""


def check_format(form: int) -> None:
    """FIELD_INVALID for a form of scene that there is not."""
    if form not in pb.SceneFormat.values():
        raise malformed("format", "it is one of SceneFormat")


class Drawn(Protocol):
    """A request with drawings in its answer."""

    @property
    def format(self) -> int: ...
    @property
    def view_from(self) -> int: ...


def check_drawing(request: Drawn) -> None:
    """The same, and for a side of the board that there is not."""
    check_format(request.format)
    if request.view_from not in pb.ViewFrom.values():
        raise malformed("view_from", "it is one of ViewFrom")
