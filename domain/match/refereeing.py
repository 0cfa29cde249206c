"""The referee's role: giving it to somebody else, and taking it."""

from domain.log.ledger import Decided, Denied
from domain.log.stamps import Stamp
from domain.match.access import same_name
from domain.match.events import RefereeInvited, RefereeSeated
from domain.match.ledger import MatchLedger, listed
from domain.match.state import AnyMatch


def invite_referee(match: AnyMatch, key: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Give out a code for the role, which has this digest: at the word of the referee, or of the
    operator where the match leaves it to the operator. Any such code before it is void."""
    if match.terms.referee == "nobody":
        return Denied("NO_REFEREE", "this match was made to be played without a referee")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeInvited, key=key)
    return ledger.decided()


def seat_referee(
    match: AnyMatch, player: str, key: str, stamp: Stamp
) -> Decided[AnyMatch] | Denied:
    """Give the role to who has shown a code for it; `key` is the digest of the new token. Nobody
    plays in a match whose hidden things they see."""
    held = tuple(seat for seat in match.seats if same_name(match.player_of(seat), player))
    if held and match.rules.hides:
        return Denied("REFEREE_PLAYS", f"{player} holds {listed(held)}, and would see all hands")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeSeated, player=player, key=key)
    return ledger.decided()
