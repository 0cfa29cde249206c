"""Commands of a table's owner and gateways, and the ledger that all commands of a table use.

A command returns the events to record, or the reason against it. A player's mistake is `Refused`
with a rule ID, as in a game; an invalid command is a `Rejection`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hmac import compare_digest
from math import ceil
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Ledger, Rejection
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.table.events import (
    GatewayCertified,
    GatewayKeyChanged,
    GatewayRegistered,
    GatewayRevoked,
    PinRefused,
    StylusLeft,
    StylusNamed,
    StylusPaired,
    StylusReleased,
    StylusUnlocked,
    TableClosed,
    TableEvent,
    TableOpened,
    TapMapChanged,
)
from domain.table.fold import evolve
from domain.table.state import (
    MAX_LOCKOUT,
    MAX_WRONG_PINS,
    MIN_LOCKOUT,
    PIN_GUESS_WINDOW,
    RATE_LIMIT_WINDOW,
    Stylus,
    Table,
    WrongPin,
)

MAX_GATEWAYS: Final = 8
"""The limit of gateways at one table, without deleted ones."""
MAX_STYLUSES: Final = 64
"""The limit of paired styluses at one table."""
MAX_RECENT_PAIRINGS: Final = 16
"""The limit of styluses without a PIN of their own that a gateway may pair within ten minutes."""
MAX_RECENT_WRONG_PINS: Final = 20
"""The limit of wrong PINs from one gateway within ten minutes, over all styluses."""
MAX_CODES: Final = 5000
MAX_STYLUS_NAME_LENGTH: Final = 24
FACTORY_PIN: Final = "0000"


TableCommandOutcome = Changeset[Table] | Refused | Rejection


class OtherTable(Struct, frozen=True):
    """A stylus's pairing at another table."""

    table: str
    """The name of the other table."""
    stylus: Stylus
    """The state of the stylus at the other table."""
    heard: bool
    """Whether the gateway at the other table is still connected to the stylus."""


class TableLedger(Ledger[Table]):
    """A ledger for the commands of one table."""

    kind = "table"

    def _evolve(self, before: Table | None, sealed: SealedEvent[Any]) -> Table:
        return evolve(before, sealed)


def open_table(
    identity: UUID, name: str, command_context: CommandContext, owner: str = ""
) -> Changeset[Table]:
    """Create a table without gateways. `owner` is the digest of its owner's key, if any."""
    ledger = TableLedger(None, identity, command_context)
    ledger.record(TableOpened, name=name, owner=owner)
    return ledger.changeset()


def close_table(table: Table, command_context: CommandContext) -> TableCommandOutcome:
    """Close a table and disconnect all of its gateways and styluses."""
    return _closed_rejection() if table.closed else _record(table, command_context, TableClosed)


def register(
    table: Table, gateway: str, name: str, key: str, command_context: CommandContext
) -> TableCommandOutcome:
    """Register a gateway, which connects with the key that has the digest `key`."""
    if table.closed:
        return _closed_rejection()
    if sum(not each.revoked for each in table.gateways.values()) >= MAX_GATEWAYS:
        return Rejection("TABLE_FULL", f"a table has at most {MAX_GATEWAYS} gateways")
    return _record(table, command_context, GatewayRegistered, gateway=gateway, name=name, key=key)


def change_key(
    table: Table, gateway: str, key: str, command_context: CommandContext
) -> TableCommandOutcome:
    """Replace a gateway's key by the one with the digest `key`."""
    if (missing := _missing_gateway(table, gateway)) is not None:
        return missing
    return _record(table, command_context, GatewayKeyChanged, gateway=gateway, key=key)


def set_certificate(
    table: Table,
    gateway: str,
    certificate: str,
    command_context: CommandContext,
    *,
    required: bool = False,
) -> TableCommandOutcome:
    """Set or remove the client certificate of a gateway.

    Args:
        table: The table of the gateway.
        gateway: The gateway's ID.
        certificate: The SHA-256 of the certificate in hexadecimal; empty to remove it.
        command_context: Time, request and salt of the command.
        required: Whether the gateway's key alone no longer suffices to connect.
    """
    if (missing := _missing_gateway(table, gateway)) is not None:
        return missing
    return _record(
        table,
        command_context,
        GatewayCertified,
        gateway=gateway,
        certificate=certificate,
        required=required and bool(certificate),
    )


def revoke(table: Table, gateway: str, command_context: CommandContext) -> TableCommandOutcome:
    """Delete a gateway. It can no longer connect."""
    if (missing := _missing_gateway(table, gateway)) is not None:
        return missing
    return _record(table, command_context, GatewayRevoked, gateway=gateway)


def _missing_gateway(table: Table, gateway: str) -> Rejection | None:
    if table.closed:
        return _closed_rejection()
    if gateway in table.gateways and not table.gateways[gateway].revoked:
        return None
    return Rejection("GATEWAY_NOT_FOUND", "the table has no such gateway, or it was deleted")


