"""Any number of topics on one stream: each with its own token and mask, each ending alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.rpc.error_details_pb2 import ErrorInfo

from services.accounts.context import RequestContext
from services.api.subscriptions import MAX_TOPICS, MAX_UNSENT_MESSAGES, Subscription
from services.api.topics import MAX_CONCURRENT_LOOKUPS
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2, views_pb2
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from tests.services.accounts.conftest import open_site
from tests.services.conftest import CreatedMatch, create_match, newest_version, play

SECONDS = 30.0


def topic(match: CreatedMatch, role: str = "spectator", name: str = "", **fields: Any) -> pb.Topic:
    return pb.Topic(
        topic_id=name or f"{match.id[:8]} {role}",
        token=match.tokens[role],
        match=pb.MatchTopic(match_id=match.id, **fields),
    )


class Stream:
    """A stream of Subscribe, read message by message."""

    def __init__(self, client: Client, call: Any) -> None:
        self._client = client
        self._call = call
        self._messages = aiter(call)

    async def start(self) -> None:
        self.id = (await self.next()).subscription_started.subscription_id

    async def next(self) -> pb.SubscribeResponse:
        async with asyncio.timeout(SECONDS):
            response: pb.SubscribeResponse = await anext(self._messages)
            return response

    async def until(self, *events: str) -> list[pb.SubscribeResponse]:
        """What comes, up to the last of these kinds of messages, one after another."""
        found = []
        for event in events:
            while not found or found[-1].WhichOneof("event") != event:
                found.append(await self.next())
            found.append(pb.SubscribeResponse())
        return [each for each in found if each.WhichOneof("event")]

    async def rest(self) -> list[pb.SubscribeResponse]:
        async with asyncio.timeout(SECONDS):
            return [each async for each in self._messages]

    async def update(self, *add: pb.Topic, remove: tuple[str, ...] = ()) -> list[str]:
        request = pb.UpdateSubscriptionRequest(subscription_id=self.id, add=add, remove=remove)
        answer = await self._client._views.UpdateSubscription(request)
        return list(answer.topic_ids)


@asynccontextmanager
async def subscribed(client: Client, *topics: pb.Topic) -> AsyncIterator[Stream]:
    call: Any = client._views.Subscribe(pb.SubscribeRequest(topics=topics))
    stream = Stream(client, call)
    await stream.start()
    try:
        yield stream
    finally:
        call.cancel()


def reason(ended: pb.SubscribeResponse) -> str:
    info = ErrorInfo()
    assert ended.topic_ended.reason == pb.TOPIC_END_REASON_FAILED
    assert ended.topic_ended.error.details[0].Unpack(info)
    return info.reason


def versions(messages: list[pb.SubscribeResponse], name: str) -> list[int]:
    return [
        each.match_event.event.version
        for each in messages
        if each.topic_id == name and each.HasField("match_event")
    ]


async def test_matches_a_lobby_and_a_player_share_a_stream_each_with_its_own_token(
    service: Service,
) -> None:
    site = await open_site(service)
    async with site.client as client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        identity, _ = await site.match(ada, bob)
        held = CreatedMatch(identity, {"white": ada.token, "black": bob.token})
        other = await create_match(client, "res-arcana")
        await newest_version(client, held)
        topics = (
            topic(held, "white", "own", until_now=True),
            topic(other, "north", "other", until_now=True),
            pb.Topic(topic_id="lobby", lobby=pb.LobbyTopic()),
            pb.Topic(topic_id="ada", token=ada.token, player=pb.PlayerTopic(after_notice_id="")),
        )
        async with subscribed(client, *topics) as stream:
            seen: list[pb.SubscribeResponse] = []
            kinds: set[tuple[str, str]] = set()
            wanted = {
                ("own", "topic_started"), ("own", "match_event"), ("own", "topic_ended"),
                ("other", "topic_started"), ("other", "match_event"), ("other", "topic_ended"),
                ("lobby", "topic_started"), ("lobby", "lobby_event"),
                ("ada", "topic_started"), ("ada", "notice"),
            }  # fmt: skip
            while not wanted <= kinds:
                seen.append(await stream.next())
                kinds.add((seen[-1].topic_id, seen[-1].WhichOneof("event") or ""))
            assert kinds == wanted
            viewers = {
                each.topic_id: each.topic_started.viewer
                for each in seen
                if each.HasField("topic_started")
            }
            assert viewers == {"own": "white", "other": "north", "lobby": "", "ada": ""}


async def test_a_topic_that_fails_ends_alone_with_its_error(client: Client) -> None:
    match, other = await create_match(client), await create_match(client)
    foreign = topic(other, name="foreign")
    foreign.token = match.tokens["white"]
    unknown = pb.Topic(
        topic_id="unknown",
        match=pb.MatchTopic(match_id="00000000-0000-4000-8000-000000000000"),
    )
    mask = topic(match, name="mask", read_mask=FieldMask(paths=["event.nonsense"]))
    good = topic(match, name="good")
    async with subscribed(client, foreign, unknown, mask, good) as stream:
        ended = {}
        while len(ended) < 3:
            message = await stream.next()
            if message.HasField("topic_ended"):
                ended[message.topic_id] = reason(message)
        assert ended == {
            "foreign": "TOKEN_WRONG_MATCH", "unknown": "MATCH_NOT_FOUND", "mask": "FIELD_INVALID"
        }  # fmt: skip
        await play(client, match, ("white", "a6-b6"))
        while (await stream.next()).match_event.event.version != 2:
            pass


async def test_a_stream_ends_with_the_last_of_its_topics(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"))
    topics = topic(match, name="all", until_version=2), topic(match, name="none", until_version=1)
    async with subscribed(client, *topics) as stream:
        rest = await stream.rest()
    assert (versions(rest, "all"), versions(rest, "none")) == ([1, 2], [1])
    ended = {each.topic_id for each in rest if each.HasField("topic_ended")}
    assert ended == {"all", "none"}


async def test_topics_come_and_go_while_the_stream_runs(client: Client) -> None:
    first, second = await create_match(client), await create_match(client)
    async with subscribed(client, topic(first, name="first")) as stream:
        await stream.until("match_event")
        assert await stream.update(topic(second, name="second")) == ["first", "second"]
        seen = await stream.until("topic_started", "match_event")
        assert {each.topic_id for each in seen} == {"second"}
        assert await stream.update(remove=("first", "unheard of")) == ["second"]
        (ended,) = await stream.until("topic_ended")
        assert (ended.topic_id, ended.topic_ended.reason) == ("first", pb.TOPIC_END_REASON_REMOVED)
        await play(client, first, ("white", "a6-b6"))
        await play(client, second, ("white", "a6-b6"))
        (event,) = await stream.until("match_event")
        assert (event.topic_id, event.match_event.event.version) == ("second", 2)
        # One of the same name takes the place of the other, after that has said its last.
        assert await stream.update(topic(first, name="second", after_version=1)) == ["second"]
        seen = await stream.until("topic_ended", "topic_started", "match_event")
        assert [each.WhichOneof("event") for each in seen] == [
            "topic_ended", "topic_started", "match_event"
        ]  # fmt: skip
        assert await stream.update(remove=("second",)) == []
        assert [each.WhichOneof("event") for each in await stream.rest()] == ["topic_ended"]
        with pytest.raises(grpc.aio.AioRpcError) as gone:
            await stream.update(topic(first))
        assert ServiceError.from_rpc(gone.value).reason == "SUBSCRIPTION_NOT_FOUND"


async def test_a_topic_that_is_added_has_the_token_of_the_call_that_adds_it(
    client: Client,
) -> None:
    match = await create_match(client, visibility=matches_pb2.VISIBILITY_PRIVATE)
    bare = topic(match, name="bare")
    bare.token = ""
    request = pb.UpdateSubscriptionRequest(add=[bare])
    async with subscribed(client, topic(match, name="first")) as stream:
        await stream.until("match_event")
        request.subscription_id = stream.id
        await client._views.UpdateSubscription(request)
        (ended,) = await stream.until("topic_ended")
        assert (ended.topic_id, reason(ended)) == ("bare", "TOKEN_MISSING")
        token = match.tokens["black"]
        metadata = (("authorization", f"Bearer {token}"),)
        await client._views.UpdateSubscription(request, metadata=metadata)
        (started,) = await stream.until("topic_started")
        assert started.topic_started.viewer == "black"


async def test_a_stream_has_topics_with_names_of_their_own_and_not_too_many(
    client: Client,
) -> None:
    match = await create_match(client)
    one = topic(match, name="one")
    many = [topic(match, name=str(number)) for number in range(MAX_TOPICS)]
    for topics in ([], [one, one], [*many, one], [topic(match, name="x" * 65)]):
        call: Any = client._views.Subscribe(pb.SubscribeRequest(topics=topics))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await anext(aiter(call))
        assert ServiceError.from_rpc(refused.value).reason == "FIELD_INVALID"
    async with subscribed(client, one) as stream:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stream.update(*many)
        assert ServiceError.from_rpc(refused.value).reason == "FIELD_INVALID"


async def test_all_topics_continue_from_their_cursors_at_another_service(
    settings: Settings,
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        matches = [
            await create_match(client, visibility=matches_pb2.VISIBILITY_PUBLIC) for _ in range(3)
        ]
        lobby = pb.Topic(topic_id="lobby", lobby=pb.LobbyTopic())
        topics = {each.topic_id: each for each in (*map(topic, matches), lobby)}
        seen = []
        async with subscribed(client, *topics.values()) as stream:
            while len(seen) < 2 * len(matches):
                message = await stream.next()
                if message.topic_id and message.cursor:
                    topics[message.topic_id].cursor = message.cursor
                if message.WhichOneof("event") in ("match_event", "lobby_event"):
                    seen.append(message)
        for match in matches:
            await play(client, match, ("white", "a6-b6"))
    async with (
        Service(settings) as service,
        Client(service.address) as client,
        subscribed(client, *topics.values()) as stream,
    ):
        events: dict[str, list[int]] = {}
        changed: dict[str, int] = {}
        while len(events) < len(matches) or len(changed) < len(matches):
            message = await stream.next()
            if message.HasField("match_event"):
                events.setdefault(message.topic_id, []).append(message.match_event.event.version)
            if message.HasField("lobby_event"):
                match = message.lobby_event.match
                changed[match.match_id] = match.version
        assert set(map(tuple, events.values())) == {(2,)}
        assert set(changed.values()) == {2}


async def test_what_stops_says_so_after_all_that_its_topics_have_begun(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        matches = [await create_match(client) for _ in range(5)]
        async with subscribed(client, *map(topic, matches)) as stream:
            await stream.until(*["match_event"] * 5)
            stopping = asyncio.create_task(service.__aexit__())
            assert [each.WhichOneof("event") for each in await stream.rest()] == ["stream_ending"]
            await stopping


async def test_a_mask_leaves_out_what_nobody_draws(client: Client) -> None:
    match = await create_match(client, "earthen-war", chance=matches_pb2.CHANCE_ROLLED)
    (seat,) = {prompt.seat for prompt in (await client.match(match.id)).prompts}
    (first, *_) = await client.list_actions(match.tokens[seat], match.id)
    await play(client, match, (seat, first.notation))
    paths = ["event.version", "event.sentence", "event.changes", "view.prompts"]
    lean, full = topic(match, name="lean"), topic(match, name="full")
    lean.match.read_mask.paths.extend(paths)
    lean.match.latest_read_mask.paths.extend([*paths, "view.svg"])
    for each in (lean, full):
        each.match.until_version = 2
    async with subscribed(client, lean, full) as stream:
        rest = await stream.rest()
    events = {
        name: [
            each.match_event
            for each in rest
            if each.topic_id == name and each.HasField("match_event")
        ]
        for name in ("lean", "full")
    }
    for event, whole in zip(events["lean"], events["full"], strict=True):
        fields = {field.name for field, _ in event.event.ListFields()}
        assert fields <= {"version", "sentence", "changes"}
        assert event.event.changes == whole.event.changes
        assert event.view.prompts == whole.view.prompts
        assert whole.event.digest
    drawn = [bool(event.view.svg) for event in events["lean"]]
    assert drawn == [False, (await newest_version(client, match)) == 2]
    assert whole.event.rulings
    assert whole.event.facts


async def test_a_topic_after_a_version_that_never_was_fails_at_once(client: Client) -> None:
    match = await create_match(client)
    never = topic(match, name="never", after_version=4_000_000_000)
    async with subscribed(client, never, topic(match, name="one")) as stream:
        (ended,) = [
            each for each in await stream.until("topic_ended") if each.HasField("topic_ended")
        ]
        assert (ended.topic_id, reason(ended)) == ("never", "VERSION_OUT_OF_RANGE")


async def test_a_player_of_both_seats_follows_each(service: Service) -> None:
    site = await open_site(service)
    async with site.client as client:
        ada = await site.introduce("1", "Ada")
        identity, _ = await site.match(ada, ada)
        held = CreatedMatch(identity, {"white": ada.token})
        await newest_version(client, held)
        topics = [topic(held, "white", seat, viewer=seat) for seat in ("white", "black")]
        async with subscribed(client, *topics) as stream:
            seen = await stream.until("topic_started", "topic_started")
            viewers = {each.topic_started.viewer for each in seen if each.HasField("topic_started")}
            assert viewers == {"white", "black"}


async def test_no_events_are_looked_up_for_a_client_that_does_not_read(
    service: Service, client: Client
) -> None:
    """However many topics there are, a few of them hold what the client has not taken."""
    matches = [await create_match(client) for _ in range(3 * MAX_UNSENT_MESSAGES)]
    subscriptions = service.handlers[views_pb2]._subscriptions  # type: ignore[attr-defined]
    stream = Subscription(subscriptions._follow, service._watchers)
    stream.add(RequestContext("", None), [topic(each) for each in matches])
    messages = stream.messages()
    async with aclosing(messages):
        await anext(messages)
        async with asyncio.timeout(SECONDS):
            while stream._unsent.qsize() < MAX_UNSENT_MESSAGES:  # noqa: ASYNC110  # no signal
                await asyncio.sleep(0.01)
        holding = MAX_CONCURRENT_LOOKUPS - stream._looking._value
        assert (stream._unsent.qsize(), holding) == (MAX_UNSENT_MESSAGES, MAX_CONCURRENT_LOOKUPS)
        topics = set()
        async for message in messages:
            if message.event == "match_event":
                topics.add(message.topic_id)
            if len(topics) == len(matches):
                break


async def test_a_hundred_boards_take_one_stream_and_a_message_an_action(client: Client) -> None:
    matches = [await create_match(client) for _ in range(100)]
    paths = ["event.version", "event.changes", "view.prompts"]
    topics = [
        topic(each, name=each.id, after_version=1, read_mask=FieldMask(paths=paths))
        for each in matches
    ]
    async with subscribed(client, *topics) as stream:
        started = [await stream.next() for _ in matches]
        assert {each.WhichOneof("event") for each in started} == {"topic_started"}
        await asyncio.gather(*(play(client, each, ("white", "a6-b6")) for each in matches))
        shown = [await stream.next() for _ in matches]
        assert {each.topic_id for each in shown} == {each.id for each in matches}
        assert {each.match_event.event.version for each in shown} == {2}
