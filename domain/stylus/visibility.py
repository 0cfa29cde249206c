"""Restrictions for a stylus that may tap for a seat but shows public information only.

The stylus's user holds the physical cards. A tapped card is accepted, but no hidden card is named,
and no option is offered that depends on hidden cards.
"""

from typing import Any

from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.stylus.selection import StylusView
from domain.stylus.targets import Option, RemainingOptions

HIDEABLE_KINDS = ("card", "piece")
"""Kinds of things that may be hidden; all others are public."""
MAX_GROUP_ENTRIES = 50
"""The most entries of a group that are checked; a larger group is not offered."""


def is_public_target(moment: StylusView, thing: str, picked: tuple[str, ...]) -> bool:
    """Return whether this thing may be listed as a target."""
    kind, _, name = thing.partition(" ")
    return kind not in HIDEABLE_KINDS or thing in picked or name in moment.face_up_cards


def is_public_option(moment: StylusView, option: Option, picked: tuple[str, ...]) -> bool:
    """Return whether an action or a group may be offered after these picks."""
    if option.action is None:
        return _is_public_group(
            moment, moment.narrow((*picked, option.pick)), (*picked, option.pick)
        )
    parts = moment.game.parts(moment.state, option.action)
    named = {pick.partition(" ")[2] for pick in picked}
    things = {*parts.pieces, *parts.cards}
    if not things <= moment.face_up_cards | named:
        return False
    resolved: ResolvedAction[Any, Any] = ResolvedAction(moment.seat, option.action, ())
    return bool(things & named) or moment.game.redact(resolved, SPECTATOR).action == option.action


def _is_public_group(
    moment: StylusView, narrowed: RemainingOptions, picked: tuple[str, ...]
) -> bool:
    entries = (*narrowed.runes, *((narrowed.armed,) if narrowed.armed else ()))
    if not entries or len(entries) > MAX_GROUP_ENTRIES:
        return False
    return all(
        each.action is not None and is_public_option(moment, each, picked) for each in entries
    )
