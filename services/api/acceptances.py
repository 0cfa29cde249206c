"""What a seat is told of a request that was accepted: its events, and the match after them."""

from typing import NamedTuple

from domain.match import AnyMatch, Changeset
from projections.projector.schema import NameLookup
from projections.views.scenes import scene_change
from projections.views.transitions import transitions
from projections.views.viewer_events import render_event
from services.mapping import messages, scene_messages
from services.wire.emeth.v1 import play_pb2 as pb


class AcceptanceView(NamedTuple):
    """To whom a response is shown, and how much of it."""

    seat: str
    names: NameLookup
    changes: bool = False
    """With the changes of the seat's scene."""
    full: bool = True
    """All that followed, and not only that it did."""


def is_full_view(view: pb.ResponseView.ValueType) -> bool:
    """Return whether a response has all that followed."""
    return view != pb.RESPONSE_VIEW_BASIC


def fill_acceptance(
    accepted: pb.Acceptance,
    before: AnyMatch,
    changeset: Changeset[AnyMatch],
    shown: AcceptanceView,
    *,
    recorded: bool = True,
) -> None:
    """Tell the seat that acted what was decided, which follows `before`."""
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
