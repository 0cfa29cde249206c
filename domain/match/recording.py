"""The recorded form of an event: its bytes, and the event that they decode to.

A command may make an event in more than one spelling: a default may be written out, and a tuple is
read back as a list. So an event is read back before it is sealed, and the match continues from what
was read. Later reads and audits then see the same values.
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
    """Return the union of types that are only known at run time."""
    return reduce(or_, types)


@cache
def event_decoder() -> msgspec.json.Decoder[Event]:
    """Return a decoder of any match event, with the actions and facts of all games."""
    actions = union(game.actions for game in GAMES.values())
    facts = union(game.facts for game in GAMES.values())
    # The type parameters are only known at run time.
    taken = cast(Any, ActionTaken)[actions, facts]
    plain = [each for each in get_args(Event) if get_origin(each) is None]
    return msgspec.json.Decoder(union((*plain, taken, *event_types_with_facts(facts))))


def event_types_with_facts(facts: Any) -> tuple[Any, ...]:
    """Return the types of events, other than actions, that hold facts of these types."""
    types = (PlayerResigned, FlagFell, VerdictGiven)
    return tuple(cast(Any, each)[facts] for each in types)


def seal_as_stored(previous: str, event: Event) -> SealedEvent[Event]:
    """Return the event as the log will return it, chained to the digest of the one before it."""
    return seal(previous, event_decoder().decode(canonical_bytes(event)))


def as_stored(value: Any) -> Any:
    """Return a value with the types that JSON returns: lists for tuples, texts for IDs."""
    return msgspec.json.decode(canonical_bytes(value))


def matches_stored_json(raw: Any, value: Any) -> bool:
    """Return whether this JSON holds the content of a value, and nothing else.

    A field at its default may be written or omitted: earlier releases did both.
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
