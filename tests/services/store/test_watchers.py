"""Watchers of a match are woken, and a crowd a few at a time."""

import asyncio
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import pytest
from google.protobuf.message import Message
from msgspec import structs

from services.api.topics import TopicMessage
from services.store.watchers import ANY_MATCH, WAKE_BATCH, Watchers
from services.transport import shared_bytes
from services.transport.connect import BinaryCodec, JsonCodec
from services.transport.shared_bytes import Encode, EncodedMessageCache, to_bytes, to_json
from services.wire.emeth.v1.subscriptions_pb2 import SubscribeResponse, TopicStarted

CROWDED, QUIET = UUID(int=1), UUID(int=2)


async def test_a_crowd_is_woken_in_slices_and_keeps_nobody_waiting() -> None:
    watchers = Watchers()
    with ExitStack() as stack:
        crowd = [stack.enter_context(watchers.watching(CROWDED)) for _ in range(10 * WAKE_BATCH)]
        one, all_matches = (
            stack.enter_context(watchers.watching(each)) for each in (QUIET, ANY_MATCH)
        )
        assert len(watchers) == len(crowd) + 2
        watchers.wake([CROWDED])
        watchers.wake([QUIET])
        woken = [sum(event.is_set() for event in crowd)]
        while woken[-1] < len(crowd):
            await asyncio.sleep(0)
            woken.append(sum(event.is_set() for event in crowd))
            assert woken[-1] - woken[-2] in range(1, WAKE_BATCH + 1)
            # Of two that are due, each has its turn: few do not wait for the end of a crowd.
            assert one.is_set()
            assert all_matches.is_set()
    assert len(watchers) == 0


async def test_a_watcher_served_before_its_turn_is_woken_once() -> None:
    watchers = Watchers()
    with ExitStack() as stack:
        crowd = [stack.enter_context(watchers.watching(CROWDED)) for _ in range(3 * WAKE_BATCH)]
        for _ in range(5):
            watchers.wake([CROWDED])
        for _ in range(3):
            await asyncio.sleep(0)
        assert all(event.is_set() for event in crowd)
        for event in crowd:
            event.clear()
        await asyncio.sleep(0)
        assert not any(event.is_set() for event in crowd)


async def test_what_was_looked_up_before_a_match_moved_on_has_another_turn() -> None:
    watchers, turns = Watchers(), []
    for _ in range(2):  # a crowd that comes after another receives nothing old either
        with watchers.watching(CROWDED):
            turns += [watchers.turn(CROWDED), watchers.turn(CROWDED)]
            watchers.wake([QUIET])
            turns.append(watchers.turn(CROWDED))
            watchers.wake([CROWDED])
            turns.append(watchers.turn(CROWDED))
    first, moved, again, moved_again = turns[0], turns[3], turns[4], turns[7]
    assert turns[:4] == [first, first, first, moved]
    assert turns[4:] == [again, again, again, moved_again]
    assert len({first, moved, again, moved_again}) == 4


class Counting(EncodedMessageCache):
    """Counts how often a message is encoded."""

    def __init__(self, encode: Encode) -> None:
        self.encoded: list[Message] = []
        self._encode = encode
        super().__init__(self._count)

    def _count(self, message: Message) -> bytes:
        self.encoded.append(message)
        return self._encode(message)


def shown(viewer: str, shared: bool = True) -> TopicMessage:
    return TopicMessage("topic_started", TopicStarted(viewer=viewer), "c", "t", shared=shared)


def test_a_message_for_many_is_encoded_once_and_an_equal_one_separately() -> None:
    bytes_of, news = Counting(to_bytes), shown("white")
    raw = bytes_of.get(news)
    assert SubscribeResponse.FromString(raw) == news.response()
    other = structs.replace(news, cursor="d", topic_id="another")
    assert SubscribeResponse.FromString(bytes_of.get(other)) == other.response()
    assert bytes_of.encoded == [news.message]
    assert bytes_of.get(shown("white")) == raw
    assert len(bytes_of.encoded) == 2
    for number in range(shared_bytes.MAX_CACHED_MESSAGES):
        bytes_of.get(shown(str(number)))
    bytes_of.encoded.clear()
    assert bytes_of.get(news) == raw
    assert bytes_of.encoded == [news.message], "forgotten meanwhile, and made again"


def test_a_message_for_few_is_encoded_for_each() -> None:
    bytes_of, own = Counting(to_bytes), shown("white", shared=False)
    assert bytes_of.get(own) == bytes_of.get(own) == own.response().SerializeToString()
    assert len(bytes_of.encoded) == 2
    unary = TopicStarted(viewer="white")
    assert bytes_of.get(unary) == unary.SerializeToString()


@pytest.mark.parametrize("message", [shown("white"), TopicMessage("topic_started", TopicStarted())])
def test_pages_are_sent_the_same_messages_as_bytes_and_as_json(message: TopicMessage) -> None:
    kind: Any = SubscribeResponse
    limits = {kind: 1_000}
    for codec in (
        BinaryCodec(limits, EncodedMessageCache()),
        JsonCodec(limits, EncodedMessageCache(to_json)),
    ):
        encoded: Any = codec.encode
        assert codec.decode(encoded(message), kind) == message.response()
