"""The fold of events that change the gateways of a table."""

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from domain.table.events import (
    EpochBegan,
    GatewayCertified,
    GatewayKeyChanged,
    GatewayRegistered,
    GatewayRevoked,
    LocaleChanged,
    MessagesLost,
    StylusStatusReported,
    TapTaken,
)
from domain.table.state import (
    MAX_CLOSED_EPOCHS,
    MAX_RECORDED_MESSAGES,
    RATE_LIMIT_WINDOW,
    ClosedRun,
    Gateway,
    Stylus,
    Table,
)

GatewayEvent = (
    GatewayRegistered
    | GatewayKeyChanged
    | GatewayRevoked
    | GatewayCertified
    | EpochBegan
    | LocaleChanged
    | MessagesLost
)


def apply_gateway_event(table: Table, event: GatewayEvent) -> Table:
    """Return the table after an event of one of its gateways."""
    name = event.gateway
    if isinstance(event, GatewayRegistered):
        return with_gateway(table, name, Gateway(event.name, event.key))
    before = table.gateways[name]
    match event:
        case GatewayKeyChanged():
            after = replace(before, key=event.key)
        case GatewayRevoked():
            after = replace(before, key="", certificate="", revoked=True)
            table = _without_pairings(table, name)
        case GatewayCertified():
            after = replace(
                before, certificate=event.certificate, is_certificate_required=event.required
            )
        case EpochBegan():
            after = _start_epoch(before, event.epoch)
        case LocaleChanged():
            after = replace(before, locale=event.locale)
        case MessagesLost():
            after = replace(before, highest=event.last, recorded=())
        case unreachable:
            assert_never(unreachable)
    return with_gateway(table, name, after)


def with_gateway(table: Table, name: str, gateway: Gateway) -> Table:
    """Return the table with this gateway in place of the one with that name."""
    return replace(table, gateways={**table.gateways, name: gateway})


def count_message(table: Table, event: TapTaken | StylusStatusReported) -> Table:
    """Return the table after a message was recorded, whose number is now the gateway's highest."""
    before = table.gateways[event.gateway]
    recorded = (*before.recorded[1 - MAX_RECORDED_MESSAGES :], event.version)
    gateway = replace(before, highest=event.seq, recorded=recorded)
    if isinstance(event, TapTaken) and event.outcome == "acted":
        alone = table.moved == event.match_version
        moving = table.moving if alone else event.match_version
        table = replace(table, moving=moving, moved=event.after)
    return with_gateway(table, event.gateway, gateway)


def count_attempt(table: Table, gateway: str, what: str, at: datetime) -> Table:
    """Return the table with a pairing or wrong PIN added to the recent ones of a gateway.

    `what` is the field to extend: `pairings` or `wrong`.
    """
    known = table.gateways[gateway]
    return with_gateway(
        table, gateway, replace(known, **{what: recent_times(getattr(known, what), at)})
    )


def recent_times(times: tuple[datetime, ...], now: datetime) -> tuple[datetime, ...]:
    """Return the times that still count for a rate limit, followed by `now`."""
    return (*(at for at in times if now - at < RATE_LIMIT_WINDOW), now)


def _without_pairings(table: Table, gateway: str) -> Table:
    """Return the table with a gateway's styluses unpaired. They keep name, PIN and battery."""
    styluses = {
        name: Stylus(name=each.name, pin=each.pin, battery=each.battery)
        if each.gateway == gateway
        else each
        for name, each in table.styluses.items()
    }
    return replace(table, styluses=styluses)


def _start_epoch(gateway: Gateway, epoch: str) -> Gateway:
    closed = gateway.closed
    if gateway.epoch:
        run = ClosedRun(gateway.epoch, gateway.highest, gateway.recorded)
        closed = (*closed, run)[-MAX_CLOSED_EPOCHS:]
    return replace(gateway, epoch=epoch, highest=0, recorded=(), closed=closed)