def _closed_rejection() -> Rejection:
    return Rejection("TABLE_CLOSED", "the table is closed")


class PairingAttempt(Struct, frozen=True):
    """An attempt to pair a stylus with a gateway by its PIN."""

    gateway: str
    stylus: str
    pin: str
    """The keyed digest of the PIN that the user entered."""
    factory_pin: str
    """The keyed digest of the factory PIN."""
    heard: bool = True
    """Whether the gateway that the stylus is paired with at this table is connected."""
    wrong: tuple[WrongPin, ...] = ()
    """Recent wrong PINs of this stylus at other tables. Those of the same device name `gateway`."""


def pair(
    table: Table,
    attempt: PairingAttempt,
    command_context: CommandContext,
    other_table: OtherTable | None = None,
) -> TableCommandOutcome:
    """Pair a stylus with a gateway, or record that the PIN was wrong."""
    gateway, stylus = attempt.gateway, attempt.stylus
    known = table.stylus(stylus)
    paired = sum(bool(each.gateway) for each in table.styluses.values())
    if not known.gateway and paired >= MAX_STYLUSES:
        return Rejection("TABLE_FULL", f"a table has at most {MAX_STYLUSES} styluses")
    if (refusal := _lockout_refusal(table, attempt, command_context)) is not None:
        return refusal
    # Its own PIN takes a stylus from a disconnected gateway. The factory PIN is public, so it does
    # so only if the gateway reported the stylus as lost.
    if (
        known.gateway not in ("", gateway)
        and known.lost is None
        and (attempt.heard or not known.pin)
    ):
        named = table.gateways[known.gateway].name
        return Refused("stylus.busy", f"the stylus is paired with another gateway: {named}")
    if other_table is not None and other_table.heard:
        # The refusal does not reveal the other table.
        return Refused("stylus.busy", "the stylus is paired and connected at another table")
    moved = other_table.stylus if other_table else Stylus()
    if not compare_digest(attempt.pin, moved.pin or known.pin or attempt.factory_pin):
        return _record(table, command_context, PinRefused, gateway=gateway, stylus=stylus)
    name = "" if _is_taken(table, stylus, moved.name) else moved.name
    return _record(
        table,
        command_context,
        StylusPaired,
        gateway=gateway,
        stylus=stylus,
        name=name,
        pin=moved.pin,
        unseated=bool(known.seats) and known.gateway != gateway and not known.pin,
    )


def unpair(table: Table, stylus: str, command_context: CommandContext) -> Changeset[Table] | None:
    """End the pairing of a stylus that was paired at another table; None if it is not paired."""
    if not table.stylus(stylus).gateway:
        return None
    return _record(table, command_context, StylusLeft, stylus=stylus)


def _lockout_refusal(
    table: Table, attempt: PairingAttempt, command_context: CommandContext
) -> Refused | None:
    """Return the refusal of an attempt after too many wrong PINs or pairings, or None."""
    asking, now = table.gateways[attempt.gateway], command_context.at
    tried = (*table.stylus(attempt.stylus).wrong, *attempt.wrong)
    guesses = sorted(
        each.at
        for each in tried
        if now - each.at < PIN_GUESS_WINDOW
        and _is_same_device(table, attempt.gateway, each.gateway)
    )
    pause = _pause(len(guesses), MAX_WRONG_PINS)
    if guesses and _count_lately([each.at for each in tried], now) >= MAX_WRONG_PINS:
        pause = max(pause, MIN_LOCKOUT)  # other gateways tried wrong PINs, too
    left = _seconds_left(pause, guesses, now)
    recent_count = _count_lately(asking.wrong, now)
    left = max(left, _seconds_left(_pause(recent_count, MAX_RECENT_WRONG_PINS), asking.wrong, now))
    if left > 0:
        why = f"too many wrong PINs at this gateway: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    if _count_lately(asking.pairings, now) >= MAX_RECENT_PAIRINGS:
        left = _seconds_left(MIN_LOCKOUT, asking.pairings, now)
    if left > 0:
        why = f"too many new styluses at once: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    return None


def _is_same_device(table: Table, gateway: str, other: str) -> bool:
    """Return whether two gateways of a table are one device: they have the same key."""
    keys = {name: each.key for name, each in table.gateways.items()}
    return gateway == other or keys[gateway] == keys.get(other)


def _count_lately(times: Iterable[datetime], now: datetime) -> int:
    return sum(now - at < RATE_LIMIT_WINDOW for at in times)


def _pause(count: int, most: int) -> timedelta:
    """Return how long a gateway is locked out after `count` attempts when `most` are too many.

    >>> [_pause(count, 5).seconds for count in (4, 5, 6, 7, 30)]
    [0, 60, 120, 240, 3600]
    """
    if count < most:
        return timedelta()
    return min(MIN_LOCKOUT * (1 << min(count - most, 16)), MAX_LOCKOUT)


