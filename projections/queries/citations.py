"""Queries for citations: the rules that events of a match cite, as a viewer may know them.

Citations have no index. A query reads the match's events and redacts them for the viewer.
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
    """A rule with its source, rulings and precedents."""

    rule: str
    meaning: str
    """The rule's meaning. For a rule that is no longer in the game's index, this field, the source
    and the rulings are empty."""
    source: str
    rulings: tuple[str, ...]
    """The numbers of the reference's rulings on the rule."""
    precedent_ids: tuple[str, ...]
    """Names of verdicts on the rule, in public matches of the game and in the queried match."""


class Citation(Struct, frozen=True):
    """The events of a match that cite a rule."""

    rule: CitedRule
    versions: tuple[int, ...]


class VersionSpan(Struct, frozen=True):
    """A range of a match's events: the `size` events after the version `after`."""

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
    """Return the citations in a span of a match's events, in the order of the game's rules.

    Args:
        connection: The read models.
        match: ID of the match.
        viewer: The seat or role that the events are redacted for.
        rule: ID of one rule, which is returned even without citations; empty for all cited rules.
        span: The events to search.

    Returns:
        None if the match is unknown, or if the rule is neither in the game nor cited in the match.
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
    listed = [rule] if rule else [*in_index, *sorted(found.keys() - game.rules.keys())]
    return tuple(
        Citation(cited_rule(connection, game, each, match), tuple(found.get(each, ())))
        for each in listed
    )


def cited_rules(game: AnyGame, event: Event, viewer: str) -> tuple[str, ...]:
    """Return the rules that an event cites, each once, in the order of its rulings."""
    rulings = redacted_action(game, event, viewer).rulings
    return tuple(dict.fromkeys(rule for ruling in rulings for rule in ruling.rules))


def cited_rule(connection: sqlite3.Connection, game: AnyGame, rule: str, match: UUID) -> CitedRule:
    """Return a rule with its entry in the game's index, and its precedents.

    The precedents are those that a viewer of the match may know.
    """
    precedents = disputes.precedents(connection, game.slug, rule, match)
    known = game.rules.get(rule)
    if known is None:
        return CitedRule(rule, "", "", (), precedents)
    return CitedRule(rule, known.meaning, known.source, known.rulings, precedents)


_RULES_KEY: Final = '"rules":'
"""Text that is in the stored bytes of every event with a ruling."""


def _versions(
    connection: sqlite3.Connection,
    match: int,
    game: AnyGame,
    viewer: str,
    rule: str,
    span: VersionSpan,
) -> dict[str, list[int]]:
    # Search the stored text first, so that only events that may fit are decoded. Citations that
    # are hidden from the viewer are found too, and are removed when the event is redacted.
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
