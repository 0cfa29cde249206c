"""Queries for lists of matches: filtered, sorted, one page at a time."""

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
    """Return the matches in which a bot holds a seat and that are not over."""
    rows = connection.execute(
        "SELECT DISTINCT matches.match FROM seats JOIN matches ON matches.number = seats.match"
        " WHERE seats.bot IS NOT NULL AND matches.status <> 'over'"
    )
    return [UUID(match) for (match,) in rows]


MIN_INDEXED_LENGTH: Final = 3
"""Shortest text that the trigram indexes can find. Shorter texts are searched in all rows."""


_TITLE_CONTAINS: Final = (
    "instr(folded_title, ?) > 0",
    "instr(folded_title, ?) > 0 AND number IN (SELECT rowid FROM titles WHERE titles MATCH ?)",
)
_HAS_ID: Final = "match IN (SELECT value FROM json_each(?))"
"""Condition for matches with one of several IDs."""
_HELD_BY_ANY: Final = (
    "number IN (SELECT match FROM seats WHERE holder IN (SELECT value FROM json_each(?)))"
)
"""Condition for matches in which one of several players of frontends holds a seat."""
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
"""Conditions for a part of a name, without and with the index; `_TITLE_CONTAINS` is alike."""


Audience = Literal["private", "unlisted", "public", "shared"]
"""Who may list a match.

- `private`: its players and its own frontend;
- `unlisted`: also callers who know its ID;
- `public`: everybody except other frontends and their players;
- `shared`: everybody.
"""


def audience_of(match: AnyMatch) -> Audience:
    """Return who may list a match. A match that anybody may join is public until it starts."""
    terms = match.terms
    if terms.visibility == "unlisted":
        return "unlisted"
    waits = match.status == "waiting" and terms.admission == "anybody"
    if terms.visibility != "public" and not waits:
        return "private"
    return "shared" if terms.shared else "public"


PUBLIC_AUDIENCES: Final[frozenset[Audience]] = frozenset({"public", "shared"})
"""Audiences of matches whose IDs are public."""


class Reader(Struct, frozen=True):
    """A caller who lists matches."""

    everything: bool = False
    """Whether the caller may see all matches."""
    frontend: str = ""
    """ID of the caller's frontend; empty for none."""
    player: str = ""
    """ID of the player, if the caller is a player of the frontend."""

    @property
    def is_frontend(self) -> bool:
        """Whether the caller is a frontend, which may list all matches of its own."""
        return bool(self.frontend) and not self.player


class MatchFilter(Struct, frozen=True):
    """Conditions that matches must meet, all together. Empty ones do not count."""

    game: str = ""
    excluded_game: str = ""
    """The match is not of this game."""
    status: MatchStatus | None = None
    excluded_status: MatchStatus | None = None
    """The match does not have this status."""
    title: str = ""
    """Part of the title, in any case."""
    player: str = ""
    """Part of the name of a seat holder, in any case."""
    player_ids: tuple[str, ...] = ()
    """IDs of the frontends' players whose names contain `player`."""
    holder: str = ""
    """ID of a frontend's player who holds a seat."""
    my_turn: bool | None = None
    """Whether `holder` has a prompt in the match."""
    frontend: str = ""
    """ID of the frontend that created the match."""
    open_seat: bool | None = None
    joinable: bool | None = None
    """Whether anybody may join the match."""
    forked_from: str = ""
    """ID of the original match of a fork."""
    rematch_of: str = ""
    """ID of the original match of a rematch. Unlisted matches are included."""
    unknown: bool = False
    """Whether no match fits, because the caller may not see `forked_from` or `rematch_of`."""
    ids: tuple[str, ...] = ()
    """IDs of matches; empty for all. With IDs, unlisted matches are included."""
    private: bool = False
    """Whether `ids` and `rematch_of` include private matches. The caller must check access."""


class MatchOrder(Enum):
    """The order of a list. The value is the column that sorts it in descending order."""

    CREATED = "number"
    """The latest created first."""
    UPDATED = "last_event"
    """The latest changed first."""


class MatchPage(Struct, frozen=True):
    """A page of matches."""

    matches: tuple[MatchRow | UnreadableMatch, ...]
    next: int | None
    """The `after` of the next page; None after the last page."""


def match_page(
    connection: sqlite3.Connection,
    match_filter: MatchFilter,
    order: MatchOrder,
    size: int,
    after: int | None = None,
    reader: Reader = Reader(everything=True),  # noqa: B008  it is frozen
) -> MatchPage:
    """Return a page of the matches that meet a filter and that the reader may list.

    In the order of change, a match that changes between two pages moves to the front. It does not
    appear twice, but may be missing.

    Args:
        connection: The read models.
        match_filter: Conditions that the matches must meet.
        order: The order of the matches.
        size: Maximum number of matches.
        after: `next` of the previous page; None for the first page.
        reader: The caller.
    """
    conditions, values = _conditions(match_filter)
    column = order.value
    if after is not None:
        conditions.append(f"{column} < ?")
        values.append(after)
    # A player has few matches: SQLite finds them by the player and sorts them. The `+` keeps it
    # from using the index of the column.
    by = f"+{column}" if match_filter.holder else column
    # Each condition of access has its own index, so SQLite finds the page without a scan.
    # The statement has only texts of this module; input of callers is bound as values.
    parts, given = [], []
    for may, own in _listable_conditions(reader, match_filter):
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


