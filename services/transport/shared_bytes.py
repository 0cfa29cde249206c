"""A cache of encoded messages, so that a message for many watchers is encoded once."""

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
"""Number of encoded messages in the cache. Watchers of one match need the same message in a short
time."""


def to_bytes(message: Message) -> bytes:
    """Return a message in the binary format."""
    return message.SerializeToString()


def to_json(message: Message) -> bytes:
    """Return a message as JSON on one line."""
    return MessageToJson(message, indent=None).encode()


class EncodedMessageCache:
    """A cache of encoded messages by object identity, for use on the event loop.

    A message that is shared must not be changed.
    """

    def __init__(self, encode: Encode = to_bytes) -> None:
        self.encode = encode
        """Encodes a message that is not shared."""
        self._encoded: OrderedDict[int, tuple[Message, bytes]] = OrderedDict()

    def get(self, message: Message | TopicMessage) -> bytes:
        """Return the bytes of a message, or of a message of a Subscribe stream."""
        if not isinstance(message, TopicMessage):
            return self.encode(message)
        inner = (
            self._encode_shared(message.message) if message.shared else self.encode(message.message)
        )
        return (_json if self.encode is to_json else _binary)(message, inner)

    def _encode_shared(self, message: Message) -> bytes:
        known = self._encoded.get(id(message))  # the cached message is alive, so its id is unique
        if known is None:
            known = self._encoded[id(message)] = message, self.encode(message)
            if len(self._encoded) > MAX_CACHED_MESSAGES:
                self._encoded.popitem(last=False)
        return known[1]


# --- messages of streams, put together ------------------------------------------------------------


def encode_field(key: bytes, message: bytes) -> bytes:
    """Return a message as an embedded field in the protobuf format: key, length and bytes.

    Protobuf would copy and encode an embedded message again for each watcher.
    """
    return key + encode_varint(len(message)) + message


def encode_varint(value: int) -> bytes:
    """Return a number as a protobuf varint."""
    if value < len(_SHORT):
        return _SHORT[value]
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*digits, value))


_SHORT: Final = [bytes((value,)) for value in range(0x80)]
"""All varints of one byte, which most are."""
_FIELDS: Final = SubscribeResponse.DESCRIPTOR.fields_by_name
_KEYS: Final = {name: encode_varint(each.number << 3 | 2) for name, each in _FIELDS.items()}
"""Encoded key before the value of each field. All values have a length."""
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
