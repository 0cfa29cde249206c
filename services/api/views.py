"""ViewsService: looking at a match. What a viewer may see is decided by `projections`."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import ExitStack
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import REFEREE, SPECTATOR
from domain.match import AnyMatch, roles
from domain.match.known_states import known_shape, write_known
from projections import board_views
from projections.scenes import scene, with_legal, with_selected
from projections.transitions import Transition
from services import army_messages, messages, traces
from services.accounts.quotas import Quotas
from services.api.requests import identifier, no_armies
from services.api.seat_plans import PlanNews, SeatPlans
from services.api.watched_events import (
    ActionsPage,
    Rendered,
    Wanted,
    check_drawing,
    draw,
    draw_focus,
    fill_standing,
    look_from,
)
from services.bells import Bell
from services.callers import Call
from services.clock import utc_now
from services.errors import ApiError, Reason, malformed
from services.names import visible_name
from services.reads import Reads, version_of
from services.store.people import People
from services.store.watchers import Watchers
from services.wire.emeth.v1 import views_pb2 as pb
from services.wire.emeth.v1.plans_pb2 import GetPlanRequest

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
        plans: SeatPlans,
    ) -> None:
        self._people = people
        self._plans = plans
        self._reads = reads
        self._quotas = quotas
        self._watchers = watchers
        self._rendered = Rendered(KEPT, actions)
        self._newest = Rendered(PRESENT_KEPT, actions)
        self._pages: OrderedDict[_Asked, _Page] = OrderedDict()
        """The pages that were looked up last, or are being looked up."""
        self._steps: OrderedDict[UUID, tuple[int, Transition]] = OrderedDict()
        """The last steps of matches that are watched, with the edition of the names in them."""

    async def get_scene(self, call: Call, request: pb.GetSceneRequest) -> pb.GetSceneResponse:
        """The scene now, or at an earlier version; all of it, or one space."""
        identity = identifier("match_id", request.match_id)
        check_drawing(request)
        if request.HasField("version") and request.HasField("time"):
            raise malformed("time", "name a version or a time, not both")
        time = messages.moment("time", request.time) if request.HasField("time") else None
        await self._reads.reached(identity, request.at_least_version, call)
        role = await self._reads.role(identity, call)

        def answer(connection: Connection) -> pb.GetSceneResponse:
            wanted = request.version if request.HasField("version") else None
            version = version_of(connection, identity, wanted, time)
            (step,) = board_views.steps(connection, identity, version - 1, 1)
            present = wanted is None and time is None
            return _scene(step, _eyes(step.after, role, request.viewer), request, present=present)

        return await self._reads.ask(answer)

    async def get_known_state(
        self, call: Call, request: pb.GetKnownStateRequest
    ) -> pb.GetKnownStateResponse:
        """The state as the caller may know it, now or at an earlier version."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        role = await self._reads.role(identity, call)

        def answer(connection: Connection) -> pb.GetKnownStateResponse:
            wanted = request.version if request.HasField("version") else None
            version = version_of(connection, identity, wanted, None)
            match = board_views.at(connection, identity, version)
            assert match is not None
            return pb.GetKnownStateResponse(
                version=match.version,
                game=match.game,
                viewer=role,
                state=write_known(match, role),
                shape=known_shape(match.rules),
            )

        return await self._reads.ask(answer)

    async def get_army_status(
        self, call: Call, request: pb.GetArmyStatusRequest
    ) -> pb.GetArmyStatusResponse:
        """How each side stands, now or at an earlier version."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        role = await self._reads.role(identity, call)

        def answer(connection: Connection) -> pb.GetArmyStatusResponse:
            wanted = request.version if request.HasField("version") else None
            match = board_views.at(
                connection, identity, version_of(connection, identity, wanted, None)
            )
            assert match is not None
            return _army_status(match, _eyes(match, role, request.viewer), request.seat)

        return await self._reads.ask(answer)

    async def watch_match(
        self, call: Call, request: pb.WatchMatchRequest
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """The match's events from a version on, as they come."""
        identity = identifier("match_id", request.match_id)
        check_drawing(request)
        viewer = await self._reads.role(identity, call)
        wanted = Wanted(
            request.format,
            narrow=request.narrow,
            present=request.present,
            view_from=request.view_from,
        )
        after, over = request.after_version, False
        match = (await self._reads.standing(identity)).match
        owner = match.terms.frontend
        most = await self._quotas.watchers_allowed(owner)
        with ExitStack() as watching:
            watching.enter_context(self._quotas.watching(owner, most))
            woken = watching.enter_context(self._watchers.watching(identity))
            plan = None
            if request.plan and viewer in match.seats:
                watching.enter_context(self._plans.watching(identity, viewer, woken))
                asked = GetPlanRequest(match_id=request.match_id, seat=viewer)
                plan = PlanNews(self._plans, call, asked)
            while not self._watchers.closing:
                woken.clear()  # before looking, so that no news falls between
                call.check()  # a token or key may have been replaced meanwhile
                if wanted.edition != self._people.edition:
                    wanted = replace(wanted, edition=self._people.edition)
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

    async def _page(self, identity: UUID, after: int, viewer: str, wanted: Wanted) -> "_Events":
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

    async def _look_up(self, identity: UUID, after: int, viewer: str, wanted: Wanted) -> "_Events":
        edition, known = self._steps.get(identity, (0, None))
        if edition != wanted.edition:
            known = None

        def answer(connection: Connection) -> tuple[list[pb.WatchMatchResponse], list[Transition]]:
            steps = board_views.steps(connection, identity, after, PAGE, known)
            if not wanted.present:
                return [self._rendered.get(step, viewer, wanted) for step in steps], steps[-1:]
            # Asked last: if the match moves on meanwhile, the page after this has the newest event.
            newest = board_views.version(connection, identity)
            return [
                self._newest.get(step, viewer, wanted)
                if step.after.version == newest
                else self._rendered.get(step, viewer, replace(_BARE, edition=wanted.edition))
                for step in steps
            ], steps[-1:]

        page, last = await self._reads.ask(answer)
        for step in last:
            self._steps[identity] = wanted.edition, step
            self._steps.move_to_end(identity)
            if len(self._steps) > STEPS_KEPT:
                self._steps.popitem(last=False)
        return _Events.of(page)

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
    def of(cls, events: list[pb.WatchMatchResponse]) -> "_Events":
        """These events."""
        return cls(
            events,
            any(each.event.event.kind in _SEATING for each in events),
            bool(events) and events[-1].event.HasField("result"),
        )