def _listable_conditions(
    reader: Reader, match_filter: MatchFilter
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL conditions with their values: a reader may list the matches that meet one."""
    if reader.everything:
        return [("true", ())]
    if match_filter.private and (match_filter.ids or match_filter.rematch_of):
        return [("true", ())]
    ways: list[tuple[str, tuple[str, ...]]] = []
    if match_filter.ids or match_filter.rematch_of:
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
    """Return the IDs of those matches that a reader may list.

    A match whose first event is unreadable has no row. Only a reader of all matches gets its ID.
    """
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
    """A match with new events."""

    number: int
    """The log's number of the match's first event."""
    position: int
    """The position of the match's last event, made from its turn (see `schema.py`)."""
    is_listed: bool
    """Whether the match is in public lists."""
    fits: bool
    """Whether the match meets the filter and the reader may list it."""
    standing: MatchRow | UnreadableMatch


def changed_matches(
    connection: sqlite3.Connection,
    match_filter: MatchFilter,
    after: int,
    size: int,
    reader: Reader = Reader(everything=True),  # noqa: B008  it is frozen
) -> list[ChangedMatch]:
    """Return up to `size` matches with an event after a position, the latest changed last.

    The result includes matches that do not meet the filter, with `fits` unset.
    """
    conditions, values = _conditions(match_filter)
    ways = _listable_conditions(reader, match_filter)
    may = " OR ".join(f"({way})" for way, _ in ways)
    values = [*(value for _, given in ways for value in given), *values]
    fits = " AND ".join([f"({may})", *conditions])
    head = f"SELECT number, last_event, audience IN ('public', 'shared'), ({fits}),"
    among = ""
    after = min(after, _MAX_POSITION)
    if match_filter.ids:
        among = f" AND {_HAS_ID}"
        values.append(_json(match_filter.ids))
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
"""An upper bound of positions. SQLite rejects integers from 2**63 on."""


def _conditions(match_filter: MatchFilter) -> tuple[list[str], list[Any]]:
    conditions: list[str] = []
    values: list[Any] = []

    def add(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if match_filter.unknown:
        add("false")
    if match_filter.ids:
        add(_HAS_ID, _json(match_filter.ids))
    elif match_filter.status != "cancelled":
        add("status <> 'cancelled'")
    equal = {
        "rematch_of": match_filter.rematch_of,
        "game": match_filter.game,
        "status": match_filter.status,
        "origin": match_filter.forked_from,
        "frontend": match_filter.frontend,
        "joinable": None if match_filter.joinable is None else int(match_filter.joinable),
        "has_open_seat": None if match_filter.open_seat is None else int(match_filter.open_seat),
    }
    for column, value in equal.items():
        if value not in ("", None):
            add(f"{column} = ?", value)
    for column, value in (
        ("game", match_filter.excluded_game),
        ("status", match_filter.excluded_status),
    ):
        if value:
            add(f"{column} <> ?", value)
    if match_filter.holder:
        add(_HELD_BY, match_filter.holder)
    if match_filter.my_turn is not None:
        add(_WAITS_FOR, match_filter.holder, int(match_filter.my_turn))
    if part := fold_case(match_filter.player):
        named, *given = _contains(_NAME_CONTAINS, part)
        if match_filter.player_ids:
            named, given = f"({named} OR {_HELD_BY_ANY})", [*given, _json(match_filter.player_ids)]
        add(named, *given)
    if part := fold_case(match_filter.title):
        add(*_contains(_TITLE_CONTAINS, part))
    return conditions, values


def _json(values: tuple[str, ...]) -> str:
    return msgspec.json.encode(values).decode()


def _contains(search: tuple[str, str], part: str) -> tuple[str, ...]:
    """Return the condition that a title or a name contains a text, with its values."""
    unindexed, indexed = search
    if len(part) >= MIN_INDEXED_LENGTH and "\0" not in part:
        return indexed, part, substring_query(part)
    return unindexed, part


def count_matches(connection: sqlite3.Connection) -> int:
    """Return the number of matches."""
    (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return int(matches)


def match_ids(connection: sqlite3.Connection, after: int, limit: int) -> list[tuple[int, UUID]]:
    """Return the numbers and IDs of up to `limit` matches after a number, in order of creation."""
    rows = connection.execute(
        "SELECT number, match FROM matches WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
    ).fetchall()
    return [(number, UUID(match)) for number, match in rows]
