"""What all commands of a table share, and those that say what belongs to it.

A command gives the events that record it, or the reason why not. What a player did wrong is
`Refused` with a rule id, as in a game; what makes no sense is `Denied`.
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
from domain.log.ledger import Decided, Denied, Ledger
from domain.log.origin import Stamp
from domain.log.sealed_events import Sealed
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
    GUESSED_WITHIN,
    LOCKED,
    LONGEST_LOCKED,
    WRONG_PINS,
    WRONG_WITHIN,
    Stylus,
    Table,
    WrongPin,
)

MOST_GATEWAYS: Final = 8
MOST_STYLUSES: Final = 64
"""Of one table, at once: those that left or were revoked do not count."""
MOST_PAIRINGS: Final = 16
"""Styluses without a PIN of their own that a gateway may pair within ten minutes."""
MOST_GUESSES: Final = 20
"""Wrong PINs of a gateway within ten minutes, whatever the styluses."""
MOST_CODES: Final = 5000
LONGEST_NAME: Final = 24
FACTORY_PIN: Final = "0000"


Answer = Decided[Table] | Refused | Denied


class Elsewhere(Struct, frozen=True):
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

    def _evolve(self, before: Table | None, sealed: Sealed[Any]) -> Table:
        return evolve(before, sealed)


def open_table(identity: UUID, name: str, stamp: Stamp, owner: str = "") -> Decided[Table]:
    """Set a table up, for whoever has the key with this digest. It has no gateway yet."""
    ledger = TableLedger(None, identity, stamp)
    ledger.record(TableOpened, name=name, owner=owner)
    return ledger.decided()


def close_table(table: Table, stamp: Stamp) -> Answer:
    """Give a table up, with all that belongs to it."""
    return _closed() if table.closed else _one(table, stamp, TableClosed)


def register(table: Table, gateway: str, name: str, key: str, stamp: Stamp) -> Answer:
    """Let a gateway connect with the key that has this digest."""
    if table.closed:
        return _closed()
    if sum(not each.revoked for each in table.gateways.values()) >= MOST_GATEWAYS:
        return Denied("TABLE_FULL", f"a table has at most {MOST_GATEWAYS} gateways")
    return _one(table, stamp, GatewayRegistered, gateway=gateway, name=name, key=key)


def change_key(table: Table, gateway: str, key: str, stamp: Stamp) -> Answer:
    """Give a gateway another key, which has this digest."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(table, stamp, GatewayKeyChanged, gateway=gateway, key=key)


def certify(
    table: Table, gateway: str, certificate: str, stamp: Stamp, *, required: bool = False
) -> Answer:
    """Let a gateway show the certificate with this SHA-256 in place of its key; or none. If it is
    `required`, its key opens nothing without it."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(
        table,
        stamp,
        GatewayCertified,
        gateway=gateway,
        certificate=certificate,
        required=required and bool(certificate),
    )


def revoke(table: Table, gateway: str, stamp: Stamp) -> Answer:
    """Let a gateway connect no more."""
    if (missing := _no_gateway(table, gateway)) is not None:
        return missing
    return _one(table, stamp, GatewayRevoked, gateway=gateway)


def _no_gateway(table: Table, gateway: str) -> Denied | None:
    if table.closed:
        return _closed()
    if gateway in table.gateways and not table.gateways[gateway].revoked:
        return None
    return Denied("GATEWAY_NOT_FOUND", "the table has no such gateway, or not any more")


def _closed() -> Denied:
    return Denied("TABLE_CLOSED", "the table is closed")


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
    table: Table, attempt: PairingAttempt, stamp: Stamp, elsewhere: Elsewhere | None = None
) -> Answer:
    """Pair a stylus with a gateway."""
    gateway, stylus = attempt.gateway, attempt.stylus
    known = table.stylus(stylus)
    paired = sum(bool(each.gateway) for each in table.styluses.values())
    if not known.gateway and paired >= MOST_STYLUSES:
        return Denied("TABLE_FULL", f"a table has at most {MOST_STYLUSES} styluses")
    if (limited := _limited(table, attempt, stamp)) is not None:
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
        return _one(table, stamp, PinRefused, gateway=gateway, stylus=stylus)
    name = "" if _is_taken(table, stylus, brought.name) else brought.name
    return _one(
        table,
        stamp,
        StylusPaired,
        gateway=gateway,
        stylus=stylus,
        name=name,
        pin=brought.pin,
        unseated=bool(known.seats) and known.gateway != gateway and not known.pin,
    )


def let_go(table: Table, stylus: str, stamp: Stamp) -> Decided[Table] | None:
    """Obey a stylus no more, since it is paired at another table. None if it is not here."""
    if not table.stylus(stylus).gateway:
        return None
    return _one(table, stamp, StylusLeft, stylus=stylus)


def _limited(table: Table, attempt: PairingAttempt, stamp: Stamp) -> Refused | None:
    """Has there been too much guessing, or pairing, for one more?"""
    asking, now = table.gateways[attempt.gateway], stamp.at
    tried = (*table.stylus(attempt.stylus).wrong, *attempt.wrong)
    guesses = sorted(
        each.at
        for each in tried
        if now - each.at < GUESSED_WITHIN and _is_same(table, attempt.gateway, each.gateway)
    )
    pause = _pause(len(guesses), WRONG_PINS)
    if guesses and _count_lately([each.at for each in tried], now) >= WRONG_PINS:
        pause = max(pause, LOCKED)  # somebody guesses at it: who has, too, is not the first to try
    left = _left_of(pause, guesses, now)
    lately = _count_lately(asking.wrong, now)
    left = max(left, _left_of(_pause(lately, MOST_GUESSES), asking.wrong, now))
    if left > 0:
        why = f"too many wrong PINs at this gateway: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    if _count_lately(asking.pairings, now) >= MOST_PAIRINGS:
        left = _left_of(LOCKED, asking.pairings, now)
    if left > 0:
        why = f"too many new styluses at once: wait {left} seconds"
        return Refused("stylus.locked", why, {"seconds": left})
    return None


def _is_same(table: Table, gateway: str, other: str) -> bool:
    """Return whether two gateways of a table are one device: they have the same key."""
    keys = {name: each.key for name, each in table.gateways.items()}
    return gateway == other or keys[gateway] == keys.get(other)


def _count_lately(times: Iterable[datetime], now: datetime) -> int:
    return sum(now - at < WRONG_WITHIN for at in times)


def _pause(count: int, most: int) -> timedelta:
    """Return how long who did something wrong so often waits, if `most` times are too many.

    >>> [_pause(count, 5).seconds for count in (4, 5, 6, 7, 30)]
    [0, 60, 120, 240, 3600]
    """
    if count < most:
        return timedelta()
    return min(LOCKED * (1 << min(count - most, 16)), LONGEST_LOCKED)


def _left_of(pause: timedelta, times: Sequence[datetime], now: datetime) -> int:
    """Return how many seconds are left of a pause that began at the last of these times."""
    return ceil((times[-1] + pause - now).total_seconds()) if times and pause else 0


class Release(Struct, frozen=True):
    """Somebody wants a stylus free."""

    stylus: str
    gateway: str = ""
    """The one that asks; empty for the table's owner and the admin."""
    pin: str = ""
    """The keyed digest of what was typed."""
    wrong: tuple[WrongPin, ...] = ()
    """As in `PairingAttempt`."""


