"""Messages that many are sent: each is encoded once."""

import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from services.api.topics import TopicMessage
from services.wire.emeth.v1.subscriptions_pb2 import SubscribeResponse

Encode = Callable[[Message], bytes]
MAX_CACHED_MESSAGES: Final = 64
"""Messages whose bytes are at hand: the next in a crowd of watchers is served a moment later."""


def to_bytes(message: Message) -> bytes:
    """A message as bytes."""
    return message.SerializeToString()


def to_json(message: Message) -> bytes:
    """A message as JSON on one line."""
    return MessageToJson(message, indent=None).encode()


class EncodedMessageCache:
    """The bytes of messages, each by what it is and not by what it says: whoever shows one message
    to many must not change it. It lives on the event loop."""

    def __init__(self, encode: Encode = to_bytes) -> None:
        self.encode = encode
        """Makes the bytes of a message that few are sent."""
        self._kept: OrderedDict[int, tuple[Message, bytes]] = OrderedDict()

    def of(self, message: Message | TopicMessage) -> bytes:
        """Return the bytes of a message, or of one of a stream of Subscribe."""
        if not isinstance(message, TopicMessage):
            return self.encode(message)
        inner = self._shared(message.message) if message.shared else self.encode(message.message)
        return (_json if self.encode is to_json else _binary)(message, inner)

    def _shared(self, message: Message) -> bytes:
        known = self._kept.get(id(message))  # it is kept itself, so nothing else has that id
        if known is None:
            known = self._kept[id(message)] = message, self.encode(message)
            if len(self._kept) > MAX_CACHED_MESSAGES:
                self._kept.popitem(last=False)
        return known[1]


# --- messages of streams, put together ------------------------------------------------------------


def encode_field(key: bytes, message: bytes) -> bytes:
    """Return a message as a field of another, as protobuf writes it: a key, its length, its bytes.

    By hand, since a message put into another is copied and encoded again: each answer, and what a
    crowd of watchers is sent for each of them.
    """
    return key + encode_varint(len(message)) + message


def encode_varint(value: int) -> bytes:
    """Return a number as protobuf writes it."""
    if value < len(_SHORT):
        return _SHORT[value]
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*digits, value))


_SHORT: Final = [bytes((value,)) for value in range(0x80)]
"""The numbers of one byte each, which most are."""
_FIELDS: Final = SubscribeResponse.DESCRIPTOR.fields_by_name
_KEYS: Final = {name: encode_varint(each.number << 3 | 2) for name, each in _FIELDS.items()}
"""What stands before each field's value. All have a length: they are texts and messages."""
_TOPIC_ID, _CURSOR = _KEYS["topic_id"], _KEYS["cursor"]


def _binary(message: TopicMessage, inner: bytes) -> bytes:
    whole = encode_field(_KEYS[message.event], inner)
    if message.cursor:
        whole = encode_field(_CURSOR, message.cursor.encode()) + whole
    return encode_field(_TOPIC_ID, message.topic_id.encode()) + whole if message.topic_id else whole


def _json(message: TopicMessage, inner: bytes) -> bytes:
    texts = {"topicId": message.topic_id, "cursor": message.cursor}
    head = "".join(
        f"{json.dumps(name)}: {json.dumps(text)}, " for name, text in texts.items() if text
    )
    name = _FIELDS[message.event].json_name
    return b'{%s"%s": %s}' % (head.encode(), name.encode(), inner)
