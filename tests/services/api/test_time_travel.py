"""Positions at any time, branches, and playing a match again, over gRPC."""

import asyncio
import time
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import history_pb2
from services.wire.emeth.v1.subscriptions_pb2 import MatchTopic, Pace, Topic
from tests.services.conftest import OPENING, CreatedMatch, Table, create_match, play, refusal


@pytest.fixture
async def played(client: Client) -> CreatedMatch:
    """Four actions, the last two undone, and one in their place."""
    match = await create_match(client)
    await play(client, match, *OPENING)
    await client.undo(match.tokens["referee"], match.id, 3)
    await play(client, match, ("white", "f1-f2"))
    return match


async def test_the_position_at_a_version_is_what_the_scene_shows_there(
    client: Client, played: CreatedMatch
) -> None:
    spectator = played.tokens["spectator"]
    for version in range(1, 8):
        found = await client.view(spectator, played.id, version=version, at_least_version=7)
        scene = await client.view(spectator, played.id, "text", version=version)
        assert (found.version, found.position) == (version, scene.position)
        assert found.prompts == scene.prompts
    assert (await client.view(spectator, played.id)).version == 7


async def test_the_position_at_a_time_is_that_after_the_last_event_until_then(
    client: Client, played: CreatedMatch
) -> None:
    spectator = played.tokens["spectator"]
    for event in await client.list_events(spectator, played.id, at_least_version=7):
        at = event.create_time.ToDatetime(UTC)
        assert (await client.view(spectator, played.id, time=at)).version == event.version
        assert (await client.view(spectator, played.id, "text", time=at)).version == event.version
        before = client.view(spectator, played.id, time=at - timedelta(microseconds=1))
        if event.version == 1:
            assert await refusal(before) == "VERSION_OUT_OF_RANGE"
        else:
            assert (await before).version == event.version - 1
    later = datetime.now(UTC) + timedelta(days=1)
    assert (await client.view(spectator, played.id, time=later)).version == 7


async def test_a_version_that_is_not_reached_yet_is_unknown(client: Client, table: Table) -> None:
    assert await refusal(client.view(table.white, table.id, version=99)) == "VERSION_OUT_OF_RANGE"
    assert await refusal(client.view("", table.id)) == "TOKEN_MISSING"


async def test_branches_show_where_they_part_and_what_is_otherwise_there(
    client: Client, played: CreatedMatch
) -> None:
    line, undone = await client.list_branches(played.tokens["spectator"], played.id, 7)
    assert (line.mainline, line.head_version, line.base_version, list(line.versions)) == (
        True,
        7,
        7,
        [],
    )
    assert (undone.mainline, undone.head_version, undone.base_version) == (False, 5, 3)
    assert list(undone.versions) == [4, 5]
    stood = await client.view(played.tokens["spectator"], played.id, version=5)
    assert undone.position == stood.position
    assert "White to move, not: Black to move" in undone.differences
    assert "g1: White's golem, not nothing" in undone.differences
    assert "f2: nothing, not White's golem" in undone.differences
    assert not line.differences


async def test_what_was_redone_is_no_branch_any_more(client: Client, played: CreatedMatch) -> None:
    referee = played.tokens["referee"]
    await client.create_proposal(referee, played.id, redo={"version": 5})
    line, undone = await client.list_branches(referee, played.id, 8)
    assert (line.head_version, undone.head_version, list(undone.versions)) == (8, 7, [6, 7])


async def versions(client: Client, match: CreatedMatch, **how: object) -> list[int]:
    shown = client.replay(match.tokens["spectator"], match.id, **how)  # type: ignore[arg-type]  # keywords
    return [watched.event.version async for watched in shown]


async def test_a_replay_shows_what_was_played_with_what_was_undone(
    client: Client, played: CreatedMatch
) -> None:
    await client.match(played.id, 7)
    assert await versions(client, played) == [1, 2, 3, 4, 5, 6, 7]
    assert await versions(client, played, after_version=2, until_version=5) == [3, 4, 5]
    shown = client.replay(played.tokens["spectator"], played.id, "text", until_version=1)
    (first,) = [watched async for watched in shown]
    assert first.view.text
    assert first.view.position


