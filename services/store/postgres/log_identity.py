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
from services.store.opened import Outage
from services.store.postgres.connections import Datastore
from services.store.postgres.format import fact, put_fact

ALIVE: Final = "last there"
OUTAGE: Final = "last outage"
GRACE: Final = timedelta(seconds=5)
"""Maximum age of a heartbeat that is no downtime: services may be slow."""


def arrive(datastore: Datastore) -> Outage:
    """Register a service and return the last downtime, which may end now.

    Raises LogUnavailable.
    """
    try:
        with datastore.connect() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth arrives', 0))")
            return _arrive(connection)
    except psycopg.Error as error:
        raise diagnose(error) from error


def beat(datastore: Datastore) -> None:
    """Record a heartbeat. Raises LogUnavailable."""
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
