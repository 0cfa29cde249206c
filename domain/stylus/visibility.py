"""What may be listed for a stylus that may tap for a seat and is shown no more than anybody.

Its player holds the cards. So a card that is tapped is taken as it is; but no card is named that
lies hidden, and nothing is offered that only its owner can know of.
"""

from typing import Any

from domain.kernel.game import SPECTATOR, Happening
from domain.stylus.selection import Moment
from domain.stylus.targets import Narrowed, Option

SHOWN = ("card", "piece")
"""Kinds of things that may lie hidden; all others lie on the table."""
MOST = 50
"""Entries of a group that are looked at."""


def may_list(moment: Moment, thing: str, picked: tuple[str, ...]) -> bool:
    """May it be told that this thing can be tapped?"""
    kind, _, name = thing.partition(" ")
    return kind not in SHOWN or thing in picked or name in moment.open


def may_offer(moment: Moment, option: Option, picked: tuple[str, ...]) -> bool:
    """May an action, or a group of them, be named after these picks?"""
    if option.action is None:
        return _may_open(moment, moment.narrow((*picked, option.pick)), (*picked, option.pick))
    parts = moment.game.parts(moment.state, option.action)
    named = {pick.partition(" ")[2] for pick in picked}
    things = {*parts.pieces, *parts.cards}
    if not things <= moment.open | named:
        return False
    happening: Happening[Any, Any] = Happening(moment.seat, option.action, ())
    return bool(things & named) or moment.game.veil(happening, SPECTATOR).action == option.action


def _may_open(moment: Moment, narrowed: Narrowed, picked: tuple[str, ...]) -> bool:
    entries = (*narrowed.runes, *((narrowed.armed,) if narrowed.armed else ()))
    if not entries or len(entries) > MOST:
        return False
    return all(each.action is not None and may_offer(moment, each, picked) for each in entries)
