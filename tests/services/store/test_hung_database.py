"""Shutdown of a service whose database does not answer any more."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from services.client import Client
from tests.postgres import Databases
from tests.services.conftest import create_match

SERVE = """
import sys
from pathlib import Path
from services.cli import process as running
from services.runtime.settings import load_settings

running.CLOSING_SECONDS = 1.0
store, data, ready = sys.argv[1:]
given = {"store": store, "data": data, "listen": "127.0.0.1:0", "http": "no", "drain_seconds": 1}
sys.exit(running.run(load_settings(**given), Path(ready)))
"""


class Relay:
    """A TCP port in front of a PostgreSQL server, which can stop to hand anything on."""

    def __init__(self, uri: str) -> None:
        found = conninfo_to_dict(uri)
        self._socket = f"{found['host']}/.s.PGSQL.{found.get('port', 5432)}"
        self._user, self._name = found["user"], found["dbname"]
        self._relays: set[asyncio.Task[None]] = set()
        self.answers = asyncio.Event()
        self.answers.set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """Listen, and yield the URI of the database."""
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            yield f"postgresql://{self._user}@127.0.0.1:{port}/{self._name}"
        finally:
            server.close()
            for relay in self._relays:
                relay.cancel()
            await asyncio.gather(*self._relays, return_exceptions=True)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        relay = asyncio.current_task()
        assert relay is not None
        self._relays.add(relay)
        there, back = await asyncio.open_unix_connection(self._socket)
        try:
            with suppress(ConnectionError, asyncio.CancelledError):
                async with asyncio.TaskGroup() as pumps:
                    pumps.create_task(self._pump(reader, back))
                    pumps.create_task(self._pump(there, writer))
        finally:
            for each in (writer, back):
                each.close()
                with suppress(ConnectionError):
                    await each.wait_closed()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            await self.answers.wait()
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


async def test_a_service_ends_in_its_time_though_its_database_hangs(
    postgres: Databases, tmp_path: Path
) -> None:
    relay = Relay(postgres.make())
    async with relay.listening() as uri:
        ready = tmp_path / "ready"
        words = (uri, str(tmp_path / "data"), str(ready))
        service = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVE, *words)
        async with asyncio.timeout(60):
            while not (ready.exists() and ready.read_text()):  # noqa: ASYNC110  it has no event
                await asyncio.sleep(0.05)
        async with Client(ready.read_text()) as client:
            match = await create_match(client)
            relay.answers.clear()
            acting = asyncio.create_task(client.submit(match.tokens["white"], match.id, "a6-b6"))
            await asyncio.sleep(0)
            service.send_signal(signal.SIGTERM)
            async with asyncio.timeout(60):
                assert await service.wait() == 3
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
