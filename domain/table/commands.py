"""What all commands of a table share, and those that say what belongs to it.

A command gives the events that record it, or the reason why not. What a player did wrong is
`Refused` with a rule id, as in a game; what makes no sense is `Rejection`.
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
MAX_STYLUSES: Final = 64
"""Of one table, at once: those that left or were revoked do not count."""
MAX_RECENT_PAIRINGS: Final = 16
"""Styluses without a PIN of their own that a gateway may pair within ten minutes."""
MAX_RECENT_WRONG_PINS: Final = 20
"""Wrong PINs of a gateway within ten minutes, whatever the styluses."""
MAX_CODES: Final = 5000
MAX_STYLUS_NAME_LENGTH: Final = 24
FACTORY_PIN: Final = "0000"


TableCommandOutcome = Changeset[Table] | Refused | Rejection


class OtherTable(Struct, frozen=True):
    """Another table at which a stylus is paired."""

    table: str
    """Its name."""
    stylus: Stylus
    """The stylus as it is known there."""
    heard: bool
    """Does its gateway there still hear it?"""


class TableLedger(Ledger[Table]):
    """The events of one command of a table."""

    kind = "table"

    def _evolve(self, before: Table | None, sealed: SealedEvent[Any]) -> Table:
        return evolve(before, sealed)


def open_table(
    identity: UUID, name: str, command_context: CommandContext, owner: str = ""
) -> Changeset[Table]:
    """Set a table up, for whoever has the key with this digest. It has no gateway yet."""
    ledger = TableLedger(None, identity, command_context)
    ledger.record(TableOpened, name=name, owner=owner)
    return ledger.changeset()


def close_table(table: Table, command_context: CommandContext) -> TableCommandOutcome:
    """Give a table up, with all that belongs to it."""
    return _closed() if table.closed else _one(table, command_context, TableClosed)


def register(
    table: Table, gateway: str, name: str, key: str, command_context: CommandContext
) -> TableCommandOutcome:
    """Let a gateway connect with the key that has this digest."""
    if table.closed:
        return _closed()
    if sum(not each.revoked for each in table.gateways.values()) >= MAX_GATEWAYS:
        return Rejection("TABLE_FULL", f"a table has at most {MAX_GATEWAYS} gateways")
    return _one(table, command_context, GatewayRegistered, gateway=gateway, name=name, key=key)


def change_key(
    table: Table, gateway: str, key: str, command_context: CommandContext
) -> TableCommandOutcome:
    """Give a gateway another key, which has this digest."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(table, command_context, GatewayKeyChanged, gateway=gateway, key=key)


def set_certificate(
    table: Table,
    gateway: str,
    certificate: str,
    command_context: CommandContext,
    *,
    required: bool = False,
) -> TableCommandOutcome:
    """Let a gateway show the certificate with this SHA-256 in place of its key; or none. If it is
    `required`, its key opens nothing without it."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(
        table,
        command_context,
        GatewayCertified,
        gateway=gateway,
        certificate=certificate,
        required=required and bool(certificate),
    )


def revoke(table: Table, gateway: str, command_context: CommandContext) -> TableCommandOutcome:
    """Let a gateway connect no more."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(table, command_context, GatewayRevoked, gateway=gateway)


def _no_gateway(table: Table, gateway: str) -> Rejection | None:
    if table.closed:
        return _closed()
    if gateway in table.gateways and not table.gateways[gateway].revoked:
        return None
    return Rejection("GATEWAY_NOT_FOUND", "the table has no such gateway, or not any more")


def _closed() -> Rejection:
    return Rejection("TABLE_CLOSED", "the table is closed")


class PairingAttempt(Struct, frozen=True):
    """Somebody typed a PIN on a gateway to pair a stylus with it."""

    gateway: str
    stylus: str
    pin: str
    """The keyed digest of what was typed."""
    factory_pin: str
    """That of the PIN with which a stylus leaves the factory."""
    heard: bool = True
    """Is the gateway connected with which the stylus is paired at this table?"""
    wrong: tuple[WrongPin, ...] = ()
    """The wrong PINs of this stylus that were tried lately at other tables: as tried at `gateway`
    where that has the same key."""


