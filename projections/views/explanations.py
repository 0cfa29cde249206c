"""The explanation of one event for one viewer: facts, rules, visibility, states and disputes."""

import sqlite3
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import REFEREE, AnyGame
from domain.log.digests import canonical_bytes
from domain.match import Event, roles
from projections.queries import citations, disputes
from projections.queries.citations import CitedRule
from projections.queries.disputes import ListedDispute
from projections.views import board_views
from projections.views.transitions import Transition
from projections.views.viewer_events import redacted_action


class Explanation(Struct, frozen=True):
    """The explanation of one event. Its transitions are not redacted yet."""

    before: Transition | None
    """The transition of the version before; None for the first version."""
    step: Transition
    rules: tuple[CitedRule, ...]
    """Rules that the event is based on, without duplicates."""
    facts: tuple[str, ...]
    """Facts as JSON, redacted for the viewer."""
    seen_by: tuple[tuple[str, ...], ...]
    """The viewers who see each fact unredacted; empty unless the viewer is the referee."""
    disputes: tuple[ListedDispute, ...]


def explain_event(
    connection: sqlite3.Connection, match: UUID, version: int, viewer: str
) -> Explanation | None:
    """Return the explanation of an event, or None if there is no such event."""
    if not 1 <= version <= board_views.latest_version(connection, match):
        return None
    steps = board_views.read_transitions(connection, match, max(version - 2, 0), min(version, 2))
    step, before = steps[-1], steps[-2] if version > 1 else None
    state, event = step.after, step.sealed.event
    game = state.rules
    return Explanation(
        before,
        step,
        tuple(
            citations.cited_rule(connection, game, rule, match)
            for rule in citations.cited_rules(game, event, viewer)
        ),
        tuple(
            canonical_bytes(fact).decode() for fact in redacted_action(game, event, viewer).facts
        ),
        fact_viewers(game, event, roles(game, state.options)) if viewer == REFEREE else (),
        disputes.disputes_of_event(connection, match, version),
    )


def fact_viewers(
    game: AnyGame, event: Event, viewers: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """Return, for each fact of an event, the viewers who see it unredacted.

    The position of an omitted fact is unknown. Of several equal facts, the last ones therefore
    count as omitted.
    """
    facts = redacted_action(game, event, REFEREE).facts
    shown = {viewer: redacted_action(game, event, viewer).facts for viewer in viewers}
    return tuple(
        tuple(
            viewer for viewer in viewers if shown[viewer].count(fact) > facts[:number].count(fact)
        )
        for number, fact in enumerate(facts)
    )
