"""Topics: the names under which the log and the `eventsourcing` library know types of events.

A topic is an event's `type`, such as `match.ActionTaken`; its first word is the kind of aggregate.
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
"""The first words of topics: what an event happened to."""
KINDS: Final = frozenset({MATCH, ARMY, TABLE, FRONTEND, PLAN, PLAYER, SERVICE})


def topic_of(event_type: Any) -> str:
    """The topic of a type of events.

    >>> topic_of(army.Saved)
    'army.Saved'
    """
    return cast(str, event_type.__struct_config__.tag)


def kind_of(stored_event: StoredEvent) -> str:
    """What a stored event happened to: `match`, `army`, `table`, `frontend`, `player`, `plan`,
    `service`."""
    return str(stored_event.topic).partition(".")[0]


def kind_of_event(sealed: SealedEvent[Any]) -> str:
    """The same for an event that was read."""
    return topic_of(type(sealed.event)).partition(".")[0]


def _types() -> dict[str, Any]:
    """Every type of events that is stored now, by its topic."""
    unions = (MatchEvent, army.Event, TableEvent, frontend.Event, player.Event, PlanEvent)
    listed = [*(each for union in unions for each in get_args(union)), RunBegun]
    plain = [get_origin(each) or each for each in listed]
    return {topic_of(each): each for each in plain}


TOPICS: Final = _types()


def register_topics() -> None:
    """Let the library's `resolve_topic` find our events. May be called again."""
    for topic, event_type in TOPICS.items():
        register_topic(topic, event_type)
