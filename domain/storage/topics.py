"""Topics: the stable names of event types in the log and in the `eventsourcing` library.

A topic is an event's `type`, such as `match.ActionTaken`. Its first word is the kind of aggregate.
"""

from typing import Any, Final, cast, get_args, get_origin

from eventsourcing.persistence import StoredEvent
from eventsourcing.utils import register_topic

from domain import army, frontend, player
from domain.conditional_moves import Event as PlanEvent
from domain.log.sealed_events import SealedEvent
from domain.match import Event as MatchEvent
from domain.runs import RunBegun
from domain.table import Event as TableEvent

MATCH: Final = "match"
ARMY: Final = "army"
TABLE: Final = "table"
FRONTEND: Final = "frontend"
PLAN: Final = "plan"
PLAYER: Final = "player"
SERVICE: Final = "service"
"""The kinds of aggregates, which are the first words of topics."""
KINDS: Final = frozenset({MATCH, ARMY, TABLE, FRONTEND, PLAN, PLAYER, SERVICE})


def topic_of(event_type: Any) -> str:
    """Return the topic of an event type.

    >>> topic_of(army.ArmySaved)
    'army.Saved'
    """
    return cast(str, event_type.__struct_config__.tag)


def kind_of(stored_event: StoredEvent) -> str:
    """Return the kind of aggregate that a stored event belongs to: the first word of its topic."""
    return str(stored_event.topic).partition(".")[0]


def kind_of_event(sealed: SealedEvent[Any]) -> str:
    """Return the kind of aggregate that a sealed event belongs to."""
    return topic_of(type(sealed.event)).partition(".")[0]


def _types() -> dict[str, Any]:
    """Return all current event types by their topics."""
    unions = (MatchEvent, army.Event, TableEvent, frontend.Event, player.Event, PlanEvent)
    listed = [*(each for union in unions for each in get_args(union)), RunBegun]
    plain = [get_origin(each) or each for each in listed]
    return {topic_of(each): each for each in plain}


TOPICS: Final = _types()


def register_topics() -> None:
    """Register our event types for `resolve_topic` of the library. It can be called repeatedly."""
    for topic, event_type in TOPICS.items():
        register_topic(topic, event_type)
