"""The tables of a read file, and the fingerprint that identifies their shape.

- `matches`: a row for each match, with its state and the columns that lists filter and sort by;
- `creators`: for each creator, the matches that started and those without a single action;
- `titles`: a trigram index of the titles;
- `seats`: the holder of each seat, by name or by the ID of a frontend's player, whether the seat
  is prompted, and its outcome;
- `endings`: for each match that is over, its result, actions and duration; `openings`: its first
  actions, in each length; `cited`: how many of its events cite each rule. All of these are as a
  spectator may know them;
- `players`: each name that ever held a seat; `names`: a trigram index of these names;
- `events`: each event in its stored bytes, its index in the tree over the log, and at keyframes
  the match after it;
- `nodes`: the complete subtrees of that tree, by `merkle.number`;
- `disputes`: each dispute with its verdict; `said`: a full-text index of the reasons of both;
- `precedents`: the verdicts on each rule;
- `plans`: a row for each seat's conditional moves, without the moves;
- `clocks`: for each match with clocks, the time of the next flag fall;
- `armies`: a row for each saved army, with the digest of its owner's token;
- `tables`: a row for each table, with the state of its devices;
- `styluses`: the tables at which each stylus is or was paired;
- `taps`: the index in the tree of each tap that an action may cite;
- `accounts`: a row for each frontend, with its usage, and for each player of a frontend;
- `notices`: the notices to players of frontends, by a number that is made from a turn;
- `troubles`: the projection errors, one for each aggregate whose projection has stopped;
- `told`: a full-text index of public events; `telling`: how far it is filled (`queries/search.py`);
- `tracking`: one row with the position in the log, the number of leaves in the tree and the number
  of turns. The transaction that writes other rows writes it too.

A turn counts the events of matches and players only. Numbers that callers see are made from turns:
positions in the log would disclose how many taps and plans there are.

A match is identified by the log's number of its first event. An event row with such a key takes
half the space of one with a UUID, and the key sorts matches by their creation.
"""

import sqlite3
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import canonical_bytes, digest
from domain.registry import GAMES
from domain.storage.snapshots import MATCH_FOLD_VERSION, match_shape

FILE_MODE: Final = 0o600
"""The mode of the read models' files: only the owner reads and writes."""
CONTENT_VERSION: Final = 7
"""The version of the columns' meaning. Raise it when a meaning changes and its column stays."""

KEYFRAME_INTERVAL: Final = 16
"""The interval of keyframes: every 16th event stores the match after it in `events.state`.

Each event that moves the line to another version is a keyframe too. So the match at any version is
folded from a keyframe and at most 15 events, which takes a fraction of a millisecond. A state with
each event would make the file several times larger.
"""

