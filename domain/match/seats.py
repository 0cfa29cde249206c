"""Commands to create a match, and to claim and leave its seats."""

from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.kernel.chance import commitment
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.packs import library_of
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.access import CREATOR, LINK, has_codes, is_same_person
from domain.match.details import SeatHolder, Terms
from domain.match.events import MatchCreated, MatchStarted, SeatClaimed, SeatLeft
from domain.match.ledger import (
    MatchLedger,
    SeedSource,
    current_run,
    drawn_seats,
    invalid_seat_rejection,
    match_cancelled_rejection,
)
from domain.match.recording import as_stored
from domain.match.state import AnyMatch

DEFAULT_TERMS: Final = Terms()
"""The default terms: players enter chance results, and an undo needs consent."""


def no_seeds(epoch: int) -> bytes:
    """Raise LookupError: the source of seeds of a match without draws."""
    raise LookupError(f"there is no seed for epoch {epoch}")


def roles(game: AnyGame, options: Any) -> tuple[str, ...]:
    """Return the roles that may have a token: seats, referee, spectator, chance-entry roles."""
    return (*game.seats(options), *game.entry_roles, REFEREE, SPECTATOR)


def token_roles(game: AnyGame, options: Any, terms: Terms) -> tuple[str, ...]:
    """Return the roles that get a token or code at creation, under these terms."""
    by_creator = terms.referee == "creator"
    entry_roles = game.entry_roles if by_creator else ()
    referee = (REFEREE,) if by_creator or terms.referee == "invited" else ()
    link = (LINK,) if terms.admission == "linked" else ()
    creator = () if by_creator else (CREATOR,)
    return (*game.seats(options), *entry_roles, *referee, *link, *creator, SPECTATOR)


def has_seed_commitment(game: AnyGame, options: Any, terms: Terms) -> bool:
    """Return whether a match of these terms starts with the commitment to a seed."""
    has_hidden_information = game.has_hidden_information and terms.referee != "creator"
    return (
        terms.has_rolled_chance
        or game.deals_face_down(options)
        or has_hidden_information
        or terms.seat_order == "drawn"
    )


class SeatClaim(Struct, frozen=True):
    """A player's claim of a seat."""

    seat: str
    player: str
    key: str
    """The digest of the player's token."""
    entropy: str = ""
    holder: UUID | None = None
    """The ID of the frontend's player."""


class MatchSetup(Struct, frozen=True):
    """The setup of a new match."""

    game: AnyGame
    options: Any
    """Options of the game's own type."""
    title: str = ""
    terms: Terms = DEFAULT_TERMS
    start: str | None = None
    """A position to start from, as notation; None for the one of the options."""
    creator: str = ""
    """An opaque name of the creator, as in `MatchCreated`."""
    seat_claim: SeatClaim | None = None
    """The claim of a seat by the creator, if there is one."""


def create(
    setup: MatchSetup,
    identity: UUID,
    invitations: dict[str, str],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch]:
    """Create a match.

    Args:
        setup: The setup of the match.
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
        has_seed_commitment(game, options, terms) and seeds is not no_seeds
    )
    ledger = MatchLedger(None, identity, command_context, library=library_of(options))
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
        run=current_run(seeds) if draws else None,
    )
    if (seat_claim := setup.seat_claim) is not None:
        ledger.record(SeatClaimed, **asdict(seat_claim), creator=True)
    ledger.settle(seeds)
    return ledger.changeset()


def creator_seat_rejection(setup: MatchSetup) -> Rejection | None:
    """Return why the creator of this match may not claim a seat of it, or None."""
    if setup.terms.players_only and setup.seat_claim and setup.seat_claim.holder is None:
        return players_only_rejection()
    if setup.game.has_hidden_information and setup.terms.referee == "creator":
        return Rejection(
            "REFEREE_CONFLICT", f"the referee of {setup.game.name} sees hidden information"
        )
    return None


def players_only_rejection() -> Rejection:
    """Return the rejection of anyone but players of frontends."""
    return Rejection(
        "PLAYERS_ONLY", "seats of this match are for players of frontends: show a player's token"
    )


def claim(
    match: AnyMatch,
    seat: str,
    player: str,
    key: str,
    command_context: CommandContext,
    entropy: str = "",
    holder: UUID | None = None,
    seeds: SeedSource = no_seeds,
    bot: str = "",
) -> Changeset[AnyMatch] | Rejection:
    """Seat a player, whose token or code was checked before.

    If it is the last seat that the match waits for, the match starts and chance entries are
    drawn, with the entropy of every player.

    Args:
        match: The match.
        seat: The seat.
        player: Name of the player; empty for a frontend's player.
        key: The digest of the new token; empty for a frontend's player.
        command_context: The context of the command; its request is a digest.
        entropy: Random text of the player that all later draws depend on.
        holder: The ID of the frontend's player.
        seeds: The source of seeds.
        bot: The level of the bot, if it is one.
    """
    if seat not in match.seats:
        return invalid_seat_rejection(match, seat)
    if match.cancelled:
        return match_cancelled_rejection()
    if seat in match.holders:
        return Rejection("SEAT_TAKEN", f"{match.holders[seat].player or 'a player'} holds {seat}")
    if match.terms.players_only and holder is None:
        return players_only_rejection()
    referee, claimant = match.details.referee, SeatHolder(player, key, holder)
    if (
        match.rules.has_hidden_information
        and referee is not None
        and is_same_person(claimant, referee)
    ):
        return Rejection("REFEREE_CONFLICT", "the referee of this match sees hidden information")
    ledger = MatchLedger(match, match.id, command_context)
    claimed = {"seat": seat, "player": player, "key": key, "holder": holder, "bot": bot}
    ledger.record(SeatClaimed, entropy=entropy, **claimed)
    start_when_full(ledger, seeds)
    return ledger.changeset()


def start_when_full(ledger: MatchLedger, seeds: SeedSource) -> None:
    """Start a match that waits for its seats, if all of them are claimed."""
    match = ledger.state
    if match.waiting and match.holders.keys() == {*match.seats}:
        if match.terms.seat_order == "drawn" and match.details.commitment:
            number = match.draws + 1
            ledger.renew(seeds)
            ledger.record(
                MatchStarted, seats=drawn_seats(match, number, ledger.seed(seeds)), draw=number
            )
        else:
            ledger.record(MatchStarted)
        ledger.settle(seeds)


def leave(
    match: AnyMatch, seat: str, command_context: CommandContext, key: str = ""
) -> Changeset[AnyMatch] | Rejection:
    """Leave a seat. `key` is the digest of a code for the next player, if one is needed."""
    if seat not in match.holders:
        return Rejection("SEAT_OPEN", f"nobody holds {seat}")
    if match.cancelled:
        return match_cancelled_rejection()
    is_code_void = has_codes(match) and not match.waiting
    ledger = MatchLedger(match, match.id, command_context)
    is_new = is_code_void or seat in match.details.voided
    ledger.record(SeatLeft, seat=seat, key=key if is_new else "")
    return ledger.changeset()