def _seconds_left(pause: timedelta, times: Sequence[datetime], now: datetime) -> int:
    """Return how many seconds are left of a pause that started at the last of these times."""
    return ceil((times[-1] + pause - now).total_seconds()) if times and pause else 0


class ReleaseRequest(Struct, frozen=True):
    """A request to end the pairing of a stylus."""

    stylus: str
    gateway: str = ""
    """The ID of the requesting gateway; empty for the table's owner and the administrator."""
    pin: str = ""
    """The keyed digest of the PIN that the user entered."""
    wrong: tuple[WrongPin, ...] = ()
    """Recent wrong PINs of this stylus at other tables."""


def release(
    table: Table, request: ReleaseRequest, command_context: CommandContext
) -> TableCommandOutcome:
    """End the pairing of a stylus, and reset its name and PIN.

    Its own gateway, the table's owner and the administrator may do so; another gateway needs the
    PIN.
    """
    known = table.stylus(request.stylus)
    if not known.gateway:
        return unpaired_refusal(request.stylus)
    if request.gateway in ("", known.gateway):
        return _record(table, command_context, StylusReleased, stylus=request.stylus)
    attempt = PairingAttempt(request.gateway, request.stylus, request.pin, "", wrong=request.wrong)
    if (refusal := _lockout_refusal(table, attempt, command_context)) is not None:
        return refusal
    if not known.pin:  # the factory PIN is public and proves nothing
        return Refused(
            "stylus.pin", "the stylus has no PIN of its own: only its own gateway can release it"
        )
    if not compare_digest(request.pin, known.pin):
        return _record(
            table, command_context, PinRefused, gateway=request.gateway, stylus=request.stylus
        )
    return _record(table, command_context, StylusReleased, stylus=request.stylus)


def unlock(table: Table, stylus: str, command_context: CommandContext) -> TableCommandOutcome:
    """Remove the lockout of a stylus after wrong PINs."""
    return (
        _closed_rejection()
        if table.closed
        else _record(table, command_context, StylusUnlocked, stylus=stylus)
    )


class NamingRequest(Struct, frozen=True):
    """A request to give a stylus a name and a PIN, from the gateway that it is paired with."""

    gateway: str
    stylus: str
    name: str
    pin: str
    """The PIN as the user entered it: four digits."""
    key: str
    """The keyed digest of the PIN."""


def rename(
    table: Table, naming: NamingRequest, command_context: CommandContext
) -> TableCommandOutcome:
    """Give a stylus a name and a PIN of its own."""
    stylus, name, pin = naming.stylus, naming.name, naming.pin
    if not is_paired(table, naming.gateway, stylus):
        return unpaired_refusal(stylus)
    if (
        not 1 <= len(name) <= MAX_STYLUS_NAME_LENGTH
        or not name.isprintable()
        or name != name.strip()
    ):
        why = f"a name has 1 to {MAX_STYLUS_NAME_LENGTH} printable characters, and no outer spaces"
        return Refused("stylus.name", why)
    if not re.fullmatch("[0-9]{4}", pin) or pin == FACTORY_PIN:
        return Refused("stylus.name", f"a PIN has four digits, and is not {FACTORY_PIN}")
    if _is_taken(table, stylus, name):
        return Refused("stylus.name", f"another stylus of this table is called {name}")
    return _record(table, command_context, StylusNamed, stylus=stylus, name=name, pin=naming.key)


def _is_taken(table: Table, stylus: str, name: str) -> bool:
    """Return whether another stylus of this table has this name, ignoring case."""
    others = (each for hardware, each in table.styluses.items() if hardware != stylus)
    return any(each.name.casefold() == name.casefold() for each in others)


def unpaired_refusal(stylus: str) -> Refused:
    """Return the refusal of a command for a stylus that is not paired with the gateway."""
    return Refused("stylus.unpaired", f"no stylus {stylus} is paired with this gateway")


def is_paired(table: Table, gateway: str, stylus: str) -> bool:
    """Return whether a stylus is paired with this gateway."""
    return stylus in table.styluses and table.styluses[stylus].gateway == gateway


def set_tap_map(
    table: Table, gateway: str, codes: Mapping[str, str], command_context: CommandContext
) -> TableCommandOutcome:
    """Replace the tap map of a gateway, or of the table if `gateway` is empty."""
    if table.closed:
        return _closed_rejection()
    if len(codes) > MAX_CODES:
        return Rejection("FIELD_INVALID", f"a tap map has at most {MAX_CODES} codes")
    return _record(table, command_context, TapMapChanged, codes=dict(codes), gateway=gateway)


def _record(
    table: Table, command_context: CommandContext, kind: type[TableEvent], **fields: Any
) -> Changeset[Table]:
    ledger = TableLedger(table, table.id, command_context)
    ledger.record(kind, **fields)
    return ledger.changeset()