TABLES: Final[dict[str, dict[str, type]]] = {
    "matches": {
        "number": int,
        "match": str,
        "game": str,
        "title": str,
        "folded_title": str,
        "version": int,
        "created": str,
        "updated": str,
        "last_event": int,
        "status": str,
        "has_open_seat": int,
        "origin": str,
        "creator": str,
        "played": int,
        "audience": str,
        "joinable": int,
        "rematch_of": str,
        "frontend": str,
        "state": str,
    },
    "creators": {"name": str, "begun": int, "unplayed": int},
    "seats": {
        "match": int,
        "seat": str,
        "player": str,
        "folded_name": str,
        "holder": str,
        "asked": int,
        "outcome": str,
        "bot": str,
    },
    "endings": {
        "match": int,
        "game": str,
        "options": str,
        "is_public": int,
        "is_fork": int,
        "actions": int,
        "seconds": int,
        "reason": str,
        "ended": str,
    },
    "openings": {"match": int, "actions": int, "opening": str},
    "cited": {"match": int, "rule": str, "events": int},
    "players": {"number": int, "folded_name": str},
    "events": {
        "match": int,
        "version": int,
        "digest": str,
        "body": str,
        "state": str,
        "place": int,
    },
    "nodes": {"number": int, "hash": bytes},
    "disputes": {
        "event": int,
        "match": int,
        "number": int,
        "on_version": int,
        "seat": str,
        "reason": str,
        "raised": str,
        "verdict": str,
        "verdict_version": int,
        "verdict_reason": str,
        "rules": str,
        "precedent": str,
    },
    "precedents": {"game": str, "rule": str, "event": int, "name": str, "match": int},
    "plans": {
        "number": int,
        "plan": str,
        "version": int,
        "digest": str,
        "match": str,
        "goes_on": int,
    },
    "clocks": {"number": int, "match": str, "due_ms": int, "stops": int},
    "armies": {
        "number": int,
        "army": str,
        "version": int,
        "owner": str,
        "folded_name": str,
        "deleted": int,
        "state": str,
    },
    "tables": {"number": int, "identity": str, "version": int, "match": str, "state": str},
    "styluses": {"at_table": int, "stylus": str, "gateway": str},
    "taps": {"at_table": int, "version": int, "place": int},
    "accounts": {
        "number": int,
        "identity": str,
        "kind": str,
        "version": int,
        "issuer": str,
        "frontend": str,
        "matches": int,
        "open_matches": int,
        "bytes": int,
        "state": str,
    },
    "notices": {
        "number": int,
        "player": str,
        "frontend": str,
        "match": int,
        "version": int,
        "kind": str,
        "seat": str,
        "at": str,
        "place": int,
        "winners": str,
        "actor": str,
    },
    "troubles": {"match": str, "version": int, "why": str, "kind": str},
    "telling": {"id": int, "event": int},
    "tracking": {
        "id": int,
        "fingerprint": str,
        "position": int,
        "mark": str,
        "ready": int,
        "leaves": int,
        "turns": int,
    },
}
KEYS: Final[dict[str, Any]] = {
    "matches": "number",
    "creators": "name",
    "seats": ("match", "seat"),
    "endings": "match",
    "openings": ("match", "actions"),
    "cited": ("match", "rule"),
    "players": "number",
    "events": ("match", "version"),
    "nodes": "number",
    "disputes": "event",
    "precedents": ("game", "rule", "event"),
    "plans": "number",
    "clocks": "number",
    "armies": "number",
    "tables": "number",
    "styluses": ("at_table", "stylus"),
    "taps": ("at_table", "version"),
    "accounts": "number",
    "notices": "number",
    "troubles": "match",
    "telling": "id",
    "tracking": "id",
}
NULLABLE_COLUMNS: Final = frozenset(
    {
        ("events", "state"),
        ("matches", "origin"),
        ("matches", "creator"),
        ("matches", "rematch_of"),
        ("matches", "frontend"),
        ("seats", "player"),
        ("seats", "folded_name"),
        ("seats", "holder"),
        ("seats", "outcome"),
        ("seats", "bot"),
        ("accounts", "issuer"),
        ("accounts", "frontend"),
        ("notices", "winners"),
        ("notices", "actor"),
        ("disputes", "verdict"),
        ("disputes", "verdict_version"),
        ("disputes", "verdict_reason"),
        ("disputes", "rules"),
        ("disputes", "precedent"),
        ("tables", "match"),
    }
)

INDEXES: Final[tuple[tuple[str, tuple[str, ...], bool], ...]] = (
    ("matches", ("match",), True),
    ("matches", ("last_event",), True),
    ("matches", ("game", "number"), False),
    ("matches", ("status", "number"), False),
    ("matches", ("has_open_seat", "number"), False),
    ("matches", ("origin", "number"), False),
    ("matches", ("joinable", "number"), False),
    ("matches", ("rematch_of", "number"), False),
    ("matches", ("frontend", "number"), False),
    ("matches", ("frontend", "last_event"), False),
    ("matches", ("audience", "number"), False),
    ("matches", ("audience", "last_event"), False),
    ("seats", ("folded_name", "match"), False),
    ("seats", ("holder", "match"), False),
    ("seats", ("bot", "match"), False),
    ("endings", ("game", "ended"), False),
    ("openings", ("opening", "match"), False),
    ("accounts", ("identity",), True),
    ("accounts", ("kind", "number"), False),
    ("accounts", ("issuer",), False),
    ("accounts", ("frontend", "number"), False),
    ("notices", ("player", "number"), False),
    ("notices", ("frontend", "number"), False),
    ("players", ("folded_name",), True),
    ("disputes", ("match", "number"), True),
    ("disputes", ("verdict", "event"), False),
    ("plans", ("plan",), True),
    ("plans", ("goes_on",), False),
    ("clocks", ("due_ms",), False),
    ("armies", ("army",), True),
    ("armies", ("owner", "number"), False),
    ("tables", ("identity",), True),
    ("tables", ("match", "number"), False),
    ("styluses", ("stylus",), False),
)
"""The indexes: table, columns, and whether the columns are unique together."""

