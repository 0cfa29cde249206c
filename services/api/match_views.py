"""Views of a match for one viewer: drawings, position, legal actions, armies."""

from datetime import datetime
from typing import Final, Protocol

from google.protobuf.field_mask_pb2 import FieldMask
from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR
from domain.kernel.scene import Scene
from domain.match import AnyMatch, roles, visible_match
from domain.match.information_states import information_state_fingerprint, write_information_state
from projections.drawing import closeup, svg, text
from projections.drawing.orientation import Orientation, orientation_for, rotate_scene
from projections.queries.proposals import open_proposal
from projections.views.scenes import with_legal_marks, with_selection_mark
from projections.views.transitions import Transition
from services.api.field_masks import includes, keep_fields, read_paths
from services.mapping import army_messages, match_messages, messages, scene_messages
from services.mapping.clock_messages import fill_clocks
from services.runtime.display_names import visible_name
from services.runtime.errors import ApiError, Reason, field_invalid
from services.wire.emeth.v1 import match_views_pb2 as pb
from services.wire.emeth.v1.play_pb2 import ListActionsRequest, ListActionsResponse

CLOSEUP_SCALE: Final = 3
"""Scale of a drawing of one space."""
MAX_LISTED_ACTIONS: Final = 500
"""Maximum number of legal actions in a view."""
MAX_LISTED_NAMES: Final = 12
"""Maximum number of scene part names in an error."""

DEFAULT_VIEW_FIELDS: Final = (
    "position", "prompts", "announcements", "result", "status", "proposal", "open_disputes",
    "clocks",
)  # fmt: skip
"""Fields of a view for an empty mask. For `GetView` the scene is added."""
DRAWING_FIELDS: Final = ("scene", "svg", "text")
REQUIRED_VIEW_FIELDS: Final = ("version", "viewer")


class ActionsPage(Protocol):
    """The first page of a seat's legal actions; `LegalActions` implements it.

    The match must be reduced to what the seat may know.
    """

    def page(self, match: AnyMatch, seat: str, request: ListActionsRequest) -> ListActionsResponse:
        """Return the first page of the actions."""

    def turn(
        self, match: AnyMatch, seat: str, request: ListActionsRequest
    ) -> ListActionsResponse | None:
        """Return the first page of the orders, or None if that takes long."""


class ViewStyle(Struct, frozen=True):
    """The fields of a view, and how it is drawn."""

    paths: tuple[str, ...] = DEFAULT_VIEW_FIELDS
    """Fields of `View`, sorted."""
    narrow: bool = False
    """Whether drawings are for a narrow screen."""
    view_from: int = pb.VIEW_FROM_UNSPECIFIED
    """The side of the board that is nearest in drawings."""
    mark_legal: bool = False
    """Whether legal targets of the viewer are marked."""
    selected: str = ""
    """ID of the selected piece."""
    focus: str = ""
    """The only part of the scene to draw; empty for all."""
    army_seat: str = ""
    """The seat whose army status is included; empty for all."""

    def has(self, field: str) -> bool:
        """Return whether the view includes a field or a part of it."""
        return includes(self.paths, field)

    @property
    def has_drawing(self) -> bool:
        """Return whether the view includes a drawing."""
        return any(map(self.has, DRAWING_FIELDS))


def view_paths(mask: FieldMask, usual: tuple[str, ...], field: str) -> tuple[str, ...]:
    """Return the fields of `View` that a mask names. Raise FIELD_INVALID for others."""
    return tuple(sorted(read_paths(pb.View.DESCRIPTOR, mask, usual, field)))


def viewer_of(match: AnyMatch, role: str, wanted: str) -> str:
    """Return the viewer as whom a caller of this role sees the match.

    Raises:
        ApiError: FIELD_INVALID if the match has no such viewer; ROLE_NOT_ALLOWED if the role may
            not see as the viewer. A referee may see as anybody, others as themselves or as
            spectators.
    """
    viewers = roles(match.rules, match.options)
    if wanted and wanted not in viewers:
        raise field_invalid("viewer", f"it must be one of {', '.join(viewers)}")
    if role != REFEREE and wanted not in ("", role, SPECTATOR):
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            f"the token is {role}'s, which may not view the match as {wanted}",
            role=role,
        )
    return wanted or role


class PresentContext(Struct, frozen=True):
    """What a view of the current state has in addition to one of the past."""

    actions: ActionsPage
    now: datetime | None = None
    """The time at which clocks are read; None for that of the last event."""


def fill_view(
    view: pb.View,
    step: Transition,
    viewer: str,
    style: ViewStyle,
    shown: Scene | None = None,
    present: PresentContext | None = None,
) -> None:
    """Fill in the view of a match after an event.

    Args:
        view: the message, empty.
        step: the event, and the match before and after it.
        viewer: The role that views the match.
        style: what the view has, and how it is drawn.
        shown: the viewer's scene after the event; needed for drawings.
        present: given for a view of the present.
    """
    match = step.after
    view.version, view.viewer = match.version, viewer
    _fill_standing(view, match, viewer, style, present.now if present else None)
    if style.has_drawing:
        assert shown is not None
        _draw(view, shown, match, viewer, style, marks=present is not None)
    if style.has("match"):
        view.match.CopyFrom(match_messages.match(match, step.sealed.event.at))
    if present and any(prompt.seat == viewer for prompt in match.prompts):
        if style.has("actions"):
            _fill_actions(view.actions, match, viewer, present.actions)
        if style.has("turn"):
            _fill_turn(view, match, viewer, present.actions)
    if style.has("army_status"):
        _fill_army_status(view, match, viewer, style.army_seat)
    if style.has("information_state"):
        view.information_state.game = match.game
        view.information_state.state = write_information_state(match, viewer)
        view.information_state.shape = information_state_fingerprint(match.rules)
    if any("." in path for path in style.paths):
        keep_fields(view, (*style.paths, *REQUIRED_VIEW_FIELDS, "quarter_turns", "nearest_seat"))


