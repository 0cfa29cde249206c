"""Creating a match, and who sits where."""

from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.chance import commitment
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.packs import packs_in
from domain.log.ledger import Decided, Denied
from domain.log.stamps import Stamp
from domain.match.affairs import Terms
from domain.match.events import MatchCreated, SeatClaimed, SeatLeft
from domain.match.ledger import MatchLedger, Seeds, not_a_seat
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


class Setting(Struct, frozen=True):
    """What a match begins with."""

    game: AnyGame
    options: Any
    """Of the game's own type."""
    title: str = ""
    terms: Terms = USUAL
    start: str | None = None
    """A position to start from, as notation; None for where the options start."""


def create(
    setting: Setting,
    identity: UUID,
    invitations: dict[str, str],
    stamp: Stamp,
    seeds: Seeds = no_seeds,
) -> Decided[AnyMatch]:
    """A new match. `stamp.request` is a digest.

    `invitations` has a token digest for each of `roles`. `seeds` are needed where the service
    rolls; without them it deals nothing either: who tells a match again tells what was dealt.
    """
    game, options, terms = setting.game, setting.options, setting.terms
    assert invitations.keys() == {*roles(game, options)}
    deals = game.deals(options) and seeds is not no_seeds
    seat_chance = {
        seat: chance
        for seat, chance in terms.seat_chance.items()
        if seat in game.seats(options) and chance != terms.chance
    }
    draws = replace(terms, seat_chance=seat_chance).rolls or deals
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
        clock=terms.clock,
        seat_clocks={
            seat: clock for seat, clock in terms.seat_clocks.items() if clock != terms.clock
        },
        frontend=terms.frontend,
    )
    ledger.settle(seeds)
    return ledger.decided()


def claim(
    match: AnyMatch,
    seat: str,
    player: str,
    key: str,
    stamp: Stamp,
    entropy: str = "",
    holder: UUID | None = None,
) -> Decided[AnyMatch] | Denied:
    """Seat a player. The caller has shown the seat's token; `stamp.request` is a digest. The
    player of a frontend is the `holder`, and has no name and no key here."""
    if seat not in match.seats:
        return not_a_seat(match, seat)
    if seat in match.holders:
        return Denied("SEAT_TAKEN", f"{match.holders[seat].player or 'a player'} holds {seat}")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(SeatClaimed, seat=seat, player=player, key=key, entropy=entropy, holder=holder)
    return ledger.decided()


def leave(match: AnyMatch, seat: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Give a seat back, at the word of its holder."""
    if seat not in match.holders:
        return Denied("SEAT_OPEN", f"nobody holds {seat}")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(SeatLeft, seat=seat)
    return ledger.decided()
