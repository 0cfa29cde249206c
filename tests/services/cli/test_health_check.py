"""A container asks the service in it whether it is alive, by the settings that both have."""

import asyncio
import os
import sys

from services.cli import health_check
from services.main import Service
from services.runtime.settings import Settings
from services.transport.ports import DEFAULT_HTTP


async def asked(**settings: str) -> tuple[int | None, bytes]:
    """The exit code of the health check with these settings, and what it says of faults."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("EMETH_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli.health_check"),
        env={**others, **settings},
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    return process.returncode, said


async def test_a_service_that_answers_is_alive(service: Service) -> None:
    assert await asked(EMETH_HTTP=service.http_address.removeprefix("http://")) == (0, b"")
    assert await asked(EMETH_HTTP="no", EMETH_LISTEN=service.address) == (0, b"")


async def test_a_service_that_is_gone_is_not_alive(settings: Settings) -> None:
    async with Service(settings) as service:
        http, listen = service.http_address.removeprefix("http://"), service.address
    assert await asked(EMETH_HTTP=http) == (1, b"")
    assert await asked(EMETH_HTTP="no", EMETH_LISTEN=listen) == (1, b"")


def test_without_settings_it_asks_where_the_service_usually_is() -> None:
    assert health_check.DEFAULT_HTTP == DEFAULT_HTTP
    assert Settings().listen == health_check.DEFAULT_LISTEN
