"""The tables of a log in PostgreSQL, and their format version.

They are created and migrated in one transaction, so that services can start concurrently.
"""

from typing import Any, Final, LiteralString

from psycopg import Connection

from services.store.errors import LogDamaged, LogForeign, LogTooNew

SCHEMA: Final = "public"
"""Schema of the tables. A database has one log; several logs need a database each."""
CHANNEL: Final = "emeth_public"
"""Channel on which each commit is notified."""
EVENTS: Final = "stored_events"
SNAPSHOTS: Final = "stored_snapshots"
FACTS: Final = "emeth_log"
"""Table of the log's properties by name: its format, the fingerprints of its keys."""

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
    # Events may be encrypted: services that could not read them refuse the log. Nothing else
    # changes, so this is done by the first service that encrypts.
    "SELECT 1",
)
"""The statements that create each format from the one before it.

Append here only when an older service could no longer read or write the log correctly: it would
refuse the log. During an upgrade, services of two versions write to one log.

Appending takes a lock, which is released when the commit is on disk. Events are therefore numbered
in commit order, without gaps, and subscriptions miss none. It is an advisory lock, since a table
lock would stop every service while PostgreSQL vacuums.
"""
CLEAR_FORMAT: Final = 1
"""The format of a log without encrypted events."""

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
"""The migrations of the side store, with their own format number. Older services without these
tables still write the log correctly. Their folders are imported when they are upgraded."""
_FORMATS: Final = {"format": MIGRATIONS, "format beside": SIDE_STORE_MIGRATIONS}
"""The properties that record how many of which migrations are done."""

_COLUMNS: Final = {
    EVENTS: {"originator_id", "originator_version", "topic", "state", "notification_id"},
    SNAPSHOTS: {"originator_id", "originator_version", "topic", "state"},
    FACTS: {"name", "value"},
}


def claim(connection: Connection[Any], name: str, *, encrypted: bool = False) -> None:
    """Create or migrate the tables; refuse those that this service cannot read.

    The connection must be in autocommit mode. Raises LogTooNew, LogForeign or LogDamaged; the
    database is then unchanged.
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
    """Return whether a database has the tables of a readable log, without writing anything.

    Raises LogTooNew, LogForeign or LogDamaged.
    """
    found = _format(connection, name)
    if not found:
        return False
    if found > len(MIGRATIONS):
        raise LogTooNew(name, found=found, newest=len(MIGRATIONS))
    if (side_store := int(fact(connection, "format beside") or 0)) > len(SIDE_STORE_MIGRATIONS):
        raise LogTooNew(name, found=side_store, newest=len(SIDE_STORE_MIGRATIONS))
    _check_columns(connection, name)
    return True


def fact(connection: Connection[Any], name: str) -> str | None:
    """Return a property of the log; None if it is not set."""
    query = "SELECT value FROM public.emeth_log WHERE name = %s"
    row = connection.execute(query, (name,)).fetchone()
    return None if row is None else str(_first(row))


def put_fact(connection: Connection[Any], name: str, value: str) -> None:
    """Set a property of the log."""
    query = (
        "INSERT INTO public.emeth_log VALUES (%s, %s)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    connection.execute(query, (name, value))


def first_fact(connection: Connection[Any], name: str, value: str) -> str:
    """Set a property of the log, unless it is set, and return its value."""
    query = "INSERT INTO public.emeth_log VALUES (%s, %s) ON CONFLICT DO NOTHING"
    connection.execute(query, (name, value))
    return fact(connection, name) or ""


def _format(connection: Connection[Any], name: str) -> int:
    """Return the format of the existing tables; 0 for none."""
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
