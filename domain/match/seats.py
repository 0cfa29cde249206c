"""Creating a match, and who sits where."""

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
    invalid_seat_refusal,
    match_cancelled_refusal,
)
from domain.match.recording import as_stored
from domain.match.state import AnyMatch

DEFAULT_TERMS: Final = Terms()
"""Chance is entered, and undoing takes consent."""


def no_seeds(epoch: int) -> bytes:
    """The seeds of a match in which nothing is rolled."""
    raise LookupError(f"there is no seed for epoch {epoch}")


def roles(game: AnyGame, options: Any) -> tuple[str, ...]:
    """Everyone who is given a token: the seats, who makes entries for them, and the others."""
    return (*game.seats(options), *game.entry_roles, REFEREE, SPECTATOR)


def token_roles(game: AnyGame, options: Any, terms: Terms) -> tuple[str, ...]:
    """Those of them for whom a token or code is given out at creation, under these terms."""
    by_creator = terms.referee == "creator"
    entry_roles = game.entry_roles if by_creator else ()
    referee = (REFEREE,) if by_creator or terms.referee == "invited" else ()
    link = (LINK,) if terms.admission == "linked" else ()
    creator = () if by_creator else (CREATOR,)
    return (*game.seats(options), *entry_roles, *referee, *link, *creator, SPECTATOR)


def has_seed_commitment(game: AnyGame, options: Any, terms: Terms) -> bool:
    """Does a match of these terms begin with the commitment to a seed?"""
    has_hidden_information = game.has_hidden_information and terms.referee != "creator"
    return (
        terms.rolls
        or game.deals_face_down(options)
        or has_hidden_information
        or terms.seat_order == "drawn"
    )


class SeatClaim(Struct, frozen=True):
    """A player who takes a seat."""

    seat: str
    player: str
    key: str
    """The digest of the player's token."""
    entropy: str = ""
    holder: UUID | None = None
    """The player of a frontend."""


class MatchSetup(Struct, frozen=True):
    """What a match begins with."""

    game: AnyGame
    options: Any
    """Of the game's own type."""
    title: str = ""
    terms: Terms = DEFAULT_TERMS
    start: str | None = None
    """A position to start from, as notation; None for where the options start."""
    creator: str = ""
    """As in `MatchCreated`."""
    seat_claim: SeatClaim | None = None
    """Whoever creates the match, where that takes a seat."""


def create(
    setting: MatchSetup,
    identity: UUID,
    invitations: dict[str, str],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch]:
    """A new match. `stamp.request` is a digest.

    `invitations` has a token digest for each of `token_roles`. `seeds` are needed where the service
    rolls; without them it deals nothing either: who tells a match again tells what was dealt.
    """
    game, options, terms = setting.game, setting.options, setting.terms
    assert invitations.keys() == {*token_roles(game, options, terms)}
    seat_chance = {
        seat: chance
        for seat, chance in terms.seat_chance.items()
        if seat in game.seats(options) and chance != terms.chance
    }
    terms = replace(terms, seat_chance=seat_chance)
    draws = terms.rolls or (has_seed_commitment(game, options, terms) and seeds is not no_seeds)
    ledger = MatchLedger(None, identity, command_context, library=library_of(options))
    ledger.record(
        MatchCreated,
        game=game.slug,
        options=as_stored(options),
        start=game.write_position(game.start(options)) if setting.start is None else setting.start,
        seats=game.seats(options),
        invitations=invitations,
        title=setting.title,
        rulings=game.opening(options) if setting.start is None else (),
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
        creator=setting.creator,
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
    if (seat_claim := setting.seat_claim) is not None:
        ledger.record(SeatClaimed, **asdict(seat_claim), creator=True)
    ledger.settle(seeds)
    return ledger.changeset()


def seat_refusal(setting: MatchSetup) -> Rejection | None:
    """Why whoever creates this match may not take a seat of it."""
    if setting.terms.players_only and setting.seat_claim and setting.seat_claim.holder is None:
        return players_only_refusal()
    if setting.game.has_hidden_information and setting.terms.referee == "creator":
        return Rejection(
            "REFEREE_CONFLICT", f"the referee of {setting.game.name} sees what players hide"
        )
    return None


def players_only_refusal() -> Rejection:
    """Why somebody whom no frontend has introduced may not take a seat."""
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
    """Seat a player. The caller has shown the seat's token; `stamp.request` is a digest. The
    player of a frontend is the `holder`, and has no name and no key here. `bot` is the level of
    one.

    Where it is the last seat that a match waited for, the match begins, and what chance is asked
    for is drawn: with the share of every player.
    """
    if seat not in match.seats:
        return invalid_seat_refusal(match, seat)
    if match.cancelled:
        return match_cancelled_refusal()
    if seat in match.holders:
        return Rejection("SEAT_TAKEN", f"{match.holders[seat].player or 'a player'} holds {seat}")
    if match.terms.players_only and holder is None:
        return players_only_refusal()
    referee, sits = match.details.referee, SeatHolder(player, key, holder)
    if match.rules.has_hidden_information and referee is not None and is_same_person(sits, referee):
        return Rejection("REFEREE_CONFLICT", "who referees this match sees what players hide")
    ledger = MatchLedger(match, match.id, command_context)
    took = {"seat": seat, "player": player, "key": key, "holder": holder, "bot": bot}
    ledger.record(SeatClaimed, entropy=entropy, **took)
    start_when_full(ledger, seeds)
    return ledger.changeset()


def start_when_full(ledger: MatchLedger, seeds: SeedSource) -> None:
    """Let a match begin that waited for its seats, if all of them are taken now."""
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
    """Give a seat back, at the word of its holder. `key` is the digest of a code for whoever takes
    it next, where the code of the creation has died."""
    if seat not in match.holders:
        return Rejection("SEAT_OPEN", f"nobody holds {seat}")
    if match.cancelled:
        return match_cancelled_refusal()
    died = has_codes(match) and not match.waiting
    ledger = MatchLedger(match, match.id, command_context)
    is_new = died or seat in match.details.voided
    ledger.record(SeatLeft, seat=seat, key=key if is_new else "")
    return ledger.changeset()
