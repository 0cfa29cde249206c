"""The client's side of Subscribe: topics that continue after their stream breaks."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any, Final

from services.client.connection import Connection, authorization_metadata
from services.client.session import rpc_error
from services.wire.emeth.v1 import subscriptions_pb2 as pb

TOPIC_ID: Final = "1"
"""Topic ID in a stream with a single topic."""


class SubscriptionCalls(Connection):
    """Streams of Subscribe. Every method raises ServiceError."""

    async def follow(
        self, token: str, topics: Iterable[pb.Topic], *, patience_seconds: float | None = None
    ) -> AsyncGenerator[pb.SubscribeResponse, None]:
        """Yield the events of all topics, each message once, across restarts of the service.

        Args:
            token: Token for topics without one of their own.
            topics: The topics, each with its own ID.
            patience_seconds: How long to wait for a service that is away; None for the client's own
                patience.
        """
        left = {topic.topic_id: _copy(topic) for topic in topics}

        def start() -> _Stream:
            request = pb.SubscribeRequest(topics=left.values())
            metadata = authorization_metadata(token, self._frontend_key)
            return _Stream(self._views.Subscribe(request, metadata=metadata), len(left))

        stream = self._watch(start, patience_seconds, lambda: not left)
        async with aclosing(stream):
            async for response in stream:
                topic = left.get(response.topic_id)
                if topic is not None and response.cursor:
                    topic.cursor = response.cursor
                if response.HasField("topic_ended"):
                    left.pop(response.topic_id, None)
                if response.topic_id:
                    yield response

    async def _follow_one(
        self, token: str, topic: pb.Topic, patience_seconds: float | None = None
    ) -> AsyncGenerator[pb.SubscribeResponse, None]:
        """Yield the events of one topic. Raises the topic's error."""
        topic.topic_id = TOPIC_ID
        stream = self.follow(token, [topic], patience_seconds=patience_seconds)
        async with aclosing(stream):
            async for response in stream:
                if response.WhichOneof("event") not in ("topic_started", "topic_ended"):
                    yield response


class _Stream:
    """A call of Subscribe. The error of its only topic is its own."""

    def __init__(self, call: Any, topics: int) -> None:
        self._call = call
        self._topics = topics

    async def __aiter__(self) -> AsyncIterator[pb.SubscribeResponse]:
        async for response in self._call:
            if self._topics == 1 and response.topic_ended.HasField("error"):
                raise rpc_error(response.topic_ended.error)
            yield response

    def cancel(self) -> None:
        """Cancel the Subscribe call."""
        self._call.cancel()


def _copy(topic: pb.Topic) -> pb.Topic:
    copied = pb.Topic()
    copied.CopyFrom(topic)
    return copied


def match_subscription(match_id: str, after_version: int = 0, **more: Any) -> pb.SubscribeRequest:
    """Return a topic that follows one match: `more` are fields of `MatchTopic`."""
    match = pb.MatchTopic(match_id=match_id, after_version=after_version, **more)
    return pb.SubscribeRequest(topics=[pb.Topic(topic_id=TOPIC_ID, match=match)])
