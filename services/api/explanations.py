"""Explanations of events: the taps that caused them, and the rules that they cite."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import Any, Final

from domain.kernel.game import REFEREE, AnyGame
from domain.match import ActionTaken
from domain.table.tap_evidence import tapped_event
from projections.queries import citations, devices
from projections.views import board_views, explanations
from projections.views.explanations import Explanation
from projections.views.viewer_events import redacted_action
from services.accounts.context import RequestContext
from services.api.filters import parse_values, text_field
from services.api.match_views import DEFAULT_VIEW_FIELDS, ViewStyle, view_paths
from services.api.permissions import viewing_role
from services.api.requests import PageTokens, page_size, parse_uuid
from services.api.watched_events import EventStyle, match_event, match_view
from services.devices.device_messages import device_event_message, without_completing_tap
from services.mapping import messages
from services.runtime.errors import ApiError, Reason, version_out_of_range
from services.store.log import Log
from services.store.read_models import ReadModelQueries
from services.store.taps import named_taps
from services.wire.emeth.v1 import audit_pb2 as pb
from services.wire.emeth.v1.tables_pb2 import RecordedTap

MAX_PAGE_SIZE: Final = 5000
"""Number of events whose citations are searched at once. Most matches have fewer."""
FIELDS: Final = {"rule": text_field()}
"""Fields by which citations can be filtered."""


class Explanations:
    """Explains the events of matches."""

    def __init__(self, read_models: ReadModelQueries, log: Log, pages: PageTokens) -> None:
        self._read_models = read_models
        self._pages = pages
        self._log = log

    async def explain_event(
        self, call: RequestContext, request: pb.ExplainEventRequest
    ) -> pb.ExplainEventResponse:
        """Return the explanation of an event."""
        identity = parse_uuid(request.match_id)
        paths = view_paths(request.view_mask, DEFAULT_VIEW_FIELDS, "view_mask")
        style = ViewStyle(paths, view_from=request.view_from)
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        viewer = await viewing_role(self._read_models, identity, call)

        def answer(connection: Connection) -> pb.ExplainEventResponse:
            found = explanations.explain_event(connection, identity, request.version, viewer)
            if found is None:
                present = board_views.latest_version(connection, identity)
                raise version_out_of_range(identity, present, request.version)
            response = _explanation_response(found, viewer, style)
            response.taps.extend(self._taps(connection, found, viewer))
            return response

        return await self._read_models.ask(answer)

    def _taps(
        self, connection: Connection, found: Explanation, viewer: str
    ) -> Iterator[RecordedTap]:
        """Return the taps that caused an action, as far as the viewer may know them.

        Taps may reveal more than the action that they caused, for example a card that was tapped
        before another. So if the game hides anything, only the referee sees all taps, and the
        acting seat its own. Others see only the stylus that was used. Blocks on the disk.
        """
        event, match = tapped_event(found.step.sealed.event), found.step.after
        if event is None or (taps := event.source.taps) is None:
            return
        if isinstance(event, ActionTaken) and _is_redacted(match.rules, event, viewer):
            return  # the number of taps may reveal what was chosen
        gateway, stylus = devices.device_names(connection, taps.table, taps.gateway, taps.stylus)
        made = [each.sealed.event for each in named_taps(self._log, match.id, taps)]
        if viewer == REFEREE or not match.rules.has_hidden_information:
            yield from (device_event_message(tap, gateway, stylus) for tap in made)
        elif viewer == event.seat:
            # The stylus may have been handed on, and earlier taps may be another player's.
            own = (tap for tap in made if tap.match_version == event.version - 1)
            yield from (device_event_message(tap, gateway, stylus, numbered=False) for tap in own)
        elif made:
            yield without_completing_tap(made[-1], gateway, stylus)

    async def list_citations(
        self, call: RequestContext, request: pb.ListCitationsRequest
    ) -> pb.ListCitationsResponse:
        """List the events of a match that cite a rule."""
        identity = parse_uuid(request.match_id)
        rule = parse_values(request.filter, FIELDS).get("rule", "")
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        viewer = await viewing_role(self._read_models, identity, call)
        query = ("citations", identity, request.filter)
        size = page_size(request.page_size, MAX_PAGE_SIZE, MAX_PAGE_SIZE)
        span = citations.VersionSpan(self._pages.start(request.page_token, *query), size)

        def read(connection: Connection) -> tuple[tuple[citations.Citation, ...] | None, int]:
            present = board_views.latest_version(connection, identity)
            return citations.citations(connection, identity, viewer, rule, span), present

        found, present = await self._read_models.ask(read)
        if found is None:
            raise ApiError(Reason.RULE_NOT_FOUND, f"the game has no rule {rule}", rule=rule)
        end = span.after + span.size
        return pb.ListCitationsResponse(
            citations=[
                pb.Citation(rule=messages.cited_rule(each.rule), versions=each.versions)
                for each in found
            ],
            next_page_token=self._pages.next(end if end < present else None, *query),
        )


def _is_redacted(game: AnyGame, event: ActionTaken[Any, Any], viewer: str) -> bool:
    """Return whether a part of the action is hidden from a viewer."""
    return bool(redacted_action(game, event, viewer).action != event.action)


def _explanation_response(
    found: Explanation, viewer: str, style: ViewStyle
) -> pb.ExplainEventResponse:
    shown = match_event(found.step, viewer, EventStyle(("*",), style))
    response = pb.ExplainEventResponse(
        event=shown.event,
        rules=map(messages.cited_rule, found.rules),
        after=shown.view,
        fact_viewers=[
            pb.FactViewers(fact_index=number, viewers=viewers)
            for number, viewers in enumerate(found.seen_by)
        ],
        disputes=map(messages.dispute, found.disputes),
        facts_json=found.facts,
    )
    if found.before is not None:
        response.before.CopyFrom(match_view(found.before, viewer, style))
    return response
