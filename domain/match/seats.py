"""Creating a match, and who sits where."""

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
"""Chance is entered, and undoing takes consent."""


def no_seeds(epoch: int) -> bytes:
    """The seeds of a match in which nothing is rolled."""
    raise LookupError(f"there is no seed for epoch {epoch}")


def roles(game: AnyGame, options: Any) -> tuple[str, ...]:
    """Everyone who is given a token: the seats, who makes entries for them, and the others."""
    return (*game.seats(options), *game.scribes, REFEREE, SPECTATOR)


def token_roles(game: AnyGame, options: Any, terms: Terms) -> tuple[str, ...]:
    """Those of them for whom a token or code is given out at creation, under these terms."""
    by_creator = terms.referee == "creator"
    scribes = game.scribes if by_creator else ()
    referee = (REFEREE,) if by_creator or terms.referee == "invited" else ()
    link = (LINK,) if terms.admission == "linked" else ()
    creator = () if by_creator else (CREATOR,)
    return (*game.seats(options), *scribes, *referee, *link, *creator, SPECTATOR)


def is_committed(game: AnyGame, options: Any, terms: Terms) -> bool:
    """Does a match of these terms begin with the commitment to a seed?"""
    hides = game.hides and terms.referee != "creator"
    return terms.rolls or game.deals(options) or hides or terms.seat_order == "drawn"


class Sitter(Struct, frozen=True):
    """A player who takes a seat."""

    seat: str
    player: str
    key: str
    """The digest of the player's token."""
    entropy: str = ""
    holder: UUID | None = None
    """The player of a frontend."""


class Setting(Struct, frozen=True):
    """What a match begins with."""

    game: AnyGame
    options: Any
    """Of the game's own type."""
    title: str = ""
    terms: Terms = USUAL
    start: str | None = None
    """A position to start from, as notation; None for where the options start."""
    creator: str = ""
    """As in `MatchCreated`."""
    sitter: Sitter | None = None
    """Whoever creates the match, where that takes a seat."""


def create(
    setting: Setting,
    identity: UUID,
    invitations: dict[str, str],
    stamp: Stamp,
    seeds: Seeds = no_seeds,
) -> Decided[AnyMatch]:
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
    draws = terms.rolls or (is_committed(game, options, terms) and seeds is not no_seeds)
    ledger = MatchLedger(None, identity, stamp, library=packs_in(options))
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
        run=run_of(seeds) if draws else None,
    )
    if (sitter := setting.sitter) is not None:
        ledger.record(SeatClaimed, **asdict(sitter), creator=True)
    ledger.settle(seeds)
    return ledger.decided()


def cannot_sit(setting: Setting) -> Denied | None:
    """Why whoever creates this match may not take a seat of it."""
    if setting.terms.players_only and setting.sitter and setting.sitter.holder is None:
        return players_only()
    if setting.game.hides and setting.terms.referee == "creator":
        return Denied(
            "REFEREE_CONFLICT", f"the referee of {setting.game.name} sees what players hide"
        )
    return None


def players_only() -> Denied:
    """Why somebody whom no frontend has introduced may not take a seat."""
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
    """Seat a player. The caller has shown the seat's token; `stamp.request` is a digest. The
    player of a frontend is the `holder`, and has no name and no key here. `bot` is the level of
    one.

    Where it is the last seat that a match waited for, the match begins, and what chance is asked
    for is drawn: with the share of every player.
    """
    if seat not in match.seats:
        return not_a_seat(match, seat)
    if match.cancelled:
        return cancelled()
    if seat in match.holders:
        return Denied("SEAT_TAKEN", f"{match.holders[seat].player or 'a player'} holds {seat}")
    if match.terms.players_only and holder is None:
        return players_only()
    referee, sits = match.affairs.referee, Holder(player, key, holder)
    if match.rules.hides and referee is not None and same_person(sits, referee):
        return Denied("REFEREE_CONFLICT", "who referees this match sees what players hide")
    ledger = MatchLedger(match, match.id, stamp)
    took = {"seat": seat, "player": player, "key": key, "holder": holder, "bot": bot}
    ledger.record(SeatClaimed, entropy=entropy, **took)
    begin_when_full(ledger, seeds)
    return ledger.decided()


def begin_when_full(ledger: MatchLedger, seeds: Seeds) -> None:
    """Let a match begin that waited for its seats, if all of them are taken now."""
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
    """Give a seat back, at the word of its holder. `key` is the digest of a code for whoever takes
    it next, where the code of the creation has died."""
    if seat not in match.holders:
        return Denied("SEAT_OPEN", f"nobody holds {seat}")
    if match.cancelled:
        return cancelled()
    died = has_codes(match) and not match.waiting
    ledger = MatchLedger(match, match.id, stamp)
    is_new = died or seat in match.affairs.voided
    ledger.record(SeatLeft, seat=seat, key=key if is_new else "")
    return ledger.decided()
