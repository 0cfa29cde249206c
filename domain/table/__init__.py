"""The Table: gateways, styluses and taps, as a decider beside the Match.

Nothing here asks for the time or a secret: a `Stamp` brings the one, keyed digests the other. Taps
become actions by `domain.stylus.taps`, and the match judges those as if they came from anywhere.
"""

from domain.table.codes import is_target, target_of
from domain.table.commands import (
    FACTORY_PIN,
    Answer,
    Elsewhere,
    PairingAttempt,
    let_go,
    map_codes,
    open_table,
    pair,
    register,
    rename,
    seat,
)
from domain.table.events import Event, PinRefused, Sign, SignNoticed, TableEvent, TapTaken
from domain.table.match_card import COMMANDS, CardOrder, Command, Ordered, command_of
from domain.table.messages import Done, Message, hello, notice, place_of, version_of
from domain.table.state import Gateway, Stylus, Table, evolve
from domain.table.taps import CONFIRM, DueTap, moment_of, present, seats_of, take, taps_of

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
    "Message",
    "Ordered",
    "PairingAttempt",
    "PinRefused",
    "Sign",
    "SignNoticed",
    "Stylus",
    "Table",
    "TableEvent",
    "TapTaken",
    "command_of",
    "evolve",
    "hello",
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
    "rename",
    "seat",
    "seats_of",
    "take",
    "taps_of",
    "target_of",
    "version_of",
]
