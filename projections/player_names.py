"""Puts the names of frontends' players in, where the log has only ids.

It is done where matches and events are read, so that all that is made of them has the names: lists,
sentences, histories, transcripts. What is recorded, digested or exported never passes here.
"""

from msgspec.structs import replace

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Event, SeatClaimed
from projections.following.schema import Names


def named(match: AnyMatch, names: Names) -> AnyMatch:
    """The match with the names of its players, for showing only."""
    holders = match.affairs.holders
    if all(holder.id is None for holder in holders.values()):
        return match
    known = {
        seat: holder if holder.id is None else replace(holder, player=names(holder.id))
        for seat, holder in holders.items()
    }
    return replace(match, affairs=replace(match.affairs, holders=known))


def named_event(sealed: Sealed[Event], names: Names) -> Sealed[Event]:
    """The event with the name of the player whom it seats, for showing only."""
    event = sealed.event
    if not isinstance(event, SeatClaimed) or event.holder is None:
        return sealed
    return replace(sealed, event=replace(event, player=names(event.holder)))
