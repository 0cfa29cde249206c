"""What all commands of a match share: what comes of one, its ledger, and the draws of chance."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, cast
from uuid import UUID

from msgspec import Struct
from msgspec.structs import astuple, replace

from domain.kernel.chance import commitment, draws
from domain.kernel.game import Prompt
from domain.kernel.packs import OWN, Library
from domain.kernel.rulings import Accepted, Refused
from domain.log.ledger import Decided, Denied, Ledger
from domain.log.origin import Stamp
from domain.log.runs import Run
from domain.log.sealed_events import E, Sealed
from domain.match.clocks import MS, flag_due, whole_ms
from domain.match.events import (
    ActionTaken,
    ChanceRenewed,
    ClocksHeld,
    Event,
    SeedRevealed,
    TimeRanOut,
)
from domain.match.fold import Recall, evolve, forgotten
from domain.match.recording import recorded
from domain.match.state import AnyMatch

BELIEVED: Final = timedelta(days=1)
"""By how much the last event of a match may be ahead of the clock for the next to go by it."""
Seeds = Callable[[int], bytes]
"""The secret seed of each epoch of a match, counted from 0."""


class SeedsOfRuns(Struct, frozen=True):
    """Seeds that differ from run to run of the service."""

    secret: Callable[[int, str], bytes]
    """The seed of an epoch in the run of this entropy; it is empty where there are no runs."""
    run: Run | None = None
    """The present one."""

    def __call__(self, epoch: int) -> bytes:
        """The seed of an epoch in the present run."""
        return self.secret(epoch, self.run.entropy if self.run else "")


def under(seeds: Seeds, run: Run | None) -> Seeds:
    """The seeds as they were in a run."""
    return replace(seeds, run=run) if isinstance(seeds, SeedsOfRuns) else seeds


def run_of(seeds: Seeds) -> Run | None:
    """The run that new seeds come from; None where there are no runs."""
    return seeds.run if isinstance(seeds, SeedsOfRuns) else None


class SeedLost(Exception):  # noqa: N818  # it says what is so, as the store's errors do
    """Whoever keeps the seeds has not the one that this match's draws were promised from.

    The match was taken in from another service, or the service's secret was changed. Nothing can
    be drawn, and no seed revealed: it would not fit the commitment that is in the log.
    """

    def __init__(self, match: UUID) -> None:
        self.match = match
        super().__init__(f"the seed that match {match} was promised is not held here")


class TimeUp(Exception):  # noqa: N818  # as above
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
        stamp: Stamp,
        recall: Recall = forgotten,
        library: Library = OWN,
    ) -> None:
        super().__init__(match, identity, stamp)
        self._recall = recall
        self._library = library

    def _complete(self, event_type: type[E]) -> None:
        """Give the stamp a time that can follow; where there are clocks, it is one of theirs."""
        before = self._states[-1] if self._states else self._before
        if before is None:
            return
        # Another service, with another clock, may have recorded what came before.
        at = self._stamp.at
        if at < before.changed <= at + BELIEVED:
            at = before.changed
        if before.clocks is None:
            self._stamp = replace(self._stamp, at=at)
            return
        at = max(before.clocks.at, whole_ms(at))
        if at < before.changed < at + MS:  # the first event has no time of the clocks
            at += MS
        self._stamp = replace(self._stamp, at=at)
        flag = flag_due(before.clocks, before.clock_terms)
        if flag and flag.at <= at and event_type not in (TimeRanOut, ClocksHeld):
            raise TimeUp(self._identity)

    def _seal(self, previous: str, event: E) -> Sealed[E]:
        return cast("Sealed[E]", recorded(previous, cast("Event", event)))

    def _evolve(self, before: AnyMatch | None, sealed: Sealed[Any]) -> AnyMatch:
        return evolve(before, sealed, self._recall, self._library)

    def settle(self, seeds: Seeds) -> None:
        """Do what follows by itself: make the entries of chance, reveal the seed at the end.

        While a dispute pauses the match nothing is drawn: the verdict that ends the pause does it.
        Raises SeedLost if that takes a seed that is not the one the match is committed to.
        """
        while paused(self.state) is None and (prompt := entry_due(self.state)) is not None:
            self.renew(seeds)
            self._draw(prompt, seeds)
        match = self.state
        if match.affairs.commitment and match.result is not None:
            self._reveal(seeds)

    def _reveal(self, seeds: Seeds) -> None:
        affairs = self.state.affairs
        try:
            seed = self.seed(seeds)
            earlier = [self._promised(seeds, *astuple(each)) for each in affairs.renewed]
        except SeedLost:
            if not self.state.terms.rolls:
                return  # what was dealt stays unproven, but the match can end
            raise
        self.record(
            SeedRevealed,
            seed=seed.hex(),
            following=commitment(under(seeds, affairs.run)(affairs.epoch + 1)),
            earlier=tuple(each.hex() for each in earlier),
        )

    def seed(self, seeds: Seeds) -> bytes:
        """The seed of the present epoch, which is the one that was promised."""
        affairs = self.state.affairs
        return self._promised(seeds, affairs.run, affairs.commitment)

    def _promised(self, seeds: Seeds, run: Run | None, promise: str) -> bytes:
        seed = under(seeds, run)(self.state.affairs.epoch)
        if commitment(seed) != promise:
            raise SeedLost(self._identity)
        return seed

    def renew(self, seeds: Seeds) -> None:
        """Go on with another seed if the service has begun a run since the present one was
        promised: before anything is drawn.

        Another service may have begun one that this one does not know of yet: then that counts.
        Raises SeedLost as `settle` does: a seed that is lost is not replaced.
        """
        run, affairs = run_of(seeds), self.state.affairs
        if run is None or not affairs.commitment or run == affairs.run:
            return
        if affairs.run is not None and affairs.run.number > run.number:
            return
        self.seed(seeds)
        self.record(ChanceRenewed, run=run, commitment=commitment(seeds(affairs.epoch)))

    def _draw(self, prompt: Prompt, seeds: Seeds) -> None:
        match = self.state
        number = match.draws + 1
        entry = drawn(match, prompt, number, self.seed(seeds))
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


def drawn(match: AnyMatch, prompt: Prompt, number: int, seed: bytes) -> Any:
    """The entry that the draw of this number gives, for a question of chance.

    It is one of the legal entries, in the order of their notation: no other order is known to
    whoever checks a draw in another language.
    """
    below = draws(seed, match.id, number, match.affairs.entropy)
    game = match.rules
    entries = [e for e in game.legal(match.position, prompt.seat) if not game.aside(e)]
    entries.sort(key=game.write_action)
    return entries[below(len(entries))]


def drawn_seats(match: AnyMatch, number: int, seed: bytes) -> dict[str, str]:
    """Who has which seat by the draw of this number: each seat, in order of play, with the one that
    its player had taken, of those that are left."""
    below = draws(seed, match.id, number, match.affairs.entropy)
    left, seats = sorted(match.seats), {}
    for seat in match.seats:
        seats[seat] = left.pop(below(len(left)) if len(left) > 1 else 0)
    return seats


def entry_due(match: AnyMatch) -> Prompt | None:
    """The entry that the service has to make now: any for whom it rolls; of those who enter what
    chance shows, only what is dealt face down. What no seat is asked for it makes as well where the
    creator does not referee: there is nobody to enter it who may know what it hides.

    Without a commitment it deals nothing: the match was told from a transcript, or is older.
    """
    terms, committed = match.terms, bool(match.affairs.commitment)
    if not (terms.rolls or committed):
        return None
    for prompt in match.turn:
        hidden = prompt.dealt or (prompt.seat not in match.seats and terms.referee != "creator")
        if prompt.is_chance and (terms.rolled(prompt.seat) or (hidden and committed)):
            return prompt
    return None


def listed(names: Iterable[str]) -> str:
    """Names as people list them.

    >>> listed(("north", "east", "south"))
    'north, east and south'
    """
    words = tuple(names)
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]


def over(match: AnyMatch) -> Denied:
    """The answer to what a finished match cannot take."""
    assert match.result is not None
    return Denied("MATCH_OVER", f"the match is over: {match.result.score}")


def cancelled() -> Denied:
    """The answer to what a cancelled match cannot take."""
    return Denied("MATCH_CANCELLED", "the match was cancelled before it began")


def paused(match: AnyMatch) -> Denied | None:
    """The answer to who acts while the match waits: for its players, or for the verdict on an open
    dispute."""
    if match.cancelled:
        return cancelled()
    if match.waiting:
        seats = [seat for seat in match.seats if seat not in match.holders]
        return Denied("MATCH_NOT_STARTED", f"the match begins when somebody takes {listed(seats)}")
    if (waits := match.pause) is None:
        return None
    return Denied("MATCH_PAUSED", f"the match waits for the verdict on dispute {waits.number}")


def not_a_seat(match: AnyMatch, seat: str) -> Denied:
    """The answer to a command for a seat that the match has not."""
    return Denied("SEAT_INVALID", f"{seat} is not a seat of this match; {listed(match.seats)} are")


Outcome = Decided[AnyMatch] | Refused | Denied
