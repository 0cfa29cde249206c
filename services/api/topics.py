"""What the topics of a subscription yield: messages of a stream, each of one topic."""

from asyncio import Semaphore
from typing import Final

from google.protobuf.message import Message
from msgspec import Struct

from domain.kernel.game import SPECTATOR
from services.accounts.context import RequestContext
from services.runtime.errors import field_invalid
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from services.wire.emeth.v1.match_views_pb2 import MatchEvent

MAX_CONCURRENT_LOOKUPS: Final = 4
"""Topics of one stream that hold messages which its client has not taken yet: the others look for
theirs later. So the memory of a stream does not grow with what its client leaves unread."""


MAX_CURSOR_DIGITS: Final = 18
"""Digits of a number in a cursor, at most: as many as the read models take."""


class TopicMessage(Struct, frozen=True):
    """One `SubscribeResponse`, not yet put together: what many are sent is encoded once."""

    event: str
    """Name of the field that `message` goes into."""
    message: Message
    cursor: str = ""
    topic_id: str = ""
    shared: bool = False
    """Whether the same `message` is sent to others, who must not change it."""
    is_public: bool = False
    """Whether a spectator gets it, who is shown nothing that anybody hides."""

    @property
    def compression(self) -> str | None:
        """Return the name of the messages with which this one may be compressed: those of its own
        topic, and None for all that a spectator gets. A topic may have text that others wrote, and
        the size of a compressed message tells what it has in common with those before."""
        return None if self.is_public else self.topic_id

    def response(self) -> pb.SubscribeResponse:
        """Return the message as it is sent."""
        response = pb.SubscribeResponse(topic_id=self.topic_id, cursor=self.cursor)
        getattr(response, self.event).CopyFrom(self.message)
        return response


class OpenTopic(Struct, frozen=True):
    """A topic that is being followed."""

    call: RequestContext
    """Who follows it."""
    topic: pb.Topic
    looking: Semaphore
    """Held while messages are looked up, and until they are taken."""


def topic_started(cursor: str = "", viewer: str = "") -> TopicMessage:
    """Return the first message of a topic."""
    message = pb.TopicStarted(viewer=viewer)
    return TopicMessage("topic_started", message, cursor, is_public=viewer == SPECTATOR)


def event_message(
    viewer: str, event: MatchEvent, version: int, *, shared: bool = False
) -> TopicMessage:
    """Return the event of this version as a viewer sees it."""
    return TopicMessage(
        "match_event", event, str(version), shared=shared, is_public=viewer == SPECTATOR
    )


def parse_cursor(cursor: str) -> int:
    """Return the number in a cursor that is one. FIELD_INVALID for any other."""
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= MAX_CURSOR_DIGITS):
        raise field_invalid("cursor", "it is that of an earlier message of the same topic")
    return int(cursor)
