"""The tables of a log in PostgreSQL, and the version of their format, in one schema.

They are made, and changed, in one transaction: two services that start at once make them once.
"""

from typing import Any, Final

from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier, Literal

from services.store.errors import LogDamaged, LogForeign, LogTooNew

EVENTS: Final = "stored_events"
SNAPSHOTS: Final = "stored_snapshots"
FACTS: Final = "emeth_log"
"""What is known of the log as a whole, by name: its format, the fingerprints of its keys."""

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE {schema}.emeth_log (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE {schema}.stored_events (
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        notification_id bigint NOT NULL UNIQUE,
        PRIMARY KEY (originator_id, originator_version)
    );
    CREATE TABLE {schema}.stored_snapshots (
        originator_id uuid NOT NULL,
        originator_version bigint NOT NULL,
        topic text NOT NULL,
        state bytea NOT NULL,
        PRIMARY KEY (originator_id, originator_version)
    );
    CREATE FUNCTION {schema}.emeth_append(
        ids uuid[], versions bigint[], topics text[], states bytea[], writer text
    ) RETURNS bigint LANGUAGE plpgsql AS $body$
    DECLARE
        last bigint;
    BEGIN
        PERFORM pg_advisory_xact_lock({lock});
        SELECT coalesce(max(notification_id), 0) INTO last FROM {schema}.stored_events;
        INSERT INTO {schema}.stored_events
            SELECT id, version, topic, state, last + place
            FROM unnest(ids, versions, topics, states)
            WITH ORDINALITY AS given (id, version, topic, state, place);
        PERFORM pg_notify({channel}, writer);
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

BESIDE: Final[tuple[str, ...]] = (
    """
    CREATE TABLE {schema}.people (
        player text COLLATE "C" PRIMARY KEY,
        frontend text COLLATE "C" NOT NULL,
        external text COLLATE "C" NOT NULL,
        name text NOT NULL,
        folded_name text COLLATE "C" NOT NULL,
        UNIQUE (frontend, external),
        UNIQUE (frontend, folded_name)
    );
    CREATE TABLE {schema}.deliveries (
        frontend text COLLATE "C" PRIMARY KEY,
        taken bigint NOT NULL
    );
    CREATE TABLE {schema}.kept_files (
        folder text COLLATE "C",
        name text COLLATE "C",
        content bytea NOT NULL,
        PRIMARY KEY (folder, name)
    );
    CREATE FUNCTION {schema}.emeth_person_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        PERFORM pg_notify({channel}, 'people ' || coalesce(NEW.player, OLD.player));
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER emeth_changed AFTER INSERT OR UPDATE OR DELETE ON {schema}.people
        FOR EACH ROW EXECUTE FUNCTION {schema}.emeth_person_changed();
    """,
)
"""The same for what is kept beside the log. Its format is of its own: a service that knows nothing
of these tables writes the log right. What it has in its folder comes to them when it is replaced.
"""
_FORMATS: Final = {"format": MIGRATIONS, "format beside": BESIDE}
"""The facts that tell how far which migrations are made."""

_COLUMNS: Final = {
    EVENTS: {"originator_id", "originator_version", "topic", "state", "notification_id"},
    SNAPSHOTS: {"originator_id", "originator_version", "topic", "state"},
    FACTS: {"name", "value"},
}


def channel(schema: str) -> str:
    """What is notified of each commit. 63 bytes are heard."""
    return f"emeth_{schema}"[:63]


def claim(connection: Connection[Any], schema: str, name: str, *, encrypted: bool = False) -> None:
    """Make the tables of an empty schema; refuse those that this service cannot read.

    The connection must be in autocommit mode. Raises LogTooNew, LogForeign or LogDamaged; the
    schema is then as it was before.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('emeth claims', 0))")
        row = connection.execute("SELECT to_regnamespace(%s)", (quoted(schema),)).fetchone()
        if _first(row) is None:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
        found = {"format": _format(connection, schema, name), "format beside": 0}
        if found["format"]:
            found["format beside"] = int(fact(connection, schema, "format beside") or 0)
        for which, migrations in _FORMATS.items():
            newest = len(migrations)
            if found[which] > newest:
                raise LogTooNew(name, found=found[which], newest=newest)
            wanted = CLEAR_FORMAT if which == "format" and not encrypted else newest
            for migration in migrations[found[which] : wanted]:
                connection.execute(_in(schema, migration))
            if found[which] < wanted:
                put_fact(connection, schema, which, str(wanted))
        _check_columns(connection, schema, name)


def fact(connection: Connection[Any], schema: str, name: str) -> str | None:
    """What is known of the log under this name."""
    query = SQL("SELECT value FROM {}.emeth_log WHERE name = %s").format(Identifier(schema))
    row = connection.execute(query, (name,)).fetchone()
    return None if row is None else str(_first(row))


def put_fact(connection: Connection[Any], schema: str, name: str, value: str) -> None:
    """Keep it, in place of what was known."""
    query = (
        "INSERT INTO {}.emeth_log VALUES (%s, %s)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    connection.execute(SQL(query).format(Identifier(schema)), (name, value))


def first_fact(connection: Connection[Any], schema: str, name: str, value: str) -> str:
    """Keep it, unless something is known under this name; what is known then."""
    query = "INSERT INTO {}.emeth_log VALUES (%s, %s) ON CONFLICT DO NOTHING"
    connection.execute(SQL(query).format(Identifier(schema)), (name, value))
    return fact(connection, schema, name) or ""


def _format(connection: Connection[Any], schema: str, name: str) -> int:
    """The format of the tables that are there; 0 for none."""
    if not _exists(connection, schema, FACTS):
        if _exists(connection, schema, EVENTS):
            raise LogForeign(name, f"it has a table {EVENTS}, and none {FACTS}")
        return 0
    found = fact(connection, schema, "format")
    if found is None or not found.isdecimal():
        raise LogForeign(name, f"its table {FACTS} tells no format")
    return int(found)


def _exists(connection: Connection[Any], schema: str, table: str) -> bool:
    place = f"{quoted(schema)}.{quoted(table)}"
    row = connection.execute("SELECT to_regclass(%s)", (place,)).fetchone()
    return row is not None and _first(row) is not None


def _check_columns(connection: Connection[Any], schema: str, name: str) -> None:
    """Raise LogDamaged if a table was changed by hand."""
    query = (
        "SELECT column_name FROM information_schema.columns"
        " WHERE (table_schema, table_name) = (%s, %s)"
    )
    for table, wanted in _COLUMNS.items():
        found = {_first(row) for row in connection.execute(query, (schema, table))}
        if found != wanted:
            raise LogDamaged(f"{name}: the columns of {table} are not those of a log")


def _in(schema: str, migration: str) -> Composed:
    return SQL(migration).format(
        schema=Identifier(schema),
        channel=Literal(channel(schema)),
        lock=SQL("hashtextextended({}, 0)").format(Literal(f"emeth log {schema}")),
    )


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def _first(row: Any) -> Any:
    return next(iter(row.values() if isinstance(row, dict) else row))
