"""A match as it stood: positions, branches, playing it again."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from domain.match import line
from projections import board_views, branches
from services import messages
from services.api.match_views import check_view_from
from services.api.requests import PageTokens, check_version, identifier, page_size
from services.api.watched_events import event_style, match_event
from services.bells import Bell
from services.callers import Call
from services.errors import ApiError, Reason, malformed
from services.reads import Reads, version_of
from services.store.watchers import Watchers
from services.wire.emeth.v1 import history_pb2 as pb
from services.wire.emeth.v1.views_pb2 import MatchEvent

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200
RUN: Final = 50
"""Events of a replay that are made ready at once."""
LONGEST_INTERVAL_SECONDS: Final = 3600.0
SLOWEST: Final = 0.01
FASTEST: Final = 1000.0
"""Bounds of a replay's speed: how many times the real pace."""
UNDOING: Final = {"match.LineContinued", "match.UndoAsked", "match.UndoAnswered"}
"""Events that are no part of the line when it is played again alone."""


class TimeTravel:
    """Shows matches as they stood."""

    def __init__(self, reads: Reads, watchers: Watchers, pages: PageTokens) -> None:
        self._reads = reads
        self._watchers = watchers
        self._pages = pages

    async def list_branches(
        self, call: Call, request: pb.ListBranchesRequest
    ) -> pb.ListBranchesResponse:
        """A page of the match's branches, the mainline first."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = ("branches", identity, viewer)
        token = self._pages.read(request.page_token, *query) if request.page_token else "0-0"
        version, begin = map(int, token.split("-"))

        def answer(connection: Connection) -> pb.ListBranchesResponse:
            standing = board_views.present(connection, identity)
            assert standing is not None
            if begin:
                check_version(standing.match, version)
            found = branches.listed(connection, standing.match, viewer, begin, size + 1)
            more = f"{standing.match.version}-{begin + size}" if len(found) > size else ""
            return pb.ListBranchesResponse(
                branches=[messages.branch(each) for each in found[:size]],
                next_page_token=self._pages.write(more, *query) if more else "",
            )

        return await self._reads.ask(answer)

    async def replay(
        self, call: Call, request: pb.ReplayRequest
    ) -> AsyncIterator[pb.ReplayResponse]:
        """The match's events again, at a pace."""
        identity = identifier("match_id", request.match_id)
        check_view_from(request)
        clock = _Clock(request)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        stretches = await self._reads.ask(lambda connection: _stretches(connection, request))
        with self._watchers.watching(identity) as woken:
            for run in _runs(stretches):
                for event in await self._events(run, viewer, request):
                    pause = clock.until(event.event.create_time.ToDatetime())
                    if request.line_only and event.event.kind in UNDOING:
                        continue
                    if pause > 0:
                        await self._sleep(pause, woken)
                        await self._reads.role(identity, call)  # it may be somebody else's now
                    yield pb.ReplayResponse(event=event)
                    clock.begun = True

    async def _events(self, run: range, viewer: str, request: pb.ReplayRequest) -> list[MatchEvent]:
        identity = UUID(request.match_id)
        style = event_style(request.read_mask, "read_mask", view_from=request.view_from)

        def answer(connection: Connection) -> list[MatchEvent]:
            steps = board_views.steps(connection, identity, run.start - 1, len(run))
            return [match_event(step, viewer, style) for step in steps]

        return await self._reads.ask(answer)

    async def _sleep(self, seconds: float, woken: Bell) -> None:
        """Wait, unless the service begins to stop meanwhile."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while (left := until - loop.time()) > 0 and not self._watchers.closing:
            woken.clear()
            try:
                async with asyncio.timeout(left):
                    await woken.wait()
            except TimeoutError:
                return
        if self._watchers.closing:
            raise ApiError(Reason.SHUTTING_DOWN)


class _Clock:
    """Says how long to wait before each event of a replay."""

    def __init__(self, request: pb.ReplayRequest) -> None:
        if request.pace not in pb.Pace.values():
            raise malformed("pace", "it is one of Pace")
        self._pace = request.pace
        # Not its own `ToTimedelta`, which fails for what a message can hold and a timedelta cannot.
        self._interval = request.interval.seconds + request.interval.nanos / 1_000_000_000
        if not 0 <= self._interval <= LONGEST_INTERVAL_SECONDS:
            raise malformed("interval", "it is not negative, and an hour at most")
        self._speed = request.speed or 1.0
        if not SLOWEST <= self._speed <= FASTEST:
            raise malformed("speed", f"it is from {SLOWEST} to {FASTEST}, not {request.speed}")
        self._last: datetime | None = None
        self.begun = False
        """Has anything been shown yet? The first event is not waited for."""

    def until(self, at: datetime) -> float:
        """Seconds to wait before an event of this time; asked of every event of the line."""
        last, self._last = self._last or at, at
        if not self.begun:
            return 0.0
        match self._pace:
            case pb.PACE_CONSTANT:
                return self._interval
            case pb.PACE_REAL:
                return (at - last).total_seconds() / self._speed
            case _:
                return 0.0


def _stretches(connection: Connection, request: pb.ReplayRequest) -> list[range]:
    """The versions that a replay shows, in runs without gaps."""
    identity = UUID(request.match_id)
    until = version_of(connection, identity, request.until_version or None, None)
    first = request.after_version + 1
    whole: tuple[range, ...] = (range(1, until + 1),)
    if request.line_only:
        match = board_views.at(connection, identity, until)
        assert match is not None
        whole = line(match)
    return [range(max(each.start, first), each.stop) for each in whole if each.stop > first]


def _runs(stretches: list[range]) -> list[range]:
    return [
        stretch[begin : begin + RUN]
        for stretch in stretches
        for begin in range(0, len(stretch), RUN)
    ]
