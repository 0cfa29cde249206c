"""Commands to invite a new referee, and to claim the referee role."""

from uuid import UUID

from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.access import is_same_person
from domain.match.details import SeatHolder
from domain.match.events import RefereeInvited, RefereeSeated
from domain.match.ledger import MatchLedger, join_and, match_cancelled_rejection
from domain.match.state import AnyMatch


def invite_referee(
    match: AnyMatch, key: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Issue a code for the referee role, which has the digest `key`.

    The present referee asks for it, or the operator where the match leaves the role to the
    operator. Earlier codes become void.
    """
    if match.terms.referee == "nobody":
        return Rejection("NO_REFEREE", "this match was created without a referee")
    if match.cancelled:
        return match_cancelled_rejection()
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(RefereeInvited, key=key)
    return ledger.changeset()


def assign_referee(
    match: AnyMatch,
    player: str,
    key: str,
    command_context: CommandContext,
    holder: UUID | None = None,
) -> Changeset[AnyMatch] | Rejection:
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
        return match_cancelled_rejection()
    who = SeatHolder(player, key, holder)
    held = tuple(seat for seat, each in match.holders.items() if is_same_person(each, who))
    if held and match.rules.has_hidden_information:
        return Rejection(
            "REFEREE_CONFLICT", f"the player of {join_and(held)} would see all hands as the referee"
        )
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(RefereeSeated, player=player, key=key, holder=holder)
    return ledger.changeset()
