"""The response to an accepted request: its events, and the match after them."""

from typing import NamedTuple

from domain.match import AnyMatch, Changeset
from projections.projector.schema import NameLookup
from projections.views.scenes import scene_change
from projections.views.transitions import transitions
from projections.views.viewer_events import render_event
from services.mapping import messages, scene_messages
from services.wire.emeth.v1 import play_pb2 as pb


class AcceptanceView(NamedTuple):
    """Which seat gets the response, and how much of it."""

    seat: str
    names: NameLookup
    changes: bool = False
    """Whether the response has the changes of the seat's scene."""
    full: bool = True
    """Whether the response has all events, and not only the version and receipt."""


def is_full_view(view: pb.ResponseView.ValueType) -> bool:
    """Return whether the client requested the full response."""
    return view != pb.RESPONSE_VIEW_BASIC


def fill_acceptance(
    accepted: pb.Acceptance,
    before: AnyMatch,
    changeset: Changeset[AnyMatch],
    shown: AcceptanceView,
    *,
    recorded: bool = True,
) -> None:
    """Fill in the response to an accepted request.

    Args:
        accepted: The message to fill in.
        before: The match before the request.
        changeset: The events of the request, and the match after them.
        shown: Who gets the response, and how much of it.
        recorded: False for a preview, which has no versions and digests.
    """
    match, seat = changeset.state, shown.seat
    accepted.version = match.version if recorded else before.version
    if recorded:
        messages.fill_receipt(accepted.receipt, match)
    if match.result is not None:
        accepted.result.CopyFrom(messages.result(match.result, match.seats))
    if not shown.full:
        return
    for step in transitions(before, changeset, shown.names):
        event = accepted.events.add()
        messages.fill_event(event, render_event(step, seat))
        if shown.changes:
            scene_messages.fill_changes(event.changes, scene_change(step, seat)[1])
        if event.HasField("proposal"):
            accepted.proposal.CopyFrom(event.proposal)
        if not recorded:
            event.ClearField("digest")
            event.ClearField("version")
    accepted.position = match.rules.write_view(match.position, seat)
    messages.fill_prompts(accepted.prompts, match.prompts)
