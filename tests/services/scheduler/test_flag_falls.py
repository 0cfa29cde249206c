"""Clocks over the wire: running out, to 50 ms, also after a restart; races; what is shown."""

import asyncio
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from msgspec.structs import replace

from domain.match import CorrespondenceTime, TimeBudget
from services.client import Client, ServiceError
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.proof.match_file import FileVerifier
from services.runtime.settings import Settings
from services.scheduler.due_times import DueTimes
from services.wire.emeth.v1 import conditional_moves_pb2, play_pb2
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import CreatedMatch, create_match, match_state, refusal
from tests.services.devices.test_connection_failures import KilledService

EXACT_MS = 50
MINUTE = timedelta(minutes=1)


def side(ms: int, **bonus: Any) -> pb.TimeControl:
    return time_control_message(TimeBudget(ms, **bonus))


def budget(initial_time: timedelta, **bonus: Any) -> pb.TimeControl:
    return pb.TimeControl(budget=pb.TimeBudget(initial_time=initial_time, **bonus))


def moves(time: timedelta) -> pb.TimeControl:
    return pb.TimeControl(move_time=pb.MoveTime(time_per_move=time))


def by_letter(time: timedelta) -> pb.TimeControl:
    return pb.TimeControl(correspondence=pb.CorrespondenceTime(time_per_move=time))


async def history(client: Client, match: CreatedMatch) -> list[Any]:
    await match_state(client, match)
    return await client.list_events(match.tokens["referee"], match.id)


async def ended(client: Client, match: CreatedMatch, seconds: float = 5) -> pb.Match:
    async with asyncio.timeout(seconds):
        async for news in client.watch(match.tokens["white"], match.id, until_over=True):
            found = news
    assert found.view.HasField("result")
    return await match_state(client, match)


def ms_between(first: Any, second: Any) -> float:
    return (second.ToDatetime() - first.ToDatetime()).total_seconds() * 1_000


async def test_a_clock_runs_out_automatically_and_on_time(client: Client) -> None:
    match = await create_match(client, time_control=side(1_000))
    over = await ended(client, match)
    assert (over.result.reason, [*over.result.winners]) == ("time", ["black"])
    assert over.caption == "Black has won: White ran out of time"
    created, flag = await history(client, match)
    assert (flag.kind, flag.seat) == ("match.TimeRanOut", "white")
    assert flag.sentence == "White runs out of time."
    assert 1_000 - 1 <= ms_between(created.create_time, flag.create_time) <= 1_000 + EXACT_MS
    assert await refusal(client.submit(match.tokens["white"], match.id, "a6-b6")) == "MATCH_OVER"
    verified = await client.verify_match(match.tokens["referee"], match.id)
    assert verified.sound, verified.findings


async def test_what_is_left_is_shown_to_everybody_who_looks(client: Client) -> None:
    match = await create_match(
        client,
        time_control=side(60_000, increment_ms=2_000),
        seat_time_controls={"black": side(9_000)},
    )
    shown = await match_state(client, match)
    assert shown.time_control == side(60_000, increment_ms=2_000)
    assert dict(shown.seat_time_controls) == {"black": side(9_000)}
    await asyncio.sleep(0.05)
    later = await match_state(client, match)
    white, black = later.clocks.seats
    assert (white.seat, white.running, black.seat, black.running) == ("white", True, "black", False)
    assert 55_000 < white.remaining_time.ToMilliseconds() <= 60_000 - 50
    assert black.remaining_time.ToMilliseconds() == 9_000
    assert later.clocks.read_time.ToDatetime(UTC) <= datetime.now(UTC)
    await client.submit(match.tokens["white"], match.id, "a6-b6")
    watched = client.watch(match.tokens["spectator"], match.id, after_version=1)
    news = await anext(watched)
    assert news.view.clocks.read_time == news.event.create_time
    assert [each.running for each in news.view.clocks.seats] == [False, True]
    assert news.view.clocks.seats[0].remaining_time.ToMilliseconds() > 60_000
    scene = await client.view(match.tokens["black"], match.id, "text", version=1)
    assert scene.clocks.seats[0].remaining_time.ToMilliseconds() == 60_000
    now = await client.view(match.tokens["black"], match.id, "text")
    assert now.clocks.seats[1].remaining_time.ToMilliseconds() <= 9_000


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        (pb.TimeControl(), "kind"),
        (side(0), "budget.initial_time"),
        (side(100 * 366 * 86_400_000), "budget.initial_time"),
        (side(60_000, increment_ms=3_600_001), "budget.increment"),
        (side(60_000, increment_ms=1, delay_ms=1), "budget.delay"),
        (budget(MINUTE, delay=timedelta(seconds=1), delay_mode=7), "budget.delay_mode"),
        (budget(-MINUTE), "budget.initial_time"),
        (budget(MINUTE + timedelta(microseconds=1)), "budget.initial_time"),
        (moves(timedelta(milliseconds=999)), "move_time.time_per_move"),
        (by_letter(timedelta(0)), "correspondence.time_per_move"),
        (by_letter(timedelta(days=1.5)), "correspondence.time_per_move"),
        (by_letter(timedelta(days=36_525)), "correspondence.time_per_move"),
    ],
)
async def test_a_clock_out_of_its_bounds_is_refused(
    client: Client, clock: pb.TimeControl, field: str
) -> None:
    with pytest.raises(ServiceError) as refused:
        await create_match(client, time_control=clock)
    assert refused.value.reason == "FIELD_INVALID"
    assert f"time_control.{field}" in refused.value.violations
    with pytest.raises(ServiceError) as refused:
        await create_match(client, seat_time_controls={"green": side(1_000)})
    assert "seat_time_controls[green]" in refused.value.violations


