"""A match as one viewer sees it, and its events, as messages."""

from collections import OrderedDict
from typing import Final
from uuid import UUID

from domain.kernel.scene import Scene
from domain.kernel.theme import Theme
from domain.match import AnyMatch
from projections.drawing import closeup, svg, text
from projections.scenes import scene_change
from projections.transitions import Transition
from projections.visible_events import see
from services import messages, scene_messages
from services.errors import malformed
from services.wire.emeth.v1 import views_pb2 as pb

CLOSE: Final = 3
"""How much larger one space is drawn when it is looked at closely."""
SHOWN: Final = 12
"""Names of what there is in an error, at most."""


class Rendered:
    """Events as messages, kept so that many watchers of one match share the work."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[UUID, int, str, int, int], pb.WatchedEvent] = OrderedDict()

    def get(
        self, identity: UUID, step: Transition, viewer: str, form: int, edition: int
    ) -> pb.WatchedEvent:
        """The event as this viewer sees it, with names as they are in this edition. At worst, two
        threads make the same at once."""
        key = (identity, step.after.version, viewer, form, edition)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = watched(step, viewer, form)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found


def watched(step: Transition, viewer: str, form: int) -> pb.WatchedEvent:
    """An event and the match after it, as this viewer sees them; no scene if none is wanted."""
    message = pb.WatchedEvent()
    messages.fill_event(message.event, see(step, viewer))
    after, found = scene_change(step, viewer)
    scene_messages.fill_changes(message.event.changes, found)
    fill_standing(message, step.after, viewer)
    if form != pb.SCENE_FORMAT_UNSPECIFIED:
        draw(message, after, step.after.rules.theme, form)
    return message


def fill_standing(
    message: pb.GetSceneResponse | pb.WatchedEvent, match: AnyMatch, viewer: str
) -> None:
    """What is to be said of a match beside its scene."""
    game, position = match.rules, match.position
    message.position = game.write_view(position, viewer)
    message.asks.extend(messages.asks(match.asks))
    messages.fill_affairs(message, match)
    if match.result is not None:
        message.result.CopyFrom(messages.result(match.result))
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
    """Fill in the wanted one of the three drawings."""
    match form:
        case pb.SCENE_FORMAT_STRUCTURE:
            message.scene.CopyFrom(scene_messages.scene(shown))
        case pb.SCENE_FORMAT_TEXT:
            message.text = text.draw(shown)
        case _:
            message.svg = svg.draw(shown, theme, narrow=narrow)


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


def check_format(form: int) -> None:
    """FIELD_INVALID for a form of scene that there is not."""
    if form not in pb.SceneFormat.values():
        raise malformed("format", "it is one of SceneFormat")
