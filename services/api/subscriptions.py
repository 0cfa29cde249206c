"""Subscriptions: many topics on one stream, each with its own token, cursor and mask."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Final

import structlog
from google.rpc.status_pb2 import Status
from msgspec.structs import replace

from services.accounts.context import RequestContext
from services.api.store_errors import api_error
from services.api.stream_tickets import StreamTickets
from services.api.topics import MAX_CONCURRENT_LOOKUPS, OpenTopic, TopicMessage
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.errors import StoreError
from services.store.watchers import Watchers
from services.wire.emeth.v1 import subscriptions_pb2 as pb

MAX_TOPICS: Final = 1000
"""Maximum number of topics on one stream."""
MAX_UNSENT_MESSAGES: Final = 16
"""Maximum number of messages of a stream that wait for its client."""
log = structlog.get_logger(__name__)

TopicSource = Callable[[OpenTopic], AsyncGenerator[TopicMessage, None]]
"""Yields the messages of a topic, starting with `topic_started`."""
AdmitTopic = Callable[[RequestContext], AbstractAsyncContextManager[RequestContext]]
"""Authenticates and admits a topic like a call."""
ToStatus = Callable[[ApiError], Status]


class Subscriptions:
    """All open streams of Subscribe in this process."""

    def __init__(
        self,
        sources: Mapping[str, TopicSource],
        watchers: Watchers,
        admit: AdmitTopic,
        error_of: ToStatus,
        tickets: StreamTickets,
    ) -> None:
        """Create subscriptions. `sources` yield topics, by the name of their field in `Topic`."""
        self._sources = sources
        self._tickets = tickets
        self._watchers = watchers
        self._admit_topic = admit
        self._error_of = error_of
        self._open: dict[str, Subscription] = {}

    async def subscribe(
        self, call: RequestContext, request: pb.SubscribeRequest
    ) -> AsyncGenerator[TopicMessage, None]:
        """Yield the messages of all topics, until the last of them has ended."""
        cursors = request.cursors
        if request.ticket:
            call, request = self._tickets.redeem(request.ticket, call)
        if not request.topics:
            raise field_invalid("topics", "it is empty: a stream needs at least one topic")
        for topic in request.topics:
            topic.cursor = cursors.get(topic.topic_id, topic.cursor)
        subscription = Subscription(self._follow, self._watchers)
        subscription.add(call, request.topics)
        self._open[subscription.id] = subscription
        try:
            async with aclosing(subscription.messages()) as messages:
                async for message in messages:
                    yield message
        finally:
            del self._open[subscription.id]

    def ticket(
        self, call: RequestContext, request: pb.CreateStreamTicketRequest
    ) -> pb.CreateStreamTicketResponse:
        """Return a ticket that opens a stream of these topics once."""
        ticket, expires = self._tickets.make(call, pb.SubscribeRequest(topics=request.topics))
        response = pb.CreateStreamTicketResponse(ticket=ticket)
        response.expire_time.FromNanoseconds(int(expires * 1e9))
        return response

    def update(
        self, call: RequestContext, request: pb.UpdateSubscriptionRequest
    ) -> pb.UpdateSubscriptionResponse:
        """Remove topics from a stream, and add others."""
        subscription = self._open.get(request.subscription_id)
        if subscription is None or subscription.has_ended:
            raise ApiError(
                Reason.SUBSCRIPTION_NOT_FOUND,
                "this process has no such stream: it has ended, or another replica has it; open a"
                " new one with all topics",
            )
        subscription.add(call, request.add, request.remove)
        return pb.UpdateSubscriptionResponse(topic_ids=subscription.topic_ids)

    async def _follow(
        self, call: RequestContext, topic: pb.Topic, looking: asyncio.Semaphore
    ) -> AsyncGenerator[TopicMessage, None]:
        """Yield the messages of one topic and its end, unless the service stops."""
        target = topic.WhichOneof("target")
        ended = pb.TopicEnded(reason=pb.TOPIC_END_REASON_COMPLETED)
        try:
            assert target is not None
            if topic.token:
                call = replace(call, token=topic.token, certificate=None)
            async with self._admit_topic(call) as caller:
                following = self._sources[target](OpenTopic(caller, topic, looking))
                async with aclosing(following) as messages:
                    async for message in messages:
                        yield message
        except (ApiError, StoreError) as error:
            ended = _topic_failed(self._error_of(api_error(error)))
        except Exception:  # the outermost layer: nothing else may reach the client
            log.exception("topic failed", target=target)
            ended = _topic_failed(self._error_of(ApiError(Reason.INTERNAL)))
        if not (self._watchers.closing and ended.reason == pb.TOPIC_END_REASON_COMPLETED):
            yield TopicMessage("topic_ended", ended)


def _topic_failed(error: Status) -> pb.TopicEnded:
    return pb.TopicEnded(reason=pb.TOPIC_END_REASON_FAILED, error=error)


FollowTopic = Callable[
    [RequestContext, pb.Topic, asyncio.Semaphore], AsyncGenerator[TopicMessage, None]
]


class Subscription:
    """One stream and its current topics.

    Each topic is a task that waits until its messages were sent, so that memory is bounded if a
    client does not read.
    """

    def __init__(self, follow: FollowTopic, watchers: Watchers) -> None:
        self.id = secrets.token_urlsafe(18)
        self.has_ended = False
        self._follow = follow
        self._watchers = watchers
        self._topics: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Tasks of topics, including removed ones that have not ended yet."""
        self._looking = asyncio.Semaphore(MAX_CONCURRENT_LOOKUPS)
        self._unsent: asyncio.Queue[TopicMessage | None] = asyncio.Queue(MAX_UNSENT_MESSAGES)

    @property
    def topic_ids(self) -> Sequence[str]:
        """Return the IDs of the topics in the order in which they were added."""
        return tuple(self._topics)

    def add(
        self, call: RequestContext, topics: Sequence[pb.Topic], removed: Sequence[str] = ()
    ) -> None:
        """Remove topics, and add others. Raise FIELD_INVALID for too many or duplicate ones."""
        names = [topic.topic_id for topic in topics]
        if len(set(names)) < len(names):
            raise field_invalid("topic_id", "two topics have this ID: each topic needs its own")
        kept = set(self._topics) - set(removed) - set(names)
        if len(kept) + len(names) > MAX_TOPICS:
            raise field_invalid("topics", f"a stream may have at most {MAX_TOPICS} topics")
        replaced = {name: self._topics.pop(name) for name in {*removed, *names} & set(self._topics)}
        for task in replaced.values():
            task.cancel()
        for topic in topics:
            before = replaced.pop(topic.topic_id, None)
            self._topics[topic.topic_id] = self._start(self._run(call, topic, before))
        for name, before in replaced.items():
            self._start(self._leave(name, before))

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    async def messages(self) -> AsyncGenerator[TopicMessage, None]:
        """Yield messages until the last topic has ended or the service stops."""
        stopping = asyncio.create_task(self._report_stop())
        try:
            yield TopicMessage(
                "subscription_started", pb.SubscriptionStarted(subscription_id=self.id)
            )
            while (message := await self._unsent.get()) is not None:
                yield message
        finally:
            self.has_ended = True
            for task in (*self._tasks, stopping):
                task.cancel()

    async def _run(
        self, call: RequestContext, topic: pb.Topic, before: asyncio.Task[None] | None
    ) -> None:
        name = topic.topic_id
        if before is not None:
            await self._leave(name, before)
        async with aclosing(self._follow(call, topic, self._looking)) as messages:
            async for message in messages:
                await self._unsent.put(replace(message, topic_id=name))
        if self._topics.get(name) is asyncio.current_task():
            del self._topics[name]

    async def _leave(self, name: str, topic: asyncio.Task[None]) -> None:
        """Send the end of a removed topic after its last message."""
        await asyncio.wait((topic,))
        removed = pb.TopicEnded(reason=pb.TOPIC_END_REASON_REMOVED)
        await self._unsent.put(TopicMessage("topic_ended", removed, topic_id=name))

    def _task_done(self, task: asyncio.Task[None]) -> None:
        """Handle the end of a topic's task."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("topic failed", error=repr(error))
        if not self._tasks:
            self._end()

    def _end(self) -> None:
        """End the stream after the queued messages."""
        if not self.has_ended and not self._watchers.closing:
            self.has_ended = True
            self._last = asyncio.create_task(self._unsent.put(None))

    async def _report_stop(self) -> None:
        await self._watchers.closed.wait()
        # Each topic ends separately, after its pending messages.
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._unsent.put(TopicMessage("stream_ending", pb.StreamEnding()))
        await self._unsent.put(None)
