"""The match topic: events of a match as they are recorded, or a replay of them."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from datetime import datetime
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import SPECTATOR
from domain.match import (
    AnyMatch,
    LineContinued,
    MatchStarted,
    RefereeSeated,
    SeatClaimed,
    SeatLeft,
    UndoAnswered,
    UndoRequested,
    line,
)
from projections.views import board_views
from projections.views.transitions import Transition
from services.accounts.context import RequestContext, find_role
from services.accounts.quotas import Quotas
from services.api.match_views import ActionsPage, viewer_of
from services.api.permissions import viewing_role
from services.api.requests import parse_uuid
from services.api.seat_conditional_moves import SeatPlans, SeatPlanWatch
from services.api.topics import OpenTopic, TopicMessage, event_message, parse_cursor, topic_started
from services.api.watched_events import (
    RenderedEventCache,
    WatchOptions,
    match_event,
    watch_options,
)
from services.runtime import tracing
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.signals import Signal
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import ReadModelQueries, version_of
from services.store.watchers import Watchers
from services.wire.emeth.v1 import match_views_pb2
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from services.wire.emeth.v1.conditional_moves_pb2 import GetConditionalMovesRequest

EVENTS_PER_READ: Final = 100
"""Number of events that are read at once."""
DRAWN_EVENTS_PER_READ: Final = 16
"""Number of events with drawings that are read at once."""
MAX_RENDERED_EVENTS: Final = 4096
"""Number of rendered events in the cache."""
MAX_RENDERED_NEWEST: Final = 256
"""Number of rendered newest events in the cache; they may have drawings."""
MAX_CACHED_PAGES: Final = 64
"""Number of pages of events in the cache."""
MAX_CACHED_STEPS: Final = 512
"""Number of matches whose last step is cached, from which the next one is folded."""
UNDO_EVENTS: Final = (LineContinued, UndoRequested, UndoAnswered)
"""Events that are not part of the mainline."""
SEATING_EVENTS: Final = (SeatClaimed, SeatLeft, RefereeSeated, MatchStarted)
"""Events after which a token may stand for another role."""


class MatchTopics:
    """Follows matches for subscriptions."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        watchers: Watchers,
        actions: ActionsPage,
        quotas: Quotas,
        profiles: PlayerProfiles,
        plans: SeatPlans,
    ) -> None:
        self._profiles = profiles
        self._plans = plans
        self._read_models = read_models
        self._quotas = quotas
        self._watchers = watchers
        self._rendered = RenderedEventCache(MAX_RENDERED_EVENTS, actions)
        self._newest = RenderedEventCache(MAX_RENDERED_NEWEST, actions)
        self._pages: OrderedDict[_PageKey, _PendingPage] = OrderedDict()
        """Pages that were looked up last or are being looked up."""
        self._steps: OrderedDict[UUID, tuple[int, Transition]] = OrderedDict()
        """Last step of each watched match, with the edition of the player names in it."""

    async def follow(self, opened: OpenTopic) -> AsyncGenerator[TopicMessage, None]:
        """Yield the events of a match, from a version on."""
        topic, call = opened.topic.match, opened.call
        identity = parse_uuid(topic.match_id)
        pace, after = _ReplayPace(topic.pace), _start_version(opened.topic)
        wanted = watch_options(topic)
        is_replay = topic.mainline_only or topic.HasField("pace")
        await self._read_models.wait_for_version(
            identity, max(topic.at_least_version, after), call.seconds_left
        )
        viewer = await self._viewer(identity, call, topic.viewer)
        match = (await self._read_models.match_row(identity)).match
        owner = self._quotas.billed_frontend(call, match)
        limit = await self._quotas.max_watchers(owner)
        until = _end_version(topic, match.version, is_replay=is_replay)
        with ExitStack() as watching:
            watching.enter_context(self._quotas.watching(owner, limit, call))
            woken = watching.enter_context(self._watchers.watching(identity))
            yield topic_started(str(after), viewer)
            if is_replay:
                replay = _Replay(identity, after, until, viewer, wanted, pace)
                async with aclosing(self._replay(opened, replay, woken)) as messages:
                    async for message in messages:
                        yield message
                return
            plan = None
            if topic.conditional_moves and viewer in match.seats:
                watching.enter_context(self._plans.watching(identity, viewer, woken))
                asked = GetConditionalMovesRequest(match_id=topic.match_id, seat=viewer)
                plan = SeatPlanWatch(self._plans, call, asked)
            over = False
            while not self._watchers.closing and not (until and after >= until):
                woken.clear()  # before reading, so that no event is missed
                call.check()  # a token or key may have been replaced meanwhile
                if wanted.edition != self._profiles.edition:
                    wanted = wanted.at_edition(self._profiles.edition)
                async with opened.lookups:
                    page = await self._page(identity, after, viewer, wanted)
                    if page.changes_seats:
                        # The seat may be somebody else's now, even if the caller may still look on;
                        # or the match has started, and the seats were assigned.
                        role = await self._viewer(identity, call, topic.viewer)
                        if role != viewer and viewer != SPECTATOR:
                            raise ApiError(Reason.TOKEN_WRONG_MATCH, match=identity)
                        if role != viewer:
                            viewer = role
                            page = await self._page(identity, after, viewer, wanted)
                    for event in page.events[: until - after] if until else page.events:
                        after += 1
                        tracing.record_event_shown(identity, after)
                        yield event_message(viewer, event, after, shared=True)
                if until and after >= until:
                    return
                over = page.is_over if page.events else over
                if page.has_more:
                    continue
                if plan is not None and (left := await plan.next_change()) is not None:
                    yield TopicMessage("conditional_moves", left, str(after))
                if topic.until_over and (over or await self._is_over(identity, after)):
                    return
                await woken.wait()

    async def _viewer(self, identity: UUID, call: RequestContext, wanted: str) -> str:
        """Return the viewer as whom a caller sees a match."""
        role = await viewing_role(self._read_models, identity, call)
        if wanted in ("", role):
            return role
        match = (await self._read_models.match_row(identity)).match
        if wanted in match.seats and find_role(match, call, wanted) == wanted:
            return wanted  # another seat of the same player
        return viewer_of(match, role, wanted)

    async def _page(
        self, identity: UUID, after: int, viewer: str, wanted: WatchOptions
    ) -> "_EventPage":
        """Return a page of events, looked up once for all watchers with the same options."""
        asked = (identity, after, viewer, wanted, self._watchers.turn(identity))
        page = self._pages.get(asked)
        if page is None:
            page = self._pages[asked] = _PendingPage(
                asyncio.ensure_future(self._read_page(identity, after, viewer, wanted))
            )
            page.future.add_done_callback(lambda _: self._serve_page(asked, page))
            if len(self._pages) > MAX_CACHED_PAGES:
                self._pages.popitem(last=False)
        while not page.future.done():
            # Waiters are woken in groups, since there may be thousands.
            page.waiters.add(there := Signal())
            await there.wait()
        return page.future.result()

    def _serve_page(self, asked: "_PageKey", page: "_PendingPage") -> None:
        if page.future.cancelled() or page.future.exception() is not None:
            # Reading the exception marks it as retrieved, even if no watcher waits.
            self._pages.pop(asked, None)
        self._watchers.serve(asked[0], page.waiters)

    async def _read_page(
        self, identity: UUID, after: int, viewer: str, wanted: WatchOptions
    ) -> "_EventPage":
        edition, known = self._steps.get(identity, (0, None))
        if edition != wanted.edition:
            known = None
        size = DRAWN_EVENTS_PER_READ if wanted.every.view.has_drawing else EVENTS_PER_READ

        def answer(connection: Connection) -> tuple[_EventPage, list[Transition]]:
            steps = board_views.read_transitions(connection, identity, after, size, known)
            # Read last, so that a newer event, if any, is on the next page.
            newest = board_views.latest_version(connection, identity)
            events = [
                self._newest.get(step, viewer, wanted.newest, newest=True)
                if step.after.version == newest
                else self._rendered.get(step, viewer, wanted.every)
                for step in steps
            ]
            return _EventPage.of(events, steps, more=len(steps) == size), steps[-1:]

        page, last = await self._read_models.ask(answer)
        for step in last:
            self._steps[identity] = wanted.edition, step
            self._steps.move_to_end(identity)
            if len(self._steps) > MAX_CACHED_STEPS:
                self._steps.popitem(last=False)
        return page

    async def _is_over(self, identity: UUID, after: int) -> bool:
        match = (await self._read_models.match_row(identity)).match
        return match.version <= after and match.result is not None

    # --- replays ---------------------------------------------------------------------------------

    async def _replay(
        self, opened: OpenTopic, replay: "_Replay", woken: Signal
    ) -> AsyncGenerator[TopicMessage, None]:
        """Yield events of the past, at a pace."""
        topic, pace = opened.topic.match, replay.pace
        size = DRAWN_EVENTS_PER_READ if replay.options.every.view.has_drawing else EVENTS_PER_READ
        if pace.is_set:  # waiting messages take memory
            size = 1
        mainline = topic.mainline_only

        def versions(connection: Connection) -> list[range]:
            return _replay_ranges(connection, replay, mainline=mainline)

        for run in _split_ranges(await self._read_models.ask(versions), size):
            if self._watchers.closing:
                return
            async with opened.lookups:
                found = await self._replay_messages(run, replay, mainline=mainline)
                if not pace.is_set:
                    for _, message in found:
                        if message is not None:
                            yield message
                    continue
            ((at, message),) = found
            pause = pace.seconds_until(at)
            if message is None:
                continue
            if pause > 0:
                await self._sleep(pause, woken)
                if self._watchers.closing:
                    return
                # The seat may have another holder now.
                await self._viewer(replay.match, opened.call, topic.viewer)
            yield message
            pace.has_started = True

    async def _replay_messages(
        self, run: range, replay: "_Replay", *, mainline: bool
    ) -> "list[tuple[datetime, TopicMessage | None]]":
        """Return the events of a range with their times; None for events that are left out."""

        def message(step: Transition) -> TopicMessage | None:
            if mainline and isinstance(step.sealed.event, UNDO_EVENTS):
                return None
            style = (
                replay.options.newest
                if step.after.version == replay.until
                else replay.options.every
            )
            event = match_event(step, replay.viewer, style)
            return event_message(replay.viewer, event, step.after.version)

        def answer(connection: Connection) -> list[tuple[datetime, TopicMessage | None]]:
            steps = board_views.read_transitions(connection, replay.match, run.start - 1, len(run))
            return [(step.sealed.event.at, message(step)) for step in steps]

        return await self._read_models.ask(answer)

    async def _sleep(self, seconds: float, woken: Signal) -> None:
        """Wait, or return early if the service stops."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while (left := until - loop.time()) > 0 and not self._watchers.closing:
            woken.clear()
            try:
                async with asyncio.timeout(left):
                    await woken.wait()
            except TimeoutError:
                return


class _EventPage(Struct, frozen=True):
    """A page of consecutive events, shared by many watchers."""

    events: list[match_views_pb2.MatchEvent]
    changes_seats: bool
    """Whether the holder of a seat may have changed."""
    is_over: bool
    """Whether the match is over after the last event."""
    has_more: bool
    """Whether more events are available now."""

    @classmethod
    def of(
        cls, events: list[match_views_pb2.MatchEvent], steps: list[Transition], *, more: bool
    ) -> "_EventPage":
        """Create a page of these events from their steps."""
        return cls(
            events,
            any(isinstance(step.sealed.event, SEATING_EVENTS) for step in steps),
            bool(steps) and steps[-1].after.result is not None,
            more,
        )


class _PendingPage:
    """A page of events that is being looked up, and the watchers that wait for it."""

    __slots__ = ("future", "waiters")

    def __init__(self, future: "asyncio.Future[_EventPage]") -> None:
        self.future = future
        self.waiters: set[Signal] = set()


_PageKey = tuple[UUID, int, str, WatchOptions, int]
"""Match, version before the page, viewer, options, and the turn of the match's watchers. A watcher
that was notified later must not get a page that was looked up before."""


class _ReplayPace:
    """The pace of a replay: how long to wait before each event."""

    def __init__(self, pace: pb.Pace) -> None:
        self.is_set = pace.WhichOneof("pace") is not None
        # `ToTimedelta` fails for durations that are too long for a timedelta.
        self._interval = pace.interval.seconds + pace.interval.nanos / 1_000_000_000
        self._speed = pace.speed
        self._last: datetime | None = None
        self.has_started = False
        """Whether an event was sent. The first one is sent without a pause."""

    def seconds_until(self, at: datetime) -> float:
        """Return the seconds to wait before an event of this time. Call it for every event."""
        last, self._last = self._last or at, at
        if not self.has_started:
            return 0.0
        return (at - last).total_seconds() / self._speed if self._speed else self._interval


class _Replay(Struct, frozen=True):
    """Parameters of a replay."""

    match: UUID
    after: int
    until: int
    viewer: str
    options: WatchOptions
    pace: _ReplayPace


def _start_version(topic: pb.Topic) -> int:
    """Return the version after which a match topic starts."""
    if not topic.cursor:
        return topic.match.after_version
    return parse_cursor(topic.cursor)


def _end_version(topic: pb.MatchTopic, newest: int, *, is_replay: bool) -> int:
    """Return the version at which a match topic ends; 0 if it does not end."""
    match topic.WhichOneof("end"):
        case "until_version":
            return topic.until_version
        case "until_over" if is_replay:
            raise field_invalid(
                "match.until_over",
                "it is not allowed in a replay, which ends at a version or at the newest one",
            )
        case "until_over":
            return 0
        case _:
            return newest if is_replay or topic.until_now else 0


def _replay_ranges(connection: Connection, replay: _Replay, *, mainline: bool) -> list[range]:
    """Return the version ranges of a replay."""
    until = version_of(connection, replay.match, replay.until or None, None)
    whole: tuple[range, ...] = (range(1, until + 1),)
    if mainline:
        match: AnyMatch | None = board_views.match_at(connection, replay.match, until)
        assert match is not None
        whole = line(match)
    first = replay.after + 1
    return [range(max(each.start, first), each.stop) for each in whole if each.stop > first]


def _split_ranges(ranges: list[range], size: int) -> list[range]:
    return [each[begin : begin + size] for each in ranges for begin in range(0, len(each), size)]
