"""A match is at one version for all who look, also between "on disk" and "in memory"."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest

from services.client import Client
from services.client.gateway import GatewayClient
from services.devices import outboxes
from services.main import Service
from services.store.errors import LogUnavailable
from services.store.match_cache import CachedMatch
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.play_pb2 import ListActionsRequest
from tests.services.conftest import CreatedMatch, create_match, newest_version
from tests.stores import both_stores

pytestmark = both_stores


PAUSE_SECONDS = 0.08
"""Longer than the read models ever rest: they have an event long before the memory has it."""
PENS = ("AA:01", "AA:02", "AA:03")


@pytest.fixture
async def slow(service: Service) -> Service:
    """A service on which each event is on disk for a while before it is in memory."""
    write = service._log.write

    async def write_and_pause(events: Sequence[Any]) -> None:
        await write(events)
        await asyncio.sleep(PAUSE_SECONDS)

    service._log.write = write_and_pause  # type: ignore[method-assign]
    return service


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


async def moves(client: Client, match: CreatedMatch, number: int) -> AsyncIterator[int]:
    """Take the first legal action, so many times; the version after each."""
    for turn in range(number):
        seat = ("white", "black")[turn % 2]
        listed = await client.list_actions(match.tokens[seat], match.id)
        answer = await client.submit(match.tokens[seat], match.id, listed[0].notation)
        assert answer.HasField("accepted"), answer
        yield answer.accepted.version


async def test_every_stylus_is_shown_every_action_of_others(slow: Service, client: Client) -> None:
    match = await create_match(client)
    key = (await client.create_gateway(slow.admin_key, name="Corner")).gateway_key
    for pen, role in zip(PENS, ("white", "black", "spectator"), strict=True):
        await client.pair_stylus(key, pen, pin="0000")
        await client.seat_stylus(key, pen, match.id, [match.tokens[role]])
    async with GatewayClient(slow.address, key) as gateway:
        async for version in moves(client, match, 12):
            async with asyncio.timeout(30):
                for pen in PENS:
                    await gateway.wait_for_prompt(pen, version)


async def test_actions_listed_after_a_watched_event_are_as_new_as_it(
    slow: Service, client: Client
) -> None:
    match = await create_match(client)

    async def watch() -> None:
        async for news in client.watch(match.tokens["spectator"], match.id):
            seen = news.event.version
            assert await newest_version(client, match) >= seen
            if seen == 7:
                return

    watcher = asyncio.create_task(watch())
    async for _ in moves(client, match, 6):
        pass
    async with asyncio.timeout(30):
        await watcher


async def test_actions_listed_after_a_read_are_as_new_as_it(slow: Service, client: Client) -> None:
    match, going = await create_match(client), True
    referee = match.tokens["referee"]

    async def look() -> None:
        while going:
            seen = (await client.view(referee, match.id, "text")).version
            assert await newest_version(client, match) >= seen

    looking = asyncio.create_task(look())
    async for version in moves(client, match, 6):
        scene = await client.view(referee, match.id, "text", at_least_version=version)
        assert scene.version >= version
    going = False
    await looking


async def test_a_caller_cancelled_during_a_write_blocks_no_other(
    slow: Service, client: Client
) -> None:
    match = await create_match(client)
    key = (await client.create_gateway(slow.admin_key, name="Corner")).gateway_key
    await client.pair_stylus(key, PENS[0], pin="0000")
    await client.seat_stylus(key, PENS[0], match.id, [match.tokens["spectator"]])
    async with GatewayClient(slow.address, key) as gateway:
        await gateway.wait_for_prompt(PENS[0], 1)
        leaving = asyncio.create_task(client.submit(match.tokens["white"], match.id, "a6-b6"))
        await asyncio.sleep(PAUSE_SECONDS / 2)
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
        async with asyncio.timeout(30):
            await gateway.wait_for_prompt(PENS[0], 2)
    assert await newest_version(client, match) == 2


async def test_a_match_that_moved_on_elsewhere_is_reloaded(
    service: Service, client: Client
) -> None:
    """Memory that is older than the log is let go as soon as the read models tell."""
    match = await create_match(client)
    first = service._live
    answer = await client.submit(match.tokens["white"], match.id, "a6-b6")
    (live,) = first._entries.values()
    live.state = live.recent_states[0]  # as if another process had written version 2
    first.note_versions({live.state.id: answer.accepted.version})
    request = ListActionsRequest(match_id=match.id, page_size=1)
    listed = await client._call(client._play.ListActions, request, match.tokens["black"])
    assert listed.version == 2


async def seated(service: Service, client: Client, match: CreatedMatch) -> str:
    """A gateway's key: its first stylus plays for both, the others look on."""
    key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
    both = [match.tokens["white"], match.tokens["black"]]
    for pen in PENS:
        await client.pair_stylus(key, pen, pin="0000")
        tokens = both if pen == PENS[0] else [match.tokens["spectator"]]
        await client.seat_stylus(key, pen, match.id, tokens)
    return key


async def test_a_gateway_that_reads_slowly_is_shown_the_newest_last(
    slow: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outboxes, "MAX_MESSAGES", 1)
    match = await create_match(client)
    key = await seated(slow, client, match)
    connect: Any = client._gateways.Connect
    stream = connect(metadata=(("authorization", f"Bearer {key}"),))
    hello = pb.Hello(gateway_id=key.rpartition(".")[0], epoch="e", first_kept_seq=1)
    await stream.write(pb.ConnectRequest(hello=hello))
    shown: dict[str, int] = {}

    async def read() -> None:
        while min(shown.get(pen, 0) for pen in PENS) < 7:
            answer = await stream.read()
            if answer.HasField("prompt"):
                shown[answer.prompt.stylus_id] = answer.prompt.match_version
            await asyncio.sleep(0.01)

    async def tap() -> None:
        for seq in range(1, 100):
            message = pb.Tap(seq=seq, stylus_id=PENS[0], code="space a6", prompt_number=1)
            await stream.write(pb.ConnectRequest(tap=message))
            await asyncio.sleep(0.005)

    tapping = asyncio.create_task(tap())
    async for _ in moves(client, match, 6):
        pass
    async with asyncio.timeout(30):
        await read()
        await tapping
    stream.cancel()


async def test_a_stream_whose_styluses_cannot_be_followed_ends(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Better a line that is lost, and joined again, than one on which nothing comes any more."""
    match = await create_match(client)
    key = await seated(service, client, match)
    async with GatewayClient(service.address, key) as gateway:
        await gateway.wait_for_prompt(PENS[1], 1)
        get = service._live.get

        async def fail_once(identity: UUID) -> CachedMatch:
            monkeypatch.setattr(service._live, "get", get)
            raise LogUnavailable("for once")

        monkeypatch.setattr(service._live, "get", fail_once)
        await client.submit(match.tokens["white"], match.id, "a6-b6")
        async with asyncio.timeout(30):
            await gateway.wait_for_prompt(PENS[1], 2)
        assert gateway.connections == 2
