"""The Table: gateways, styluses and taps, as a decider beside the Match.

Nothing here asks for the time or a secret: a `Stamp` brings the one, keyed digests the other. Taps
become actions by `domain.stylus.tap_machine`, and the match judges those like any others.
"""

from domain.table.codes import CONFIRM, is_target, target_of
from domain.table.commands import (
    FACTORY_PIN,
    Answer,
    Elsewhere,
    Naming,
    PairingAttempt,
    Release,
    certify,
    change_key,
    close_table,
    is_paired,
    let_go,
    map_codes,
    open_table,
    pair,
    register,
    release,
    rename,
    revoke,
    unlock,
)
from domain.table.events import (
    Event,
    PinRefused,
    Sign,
    SignNoticed,
    TableEvent,
    TapTaken,
)
from domain.table.fold import evolve
from domain.table.journal_merge import awaited
from domain.table.match_card import COMMANDS, CardOrder, Command, Ordered, command_of
from domain.table.messages import Done, Greeting, Message, hello, notice, place_of, version_of
from domain.table.seating import Seating, end_claimed, grants_of, seat, seats_of, withdraw
from domain.table.state import Gateway, Stylus, Table, WrongPin
from domain.table.taps import DueTap, moment_of, present, take, taps_of

__all__ = [
    "COMMANDS",
    "CONFIRM",
    "FACTORY_PIN",
    "Answer",
    "CardOrder",
    "Command",
    "Done",
    "DueTap",
    "Elsewhere",
    "Event",
    "Gateway",
    "Greeting",
    "Message",
    "Naming",
    "Ordered",
    "PairingAttempt",
    "PinRefused",
    "Release",
    "Seating",
    "Sign",
    "SignNoticed",
    "Stylus",
    "Table",
    "TableEvent",
    "TapTaken",
    "WrongPin",
    "awaited",
    "certify",
    "change_key",
    "close_table",
    "command_of",
    "end_claimed",
    "evolve",
    "grants_of",
    "hello",
    "is_paired",
    "is_target",
    "let_go",
    "map_codes",
    "moment_of",
    "notice",
    "open_table",
    "pair",
    "place_of",
    "present",
    "register",
    "release",
    "rename",
    "revoke",
    "seat",
    "seats_of",
    "take",
    "taps_of",
    "target_of",
    "unlock",
    "version_of",
    "withdraw",
]