def pair(
    table: Table,
    attempt: PairingAttempt,
    command_context: CommandContext,
    elsewhere: OtherTable | None = None,
) -> TableCommandOutcome:
    """Pair a stylus with a gateway."""
    gateway, stylus = attempt.gateway, attempt.stylus
    known = table.stylus(stylus)
    paired = sum(bool(each.gateway) for each in table.styluses.values())
    if not known.gateway and paired >= MAX_STYLUSES:
        return Rejection("TABLE_FULL", f"a table has at most {MAX_STYLUSES} styluses")
    if (limited := _limited(table, attempt, command_context)) is not None:
        return limited
    # Whoever knows its own PIN takes a stylus from a gateway that is gone; with the factory's,
    # which everybody knows, it must have been lost.
    if (
        known.gateway not in ("", gateway)
        and known.lost is None
        and (attempt.heard or not known.pin)
    ):
        named = table.gateways[known.gateway].name
        return Refused("stylus.busy", f"it is paired with another gateway, {named}")
    if elsewhere is not None and elsewhere.heard:
        # Whose table that is, is nobody's business here.
        return Refused("stylus.busy", "it is paired at another table, and heard there")
    brought = elsewhere.stylus if elsewhere else Stylus()
    if not compare_digest(attempt.pin, brought.pin or known.pin or attempt.factory_pin):
        return _one(table, command_context, PinRefused, gateway=gateway, stylus=stylus)
    name = "" if _is_taken(table, stylus, brought.name) else brought.name
    return _one(
        table,
        command_context,
        StylusPaired,
        gateway=gateway,
        stylus=stylus,
        name=name,
        pin=brought.pin,
        unseated=bool(known.seats) and known.gateway != gateway and not known.pin,
    )


def unpair(table: Table, stylus: str, command_context: CommandContext) -> Changeset[Table] | None:
    """Obey a stylus no more, since it is paired at another table. None if it is not here."""
    if not table.stylus(stylus).gateway:
        return None
    return _one(table, command_context, StylusLeft, stylus=stylus)


def _limited(
    table: Table, attempt: PairingAttempt, command_context: CommandContext
) -> Refused | None:
    """Has there been too much guessing, or pairing, for one more?"""
    asking, now = table.gateways[attempt.gateway], command_context.at
    tried = (*table.stylus(attempt.stylus).wrong, *attempt.wrong)
    guesses = sorted(
        each.at
        for each in tried
        if now - each.at < PIN_GUESS_WINDOW and _is_same(table, attempt.gateway, each.gateway)
    )
    pause = _pause(len(guesses), MAX_WRONG_PINS)
    if guesses and _count_lately([each.at for each in tried], now) >= MAX_WRONG_PINS:
        pause = max(
            pause, MIN_LOCKOUT
        )  # somebody guesses at it: who has, too, is not the first to try
    left = _left_of(pause, guesses, now)
    lately = _count_lately(asking.wrong, now)
    left = max(left, _left_of(_pause(lately, MAX_RECENT_WRONG_PINS), asking.wrong, now))
    if left > 0:
        why = f"too many wrong PINs at this gateway: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    if _count_lately(asking.pairings, now) >= MAX_RECENT_PAIRINGS:
        left = _left_of(MIN_LOCKOUT, asking.pairings, now)
    if left > 0:
        why = f"too many new styluses at once: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    return None


def _is_same(table: Table, gateway: str, other: str) -> bool:
    """Return whether two gateways of a table are one device: they have the same key."""
    keys = {name: each.key for name, each in table.gateways.items()}
    return gateway == other or keys[gateway] == keys.get(other)


def _count_lately(times: Iterable[datetime], now: datetime) -> int:
    return sum(now - at < RATE_LIMIT_WINDOW for at in times)


def _pause(count: int, most: int) -> timedelta:
    """Return how long who did something wrong so often waits, if `most` times are too many.

    >>> [_pause(count, 5).seconds for count in (4, 5, 6, 7, 30)]
    [0, 60, 120, 240, 3600]
    """
    if count < most:
        return timedelta()
    return min(MIN_LOCKOUT * (1 << min(count - most, 16)), MAX_LOCKOUT)