async def test_a_replay_of_the_line_leaves_out_what_was_undone(
    client: Client, played: CreatedMatch
) -> None:
    await client.match(played.id, 7)
    assert await versions(client, played, line_only=True) == [1, 2, 3, 7]
    assert await versions(client, played, line_only=True, until_version=5) == [1, 2, 3, 4, 5]


async def test_a_replay_keeps_its_pace(client: Client, played: CreatedMatch) -> None:
    await client.match(played.id, 7)
    began = time.monotonic()
    assert await versions(client, played, interval_seconds=0.05, until_version=4) == [1, 2, 3, 4]
    assert 0.15 <= time.monotonic() - began < 30
    events = await client.list_events(played.tokens["spectator"], played.id)
    took = (
        events[-1].create_time.ToDatetime() - events[0].create_time.ToDatetime()
    ).total_seconds()
    began = time.monotonic()
    assert len(await versions(client, played, speed=0.5)) == 7
    assert 2 * took <= time.monotonic() - began < 2 * took + 30


@pytest.mark.parametrize(
    "wrong",
    [{"speed": 5000.0}, {"interval_seconds": 4000.0}, {"interval_seconds": -1.0}, {"speed": -1.0}],
    ids=str,
)
async def test_a_pace_out_of_bounds_is_refused(
    client: Client, played: CreatedMatch, wrong: dict[str, float]
) -> None:
    with pytest.raises(ServiceError) as refused:
        await versions(client, played, **wrong)
    assert refused.value.reason == "FIELD_INVALID"


async def test_a_replay_ends_when_its_client_leaves(
    client: Client, service: Service, played: CreatedMatch
) -> None:
    async with aclosing(
        client.replay(played.tokens["spectator"], played.id, interval_seconds=600)
    ) as shown:
        await anext(shown)
        assert service.figures()["watchers"] == 1
    for _ in range(100):
        await asyncio.sleep(0.01)
        if not service.figures()["watchers"]:
            return
    raise AssertionError("the service still plays it")


async def test_a_replay_ends_when_the_service_stops_and_continues_with_the_next(
    settings: Settings,
) -> None:
    service = Service(settings)
    await service.__aenter__()
    async with Client(service.address, patience_seconds=0) as client:
        match = await create_match(client)
        await play(client, match, *OPENING)
        spectator = match.tokens["spectator"]
        replay = MatchTopic(match_id=match.id, pace=Pace(interval=Duration(seconds=600)))
        topic = Topic(topic_id="replay", match=replay)
        shown = client.follow(spectator, [topic])
        async with aclosing(shown):
            cursor = [(await anext(shown)).cursor for _ in range(2)][-1]
            stopping = asyncio.create_task(service.__aexit__(None, None, None))
            with pytest.raises(ServiceError) as ended:
                await anext(shown)
            assert ended.value.unreachable
            await stopping
    async with Service(settings) as service, Client(service.address) as client:
        topic.cursor, topic.match.pace.interval.seconds = cursor, 0
        shown = client.follow(spectator, [topic])
        seen = [each.match_event.event.version async for each in shown]
        assert seen == [0, 2, 3, 4, 5, 0]


async def test_branches_come_in_pages_of_one_version(client: Client, played: CreatedMatch) -> None:
    referee = played.tokens["referee"]
    await client.undo(referee, played.id, 2)
    await play(client, played, ("black", "g4-f4"))
    await client.match(played.id, 9)
    stub = client._history
    metadata = (("authorization", f"Bearer {referee}"),)
    request = history_pb2.ListBranchesRequest(match_id=played.id, page_size=1, at_least_version=9)
    heads = []
    while True:
        page = await stub.ListBranches(request, metadata=metadata)
        heads += [branch.head_version for branch in page.branches]
        request.page_token = page.next_page_token or request.page_token
        if not page.next_page_token:
            break
    assert heads == [
        branch.head_version for branch in await client.list_branches(referee, played.id)
    ]
    assert heads == [9, 7, 5]
    await play(client, played, ("white", "f1-f2"))
    await client.match(played.id, 10)
    with pytest.raises(grpc.aio.AioRpcError) as stale:
        await stub.ListBranches(request, metadata=metadata)
    assert stale.value.code() is grpc.StatusCode.ABORTED