async def test_the_same_request_with_another_clock_is_another_request(client: Client) -> None:
    name = "8f14e45f-ceea-4674-a0b6-3c5b0a5a7b11"
    await client.create_match(game="agog", request_id=name, time_control=side(60_000))
    await client.create_match(game="agog", request_id=name, time_control=side(60_000))
    other = client.create_match(game="agog", request_id=name, time_control=side(61_000))
    assert await refusal(other) == "REQUEST_ID_REUSED"


async def test_of_an_action_and_the_flag_the_first_stands(client: Client) -> None:
    """Many matches whose players act within a few milliseconds of their flags, before and after."""

    async def race(number: int) -> None:
        match = await create_match(client, time_control=side(1_000))
        began = (await client.match(match.id)).create_time.ToDatetime(UTC)
        wait = 1.0 + (number - 10) * 0.003 - (datetime.now(UTC) - began).total_seconds()
        await asyncio.sleep(max(0.0, wait))
        try:
            answer = await client.submit(match.tokens["white"], match.id, "a6-b6")
            acted = answer.HasField("accepted")
        except ServiceError as error:
            acted = error.reason != "MATCH_OVER"
        _, second, *_ = events = await history(client, match)
        assert second.kind == ("match.ActionTaken" if acted else "match.TimeRanOut")
        in_time = ms_between(events[0].create_time, second.create_time) < 1_000
        assert acted == in_time or not acted
        verified = await client.verify_match(match.tokens["referee"], match.id)
        assert verified.sound, verified.findings

    await asyncio.gather(*map(race, range(20)))


async def test_nobody_escapes_the_flag_by_asking_for_something_else(
    client: Client, service: Service
) -> None:
    await service._flag_falls.stop()  # as if its task were late
    match = await create_match(client, time_control=side(1_000), pause_on_dispute=True)
    await asyncio.sleep(1.05)
    await client.create_dispute(match.tokens["white"], match.id, 1, "wait")
    kinds = [event.kind for event in await history(client, match)]
    assert kinds == ["match.MatchCreated", "match.TimeRanOut", "match.DisputeRaised"]


async def test_a_restart_costs_nobody_time_but_by_correspondence(settings: Settings) -> None:
    away = 1.0
    async with Service(settings) as service, Client(service.address) as client:
        match = await create_match(client, time_control=side(2_000))
        letters = await create_match(
            client, time_control=time_control_message(CorrespondenceTime(2))
        )
        await asyncio.sleep(0.5)
    stopped = datetime.now(UTC)
    await asyncio.sleep(away)
    async with Service(settings) as service, Client(service.address) as client:
        over = await ended(client, match)
        created, held, flag = await history(client, match)
        assert held.kind == "match.ClocksHeld"
        gone = ms_between(created.create_time, flag.create_time) - 2_000
        since = datetime.fromisoformat(held.details["since"])
        assert abs((since - stopped).total_seconds()) < 1.0
        lost = (held.create_time.ToDatetime(UTC) - since).total_seconds() * 1_000
        assert away * 1_000 <= lost
        assert -1 <= gone - lost <= EXACT_MS
        assert over.result.reason == "time"
        days = (await match_state(client, letters)).clocks.seats[0].remaining_time.ToMilliseconds()
        assert days <= 2 * 86_400_000 - 1_500
        assert [event.kind for event in await history(client, letters)] == ["match.MatchCreated"]
        verified = await client.verify_match(match.tokens["referee"], match.id)
        assert verified.sound, verified.findings


