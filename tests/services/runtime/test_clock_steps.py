"""The machine's clock is set while matches run: no time runs backwards, and nobody loses any."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from domain.match import CorrespondenceTime
from services.client import Client
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.runtime.clock import NANOSECONDS_PER_SECOND, Clock, use_clock
from services.runtime.settings import Settings
from tests.services.conftest import OPENING, CreatedMatch, create_match, match_state, refusal
from tests.services.scheduler.test_flag_falls import history, side
from tests.services.test_replicas import settings_of

HOUR = 3_600
NOON = int(datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp())
PATIENCE_SECONDS = 30


class Hands:
    """The clocks of a machine, moved by hand."""

    def __init__(self) -> None:
        self.wall = NOON * NANOSECONDS_PER_SECOND
        self.steady = 0
        self.clock = Clock(lambda: self.wall, lambda: self.steady)

    def go_on(self, seconds: float) -> None:
        self.wall += round(seconds * NANOSECONDS_PER_SECOND)
        self.steady += round(seconds * NANOSECONDS_PER_SECOND)

    def set(self, seconds: float) -> None:
        """Set the machine's clock forward or back."""
        self.wall += round(seconds * NANOSECONDS_PER_SECOND)

    def read(self) -> float:
        """Seconds after noon."""
        return self.clock.now().timestamp() - NOON


@pytest.fixture
def hands() -> Iterator[Hands]:
    hands = Hands()
    with use_clock(hands.clock):
        yield hands


@pytest.fixture
async def client(hands: Hands, settings: Settings) -> AsyncIterator[Client]:
    async with Service(settings) as service, Client(service.address) as connected:
        yield connected


async def act(client: Client, match: CreatedMatch, number: int) -> None:
    seat, action = OPENING[number]
    answer = await client.submit(match.tokens[seat], match.id, action)
    assert answer.HasField("accepted"), answer


def test_a_clock_that_is_trimmed_is_followed_and_one_that_is_set_is_not(hands: Hands) -> None:
    hands.go_on(10)
    hands.set(0.1)
    assert hands.read() == pytest.approx(10.1)
    with capture_logs() as logs:
        hands.set(-HOUR)
        assert hands.read() == pytest.approx(10.1)
        hands.go_on(100)
        assert hands.read() == pytest.approx(108.1)  # a fiftieth slower, until it has caught up
        hands.set(HOUR + 0.2)
        assert hands.read() == pytest.approx(110.3)
    assert [each["event"] for each in logs] == [
        "clock_set_back",
        "clock_caught_up",
        "clock_set_forward",
    ]
    with hands.clock.listening(lambda *step: steps.append(step)):
        steps: list[tuple[datetime, datetime]] = []
        hands.set(HOUR)
        hands.read()
        hands.read()
    ((since, until),) = steps
    assert until - since == timedelta(hours=1)


async def test_a_step_forward_costs_nobody_time_but_by_correspondence(
    hands: Hands, client: Client
) -> None:
    match = await create_match(client, time_control=side(60_000))
    letters = await create_match(client, time_control=time_control_message(CorrespondenceTime(2)))
    quick = await create_match(client, time_control=side(60_000))
    hands.go_on(10)
    hands.set(HOUR)
    await act(client, quick, 0)  # at once, before anybody has noticed
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await match_state(client, match)).version < 2:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0.02)
    hands.go_on(5)
    white, _ = (await match_state(client, match)).clocks.seats
    assert white.remaining_time.ToMilliseconds() == 45_000
    white, _ = (await match_state(client, quick)).clocks.seats
    assert white.remaining_time.ToMilliseconds() == 50_000
    assert [each.kind for each in await history(client, quick)][1:] == [
        "match.ClocksHeld",
        "match.ActionTaken",
    ]
    white, _ = (await match_state(client, letters)).clocks.seats
    assert white.remaining_time.ToMilliseconds() == 2 * 86_400_000 - (HOUR + 15) * 1_000
    verified = await client.verify_match(match.tokens["referee"], match.id)
    assert verified.sound, verified.findings


