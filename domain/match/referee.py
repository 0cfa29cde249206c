"""Commands to invite a new referee, and to claim the referee role."""

from uuid import UUID

from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.access import same_person
from domain.match.details import Holder
from domain.match.events import RefereeInvited, RefereeSeated
from domain.match.ledger import MatchLedger, cancelled, listed
from domain.match.state import AnyMatch


def invite_referee(match: AnyMatch, key: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Issue a code for the referee role, which has the digest `key`.

    The present referee asks for it, or the operator where the match leaves the role to the
    operator. Earlier codes become void.
    """
    if match.terms.referee == "nobody":
        return Denied("NO_REFEREE", "this match was created without a referee")
    if match.cancelled:
        return cancelled()
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeInvited, key=key)
    return ledger.decided()


def seat_referee(
    match: AnyMatch, player: str, key: str, stamp: Stamp, holder: UUID | None = None
) -> Decided[AnyMatch] | Denied:
    """Assign the referee role to the bearer of a code for it.

    Nobody may referee a match with hidden information in which they hold a seat.

    Args:
        match: The match.
        player: Name of the referee.
        key: The digest of the new token.
        command_context: The context of the command.
        holder: The ID of the frontend's player, if it is one.
    """
    if match.cancelled:
        return cancelled()
    who = Holder(player, key, holder)
    held = tuple(seat for seat, each in match.holders.items() if same_person(each, who))
    if held and match.rules.hides:
        return Denied(
            "REFEREE_CONFLICT", f"the player of {listed(held)} would see all hands as the referee"
        )
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(RefereeSeated, player=player, key=key, holder=holder)
    return ledger.decided()
