"""Commands to create a match, and to claim and leave its seats."""

from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.kernel.chance import commitment
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.packs import packs_in
from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.access import CREATOR, LINK, has_codes, same_person
from domain.match.details import Holder, Terms
from domain.match.events import Began, MatchCreated, SeatClaimed, SeatLeft
from domain.match.ledger import MatchLedger, Seeds, cancelled, drawn_seats, not_a_seat, run_of
from domain.match.recording import as_stored
from domain.match.state import AnyMatch

USUAL: Final = Terms()
"""The default terms: players enter chance results, and an undo needs consent."""


def no_seeds(epoch: int) -> bytes:
    """Raise LookupError: the source of seeds of a match without draws."""
    raise LookupError(f"there is no seed for epoch {epoch}")


def roles(game: AnyGame, options: Any) -> tuple[str, ...]:
    """Return the roles that may have a token: seats, entry roles, referee and spectator."""
    return (*game.seats(options), *game.scribes, REFEREE, SPECTATOR)


def token_roles(game: AnyGame, options: Any, terms: Terms) -> tuple[str, ...]:
    """Return the roles that get a token or code at creation, under these terms."""
    by_creator = terms.referee == "creator"
    scribes = game.scribes if by_creator else ()
    referee = (REFEREE,) if by_creator or terms.referee == "invited" else ()
    link = (LINK,) if terms.admission == "linked" else ()
    creator = () if by_creator else (CREATOR,)
    return (*game.seats(options), *scribes, *referee, *link, *creator, SPECTATOR)


def is_committed(game: AnyGame, options: Any, terms: Terms) -> bool:
    """Return whether a match of these terms starts with the commitment to a seed."""
    hides = game.hides and terms.referee != "creator"
    return terms.has_rolled_chance or game.deals(options) or hides or terms.seat_order == "drawn"


class Sitter(Struct, frozen=True):
    """A player's claim of a seat."""

    seat: str
    player: str
    key: str
    """The digest of the player's token."""
    entropy: str = ""
    holder: UUID | None = None
    """The ID of the frontend's player."""


class Setting(Struct, frozen=True):
    """The setup of a new match."""

    game: AnyGame
    options: Any
    """Options of the game's own type."""
    title: str = ""
    terms: Terms = USUAL
    start: str | None = None
    """A position to start from, as notation; None for the one of the options."""
    creator: str = ""
    """An opaque name of the creator, as in `MatchCreated`."""
    sitter: Sitter | None = None
    """The claim of a seat by the creator, if there is one."""


def create(
    setup: Setting,
    identity: UUID,
    invitations: dict[str, str],
    stamp: Stamp,
    seeds: Seeds = no_seeds,
) -> Decided[AnyMatch]:
    """Create a match.

    Args:
        setting: The setup of the match.
        identity: The ID of the match.
        invitations: A token digest for each of `token_roles`.
        command_context: The context of the command; its request is a digest.
        seeds: The source of seeds where the service rolls. Without it, nothing is dealt either, as
            in a match that is imported from a transcript.
    """
    game, options, terms = setup.game, setup.options, setup.terms
    assert invitations.keys() == {*token_roles(game, options, terms)}
    seat_chance = {
        seat: chance
        for seat, chance in terms.seat_chance.items()
        if seat in game.seats(options) and chance != terms.chance
    }
    terms = replace(terms, seat_chance=seat_chance)
    draws = terms.has_rolled_chance or (
        is_committed(game, options, terms) and seeds is not no_seeds
    )
    ledger = MatchLedger(None, identity, stamp, library=packs_in(options))
    ledger.record(
        MatchCreated,
        game=game.slug,
        options=as_stored(options),
        start=game.write_position(game.start(options)) if setup.start is None else setup.start,
        seats=game.seats(options),
        invitations=invitations,
        title=setup.title,
        rulings=game.opening(options) if setup.start is None else (),
        chance=terms.chance,
        seat_chance=seat_chance,
        commitment=commitment(seeds(0)) if draws else "",
        undo=terms.undo,
        pause=terms.pause,
        origin=terms.origin,
        visibility=terms.visibility,
        stand_in=terms.stand_in,
        begins=terms.begins,
        referee=terms.referee,
        admission=terms.admission,
        seat_order=terms.seat_order,
        rematch=terms.rematch,
        creator=setup.creator,
        clock=terms.clock,
        seat_clocks={
            seat: clock for seat, clock in terms.seat_clocks.items() if clock != terms.clock
        },
        frontend=terms.frontend,
        players_only=terms.players_only,
        help=terms.help,
        waiting_seconds=terms.waiting_seconds,
        shared=terms.shared,
        run=run_of(seeds) if draws else None,
    )
    if (sitter := setup.sitter) is not None:
        ledger.record(SeatClaimed, **asdict(sitter), creator=True)
    ledger.settle(seeds)
    return ledger.decided()


