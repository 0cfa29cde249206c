"""Recorded device events and tables as messages of the API."""

from collections.abc import Callable
from typing import Final

from domain.table import StylusStatusReported, TapTaken
from domain.table.events import StylusStatus
from projections.queries.devices import GatewaySummary, StylusSummary, TableSummary
from services.devices.prompts import TAP_OUTCOMES
from services.mapping import messages
from services.wire.emeth.v1 import tables_pb2 as pb

STATUS_KINDS: Final[dict[StylusStatus, pb.StylusStatusKind.ValueType]] = {
    "lost": pb.STYLUS_STATUS_KIND_DISCONNECTED,
    "heard": pb.STYLUS_STATUS_KIND_CONNECTED,
    "off": pb.STYLUS_STATUS_KIND_SWITCHED_OFF,
    "on": pb.STYLUS_STATUS_KIND_SWITCHED_ON,
    "reset": pb.STYLUS_STATUS_KIND_FACTORY_RESET,
    "battery": pb.STYLUS_STATUS_KIND_BATTERY,
}


def without_completing_tap(event: TapTaken, gateway_name: str, stylus_name: str) -> pb.RecordedTap:
    """Return the tap that completed an action, for viewers from whom the game hides anything.

    It lacks all numbers and times, which reveal how many taps came before it, and when. The time of
    the action is in the action itself.
    """
    return pb.RecordedTap(
        gateway_id=event.gateway,
        gateway_name=gateway_name,
        stylus_id=event.stylus,
        stylus_name=stylus_name,
        outcome=TAP_OUTCOMES[event.outcome],
        match_id=str(event.match or ""),
        match_version=event.match_version,
        action_version=event.match_version + 1,
        withheld=True,
    )


def device_event_message(
    event: TapTaken | StylusStatusReported,
    gateway_name: str,
    stylus_name: str,
    *,
    numbered: bool = True,
    own_run: bool = False,
) -> pb.RecordedTap:
    """Return a recorded tap or stylus status as a message.

    Unless it is `numbered`, it lacks its numbers at the table and in its gateway's run, which
    reveal how many taps others made. A gateway may see the numbers of its `own_run`.
    """
    tap = pb.RecordedTap(
        record_time=messages.timestamp(event.at),
        gateway_id=event.gateway,
        gateway_name=gateway_name,
        device_time=messages.time_of_ms(event.device_ms) if event.device_ms else None,
        stylus_id=event.stylus,
        stylus_name=stylus_name,
    )
    if numbered:
        tap.version = event.version
    if numbered or own_run:
        tap.epoch, tap.seq = event.epoch, messages.uint32(event.seq)
    if isinstance(event, StylusStatusReported):
        tap.status_kind, tap.battery_percent = STATUS_KINDS[event.sign], event.percent
        return tap
    tap.outcome = TAP_OUTCOMES[event.outcome]
    tap.match_id = str(event.match or "")
    tap.match_version, tap.prompt_number = event.match_version, messages.uint32(event.prompt)
    tap.action_version = event.match_version + 1 if event.outcome == "acted" else 0
    tap.code, tap.target, tap.rule = event.code, event.target, event.rule
    return tap


def table_message(standing: TableSummary, is_connected: Callable[[str], bool]) -> pb.Table:
    """Return a table with its gateways and styluses as a message."""
    gateways = (_gateway_message(each, is_connected(each.gateway)) for each in standing.gateways)
    return pb.Table(
        table_id=str(standing.table),
        name=standing.name,
        version=standing.version,
        match_id=str(standing.match or ""),
        tap_map_version=standing.map_version,
        update_time=messages.timestamp(standing.updated),
        gateways=gateways,
        styluses=map(_stylus_message, standing.styluses),
        closed=standing.closed,
    )


def without_tap_counts(shown: pb.Table, own: str) -> None:
    """Clear the fields that reveal how much, and when, styluses of other gateways tap."""
    shown.ClearField("version")
    shown.ClearField("update_time")
    for gateway in shown.gateways:
        if gateway.gateway_id != own:
            gateway.ClearField("epoch")
            gateway.ClearField("highest_seq")
            gateway.ClearField("last_message_time")
            gateway.ClearField("first_connect_time")
            gateway.ClearField("lost_message_count")
    for stylus in shown.styluses:
        if stylus.gateway_id != own:
            stylus.ClearField("last_tap_time")


def _gateway_message(gateway: GatewaySummary, connected: bool) -> pb.Gateway:
    return pb.Gateway(
        gateway_id=gateway.gateway,
        name=gateway.name,
        epoch=gateway.epoch,
        highest_seq=messages.uint32(gateway.highest),
        last_message_time=messages.timestamp(gateway.heard) if gateway.heard else None,
        deleted=gateway.revoked,
        tap_map_version=gateway.map_version,
        software=gateway.software,
        connected=connected,
        first_connect_time=messages.timestamp(gateway.first) if gateway.first else None,
        lost_message_count=messages.uint32(gateway.lost),
        wrong_pin_count=gateway.wrong_pins,
        certified=gateway.is_certified,
        locale=gateway.locale,
    )


def _stylus_message(stylus: StylusSummary) -> pb.Stylus:
    return pb.Stylus(
        stylus_id=stylus.stylus,
        name=stylus.name,
        gateway_id=stylus.gateway,
        disconnect_time=messages.timestamp(stylus.lost) if stylus.lost else None,
        battery_percent=stylus.battery,
        seats=stylus.seats,
        shared=stylus.shared,
        granted_seats=stylus.granted,
        ended_seats=stylus.ended,
        last_tap_time=messages.timestamp(stylus.tapped) if stylus.tapped else None,
    )