def release(table: Table, asked: Release, stamp: Stamp) -> Answer:
    """Let a stylus go, by its own gateway, its player's PIN, or who looks after the table."""
    known = table.stylus(asked.stylus)
    if not known.gateway:
        return unpaired(asked.stylus)
    if asked.gateway in ("", known.gateway):
        return _one(table, stamp, StylusReleased, stylus=asked.stylus)
    attempt = PairingAttempt(asked.gateway, asked.stylus, asked.pin, "", wrong=asked.wrong)
    if (limited := _limited(table, attempt, stamp)) is not None:
        return limited
    if not known.pin:  # the factory's PIN, which everybody knows, is nobody's right
        return Refused("stylus.pin", "it has no PIN of its own: its own gateway releases it")
    if not compare_digest(asked.pin, known.pin):
        return _one(table, stamp, PinRefused, gateway=asked.gateway, stylus=asked.stylus)
    return _one(table, stamp, StylusReleased, stylus=asked.stylus)


def unlock(table: Table, stylus: str, stamp: Stamp) -> Answer:
    """Let a stylus be paired at once, however many wrong PINs were tried."""
    return _closed() if table.closed else _one(table, stamp, StylusUnlocked, stylus=stylus)


class Naming(Struct, frozen=True):
    """What a stylus is to be called, by the gateway that it is paired with."""

    gateway: str
    stylus: str
    name: str
    pin: str
    """Four digits, as they were typed."""
    key: str
    """The keyed digest of the PIN."""


def rename(table: Table, naming: Naming, stamp: Stamp) -> Answer:
    """Give a stylus a name and a PIN of its own."""
    stylus, name, pin = naming.stylus, naming.name, naming.pin
    if not is_paired(table, naming.gateway, stylus):
        return unpaired(stylus)
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        why = f"a name has 1 to {LONGEST_NAME} printable characters, none blank at its ends"
        return Refused("stylus.name", why)
    if not re.fullmatch("[0-9]{4}", pin) or pin == FACTORY_PIN:
        return Refused("stylus.name", f"a PIN has four digits, and is not {FACTORY_PIN}")
    if _is_taken(table, stylus, name):
        return Refused("stylus.name", f"another stylus of this table is called {name}")
    return _one(table, stamp, StylusNamed, stylus=stylus, name=name, pin=naming.key)


def _is_taken(table: Table, stylus: str, name: str) -> bool:
    """Is another stylus of this table called so?"""
    others = (each for hardware, each in table.styluses.items() if hardware != stylus)
    return any(each.name.casefold() == name.casefold() for each in others)


def unpaired(stylus: str) -> Refused:
    """The refusal of what a gateway asks for a stylus that is not its own."""
    return Refused("stylus.unpaired", f"no stylus {stylus} is paired with this gateway")


def is_paired(table: Table, gateway: str, stylus: str) -> bool:
    """Does this gateway speak for the stylus?"""
    return stylus in table.styluses and table.styluses[stylus].gateway == gateway


def map_codes(table: Table, gateway: str, codes: Mapping[str, str], stamp: Stamp) -> Answer:
    """Give a gateway its own tap map; or all of the table, if none is named."""
    if table.closed:
        return _closed()
    if len(codes) > MOST_CODES:
        return Denied("FIELD_INVALID", f"a tap map has at most {MOST_CODES} codes")
    return _one(table, stamp, TapMapChanged, codes=dict(codes), gateway=gateway)


def _one(table: Table, stamp: Stamp, kind: type[TableEvent], **fields: Any) -> Decided[Table]:
    ledger = TableLedger(table, table.id, stamp)
    ledger.record(kind, **fields)
    return ledger.decided()
