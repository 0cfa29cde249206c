"""Tables: gateways, styluses and taps, recorded in a stream of events for each table.

Nothing here reads a clock or a secret: the `CommandContext` has the time, and PINs arrive as keyed
digests. `domain.stylus.tap_machine` turns taps into actions. The match decides on those actions as
on any others.
"""

from domain.table.codes import CONFIRM, is_target, target_of
from domain.table.commands import (
    FACTORY_PIN,
    NamingRequest,
    OtherTable,
    PairingAttempt,
    ReleaseRequest,
    TableCommandOutcome,
    change_key,
    close_table,
    is_paired,
    open_table,
    pair,
    register,
    release,
    rename,
    revoke,
    set_certificate,
    set_tap_map,
    unlock,
    unpair,
)
from domain.table.events import (
    Event,
    PinRefused,
    StylusStatus,
    StylusStatusReported,
    TableEvent,
    TapTaken,
)
from domain.table.fold import evolve
from domain.table.journal_merge import awaited_gateways
from domain.table.match_card import (
    CARD_COMMANDS,
    CardCommand,
    CardOrder,
    OrderPreview,
    card_command,
)
from domain.table.messages import (
    GatewayHello,
    Message,
    TapDecision,
    record_hello,
    record_status,
    recorded_version,
    sequence_state,
)
from domain.table.seating import (
    SeatingRequest,
    end_claimed_seats,
    grants_of,
    seat,
    seats_of,
    withdraw_grants,
)
from domain.table.state import Gateway, Stylus, Table, WrongPin
from domain.table.taps import DueTap, action_taps, process_tap, stylus_view_of, with_current_prompt

__all__ = [
    "CARD_COMMANDS",
    "CONFIRM",
    "FACTORY_PIN",
    "CardCommand",
    "CardOrder",
    "DueTap",
    "Event",
    "Gateway",
    "GatewayHello",
    "Message",
    "NamingRequest",
    "OrderPreview",
    "OtherTable",
    "PairingAttempt",
    "PinRefused",
    "ReleaseRequest",
    "SeatingRequest",
    "Stylus",
    "StylusStatus",
    "StylusStatusReported",
    "Table",
    "TableCommandOutcome",
    "TableEvent",
    "TapDecision",
    "TapTaken",
    "WrongPin",
    "action_taps",
    "awaited_gateways",
    "card_command",
    "change_key",
    "close_table",
    "end_claimed_seats",
    "evolve",
    "grants_of",
    "is_paired",
    "is_target",
    "open_table",
    "pair",
    "process_tap",
    "record_hello",
    "record_status",
    "recorded_version",
    "register",
    "release",
    "rename",
    "revoke",
    "seat",
    "seats_of",
    "sequence_state",
    "set_certificate",
    "set_tap_map",
    "stylus_view_of",
    "target_of",
    "unlock",
    "unpair",
    "with_current_prompt",
    "withdraw_grants",
]
