"""The state of a match, and values that follow from it without its events."""

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
    """The state of a match after an event."""

    id: UUID
    game: str
    options: O
    title: str
    seats: tuple[str, ...]
    invitations: dict[str, str]
    created: datetime
    changed: datetime
    """Time of its last event; no later event has an earlier time."""
    terms: Terms
    details: MatchDetails = msgspec.field(name="affairs")  # its stored name
    version: int
    digest: str
    position: S
    result: Result | None
    draws: int = 0
    """The number of chance draws made so far, undone ones included."""
    proposal: Proposal | None = None
    clocks: Clocks | None = None
    """The clocks, or None if no seat has one."""
    hints: dict[str, int] = {}
    """The number of hints that each seat received, undone ones included."""

    @property
    def rules(self) -> AnyGame:
        """The game that is played."""
        return GAMES[self.game]

    @property
    def holders(self) -> dict[str, SeatHolder]:
        """The holder of each claimed seat."""
        return self.details.holders

    @property
    def turn(self) -> tuple[Prompt, ...]:
        """The prompts of the game, paused or not; empty before the start and after the end."""
        return () if self.result or self.waiting else self.rules.turn(self.position)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The prompts that seats may answer now; empty also while a dispute pauses the match."""
        return () if self.pause else self.turn

    @property
    def waiting(self) -> bool:
        """Whether the match waits for its seats, or was cancelled while it did."""
        return self.details.waiting

    @property
    def cancelled(self) -> bool:
        """Whether the match was cancelled before it started."""
        return self.details.cancelled

    @property
    def expires(self) -> datetime | None:
        """Time at which a waiting match will be cancelled, or None."""
        term = self.terms.waiting_seconds
        if not term or not self.waiting or self.cancelled:
            return None
        return self.created + timedelta(seconds=term)

    @property
    def pause(self) -> Dispute | None:
        """The first dispute whose verdict the match waits for, or None."""
        disputes = self.details.disputes
        return disputes[0] if self.terms.pause and disputes else None

    @property
    def time_controls(self) -> dict[str, TimeControl]:
        """The time control of each seat that has one."""
        return self.terms.clocks(self.seats)

    @property
    def status(self) -> MatchStatus:
        """Whether the match waits, or is active, paused, over or cancelled."""
        if self.waiting:
            return "cancelled" if self.cancelled else "waiting"
        if self.result is not None:
            return "over"
        return "active" if self.pause is None else "paused"

    @property
    def is_ended_by_players(self) -> bool:
        """Whether the players or a clock ended the match while the game itself is not over."""
        return self.result is not None and self.rules.result(self.position) is None

    @property
    def out(self) -> tuple[str, ...]:
        """The seats that resigned, in a game that continues without them."""
        return self.rules.resigned_seats(self.position) if self.rules.resigned_seats else ()

    def player_of(self, seat: str) -> str:
        """Return the name of a seat's holder; empty without one."""
        holder = self.details.holders.get(seat)
        return holder.player if holder else ""


AnyMatch = Match[Any, Any]


def without_draws_and_clocks(match: AnyMatch) -> AnyMatch:
    """Return the match as if players made all chance entries and nobody had a clock.

    So commands on it stop at every draw, and no time passes.
    """
    change = msgspec.structs.replace
    return change(
        match,
        clocks=None,
        terms=change(match.terms, chance="entered", seat_chance={}),
        details=change(match.details, commitment=""),
    )


def visible_match(match: AnyMatch, viewer: str) -> AnyMatch:
    """Return the match with the viewer's information state in place of its position.

    It is for showing, never for recording. Its result is the true one, which is public.
    """
    game = match.rules
    if not game.has_hidden_information:
        return match
    return msgspec.structs.replace(match, position=game.information_state(match.position, viewer))


def line(match: AnyMatch, version: int | None = None) -> tuple[range, ...]:
    """Return the ranges of versions that lead to a version, by default to the present one.

    All other versions before it were undone.
    """
    last = match.version if version is None else version
    ranges: list[range] = []
    for jump in reversed(match.details.jumps):
        if jump.at <= last:
            ranges.append(range(jump.at, last + 1))
            last = jump.to
    ranges.append(range(1, last + 1))
    return tuple(reversed(ranges))


def opponents(match: AnyMatch, seat: str) -> tuple[str, ...]:
    """Return the other seats that are still in the game, who must consent to proposals."""
    return tuple(other for other in match.seats if other != seat and other not in match.out)