async def test_after_a_step_back_clocks_run_and_times_continue(
    hands: Hands, client: Client
) -> None:
    match = await create_match(client, time_control=side(60_000))
    untimed = await create_match(client)
    hands.go_on(10)
    await act(client, match, 0)
    await act(client, untimed, 0)
    hands.set(-HOUR)
    for number in (1, 2, 3):
        hands.go_on(10)
        await act(client, match, number)
        await act(client, untimed, number)
    for each in (match, untimed):
        times = [event.create_time.ToDatetime(UTC) for event in await history(client, each)]
        assert times == sorted(times)
        spectator = each.tokens["spectator"]
        for version, time in enumerate(times, 1):
            assert (await client.view(spectator, each.id, time=time)).version == version
    white, black = (await match_state(client, match)).clocks.seats
    assert white.remaining_time.ToMilliseconds() == pytest.approx(40_000, abs=500)
    assert black.remaining_time.ToMilliseconds() == pytest.approx(40_000, abs=500)
    hands.go_on(45)
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for news in client.watch(match.tokens["white"], match.id, until_over=True):
            last = news
    assert last.view.result.reason == "time"


async def test_a_service_that_starts_with_a_clock_set_back_continues_from_its_log(
    settings: Settings,
) -> None:
    before, after = Hands(), Hands()
    with use_clock(before.clock):
        async with Service(settings) as service, Client(service.address) as client:
            match = await create_match(client, time_control=side(60_000))
            before.go_on(10)
            await act(client, match, 0)
    after.set(-HOUR)
    after.clock.now()
    with use_clock(Clock(lambda: after.wall, lambda: after.steady)):
        async with Service(settings) as service, Client(service.address) as client:
            after.go_on(10)
            await act(client, match, 1)
            times = [event.create_time.ToDatetime(UTC) for event in await history(client, match)]
            assert times == sorted(times)
            white, black = (await match_state(client, match)).clocks.seats
            assert (
                white.remaining_time.ToMilliseconds(),
                round(black.remaining_time.ToMilliseconds(), -3),
            ) == (50_000, 50_000)


@pytest.mark.parametrize("timed", [False, True])
async def test_services_whose_clocks_differ_record_no_time_before_another(
    tmp_path: Path, database: str, timed: bool
) -> None:
    terms = {"time_control": side(60_000)} if timed else {}
    hands = ahead, behind = Hands(), Hands()
    async with AsyncExitStack() as stack:
        clients: list[Client] = []
        for number, each in enumerate(hands):
            with use_clock(each.clock):
                settings = settings_of(tmp_path / f"data-{number}", database)
                service = await stack.enter_async_context(Service(settings))
                clients.append(await stack.enter_async_context(Client(service.address)))
        ahead.set(HOUR)
        with use_clock(ahead.clock):
            match = await create_match(clients[0], **terms)
        for number, (client, each) in enumerate(zip(clients * 2, hands * 2, strict=True)):
            with use_clock(each.clock):
                ahead.go_on(1)
                behind.go_on(1)
                await act(client, match, number)
        with use_clock(behind.clock):
            times = [
                event.create_time.ToDatetime(UTC) for event in await history(clients[1], match)
            ]
            assert times == sorted(times)
            assert times[-1] - behind.clock.now() > timedelta(minutes=59)
            verified = await clients[1].verify_match(match.tokens["referee"], match.id)
            assert verified.sound, verified.findings


async def test_where_times_ran_backwards_a_version_is_found_by_the_latest_time_until_then(
    settings: Settings,
) -> None:
    before, after = Hands(), Hands()
    with use_clock(before.clock):
        async with Service(settings) as service, Client(service.address) as client:
            match = await create_match(client)
            before.go_on(10)
            await act(client, match, 0)
    after.set(-72 * HOUR)  # more than a log that is ahead is believed
    with use_clock(Clock(lambda: after.wall, lambda: after.steady)), capture_logs() as logs:
        async with Service(settings) as service, Client(service.address) as client:
            await act(client, match, 1)
            first, second, third = [
                each.create_time.ToDatetime(UTC) for each in await history(client, match)
            ]
            assert third < first < second
            spectator = match.tokens["spectator"]
            for time, version in ((first, 1), (second, 3), (second + timedelta(hours=1), 3)):
                found = await client.view(spectator, match.id, time=time)
                assert found.version == version
            early = client.view(spectator, match.id, time=third)
            assert await refusal(early) == "VERSION_OUT_OF_RANGE"
    assert "log_is_ahead" in [each["event"] for each in logs]


def test_what_is_recorded_goes_by_the_clock_of_the_service() -> None:
    """Only these ask the machine: what others gave has its end by their clocks, a doctor compares
    the two, and the date of a backup is for people."""
    services = Path(__file__).parents[3] / "services"
    asking = {
        str(path.relative_to(services))
        for path in services.rglob("*.py")
        if "datetime.now(" in path.read_text()
    }
    doctors = {"store/doctor/checks.py", "store/doctor/database.py"}
    assert asking == {"accounts/authentication.py", "store/backup.py"} | doctors
