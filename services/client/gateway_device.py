"""What a gateway runs on: its clock and its line, the language of its users, what it can do."""

import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

import grpc
import grpc.aio

from services.wire.emeth.v1 import gateways_pb2 as pb

RESEND_SECONDS: Final = 2.0
"""How long the service may be silent before what it has not acknowledged is sent again."""
CHANNEL: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)

Obey = Callable[[pb.DeviceCommand], Awaitable[str]]
"""Has a device do something: gives why it cannot, or nothing when it has done it."""
Mangle = Callable[[pb.ConnectRequest], list[pb.ConnectRequest]]
"""What a bad line makes of a message: nothing, the same twice, an older one after it."""


@dataclass(frozen=True)
class Device:
    """What a gateway runs on, and how its line behaves: tests and simulations have others."""

    software: str = "emeth-gateway/1"
    locale: str = ""
    """In which its users read, as `de-CH`; empty if it does not say."""
    clock: Callable[[], float] = time.time
    """Seconds since 1970."""
    mangle: Mangle = lambda request: [request]
    resend_seconds: float = RESEND_SECONDS
    journal_entries: int = 0
    """It sends so many messages at once of what it kept while the line was down; 0: one by one."""


USUAL: Final = Device()


def channel_to(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.aio.Channel:
    """A channel that stays open as a gateway needs it; by TLS if there are `credentials`."""
    if credentials is not None:
        return grpc.aio.secure_channel(address, credentials, CHANNEL)
    return grpc.aio.insecure_channel(address, CHANNEL)


async def unable(_: pb.DeviceCommand) -> str:
    """Does nothing of what a device is told to do."""
    return "this gateway cannot do that"


_LOCALE: Final = re.compile(r"([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@].*)?")


def locale_here(environment: Mapping[str, str] = os.environ) -> str:
    """The language that this machine's user reads, as a tag of BCP 47; empty if it does not say.

    >>> locale_here({"LANG": "de_CH.UTF-8"}), locale_here({"LC_ALL": "C", "LANG": "de_CH.UTF-8"})
    ('de-CH', '')
    >>> locale_here({"LC_MESSAGES": "fr", "LANG": "en_GB"}), locale_here({})
    ('fr', '')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    said = next((environment[name] for name in names if environment.get(name)), "")
    found = _LOCALE.fullmatch(said)
    return "-".join(filter(None, found.groups())) if found else ""
