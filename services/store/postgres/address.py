"""Where the log is, and how it is reached: a URI as libpq takes it, and the library's `POSTGRES_*`.

All of libpq's words may be in the URI (`sslmode`, several hosts, ...), and its own environment and
files (`PGPASSWORD`, `~/.pgpass`) fill in what is left out.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
import psycopg
from eventsourcing.utils import strtobool
from msgspec import Meta, Struct
from psycopg.conninfo import conninfo_to_dict

from services.store.errors import StoreUnknown

PREFIX: Final = "POSTGRES_"
PLACES: Final = {
    "POSTGRES_DBNAME": "dbname",
    "POSTGRES_HOST": "host",
    "POSTGRES_PORT": "port",
    "POSTGRES_USER": "user",
    "POSTGRES_PASSWORD": "password",
}
"""The library's settings that name the database, with libpq's words for them."""
Seconds = Annotated[float, Meta(ge=0, le=86_400)]


class Terms(Struct, frozen=True, kw_only=True):
    """How the log is used: the library's settings, by its names without `POSTGRES_`, and ours."""

    schema: Annotated[str, Meta(max_length=63)] = "public"
    pool_size: Annotated[int, Meta(ge=1, le=1000)] = 2
    """Connections that are kept open for reading and writing; another two listen and hold locks."""
    max_overflow: Annotated[int, Meta(ge=0, le=1000)] = 8
    """Further ones, while they are needed."""
    connect_timeout: Seconds = 5.0
    """How long a call waits for a connection."""
    conn_max_age: Seconds = 3600.0
    pre_ping: bool = False
    lock_timeout: Annotated[int, Meta(ge=0, le=3600)] = 5
    """Seconds to wait for another service's commit; 0 for ever."""
    statement_timeout: Annotated[int, Meta(ge=0, le=3600)] = 30
    """Seconds that one statement may take; 0 for ever."""
    idle_in_transaction_session_timeout: Annotated[int, Meta(ge=0, le=3600)] = 5
    """Seconds after which a transaction of a process that is stuck is rolled back, so that it holds
    the log no longer."""


class Address(Struct, frozen=True):
    """A database, and the terms on which it is used."""

    words: Mapping[str, Any]
    """What libpq is told."""
    terms: Terms

    @property
    def name(self) -> str:
        """The database as people may read it: without user and password."""
        host, port = self.words.get("host") or "", self.words.get("port") or ""
        host = "" if host.startswith("/") else host
        return f"postgresql://{host}{':' if port else ''}{port}/{self.words.get('dbname') or ''}"


def address(uri: str, environment: Mapping[str, str]) -> Address:
    """The address that a URI means in an environment. StoreUnknown if it makes no sense."""
    given = {word: environment[name] for name, word in PLACES.items() if environment.get(name)}
    try:
        given |= {word: str(value) for word, value in conninfo_to_dict(uri).items()}
    except psycopg.ProgrammingError:  # which may tell the password
        raise StoreUnknown("that is no URI of PostgreSQL") from None
    if not given.get("dbname") and not given.get("service"):
        raise StoreUnknown("the URI names no database, nor does POSTGRES_DBNAME")
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
    return Address(words, _terms(environment))


def _terms(environment: Mapping[str, str]) -> Terms:
    names = {f"{PREFIX}{field.upper()}": field for field in Terms.__struct_fields__}
    given = {field: environment[name] for name, field in names.items() if environment.get(name)}
    try:
        if "pre_ping" in given:
            given["pre_ping"] = str(strtobool(given["pre_ping"]))
        return msgspec.convert(given, Terms, strict=False)
    except ValueError as error:  # msgspec's, too
        raise StoreUnknown(f"a setting POSTGRES_* is wrong: {error}") from None
