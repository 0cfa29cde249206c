"""Upcasts, which convert old shapes of stored events and facts to the current ones."""

from collections.abc import Callable
from typing import Any, Final

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: Final[dict[str, Upcast]] = {}
"""Functions that convert an event or fact to its next newer shape, by the tag of the old shape.

A stored event is never rewritten. A changed shape needs a new tag and an upcast here. A sample of
the old shape stays in `tests/domain/stored_shapes`.
"""


def upcast(value: Any) -> Any:
    """Return a decoded JSON value with all events and facts in it converted to current shapes."""
    if isinstance(value, list):
        return [upcast(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: upcast(item) for name, item in value.items()}
    while (newer := UPCASTS.get(str(value.get("type", "")))) is not None:
        value = newer(value)
    return value
