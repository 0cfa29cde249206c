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
from services.store.opened_log import Downtime
from services.store.postgres.connections import Datastore
from services.store.postgres.format import fact, put_fact

LAST_HEARTBEAT: Final = "last there"
LAST_DOWNTIME: Final = "last outage"
GRACE_PERIOD: Final = timedelta(seconds=5)
"""A silence that is no outage: others may be slow to say that they are there."""


def register(datastore: Datastore) -> Downtime:
    """A service is there from now on: the last outage, which may end with it. LogUnavailable if the
    database cannot be asked."""
    try:
        with datastore.connect() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth arrives', 0))")
            return _arrive(connection)
    except psycopg.Error as error:
        raise diagnose(error) from error


def heartbeat(datastore: Datastore) -> None:
    """A service is there. LogUnavailable if the database cannot be told."""
    try:
        with datastore.get_connection() as connection:
            put_fact(connection, LAST_HEARTBEAT, utc_now().isoformat())
    except Exception as error:
        raise diagnose(error) from error


def _arrive(connection: Connection[Any]) -> Downtime:
    now = utc_now()
    last = _time(fact(connection, LAST_HEARTBEAT))
    put_fact(connection, LAST_HEARTBEAT, now.isoformat())
    if last is None or now - last > GRACE_PERIOD:
        put_fact(connection, LAST_DOWNTIME, f"{(last or now).isoformat()} {now.isoformat()}")
        return Downtime(last, now)
    since, _, until = (fact(connection, LAST_DOWNTIME) or "").partition(" ")
    return Downtime(_time(since), _time(until) or now)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
