"""The tables of a log in PostgreSQL, and the version of their format.

They are made, and changed, in one transaction: two services that start at once make them once.
"""

from typing import Any, Final, LiteralString

from psycopg import Connection

from services.store.errors import LogDamaged, LogForeign, LogTooNew

SCHEMA: Final = "public"
"""Where the tables are: a database has one log, and several logs have a database each."""
CHANNEL: Final = "emeth_public"
"""What is notified of each commit."""
EVENTS: Final = "stored_events"
SNAPSHOTS: Final = "stored_snapshots"
FACTS: Final = "emeth_log"
"""What is known of the log as a whole, by name: its format, the fingerprints of its keys."""

MIGRATIONS: Final[tuple[LiteralString, ...]] = (
    """
    CREATE TABLE public.emeth_log (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE public.stored_events (
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        notification_id bigint NOT NULL UNIQUE,
        PRIMARY KEY (originator_id, originator_version)
    );
    CREATE TABLE public.stored_snapshots (
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        PRIMARY KEY (originator_id, originator_version)
    );
    CREATE FUNCTION public.emeth_append(
        ids uuid[], versions bigint[], topics text[], states bytea[], writer text
    ) RETURNS bigint LANGUAGE plpgsql AS $body$
    DECLARE
        last bigint;
    BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('emeth log public', 0));
        SELECT coalesce(max(notification_id), 0) INTO last FROM public.stored_events;
        INSERT INTO public.stored_events
            SELECT id, version, topic, state, last + place
            FROM unnest(ids, versions, topics, states)
            WITH ORDINALITY AS given (id, version, topic, state, place);
        PERFORM pg_notify('emeth_public', writer);
        RETURN last + cardinality(ids);
    END
    $body$;
    """,
    # Some events may be encrypted: services refuse it that could not read them. Nothing else
    # changes, so it is done when a service comes that encrypts.
    "SELECT 1",
)
"""What makes each format of the one before it. Append here when an older service could no longer
read or write the log right, and then only: it would refuse it. Services of two versions write to
one log while they are being changed for one another.

Appending waits for a lock, which is released when the commit is on disk: so events are numbered in
the order of their commits, without gaps, and whoever follows the log passes over none. It is an
advisory lock, as a lock of the table would stop every service while PostgreSQL cleans it up.
"""
CLEAR_FORMAT: Final = 1
"""How far a log goes that has nothing encrypted."""

SIDE_STORE_MIGRATIONS: Final[tuple[LiteralString, ...]] = (
    """
    CREATE TABLE public.people (
        player text COLLATE "C" PRIMARY KEY,
        frontend text COLLATE "C" NOT NULL,
        external text COLLATE "C" NOT NULL,
        name text NOT NULL,
        folded_name text COLLATE "C" NOT NULL,
        UNIQUE (frontend, external),
        UNIQUE (frontend, folded_name)
    );
    CREATE TABLE public.deliveries (
        frontend text COLLATE "C" PRIMARY KEY,
        taken bigint NOT NULL
    );
    CREATE TABLE public.kept_files (
        folder text COLLATE "C",
        name text COLLATE "C",
        content bytea NOT NULL,
        PRIMARY KEY (folder, name)
    );
    CREATE FUNCTION public.emeth_person_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        PERFORM pg_notify('emeth_public', 'people ' || coalesce(NEW.player, OLD.player));
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER emeth_changed AFTER INSERT OR UPDATE OR DELETE ON public.people
        FOR EACH ROW EXECUTE FUNCTION public.emeth_person_changed();
    """,
)
"""The same for what is kept beside the log. Its format is of its own: a service that knows nothing
of these tables writes the log right. What it has in its folder comes to them when it is replaced.
"""
_FORMATS: Final = {"format": MIGRATIONS, "format beside": SIDE_STORE_MIGRATIONS}
"""The facts that tell how far which migrations are made."""

_COLUMNS: Final = {
    EVENTS: {"originator_id", "originator_version", "topic", "state", "notification_id"},
    SNAPSHOTS: {"originator_id", "originator_version", "topic", "state"},
    FACTS: {"name", "value"},
}


def claim(connection: Connection[Any], name: str, *, encrypted: bool = False) -> None:
    """Make the tables of an empty database; refuse those that this service cannot read.

    The connection must be in autocommit mode. Raises LogTooNew, LogForeign or LogDamaged; the
    database is then as it was before.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth claims', 0))")
        found = {"format": _format(connection, name), "format beside": 0}
        if found["format"]:
            found["format beside"] = int(fact(connection, "format beside") or 0)
        for which, migrations in _FORMATS.items():
            newest = len(migrations)
            if found[which] > newest:
                raise LogTooNew(name, found=found[which], newest=newest)
            wanted = CLEAR_FORMAT if which == "format" and not encrypted else newest
            for migration in migrations[found[which] : wanted]:
                connection.execute(migration)
            if found[which] < wanted:
                put_fact(connection, which, str(wanted))
        _check_columns(connection, name)


def check(connection: Connection[Any], name: str) -> bool:
    """Look whether a database has the tables of a log that this service can read; False if it has
    none. Nothing is written. Raises LogTooNew, LogForeign or LogDamaged."""
    found = _format(connection, name)
    if not found:
        return False
    if found > len(MIGRATIONS):
        raise LogTooNew(name, found=found, newest=len(MIGRATIONS))
    if (beside := int(fact(connection, "format beside") or 0)) > len(SIDE_STORE_MIGRATIONS):
        raise LogTooNew(name, found=beside, newest=len(SIDE_STORE_MIGRATIONS))
    _check_columns(connection, name)
    return True


def fact(connection: Connection[Any], name: str) -> str | None:
    """What is known of the log under this name."""
    query = "SELECT value FROM public.emeth_log WHERE name = %s"
    row = connection.execute(query, (name,)).fetchone()
    return None if row is None else str(_first(row))


def put_fact(connection: Connection[Any], name: str, value: str) -> None:
    """Keep it, in place of what was known."""
    query = (
        "INSERT INTO public.emeth_log VALUES (%s, %s)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    connection.execute(query, (name, value))


def first_fact(connection: Connection[Any], name: str, value: str) -> str:
    """Keep it, unless something is known under this name; what is known then."""
    query = "INSERT INTO public.emeth_log VALUES (%s, %s) ON CONFLICT DO NOTHING"
    connection.execute(query, (name, value))
    return fact(connection, name) or ""


def _format(connection: Connection[Any], name: str) -> int:
    """The format of the tables that are there; 0 for none."""
    if not _exists(connection, FACTS):
        if _exists(connection, EVENTS):
            raise LogForeign(name, f"it has a table {EVENTS}, and none {FACTS}")
        return 0
    found = fact(connection, "format")
    if found is None or not found.isdecimal():
        raise LogForeign(name, f"its table {FACTS} tells no format")
    return int(found)


def _exists(connection: Connection[Any], table: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.{table}",)).fetchone()
    return row is not None and _first(row) is not None


def _check_columns(connection: Connection[Any], name: str) -> None:
    """Raise LogDamaged if a table was changed by hand."""
    query = (
        "SELECT column_name FROM information_schema.columns"
        " WHERE (table_schema, table_name) = (%s, %s)"
    )
    for table, wanted in _COLUMNS.items():
        found = {_first(row) for row in connection.execute(query, (SCHEMA, table))}
        if found != wanted:
            raise LogDamaged(f"{name}: the columns of {table} are not those of a log")


def _first(row: Any) -> Any:
    return next(iter(row.values() if isinstance(row, dict) else row))
