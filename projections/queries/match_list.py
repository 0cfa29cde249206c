"""Which matches are there? Filtered, ordered, a page at a time."""

import sqlite3
from enum import Enum
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.match import AnyMatch, MatchStatus
from projections.queries.full_text import fold_case, substring_query
from projections.views.board_views import (
    SELECT_MATCH_ROWS,
    MatchRow,
    UnreadableMatch,
    read_listed_match,
)


def matches_with_bots(connection: sqlite3.Connection) -> list[UUID]:
    """Every match that is not over in which a bot holds a seat."""
    rows = connection.execute(
        "SELECT DISTINCT matches.match FROM seats JOIN matches ON matches.number = seats.match"
        " WHERE seats.bot IS NOT NULL AND matches.status <> 'over'"
    )
    return [UUID(match) for (match,) in rows]


MIN_INDEXED_LENGTH: Final = 3
"""Characters of a title or a name that their indexes can find; fewer are looked for in all."""


_TITLE_CONTAINS: Final = (
    "instr(folded_title, ?) > 0",
    "instr(folded_title, ?) > 0 AND number IN (SELECT rowid FROM titles WHERE titles MATCH ?)",
)
_HAS_ID: Final = "match IN (SELECT value FROM json_each(?))"
"""How certain matches are found, by their ids."""
_HELD_BY_ANY: Final = (
    "number IN (SELECT match FROM seats WHERE holder IN (SELECT value FROM json_each(?)))"
)
"""How matches are found by the ids of frontends' players, whose names are in no read model."""
_HELD_BY: Final = "number IN (SELECT match FROM seats WHERE holder = ?)"
_WAITS_FOR: Final = (
    "status <> 'over' AND number IN"
    " (SELECT match FROM seats WHERE holder = ? GROUP BY match HAVING max(asked) = ?)"
)
_NAME_CONTAINS: Final = (
    "number IN (SELECT seats.match FROM players JOIN seats USING (folded_name)"
    " WHERE instr(folded_name, ?) > 0)",
    "number IN (SELECT seats.match FROM players JOIN seats USING (folded_name)"
    " WHERE instr(folded_name, ?) > 0"
    " AND players.number IN (SELECT rowid FROM names WHERE names MATCH ?))",
)
"""How a part of a title or of a name is found: without the index, and with it."""


Audience = Literal["private", "unlisted", "public", "shared"]
"""Who may list a match: whoever it belongs to alone; those who know its id as well; everybody, but
other frontends than its own; or these, too."""


def audience_of(match: AnyMatch) -> Audience:
    """Return who may list a match. One that waits for anybody is for anybody to see, until it
    begins."""
    terms = match.terms
    if terms.visibility == "unlisted":
        return "unlisted"
    waits = match.status == "waiting" and terms.admission == "anybody"
    if terms.visibility != "public" and not waits:
        return "private"
    return "shared" if terms.shared else "public"


PUBLIC_AUDIENCES: Final[frozenset[Audience]] = frozenset({"public", "shared"})
"""Of these, everybody may know the ID."""


class Reader(Struct, frozen=True):
    """Who lists matches."""

    everything: bool = False
    """All matches are theirs to see."""
    frontend: str = ""
    """The id of the frontend whose key or player they are; empty for none."""
    player: str = ""
    """The id of the frontend's player who they are."""

    @property
    def is_frontend(self) -> bool:
        """Is it a frontend itself? Then all its matches are its own."""
        return bool(self.frontend) and not self.player


class MatchFilter(Struct, frozen=True):
    """Which matches are wanted: those that fit all that is set."""

    game: str = ""
    excluded_game: str = ""
    """Not of this game."""
    status: MatchStatus | None = None
    excluded_status: MatchStatus | None = None
    """Not with this status."""
    title: str = ""
    """A part of it, in capitals or not."""
    player: str = ""
    """Part of the name of who holds a seat now, in capitals or not."""
    people: tuple[str, ...] = ()
    """The ids of frontends' players whose names have that part."""
    holder: str = ""
    """The id of a frontend's player who holds a seat."""
    my_turn: bool | None = None
    """Does the match wait for the holder?"""
    frontend: str = ""
    """The id of the frontend that made it."""
    open_seat: bool | None = None
    joinable: bool | None = None
    """May anybody take a seat?"""
    forked_from: str = ""
    """The id of a match."""
    rematch_of: str = ""
    """The id of a match: then unlisted ones as well, whose old match was unlisted, too."""
    unknown: bool = False
    """None at all: whoever asks may not see the match of `forked_from` or `rematch_of`."""
    ids: tuple[str, ...] = ()
    """Only these, if there are any: then unlisted ones as well."""
    private: bool = False
    """Private ones as well, by `ids` or `rematch_of`: whoever asks looks who may see them."""


