"""Conversion between Python values and the JSON-like messages of the API."""

from typing import Any

from google.protobuf.struct_pb2 import Struct, Value


class ValueMissing(ValueError):  # noqa: N818  # named like the store's errors
    """A value of a message is not set, not even to null."""

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(f"{place} has no value")


def to_struct(values: dict[str, Any]) -> Struct:
    """Return values by name as a `Struct` message, in which numbers become doubles."""
    message = Struct()
    message.update(values)
    return message


def to_value(value: Any) -> Value:
    """Return a value as a `Value` message."""
    message = Value()
    message.CopyFrom(to_struct({"": value}).fields[""])
    return message


def from_struct(field: str, message: Struct) -> dict[str, Any]:
    """Return the values of a `Struct` message, with whole numbers as integers.

    Raises:
        ValueMissing: A value is not set.
    """
    return {name: _plain(f"{field}.{name}", value) for name, value in message.fields.items()}


def _plain(place: str, value: Value) -> Any:
    match value.WhichOneof("kind"):
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "struct_value":
            return from_struct(place, value.struct_value)
        case "list_value":
            values = value.list_value.values
            return [_plain(f"{place}[{at}]", each) for at, each in enumerate(values)]
        case "null_value":
            return None
        case None:
            raise ValueMissing(place)
        case kind:
            return getattr(value, kind)
