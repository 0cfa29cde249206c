"""Access to a match: which role a token or player has, and which invitation codes are valid.

A token acts for its role. A code only lets its bearer claim a role once, and shows what a spectator
sees. So the creator of a match, who hands out the codes, has seen nothing hidden.
"""

from hmac import compare_digest
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE, SPECTATOR
from domain.match.details import SeatHolder, Terms
from domain.match.state import AnyMatch

LINK: Final = "link"
"""The role of the invitation code that is valid for any open seat."""
CREATOR: Final = "creator"
"""The role of the token with which the creator manages a match without being its referee. It sees
what a spectator sees."""


def seats_of_player(match: AnyMatch, player: UUID) -> tuple[str, ...]:
    """Return the seats that a frontend's player holds, those with a prompt first.

    While the seats are still to be drawn, the result is empty.
    """
    if _is_undrawn(match):
        return ()
    held = [seat for seat in match.seats if seat in match.holders]
    own = [seat for seat in held if match.holders[seat].id == player]
    asked = {prompt.seat for prompt in match.prompts} if len(own) > 1 else ()
    return tuple(sorted(own, key=lambda seat: seat not in asked))


def _role_of_player(match: AnyMatch, player: UUID) -> str | None:
    referee = match.details.referee
    if seats := seats_of_player(match, player):
        return seats[0]
    if referee is not None and referee.id == player:
        return REFEREE
    waits = any(holder.id == player for holder in match.holders.values())
    return SPECTATOR if waits else None


def _is_undrawn(match: AnyMatch) -> bool:
    """Return whether the seats are still to be drawn.

    Until then nobody has a seat, so that a player who is assigned another seat has seen no hand
    of it.
    """
    return match.waiting and match.terms.seat_order == "drawn"


def role_of(match: AnyMatch, key: str, player: UUID | None = None) -> str | None:
    """Return the role that a token digest or a frontend's player has in a match.

    Args:
        match: The match.
        key: The digest of the token or code.
        player: The frontend's player; if given, the digest is ignored.

    Returns:
        A seat, `referee` or `spectator`; `spectator` also for a valid code; None for a stranger.
    """
    if player is not None:
        return _role_of_player(match, player)
    details = match.details
    for seat, holder in details.holders.items():
        if compare_digest(holder.key, key):
            return SPECTATOR if _is_undrawn(match) else seat
    if details.referee is not None and compare_digest(details.referee.key, key):
        return REFEREE
    for role, token in match.invitations.items():
        if compare_digest(token, key) and not _is_spent(match, role):
            return SPECTATOR if role == CREATOR else role
    is_spectator_code = compare_digest(details.codes.get(SPECTATOR, ""), key)
    is_link_valid = match.waiting and is_link_code(match, key)
    return SPECTATOR if is_spectator_code or is_link_valid or invitation_role(match, key) else None


def is_creator(match: AnyMatch, key: str, player: UUID | None = None) -> bool:
    """Return whether a token digest or a frontend's player belongs to the match's creator.

    The creator's own token counts, and so does the token of the seat claimed at creation.
    """
    if player is not None:
        return any(each.creator and each.id == player for each in match.holders.values())
    own = [each.key for each in match.holders.values() if each.creator and each.key]
    own.append(match.invitations.get(CREATOR, ""))
    return any(compare_digest(each, key) for each in own)


def can_claim_any_seat(match: AnyMatch, key: str) -> bool:
    """Return whether the bearer of a token with this digest may claim any open seat.

    It holds only while the match waits: a seat that was left after the start needs its own
    code.
    """
    return match.waiting and (is_link_code(match, key) or match.terms.admission == "anybody")


def is_link_code(match: AnyMatch, key: str) -> bool:
    """Return whether `key` is the digest of the code that is valid for any open seat.

    Many people may have this code.
    """
    first = "" if LINK in match.details.voided else match.invitations.get(LINK, "")
    return compare_digest(match.details.codes.get(LINK, first), key)


def seat_for(match: AnyMatch, requested: str) -> str | None:
    """Return the seat that a claim for `wanted` gets, or None if there is none.

    An empty `wanted` stands for any seat. Where seats are assigned in order, only the first
    open seat can be claimed.
    """
    free = [seat for seat in match.seats if seat not in match.holders]
    if match.terms.seat_order == "in-order":
        return next(iter(free), None) if requested in ("", *free[:1]) else None
    return requested or next(iter(free), None)


def invitation_role(match: AnyMatch, key: str) -> str:
    """Return the role that the bearer of this token or code digest may claim.

    It is an open seat, `referee`, or empty for none.
    """
    for role in (*match.seats, REFEREE):
        code = code_digest(match, role)
        if code is not None and compare_digest(code, key):
            return role
    return ""


def code_digest(match: AnyMatch, role: str) -> str | None:
    """Return the digest of the code or token that lets its bearer claim a role now, or None."""
    details = match.details
    if role in details.codes:
        return details.codes[role]
    if role == REFEREE:
        first = is_code((), role, match.terms) and details.referee is None
        return match.invitations.get(REFEREE) if first else None
    # Codes of the creation become void at the start. Otherwise the creator could claim a seat that
    # its player left, with all of its hidden information.
    is_code_void = (has_codes(match) and not match.waiting) or role in details.voided
    return None if role in details.holders or is_code_void else match.invitations.get(role)


def is_code(seats: tuple[str, ...], role: str, terms: Terms) -> bool:
    """Return whether the secret issued for this role at creation is a code, not a token."""
    if role == REFEREE:
        return terms.referee == "invited"
    return role == LINK or (role in seats and terms.begins == "when-full")


def has_codes(match: AnyMatch) -> bool:
    """Return whether seats are claimed by codes, not by tokens that act for them at once."""
    return match.terms.begins == "when-full"


def referee_seats(match: AnyMatch) -> tuple[str, ...]:
    """Return the seats that the referee also holds, as far as that is known."""
    named = match.details.referee
    if named is None:
        refereed = match.terms.referee == "creator"
        return tuple(seat for seat in match.seats if refereed and _is_creator_seat(match, seat))
    held = match.holders
    return tuple(seat for seat in match.seats if seat in held and is_same_person(held[seat], named))


def is_same_person(one: SeatHolder, other: SeatHolder) -> bool:
    """Return whether two holders are known to be one person.

    Frontend players are compared by ID, others by name without regard to case.
    """
    if one.id is not None or other.id is not None:
        return one.id == other.id
    return one.player.casefold() == other.player.casefold()


def _is_creator_seat(match: AnyMatch, seat: str) -> bool:
    holder = match.holders.get(seat)
    return holder is not None and holder.creator


def _is_spent(match: AnyMatch, role: str) -> bool:
    """Return whether the secret issued for this role at creation is not a valid token any more.

    It is spent if it is a code, if it was replaced, or if it was voided.
    """
    replaced = match.details.referee is not None if role == REFEREE else role in match.holders
    is_void = replaced or role in match.details.voided
    return is_void or is_code(match.seats, role, match.terms)
