"""States whose mappings were filled in another order."""

from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


def shuffle_mappings(value: Any, chance: Random) -> Any:
    """An equal value, with every mapping in it filled in an order of chance."""
    if isinstance(value, Struct):
        parts = {name: getattr(value, name) for name in value.__struct_fields__}
        return replace(
            value, **{name: shuffle_mappings(part, chance) for name, part in parts.items()}
        )
    if isinstance(value, dict):
        items = [(key, shuffle_mappings(part, chance)) for key, part in value.items()]
        chance.shuffle(items)
        return dict(items)
    if isinstance(value, tuple):
        return tuple(shuffle_mappings(part, chance) for part in value)
    return value