class MatchOrder(Enum):
    """In what order; the value is the column to go down by."""

    CREATED = "number"
    """The latest created first."""
    UPDATED = "last_event"
    """The latest changed first."""


class MatchPage(Struct, frozen=True):
    """Some of the matches."""

    matches: tuple[MatchRow | UnreadableMatch, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


def match_page(
    connection: sqlite3.Connection,
    wanted: MatchFilter,
    order: MatchOrder,
    size: int,
    after: int | None = None,
    reader: Reader = Reader(everything=True),  # noqa: B008  it is frozen
) -> MatchPage:
    """At most `size` matches that fit and that the reader may list, those that come after `after`,
    which is a page's `next`.

    A match that changes between two pages in order of change moves to the front: it is not listed
    twice, and may have been listed already.
    """
    conditions, values = _conditions(wanted)
    column = order.value
    if after is not None:
        conditions.append(f"{column} < ?")
        values.append(after)
    # A player's matches are few: they are found by the player, and sorted.
    by = f"+{column}" if wanted.holder else column
    # Each of the ways to be listed has an index of its own, in which the page is found at once.
    # Only names from this module go into the text of a statement; what callers gave are values.
    parts, given = [], []
    for may, own in _listable_conditions(reader, wanted):
        where = " AND ".join([may, *conditions])
        parts.append(
            f"SELECT number FROM (SELECT number FROM matches WHERE {where}"  # noqa: S608  as below
            f" ORDER BY {by} DESC LIMIT ?)"
        )
        given += [*own, *values, size + 1]
    statement = (
        f"{SELECT_MATCH_ROWS.replace('SELECT', f'SELECT {column},', 1)}"
        f" WHERE number IN ({' UNION '.join(parts)}) ORDER BY +{column} DESC LIMIT ?"
    )
    rows = connection.execute(statement, (*given, size + 1)).fetchall()
    page = rows[:size]
    return MatchPage(
        tuple(read_listed_match(connection, row[1:]) for row in page),
        page[-1][0] if len(rows) > size else None,
    )


def _listable_conditions(reader: Reader, wanted: MatchFilter) -> list[tuple[str, tuple[str, ...]]]:
    """The conditions, with their values, of which one holds for each match that a reader may
    list."""
    if reader.everything:
        return [("true", ())]
    if wanted.private and (wanted.ids or wanted.rematch_of):
        return [("true", ())]
    ways: list[tuple[str, tuple[str, ...]]] = []
    if wanted.ids or wanted.rematch_of:
        ways.append(("audience <> 'private'", ()))
    elif not reader.frontend:
        ways += [("audience = 'public'", ()), ("audience = 'shared'", ())]
    else:
        ways.append(("audience = 'shared'", ()))
        if not reader.is_frontend:
            ways.append(("frontend = ? AND audience = 'public'", (reader.frontend,)))
    if reader.is_frontend:
        ways.append(("frontend = ?", (reader.frontend,)))
    if reader.player:
        ways.append((_HELD_BY, (reader.player,)))
    return ways


def filter_listable(
    connection: sqlite3.Connection, identities: list[UUID], reader: Reader
) -> list[str]:
    """Those of some matches that a reader may list. One whose first event is damaged is in no
    table: only who may see everything is told of it."""
    names = [str(each) for each in identities]
    if reader.everything or not names:
        return names
    ways = _listable_conditions(reader, MatchFilter())
    may = " OR ".join(f"({way})" for way, _ in ways)
    given = [value for _, values in ways for value in values]
    statement = f"SELECT match FROM matches WHERE {_HAS_ID} AND ({may})"  # noqa: S608  as above
    rows = connection.execute(statement, (_json(tuple(names)), *given))
    found = {match for (match,) in rows}
    return [each for each in names if each in found]


class ChangedMatch(Struct, frozen=True):
    """A match that changed."""

    number: int
    """The log's number of its first event."""
    position: int
    """How far the list has come with its last one: `schema.py` says what a turn is."""
    is_listed: bool
    """Is it in the list of whoever comes by?"""
    fits: bool
    """Is it one of those that are wanted?"""
    standing: MatchRow | UnreadableMatch


def changed_matches(
    connection: sqlite3.Connection,
    wanted: MatchFilter,
    after: int,
    size: int,
    reader: Reader = Reader(everything=True),  # noqa: B008  it is frozen
) -> list[ChangedMatch]:
    """At most `size` matches with an event after that position, the last changed last."""
    conditions, values = _conditions(wanted)
    ways = _listable_conditions(reader, wanted)
    may = " OR ".join(f"({way})" for way, _ in ways)
    values = [*(value for _, given in ways for value in given), *values]
    fits = " AND ".join([f"({may})", *conditions])
    head = f"SELECT number, last_event, audience IN ('public', 'shared'), ({fits}),"
    among = ""
    after = min(after, _MAX_POSITION)
    if wanted.ids:
        among = f" AND {_HAS_ID}"
        values.append(_json(wanted.ids))
    statement = (
        f"{SELECT_MATCH_ROWS.replace('SELECT', head, 1)} WHERE true{among} AND last_event > ?"
        " ORDER BY last_event LIMIT ?"
    )
    return [
        ChangedMatch(
            row[0], row[1], bool(row[2]), bool(row[3]), read_listed_match(connection, row[4:])
        )
        for row in connection.execute(statement, (*values, after, size)).fetchall()
    ]


_MAX_POSITION: Final = 2**62
"""No log is as long; SQLite refuses numbers that are twice as large."""


def _conditions(wanted: MatchFilter) -> tuple[list[str], list[Any]]:
    conditions: list[str] = []
    values: list[Any] = []

    def add(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if wanted.unknown:
        add("false")
    if wanted.ids:
        add(_HAS_ID, _json(wanted.ids))
    elif wanted.status != "cancelled":
        add("status <> 'cancelled'")
    equal = {
        "rematch_of": wanted.rematch_of,
        "game": wanted.game,
        "status": wanted.status,
        "origin": wanted.forked_from,
        "frontend": wanted.frontend,
        "joinable": None if wanted.joinable is None else int(wanted.joinable),
        "has_open_seat": None if wanted.open_seat is None else int(wanted.open_seat),
    }
    for column, value in equal.items():
        if value not in ("", None):
            add(f"{column} = ?", value)
    for column, value in (("game", wanted.excluded_game), ("status", wanted.excluded_status)):
        if value:
            add(f"{column} <> ?", value)
    if wanted.holder:
        add(_HELD_BY, wanted.holder)
    if wanted.my_turn is not None:
        add(_WAITS_FOR, wanted.holder, int(wanted.my_turn))
    if part := fold_case(wanted.player):
        named, *given = _contains(_NAME_CONTAINS, part)
        if wanted.people:
            named, given = f"({named} OR {_HELD_BY_ANY})", [*given, _json(wanted.people)]
        add(named, *given)
    if part := fold_case(wanted.title):
        add(*_contains(_TITLE_CONTAINS, part))
    return conditions, values


def _json(values: tuple[str, ...]) -> str:
    return msgspec.json.encode(values).decode()


def _contains(search: tuple[str, str], part: str) -> tuple[str, ...]:
    """The condition that something has this part, with its values."""
    by_itself, by_index = search
    if len(part) >= MIN_INDEXED_LENGTH and "\0" not in part:
        return by_index, part, substring_query(part)
    return by_itself, part


def count_matches(connection: sqlite3.Connection) -> int:
    """How many matches there are."""
    (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return int(matches)


def match_ids(connection: sqlite3.Connection, after: int, limit: int) -> list[tuple[int, UUID]]:
    """The numbers and ids of matches, the first created first, from after a number on."""
    rows = connection.execute(
        "SELECT number, match FROM matches WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
    ).fetchall()
    return [(number, UUID(match)) for number, match in rows]
