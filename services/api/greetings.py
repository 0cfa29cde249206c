"""How a gateway's stream begins: with a hello, which says who it is and how it goes on."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

from domain.table import Greeting
from services.api.requests import short_text
from services.errors import malformed
from services.wire.emeth.devices.v1 import connections_pb2 as pb

HELLO_SECONDS: Final = 20.0
"""How long a new stream may be silent."""
LONGEST_EPOCH: Final = 40
LONGEST_SOFTWARE: Final = 80
LONGEST_LOCALE: Final = 35
"""Characters of a language's tag, as BCP 47 would have its readers provide for."""
_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", re.ASCII)


async def first_hello(requests: AsyncIterator[pb.ConnectRequest]) -> pb.Hello:
    """The first message of a stream. FIELD_INVALID if it is no hello, or does not come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await anext(requests, None)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("message") != "hello":
        raise malformed("hello", "the first message of a connection says who the gateway is")
    return first.hello


def greeting(hello: pb.Hello) -> Greeting:
    """What a hello says. FIELD_INVALID for what is too long, or no language's tag."""
    locale = short_text("locale", hello.locale, LONGEST_LOCALE)
    if locale and not _LOCALE.fullmatch(locale):
        raise malformed("locale", "it is a language's tag, as de-CH")
    return Greeting(
        epoch=short_text("epoch", hello.epoch, LONGEST_EPOCH, 1),
        first_kept=hello.first_kept_seq,
        software=short_text("software", hello.software, LONGEST_SOFTWARE),
        locale=locale,
    )
