"""The one place that says what is recorded of an event: its bytes, and the event that they give.

What a command makes may be spelled in more than one way: a field that has its default, but not the
very object, is written out; a tuple is a list when it is read. So an event is read back before it
is sealed, and the match goes on from what was read. Whatever plays on, folds the log or judges it
again then has the same values before it.
"""

from collections.abc import Iterable, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, cast, get_args, get_origin

import msgspec
from msgspec import Struct

from domain.log.digests import canonical_bytes
from domain.log.sealed_events import SealedEvent, seal
from domain.match.events import ActionTaken, Event, FlagFell, PlayerResigned, VerdictGiven
from domain.registry import GAMES


def union(types: Iterable[Any]) -> Any:
    """The union of types that are only known at run time."""
    return reduce(or_, types)


@cache
def event_decoder() -> msgspec.json.Decoder[Event]:
    """Decodes any event of a match, with the actions and facts of every game in the registry."""
    actions = union(game.actions for game in GAMES.values())
    facts = union(game.facts for game in GAMES.values())
    # Types that are only known at run time.
    taken = cast(Any, ActionTaken)[actions, facts]
    plain = [each for each in get_args(Event) if get_origin(each) is None]
    return msgspec.json.Decoder(union((*plain, taken, *event_types_with_facts(facts))))


def event_types_with_facts(facts: Any) -> tuple[Any, ...]:
    """The types of those affairs of a match that tell facts of its game, which are these."""
    details = (PlayerResigned, FlagFell, VerdictGiven)
    return tuple(cast(Any, each)[facts] for each in details)


def seal_as_stored(previous: str, event: Event) -> SealedEvent[Event]:
    """The event as the log will give it again, chained to the digest of the one before it."""
    return seal(previous, event_decoder().decode(canonical_bytes(event)))


def as_stored(value: Any) -> Any:
    """A value with the types that JSON gives back: lists for tuples, texts for ids."""
    return msgspec.json.decode(canonical_bytes(value))


def matches_stored_json(raw: Any, value: Any) -> bool:
    """Does this JSON say what is in a value, and nothing else?

    A field that has its default may be spelled out or left out: earlier versions did both.
    """
    if isinstance(value, Struct):
        config = value.__struct_config__
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        known = {name: getattr(value, field) for name, field in names}
        if config.tag_field is not None:
            known[config.tag_field] = config.tag
        if not isinstance(raw, dict) or not known.keys() >= raw.keys():
            return False
        return all(matches_stored_json(each, known[name]) for name, each in raw.items())
    if isinstance(value, Mapping):
        named = {as_stored({key: 0}).popitem()[0]: each for key, each in value.items()}
        if not isinstance(raw, dict) or raw.keys() != named.keys():
            return False
        return all(matches_stored_json(raw[name], each) for name, each in named.items())
    if isinstance(value, list | tuple):
        if not isinstance(raw, list) or len(raw) != len(value):
            return False
        return all(map(matches_stored_json, raw, value))
    return canonical_bytes(raw) == canonical_bytes(value)
