"""The address of a log in PostgreSQL: a URI in libpq's form.

The URI may contain all of libpq's parameters (`sslmode`, several hosts, ...). Libpq's environment
and files (`PGPASSWORD`, `~/.pgpass`) supply what is missing.
"""

from collections.abc import Mapping
from typing import Any

import psycopg
from msgspec import Struct
from psycopg.conninfo import conninfo_to_dict

from services.store.errors import StoreUnknown


class Address(Struct, frozen=True):
    """The address of a database."""

    words: Mapping[str, Any]
    """Connection parameters for libpq."""

    @property
    def name(self) -> str:
        """Return the database for people, without user and password."""
        host, port = self.words.get("host") or "", self.words.get("port") or ""
        host = "" if host.startswith("/") else host
        return f"postgresql://{host}{':' if port else ''}{port}/{self.words.get('dbname') or ''}"


def parse_address(uri: str) -> Address:
    """Return the address that a URI denotes. Raises StoreUnknown if it is invalid."""
    try:
        given = {word: str(value) for word, value in conninfo_to_dict(uri).items()}
    except psycopg.ProgrammingError:  # whose text may contain the password
        raise StoreUnknown("that is not a PostgreSQL URI") from None
    if not given.get("dbname") and not given.get("service"):
        raise StoreUnknown("the URI names no database")
    # A standby may lag, so the log is read from the primary. Of several hosts libpq selects the
    # writable one.
    words = {
        "target_session_attrs": "read-write",
        "application_name": "emeth",
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
        "tcp_user_timeout": "10000",
    } | given
    return Address(words)
