"""What was recorded of tables, as messages of the API."""

from collections.abc import Callable
from typing import Final

from domain.table import SignNoticed, TapTaken
from domain.table.events import Sign
from projections.devices import GatewayStanding, StylusStanding, TableStanding
from services import messages
from services.tables.prompts import OUTCOMES
from services.wire.emeth.v1 import gateways_pb2 as pb

SIGN_KINDS: Final[dict[Sign, pb.SignKind.ValueType]] = {
    "lost": pb.SIGN_KIND_LOST,
    "heard": pb.SIGN_KIND_HEARD,
    "off": pb.SIGN_KIND_OFF,
    "on": pb.SIGN_KIND_ON,
    "reset": pb.SIGN_KIND_RESET,
    "battery": pb.SIGN_KIND_BATTERY,
}


def withheld(event: TapTaken, gateway_name: str, stylus_name: str) -> pb.RecordedTap:
    """Return the tap that completed an action, for viewers from whom the game hides anything.

    It has no number of any kind and no time: those tell how many taps there were before it, and
    when. The action itself tells when it was taken.
    """
    return pb.RecordedTap(
        gateway_id=event.gateway,
        gateway_name=gateway_name,
        stylus=event.stylus,
        stylus_name=stylus_name,
        outcome=OUTCOMES[event.outcome],
        match_id=str(event.match or ""),
        match_version=event.match_version,
        action_version=event.match_version + 1,
        withheld=True,
    )


def recorded(
    event: TapTaken | SignNoticed,
    gateway_name: str,
    stylus_name: str,
    *,
    numbered: bool = True,
    own_run: bool = False,
) -> pb.RecordedTap:
    """Return a tap or a sign as it was recorded.

    Unless it is `numbered`, it is without its numbers at the table and in its gateway's run: those
    tell how many taps others made. A gateway knows its `own_run`.
    """
    tap = pb.RecordedTap(
        at=messages.timestamp(event.at),
        gateway_id=event.gateway,
        gateway_name=gateway_name,
        device_ms=event.device_ms,
        stylus=event.stylus,
        stylus_name=stylus_name,
    )
    if numbered:
        tap.version = event.version
    if numbered or own_run:
        tap.epoch, tap.seq = event.epoch, event.seq
    if isinstance(event, SignNoticed):
        tap.sign, tap.percent = SIGN_KINDS[event.sign], event.percent
        return tap
    tap.outcome = OUTCOMES[event.outcome]
    tap.match_id = str(event.match or "")
    tap.match_version, tap.prompt = event.match_version, event.prompt
    tap.action_version = event.match_version + 1 if event.outcome == "acted" else 0
    tap.code, tap.target, tap.rule = event.code, event.target, event.rule
    return tap


def table(standing: TableStanding, is_connected: Callable[[str], bool]) -> pb.Table:
    """A table, with what belongs to it."""
    gateways = (_gateway(each, is_connected(each.gateway)) for each in standing.gateways)
    return pb.Table(
        table_id=str(standing.table),
        name=standing.name,
        version=standing.version,
        match_id=str(standing.match or ""),
        map_version=standing.map_version,
        updated_at=messages.timestamp(standing.updated),
        gateways=gateways,
        styluses=map(_stylus, standing.styluses),
        closed=standing.closed,
    )


def without_counts(shown: pb.Table, own: str) -> None:
    """Leave out what tells one gateway how much the styluses of the others tap, and when."""
    shown.ClearField("version")
    shown.ClearField("updated_at")
    for gateway in shown.gateways:
        if gateway.gateway_id != own:
            gateway.ClearField("epoch")
            gateway.ClearField("highest")
            gateway.ClearField("heard_at")
            gateway.ClearField("first_heard_at")
            gateway.ClearField("lost_messages")
    for stylus in shown.styluses:
        if stylus.gateway_id != own:
            stylus.ClearField("tapped_at")


def _gateway(gateway: GatewayStanding, connected: bool) -> pb.Gateway:
    return pb.Gateway(
        gateway_id=gateway.gateway,
        name=gateway.name,
        epoch=gateway.epoch,
        highest=gateway.highest,
        heard_at=messages.timestamp(gateway.heard) if gateway.heard else None,
        revoked=gateway.revoked,
        map_version=gateway.map_version,
        software=gateway.software,
        connected=connected,
        first_heard_at=messages.timestamp(gateway.first) if gateway.first else None,
        lost_messages=gateway.lost,
        refused_pins=gateway.wrong_pins,
        certified=gateway.is_certified,
        locale=gateway.locale,
    )


def _stylus(stylus: StylusStanding) -> pb.Stylus:
    return pb.Stylus(
        stylus=stylus.stylus,
        name=stylus.name,
        gateway_id=stylus.gateway,
        lost=stylus.lost is not None,
        lost_since=messages.timestamp(stylus.lost) if stylus.lost else None,
        battery_percent=stylus.battery,
        seats=stylus.seats,
        shared=stylus.shared,
        granted_seats=stylus.granted,
        ended_seats=stylus.ended,
        tapped_at=messages.timestamp(stylus.tapped) if stylus.tapped else None,
    )
