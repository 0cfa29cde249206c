"""Health checks and `/ready` say whether events can be recorded and whether the read models are
complete."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Literal

import psycopg
import pytest
import structlog
from eventsourcing.persistence import OperationalError
from grpc import aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from pyqwest import Client as Http

from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.store.errors import LogUnavailable
from services.transport import health
from tests.services.conftest import Table, create_match, match_state


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "CHECK_SECONDS", 0.02)
    monkeypatch.setattr(health, "PROBE_SECONDS", 0.05)
    monkeypatch.setattr(health, "HANGING_SECONDS", 0.5)


class Checks:
    """Asks a service for its health, in all ways."""

    def __init__(self, service: Service, channel: aio.Channel) -> None:
        self._address = service.http_address
        self._check: Any = HealthStub(channel).Check  # type: ignore[no-untyped-call]

    async def serves(self, name: str) -> bool:
        """Ask the gRPC health service."""
        name = f"emeth.v1.{name}" if name.endswith("Service") else name
        answer = await self._check(HealthCheckRequest(service=name))
        return bool(answer.status == HealthCheckResponse.SERVING)

    async def become(self, **expected: bool) -> None:
        """Wait until all of these say so; the empty name is `overall`."""
        async with asyncio.timeout(30):
            for name, due in expected.items():
                while await self.serves("" if name == "overall" else name) is not due:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    async def ready(self) -> tuple[int, dict[str, bool | None]]:
        """Ask `/ready`."""
        found = await Http().get(f"{self._address}/ready")
        return found.status, json.loads(found.content)

    async def alive(self) -> int:
        """Ask `/healthz`."""
        return (await Http().get(f"{self._address}/healthz")).status


@pytest.fixture
async def checks(service: Service) -> AsyncIterator[Checks]:
    async with aio.insecure_channel(service.address) as channel:
        yield Checks(service, channel)


@pytest.fixture
def replace_commit(service: Service, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Has another function commit in place of the recorder's; returns the recorder's."""

    def replace(other: Callable[..., Any]) -> Callable[..., Any]:
        commit: Callable[..., Any] = service._log.recorder.insert_events
        monkeypatch.setattr(service._log.recorder, "insert_events", other)
        return commit

    return replace


async def test_a_service_that_can_do_everything_is_ready(checks: Checks) -> None:
    await checks.become(
        overall=True, readiness=True, liveness=True, PlayService=True, ViewsService=True
    )
    assert await checks.ready() == (200, {"ready": True, "writes": True, "reads": True})


async def test_nothing_that_writes_serves_while_a_commit_hangs(
    service: Service, client: Client, table: Table, checks: Checks, replace_commit: Any
) -> None:
    goes_on = threading.Event()

    def hang(*given: Any, **terms: Any) -> Any:
        goes_on.wait(60)
        return commit(*given, **terms)

    commit = replace_commit(hang)
    with structlog.testing.capture_logs() as logs:
        submitting = asyncio.create_task(client.submit(table.white, table.id, "a6-b6"))
        await checks.become(PlayService=False, MatchesService=False, overall=False, readiness=False)
        assert await checks.serves("liveness")
        assert await checks.serves("ViewsService"), "who only reads goes on"
        assert await checks.ready() == (503, {"ready": False, "writes": False, "reads": True})
        assert await checks.alive() == 200, "a restart would not help"
        goes_on.set()
        assert (await submitting).HasField("accepted")
        await checks.become(PlayService=True, overall=True)
    reports = [each for each in logs if each["event"].startswith("log_")]
    assert [each["event"] for each in reports] == ["log_not_writable", "log_writable_again"]
    assert "has not answered for" in reports[0]["why"]


async def test_nothing_that_writes_serves_after_a_commit_failed_until_the_disk_takes_writes_again(
    service: Service,
    client: Client,
    table: Table,
    checks: Checks,
    replace_commit: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*given: Any, **terms: Any) -> Any:
        raise OperationalError("the disk is full")

    heartbeat = service._log._log.heartbeat
    commit = replace_commit(fail)
    monkeypatch.setattr(service._log, "heartbeat", fail_as_store)
    with pytest.raises(ServiceError):
        await client.submit(table.white, table.id, "a6-b6")
    await checks.become(PlayService=False, overall=False)
    assert service._log.stats().failures.total()
    replace_commit(commit)
    monkeypatch.setattr(service._log, "heartbeat", heartbeat)
    await checks.become(PlayService=True, overall=True)  # although nobody has called meanwhile
    assert (await client.submit(table.white, table.id, "a6-b6")).HasField("accepted")


def fail_as_store() -> None:
    raise LogUnavailable("the disk is full")


async def test_what_reads_does_not_serve_while_the_read_models_are_rebuilt(
    service: Service, client: Client, table: Table, checks: Checks
) -> None:
    follower: Any = service._runner
    follower._damage = "as if a page was damaged"
    await checks.become(ViewsService=False, MatchesService=False, readiness=False, overall=False)
    assert await checks.serves("PlayService"), "play goes on"
    assert await checks.serves("liveness")
    assert await checks.ready() == (503, {"ready": False, "writes": True, "reads": False})
    follower._damage = ""
    await checks.become(ViewsService=True, overall=True)


async def test_neither_metrics_nor_errors_ask_a_database_that_hangs(
    service: Service, client: Client, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked in the event loop would hold up every call."""
    match = await create_match(client)
    await match_state(client, match)  # the read models have it
    loop_thread, ask = threading.get_ident(), service._log.recorder.max_notification_id

    def hang() -> int | None:
        assert threading.get_ident() != loop_thread
        return ask()

    monkeypatch.setattr(service._log.recorder, "max_notification_id", hang)
    assert (await Http().get(f"{service.http_address}/metrics")).status == 200
    assert service.figures()["reads.behind"] == 0
    follower: Any = service._runner
    follower._damage = "as if a page was damaged"
    monkeypatch.setattr("services.store.read_models.PATIENCE_SECONDS", 0.01)
    with pytest.raises(ServiceError, match="are being rebuilt"):
        await client.match(match.id)
    follower._damage = ""


@pytest.mark.parametrize("role", ["play", "read"])
async def test_a_database_that_hangs_shows_though_nobody_calls(
    tmp_path: Path, database: str, role: Literal["play", "read"]
) -> None:
    settings = Settings(
        data=str(tmp_path / role), store=database, listen="127.0.0.1:0", role=role, drain_seconds=1
    )
    async with Service(settings) as service, aio.insecure_channel(service.address) as channel:
        checks = Checks(service, channel)
        writing = "PlayService" if role == "play" else "MatchesService"
        await checks.become(**{writing: True, "overall": True})
        with psycopg.connect(database) as other:
            other.execute("LOCK TABLE emeth_log IN ACCESS EXCLUSIVE MODE")
            await checks.become(**{writing: False})
            # Who only reads can answer from its read models, and stays ready.
            assert await checks.serves("readiness") is (role == "read")
            other.rollback()
        await checks.become(**{writing: True, "overall": True})
