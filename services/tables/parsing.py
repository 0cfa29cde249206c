"""What gateways send, as `domain.table` takes it."""

from typing import Any, Final

from domain.table import Message, Sign
from domain.table.events import LONGEST_STYLUS
from services.wire.emeth.v1 import gateways_pb2 as pb

SIGNS: Final[dict[int, Sign]] = {
    pb.SIGN_KIND_LOST: "lost",
    pb.SIGN_KIND_HEARD: "heard",
    pb.SIGN_KIND_OFF: "off",
    pb.SIGN_KIND_ON: "on",
    pb.SIGN_KIND_RESET: "reset",
    pb.SIGN_KIND_BATTERY: "battery",
}
LARGEST_SEQ: Final = (1 << 53) - 1
"""The largest whole number that every reader of JSON takes."""


def parsed(
    request: pb.ConnectRequest | pb.JournalEntry, gateway: str, epoch: str
) -> tuple[Message | None, Sign | None]:
    """The message in a request; None for what a later version of the protocol may send."""
    match request.WhichOneof("what"):
        case "tap":
            return _message(request.tap, gateway, epoch, **_tapped(request.tap)), None
        case "sign" if request.sign.kind in SIGNS:
            percent = min(request.sign.percent, 100)
            noticed = _message(request.sign, gateway, epoch, what="", is_sign=True, percent=percent)
            return noticed, SIGNS[request.sign.kind]
        case _:
            return None, None


def _tapped(tap: pb.Tap) -> dict[str, Any]:
    return {
        "what": tap.code,
        "prompt": _bounded(tap.prompt),
        "armed": tap.armed,
        "offline": tap.offline,
        "seat": tap.seat[:LONGEST_STYLUS],
    }


def _message(sent: pb.Tap | pb.Sign, gateway: str, epoch: str, **more: Any) -> Message:
    return Message(
        gateway=gateway,
        epoch=epoch,
        seq=_bounded(sent.seq),
        device_ms=max(-LARGEST_SEQ, _bounded(sent.device_ms)),
        stylus=sent.stylus,
        **more,
    )


def _bounded(number: int) -> int:
    return min(number, LARGEST_SEQ)
