"""Puts the names of frontends' players in, where the log has only ids.

It is done where matches and events are read, so that all that is made of them has the names: lists,
sentences, histories, transcripts. What is recorded, digested or exported never passes here.
"""

from msgspec.structs import replace

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Event, Holder, RefereeSeated, SeatClaimed
from projections.projector.schema import Names


def named(match: AnyMatch, names: Names) -> AnyMatch:
    """The match with the names of its players, for showing only."""
    holders, referee = match.affairs.holders, match.affairs.referee
    if all(each is None or each.id is None for each in (*holders.values(), referee)):
        return match

    def known(holder: Holder) -> Holder:
        return holder if holder.id is None else replace(holder, player=names(holder.id))

    affairs = replace(
        match.affairs,
        holders={seat: known(holder) for seat, holder in holders.items()},
        referee=referee and known(referee),
    )
    return replace(match, affairs=affairs)


def named_event(sealed: Sealed[Event], names: Names) -> Sealed[Event]:
    """The event with the name of the player whom it seats, for showing only."""
    event = sealed.event
    if not isinstance(event, SeatClaimed | RefereeSeated) or event.holder is None:
        return sealed
    return replace(sealed, event=replace(event, player=names(event.holder)))
