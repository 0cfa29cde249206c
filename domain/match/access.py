"""Whose token is this, and which codes are good: for a seat, or for the referee's role.

A token stands for a role. A code only lets its bearer take one, once, and shows what a spectator
sees: so whoever made a match and gave out its codes has seen nothing by that.
"""

from hmac import compare_digest
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE, SPECTATOR
from domain.match.details import SeatHolder, Terms
from domain.match.state import AnyMatch

LINK: Final = "link"
"""The role, among codes, of the one that is good for any open seat."""
CREATOR: Final = "creator"
"""The role of the token by which whoever made a match looks after it, where they do not referee:
it sees what a spectator sees."""


def seats_of_player(match: AnyMatch, player: UUID) -> tuple[str, ...]:
    """The seats that a player of a frontend holds: those that are asked first. None before they are
    drawn, where they are."""
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
    """Are the seats still to be drawn? Nobody has one before: nobody sees another's hand because
    they were asked who they are a moment before the draw."""
    return match.waiting and match.terms.seat_order == "drawn"


def role_of(match: AnyMatch, key: str, player: UUID | None = None) -> str | None:
    """The seat, `referee` or `spectator` whose token has this digest, or that a frontend's player
    has; `spectator` for a code that is good; None for a stranger."""
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
    watches = compare_digest(details.codes.get(SPECTATOR, ""), key)
    linked = match.waiting and is_link_code(match, key)
    return SPECTATOR if watches or linked or invitation_role(match, key) else None


def is_creator(match: AnyMatch, key: str, player: UUID | None = None) -> bool:
    """Return whether a token with this digest, or a frontend's player, is of whoever made the
    match, as far as tokens tell: by the creator's own, or by that of the seat taken with it."""
    if player is not None:
        return any(each.creator and each.id == player for each in match.holders.values())
    own = [each.key for each in match.holders.values() if each.creator and each.key]
    own.append(match.invitations.get(CREATOR, ""))
    return any(compare_digest(each, key) for each in own)


def can_claim_any_seat(match: AnyMatch, key: str) -> bool:
    """May whoever shows a token with this digest, or none, take any open seat? Only while the match
    waits: what somebody left in a match that has begun is not for whoever comes by."""
    return match.waiting and (is_link_code(match, key) or match.terms.admission == "anybody")


def is_link_code(match: AnyMatch, key: str) -> bool:
    """Return whether `key` is the digest of the code that is good for any open seat: many people
    may have it."""
    first = "" if LINK in match.details.voided else match.invitations.get(LINK, "")
    return compare_digest(match.details.codes.get(LINK, first), key)


def seat_for(match: AnyMatch, wanted: str) -> str | None:
    """The seat for who takes the wanted one, or any if that is empty: where seats are taken in
    order, the first that is open. None if there is none for them."""
    free = [seat for seat in match.seats if seat not in match.holders]
    if match.terms.seat_order == "in-order":
        return next(iter(free), None) if wanted in ("", *free[:1]) else None
    return wanted or next(iter(free), None)


def invitation_role(match: AnyMatch, key: str) -> str:
    """The role that whoever has a token or code with this digest may take: a seat that nobody
    holds, or `referee`. Empty for none."""
    for role in (*match.seats, REFEREE):
        code = code_digest(match, role)
        if code is not None and compare_digest(code, key):
            return role
    return ""


def code_digest(match: AnyMatch, role: str) -> str | None:
    """The digest of what lets its bearer take a seat, or the referee's role, now."""
    details = match.details
    if role in details.codes:
        return details.codes[role]
    if role == REFEREE:
        first = is_code((), role, match.terms) and details.referee is None
        return match.invitations.get(REFEREE) if first else None
    # A code of the creation dies with the beginning: whoever made the match could otherwise take
    # a seat that somebody left, with all that it holds.
    died = (has_codes(match) and not match.waiting) or role in details.voided
    return None if role in details.holders or died else match.invitations.get(role)


def is_code(seats: tuple[str, ...], role: str, terms: Terms) -> bool:
    """Is what is given out for this role at creation a code, under these terms?"""
    if role == REFEREE:
        return terms.referee == "invited"
    return role == LINK or (role in seats and terms.begins == "when-full")


def has_codes(match: AnyMatch) -> bool:
    """Are seats taken by codes, rather than by tokens that act for them at once?"""
    return match.terms.begins == "when-full"


def referee_seats(match: AnyMatch) -> tuple[str, ...]:
    """The seats of whoever referees, as far as that is known: everybody is told."""
    named = match.details.referee
    if named is None:
        refereed = match.terms.referee == "creator"
        return tuple(seat for seat in match.seats if refereed and _is_creators(match, seat))
    held = match.holders
    return tuple(seat for seat in match.seats if seat in held and is_same_person(held[seat], named))


def is_same_person(one: SeatHolder, other: SeatHolder) -> bool:
    """Are these one person, as far as is known: one player of a frontend, or of one name, in
    capitals or not?"""
    if one.id is not None or other.id is not None:
        return one.id == other.id
    return one.player.casefold() == other.player.casefold()


def _is_creators(match: AnyMatch, seat: str) -> bool:
    holder = match.holders.get(seat)
    return holder is not None and holder.creator


def _is_spent(match: AnyMatch, role: str) -> bool:
    """Is what was given out for this role at creation a code, or replaced by now?"""
    replaced = match.details.referee is not None if role == REFEREE else role in match.holders
    is_void = replaced or role in match.details.voided
    return is_void or is_code(match.seats, role, match.terms)
