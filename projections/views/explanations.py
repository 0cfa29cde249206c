"""All there is to say of one event to one viewer: what followed, why, who saw it, what was before
and after, and what was decided about it."""

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
    """What there is to say. The steps are not veiled yet."""

    before: Transition | None
    """The event of the version before; None for the first."""
    step: Transition
    rules: tuple[CitedRule, ...]
    """That the event rests on, each once."""
    facts: tuple[str, ...]
    """As JSON, as the viewer may know them."""
    seen_by: tuple[tuple[str, ...], ...]
    """Of each fact who sees it as it was; empty unless it is the referee who asks."""
    disputes: tuple[ListedDispute, ...]


def explain_event(
    connection: sqlite3.Connection, match: UUID, version: int, viewer: str
) -> Explanation | None:
    """An explanation of an event; None if there is no such event."""
    if not 1 <= version <= board_views.latest_version(connection, match):
        return None
    steps = board_views.read_transitions(connection, match, max(version - 2, 0), min(version, 2))
    step, before = steps[-1], steps[-2] if version > 1 else None
    stood, event = step.after, step.sealed.event
    game = stood.rules
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
        fact_viewers(game, event, roles(game, stood.options)) if viewer == REFEREE else (),
        disputes.disputes_of_event(connection, match, version),
    )


def fact_viewers(
    game: AnyGame, event: Event, viewers: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """Of each fact of an event, those among the viewers to whom the veil shows it as it was.

    What the veil leaves away cannot be told apart by its place, so of several equal facts it is
    the last that a viewer is taken not to see.
    """
    facts = redacted_action(game, event, REFEREE).facts
    shown = {viewer: redacted_action(game, event, viewer).facts for viewer in viewers}
    return tuple(
        tuple(
            viewer for viewer in viewers if shown[viewer].count(fact) > facts[:number].count(fact)
        )
        for number, fact in enumerate(facts)
    )