def cannot_sit(setup: Setting) -> Denied | None:
    """Return why the creator of this match may not claim a seat of it, or None."""
    if setup.terms.players_only and setup.sitter and setup.sitter.holder is None:
        return players_only()
    if setup.game.hides and setup.terms.referee == "creator":
        return Denied(
            "REFEREE_CONFLICT", f"the referee of {setup.game.name} sees hidden information"
        )
    return None


def players_only() -> Denied:
    """Return the rejection of anyone but players of frontends."""
    return Denied(
        "PLAYERS_ONLY", "seats of this match are for players of frontends: show a player's token"
    )


def claim(
    match: AnyMatch,
    seat: str,
    player: str,
    key: str,
    stamp: Stamp,
    entropy: str = "",
    holder: UUID | None = None,
    seeds: Seeds = no_seeds,
    bot: str = "",
) -> Decided[AnyMatch] | Denied:
    """Seat a player, whose token or code was checked before.

    If it is the last seat that the match waits for, the match starts and chance entries are
    drawn, with the entropy of every player.

    Args:
        match: The match.
        seat: The seat.
        player: Name of the player; empty for a frontend's player.
        key: The digest of the new token; empty for a frontend's player.
        command_context: The context of the command; its request is a digest.
        entropy: The player's share in all later draws.
        holder: The ID of the frontend's player.
        seeds: The source of seeds.
        bot: The level of the bot, if it is one.
    """
    if seat not in match.seats:
        return not_a_seat(match, seat)
    if match.cancelled:
        return cancelled()
    if seat in match.holders:
        return Denied("SEAT_TAKEN", f"{match.holders[seat].player or 'a player'} holds {seat}")
    if match.terms.players_only and holder is None:
        return players_only()
    referee, claimant = match.affairs.referee, Holder(player, key, holder)
    if match.rules.hides and referee is not None and same_person(claimant, referee):
        return Denied("REFEREE_CONFLICT", "the referee of this match sees hidden information")
    ledger = MatchLedger(match, match.id, stamp)
    claimed = {"seat": seat, "player": player, "key": key, "holder": holder, "bot": bot}
    ledger.record(SeatClaimed, entropy=entropy, **claimed)
    begin_when_full(ledger, seeds)
    return ledger.decided()


def begin_when_full(ledger: MatchLedger, seeds: Seeds) -> None:
    """Start a match that waits for its seats, if all of them are claimed."""
    match = ledger.state
    if match.waiting and match.holders.keys() == {*match.seats}:
        if match.terms.seat_order == "drawn" and match.affairs.commitment:
            number = match.draws + 1
            ledger.renew(seeds)
            ledger.record(Began, seats=drawn_seats(match, number, ledger.seed(seeds)), draw=number)
        else:
            ledger.record(Began)
        ledger.settle(seeds)


def leave(match: AnyMatch, seat: str, stamp: Stamp, key: str = "") -> Decided[AnyMatch] | Denied:
    """Leave a seat. `key` is the digest of a code for the next player, if one is needed."""
    if seat not in match.holders:
        return Denied("SEAT_OPEN", f"nobody holds {seat}")
    if match.cancelled:
        return cancelled()
    is_code_void = has_codes(match) and not match.waiting
    ledger = MatchLedger(match, match.id, stamp)
    is_new = is_code_void or seat in match.affairs.voided
    ledger.record(SeatLeft, seat=seat, key=key if is_new else "")
    return ledger.decided()
