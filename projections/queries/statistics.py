"""Statistics of matches: results by seat, openings, durations and cited rules.

Only matches that are over and are not forks count. The rows contain what a spectator may know (see
`projector/result_rows.py`). The caller decides which matches a viewer may count.
"""

import sqlite3
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.registry import GAMES
from projections.projector.result_rows import DEFAULT_OPENING_ACTIONS


class StatisticsFilter(Struct, frozen=True, kw_only=True):
    """Conditions that matches must meet, all together, and the size of the answer."""

    everything: bool = False
    """Whether matches that are not public count too."""
    game: str = ""
    options: dict[str, Any] = {}
    """Values of the game's options."""
    since: str = ""
    until: str = ""
    """The match ended at or after `since` and before `until`, texts of `sortable_time`."""
    player: str = ""
    """ID of a frontend's player who holds a seat."""
    opponent: str = ""
    """ID of a player who holds another seat than `player` does."""
    name: str = ""
    """The folded name of a seat holder who is no player of a frontend."""
    opening: str = ""
    """The first actions of the match, one or more."""
    length: int = DEFAULT_OPENING_ACTIONS
    """Number of actions in the openings that are counted."""
    most: int
    """Maximum number of openings, of rules and of player results, the most frequent first."""


class SeatCount(Struct, frozen=True):
    """The results of one seat."""

    seat: str
    won: int
    drawn: int
    lost: int


class GameCount(Struct, frozen=True):
    """The matches of one game."""

    game: str
    matches: int
    seats: tuple[SeatCount, ...]
    reasons: dict[str, int]
    """The number of matches for each reason of the result."""


class Distribution(Struct, frozen=True):
    """The distribution of a number over the matches."""

    min: int
    median: int
    mean: int
    max: int


class OpeningCount(Struct, frozen=True):
    """The matches with the same opening."""

    game: str
    opening: str
    matches: int
    seats: tuple[SeatCount, ...]


class PlayerResult(Struct, frozen=True):
    """The results of a player in one game, with one seat, after one opening."""

    game: str
    seat: str
    opening: str
    won: int
    drawn: int
    lost: int


class RuleCount(Struct, frozen=True):
    """How often events cite a rule."""

    game: str
    rule: str
    meaning: str
    """The rule's meaning; empty for a rule that is no longer in the game's index."""
    events: int
    matches: int


class Statistics(Struct, frozen=True):
    """The statistics of the matches that meet a filter."""

    matches: int
    games: tuple[GameCount, ...]
    actions: Distribution
    seconds: Distribution
    openings: tuple[OpeningCount, ...]
    rules: tuple[RuleCount, ...]
    player_results: tuple[PlayerResult, ...]
    player_total: PlayerResult | None


def statistics(connection: sqlite3.Connection, statistics_filter: StatisticsFilter) -> Statistics:
    """Return the statistics of the matches that meet a filter."""
    counting = _StatisticsQuery(connection, statistics_filter)
    games = counting.games()
    return Statistics(
        matches=sum(each.matches for each in games),
        games=games,
        actions=counting.distribution("actions"),
        seconds=counting.distribution("seconds"),
        openings=counting.openings(),
        rules=counting.rules(),
        player_results=counting.player_results() if statistics_filter.player else (),
        player_total=counting.player_total() if statistics_filter.player else None,
    )


_SEATS: Final = (
    "SELECT game, seat, sum(outcome = 'won'), sum(outcome = 'drawn'), sum(outcome = 'lost')"
    " FROM seats JOIN endings USING (match)"
)
_OPENING_SEATS: Final = (
    "SELECT seat, sum(outcome = 'won'), sum(outcome = 'drawn'), sum(outcome = 'lost')"
    " FROM seats JOIN endings USING (match) JOIN openings USING (match)"
)
_RESULTS: Final = (
    "SELECT game, seat, opening, sum(outcome = 'won'), sum(outcome = 'drawn'),"
    " sum(outcome = 'lost') FROM seats JOIN endings USING (match) JOIN openings USING (match)"
)
_TOTAL: Final = (
    "SELECT sum(outcome = 'won'), sum(outcome = 'drawn'), sum(outcome = 'lost')"
    " FROM seats JOIN endings USING (match)"
)
_OF_PLAYER: Final = "AND holder = :player AND outcome IS NOT NULL"
_DISTRIBUTIONS: Final = {
    "actions": "SELECT count(*), min(actions), avg(actions), max(actions) FROM endings",
    "seconds": "SELECT count(*), min(seconds), avg(seconds), max(seconds) FROM endings",
}
_MEDIANS: Final = {
    "actions": ("SELECT actions FROM endings", "ORDER BY actions LIMIT 1 OFFSET :middle"),
    "seconds": ("SELECT seconds FROM endings", "ORDER BY seconds LIMIT 1 OFFSET :middle"),
}


