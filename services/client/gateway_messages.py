"""What a gateway's journal keeps, as messages of the stream."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from services.wire.emeth.v1 import gateways_pb2 as pb

TAP_FIELDS: Final = ("code", "prompt", "offline", "seat", "armed")
"""What a tap says beside what every message says."""


class Kept(Struct, frozen=True):
    """A device kept this while it had no line to its gateway, and told it later."""

    journal: int
    """What was told together has the same number: the service is sent it as one journal."""
    device_ms: int
    """When it was, by the device's own clock: milliseconds since 1970."""


def outgoing(messages: Sequence[dict[str, Any]], together: int) -> Iterator[pb.ConnectRequest]:
    """These messages as they are sent, in order: what a device told as one journal as one, and all
    others one by one, or so many `together` if that is not 0."""
    for journal, group in groupby(messages, key=lambda message: message.get("journal", 0)):
        each = [*group]
        if journal:
            yield journal_of(each)
        elif together:
            for at in range(0, len(each), together):
                yield journal_of(each[at : at + together])
        else:
            yield from map(request_of, each)


def numbers_in(request: pb.ConnectRequest) -> dict[int, str]:
    """The styluses of what is in a journal, by its numbers; empty for all other messages."""
    told = [getattr(each, each.WhichOneof("what") or "") for each in request.journal.entries]
    return {each.seq: each.stylus for each in told}


def last_in(request: pb.ConnectRequest) -> int:
    """The number of a message, or of the last entry of a journal."""
    numbers = numbers_in(request)
    return max(numbers) if numbers else int(getattr(request, request.WhichOneof("what") or "").seq)


def journal_of(messages: Iterable[dict[str, Any]]) -> pb.ConnectRequest:
    """Messages that were kept, as one."""
    journal = pb.Journal()
    for message in messages:
        request = request_of(message)
        kind = request.WhichOneof("what")
        assert kind is not None
        journal.entries.add(**{kind: getattr(request, kind)})
    return pb.ConnectRequest(journal=journal)


def request_of(message: dict[str, Any]) -> pb.ConnectRequest:
    """A message that was kept."""
    common = {name: message[name] for name in ("seq", "device_ms", "stylus")}
    if message["kind"] == "tap":
        told = {name: message[name] for name in TAP_FIELDS if name in message}
        return pb.ConnectRequest(tap=pb.Tap(**common, **told))
    if message["kind"] == "scan":
        seen = [pb.ScannedSpace(space=s, signs=signs) for s, signs in message["spaces"].items()]
        offline = message.get("offline", False)
        scan = pb.Scan(**common, whole=message["whole"], spaces=seen, offline=offline)
        return pb.ConnectRequest(scan=scan)
    sign = pb.Sign(**common, kind=message["code"], percent=message["percent"])
    return pb.ConnectRequest(sign=sign)