class _Page:
    """A page of events, and who waits for it."""

    __slots__ = ("found", "waiting")

    def __init__(self, found: "asyncio.Future[_Events]") -> None:
        self.found = found
        self.waiting: set[Bell] = set()


_Asked = tuple[UUID, int, str, Wanted, int]
"""A match, the version after which to begin, a viewer, what it wants, and the turn of the match's
watchers: whoever was woken since must not be given what was looked up before."""
_SEATING: Final = {"match.SeatClaimed", "match.SeatLeft", "match.RefereeSeated", "match.Began"}
_BARE: Final = Wanted()
"""How events come that others follow, to who wants the present."""


def _scene(
    step: Transition, viewer: str, request: pb.GetSceneRequest, *, present: bool
) -> pb.GetSceneResponse:
    match, form = step.after, request.format or pb.SCENE_FORMAT_STRUCTURE
    response = pb.GetSceneResponse(version=match.version)
    fill_standing(response, match, viewer, utc_now() if present else None)
    shown = scene(match, viewer, last=step)
    if request.selected:
        picked = with_selected(shown, request.selected)
        if picked is None:
            raise malformed("selected", f"the scene has no piece {request.selected[:40]!r}")
        shown = picked
    if request.legal and present:
        shown = with_legal(shown, match, viewer, request.selected)
    theme = match.rules.theme
    look_from(response, match, viewer, request.view_from)
    if request.focus:
        draw_focus(response, shown, theme, request.focus, form)
    else:
        draw(response, shown, theme, form, narrow=request.narrow)
    return response


def _army_status(match: AnyMatch, viewer: str, seat: str) -> pb.GetArmyStatusResponse:
    game = match.rules
    if game.status is None:
        raise no_armies(game)
    if seat and seat not in match.seats:
        raise ApiError(
            Reason.SEAT_INVALID, f"{seat[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )
    return pb.GetArmyStatusResponse(
        version=match.version,
        sides=[
            army_messages.side_status(side, visible_name(match.player_of(side.seat)))
            for side in game.status(match.position, viewer, match.options)
            if seat in ("", side.seat)
        ],
    )


def _eyes(match: AnyMatch, role: str, wanted: str) -> str:
    """With whose eyes to look: one's own or a spectator's, or anybody's for the referee."""
    viewers = roles(match.rules, match.options)
    if wanted and wanted not in viewers:
        raise malformed("viewer", f"it is one of {', '.join(viewers)}")
    if role != REFEREE and wanted not in ("", role, SPECTATOR):
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            f"the token is {role}'s, who may not see as {wanted}",
            role=role,
        )
    return wanted or role
