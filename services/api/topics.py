"""Messages of the topics of a subscription."""

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
"""Number of topics of a stream that may hold messages its client has not read. Others wait, so that
memory is bounded."""


MAX_CURSOR_DIGITS: Final = 18
"""Maximum digits of a number in a cursor."""


class TopicMessage(Struct, frozen=True):
    """One `SubscribeResponse` in parts, so that shared parts are encoded once."""

    event: str
    """Name of the field that `message` goes into."""
    message: Message
    cursor: str = ""
    topic_id: str = ""
    shared: bool = False
    """Whether other watchers get the same `message`, which then must not change."""
    is_public: bool = False
    """Whether a spectator gets the message, so that it contains nothing hidden."""

    @property
    def compression(self) -> str | None:
        """Return the group of messages with which this one may be compressed.

        The size of compressed messages reveals what they have in common, and a topic may contain
        texts of others. So each topic is a group, and None is that of all messages to spectators.
        """
        return None if self.is_public else self.topic_id

    def response(self) -> pb.SubscribeResponse:
        """Return the complete message."""
        response = pb.SubscribeResponse(topic_id=self.topic_id, cursor=self.cursor)
        getattr(response, self.event).CopyFrom(self.message)
        return response


class OpenTopic(Struct, frozen=True):
    """A topic that is being followed."""

    call: RequestContext
    """Context of its caller."""
    topic: pb.Topic
    lookups: Semaphore
    """Semaphore to hold while messages are looked up and until they are sent."""


def topic_started(cursor: str = "", viewer: str = "") -> TopicMessage:
    """Return the first message of a topic."""
    message = pb.TopicStarted(viewer=viewer)
    return TopicMessage("topic_started", message, cursor, is_public=viewer == SPECTATOR)


def event_message(
    viewer: str, event: MatchEvent, version: int, *, shared: bool = False
) -> TopicMessage:
    """Return an event of this version in the form that a viewer gets."""
    return TopicMessage(
        "match_event", event, str(version), shared=shared, is_public=viewer == SPECTATOR
    )


def parse_cursor(cursor: str) -> int:
    """Parse the number in a cursor. Raise FIELD_INVALID if it is not one."""
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= MAX_CURSOR_DIGITS):
        raise field_invalid("cursor", "it must come from an earlier message of the same topic")
    return int(cursor)
