"""Shared parts of all commands of a match: the outcome, the ledger, and chance draws."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, cast
from uuid import UUID

from msgspec import Struct
from msgspec.structs import astuple, replace

from domain.kernel.chance import commitment, draws
from domain.kernel.game import Prompt
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.kernel.rulings import Accepted, Refused
from domain.log.ledger import Changeset, Ledger, Rejection
from domain.log.origin import CommandContext
from domain.log.runs import Run
from domain.log.sealed_events import E, SealedEvent
from domain.match.clocks import MS, first_flag_fall, truncate_to_ms
from domain.match.events import (
    ActionTaken,
    DowntimeCredited,
    Event,
    FlagFell,
    SeedRevealed,
    SeedRotated,
)
from domain.match.fold import VersionLookup, evolve, no_earlier_versions
from domain.match.recording import seal_as_stored
from domain.match.state import AnyMatch

MAX_CLOCK_SKEW: Final = timedelta(days=1)
"""How far the last event may be ahead of the clock for the next event to take its time."""
SeedSource = Callable[[int], bytes]
"""A source of secret seeds: returns the seed of an epoch of the match, counted from 0."""


class RunSeedSource(Struct, frozen=True):
    """A source of seeds that differ between the runs of the service."""

    secret: Callable[[int, str], bytes]
    """Returns the seed for an epoch, a number, and the entropy of a run; empty for no run."""
    run: Run | None = None
    """The present run of the service."""

    def __call__(self, epoch: int) -> bytes:
        """Return the seed of an epoch in the present run."""
        return self.secret(epoch, self.run.entropy if self.run else "")


def seeds_of_run(seeds: SeedSource, run: Run | None) -> SeedSource:
    """Return the source of seeds as it was in another run."""
    return replace(seeds, run=run) if isinstance(seeds, RunSeedSource) else seeds


def current_run(seeds: SeedSource) -> Run | None:
    """Return the run that new seeds come from; None without runs."""
    return seeds.run if isinstance(seeds, RunSeedSource) else None


class SeedUnavailableError(Exception):
    """The seed that this match's draws are committed to is not available.

    The match was imported from another service, or the service's secret was changed. Without
    the seed nothing can be drawn or revealed, since it would not fit the commitment in the log.
    """

    def __init__(self, match: UUID) -> None:
        self.match = match
        super().__init__(f"the seed that match {match} is committed to is not available")


class FlagFallPendingError(Exception):
    """A flag fell before this command and is not recorded yet, which has to happen first."""

    def __init__(self, match: UUID) -> None:
        self.match = match
        super().__init__(f"a clock of match {match} has run out")


class MatchLedger(Ledger[AnyMatch]):
    """A ledger of the events that one command of a match records.

    No event has an earlier time than the one before it, unless that one is so far ahead that it
    must be wrong. In a match with clocks, nothing is recorded between a flag fall and its
    event.
    """

    kind = "match"

    def __init__(
        self,
        match: AnyMatch | None,
        identity: UUID,
        command_context: CommandContext,
        version_lookup: VersionLookup = no_earlier_versions,
        library: Library = BUILT_IN_PACKS,
    ) -> None:
        super().__init__(match, identity, command_context)
        self._version_lookup = version_lookup
        self._library = library

    def _complete(self, event_type: type[E]) -> None:
        """Move the time of the next event so that it can follow the event before it.

        With clocks, it is in whole milliseconds.

        Raises:
            FlagFallPendingError: A flag fell before that time.
        """
        before = self._states[-1] if self._states else self._before
        if before is None:
            return
        # Another replica, with another clock, may have recorded the event before.
        at = self._command_context.at
        if at < before.changed <= at + MAX_CLOCK_SKEW:
            at = before.changed
        if before.clocks is None:
            self._command_context = replace(self._command_context, at=at)
            return
        at = max(before.clocks.at, truncate_to_ms(at))
        if at < before.changed < at + MS:  # the first event is not in whole milliseconds
            at += MS
        self._command_context = replace(self._command_context, at=at)
        flag = first_flag_fall(before.clocks, before.time_controls)
        if flag and flag.at <= at and event_type not in (FlagFell, DowntimeCredited):
            raise FlagFallPendingError(self._identity)

    def _seal(self, previous: str, event: E) -> SealedEvent[E]:
        return cast("SealedEvent[E]", seal_as_stored(previous, cast("Event", event)))

    def _evolve(self, before: AnyMatch | None, sealed: SealedEvent[Any]) -> AnyMatch:
        return evolve(before, sealed, self._version_lookup, self._library)

    def settle(self, seeds: SeedSource) -> None:
        """Record what follows without a command: chance entries, and the revealed seed at the end.

        While a dispute pauses the match nothing is drawn. The verdict that ends the pause
        draws it.

        Raises:
            SeedUnavailableError: A draw or a reveal needs a seed that is not available.
        """
        while (
            pause_rejection(self.state) is None
            and (prompt := prompt_to_draw(self.state)) is not None
        ):
            self.renew(seeds)
            self._draw(prompt, seeds)
        match = self.state
        if match.details.commitment and match.result is not None:
            self._reveal(seeds)

    def _reveal(self, seeds: SeedSource) -> None:
        details = self.state.details
        try:
            seed = self.seed(seeds)
            earlier = [self._committed_seed(seeds, *astuple(each)) for each in details.renewed]
        except SeedUnavailableError:
            if not self.state.terms.has_rolled_chance:
                return  # deals stay unproven, but the match can end
            raise
        self.record(
            SeedRevealed,
            seed=seed.hex(),
            following=commitment(seeds_of_run(seeds, details.run)(details.epoch + 1)),
            earlier=tuple(each.hex() for each in earlier),
        )

    def seed(self, seeds: SeedSource) -> bytes:
        """Return the seed of the present epoch, checked against its commitment."""
        details = self.state.details
        return self._committed_seed(seeds, details.run, details.commitment)

    def _committed_seed(self, seeds: SeedSource, run: Run | None, committed_to: str) -> bytes:
        seed = seeds_of_run(seeds, run)(self.state.details.epoch)
        if commitment(seed) != committed_to:
            raise SeedUnavailableError(self._identity)
        return seed

    def renew(self, seeds: SeedSource) -> None:
        """Replace the seed before a draw, if the service has started a run since its commitment.

        A later run, which another replica has started, is kept.

        Raises:
            SeedUnavailableError: The present seed is not available, and so is not replaced.
        """
        run, details = current_run(seeds), self.state.details
        if run is None or not details.commitment or run == details.run:
            return
        if details.run is not None and details.run.number > run.number:
            return
        self.seed(seeds)
        self.record(SeedRotated, run=run, commitment=commitment(seeds(details.epoch)))

    def _draw(self, prompt: Prompt, seeds: SeedSource) -> None:
        match = self.state
        number = match.draws + 1
        entry = drawn_entry(match, prompt, number, self.seed(seeds))
        outcome = match.rules.decide(match.position, prompt.seat, entry)
        assert isinstance(outcome, Accepted), f"a draw was refused: {outcome}"
        self.record(
            ActionTaken,
            seat=prompt.seat,
            action=entry,
            facts=outcome.facts,
            rulings=outcome.rulings,
            entry=True,
            draw=number,
        )


def drawn_entry(match: AnyMatch, prompt: Prompt, number: int, seed: bytes) -> Any:
    """Return the entry that a draw gives for a chance prompt.

    The draw picks one of the legal entries, in the order of their notation. Programs in other
    languages can check a draw by this order.
    """
    below = draws(seed, match.id, number, match.details.entropy)
    game = match.rules
    entries = [e for e in game.legal(match.position, prompt.seat) if not game.is_administrative(e)]
    entries.sort(key=game.write_action)
    return entries[below(len(entries))]


def drawn_seats(match: AnyMatch, number: int, seed: bytes) -> dict[str, str]:
    """Draw the seats. Return, for each seat, the seat that its player had claimed before."""
    below = draws(seed, match.id, number, match.details.entropy)
    left, seats = sorted(match.seats), {}
    for seat in match.seats:
        seats[seat] = left.pop(below(len(left)) if len(left) > 1 else 0)
    return seats


def prompt_to_draw(match: AnyMatch) -> Prompt | None:
    """Return the chance prompt that the service has to answer now, or None.

    The service answers for the seats it rolls for, and for everything dealt face down. Without
    a referee it also answers prompts that belong to no seat, since nobody may see what they
    hide. Without a commitment it deals nothing: the match comes from a transcript, or is older.
    """
    terms, committed = match.terms, bool(match.details.commitment)
    if not (terms.has_rolled_chance or committed):
        return None
    for prompt in match.turn:
        hidden = prompt.is_face_down or (
            prompt.seat not in match.seats and terms.referee != "creator"
        )
        if prompt.is_chance and (terms.is_rolled_for(prompt.seat) or (hidden and committed)):
            return prompt
    return None


def join_and(names: Iterable[str]) -> str:
    """Return names as a list in words.

    >>> join_and(("north", "east", "south"))
    'north, east and south'
    """
    words = tuple(names)
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]


def match_over_rejection(match: AnyMatch) -> Rejection:
    """Return the rejection of a command that a finished match cannot take."""
    assert match.result is not None
    return Rejection("MATCH_OVER", f"the match is over: {match.result.score}")


def match_cancelled_rejection() -> Rejection:
    """Return the rejection of a command that a cancelled match cannot take."""
    return Rejection("MATCH_CANCELLED", "the match was cancelled before it started")


def pause_rejection(match: AnyMatch) -> Rejection | None:
    """Return the rejection of an action while the match waits, or None if it does not.

    A match waits for its players, or for the verdict on an open dispute.
    """
    if match.cancelled:
        return match_cancelled_rejection()
    if match.waiting:
        seats = [seat for seat in match.seats if seat not in match.holders]
        return Rejection(
            "MATCH_NOT_STARTED", f"the match waits for players to join {join_and(seats)}"
        )
    if (waits := match.pause) is None:
        return None
    return Rejection("MATCH_PAUSED", f"the match waits for the verdict on dispute {waits.number}")


def invalid_seat_rejection(match: AnyMatch, seat: str) -> Rejection:
    """Return the rejection of a command for a seat that the match does not have."""
    return Rejection(
        "SEAT_INVALID", f"{seat} is not a seat of this match; {join_and(match.seats)} are"
    )


Outcome = Changeset[AnyMatch] | Refused | Rejection
