"""Which rules an event rests on, and which events of a match rest on a rule, as a viewer may know.

No rendering and no index is stored: the events are searched for what the veil leaves of them.
"""

import sqlite3
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.match import Event
from domain.registry import GAMES
from domain.storage.mapper import read_event
from projections.projector.schema import check_cancelled
from projections.queries import disputes
from projections.views.viewer_events import redacted_action


class CitedRule(Struct, frozen=True):
    """A rule, and what was decided on it before."""

    rule: str
    meaning: str
    """Empty for a rule of an old log that has left the index since, like what follows."""
    source: str
    rulings: tuple[str, ...]
    """Numbers of the reference's rulings."""
    precedent_ids: tuple[str, ...]
    """Names of verdicts on it, in public matches of the game and in the match that is looked at."""


class Citation(Struct, frozen=True):
    """The events of a match that rest on a rule."""

    rule: CitedRule
    versions: tuple[int, ...]


class VersionSpan(Struct, frozen=True):
    """Events of a match: so many after a version."""

    after: int = 0
    size: int = 1 << 32


WHOLE_MATCH: Final = VersionSpan()


def citations(
    connection: sqlite3.Connection,
    match: UUID,
    viewer: str,
    rule: str = "",
    span: VersionSpan = WHOLE_MATCH,
) -> tuple[Citation, ...] | None:
    """Of every rule that an event of a span cites, in the order of the index; or of one rule.

    None if the game has no such rule and had none, or the match is not known.
    """
    row = connection.execute(
        "SELECT number, game FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    if row is None:
        return None
    number, game = row[0], GAMES[row[1]]
    found = _versions(connection, number, game, viewer, rule, span)
    is_gone = rule and rule not in game.rules
    if is_gone and not (found or _versions(connection, number, game, viewer, rule, WHOLE_MATCH)):
        return None
    in_index = [each for each in game.rules if each in found]
    wanted = [rule] if rule else [*in_index, *sorted(found.keys() - game.rules.keys())]
    return tuple(
        Citation(cited_rule(connection, game, each, match), tuple(found.get(each, ())))
        for each in wanted
    )


def cited_rules(game: AnyGame, event: Event, viewer: str) -> tuple[str, ...]:
    """The rules that an event rests on, each once, in the order in which they came in."""
    rulings = redacted_action(game, event, viewer).rulings
    return tuple(dict.fromkeys(rule for ruling in rulings for rule in ruling.rules))


def cited_rule(connection: sqlite3.Connection, game: AnyGame, rule: str, match: UUID) -> CitedRule:
    """A rule with its line of the index, and the precedents that who sees this match may know."""
    precedents = disputes.precedents(connection, game.slug, rule, match)
    known = game.rules.get(rule)
    if known is None:
        return CitedRule(rule, "", "", (), precedents)
    return CitedRule(rule, known.meaning, known.source, known.rulings, precedents)


_RULES_KEY: Final = '"rules":'
"""What the stored bytes of every event with a ruling have in them."""


def _versions(
    connection: sqlite3.Connection,
    match: int,
    game: AnyGame,
    viewer: str,
    rule: str,
    span: VersionSpan,
) -> dict[str, list[int]]:
    # Searched as text first: decoding is for what may fit. What is hidden from this viewer is
    # found here too, and falls out when the event has gone through the veil.
    rows = connection.execute(
        "SELECT version, body FROM events WHERE match = ? AND version BETWEEN ? AND ?"
        " AND instr(body, ?) ORDER BY version",
        (match, span.after + 1, span.after + span.size, f'"{rule}"' if rule else _RULES_KEY),
    )
    found: dict[str, list[int]] = {}
    for version, body in rows:
        check_cancelled(connection)
        for each in cited_rules(game, read_event(body.encode()), viewer):
            if rule in ("", each):
                found.setdefault(each, []).append(version)
    return found
