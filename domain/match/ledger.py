"""What all commands of a match share: what comes of one, its ledger, and the draws of chance."""

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
"""By how much the last event of a match may be ahead of the clock for the next to go by it."""
SeedSource = Callable[[int], bytes]
"""The secret seed of each epoch of a match, counted from 0."""


class RunSeedSource(Struct, frozen=True):
    """Seeds that differ from run to run of the service."""

    secret: Callable[[int, str], bytes]
    """The seed of an epoch in the run of this entropy; it is empty where there are no runs."""
    run: Run | None = None
    """The present one."""

    def __call__(self, epoch: int) -> bytes:
        """The seed of an epoch in the present run."""
        return self.secret(epoch, self.run.entropy if self.run else "")


def seeds_of_run(seeds: SeedSource, run: Run | None) -> SeedSource:
    """The seeds as they were in a run."""
    return replace(seeds, run=run) if isinstance(seeds, RunSeedSource) else seeds


def current_run(seeds: SeedSource) -> Run | None:
    """The run that new seeds come from; None where there are no runs."""
    return seeds.run if isinstance(seeds, RunSeedSource) else None


class SeedUnavailableError(Exception):  # it says what is so, as the store's errors do
    """Whoever keeps the seeds has not the one that this match's draws were promised from.

    The match was taken in from another service, or the service's secret was changed. Nothing can
    be drawn, and no seed revealed: it would not fit the commitment that is in the log.
    """

    def __init__(self, match: UUID) -> None:
        self.match = match
        super().__init__(f"the seed that match {match} was promised is not held here")


class FlagFallPendingError(Exception):  # as above
    """Before this command a clock had run out, which is not recorded yet: that comes first."""

    def __init__(self, match: UUID) -> None:
        self.match = match
        super().__init__(f"a clock of match {match} has run out")


