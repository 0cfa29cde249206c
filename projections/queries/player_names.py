"""The names of frontends' players, inserted into matches and events that have only their IDs.

Names are inserted when matches and events are read for display: lists, sentences, histories and
transcripts. Recorded, digested and exported data never contain them.
"""

from msgspec.structs import replace

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Event, Holder, RefereeSeated, SeatClaimed
from projections.projector.schema import Names


def named(match: AnyMatch, names: Names) -> AnyMatch:
    """Return the match with the names of its players, for display only."""
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
    """Return the event with the name of the player who takes a seat, for display only."""
    event = sealed.event
    if not isinstance(event, SeatClaimed | RefereeSeated) or event.holder is None:
        return sealed
    return replace(sealed, event=replace(event, player=names(event.holder)))
