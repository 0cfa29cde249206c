"""ViewsService: views of matches, and subscriptions."""

from collections.abc import AsyncGenerator
from sqlite3 import Connection

from projections.views import board_views
from projections.views.scenes import scene
from services.accounts.context import RequestContext
from services.api.match_views import (
    DEFAULT_VIEW_FIELDS,
    ActionsPage,
    PresentContext,
    ViewStyle,
    fill_view,
    view_paths,
    viewer_of,
)
from services.api.permissions import viewing_role
from services.api.requests import parse_uuid
from services.api.subscriptions import Subscriptions
from services.api.topics import TopicMessage
from services.mapping import messages
from services.runtime.clock import utc_now
from services.store.read_models import ReadModelQueries, version_of
from services.wire.emeth.v1 import views_pb2 as pb
from services.wire.emeth.v1.subscriptions_pb2 import (
    CreateStreamTicketRequest,
    CreateStreamTicketResponse,
    SubscribeRequest,
    UpdateSubscriptionRequest,
    UpdateSubscriptionResponse,
)


class ViewsHandlers:
    """Handlers of the rpcs of ViewsService."""

    def __init__(
        self, read_models: ReadModelQueries, actions: ActionsPage, subscriptions: Subscriptions
    ) -> None:
        self._read_models = read_models
        self._actions = actions
        self._subscriptions = subscriptions

    async def get_view(
        self, call: RequestContext, request: pb.GetViewRequest
    ) -> pb.GetViewResponse:
        """Return the match as one viewer sees it, now, at a version or at a time."""
        identity = parse_uuid(request.match_id)
        style = ViewStyle(
            view_paths(request.read_mask, ("scene", *DEFAULT_VIEW_FIELDS), "read_mask"),
            narrow=request.narrow,
            view_from=request.view_from,
            mark_legal=request.mark_legal,
            selected=request.selected,
            focus=request.focus,
            army_seat=request.army_seat,
        )
        time = messages.read_timestamp("time", request.time) if request.HasField("time") else None
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        role = await viewing_role(self._read_models, identity, call)

        def answer(connection: Connection) -> pb.GetViewResponse:
            wanted = request.version if request.HasField("version") else None
            version = version_of(connection, identity, wanted, time)
            (step,) = board_views.read_transitions(connection, identity, version - 1, 1)
            viewer = viewer_of(step.after, role, request.viewer)
            is_present = request.WhichOneof("point_in_time") is None
            present = PresentContext(self._actions, utc_now()) if is_present else None
            shown = scene(step.after, viewer, last=step) if style.has_drawing else None
            response = pb.GetViewResponse()
            fill_view(response.view, step, viewer, style, shown, present)
            return response

        return await self._read_models.ask(answer)

    def subscribe(
        self, call: RequestContext, request: SubscribeRequest
    ) -> AsyncGenerator[TopicMessage, None]:
        """Yield the messages of all topics until the last of them has ended."""
        return self._subscriptions.subscribe(call, request)

    async def update_subscription(
        self, call: RequestContext, request: UpdateSubscriptionRequest
    ) -> UpdateSubscriptionResponse:
        """Add topics to a stream, and remove others."""
        return self._subscriptions.update(call, request)

    async def create_stream_ticket(
        self, call: RequestContext, request: CreateStreamTicketRequest
    ) -> CreateStreamTicketResponse:
        """Create a ticket that opens one stream."""
        return self._subscriptions.ticket(call, request)
