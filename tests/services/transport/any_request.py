"""Requests of any rpc: what its descriptor allows, sensible by half, and bytes that are none."""

import struct
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final
from uuid import UUID

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)

MODULES: Final[tuple[Any, ...]] = (
    admin_pb2,
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    gateways_pb2,
    styluses_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)
METHODS: Final[tuple[MethodDescriptor, ...]] = tuple(
    method
    for module in MODULES
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
)
"""Every rpc of the contract."""

MAX_DEPTH: Final = 8
"""Messages within messages."""
TEXTS: Final = (
    "",
    " ",
    "\x00",
    "a\nb",
    "\u202e",
    "🗿",
    "e\u0301" * 30,
    "x" * 81,
    "x" * 1001,
    "x" * 20_000,
    "-1",
    "NaN",
    "../../etc/passwd",
    "'; DROP TABLE matches; --",
    "123e4567-e89b-42d3-a456-426614174000",
    '{"type":"' + "[" * 500,
    "9" * 400,
)
_INTEGERS: Final = (0, 1, 2, 3, 5, 50, 501, 2**31 - 1)
_LARGE: Final = (2**32 - 1, 2**32, 2**53, 2**62, 2**63 - 1)
NUMBERS: Final[Mapping[int, Sequence[Any]]] = {
    FieldDescriptor.CPPTYPE_INT32: (*_INTEGERS, -1, -(2**31)),
    FieldDescriptor.CPPTYPE_INT64: (*_INTEGERS, *_LARGE, -1, -(2**63)),
    FieldDescriptor.CPPTYPE_UINT32: (*_INTEGERS, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (*_INTEGERS, *_LARGE, 2**63, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (0, 1, 2, 3, 4, 99, 2**31 - 1, -1),
    FieldDescriptor.CPPTYPE_BOOL: (True, False),
    FieldDescriptor.CPPTYPE_FLOAT: (0.0, 1.0, -1.0, 1e30, float("nan"), float("inf")),
    FieldDescriptor.CPPTYPE_DOUBLE: (
        *(0.0, 1.0, 3.0, -1.0, 0.5, 1e300, 2.0**63, 5e-324),
        *(float("nan"), float("inf"), float("-inf")),
    ),
}


class AnyRequest:
    """Makes requests at random; `known` has what would be right, by the names of fields."""

    def __init__(self, random: Random, known: Mapping[str, Sequence[str]]) -> None:
        self._random = random
        self._known = known

    def bytes_for(self, method: MethodDescriptor) -> bytes:
        """The bytes of a request; of every other one, bytes with something wrong in them."""
        raw = self.message(method).SerializeToString()
        return raw if self._random.random() < 0.6 else self._spoiled(raw)

    def message(self, method: MethodDescriptor) -> Message:
        """A request with any fields in it."""
        message = GetMessageClass(method.input_type)()
        self._fill(message, 0)
        return message

    def _fill(self, message: Message, depth: int) -> None:
        share = self._random.choice((0.3, 0.8, 1.0)) / (1 + depth / 4)
        for field in message.DESCRIPTOR.fields:
            known = field.name in self._known and depth == 0
            if self._random.random() < (0.9 if known else share):
                self._set(message, field, depth)

    def _set(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        values = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            self._map(values, field, depth)
        elif field.is_repeated and field.message_type is not None:
            for _ in range(self._random.choice((0, 1, 2, 5)) if depth < MAX_DEPTH else 0):
                self._fill(values.add(), depth + 1)
        elif field.is_repeated:
            values.extend(self._value(field) for _ in range(self._random.choice((1, 2, 30))))
        elif field.message_type is not None:
            values.SetInParent()
            if depth < MAX_DEPTH:
                self._fill(values, depth + 1)
        else:
            setattr(message, field.name, self._value(field))

    def _map(self, values: Any, field: FieldDescriptor, depth: int) -> None:
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        for _ in range(self._random.choice((0, 1, 3))):
            if value.message_type is None:
                values[self._value(key)] = self._value(value)
            else:
                within = values[self._value(key)]
                if depth < MAX_DEPTH:
                    self._fill(within, depth + 1)

    def _value(self, field: FieldDescriptor) -> Any:
        known = self._known.get(field.name, ())
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
                return self._random.randbytes(self._random.choice((0, 1, 50)))
            case FieldDescriptor.CPPTYPE_STRING if field.name == "request_id":
                return str(UUID(bytes=self._random.randbytes(16)))
            case FieldDescriptor.CPPTYPE_STRING:
                usual = known or self._known["key"]
                return self._random.choice(usual if self._random.random() < 0.8 else TEXTS)
            case kind:
                numbers = NUMBERS[kind]
                # Most of them small: only such numbers are versions and sizes that there are.
                return self._random.choice(numbers[:4] if self._random.random() < 0.5 else numbers)

    def _spoiled(self, raw: bytes) -> bytes:
        random, place = self._random, self._random.randrange(len(raw) + 1)
        match random.randrange(7):
            case 0:
                return raw[:place]
            case 1:
                return random.randbytes(random.choice((1, 2, 30, 300)))
            case 2:
                return raw[:place] + random.randbytes(random.choice((1, 4))) + raw[place:]
            case 3:
                return raw[:place] + bytes([random.randrange(256)]) + raw[place + 1 :]
            case 4:  # a text that ends inside a letter
                cut = "gölem 🗿".encode()[: random.choice((2, -1, -2, -3))]
                tag = bytes([random.randrange(1, 8) << 3 | 2])
                return raw + tag + bytes([len(cut)]) + cut
            case 5:  # within itself, again and again
                for _ in range(random.choice((5, 120))):
                    raw = bytes([random.randrange(1, 8) << 3 | 2]) + _varint(len(raw)) + raw
                return raw
            case _:
                return raw * random.choice((2, 3)) + struct.pack("<q", random.randrange(2**40))


def _varint(number: int) -> bytes:
    written = b""
    while number > 127:
        written += bytes([number & 127 | 128])
        number >>= 7
    return written + bytes([number])
