"""The fold of events that change the styluses of a table: pairings, names and seats."""

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from domain.stylus.tap_machine import Selection
from domain.table.events import (
    PinRefused,
    SeatsEnded,
    StylusLeft,
    StylusNamed,
    StylusPaired,
    StylusReleased,
    StylusSeated,
    StylusUnlocked,
)
from domain.table.gateway_changes import count_attempt
from domain.table.state import MAX_UNPAIRED_STYLUSES, PIN_GUESS_WINDOW, Stylus, Table, WrongPin

StylusEvent = (
    StylusPaired
    | StylusLeft
    | StylusReleased
    | PinRefused
    | StylusUnlocked
    | StylusNamed
    | StylusSeated
    | SeatsEnded
)


def apply_stylus_event(table: Table, event: StylusEvent) -> Table:
    """Return the table after an event of one of its styluses."""
    name, before = event.stylus, table.stylus(event.stylus)
    match event:
        case StylusLeft() | StylusReleased():
            return _without_stylus(table, name)
        case StylusPaired():
            after = _with_pairing(before, event)
            if not after.pin:
                table = count_attempt(table, event.gateway, "pairings", event.at)
        case PinRefused():
            recent = (each for each in before.wrong if event.at - each.at < PIN_GUESS_WINDOW)
            after = replace(before, wrong=(*recent, WrongPin(event.at, event.gateway)))
            table = count_attempt(
                _without_strangers(table, event.at), event.gateway, "wrong", event.at
            )
        case StylusUnlocked():
            return _without_lockout(table, name)
        case StylusNamed():
            after = replace(before, name=event.name, pin=event.pin)
        case StylusSeated():
            seated = replace(without_seats(before), seats=event.seats, shared=event.shared)
            after = replace(seated, grants=event.grants)
        case SeatsEnded():
            after = _without_seats(before, event.seats)
        case unreachable:
            assert_never(unreachable)
    return with_stylus(table, name, after)


def with_stylus(table: Table, name: str, stylus: Stylus) -> Table:
    """Return the table with this stylus in place of the one with that ID."""
    return replace(table, styluses={**table.styluses, name: stylus})


def _without_lockout(table: Table, name: str) -> Table:
    """Return the table without recent wrong PINs and pairings that lock out this stylus."""
    gateways = {each: replace(g, wrong=(), pairings=()) for each, g in table.gateways.items()}
    table = replace(table, gateways=gateways)
    if name not in table.styluses:
        return table
    return with_stylus(table, name, replace(table.styluses[name], wrong=()))


def without_seats(stylus: Stylus) -> Stylus:
    """Return the stylus without seats, as after its pairing."""
    unselected = replace(without_selection(stylus), era=0, seen=0, left=())
    return replace(unselected, seats={}, shared=False, grants={}, ended=())


def without_selection(stylus: Stylus) -> Stylus:
    """Return the stylus with nothing selected."""
    return replace(stylus, hand=Selection(), order=None, taps=())


def _with_pairing(before: Stylus, event: StylusPaired) -> Stylus:
    paired = replace(
        before,
        gateway=event.gateway,
        lost=None,
        wrong=(),
        name=event.name or before.name,
        pin=event.pin or before.pin,
    )
    return without_seats(paired) if event.unseated else paired


def _without_seats(before: Stylus, ended: tuple[str, ...]) -> Stylus:
    seats, grants = (
        {seat: held for seat, held in each.items() if seat not in ended}
        for each in (before.seats, before.grants)
    )
    return replace(
        without_selection(before),
        seats=seats,
        grants=grants,
        ended=(*before.ended, *ended),
        shared=False,
    )


def _without_stylus(table: Table, name: str) -> Table:
    others = {each: stylus for each, stylus in table.styluses.items() if each != name}
    return replace(table, styluses=others)


def _without_strangers(table: Table, now: datetime) -> Table:
    """Return the table without old styluses that only had wrong PINs entered.

    Without this limit, guessing PINs of many styluses would fill the table's state.
    """
    strangers = {
        name: each.wrong[-1].at
        for name, each in table.styluses.items()
        if not each.gateway and not each.pin and each.wrong
    }
    latest = sorted(strangers, key=lambda name: strangers[name])[-MAX_UNPAIRED_STYLUSES:]
    remembered = {name for name in latest if now - strangers[name] < PIN_GUESS_WINDOW}
    known = {
        name: each
        for name, each in table.styluses.items()
        if each.gateway or each.pin or name in remembered
    }
    return replace(table, styluses=known)
