"""Who waits for a match is woken, and a crowd a few at a time."""

import asyncio
from contextlib import ExitStack
from uuid import UUID

import pytest
from google.protobuf.json_format import MessageToJson
from google.protobuf.wrappers_pb2 import Int32Value, StringValue

from services.doors import shared_bytes
from services.doors.connect import Binary, Json
from services.doors.shared_bytes import Encode, SharedBytes, binary
from services.store.watchers import ANY, SLICE, Watchers

CROWDED, QUIET = UUID(int=1), UUID(int=2)


async def test_a_crowd_is_woken_in_slices_and_keeps_nobody_waiting() -> None:
    watchers = Watchers()
    with ExitStack() as stack:
        crowd = [stack.enter_context(watchers.watching(CROWDED)) for _ in range(10 * SLICE)]
        one, all_matches = (stack.enter_context(watchers.watching(each)) for each in (QUIET, ANY))
        assert len(watchers) == len(crowd) + 2
        watchers.wake([CROWDED])
        watchers.wake([QUIET])
        woken = [sum(event.is_set() for event in crowd)]
        while woken[-1] < len(crowd):
            await asyncio.sleep(0)
            woken.append(sum(event.is_set() for event in crowd))
            assert woken[-1] - woken[-2] in range(1, SLICE + 1)
            # Of two that are due, each has its turn: few do not wait for the end of a crowd.
            assert one.is_set()
            assert all_matches.is_set()
    assert len(watchers) == 0


async def test_whoever_is_served_again_before_its_turn_is_woken_once() -> None:
    watchers = Watchers()
    with ExitStack() as stack:
        crowd = [stack.enter_context(watchers.watching(CROWDED)) for _ in range(3 * SLICE)]
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
    for _ in range(2):  # a crowd that comes after another has gone is told nothing old either
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


def test_a_message_for_many_is_encoded_once_and_its_equal_by_itself() -> None:
    shared, news = SharedBytes(), StringValue(value="news")
    raw = shared.of(news)
    assert raw == news.SerializeToString()
    assert shared.of(news) is raw
    other = StringValue(value="other")
    assert shared.of(other) == other.SerializeToString()
    for number in range(shared_bytes.KEPT):
        shared.of(StringValue(value=str(number)))
    assert shared.of(news) == raw  # forgotten meanwhile, and made again


@pytest.mark.parametrize(
    ("codec", "encode"), [(Binary, binary), (Json, lambda message: MessageToJson(message).encode())]
)
def test_pages_are_sent_the_bytes_that_were_made_for_others(
    codec: type[Binary | Json], encode: Encode
) -> None:
    shared = SharedBytes(encode)
    encoded = codec({}, frozenset({StringValue}), shared).encode
    message = StringValue(value="the same for all")
    assert encoded(message) == encode(message)
    assert encoded(message) is shared.of(message)
    own = Int32Value(value=700)
    assert encoded(own) == encode(own)
    assert encoded(own) is not encoded(own)
