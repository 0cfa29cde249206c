"""JSON-like messages of the API (options, armies, schemas), from Python values and back."""

from typing import Any

from google.protobuf.struct_pb2 import Struct, Value


class ValueMissing(ValueError):  # noqa: N818  # it says what is so, as the store's errors do
    """A value in a message that says nothing, not even null."""

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(f"{place} has no value")


def to_struct(values: dict[str, Any]) -> Struct:
    """Values by name as the JSON-like message. Numbers become doubles there."""
    message = Struct()
    message.update(values)
    return message


def to_value(value: Any) -> Value:
    """A value as the JSON-like message."""
    message = Value()
    message.CopyFrom(to_struct({"": value}).fields[""])
    return message


def from_struct(field: str, message: Struct) -> dict[str, Any]:
    """The values of a JSON-like message in a field, with whole numbers as integers again.
    ValueMissing for one that says nothing."""
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
