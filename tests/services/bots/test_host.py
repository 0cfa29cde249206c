"""Bots of the service hold seats from the creation on, act when asked, go on after a restart."""

import asyncio
import signal
from pathlib import Path

import pytest

from services.client import Client
from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.cli.conftest import RunningService
from tests.services.conftest import refusal

LONG = 60.0
"""Seconds that a test waits for what comes at once on a quick machine."""


@pytest.fixture
def settings(tmp_path: Path, store: str) -> Settings:
    return Settings(
        data=str(tmp_path / "data"), store=store, listen="127.0.0.1:0", drain_seconds=1, bots="1"
    )


@pytest.fixture
def limits() -> Limits:
    return Limits(bot_seats=2)


async def pause() -> None:
    await asyncio.sleep(0.02)


async def moved(client: Client, token: str, match: str, kind: str, after: int) -> str:
    """Wait for an event of this kind; who made it, and by what client."""
    async with asyncio.timeout(LONG):
        async for watched in client.watch(token, match, after_version=after):
            if watched.event.kind == kind and watched.event.seat == "black":
                return watched.event.action.notation
    raise AssertionError("the watch ended")


async def test_a_service_that_is_killed_leaves_no_process_that_thinks(tmp_path: Path) -> None:
    running = RunningService(tmp_path / "service", "--bots", "2")
    await asyncio.to_thread(running.start)
    async with Client(running.address) as client:
        created = await client.create_match(game="agog", bots={"black": "beginner"})
        match, white = created.match.match_id, created.tokens["white"]
        version = (await client.submit(white, match, "a6-b6")).accepted.version
        assert await moved(client, white, match, "match.ActionTaken", version)
    assert running._process is not None
    threads = Path(f"/proc/{running._process.pid}/task")
    children = [pid for each in threads.glob("*/children") for pid in each.read_text().split()]
    assert children
    await asyncio.to_thread(running.stop, signal.SIGKILL)
    async with asyncio.timeout(LONG):
        while any(Path("/proc", pid).exists() for pid in children):
            await pause()


async def test_a_bot_holds_its_seat_at_once_and_answers_each_action(
    client: Client, service: Service
) -> None:
    created = await client.create_match(
        game="agog", bots={"black": "beginner"}, undo_policy=pb.UNDO_POLICY_CONSENT
    )
    match, white = created.match.match_id, created.tokens["white"]
    held = {seat.name: (seat.player, seat.bot) for seat in created.match.seats}
    assert held == {"white": ("", ""), "black": ("Bot (beginner)", "beginner")}
    assert "black" not in created.tokens
    answer = await client.submit(white, match, "a6-b6")
    version = answer.accepted.version
    assert await moved(client, white, match, "match.ActionTaken", version)
    # It lets its opponent take things back.
    consent = await client.undo(white, match, 2)
    assert consent.proposal.awaiting_seats == ["black"]
    await moved(client, white, match, "match.UndoAnswered", consent.version - 1)
    async with asyncio.timeout(LONG):
        while (await client.match(match)).prompts[0].seat != "white":
            await pause()
    assert service.figures()["bots.seats"] == 1


async def test_a_match_continues_after_a_restart_until_it_is_over(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        bots = {"white": "beginner", "black": "beginner"}
        created = await client.create_match(game="agog", bots=bots, visibility=pb.VISIBILITY_PUBLIC)
        match = created.match.match_id
        async with asyncio.timeout(LONG):
            async for watched in client.watch("", match):
                if watched.event.version > 8:
                    break
    async with Service(settings) as service, Client(service.address) as client:
        last = 0
        async with asyncio.timeout(LONG):
            async for watched in client.watch("", match, until_over=True):
                last = watched.event.version
        ended = await client.match(match, last)
        assert ended.HasField("result")
        async with asyncio.timeout(LONG):
            while service.figures()["bots.seats"]:  # noqa: ASYNC110  a figure wakes nobody
                await asyncio.sleep(0.02)


async def test_a_bot_answers_the_offer_of_a_draw(client: Client) -> None:
    created = await client.create_match(game="earthen-war", bots={"black": "beginner"})
    match, white = created.match.match_id, created.tokens["white"]
    offered = await client.create_proposal(white, match, draw={})
    async with asyncio.timeout(LONG):
        async for watched in client.watch(white, match, after_version=offered.accepted.version):
            assert (watched.event.kind, watched.event.seat) == ("match.DrawAnswered", "black")
            break


async def test_seats_and_levels_are_checked_before_anything_is_made(
    client: Client, service: Service
) -> None:
    del service
    for wrong in ({"green": "club"}, {"black": "grandmaster"}):
        assert await refusal(client.create_match(game="agog", bots=wrong)) == "FIELD_INVALID"
    own = pb.OwnSeat(seat="white", player="Ada")
    taken = client.create_match(game="agog", own_seat=own, bots={"white": "club"})
    assert await refusal(taken) == "FIELD_INVALID"
    await client.create_match(game="agog", bots={"black": "beginner"})
    both = {"white": "beginner", "black": "beginner"}
    assert await refusal(client.create_match(game="agog", bots=both)) == "BOTS_BUSY"


async def test_a_repeated_request_gives_the_same_match_with_the_same_bots(client: Client) -> None:
    request = "5d0c1a52-3b7c-4a55-9d0a-111111111111"
    first, second = [
        await client.create_match(game="agog", bots={"black": "beginner"}, request_id=request)
        for _ in range(2)
    ]
    assert first.match.match_id == second.match.match_id
    assert first.tokens == second.tokens
    assert [seat.bot for seat in second.match.seats] == ["", "beginner"]


async def test_a_bot_plays_again_when_its_opponent_asks_for_a_rematch(client: Client) -> None:
    own = pb.OwnSeat(seat="white", player="Ada")
    created = await client.create_match(game="agog", own_seat=own, bots={"black": "beginner"})
    first, white = created.match.match_id, created.tokens["white"]
    await client.submit_action(white, first, resignation=True)
    again = (await client.create_proposal(white, first, rematch={})).rematch_seat
    assert again.seat == "black"
    held = {
        seat.name: (seat.player, seat.bot) for seat in (await client.match(again.match_id)).seats
    }
    assert held == {"white": ("Bot (beginner)", "beginner"), "black": ("Ada", "")}
    # It has begun, and the bot has the first move.
    async with asyncio.timeout(LONG):
        while [prompt.seat for prompt in (await client.match(again.match_id)).prompts] != ["black"]:
            await pause()


async def test_there_is_no_rematch_with_a_bot_that_has_no_time(client: Client) -> None:
    own = pb.OwnSeat(seat="white", player="Ada")
    created = await client.create_match(game="agog", own_seat=own, bots={"black": "beginner"})
    first, white = created.match.match_id, created.tokens["white"]
    await client.submit_action(white, first, resignation=True)
    await client.create_match(game="tokars-arcana", bots={"north": "beginner", "south": "beginner"})
    assert await refusal(client.create_proposal(white, first, rematch={})) == "BOTS_BUSY"


async def test_where_there_are_no_bots_none_can_be_had(settings: Settings) -> None:
    none = Settings(data=settings.data, listen="127.0.0.1:0", bots="0")
    async with Service(none) as service, Client(service.address) as client:
        asked = client.create_match(game="agog", bots={"black": "club"})
        assert await refusal(asked) == "BOTS_DISABLED"
        assert not (await client.get_game(game="agog")).game.bot_levels
