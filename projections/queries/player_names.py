"""The names of frontends' players, inserted into matches and events that have only their IDs.

Names are inserted when matches and events are read for display: lists, sentences, histories and
transcripts. Recorded, digested and exported data never contain them.
"""

from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Event, RefereeSeated, SeatClaimed, SeatHolder
from projections.projector.schema import NameLookup


def with_player_names(match: AnyMatch, names: NameLookup) -> AnyMatch:
    """Return the match with the names of its players, for display only."""
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
    """Return the event with the name of the player who takes a seat, for display only."""
    event = sealed.event
    if not isinstance(event, SeatClaimed | RefereeSeated) or event.holder is None:
        return sealed
    return replace(sealed, event=replace(event, player=names(event.holder)))
