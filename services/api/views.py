"""ViewsService: looking at a match. What a viewer may see is decided by `projections`."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import ExitStack
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import SPECTATOR
from domain.match import Began, RefereeSeated, SeatClaimed, SeatLeft
from projections import board_views
from projections.scenes import scene
from projections.transitions import Transition
from services import messages, traces
from services.accounts.quotas import Quotas
from services.api.match_views import (
    STANDING,
    ActionsPage,
    Present,
    ViewStyle,
    check_view_from,
    fill_view,
    view_paths,
    viewer_of,
)
from services.api.requests import identifier
from services.api.seat_conditional_moves import MovesNews, SeatMoves
from services.api.watched_events import RenderedEvents, WantedEvents, wanted_events
from services.bells import Bell
from services.callers import Call
from services.clock import utc_now
from services.errors import ApiError, Reason
from services.reads import Reads, version_of
from services.store.people import People
from services.store.watchers import Watchers
from services.wire.emeth.v1 import views_pb2 as pb
from services.wire.emeth.v1.conditional_moves_pb2 import GetConditionalMovesRequest

PAGE: Final = 100
"""Events that a watcher is given between two looks at the read models."""
KEPT: Final = 4096
"""Rendered events kept for other watchers of the same kind."""
PRESENT_KEPT: Final = 256
"""The same for the newest events, which come with drawings."""
PAGES_KEPT: Final = 64
"""Pages of events kept for those of a crowd whose turn comes later."""
STEPS_KEPT: Final = 512
"""Matches of which the last step that was shown is kept: the next one is folded from there."""


class ViewsHandlers:
    """The rpcs of ViewsService."""

    def __init__(
        self,
        reads: Reads,
        watchers: Watchers,
        actions: ActionsPage,
        quotas: Quotas,
        people: People,
        plans: SeatMoves,
    ) -> None:
        self._people = people
        self._plans = plans
        self._reads = reads
        self._quotas = quotas
        self._watchers = watchers
        self._actions = actions
        self._rendered = RenderedEvents(KEPT, actions)
        self._newest = RenderedEvents(PRESENT_KEPT, actions)
        self._pages: OrderedDict[_Asked, _Page] = OrderedDict()
        """The pages that were looked up last, or are being looked up."""
        self._steps: OrderedDict[UUID, tuple[int, Transition]] = OrderedDict()
        """The last steps of matches that are watched, with the edition of the names in them."""

    async def get_view(self, call: Call, request: pb.GetViewRequest) -> pb.GetViewResponse:
        """Return the match as one viewer sees it, now, at a version or at a time."""
        identity = identifier("match_id", request.match_id)
        check_view_from(request)
        style = ViewStyle(
            view_paths(request.read_mask, ("scene", *STANDING), "read_mask"),
            narrow=request.narrow,
            view_from=request.view_from,
            mark_legal=request.mark_legal,
            selected=request.selected,
            focus=request.focus,
            army_seat=request.army_seat,
        )
        time = messages.moment("time", request.time) if request.HasField("time") else None
        await self._reads.reached(identity, request.at_least_version, call)
        role = await self._reads.role(identity, call)

        def answer(connection: Connection) -> pb.GetViewResponse:
            wanted = request.version if request.HasField("version") else None
            version = version_of(connection, identity, wanted, time)
            (step,) = board_views.steps(connection, identity, version - 1, 1)
            viewer = viewer_of(step.after, role, request.viewer)
            is_present = request.WhichOneof("point_in_time") is None
            present = Present(self._actions, utc_now()) if is_present else None
            shown = scene(step.after, viewer, last=step) if style.drawn else None
            response = pb.GetViewResponse()
            fill_view(response.view, step, viewer, style, shown, present)
            return response

        return await self._reads.ask(answer)

    async def watch_match(
        self, call: Call, request: pb.WatchMatchRequest
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """The match's events from a version on, as they come."""
        identity = identifier("match_id", request.match_id)
        check_view_from(request)
        viewer = await self._reads.role(identity, call)
        wanted = wanted_events(request)
        after, over = request.after_version, False
        match = (await self._reads.standing(identity)).match
        owner = self._quotas.pays_for(call, match)
        most = await self._quotas.watchers_allowed(owner)
        with ExitStack() as watching:
            watching.enter_context(self._quotas.watching(owner, most))
            woken = watching.enter_context(self._watchers.watching(identity))
            plan = None
            if request.plan and viewer in match.seats:
                watching.enter_context(self._plans.watching(identity, viewer, woken))
                asked = GetConditionalMovesRequest(match_id=request.match_id, seat=viewer)
                plan = MovesNews(self._plans, call, asked)
            while not self._watchers.closing:
                woken.clear()  # before looking, so that no news falls between
                call.check()  # a token or key may have been replaced meanwhile
                if wanted.edition != self._people.edition:
                    wanted = wanted.at_edition(self._people.edition)
                page = await self._page(identity, after, viewer, wanted)
                if page.seating:
                    # The seat may be somebody else's now, even if the caller may still look on; or
                    # the match has begun, and the seats were drawn.
                    role = await self._reads.role(identity, call)
                    if role != viewer and viewer != SPECTATOR:
                        raise ApiError(Reason.TOKEN_WRONG_MATCH, match=identity)
                    if role != viewer:
                        viewer = role
                        page = await self._page(identity, after, viewer, wanted)
                for news in page.events:
                    traces.shown(identity, after + 1)
                    yield news
                    after += 1
                over = page.over if page.events else over
                if len(page.events) == PAGE:
                    continue
                if plan is not None and (left := await plan.changed()) is not None:
                    yield pb.WatchMatchResponse(plan=left)
                if request.until_over and (over or await self._is_over(identity, after)):
                    return
                await woken.wait()
        yield pb.WatchMatchResponse(resume_after=after)

    async def _page(
        self, identity: UUID, after: int, viewer: str, wanted: WantedEvents
    ) -> "_Events":
        """A page of events, looked up once for all who watch a match and want the same."""
        asked = (identity, after, viewer, wanted, self._watchers.turn(identity))
        page = self._pages.get(asked)
        if page is None:
            page = self._pages[asked] = _Page(
                asyncio.ensure_future(self._look_up(identity, after, viewer, wanted))
            )
            page.found.add_done_callback(lambda _: self._found(asked, page))
            if len(self._pages) > PAGES_KEPT:
                self._pages.popitem(last=False)
        while not page.found.done():
            # Not all at once when it is there: they may be thousands.
            page.waiting.add(there := Bell())
            await there.wait()
        return page.found.result()

    def _found(self, asked: "_Asked", page: "_Page") -> None:
        if page.found.cancelled() or page.found.exception() is not None:
            # Told to those who wait; if nobody does any more, to nobody.
            self._pages.pop(asked, None)
        self._watchers.serve(asked[0], page.waiting)

    async def _look_up(
        self, identity: UUID, after: int, viewer: str, wanted: WantedEvents
    ) -> "_Events":
        edition, known = self._steps.get(identity, (0, None))
        if edition != wanted.edition:
            known = None

        def answer(connection: Connection) -> tuple[_Events, list[Transition]]:
            steps = board_views.steps(connection, identity, after, PAGE, known)
            # Asked last: if the match moves on meanwhile, the page after this has the newest event.
            newest = board_views.version(connection, identity)
            shown = [
                self._newest.get(step, viewer, wanted.newest, newest=True)
                if step.after.version == newest
                else self._rendered.get(step, viewer, wanted.every)
                for step in steps
            ]
            return _Events.of(shown, steps), steps[-1:]

        page, last = await self._reads.ask(answer)
        for step in last:
            self._steps[identity] = wanted.edition, step
            self._steps.move_to_end(identity)
            if len(self._steps) > STEPS_KEPT:
                self._steps.popitem(last=False)
        return page

    async def _is_over(self, identity: UUID, after: int) -> bool:
        match = (await self._reads.standing(identity)).match
        return match.version <= after and match.result is not None


class _Events(Struct, frozen=True):
    """Events of a match in a row, and what is to be known of them, found out once for a crowd."""

    events: list[pb.WatchMatchResponse]
    seating: bool
    """Is another in a seat after them?"""
    over: bool
    """Has the match a result after the last?"""

    @classmethod
    def of(cls, events: list[pb.WatchMatchResponse], steps: list[Transition]) -> "_Events":
        """These events, made of these steps."""
        return cls(
            events,
            any(isinstance(step.sealed.event, SEATING) for step in steps),
            bool(steps) and steps[-1].after.result is not None,
        )


class _Page:
    """A page of events, and who waits for it."""

    __slots__ = ("found", "waiting")

    def __init__(self, found: "asyncio.Future[_Events]") -> None:
        self.found = found
        self.waiting: set[Bell] = set()


_Asked = tuple[UUID, int, str, WantedEvents, int]
"""A match, the version after which to begin, a viewer, what it wants, and the turn of the match's
watchers: whoever was woken since must not be given what was looked up before."""
SEATING: Final = (SeatClaimed, SeatLeft, RefereeSeated, Began)
"""Events after which a token may stand for another role."""
