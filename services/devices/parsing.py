"""Parsing of gateway messages into those of `domain.table`."""

from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from domain.table import Message, StylusStatus
from domain.table.events import MAX_STYLUS_ID_LENGTH
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2

STYLUS_STATUSES: Final[dict[int, StylusStatus]] = {
    tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED: "lost",
    tables_pb2.STYLUS_STATUS_KIND_CONNECTED: "heard",
    tables_pb2.STYLUS_STATUS_KIND_SWITCHED_OFF: "off",
    tables_pb2.STYLUS_STATUS_KIND_SWITCHED_ON: "on",
    tables_pb2.STYLUS_STATUS_KIND_FACTORY_RESET: "reset",
    tables_pb2.STYLUS_STATUS_KIND_BATTERY: "battery",
}
MAX_TIME_MS: Final = (1 << 53) - 1
"""The largest integer that every JSON parser represents exactly."""


def parse_message(
    request: pb.ConnectRequest | pb.JournalEntry, gateway: str, epoch: str
) -> tuple[Message | None, StylusStatus | None]:
    """Return the message in a request; None for a kind that this protocol version lacks."""
    match request.WhichOneof("message"):
        case "tap":
            return _new_message(request.tap, gateway, epoch, **_parse_tap(request.tap)), None
        case "status" if request.status.kind in STYLUS_STATUSES:
            percent = min(request.status.battery_percent, 100)
            noticed = _new_message(
                request.status, gateway, epoch, what="", is_sign=True, percent=percent
            )
            return noticed, STYLUS_STATUSES[request.status.kind]
        case _:
            return None, None


def _parse_tap(tap: pb.Tap) -> dict[str, Any]:
    return {
        "what": tap.code,
        "prompt": tap.prompt_number,
        "armed": tap.armed,
        "offline": tap.offline,
        "seat": tap.seat[:MAX_STYLUS_ID_LENGTH],
    }


def _milliseconds(time: Timestamp) -> int:
    """Return the milliseconds of a timestamp, limited to the range that is stored."""
    milliseconds = time.seconds * 1000 + time.nanos // 1_000_000
    return max(-MAX_TIME_MS, min(milliseconds, MAX_TIME_MS))


def _new_message(sent: pb.Tap | pb.StylusStatus, gateway: str, epoch: str, **more: Any) -> Message:
    return Message(
        gateway=gateway,
        epoch=epoch,
        seq=sent.seq,
        device_ms=_milliseconds(sent.device_time),
        stylus=sent.stylus_id,
        **more,
    )
