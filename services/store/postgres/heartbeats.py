"""Heartbeats of services on a shared log, and the last downtime of all of them.

Each service records a heartbeat every second. A service that finds no recent heartbeat records the
downtime, which all services use. A service that starts while others run sees no downtime, and
services that start together agree on it.
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
"""Maximum age of a heartbeat that is no downtime: services may be slow."""


def register(datastore: Datastore) -> Downtime:
    """Register a service and return the last downtime, which may end now.

    Raises LogUnavailable.
    """
    try:
        with datastore.connect() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth arrives', 0))")
            return _register(connection)
    except psycopg.Error as error:
        raise diagnose(error) from error


def heartbeat(datastore: Datastore) -> None:
    """Record a heartbeat. Raises LogUnavailable."""
    try:
        with datastore.get_connection() as connection:
            put_fact(connection, LAST_HEARTBEAT, utc_now().isoformat())
    except Exception as error:
        raise diagnose(error) from error


def _register(connection: Connection[Any]) -> Downtime:
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
