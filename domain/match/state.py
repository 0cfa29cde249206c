"""A match as it stands, and what can be told of it without its events."""

from datetime import datetime, timedelta
from typing import Any, Generic, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.kernel.game import AnyGame, O, Prompt, Result, S
from domain.match.clocks import Clocks, TimeControl
from domain.match.details import Dispute, MatchDetails, Proposal, SeatHolder, Terms
from domain.registry import GAMES

MatchStatus = Literal["waiting", "active", "paused", "over", "cancelled"]


class Match(Struct, Generic[O, S], frozen=True):
    """A match as it stands."""

    id: UUID
    game: str
    options: O
    title: str
    seats: tuple[str, ...]
    invitations: dict[str, str]
    created: datetime
    changed: datetime
    """When its last event was recorded: none that follows has an earlier time."""
    terms: Terms
    details: MatchDetails
    version: int
    digest: str
    position: S
    result: Result | None
    draws: int = 0
    """Draws of chance made so far, the undone ones among them: their numbers only grow."""
    proposal: Proposal | None = None
    clocks: Clocks | None = None
    """None if nobody has a clock."""
    hints: dict[str, int] = {}
    """How many hints each seat was given, in what was undone too."""

    @property
    def rules(self) -> AnyGame:
        """The game that is played."""
        return GAMES[self.game]

    @property
    def holders(self) -> dict[str, SeatHolder]:
        """Who holds which seat."""
        return self.details.holders

    @property
    def turn(self) -> tuple[Prompt, ...]:
        """Whose turn it is in the game, and for what, paused or not: nobody's before it begins, and
        once it is over."""
        return () if self.result or self.waiting else self.rules.turn(self.position)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Which seats may act now, and what they are asked for: nobody while it waits for players
        or a verdict, or once it is over."""
        return () if self.pause else self.turn

    @property
    def waiting(self) -> bool:
        """Does the match wait for its seats to be taken, or was it cancelled while it did?"""
        return self.details.waiting

    @property
    def cancelled(self) -> bool:
        """Was the match cancelled before it began?"""
        return self.details.cancelled

    @property
    def expires(self) -> datetime | None:
        """When the match will be cancelled if its seats are not taken; None if it does not wait, or
        waits for ever."""
        term = self.terms.waiting_seconds
        if not term or not self.waiting or self.cancelled:
            return None
        return self.created + timedelta(seconds=term)

    @property
    def pause(self) -> Dispute | None:
        """The first dispute whose verdict the match waits for, if it is one that waits."""
        disputes = self.details.disputes
        return disputes[0] if self.terms.pause and disputes else None

    @property
    def time_controls(self) -> dict[str, TimeControl]:
        """The clock of each seat that has one."""
        return self.terms.clocks(self.seats)

    @property
    def status(self) -> MatchStatus:
        """Does it wait for players, is it played, paused, over or cancelled?"""
        if self.waiting:
            return "cancelled" if self.cancelled else "waiting"
        if self.result is not None:
            return "over"
        return "active" if self.pause is None else "paused"

    @property
    def is_ended_by_players(self) -> bool:
        """Did the players or a clock end the match (by resigning, agreeing on a draw, running out
        of time) in a position in which the game itself is not over?"""
        return self.result is not None and self.rules.result(self.position) is None

    @property
    def out(self) -> tuple[str, ...]:
        """The seats that gave up, in a game that goes on without them."""
        return self.rules.resigned_seats(self.position) if self.rules.resigned_seats else ()

    def player_of(self, seat: str) -> str:
        """The name of who holds a seat; empty if nobody does."""
        holder = self.details.holders.get(seat)
        return holder.player if holder else ""


AnyMatch = Match[Any, Any]


def without_draws_and_clocks(match: AnyMatch) -> AnyMatch:
    """The match as if all of chance were entered, and nobody had a clock: it stops where the
    service would roll or deal, and no time passes."""
    change = msgspec.structs.replace
    return change(
        match,
        clocks=None,
        terms=change(match.terms, chance="entered", seat_chance={}),
        details=change(match.details, commitment=""),
    )


def visible_match(match: AnyMatch, viewer: str) -> AnyMatch:
    """The match as a viewer may know it: what is worked out in it is the same whatever lies hidden.

    It is for telling, never for recording. Its outcome is the true one: how a match ended is open.
    """
    game = match.rules
    if not game.has_hidden_information:
        return match
    return msgspec.structs.replace(match, position=game.information_state(match.position, viewer))


def line(match: AnyMatch, version: int | None = None) -> tuple[range, ...]:
    """The versions that lead to a version (the present one), from the first, in stretches.

    What is not among them was undone before.
    """
    last = match.version if version is None else version
    stretches: list[range] = []
    for jump in reversed(match.details.jumps):
        if jump.at <= last:
            stretches.append(range(jump.at, last + 1))
            last = jump.to
    stretches.append(range(1, last + 1))
    return tuple(reversed(stretches))


def opponents(match: AnyMatch, seat: str) -> tuple[str, ...]:
    """Whom a seat must ask for what all have to agree on: the others that are still in the game."""
    return tuple(other for other in match.seats if other != seat and other not in match.out)
