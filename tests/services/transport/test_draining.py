"""Shutdown of a service: each call is answered, or refused with a retry; none is lost."""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from services.client import Client, ServiceError, new_request
from services.wire.emeth.v1 import play_pb2
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub
from tests.services.cli.conftest import RunningService
from tests.services.conftest import OPENING, CreatedMatch, create_match

IN_FLIGHT = 30
MATCHES = 4
"""For each of those who play at once."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningService]:
    service = RunningService(tmp_path)
    service.start()
    yield service
    service.stop()


class Player:
    """Submits one action after the other, and repeats nothing."""

    def __init__(self, matches: list[CreatedMatch]) -> None:
        self._matches = matches
        self._last = 0
        self._awaited, self._enough = 0, asyncio.Event()
        self.acknowledged: list[tuple[str, int]] = []
        self.ended = ""
        self._requests = [
            (
                match.tokens[seat],
                play_pb2.SubmitActionRequest(
                    request_id=new_request(), match_id=match.id, action=action
                ),
            )
            for match in matches
            for seat, action in OPENING
        ]

    async def play(self, address: str) -> None:
        """Submit all, from the last one on, until a call fails; then tell why."""
        # A line of its own each time: one that broke may be kept for others for a moment.
        options = (("grpc.use_local_subchannel_pool", 1),)
        async with grpc.aio.insecure_channel(address, options) as channel:
            stub: Any = PlayServiceStub(channel)
            while self._last < len(self._requests):
                token, request = self._requests[self._last]
                metadata = (("authorization", f"Bearer {token}"),)
                try:
                    answer = await stub.SubmitAction(request, metadata=metadata)
                except grpc.aio.AioRpcError as error:
                    self.ended = failure_reason(ServiceError.from_rpc(error))
                    return
                self._last += 1
                self.acknowledged.append((request.match_id, answer.accepted.version))
                if len(self.acknowledged) == self._awaited:
                    self._enough.set()
        self.ended = "done"

    async def acknowledgements(self, number: int) -> None:
        """Wait until so many submissions are acknowledged."""
        self._awaited = number
        await self._enough.wait()

    def check(self) -> None:
        """Each submission was acknowledged once, in order."""
        versions = range(2, 2 + len(OPENING))
        assert self.acknowledged == [(m.id, version) for m in self._matches for version in versions]


def failure_reason(failure: ServiceError) -> str:
    """Why a call failed. One that was made after the service had stopped was never in flight."""
    away = failure.unreachable and "failed to connect" in failure.message
    return "away" if away else failure.reason or f"{failure.code.name}: {failure.message}"


@pytest.mark.parametrize(
    ("enough", "how"), [(1, signal.SIGTERM), (9, signal.SIGTERM), (5, signal.SIGINT)]
)
async def test_submissions_in_flight_are_acknowledged_or_answered_with_retry(
    running: RunningService, enough: int, how: int
) -> None:
    async with Client(running.address) as client:
        matches = [[await create_match(client) for _ in range(MATCHES)] for _ in range(IN_FLIGHT)]
    players = [Player(each) for each in matches]
    playing = [asyncio.create_task(each.play(running.address)) for each in players]
    await players[0].acknowledgements(enough)
    assert await asyncio.to_thread(running.stop, how) == 0
    await asyncio.gather(*playing)
    ended = Counter(each.ended for each in players)
    assert ended.keys() <= {"SHUTTING_DOWN", "away", "done"}, ended
    assert ended["SHUTTING_DOWN"], "nothing was in flight"

    await asyncio.to_thread(running.start)
    await asyncio.gather(*(each.play(running.address) for each in players))
    assert Counter(each.ended for each in players) == {"done": IN_FLIGHT}
    for player in players:
        player.check()
    async with Client(running.address) as client:
        for match in chain.from_iterable(matches):
            events = await client.list_events(match.tokens["referee"], match.id, at_least_version=5)
            played = [event.action.notation for event in events[1:]]
            assert played == [action for _, action in OPENING]


async def test_the_client_retries_calls_that_the_service_marks_as_retryable(
    running: RunningService,
) -> None:
    async with Client(running.address, patience_seconds=20) as client:
        matches = [await create_match(client) for _ in range(IN_FLIGHT)]

        async def play(match: CreatedMatch) -> list[int]:
            seen = []
            for seat, action in OPENING:
                answer = await client.submit(match.tokens[seat], match.id, action)
                seen.append(answer.accepted.version)
            return seen

        playing = [asyncio.create_task(play(match)) for match in matches]
        await asyncio.sleep(0.02)
        await asyncio.to_thread(running.stop)
        await asyncio.to_thread(running.start)
        assert await asyncio.gather(*playing) == list(repeat([2, 3, 4, 5], IN_FLIGHT))
