"""When anybody was last there: for what must not happen while no service was.

Each service notes every second that it is there. One that finds that nobody was there for a while
records from when to when, and all go by that record: so whoever starts when others are there
already takes nobody to have been away, and those who start together agree.
"""

from datetime import datetime, timedelta
from typing import Any, Final

import psycopg
from psycopg import Connection

from services.runtime.clock import utc_now
from services.store.faults import diagnose
from services.store.opened import Outage
from services.store.postgres.connections import Datastore
from services.store.postgres.format import fact, put_fact

ALIVE: Final = "last there"
OUTAGE: Final = "last outage"
GRACE: Final = timedelta(seconds=5)
"""A silence that is no outage: others may be slow to say that they are there."""


def arrive(datastore: Datastore) -> Outage:
    """A service is there from now on: the last outage, which may end with it. LogUnavailable if the
    database cannot be asked."""
    try:
        with datastore.connect() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth arrives', 0))")
            return _arrive(connection)
    except psycopg.Error as error:
        raise diagnose(error) from error


def beat(datastore: Datastore) -> None:
    """A service is there. LogUnavailable if the database cannot be told."""
    try:
        with datastore.get_connection() as connection:
            put_fact(connection, ALIVE, utc_now().isoformat())
    except Exception as error:
        raise diagnose(error) from error


def _arrive(connection: Connection[Any]) -> Outage:
    now = utc_now()
    last = _time(fact(connection, ALIVE))
    put_fact(connection, ALIVE, now.isoformat())
    if last is None or now - last > GRACE:
        put_fact(connection, OUTAGE, f"{(last or now).isoformat()} {now.isoformat()}")
        return Outage(last, now)
    since, _, until = (fact(connection, OUTAGE) or "").partition(" ")
    return Outage(_time(since), _time(until) or now)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
