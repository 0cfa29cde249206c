"""What all commands of a table share, and those that say what belongs to it.

A command gives the events that record it, or the reason why not. What a player did wrong is
`Refused` with a rule id, as in a game; what makes no sense is `Denied`.
"""

import re
from collections.abc import Mapping
from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import Refused
from domain.log.ledger import Decided, Denied, Ledger
from domain.log.sealed_events import Sealed
from domain.log.stamps import Stamp
from domain.table.events import (
    GatewayRegistered,
    MatchPlaced,
    PinRefused,
    StylusLeft,
    StylusNamed,
    StylusPaired,
    StylusSeated,
    TableEvent,
    TableOpened,
    TapMapChanged,
)
from domain.table.state import (
    LOCKED,
    WRONG_PINS,
    WRONG_WITHIN,
    Stylus,
    Table,
    evolve,
)

MOST_GATEWAYS: Final = 8
MOST_STYLUSES: Final = 64
"""Of one table."""
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


def open_table(identity: UUID, name: str, stamp: Stamp) -> Decided[Table]:
    """Set a table up. It has no gateway yet."""
    ledger = TableLedger(None, identity, stamp)
    ledger.record(TableOpened, name=name)
    return ledger.decided()


def register(table: Table, gateway: str, name: str, key: str, stamp: Stamp) -> Answer:
    """Let a gateway connect with the key that has this digest."""
    if len(table.gateways) >= MOST_GATEWAYS:
        return Denied("TABLE_FULL", f"a table has at most {MOST_GATEWAYS} gateways")
    return _one(table, stamp, GatewayRegistered, gateway=gateway, name=name, key=key)


class PairingAttempt(Struct, frozen=True):
    """Somebody typed a PIN on a gateway to pair a stylus with it."""

    gateway: str
    stylus: str
    pin: str
    """The keyed digest of what was typed."""
    factory_pin: str
    """That of the PIN with which a stylus leaves the factory."""


def pair(
    table: Table, attempt: PairingAttempt, stamp: Stamp, elsewhere: Elsewhere | None = None
) -> Answer:
    """Pair a stylus with a gateway."""
    gateway, stylus = attempt.gateway, attempt.stylus
    known = table.stylus(stylus)
    if stylus not in table.styluses and len(table.styluses) >= MOST_STYLUSES:
        return Denied("TABLE_FULL", f"a table has at most {MOST_STYLUSES} styluses")
    if _is_locked(known, stamp):
        why = f"too many wrong PINs: wait {LOCKED.seconds} seconds"
        return Refused("stylus.locked", why, {"seconds": LOCKED.seconds})
    if known.gateway not in ("", gateway) and known.lost is None:
        named = table.gateways[known.gateway].name
        return Refused("stylus.busy", f"it is paired with another gateway, {named}")
    if elsewhere is not None and elsewhere.heard:
        why = f"it is paired at another table, {elsewhere.table}, and heard there"
        return Refused("stylus.busy", why)
    brought = elsewhere.stylus if elsewhere else Stylus()
    if not compare_digest(attempt.pin, brought.pin or known.pin or attempt.factory_pin):
        return _one(table, stamp, PinRefused, gateway=gateway, stylus=stylus)
    name = "" if _is_taken(table, stylus, brought.name) else brought.name
    return _one(
        table, stamp, StylusPaired, gateway=gateway, stylus=stylus, name=name, pin=brought.pin
    )


def let_go(table: Table, stylus: str, stamp: Stamp) -> Decided[Table] | None:
    """Obey a stylus no more, since it is paired at another table. None if it is not here."""
    if not table.stylus(stylus).gateway:
        return None
    return _one(table, stamp, StylusLeft, stylus=stylus)


def _is_locked(stylus: Stylus, stamp: Stamp) -> bool:
    lately = [at for at in stylus.wrong if stamp.at - at < WRONG_WITHIN]
    return len(lately) >= WRONG_PINS and stamp.at - lately[-1] < LOCKED


def rename(table: Table, stylus: str, name: str, pin: str, key: str, stamp: Stamp) -> Answer:
    """Give a stylus a name and a PIN of its own; `key` is the keyed digest of the PIN."""
    if stylus not in table.styluses or not table.styluses[stylus].gateway:
        return _unpaired(stylus)
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        why = f"a name has 1 to {LONGEST_NAME} printable characters, none blank at its ends"
        return Refused("stylus.name", why)
    if not re.fullmatch("[0-9]{4}", pin) or pin == FACTORY_PIN:
        return Refused("stylus.name", f"a PIN has four digits, and is not {FACTORY_PIN}")
    if _is_taken(table, stylus, name):
        return Refused("stylus.name", f"another stylus of this table is called {name}")
    return _one(table, stamp, StylusNamed, stylus=stylus, name=name, pin=key)


def _is_taken(table: Table, stylus: str, name: str) -> bool:
    """Is another stylus of this table called so?"""
    others = (each for hardware, each in table.styluses.items() if hardware != stylus)
    return any(each.name.casefold() == name.casefold() for each in others)


def seat(
    table: Table,
    stylus: str,
    match: UUID,
    seats: Mapping[str, str],
    stamp: Stamp,
    *,
    shared: bool,
) -> Answer:
    """Give a stylus its seats in a match, which is placed on the table if it is not there yet."""
    if stylus not in table.styluses or not table.styluses[stylus].gateway:
        return _unpaired(stylus)
    ledger = TableLedger(table, table.id, stamp)
    if table.match != match:
        ledger.record(MatchPlaced, match=match)
    ledger.record(StylusSeated, stylus=stylus, seats=dict(seats), shared=shared)
    return ledger.decided()


def _unpaired(stylus: str) -> Refused:
    return Refused("stylus.unpaired", f"no stylus {stylus} is paired at this table")


def map_codes(table: Table, codes: Mapping[str, str], stamp: Stamp) -> Answer:
    """Give the table its own tap map."""
    if len(codes) > MOST_CODES:
        return Denied("FIELD_INVALID", f"a tap map has at most {MOST_CODES} codes")
    return _one(table, stamp, TapMapChanged, codes=dict(codes))


def _one(table: Table, stamp: Stamp, kind: type[TableEvent], **fields: Any) -> Decided[Table]:
    ledger = TableLedger(table, table.id, stamp)
    ledger.record(kind, **fields)
    return ledger.decided()
