"""The Table: gateways, styluses and taps, as a decider beside the Match.

Nothing here asks for the time or a secret: a `Stamp` brings the one, keyed digests the other. Taps
become actions by `domain.stylus.taps`, and the match judges those as if they came from anywhere.
"""

from domain.table.attaching import Found, attach, choose, confirms, end_wait, is_free, offers, wait
from domain.table.codes import CONFIRM, RIGHT, is_target, target_of
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
)
from domain.table.corrections import Correction, correct, misread
from domain.table.differences import differs
from domain.table.events import (
    BoardCorrected,
    Event,
    PinRefused,
    ScanTaken,
    Sign,
    SignNoticed,
    TableEvent,
    TapTaken,
)
from domain.table.evolve import evolve
from domain.table.match_card import COMMANDS, CardOrder, Command, Ordered, command_of
from domain.table.messages import Done, Greeting, Message, Scan, hello, notice, place_of, version_of
from domain.table.scans import board_after, take_scan
from domain.table.seating import Seating, end_claimed, grants_of, seat, seats_of, withdraw
from domain.table.state import Gateway, Stylus, Table, Wait
from domain.table.taps import DueTap, moment_of, present, take, taps_of

__all__ = [
    "COMMANDS",
    "CONFIRM",
    "FACTORY_PIN",
    "RIGHT",
    "Answer",
    "BoardCorrected",
    "CardOrder",
    "Command",
    "Correction",
    "Done",
    "DueTap",
    "Elsewhere",
    "Event",
    "Found",
    "Gateway",
    "Greeting",
    "Message",
    "Naming",
    "Ordered",
    "PairingAttempt",
    "PinRefused",
    "Release",
    "Scan",
    "ScanTaken",
    "Seating",
    "Sign",
    "SignNoticed",
    "Stylus",
    "Table",
    "TableEvent",
    "TapTaken",
    "Wait",
    "attach",
    "board_after",
    "certify",
    "change_key",
    "choose",
    "close_table",
    "command_of",
    "confirms",
    "correct",
    "differs",
    "end_claimed",
    "end_wait",
    "evolve",
    "grants_of",
    "hello",
    "is_free",
    "is_paired",
    "is_target",
    "let_go",
    "map_codes",
    "misread",
    "moment_of",
    "notice",
    "offers",
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
    "take_scan",
    "taps_of",
    "target_of",
    "version_of",
    "wait",
    "withdraw",
]