class _StatisticsQuery:
    """A query that counts the same matches in several ways."""

    def __init__(self, connection: sqlite3.Connection, statistics_filter: StatisticsFilter) -> None:
        self._connection = connection
        self._filter = statistics_filter
        self._where, self._values = _conditions(statistics_filter)
        if statistics_filter.options:
            # Options are JSON, which is slow to read: select the matches once, by ID.
            found = [match for (match,) in self._all("SELECT match FROM endings")]
            self._where, self._values = _IS_SELECTED, {"found": msgspec.json.encode(found).decode()}

    def games(self) -> tuple[GameCount, ...]:
        """Return the results by game and seat, and the reasons of the results."""
        seats: dict[str, list[SeatCount]] = {}
        by_seat = "GROUP BY 1, 2 ORDER BY 1, min(seats.rowid)"
        for game, *count in self._all(_SEATS, by_seat):
            seats.setdefault(game, []).append(SeatCount(*count))
        reasons: dict[str, dict[str, int]] = {}
        for game, reason, matches in self._all(
            "SELECT game, reason, count(*) FROM endings", "GROUP BY 1, 2 ORDER BY 3 DESC, 2"
        ):
            reasons.setdefault(game, {})[reason] = matches
        return tuple(
            GameCount(game, sum(reasons[game].values()), tuple(seats.get(game, ())), reasons[game])
            for game in sorted(reasons, key=[*GAMES].index)
        )

    def distribution(self, column: str) -> Distribution:
        """Return the distribution of a column, `actions` or `seconds`."""
        ((count, least, mean, greatest),) = self._all(_DISTRIBUTIONS[column])
        if not count:
            return Distribution(0, 0, 0, 0)
        ((median,),) = self._all(*_MEDIANS[column], middle=(count - 1) // 2)
        return Distribution(least, median, round(mean), greatest)

    def openings(self) -> tuple[OpeningCount, ...]:
        """Return the results by opening, the most frequent opening first."""
        rows = self._all(
            "SELECT game, opening, count(*) FROM endings JOIN openings USING (match)",
            "AND openings.actions = :length GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT :most",
        )
        return tuple(
            OpeningCount(
                game,
                opening,
                matches,
                tuple(
                    SeatCount(*row)
                    for row in self._all(
                        _OPENING_SEATS,
                        "AND openings.actions = :length AND openings.opening = :opening"
                        " AND game = :of GROUP BY 1 ORDER BY min(seats.rowid)",
                        opening=opening,
                        of=game,
                    )
                ),
            )
            for game, opening, matches in rows
        )

    def rules(self) -> tuple[RuleCount, ...]:
        """Return the cited rules, the most frequent first."""
        rows = self._all(
            "SELECT game, rule, sum(events), count(*) FROM cited JOIN endings USING (match)",
            "GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT :most",
        )
        return tuple(
            RuleCount(game, rule, meaning_of(game, rule), events, matches)
            for game, rule, events, matches in rows
        )

    def player_results(self) -> tuple[PlayerResult, ...]:
        """Return the player's results by game, seat and opening, the most frequent first."""
        rows = self._all(
            _RESULTS,
            f"{_OF_PLAYER} AND openings.actions = :length"
            " GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT :most",
            player=self._filter.player,
        )
        return tuple(PlayerResult(*row) for row in rows)

    def player_total(self) -> PlayerResult:
        """Return the sum of all results of the player."""
        (counts,) = self._all(_TOTAL, _OF_PLAYER, player=self._filter.player)
        return PlayerResult(self._filter.game, "", "", *(count or 0 for count in counts))

    def _all(self, select: str, rest: str = "", **more: Any) -> list[tuple[Any, ...]]:
        # The statement has only texts of this module; input of callers is bound as values.
        values = {"length": self._filter.length, "most": self._filter.most} | self._values | more
        statement = f"{select} WHERE {self._where} {rest}"
        return self._connection.execute(statement, values).fetchall()


def meaning_of(game: str, rule: str) -> str:
    """Return the meaning of a rule, or an empty string if it is no longer in the game's index."""
    known = GAMES[game].rules.get(rule)
    return known.meaning if known else ""


_CONDITIONS: Final[dict[str, str]] = {
    "game": "endings.game = :game",
    "since": "endings.ended >= :since",
    "until": "endings.ended < :until",
    "player": "endings.match IN (SELECT match FROM seats WHERE holder = :player)",
    "opponent": (
        "EXISTS (SELECT 1 FROM seats own JOIN seats other USING (match) WHERE own.match ="
        " endings.match AND own.holder = :player AND other.holder = :opponent"
        " AND other.seat != own.seat)"
    ),
    "name": "endings.match IN (SELECT match FROM seats WHERE folded_name = :name)",
    "opening": "endings.match IN (SELECT match FROM openings WHERE opening = :opening)",
}
_HAS_OPTIONS: Final = (
    "(SELECT count(*) FROM json_each(endings.options) AS has JOIN json_each(:options) AS wants"
    " WHERE has.key = wants.key AND has.type = wants.type AND has.value IS wants.value) = :values"
)
_IS_SELECTED: Final = "endings.match IN (SELECT value FROM json_each(:found))"
_IS_PUBLIC: Final = "endings.is_public = 1"


def _conditions(statistics_filter: StatisticsFilter) -> tuple[str, dict[str, Any]]:
    values = {
        name: getattr(statistics_filter, name)
        for name in _CONDITIONS
        if getattr(statistics_filter, name)
    }
    conditions: Iterable[str] = ("endings.is_fork = 0", *(_CONDITIONS[name] for name in values))
    if not statistics_filter.everything:
        conditions = (*conditions, _IS_PUBLIC)
    if statistics_filter.options:
        conditions = (*conditions, _HAS_OPTIONS)
        values["options"] = msgspec.json.encode(statistics_filter.options).decode()
        values["values"] = len(statistics_filter.options)
    return " AND ".join(conditions), values
