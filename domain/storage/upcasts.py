"""Upcasts: how the shapes of events and facts that were stored before are read now."""

from collections.abc import Callable
from typing import Any, Final

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: Final[dict[str, Upcast]] = {}
"""From the tag of an old shape, of an event or a fact, to what makes the next newer one of it.

A stored event is never rewritten. Who changes a shape gives the new one a new tag, and adds here
how the old is read; a sample of the old stays in `tests/domain/stored_shapes` for ever.
"""


def upcast(value: Any) -> Any:
    """What stands in a stored event, as JSON has it, in the present shapes."""
    if isinstance(value, list):
        return [upcast(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: upcast(item) for name, item in value.items()}
    while (newer := UPCASTS.get(str(value.get("type", "")))) is not None:
        value = newer(value)
    return value
