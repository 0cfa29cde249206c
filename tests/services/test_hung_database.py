"""A service whose database does not answer any more, and that is told to stop."""

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Self

from psycopg.conninfo import conninfo_to_dict

from services.client import Client
from tests.postgres import Databases
from tests.services.conftest import begun

SERVE = """
import sys
from pathlib import Path
from typing import Self
from services import running
from services.settings import load

running.CLOSING_SECONDS = 1.0
store, data, ready = sys.argv[1:]
given = {"store": store, "data": data, "listen": "127.0.0.1:0", "http": "no", "drain_seconds": 1}
sys.exit(running.run(load(**given), Path(ready)))
"""


class Relay:
    """A TCP port in front of a PostgreSQL server, which can stop to hand anything on."""

    def __init__(self, uri: str) -> None:
        found = conninfo_to_dict(uri)
        self._socket = f"{found['host']}/.s.PGSQL.{found.get('port', 5432)}"
        self._user, self._name = found["user"], found["dbname"]
        self.answers = asyncio.Event()
        self.answers.set()
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.answers.set()
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(
            *(each.wait_closed() for each in self._writers), return_exceptions=True
        )

    @property
    def uri(self) -> str:
        """The URI of the database behind the relay."""
        port = self._server.sockets[0].getsockname()[1]
        return f"postgresql://{self._user}@127.0.0.1:{port}/{self._name}"

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        self._writers += (writer, back)
        with suppress(ConnectionError, asyncio.CancelledError):
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            await self.answers.wait()
            writer.write(data)
            await writer.drain()


async def test_a_service_ends_in_its_time_though_its_database_hangs(
    postgres: Databases, tmp_path: Path
) -> None:
    async with Relay(postgres.make()) as relay:
        words = (relay.uri, str(tmp_path / "data"), str(tmp_path / "ready"))
        service = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVE, *words)
        ready = tmp_path / "ready"
        async with asyncio.timeout(60):
            while not (ready.exists() and ready.read_text()):  # noqa: ASYNC110  it has no event
                await asyncio.sleep(0.05)
        async with Client(ready.read_text()) as client:
            match = await begun(client)
            relay.answers.clear()
            acting = asyncio.create_task(client.submit(match.tokens["white"], match.id, "a6-b6"))
            await asyncio.sleep(0)
            service.send_signal(signal.SIGTERM)
            async with asyncio.timeout(60):
                assert await service.wait() == 3
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
