"""The filter grammar and the ordering of lists: a small subset of AIP-160 and AIP-132.

A filter compares fields with values, all of which must hold::

    game = "agog" AND status != OVER AND title : "sunday" AND create_time >= "2026-11-01T00:00:00Z"

Each list has a table of its fields. A value is a word, or a text in double quotes, in which a
backslash takes the next character as it is. The operators are ``=``, ``!=``, ``<``, ``<=``, ``>``,
``>=`` and ``:`` (has); each field names those that it takes.
"""

import operator
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeVar, get_args
from uuid import UUID

from msgspec import Struct

from services.api.requests import CONTROL_CHARACTERS
from services.runtime.errors import field_invalid

T = TypeVar("T")

Operator = Literal["=", "!=", "<", "<=", ">", ">=", ":"]
MAX_VALUE_LENGTH: Final = 200
"""Characters in a text that a field is compared with, at most."""

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<operator><=|>=|!=|[=<>:])|(?P<word>[^\s"=<>!:()]+))""",
    re.DOTALL,
)
_OPERATOR: Final[Mapping[str, Operator]] = {each: each for each in get_args(Operator)}
_ORDERED: Final[tuple[Operator, ...]] = ("=", "!=", "<", "<=", ">", ">=")


class FilterField(Struct, frozen=True):
    """A field that a list can be filtered by."""

    read: Callable[[str], Any]
    """Returns the value that a text stands for. Raises ValueError, with words, for any other."""
    operators: tuple[Operator, ...] = ("=",)


Conditions = Mapping[tuple[str, Operator], Any]
"""The values of a filter by field and operator."""

_HOLDS: Final[Mapping[Operator, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    ":": operator.contains,
}


def parse_filter(text: str, fields: Mapping[str, FilterField], name: str = "filter") -> Conditions:
    """Return the conditions of a filter; none for an empty one.

    Args:
        text: The filter.
        fields: The fields of the list.
        name: The field of the request that has the filter.

    Raises:
        ApiError: FIELD_INVALID on `name`, with what is wrong and where.
    """
    tokens = _tokens(text, name)
    found: dict[tuple[str, Operator], Any] = {}
    while tokens:
        if found and _next(tokens, "word", name, "AND") != "AND":
            raise field_invalid(name, "comparisons must be joined by AND")
        field = _next(tokens, "word", name, "a field")
        if (known := fields.get(field)) is None:
            raise field_invalid(
                name, f"there is no field {field[:40]!r}; the fields are {', '.join(fields)}"
            )
        written = _next(tokens, "operator", name, f"an operator after {field}")
        if written not in known.operators:
            raise field_invalid(name, f"{field} takes {' '.join(known.operators)}, not {written}")
        key = field, _OPERATOR[written]
        if key in found:
            raise field_invalid(name, f"{field} {written} is given twice: leave one of them out")
        try:
            found[key] = known.read(_next(tokens, "value", name, f"a value for {field}"))
        except ValueError as error:
            raise field_invalid(name, f"{field}: {error}") from None
    return found


def parse_values(text: str, fields: Mapping[str, FilterField]) -> dict[str, Any]:
    """Return the values of a filter by field, for a list whose fields take one operator each."""
    return {field: value for (field, _), value in parse_filter(text, fields).items()}


def satisfies(value: Any, comparison: Operator, wanted: Any) -> bool:
    """Return whether a field with this value fits one condition of a filter."""
    return _HOLDS[comparison](value, wanted)


def _tokens(text: str, name: str) -> list[tuple[str, str]]:
    """Return the tokens of a filter in reverse: the kind of each, and its text."""
    found, place, text = [], 0, text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise field_invalid(name, f"character {place + 1} is not part of the filter syntax")
        assert match.lastgroup is not None
        found.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return found[::-1]


def _next(tokens: list[tuple[str, str]], wanted: str, name: str, what: str) -> str:
    kind, text = tokens.pop() if tokens else ("end", "")
    if wanted == "value" and kind == "text":
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    if kind != ("word" if wanted == "value" else wanted):
        where = f"not {text[:40]}" if text else "at the end"
        raise field_invalid(name, f"{what} is missing, {where}")
    return text


# --- kinds of fields -----------------------------------------------------------------------------


def text_field(*operators: Operator) -> FilterField:
    """Return a field of text; ``:`` for a part of it."""

    def read(value: str) -> str:
        if not 1 <= len(value) <= MAX_VALUE_LENGTH:
            raise ValueError(f"it has 1 to {MAX_VALUE_LENGTH} characters")
        if CONTROL_CHARACTERS.search(value):
            raise ValueError("it has no control characters")
        return value

    return FilterField(read, operators or ("=",))


def id_field(*operators: Operator) -> FilterField:
    """Return a field that is a UUID; its value is the usual spelling."""
    return FilterField(_identifier, operators or ("=",))


def ids_field(limit: int) -> FilterField:
    """Return a field that is one of several UUIDs, which are separated by commas, with ``:``."""

    def read(value: str) -> tuple[str, ...]:
        parts = [part.strip() for part in value.split(",")]
        if len(parts) > limit:
            raise ValueError(f"{limit} IDs at most, not {len(parts)}")
        return tuple(map(_identifier, parts))

    return FilterField(read, (":",))


def flag_field() -> FilterField:
    """Return a field that is true or false."""
    return choice_field({"true": True, "false": False}, "=")


def choice_field(values: Mapping[str, Any], *operators: Operator) -> FilterField:
    """Return a field that has one of a few words, each with what it stands for."""

    def read(value: str) -> Any:
        if value not in values:
            raise ValueError(f"it is one of {', '.join(values)}")
        return values[value]

    return FilterField(read, operators or ("=", "!="))


def number_field(least: int, greatest: int) -> FilterField:
    """Return a field that is a whole number."""

    def read(value: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,18}", value) or not least <= int(value) <= greatest:
            raise ValueError(f"it is a whole number from {least} to {greatest}")
        return int(value)

    return FilterField(read, _ORDERED)


def time_field() -> FilterField:
    """Return a field that is a time, as ``"2026-11-24T12:00:00Z"``."""

    def read(value: str) -> datetime:
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("it is a time, as 2026-11-24T12:00:00Z") from None
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)

    return FilterField(read, _ORDERED)


def _identifier(value: str) -> str:
    try:
        return str(UUID(value))
    except ValueError:
        raise ValueError("it is a UUID, as 123e4567-e89b-42d3-a456-426614174000") from None


# --- ordering ------------------------------------------------------------------------------------


def parse_order(text: str, orders: Mapping[str, T]) -> T:
    """Return the order that an `order_by` names, such as ``create_time desc``.

    The first of `orders` is the default.

    Raises:
        ApiError: FIELD_INVALID on `order_by`.
    """
    wanted = " ".join(text.split()) or next(iter(orders))
    if wanted not in orders:
        raise field_invalid("order_by", f"it must be one of {', '.join(map(repr, orders))}")
    return orders[wanted]
