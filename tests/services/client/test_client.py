"""The client of the service: repeating, resuming, telling errors apart."""

import asyncio
from contextlib import aclosing
from typing import Any

import grpc
import pytest

from services.client import Client, ServiceError, new_request
from services.wire.emeth.v1.play_pb2 import ListActionsRequest


async def test_a_call_made_while_the_service_restarts_is_answered(own_service: Any) -> None:
    async with Client(own_service.address, patience_seconds=60) as client:
        made = await client.create_match(game="agog")
        match, white = made.match.match_id, made.tokens["white"]
        assert own_service.stop(9) == -9
        waiting = asyncio.create_task(client.submit(white, match, "a6-b6"))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_service.start)
        assert (await waiting).accepted.version == 2


async def test_a_repeated_request_gives_the_first_answer_and_records_nothing(
    shared_service: Any,
) -> None:
    async with Client(shared_service.address) as client:
        made = await client.create_match(game="agog")
        match, white = made.match.match_id, made.tokens["white"]
        request = new_request()
        first = await client.submit(white, match, "a6-b6", request_id=request)
        assert await client.submit(white, match, "a6-b6", request_id=request) == first
        with pytest.raises(ServiceError) as caught:
            await client.submit(white, match, "a6-a7", request_id=request)
        assert caught.value.reason == "REQUEST_ID_REUSED"
        assert caught.value.metadata.keys() == {"first", "now", "version"}
        assert (await client.match(match, 2)).version == 2


@pytest.mark.parametrize("number", [15, 9], ids=["told to stop", "killed"])
async def test_a_watcher_misses_nothing_when_the_service_restarts(
    own_service: Any, number: int
) -> None:
    async with Client(own_service.address, patience_seconds=60) as client:
        made = await client.create_match(game="agog")
        match, tokens = made.match.match_id, made.tokens
        await client.match(match, 1)

        async def watching() -> list[int]:
            async with aclosing(client.watch(tokens["spectator"], match, until_over=True)) as news:
                return [watched.event.version async for watched in news]

        task = asyncio.create_task(watching())
        await client.submit(tokens["white"], match, "a6-b6")
        await asyncio.to_thread(own_service.stop, number)
        await asyncio.to_thread(own_service.start)
        await client.submit(tokens["black"], match, "h3-g3")
        await client.submit_action(tokens["white"], match, resignation=True)
        async with asyncio.timeout(60):
            assert await task == [1, 2, 3, 4]


async def test_a_service_that_stays_away_is_an_error_in_time() -> None:
    async with Client("127.0.0.1:1", patience_seconds=0.2) as client:
        with pytest.raises(ServiceError) as caught:
            async with asyncio.timeout(30):
                await client.list_games()
        assert caught.value.unreachable
        with pytest.raises(ServiceError) as caught:
            async with asyncio.timeout(30):
                await anext(client.watch("t", "m"))
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE


async def test_an_error_says_which_field_was_wrong(shared_service: Any) -> None:
    async with Client(shared_service.address) as client:
        with pytest.raises(ServiceError) as caught:
            await client.match("no-uuid")
        assert caught.value.reason == "FIELD_INVALID"
        assert caught.value.violations.keys() == {"match_id"}
        assert not caught.value.unreachable


async def test_listing_starts_again_when_the_match_moves_on(
    shared_service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Client(shared_service.address) as client:
        made = await client.create_match(game="agog")
        match, white = made.match.match_id, made.tokens["white"]
        call, pages = client._call, []

        async def calling(method: Any, request: Any, token: str = "") -> Any:
            answer = await call(method, request, token)
            if isinstance(request, ListActionsRequest):
                pages.append(len(answer.actions))
                if len(pages) == 1:
                    await client.submit(white, match, "a6-b6")
            return answer

        monkeypatch.setattr(client, "_call", calling)
        listed = await client.list_actions(white, match, page_size=5)
        assert [each.notation for each in listed] == ["resign white"]
        assert pages == [5, 1]
