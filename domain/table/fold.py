"""The fold of table events: each event is applied to the state of the table."""

from typing import assert_never

from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.table.events import (
    BoardCorrected,
    Event,
    MatchAwaited,
    MatchPlaced,
    PinRefused,
    TableClosed,
    TableOpened,
    TapMapChanged,
    WaitEnded,
)
from domain.table.gateway_changes import GatewayEvent, apply_gateway_event, with_gateway
from domain.table.message_changes import MessageEvent, apply_board_correction, apply_message_event
from domain.table.state import MAX_REMEMBERED_REQUESTS, Request, Table
from domain.table.stylus_changes import StylusEvent, apply_stylus_event, without_seats


def evolve(table: Table | None, sealed: SealedEvent[Event]) -> Table:
    """Return the table after this event."""
    event = sealed.event
    if isinstance(event, TableOpened):
        return Table(event.table, event.name, event.version, sealed.digest, event.owner)
    assert table is not None
    assert event.version == table.version + 1
    after = _apply(table, event)
    requests = _remembered_requests(after.requests, event)
    return replace(after, version=event.version, digest=sealed.digest, requests=requests)


def _remembered_requests(requests: dict[str, Request], event: Event) -> dict[str, Request]:
    """Return the remembered requests after an event."""
    identity, _, asked = event.request.partition(" ")
    if not asked:
        return requests
    done = not isinstance(event, PinRefused)
    requests = {**requests, identity: Request(asked, done, event.version)}
    if len(requests) > MAX_REMEMBERED_REQUESTS:
        del requests[min(requests, key=lambda each: requests[each].version)]
    return requests


def _apply(table: Table, event: Event) -> Table:
    if isinstance(event, MessageEvent):  # first, because most events are messages
        return apply_message_event(table, event)
    if isinstance(event, GatewayEvent):
        return apply_gateway_event(table, event)
    if isinstance(event, StylusEvent):
        return apply_stylus_event(table, event)
    if isinstance(event, BoardCorrected):
        return apply_board_correction(table, event)
    if isinstance(event, MatchAwaited | WaitEnded):
        return table
    return _apply_table_event(table, event)


def _apply_table_event(
    table: Table, event: TableOpened | MatchPlaced | TapMapChanged | TableClosed
) -> Table:
    match event:
        case TableOpened():
            raise AssertionError("a table is opened once")
        case MatchPlaced():
            cleared = {name: without_seats(each) for name, each in table.styluses.items()}
            return replace(table, match=event.match, styluses=cleared, moving=0, moved=0)
        case TapMapChanged(gateway=name) if name:
            own = replace(table.gateways[name], codes=event.codes, map_version=event.version)
            return with_gateway(table, name, own)
        case TapMapChanged():
            return replace(table, codes=event.codes, map_version=event.version)
        case TableClosed():
            gateways = {
                name: replace(each, key="", certificate="", revoked=True)
                for name, each in table.gateways.items()
            }
            return replace(table, closed=True, match=None, gateways=gateways, styluses={})
        case unreachable:
            assert_never(unreachable)
