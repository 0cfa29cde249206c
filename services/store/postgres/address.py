"""Where a log in PostgreSQL is: a URI as libpq takes it.

All of libpq's words may be in the URI (`sslmode`, several hosts, ...), and libpq's own environment
and files (`PGPASSWORD`, `~/.pgpass`) fill in what is left out.
"""

from collections.abc import Mapping
from typing import Any

import psycopg
from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict

from services.store.errors import StoreUnknown


class Address(Struct, frozen=True):
    """A database."""

    words: Mapping[str, Any]
    """What libpq is told."""

    @property
    def name(self) -> str:
        """The database as people may read it: without user and password."""
        host, port = self.words.get("host") or "", self.words.get("port") or ""
        host = "" if host.startswith("/") else host
        return f"postgresql://{host}{':' if port else ''}{port}/{self.words.get('dbname') or ''}"


def parse_address(uri: str) -> Address:
    """Return the address that a URI means. Raises StoreUnknown if it makes no sense."""
    try:
        given = {word: str(value) for word, value in conninfo_to_dict(uri).items()}
    except psycopg.ProgrammingError:  # which may tell the password
        raise StoreUnknown("that is no URI of PostgreSQL") from None
    if not given.get("dbname") and not given.get("service"):
        raise StoreUnknown("the URI names no database")
    # A standby may be behind: whatever decides is read where it is written. Of several hosts this
    # finds the one that can be written to.
    words = {
        "target_session_attrs": "read-write",
        "application_name": "emeth",
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
        "tcp_user_timeout": "10000",
    } | given
    return Address(words)
