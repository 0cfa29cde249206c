"""Messages that many are sent: each is encoded once."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message

Encode = Callable[[Message], bytes]
STREAMS: Final = frozenset({"emeth.v1.ViewsService.WatchMatch"})
"""The rpcs whose responses many are sent."""
KEPT: Final = 64
"""Messages whose bytes are at hand: the next in a crowd of watchers is served a moment later."""


def binary(message: Message) -> bytes:
    """A message as bytes."""
    return message.SerializeToString()


class SharedBytes:
    """The bytes of messages, each by what it is and not by what it says: whoever shows one message
    to many must not change it. It lives on the event loop."""

    def __init__(self, encode: Encode = binary) -> None:
        self.encode = encode
        """Makes the bytes of a message that few are sent."""
        self._kept: OrderedDict[int, tuple[Message, bytes]] = OrderedDict()

    def of(self, message: Message) -> bytes:
        """The bytes of a message."""
        known = self._kept.get(id(message))  # it is kept itself, so nothing else has that id
        if known is None:
            known = self._kept[id(message)] = message, self.encode(message)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return known[1]
