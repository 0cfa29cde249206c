"""The referee's role: giving it to somebody else, and taking it."""

from uuid import UUID

from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.access import is_same_person
from domain.match.details import SeatHolder
from domain.match.events import RefereeInvited, RefereeSeated
from domain.match.ledger import MatchLedger, join_and, match_cancelled_refusal
from domain.match.state import AnyMatch


def invite_referee(
    match: AnyMatch, key: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Give out a code for the role, which has this digest: at the word of the referee, or of the
    operator where the match leaves it to the operator. Any such code before it is void."""
    if match.terms.referee == "nobody":
        return Rejection("NO_REFEREE", "this match was made to be played without a referee")
    if match.cancelled:
        return match_cancelled_refusal()
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
    """Give the role to who has shown a code for it; `key` is the digest of the new token. Nobody
    plays in a match whose hidden things they see. The player of a frontend is the `holder`."""
    if match.cancelled:
        return match_cancelled_refusal()
    who = SeatHolder(player, key, holder)
    held = tuple(seat for seat, each in match.holders.items() if is_same_person(each, who))
    if held and match.rules.has_hidden_information:
        return Rejection("REFEREE_CONFLICT", f"who holds {join_and(held)} would see all hands")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(RefereeSeated, player=player, key=key, holder=holder)
    return ledger.changeset()
