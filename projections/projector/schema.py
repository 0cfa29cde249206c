"""The tables of the read file, and the fingerprint by which a file of another shape is known.

- `matches` one row a match, as it stands: what the lobby filters and orders by, and the state;
- `creators` how many matches each maker of some has begun, and how many nobody has played in;
- `titles` their titles, cut up so that a part of one is found without reading them all;
- `seats` who holds which seat, so that matches can be found by player: by name, or by the id of a
  frontend's player, for whom it also tells whether the match waits for the seat; and how it ended;
- `endings` how each match ended that is over, after how many actions and how long; `openings` the
  actions that it began with, the first, the first two and so on; `cited` how many of its events
  cite each rule: as a spectator may know all of it;
- `players` every name that ever held a seat, once, and `names` the same cut up as titles are;
- `events` every event in its stored bytes, its place in the tree over the whole log, and now and
  then the match as it stood after one;
- `nodes` the complete subtrees of that tree, by `merkle.number`;
- `disputes` every dispute with its verdict, and in `said` the words of both;
- `precedents` which verdicts rest on which rule;
- `plans` one row a plan that a seat has left, without what is in it;
- `clocks` one row a match with clocks: when the first that runs is up;
- `armies` one row a saved army, by its owner's token;
- `tables` one row a table, as it stands with all its devices;
- `styluses` where each is paired;
- `taps` the place in the tree of each tap that an action may name;
- `accounts` one row a frontend, with what it uses, and one a frontend's player;
- `notices` what players of frontends are told, by a number made of the turn of its event;
- `troubles` matches with an event that could not be understood;
- `told` the words of public events, and `telling` how far they are in it (`sentences.py`);
- `tracking` how far the log has been read, how many leaves the tree has and how many turns there
  were: one row, written in the transaction of what was read.

A turn is the number of an event among those of matches and players alone. What callers are shown
has turns in it and no places in the log: those tell how many taps and plans there were.

A match is named by a number here: the log's number of its first event. Small keys keep indexes
small (an event costs half as much as with UUIDs), and they list matches in the order in which
they were created.
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
"""The mode of the files of the read models."""
CONTENT_VERSION: Final = 7
"""Raise it when what is written into the same columns changes its meaning."""

KEYFRAME_INTERVAL: Final = 16
"""Of so many events of a match, the first has the match after it in full (`events.state`), and so
has every event that moves the line to another version.

The match at any version is the keyframe at or before it and the facts of at most 15 events, which
takes a fraction of a millisecond; a state with each event would make the file several times larger.
Between two keyframes nothing goes back, so no position need be looked for further back.
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
"""Table, columns, and whether they are unique."""

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
"""Views of public matches for Datasette and other programs, as a spectator knows these matches.
They have no name and no text that a person wrote."""
MAX_ROWS_PER_STATEMENT: Final = 256
"""Rows in one statement, at most."""
CHECKPOINT_PAGES: Final = 4096
"""Pages of the write-ahead log, of 4 KiB each, at which SQLite copies it into the file. A page that
is written often is copied once for all of them: with a quarter of this the follower needs a fifth
more of a processor."""


def fingerprint() -> str:
    """Names the shape of the tables and of the states that are in them.

    It changes with the games too: a release that knows more games, or other shapes of their
    states, fills the tables anew.
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
"""What to call a player of a frontend: names are in no read model, so that they can be erased."""


FORMER_PLAYER: Final = "A former player"
"""The name of whoever was erased, or is not known here."""


def former_player_name(player: UUID) -> str:
    """Knows nobody."""
    del player
    return FORMER_PLAYER


def _never_cancelled() -> None:
    """Of an answer that nobody gives up."""


class ReadModelConnection(sqlite3.Connection):
    """A connection to a read file, whose states name content packs and players."""

    library: Library = BUILT_IN_PACKS
    """Where those are looked up."""
    names: NameLookup = staticmethod(former_player_name)

    go_on: Callable[[], None] = staticmethod(_never_cancelled)
    """Raises once nobody waits for the answer any more (`projections/queries/cancellation.py`)."""


def library_of(connection: sqlite3.Connection) -> Library:
    """The packs that states read through this connection may name."""
    return connection.library if isinstance(connection, ReadModelConnection) else BUILT_IN_PACKS


def name_lookup_of(connection: sqlite3.Connection) -> NameLookup:
    """What to call players in what is read through this connection."""
    return connection.names if isinstance(connection, ReadModelConnection) else former_player_name


def check_cancelled(connection: sqlite3.Connection) -> None:
    """Called at each of many steps: raises if nobody waits for the answer any more."""
    if isinstance(connection, ReadModelConnection):
        connection.go_on()


def connect_writer(path: Path, library: Library = BUILT_IN_PACKS) -> sqlite3.Connection:
    """A connection that writes; made here, it may be used in any thread, one at a time.

    The file is disposable, so a commit does not wait for the disk (`synchronous=NORMAL`): after a
    power cut the last transactions may be missing, rows and tracking position alike.
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
    """A connection that only reads, usable in any thread, one at a time.

    Raises sqlite3.OperationalError if there is no such file.
    """
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, factory=ReadModelConnection
    )
    connection.library = library
    connection.names = names
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA schema_version")  # opens all of its files now, not at first use
    return connection


def create_tables(connection: sqlite3.Connection, *, ready: bool) -> None:
    """Make the tables of a new file, all at once. A file that is not ready is never read."""
    # Only here: it takes long to load, and a service that finds its read file needs none of it.
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
    """Return what SQLite finds damaged in a read file, or an empty string if the file is whole.

    All of the file is read for this. Raises sqlite3.DatabaseError if it cannot be read at all.
    """
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return "" if found == "ok" else " ".join(found.split())


def is_current(connection: sqlite3.Connection) -> bool:
    """Is this a finished read file of the present shape? Raises sqlite3.DatabaseError."""
    found = connection.execute("SELECT fingerprint, ready FROM tracking").fetchone()
    return bool(found == (fingerprint(), 1))


def insert(
    connection: sqlite3.Connection,
    statement: tuple[str, int, str],
    rows: Sequence[tuple[Any, ...]],
) -> None:
    """Insert rows, many with each statement.

    Their numbers are powers of two, so that there are few different statements and SQLite keeps
    them compiled.
    """
    head, width, tail = statement
    one = f"({','.join('?' * width)})"
    start = 0
    while start < len(rows):
        size = min(MAX_ROWS_PER_STATEMENT, 1 << (len(rows) - start).bit_length() - 1)
        values = chain.from_iterable(rows[start : start + size])
        connection.execute(f"{head}{','.join([one] * size)}{tail}", tuple(values))
        start += size