CREATE_TITLES: Final = (
    "CREATE VIRTUAL TABLE titles USING fts5(folded_title, content='', tokenize='trigram')"
)
CREATE_NAMES: Final = (
    "CREATE VIRTUAL TABLE names USING fts5(folded_name, content='', tokenize='trigram')"
)
CREATE_NAMES_TRIGGER: Final = (
    "CREATE TRIGGER named AFTER INSERT ON players BEGIN"
    " INSERT INTO names (rowid, folded_name) VALUES (new.number, new.folded_name); END"
)
CREATE_EVENT_TEXT: Final = (
    "CREATE VIRTUAL TABLE told USING fts5(text, content='', tokenize='porter unicode61')"
)
CREATE_DISPUTE_TEXT: Final = (
    "CREATE VIRTUAL TABLE said USING fts5(reason, verdict, tokenize='porter unicode61')"
)
VIEWS: Final[dict[str, str]] = {
    "public_matches": """
        SELECT m.match, m.game, m.status, m.created, m.origin IS NOT NULL AS is_fork,
            e.options, e.ended, e.actions, e.seconds, e.reason
        FROM matches m LEFT JOIN endings e ON e.match = m.number
        WHERE json_extract(m.state, '$.terms.visibility') = 'public'
            AND m.match NOT IN (SELECT match FROM troubles)""",
    "public_results": """
        SELECT m.match, m.game, s.seat, s.outcome
        FROM seats s JOIN matches m ON m.number = s.match
        WHERE s.outcome IS NOT NULL AND m.match IN (SELECT match FROM public_matches)""",
    "public_openings": """
        SELECT m.match, m.game, o.actions, o.opening
        FROM openings o JOIN matches m ON m.number = o.match
        WHERE m.match IN (SELECT match FROM public_matches)""",
    "public_rules": """
        SELECT m.match, m.game, c.rule, c.events
        FROM cited c JOIN matches m ON m.number = c.match
        WHERE m.match IN (SELECT match FROM public_matches)""",
}
"""Views of public matches for Datasette and other programs, as a spectator may know the matches.
The views contain no names and no text that a person wrote."""
MAX_ROWS_PER_STATEMENT: Final = 256
"""Maximum number of rows in one statement."""
CHECKPOINT_PAGES: Final = 4096
"""Pages of 4 KiB in the write-ahead log at which SQLite copies them into the file. A checkpoint
copies each page once, however often it was written. With a quarter of this number the projection
runner needs a fifth more processor time."""


def fingerprint() -> str:
    """Return a digest of the shape of the tables and of the states in them.

    The shape includes all games. A release with other games, or with other shapes of their states,
    rebuilds the read models.
    """
    columns = {
        table: {name: kind.__name__ for name, kind in fields.items()}
        for table, fields in TABLES.items()
    }
    games = {game: match_shape(game) for game in GAMES}
    tables = [
        columns,
        KEYS,
        sorted(NULLABLE_COLUMNS),
        INDEXES,
        CREATE_TITLES,
        CREATE_NAMES,
        CREATE_NAMES_TRIGGER,
        CREATE_DISPUTE_TEXT,
        CREATE_EVENT_TEXT,
        VIEWS,
    ]
    return digest(
        canonical_bytes([CONTENT_VERSION, MATCH_FOLD_VERSION, KEYFRAME_INTERVAL, tables, games])
    )[:16]


NameLookup = Callable[[UUID], str]
"""A lookup of players' names by ID. Names are in no read model, so that they can be erased."""


FORMER_PLAYER: Final = "A former player"
"""The name of a player who was erased or is unknown."""


def former_player_name(player: UUID) -> str:
    """Return the name of an unknown player: no source of names is attached."""
    del player
    return FORMER_PLAYER


def _never_cancelled() -> None:
    """Do nothing: the query cannot be cancelled."""


class ReadModelConnection(sqlite3.Connection):
    """A connection to a read file, with the content packs and player names for its states."""

    library: Library = BUILT_IN_PACKS
    """The content packs that states refer to."""
    names: NameLookup = staticmethod(former_player_name)

    check_cancelled: Callable[[], None] = staticmethod(_never_cancelled)
    """Raises QueryCancelledError if the current query was cancelled."""