def _left_of(pause: timedelta, times: Sequence[datetime], now: datetime) -> int:
    """Return how many seconds are left of a pause that began at the last of these times."""
    return ceil((times[-1] + pause - now).total_seconds()) if times and pause else 0


class ReleaseRequest(Struct, frozen=True):
    """Somebody wants a stylus free."""

    stylus: str
    gateway: str = ""
    """The one that asks; empty for the table's owner and the admin."""
    pin: str = ""
    """The keyed digest of what was typed."""
    wrong: tuple[WrongPin, ...] = ()
    """As in `PairingAttempt`."""


def release(
    table: Table, asked: ReleaseRequest, command_context: CommandContext
) -> TableCommandOutcome:
    """Let a stylus go, by its own gateway, its player's PIN, or who looks after the table."""
    known = table.stylus(asked.stylus)
    if not known.gateway:
        return unpaired_refusal(asked.stylus)
    if asked.gateway in ("", known.gateway):
        return _one(table, command_context, StylusReleased, stylus=asked.stylus)
    attempt = PairingAttempt(asked.gateway, asked.stylus, asked.pin, "", wrong=asked.wrong)
    if (limited := _limited(table, attempt, command_context)) is not None:
        return limited
    if not known.pin:  # the factory's PIN, which everybody knows, is nobody's right
        return Refused("stylus.pin", "it has no PIN of its own: its own gateway releases it")
    if not compare_digest(asked.pin, known.pin):
        return _one(table, command_context, PinRefused, gateway=asked.gateway, stylus=asked.stylus)
    return _one(table, command_context, StylusReleased, stylus=asked.stylus)


def unlock(table: Table, stylus: str, command_context: CommandContext) -> TableCommandOutcome:
    """Let a stylus be paired at once, however many wrong PINs were tried."""
    return (
        _closed() if table.closed else _one(table, command_context, StylusUnlocked, stylus=stylus)
    )


class NamingRequest(Struct, frozen=True):
    """What a stylus is to be called, by the gateway that it is paired with."""

    gateway: str
    stylus: str
    name: str
    pin: str
    """Four digits, as they were typed."""
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
        why = (
            f"a name has 1 to {MAX_STYLUS_NAME_LENGTH} printable characters, none blank at its ends"
        )
        return Refused("stylus.name", why)
    if not re.fullmatch("[0-9]{4}", pin) or pin == FACTORY_PIN:
        return Refused("stylus.name", f"a PIN has four digits, and is not {FACTORY_PIN}")
    if _is_taken(table, stylus, name):
        return Refused("stylus.name", f"another stylus of this table is called {name}")
    return _one(table, command_context, StylusNamed, stylus=stylus, name=name, pin=naming.key)


def _is_taken(table: Table, stylus: str, name: str) -> bool:
    """Is another stylus of this table called so?"""
    others = (each for hardware, each in table.styluses.items() if hardware != stylus)
    return any(each.name.casefold() == name.casefold() for each in others)


def unpaired_refusal(stylus: str) -> Refused:
    """The refusal of what a gateway asks for a stylus that is not its own."""
    return Refused("stylus.unpaired", f"no stylus {stylus} is paired with this gateway")


def is_paired(table: Table, gateway: str, stylus: str) -> bool:
    """Does this gateway speak for the stylus?"""
    return stylus in table.styluses and table.styluses[stylus].gateway == gateway


def set_tap_map(
    table: Table, gateway: str, codes: Mapping[str, str], command_context: CommandContext
) -> TableCommandOutcome:
    """Give a gateway its own tap map; or all of the table, if none is named."""
    if table.closed:
        return _closed()
    if len(codes) > MAX_CODES:
        return Rejection("FIELD_INVALID", f"a tap map has at most {MAX_CODES} codes")
    return _one(table, command_context, TapMapChanged, codes=dict(codes), gateway=gateway)


def _one(
    table: Table, command_context: CommandContext, kind: type[TableEvent], **fields: Any
) -> Changeset[Table]:
    ledger = TableLedger(table, table.id, command_context)
    ledger.record(kind, **fields)
    return ledger.changeset()
