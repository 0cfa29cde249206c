"""Audit of a recorded match: whether its chain is intact, and whether today's rules agree.

An `Audit` takes the events of a match in order, and reports what is wrong with each. It folds what
is recorded and not what it would have decided. So one different ruling does not spoil the audit of
later events.
"""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.chance import commitment
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.match.disputes import Verdict, correct, raise_dispute, revert, uphold
from domain.match.events import (
    ActionTaken,
    DisputeRaised,
    DowntimeCredited,
    DrawAnswered,
    DrawOffered,
    Event,
    FlagFell,
    HintGiven,
    InviteCreated,
    InviteRevoked,
    LineContinued,
    MatchCancelled,
    MatchCreated,
    MatchStarted,
    MatchUpdated,
    PlayerResigned,
    RefereeInvited,
    RefereeSeated,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    SeedRotated,
    UndoAnswered,
    UndoRequested,
    VerdictGiven,
)
from domain.match.flag_falls import credit_downtime, record_flag_fall
from domain.match.fold import evolve
from domain.match.hints import give_hint
from domain.match.ledger import Outcome, prompt_to_draw
from domain.match.lines import is_in_mainline, moved_ranges
from domain.match.management import cancel, invite, revoke_invite, update
from domain.match.play import concede, offer_draw, resign, respond_to_draw
from domain.match.readjudication import (
    HEX_DIGEST,
    Draw,
    Finding,
    SeatDraw,
    check_action,
    check_administrative_event,
    check_creation,
    check_creator_seat,
    check_draw,
    check_seat_draw,
    check_seed_rotation,
    check_start,
    check_substitute,
    check_texts,
    check_time,
    recorded_context,
)
from domain.match.recording import matches_stored_json
from domain.match.referee import assign_referee, invite_referee
from domain.match.seats import claim, leave
from domain.match.state import AnyMatch, without_draws_and_clocks
from domain.match.undo import has_revealed, redo, respond_to_undo, undo
from domain.registry import GAMES