async def test_after_a_restart_the_first_command_comes_after_what_the_time_has_brought(
    settings: Settings,
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await create_match(client, time_control=side(1_000))
    (Path(settings.data) / "alive").unlink()  # as in a backup: then nothing since is counted
    await asyncio.sleep(1.1)
    async with Service(settings) as service, Client(service.address) as client:
        answer = await client.submit(match.tokens["white"], match.id, "a6-b6")
        assert answer.HasField("accepted")
        kinds = [event.kind for event in await history(client, match)]
        assert kinds == ["match.MatchCreated", "match.ClocksHeld", "match.ActionTaken"]


async def test_a_request_that_comes_again_after_a_flag_gets_its_first_answer(
    client: Client,
) -> None:
    match = await create_match(client, time_control=side(1_000))
    name = "8f14e45f-ceea-4674-a0b6-3c5b0a5a7b12"
    first = await client.submit(match.tokens["white"], match.id, "a6-b6", request_id=name)
    await ended(client, match)
    again = await client.submit(match.tokens["white"], match.id, "a6-b6", request_id=name)
    assert again.accepted.version == first.accepted.version == 2
    assert isinstance(again, play_pb2.SubmitActionResponse)


async def test_an_exported_match_with_clocks_verifies(client: Client, service: Service) -> None:
    match = await create_match(client, time_control=side(1_000))
    await ended(client, match)
    pieces = [piece.data async for piece in client.export_match(match.tokens["referee"], match.id)]
    raw = b"".join(pieces)
    assert b"match.TimeRanOut" in raw
    text = await client.transcript(match.tokens["referee"], match.id)
    assert '[Clock "white 1s, black 1s"]' in text.text
    assert "1. white (runs out of time)\n\nblack:time\n" in text.text
    again = await client.import_transcript(transcript=text.text)
    assert again.match.result.score == "0-1"
    checking = FileVerifier(BytesIO(raw))
    for _ in checking.steps():
        pass
    assert checking.verified.report.sound, checking.verified.report.findings


async def test_nobody_loses_time_while_a_match_moves_to_another_service(
    client: Client, service: Service, settings: Settings, tmp_path: Path
) -> None:
    raw = b"match.TimeRanOut"
    while b"match.TimeRanOut" in raw:  # exporting may take a busy machine longer than the clock has
        match = await create_match(client, time_control=side(1_000))
        whole = client.export_match(match.tokens["referee"], match.id)
        raw = b"".join([piece.data async for piece in whole])
    await asyncio.sleep(1.2)
    elsewhere = replace(settings, data=str(tmp_path / "elsewhere"))
    async with Service(elsewhere) as other, Client(other.address) as there:
        for _ in range(2):
            await there.import_file(other.admin_key, raw)
        kinds = [event.kind for event in await history(there, match)]
        assert kinds[:2] == ["match.MatchCreated", "match.ClocksHeld"]
        assert (await ended(there, match)).result.reason == "time"


async def test_a_fork_has_all_the_time(client: Client) -> None:
    match = await create_match(client, time_control=side(60_000))
    fork = (await client.fork_match(match.tokens["referee"], match.id)).match
    assert not fork.HasField("time_control")
    assert not fork.HasField("clocks")


async def test_a_flag_fall_without_a_due_time_is_found(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after the death of another service on the same log."""
    monkeypatch.setattr("services.scheduler.flag_falls.SCAN_SECONDS", 0.2)
    async with Service(settings) as service, Client(service.address) as client:
        match = await create_match(client, time_control=side(1_000))
        service._flag_falls._due = DueTimes()
        assert (await ended(client, match)).result.reason == "time"


async def test_services_on_one_log_record_a_flag_once_whichever_dies(
    settings: Settings, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.scheduler.flag_falls.SCAN_SECONDS", 0.3)
    keys = {"secret": token_hex(32), "signing_key": token_hex(32)}
    shared = replace(settings, store=database, **keys)
    one, other = (replace(shared, data=str(tmp_path / name)) for name in "ab")
    async with Service(other) as survivor, Client(survivor.address) as there:
        async with Service(one) as mortal, Client(mortal.address) as here:
            matches = [await create_match(here, time_control=side(1_500)) for _ in range(3)]
            (planned, *_) = matches
            node = conditional_moves_pb2.ConditionalMove(responses=["h3-g3"])
            await here.set_conditional_moves(planned.tokens["black"], planned.id, moves=[node])
            await there.submit(planned.tokens["white"], planned.id, "a6-b6")
            async with asyncio.timeout(30):
                while (await match_state(here, planned)).version < 3:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        for match in matches:
            assert (await ended(there, match)).result.reason == "time"
            kinds = [event.kind for event in await history(there, match)]
            assert kinds.count("match.TimeRanOut") == 1
            assert "match.ClocksHeld" not in kinds


async def test_a_service_that_is_killed_costs_nobody_time(tmp_path: Path) -> None:
    killed = KilledService(tmp_path)
    await asyncio.to_thread(killed.start)
    async with Client(killed.address) as client:
        match = await create_match(client, time_control=side(3_000))
        await asyncio.sleep(0.5)
        killed.kill()
        gone = datetime.now(UTC)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(killed.start)
        await ended(client, match, 10)
        created, held, flag = await history(client, match)
    killed.kill()
    since = datetime.fromisoformat(held.details["since"])
    assert 0 <= (gone - since).total_seconds() < 0.4  # a tenth of a second, on an idle machine
    away = (held.create_time.ToDatetime(UTC) - since).total_seconds() * 1_000
    assert away > 500
    assert abs(ms_between(created.create_time, flag.create_time) - away - 3_000) <= 2
