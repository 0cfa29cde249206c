"""What may be listed for a stylus that may tap for a seat and is shown no more than anybody.

Its player holds the cards. So a card that is tapped is taken as it is; but no card is named that
lies hidden, and nothing is offered that only its owner can know of.
"""

from typing import Any

from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.stylus.selection import StylusView
from domain.stylus.targets import Option, RemainingOptions

HIDEABLE_KINDS = ("card", "piece")
"""Kinds of things that may lie hidden; all others lie on the table."""
MAX_GROUP_ENTRIES = 50
"""Entries of a group that are looked at."""


def is_public_target(moment: StylusView, thing: str, picked: tuple[str, ...]) -> bool:
    """May it be told that this thing can be tapped?"""
    kind, _, name = thing.partition(" ")
    return kind not in HIDEABLE_KINDS or thing in picked or name in moment.face_up_cards


def is_public_option(moment: StylusView, option: Option, picked: tuple[str, ...]) -> bool:
    """May an action, or a group of them, be named after these picks?"""
    if option.action is None:
        return _is_public_group(
            moment, moment.narrow((*picked, option.pick)), (*picked, option.pick)
        )
    parts = moment.game.parts(moment.state, option.action)
    named = {pick.partition(" ")[2] for pick in picked}
    things = {*parts.pieces, *parts.cards}
    if not things <= moment.face_up_cards | named:
        return False
    happening: ResolvedAction[Any, Any] = ResolvedAction(moment.seat, option.action, ())
    return bool(things & named) or moment.game.redact(happening, SPECTATOR).action == option.action


def _is_public_group(
    moment: StylusView, narrowed: RemainingOptions, picked: tuple[str, ...]
) -> bool:
    entries = (*narrowed.runes, *((narrowed.armed,) if narrowed.armed else ()))
    if not entries or len(entries) > MAX_GROUP_ENTRIES:
        return False
    return all(
        each.action is not None and is_public_option(moment, each, picked) for each in entries
    )
