"""Translation of PostgreSQL's errors. It does not import psycopg."""

from typing import Final

from services.store.errors import LogFailed, LogUnavailable

WORDS: Final[dict[str, str]] = {
    "08": "PostgreSQL cannot be reached, or the connection to it broke",
    "25006": "PostgreSQL is a standby, or was made read-only: name the primary",
    "28": "PostgreSQL does not let this user in: see its user, password and pg_hba.conf",
    "3D000": "PostgreSQL has no such database: make it with createdb",
    "42501": "PostgreSQL does not let this user do that: let it make tables in the schema",
    "42P01": "a table of the log is gone: put a backup in its place",
    "53100": "the disk of PostgreSQL is full: make room on it",
    "53300": "PostgreSQL has no connection left: raise its max_connections",
    "53": "PostgreSQL lacks memory or another resource",
    "55P03": "another transaction holds the log, for longer than lock_timeout",
    "57014": "it took PostgreSQL longer than statement_timeout",
    "57P": "PostgreSQL is stopping or starting",
    "58": "the disk of PostgreSQL failed: see its log",
    "XX001": "PostgreSQL finds its files damaged: put a backup in their place",
    "XX002": "PostgreSQL finds an index damaged: REINDEX, after a look at its disk",
}
"""Explanations by SQLSTATE or a prefix of it; the longest match counts."""

FATAL: Final = {"XX001", "XX002"}
"""States after which written data can no longer be trusted to be readable."""


def meaning(error: BaseException) -> LogUnavailable | None:
    """Return the store's error for an error of PostgreSQL; None for any other error."""
    if not type(error).__module__.startswith("psycopg"):
        return None
    state = getattr(error, "sqlstate", None)
    if state is None:  # it never reached PostgreSQL
        return LogUnavailable(f"{WORDS['08']} ({_line(error)})")
    words = next((WORDS[state[:n]] for n in (5, 3, 2) if state[:n] in WORDS), _line(error))
    return (LogFailed if state in FATAL else LogUnavailable)(words, state)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
