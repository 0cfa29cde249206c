"""Puts the names of frontends' players in, where the log has only ids.

It is done where matches and events are read, so that all that is made of them has the names: lists,
sentences, histories, transcripts. What is recorded, digested or exported never passes here.
"""

from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Event, RefereeSeated, SeatClaimed, SeatHolder
from projections.projector.schema import NameLookup


def with_player_names(match: AnyMatch, names: NameLookup) -> AnyMatch:
    """The match with the names of its players, for showing only."""
    holders, referee = match.details.holders, match.details.referee
    if all(each is None or each.id is None for each in (*holders.values(), referee)):
        return match

    def known(holder: SeatHolder) -> SeatHolder:
        return holder if holder.id is None else replace(holder, player=names(holder.id))

    details = replace(
        match.details,
        holders={seat: known(holder) for seat, holder in holders.items()},
        referee=referee and known(referee),
    )
    return replace(match, details=details)


def event_with_player_name(sealed: SealedEvent[Event], names: NameLookup) -> SealedEvent[Event]:
    """The event with the name of the player whom it seats, for showing only."""
    event = sealed.event
    if not isinstance(event, SeatClaimed | RefereeSeated) or event.holder is None:
        return sealed
    return replace(sealed, event=replace(event, player=names(event.holder)))