class Audit:
    """An audit of one match, event by event."""

    def __init__(
        self,
        upcast: Callable[[Any], Any] = lambda value: value,
        identity: UUID | None = None,
        library: Library = BUILT_IN_PACKS,
    ) -> None:
        """Start an audit.

        Args:
            upcast: Converts the JSON of an old event to the present schema.
            identity: The ID of the match that the events should belong to.
            library: The content packs that the events may name.
        """
        self._upcast = upcast
        self._identity = identity
        self._library = library
        self.match: AnyMatch | None = None
        """The match after the events taken so far."""
        self.stopped = False
        """Whether an event could not be read, so that no later event can be judged."""
        self._previous = GENESIS
        self._log: list[SealedEvent[Event]] = []
        self._states: list[AnyMatch] = []
        self._draws: list[Draw | SeatDraw] = []
        self._retired_draws: list[list[Draw | SeatDraw]] = []
        """The draws of each replaced seed that is not revealed yet."""

    @property
    def unproven(self) -> int:
        """The number of draws that cannot be checked, since their seed is not revealed yet."""
        return len(self._draws) + sum(map(len, self._retired_draws))

    def take(self, sealed: SealedEvent[Event]) -> list[Finding]:
        """Judge the next event and apply it."""
        if self.stopped:
            return []
        try:
            found = [*self._check_chain(sealed)]
        except RecursionError:
            return self.unreadable("it is nested too deeply")
        except Exception as error:
            return self.unreadable(str(error))
        if HEX_DIGEST.fullmatch(sealed.digest):
            self._previous = sealed.digest
        if (why := self._placement_error(sealed.event)) is not None:
            return self._stop([*found, Finding(self._next_version, "chain", why)])
        try:
            found += self._judge(sealed.event)
            self.match = evolve(self.match, sealed, self._match_at, self._library)
        # A forged event can make the rules raise anything, but an audit must not raise.
        except Exception as error:
            why = "it does not fit what stands before it"
            detail = f"{type(error).__name__}: {error}"
            return self._stop([*found, Finding(self._next_version, "position", why, detail=detail)])
        self._log.append(sealed)
        self._states.append(self.match)
        return found

    def unreadable(self, why: str) -> list[Finding]:
        """Record that the next event cannot be read."""
        return self._stop([Finding(self._next_version, "chain", f"it cannot be read: {why}")])

    def end(self) -> list[Finding]:
        """Return the findings that only the end of the events shows."""
        match = self.match
        if self.stopped or match is None or match.result is None or not self.unproven:
            return []
        if not match.terms.has_rolled_chance:
            return []  # only face-down deals were drawn, and they count as unproven
        why = "the match is over, and the seed of its last draws is not revealed"
        return [Finding(match.version, "chance", why)]

    # --- the chain -------------------------------------------------------------------------------

    @property
    def _next_version(self) -> int:
        return self.match.version + 1 if self.match else 1

    def _stop(self, found: list[Finding]) -> list[Finding]:
        self.stopped = True
        return found

    def _check_chain(self, sealed: SealedEvent[Event]) -> Iterator[Finding]:
        due = chain_digest(self._previous, sealed.body)
        if due != sealed.digest:
            yield Finding(
                self._next_version,
                "chain",
                f"its bytes and the digest before it give the digest {due}, and it has"
                f" {sealed.digest}",
            )
        elif not self._is_canonical(sealed):
            why = "its bytes are not the canonical ones of such an event"
            yield Finding(self._next_version, "chain", why)

    def _is_canonical(self, sealed: SealedEvent[Event]) -> bool:
        """Return whether the bytes hold the content of the event, and nothing else."""
        if canonical_bytes(sealed.event) == sealed.body:
            return True
        raw = msgspec.json.decode(sealed.body)
        return canonical_bytes(raw) == sealed.body and matches_stored_json(
            self._upcast(raw), sealed.event
        )

    def _placement_error(self, event: Event) -> str | None:
        created = isinstance(event, MatchCreated)
        if event.version != self._next_version:
            return f"event {self._next_version} is due here, and this is event {event.version}"
        if created != (self.match is None):
            return "a match is created by its first event, and by no other"
        if isinstance(event, MatchCreated) and event.game not in GAMES:
            return f"there is no game {event.game!r} here, so nothing can be judged"
        due = self.match.id if self.match else self._identity
        if due is not None and event.match != due:
            return f"it is an event of match {event.match}"
        return None

    def _match_at(self, version: int) -> AnyMatch:
        return self._states[version - 1]

    def _reopened(self, version: int) -> AnyMatch:
        """Return the match at a version, without an end that its players made.

        Earlier releases let a verdict return to such a version, and their events are judged
        that way.
        """
        recorded = self._match_at(version)
        return replace(recorded, result=None) if recorded.is_ended_by_players else recorded

    # --- events ----------------------------------------------------------------------------------

    def _judge(self, event: Event) -> Iterator[Finding]:
        yield from check_texts(event)
        match = self.match
        if isinstance(event, MatchCreated):
            yield from check_creation(event, self._library)
            return
        assert match is not None
        yield from check_substitute(match, event)
        yield from check_time(match, event)
        if isinstance(event, ActionTaken):
            yield from check_action(match, event)
            yield from self._check_entry(match, event)
        elif isinstance(event, SeedRotated):
            yield from check_seed_rotation(match, event)
            self._retired_draws.append(self._draws)
            self._draws = []
        elif isinstance(event, SeedRevealed):
            yield from self._check_seeds(match, event)
        elif isinstance(event, SeatClaimed) and event.creator:
            yield from check_creator_seat(match, event, self._log[-1].event)
        elif isinstance(event, MatchStarted):
            yield from check_start(match, event)
            if event.draw is not None:
                self._draws.append(SeatDraw(match, event))
        else:
            before = without_draws_and_clocks(match)
            if isinstance(event, FlagFell | DowntimeCredited):
                before = replace(before, clocks=match.clocks)
            yield from check_administrative_event(event, self._decide_again(before, event))

    def _decide_again(self, match: AnyMatch, event: Any) -> Outcome | None:
        """Return the outcome of an event's command by the current rules, or None.

        None means that the event had no command: the previous event caused it.
        """
        command_context = recorded_context(event)
        match event:
            case SeatClaimed(seat=seat, player=player, key=key, entropy=entropy, holder=holder):
                return claim(
                    match, seat, player, key, command_context, entropy, holder, bot=event.bot
                )
            case SeatLeft(seat=seat, key=key):
                return leave(match, seat, command_context, key)
            case MatchUpdated(title=title, visibility=visibility, shared=shared):
                return update(
                    match, command_context, title=title, visibility=visibility, shared=shared
                )
            case MatchCancelled(expired=expired, by=by, by_player=by_player):
                return cancel(match, command_context, expired=expired, by=by, by_player=by_player)
            case InviteCreated(role=role, key=key):
                return invite(match, role, key, command_context)
            case InviteRevoked(role=role):
                return revoke_invite(match, role, command_context)
            case RefereeInvited(key=key):
                return invite_referee(match, key, command_context)
            case RefereeSeated(player=player, key=key, holder=holder):
                return assign_referee(match, player, key, command_context, holder)
            case PlayerResigned(seat=seat, facts=facts):
                # In earlier releases it ended every match, and their events are judged that way.
                return (resign if facts else concede)(match, seat, command_context)
            case FlagFell(seat=seat):
                return record_flag_fall(match, seat, command_context)
            case DowntimeCredited(since=since):
                return credit_downtime(match, since, command_context)
            case HintGiven(seat=seat):
                return give_hint(match, seat, command_context)
            case DrawOffered(seat=seat):
                return offer_draw(match, seat, command_context)
            case DrawAnswered(seat=seat, accepted=accepted):
                return respond_to_draw(match, seat, accepted, command_context)
            case UndoAnswered(seat=seat, granted=granted):
                return respond_to_undo(match, seat, granted, command_context, self._match_at)
            case LineContinued() if self._was_granted(event):
                return None
            case UndoRequested() | LineContinued():
                return self._undo(match, event, command_context)
            case DisputeRaised(seat=seat, on=on, reason=reason):
                return raise_dispute(match, seat, on, reason, command_context)
            case _:
                assert isinstance(event, VerdictGiven)
                return self._resolve_again(match, event, command_context)

    def _was_granted(self, event: LineContinued) -> bool:
        """Return whether the event before gave the last consent needed."""
        if len(self._states) < 2 or not isinstance(self._log[-1].event, UndoAnswered):
            return False
        proposal, left = self._states[-2].proposal, self._states[-1].proposal
        granted = self._log[-1].event.granted and left is None
        return (
            granted
            and proposal is not None
            and (proposal.to, proposal.seat)
            == (
                event.to,
                event.seat,
            )
        )

    def _undo(
        self, match: AnyMatch, event: UndoRequested | LineContinued, command_context: CommandContext
    ) -> Outcome:
        command = undo if is_in_mainline(match, event.to) else redo
        moved = (
            event.seat,
            self._states[event.to - 1],
            self._moved_events(match, event.to),
            command_context,
        )
        outcome = command(match, *moved)
        if _is_same_event(outcome, event):
            return outcome
        # Earlier releases did not count looks at hidden information, and their events are judged
        # that way.
        earlier = command(match, *moved, is_disclosure=has_revealed)
        return earlier if _is_same_event(earlier, event) else outcome

    def _moved_events(self, match: AnyMatch, to: int) -> list[SealedEvent[Event]]:
        """Return the events that are undone or redone when the line continues from this version."""
        assert 1 <= to <= len(self._states)
        return [
            self._log[version - 1]
            for version_range in moved_ranges(match, to)
            for version in version_range
        ]

    def _resolve_again(
        self, match: AnyMatch, event: VerdictGiven[Any], command_context: CommandContext
    ) -> Outcome:
        words = (match, Verdict(event.dispute, event.reason, event.rules))
        match event.verdict:
            case "upheld":
                return uphold(*words, command_context)
            case "reverted":
                to = event.to or 0
                events = [each.event for each in self._moved_events(match, to)]
                return revert(*words, to, command_context, self._reopened, moved=events)
            case "corrected":
                return correct(*words, event.facts, command_context)

    # --- chance ----------------------------------------------------------------------------------

    def _check_entry(self, match: AnyMatch, event: ActionTaken[Any, Any]) -> Iterator[Finding]:
        prompt = prompt_to_draw(match)
        due = None if prompt is None else match.draws + 1
        if event.draw != due:
            draws = [f"draw {n}" if n else "no draw of the service" for n in (event.draw, due)]
            yield Finding(event.version, "chance", f"it is {draws[0]}, and {draws[1]} is due")
        elif prompt is not None and due is not None:
            if event.seat != prompt.seat:
                yield Finding(event.version, "chance", f"the draw is {prompt.seat}'s")
            self._draws.append(Draw(match, prompt, event))

    def _check_seeds(self, match: AnyMatch, event: SeedRevealed) -> Iterator[Finding]:
        if not match.details.commitment or match.result is None:
            yield Finding(event.version, "legality", "no seed is revealed before the match is over")
        drawn, self._draws, self._retired_draws = [*self._retired_draws, self._draws], [], []
        seeds = (*event.earlier, event.seed)
        if not all(map(HEX_DIGEST.fullmatch, (*seeds, event.following))):
            yield Finding(event.version, "chance", "a seed and a commitment have 64 digits")
        elif len(seeds) != len(drawn):
            why = f"it reveals {len(seeds)} seeds, and {len(drawn)} were promised"
            yield Finding(event.version, "chance", why)
        else:
            promises = [*(each.commitment for each in match.details.renewed)]
            promises.append(match.details.commitment)
            for draws, seed, promise in zip(drawn, seeds, promises, strict=True):
                yield from self._check_seed(event, draws, bytes.fromhex(seed), promise)

    def _check_seed(
        self, event: SeedRevealed, draws: list[Draw | SeatDraw], seed: bytes, promise: str
    ) -> Iterator[Finding]:
        if commitment(seed) != promise:
            why = f"the seed does not fit the commitment {promise}"
            yield Finding(event.version, "chance", why)
            return
        for draw in draws:
            if isinstance(draw, SeatDraw):
                yield from check_seat_draw(draw, seed)
            else:
                yield from check_draw(draw, seed)


def _is_same_event(outcome: Outcome, event: UndoRequested | LineContinued) -> bool:
    """Return whether a command records an event of this type, with the same revealed versions."""
    if not isinstance(outcome, Changeset):
        return False
    again = outcome.events[0].event
    if not isinstance(again, UndoRequested) or not isinstance(event, UndoRequested):
        return type(again) is type(event)
    return (again.awaiting, again.revealed) == (event.awaiting, event.revealed)


class AuditReport(Struct, frozen=True):
    """The result of an audit."""

    match: UUID | None
    """The ID of the match; None if not even the first event could be read."""
    events: int
    """The number of events that were judged."""
    digest: str
    """The digest of the last of them."""
    findings: tuple[Finding, ...]
    """The findings, in order of events."""
    unproven: int = 0
    """The number of draws that cannot be checked, as in `Audit.unproven`."""

    @property
    def sound(self) -> bool:
        """Whether the audit found nothing."""
        return not self.findings
