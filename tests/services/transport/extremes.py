"""Requests that are right but for one field, which is at an extreme of what its type allows."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

MAX_DEPTH: Final = 3
"""Fields within fields."""
MANY: Final = 3_000
"""Of what may be there several times."""
TEXTS: Final = (
    "",
    "\x00\x1b[2J\u202e\u2028\ufeff",
    "-1",
    "9" * 5_000,
    "[" * 5_000,
    "🗿" * 15_000,
    "x" * 1_000_000,
)
NUMBERS: Final[Mapping[int, tuple[Any, ...]]] = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), -1, 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), -1, 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**63, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), -1, 99, 2**31 - 1),
    FieldDescriptor.CPPTYPE_BOOL: (True, False),
    FieldDescriptor.CPPTYPE_FLOAT: (float("nan"), float("-inf"), 3e38),
    FieldDescriptor.CPPTYPE_DOUBLE: (float("nan"), float("-inf"), 1.7e308, 5e-324),
}

Right = Mapping[str, Any]
"""What is right, by the names of fields."""


class Extreme(NamedTuple):
    """A field of a request, and what is put there."""

    path: tuple[FieldDescriptor, ...]
    value: Any

    def __str__(self) -> str:
        return f"{'.'.join(each.name for each in self.path)} = {str(self.value)[:80]!r}"

    def request(self, method: MethodDescriptor, known: Right) -> Message:
        """A request that is right but for this."""
        message = GetMessageClass(method.input_type)()
        for field in method.input_type.fields:
            value = known.get(field.name)
            if field.name in known and field.is_repeated == isinstance(value, tuple):
                _put(message, field, value)
        within: Any = message
        for field in self.path[:-1]:
            within = getattr(within, field.name)
            if field.is_repeated:
                within = within[0] if len(within) else within.add()
        if self.path:
            _put(within, self.path[-1], self.value)
        return message


def extremes(method: MethodDescriptor) -> Iterator[Extreme]:
    """Each field of a method's requests at each of its extremes; first a request without any."""
    yield Extreme((), None)
    for path in _paths(method.input_type.fields, ()):
        for value in _values(path[-1]):
            yield Extreme(path, value)


def _paths(
    fields: Any, before: tuple[FieldDescriptor, ...]
) -> Iterator[tuple[FieldDescriptor, ...]]:
    for field in fields:
        path = (*before, field)
        yield path
        kind = field.message_type
        if kind is not None and not kind.GetOptions().map_entry and len(path) < MAX_DEPTH:
            yield from _paths(kind.fields, path)


def _values(field: FieldDescriptor) -> tuple[Any, ...]:
    if field.message_type is not None:
        kinds = field.message_type.fields_by_name
        if field.message_type.GetOptions().map_entry:
            keys = _values(kinds["key"])
            return tuple({key: None} for key in keys)
        return ((None,), (None,) * MANY) if field.is_repeated else (None,)
    alone: tuple[Any, ...] = NUMBERS.get(field.cpp_type, TEXTS)
    if field.type == FieldDescriptor.TYPE_BYTES:
        alone = (b"", b"\xff", b"\n" * 100_000)
    return (*((each,) for each in alone), alone[:1] * MANY) if field.is_repeated else alone


def _put(message: Any, field: FieldDescriptor, value: Any) -> None:
    """Set a field: None is a message that says nothing."""
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        entries = getattr(message, field.name)
        for key, each in value.items():
            if field.message_type.fields_by_name["value"].message_type is not None:
                entries[key].SetInParent()
            else:
                entries[key] = each if each is not None else type(entries[key])()
    elif field.is_repeated:
        message.ClearField(field.name)
        entries = getattr(message, field.name)
        for each in value:
            if field.message_type is not None:
                entries.add()
            else:
                entries.append(each)
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, value)