def library_of(connection: sqlite3.Connection) -> Library:
    """Return the content packs for states that are read through this connection."""
    return connection.library if isinstance(connection, ReadModelConnection) else BUILT_IN_PACKS


def name_lookup_of(connection: sqlite3.Connection) -> NameLookup:
    """Return the lookup of player names for this connection."""
    return connection.names if isinstance(connection, ReadModelConnection) else former_player_name


def check_cancelled(connection: sqlite3.Connection) -> None:
    """Raise QueryCancelledError if the connection's query was cancelled. Long loops call it."""
    if isinstance(connection, ReadModelConnection):
        connection.check_cancelled()


def connect_writer(path: Path, library: Library = BUILT_IN_PACKS) -> sqlite3.Connection:
    """Open a connection that writes. Any thread may use it, one at a time.

    Commits do not wait for the disk (`synchronous=NORMAL`), because the file can be rebuilt. After
    a power failure the last transactions may be missing, with their position.
    """
    path.touch(FILE_MODE)  # SQLite gives the files beside a database the same rights
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, factory=ReadModelConnection
    )
    connection.library = library
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "cache_size=-16000",
        f"wal_autocheckpoint={CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def connect_reader(
    path: Path, library: Library = BUILT_IN_PACKS, names: NameLookup = former_player_name
) -> sqlite3.Connection:
    """Open a connection that only reads. Any thread may use it, one at a time.

    Raises:
        sqlite3.OperationalError: The file does not exist.
    """
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, factory=ReadModelConnection
    )
    connection.library = library
    connection.names = names
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA schema_version")  # opens the file and its write-ahead log now
    return connection


def create_tables(connection: sqlite3.Connection, *, ready: bool) -> None:
    """Create the tables of a new file in one transaction.

    Args:
        connection: A writing connection to an empty file.
        ready: Whether the file may be read; False until a rebuild is complete.
    """
    # Imported here because it loads slowly, and a service with a usable read file does not need it.
    from sqlite_utils import Database

    connection.execute("BEGIN IMMEDIATE")
    database = Database(connection)
    for name, columns in TABLES.items():
        required = {column for column in columns if (name, column) not in NULLABLE_COLUMNS}
        database.table(name).create(columns, pk=KEYS[name], not_null=required, strict=True)
    for name, fields, unique in INDEXES:
        database.table(name).create_index(fields, unique=unique)
    for statement in (
        CREATE_TITLES,
        CREATE_NAMES,
        CREATE_NAMES_TRIGGER,
        CREATE_DISPUTE_TEXT,
        CREATE_EVENT_TEXT,
    ):
        connection.execute(statement)
    for name, select in VIEWS.items():
        database.create_view(name, select)
    connection.execute("INSERT INTO telling VALUES (1, 0)")
    connection.execute(
        "INSERT INTO tracking VALUES (1, ?, 0, '', ?, 0, 0)", (fingerprint(), int(ready))
    )
    connection.execute("COMMIT")


def find_damage(connection: sqlite3.Connection) -> str:
    """Return what SQLite finds damaged in a read file, or an empty string if the file is sound.

    SQLite reads the whole file for this check.

    Raises:
        sqlite3.DatabaseError: The file cannot be read at all.
    """
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return "" if found == "ok" else " ".join(found.split())


def is_current(connection: sqlite3.Connection) -> bool:
    """Return whether a read file is complete and has the current shape.

    Raises:
        sqlite3.DatabaseError: The file cannot be read.
    """
    found = connection.execute("SELECT fingerprint, ready FROM tracking").fetchone()
    return bool(found == (fingerprint(), 1))


def insert(
    connection: sqlite3.Connection,
    statement: tuple[str, int, str],
    rows: Sequence[tuple[Any, ...]],
) -> None:
    """Insert rows, many with each statement.

    The number of rows in a statement is a power of two. So there are few different statements, and
    SQLite keeps them compiled.

    Args:
        connection: A writing connection.
        statement: The text before the values, the number of columns, and the text after the values.
        rows: The values of each row.
    """
    head, width, tail = statement
    one = f"({','.join('?' * width)})"
    start = 0
    while start < len(rows):
        size = min(MAX_ROWS_PER_STATEMENT, 1 << (len(rows) - start).bit_length() - 1)
        values = chain.from_iterable(rows[start : start + size])
        connection.execute(f"{head}{','.join([one] * size)}{tail}", tuple(values))
        start += size
