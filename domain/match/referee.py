"""The referee's role: giving it to somebody else, and taking it."""

from uuid import UUID

from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.access import same_person
from domain.match.details import Holder
from domain.match.events import RefereeInvited, RefereeSeated
from domain.match.ledger import MatchLedger, cancelled, listed
from domain.match.state import AnyMatch


def invite_referee(match: AnyMatch, key: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Give out a code for the role, which has this digest: at the word of the referee, or of the
    operator where the match leaves it to the operator. Any such code before it is void."""
    if match.terms.referee == "nobody":
        return Denied("NO_REFEREE", "this match was made to be played without a referee")
    if match.cancelled:
        return cancelled()
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeInvited, key=key)
    return ledger.decided()


def seat_referee(
    match: AnyMatch, player: str, key: str, stamp: Stamp, holder: UUID | None = None
) -> Decided[AnyMatch] | Denied:
    """Give the role to who has shown a code for it; `key` is the digest of the new token. Nobody
    plays in a match whose hidden things they see. The player of a frontend is the `holder`."""
    if match.cancelled:
        return cancelled()
    who = Holder(player, key, holder)
    held = tuple(seat for seat, each in match.holders.items() if same_person(each, who))
    if held and match.rules.hides:
        return Denied("REFEREE_CONFLICT", f"who holds {listed(held)} would see all hands")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeSeated, player=player, key=key, holder=holder)
    return ledger.decided()