def _fill_standing(
    view: pb.View, match: AnyMatch, viewer: str, style: ViewStyle, now: datetime | None
) -> None:
    game, position = match.rules, match.position
    if style.has("position"):
        view.position = game.write_view(position, viewer)
    if style.has("prompts"):
        messages.fill_prompts(view.prompts, match.prompts)
    if style.has("announcements") and game.announcements is not None:
        view.announcements.extend(game.announcements(position))
    if style.has("result") and match.result is not None:
        view.result.CopyFrom(messages.result(match.result, match.seats))
    if style.has("status"):
        view.status = match_messages.STATUSES[match.status]
    if style.has("proposal") and (request := open_proposal(match)) is not None:
        messages.fill_proposal(view.proposal, request)
    if style.has("open_disputes"):
        for each in match.details.disputes:
            view.open_disputes.add(number=each.number, version=each.on, seat=each.seat)
    if style.has("clocks") and match.clocks is not None:
        fill_clocks(view.clocks, match, now)


def _fill_actions(
    listed: pb.LegalActions, match: AnyMatch, viewer: str, actions: ActionsPage
) -> None:
    page = actions.page(
        visible_match(match, viewer), viewer, ListActionsRequest(page_size=MAX_LISTED_ACTIONS)
    )
    listed.version = page.version
    listed.actions.extend(page.actions)
    listed.next_page_token = page.next_page_token


def _fill_turn(view: pb.View, match: AnyMatch, viewer: str, actions: ActionsPage) -> None:
    request = ListActionsRequest(match_id=str(match.id), seat=viewer, by_order=True)
    page = actions.turn(visible_match(match, viewer), viewer, request)
    if page is not None:
        view.turn.version = page.version
        view.turn.orders.extend(page.orders)
        view.turn.next_page_token = page.next_page_token


def _fill_army_status(view: pb.View, match: AnyMatch, viewer: str, seat: str) -> None:
    game = match.rules
    if seat and seat not in match.seats:
        raise ApiError(
            Reason.SEAT_INVALID,
            f"{seat[:40]!r} is not a seat of the match; its seats are {', '.join(match.seats)}",
        )
    if game.status is None:
        return
    view.army_status.sides.extend(
        army_messages.side_status(side, visible_name(match.player_of(side.seat)))
        for side in game.status(match.position, viewer, match.options)
        if seat in ("", side.seat)
    )


# --- drawings ------------------------------------------------------------------------------------


def _draw(
    view: pb.View, shown: Scene, match: AnyMatch, viewer: str, style: ViewStyle, *, marks: bool
) -> None:
    """Fill in the requested drawings, and the side that they are seen from."""
    theme = match.rules.theme
    if style.selected:
        picked = with_selection_mark(shown, style.selected)
        if picked is None:
            raise field_invalid("selected", f"the scene has no piece {style.selected[:40]!r}")
        shown = picked
    if style.mark_legal and marks:
        shown = with_legal_marks(shown, match, viewer, style.selected)
    seen = _orientation(match, viewer, style.view_from)
    view.quarter_turns = seen.quarters
    view.nearest_seat = seen.nearest if seen.nearest in match.seats else ""
    seen = Orientation(view.quarter_turns, view.nearest_seat)
    if style.focus:
        found = _part(shown, style.focus)
    if style.has("scene"):
        view.scene.CopyFrom(scene_messages.scene(found if style.focus else shown))
    if style.has("text"):
        view.text = closeup.draw(found) if style.focus else text.draw(rotate_scene(shown, seen))
    if style.has("svg"):
        view.svg = (
            svg.draw(found, theme, scale=CLOSEUP_SCALE)
            if style.focus
            else svg.draw(rotate_scene(shown, seen), theme, narrow=style.narrow)
        )


def _part(shown: Scene, focus: str) -> Scene:
    """Return one space, zone or piece of a scene. Raise FIELD_INVALID for an unknown name."""
    found = closeup.select_part(shown, focus)
    if found is None:
        known_names = ", ".join(closeup.part_names(shown)[:MAX_LISTED_NAMES])
        raise field_invalid(
            "focus", f"the scene has no {focus[:40]!r}; it has for example {known_names}"
        )
    return found


def _orientation(match: AnyMatch, viewer: str, view_from: int) -> Orientation:
    across, near = view_from == pb.VIEW_FROM_OPPOSITE, view_from == pb.VIEW_FROM_NEAR_SIDE
    return orientation_for(match.rules, viewer, across=across, near=near)