class MatchLedger(Ledger[AnyMatch]):
    """The events of one command of a match: none has a time before that of the one before it,
    unless that is far ahead, and so must be wrong. Where there are clocks, nothing is recorded
    between the end of somebody's time and the event that says so: TimeUp."""

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
        self._recall = version_lookup
        self._library = library

    def _complete(self, event_type: type[E]) -> None:
        """Give the stamp a time that can follow; where there are clocks, it is one of theirs."""
        before = self._states[-1] if self._states else self._before
        if before is None:
            return
        # Another service, with another clock, may have recorded what came before.
        at = self._command_context.at
        if at < before.changed <= at + MAX_CLOCK_SKEW:
            at = before.changed
        if before.clocks is None:
            self._command_context = replace(self._command_context, at=at)
            return
        at = max(before.clocks.at, truncate_to_ms(at))
        if at < before.changed < at + MS:  # the first event has no time of the clocks
            at += MS
        self._command_context = replace(self._command_context, at=at)
        flag = first_flag_fall(before.clocks, before.time_controls)
        if flag and flag.at <= at and event_type not in (FlagFell, DowntimeCredited):
            raise FlagFallPendingError(self._identity)

    def _seal(self, previous: str, event: E) -> SealedEvent[E]:
        return cast("SealedEvent[E]", seal_as_stored(previous, cast("Event", event)))

    def _evolve(self, before: AnyMatch | None, sealed: SealedEvent[Any]) -> AnyMatch:
        return evolve(before, sealed, self._recall, self._library)

    def settle(self, seeds: SeedSource) -> None:
        """Do what follows by itself: make the entries of chance, reveal the seed at the end.

        While a dispute pauses the match nothing is drawn: the verdict that ends the pause does it.
        Raises SeedLost if that takes a seed that is not the one the match is committed to.
        """
        while (
            pause_refusal(self.state) is None and (prompt := prompt_to_draw(self.state)) is not None
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
            earlier = [self._promised(seeds, *astuple(each)) for each in details.renewed]
        except SeedUnavailableError:
            if not self.state.terms.rolls:
                return  # what was dealt stays unproven, but the match can end
            raise
        self.record(
            SeedRevealed,
            seed=seed.hex(),
            following=commitment(seeds_of_run(seeds, details.run)(details.epoch + 1)),
            earlier=tuple(each.hex() for each in earlier),
        )

    def seed(self, seeds: SeedSource) -> bytes:
        """The seed of the present epoch, which is the one that was promised."""
        details = self.state.details
        return self._promised(seeds, details.run, details.commitment)

    def _promised(self, seeds: SeedSource, run: Run | None, promise: str) -> bytes:
        seed = seeds_of_run(seeds, run)(self.state.details.epoch)
        if commitment(seed) != promise:
            raise SeedUnavailableError(self._identity)
        return seed

    def renew(self, seeds: SeedSource) -> None:
        """Go on with another seed if the service has begun a run since the present one was
        promised: before anything is drawn.

        Another service may have begun one that this one does not know of yet: then that counts.
        Raises SeedLost as `settle` does: a seed that is lost is not replaced.
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
    """The entry that the draw of this number gives, for a question of chance.

    It is one of the legal entries, in the order of their notation: no other order is known to
    whoever checks a draw in another language.
    """
    below = draws(seed, match.id, number, match.details.entropy)
    game = match.rules
    entries = [e for e in game.legal(match.position, prompt.seat) if not game.is_administrative(e)]
    entries.sort(key=game.write_action)
    return entries[below(len(entries))]


def drawn_seats(match: AnyMatch, number: int, seed: bytes) -> dict[str, str]:
    """Who has which seat by the draw of this number: each seat, in order of play, with the one that
    its player had taken, of those that are left."""
    below = draws(seed, match.id, number, match.details.entropy)
    left, seats = sorted(match.seats), {}
    for seat in match.seats:
        seats[seat] = left.pop(below(len(left)) if len(left) > 1 else 0)
    return seats


def prompt_to_draw(match: AnyMatch) -> Prompt | None:
    """The entry that the service has to make now: any for whom it rolls; of those who enter what
    chance shows, only what is dealt face down. What no seat is asked for it makes as well where the
    creator does not referee: there is nobody to enter it who may know what it hides.

    Without a commitment it deals nothing: the match was told from a transcript, or is older.
    """
    terms, committed = match.terms, bool(match.details.commitment)
    if not (terms.rolls or committed):
        return None
    for prompt in match.turn:
        hidden = prompt.is_face_down or (
            prompt.seat not in match.seats and terms.referee != "creator"
        )
        if prompt.is_chance and (terms.rolled(prompt.seat) or (hidden and committed)):
            return prompt
    return None


def join_and(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> listed(("north", "east", "south"))
    'north, east and south'
    """
    words = tuple(names)
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]


def match_over_refusal(match: AnyMatch) -> Rejection:
    """The answer to what a finished match cannot take."""
    assert match.result is not None
    return Rejection("MATCH_OVER", f"the match is over: {match.result.score}")


def match_cancelled_refusal() -> Rejection:
    """The answer to what a cancelled match cannot take."""
    return Rejection("MATCH_CANCELLED", "the match was cancelled before it began")


def pause_refusal(match: AnyMatch) -> Rejection | None:
    """The answer to who acts while the match waits: for its players, or for the verdict on an open
    dispute."""
    if match.cancelled:
        return match_cancelled_refusal()
    if match.waiting:
        seats = [seat for seat in match.seats if seat not in match.holders]
        return Rejection(
            "MATCH_NOT_STARTED", f"the match begins when somebody takes {join_and(seats)}"
        )
    if (waits := match.pause) is None:
        return None
    return Rejection("MATCH_PAUSED", f"the match waits for the verdict on dispute {waits.number}")


def invalid_seat_refusal(match: AnyMatch, seat: str) -> Rejection:
    """The answer to a command for a seat that the match has not."""
    return Rejection(
        "SEAT_INVALID", f"{seat} is not a seat of this match; {join_and(match.seats)} are"
    )


Outcome = Changeset[AnyMatch] | Refused | Rejection
