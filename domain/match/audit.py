"""Judging a recorded match again: is the chain whole, and would today's rules say the same?

An `Audit` is given the events of a match in order and tells what is not as it should be, of each
event before it goes on. It folds what is recorded, never what it would have decided itself, so a
ruling that differs is told where it happened and does not spoil all that follows.
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
    """The judging of one match, event by event."""

    def __init__(
        self,
        upcast: Callable[[Any], Any] = lambda value: value,
        identity: UUID | None = None,
        library: Library = BUILT_IN_PACKS,
    ) -> None:
        """`upcast` brings what JSON says of an old event into the present shapes. `identity` is of
        the match that the events are said to be of, and `library` has the packs they may name."""
        self._upcast = upcast
        self._identity = identity
        self._library = library
        self.match: AnyMatch | None = None
        """The match after what was judged so far."""
        self.stopped = False
        """An event could not be understood, so that nothing after it can be judged."""
        self._previous = GENESIS
        self._log: list[SealedEvent[Event]] = []
        self._stood: list[AnyMatch] = []
        self._draws: list[Draw | SeatDraw] = []
        self._renewed: list[list[Draw | SeatDraw]] = []
        """Those of each seed that was renewed and is not revealed yet."""

    @property
    def unproven(self) -> int:
        """Draws whose seed is not revealed yet, so that they cannot be checked."""
        return len(self._draws) + sum(map(len, self._renewed))

    def take(self, sealed: SealedEvent[Event]) -> list[Finding]:
        """Judge the next event, and go on from it."""
        if self.stopped:
            return []
        try:
            found = [*self._chain(sealed)]
        except RecursionError:
            return self.unreadable("it is nested too deep")
        except Exception as error:
            return self.unreadable(str(error))
        if HEX_DIGEST.fullmatch(sealed.digest):
            self._previous = sealed.digest
        if (why := self._misplaced(sealed.event)) is not None:
            return self._stop([*found, Finding(self._due, "chain", why)])
        try:
            found += self._judge(sealed.event)
            self.match = evolve(self.match, sealed, self._recall, self._library)
        # A forged event can bring the rules to raise anything, and checking must not.
        except Exception as error:
            why = "it does not fit what stands before it"
            detail = f"{type(error).__name__}: {error}"
            return self._stop([*found, Finding(self._due, "position", why, detail=detail)])
        self._log.append(sealed)
        self._stood.append(self.match)
        return found

    def unreadable(self, why: str) -> list[Finding]:
        """The next event cannot even be read."""
        return self._stop([Finding(self._due, "chain", f"it cannot be read: {why}")])

    def end(self) -> list[Finding]:
        """There are no more events."""
        match = self.match
        if self.stopped or match is None or match.result is None or not self.unproven:
            return []
        if not match.terms.rolls:
            return []  # only what was dealt face down was drawn, and it counts as unproven
        why = "the match is over, and the seed of its last draws is not revealed"
        return [Finding(match.version, "chance", why)]

    # --- the chain -------------------------------------------------------------------------------

    @property
    def _due(self) -> int:
        return self.match.version + 1 if self.match else 1

    def _stop(self, found: list[Finding]) -> list[Finding]:
        self.stopped = True
        return found

    def _chain(self, sealed: SealedEvent[Event]) -> Iterator[Finding]:
        due = chain_digest(self._previous, sealed.body)
        if due != sealed.digest:
            yield Finding(
                self._due,
                "chain",
                f"its bytes and the digest before it give the digest {due}, and it has"
                f" {sealed.digest}",
            )
        elif not self._is_whole(sealed):
            why = "its bytes are not the canonical ones of such an event"
            yield Finding(self._due, "chain", why)

    def _is_whole(self, sealed: SealedEvent[Event]) -> bool:
        """Do the bytes say all that is in the event, and nothing else?"""
        if canonical_bytes(sealed.event) == sealed.body:
            return True
        raw = msgspec.json.decode(sealed.body)
        return canonical_bytes(raw) == sealed.body and matches_stored_json(
            self._upcast(raw), sealed.event
        )

    def _misplaced(self, event: Event) -> str | None:
        created = isinstance(event, MatchCreated)
        if event.version != self._due:
            return f"event {self._due} is due here, and this is event {event.version}"
        if created != (self.match is None):
            return "a match is created by its first event, and by no other"
        if isinstance(event, MatchCreated) and event.game not in GAMES:
            return f"there is no game {event.game!r} here, so nothing can be judged"
        due = self.match.id if self.match else self._identity
        if due is not None and event.match != due:
            return f"it is an event of match {event.match}"
        return None

    def _recall(self, version: int) -> AnyMatch:
        return self._stood[version - 1]

    def _reopened(self, version: int) -> AnyMatch:
        """Return the match at a version, without an end that its players had made: earlier versions
        let a verdict go back to such a version, and what was recorded so is judged so."""
        stood = self._recall(version)
        return replace(stood, result=None) if stood.is_ended_by_players else stood

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
            yield from self._entry(match, event)
        elif isinstance(event, SeedRotated):
            yield from check_seed_rotation(match, event)
            self._renewed.append(self._draws)
            self._draws = []
        elif isinstance(event, SeedRevealed):
            yield from self._seeds(match, event)
        elif isinstance(event, SeatClaimed) and event.creator:
            yield from check_creator_seat(match, event, self._log[-1].event)
        elif isinstance(event, MatchStarted):
            yield from check_start(match, event)
            if event.draw is not None:
                self._draws.append(SeatDraw(match, event))
        else:
            asked = without_draws_and_clocks(match)
            if isinstance(event, FlagFell | DowntimeCredited):
                asked = replace(asked, clocks=match.clocks)
            yield from check_administrative_event(event, self._again(asked, event))

    def _again(self, match: AnyMatch, event: Any) -> Outcome | None:
        """What today's commands make of what was asked for; None where the event before shows that
        it follows by itself."""
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
                # Once it ended every match; what was recorded so is judged so.
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
                return respond_to_undo(match, seat, granted, command_context, self._recall)
            case LineContinued() if self._was_granted(event):
                return None
            case UndoRequested() | LineContinued():
                return self._undo(match, event, command_context)
            case DisputeRaised(seat=seat, on=on, reason=reason):
                return raise_dispute(match, seat, on, reason, command_context)
            case _:
                assert isinstance(event, VerdictGiven)
                return self._verdict(match, event, command_context)

    def _was_granted(self, event: LineContinued) -> bool:
        """Did the event before grant this, as the last consent that was needed?"""
        if len(self._stood) < 2 or not isinstance(self._log[-1].event, UndoAnswered):
            return False
        proposal, left = self._stood[-2].proposal, self._stood[-1].proposal
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
            self._stood[event.to - 1],
            self._moved(match, event.to),
            command_context,
        )
        outcome = command(match, *moved)
        if _is_alike(outcome, event):
            return outcome
        # Earlier releases let a look at hidden things be taken back like any action: what was
        # recorded so is judged so.
        earlier = command(match, *moved, learned=has_revealed)
        return earlier if _is_alike(earlier, event) else outcome

    def _moved(self, match: AnyMatch, to: int) -> list[SealedEvent[Event]]:
        """The events that are left or taken up when the line goes on from this version."""
        assert 1 <= to <= len(self._stood)
        return [
            self._log[version - 1] for stretch in moved_ranges(match, to) for version in stretch
        ]

    def _verdict(
        self, match: AnyMatch, event: VerdictGiven[Any], command_context: CommandContext
    ) -> Outcome:
        words = (match, Verdict(event.dispute, event.reason, event.rules))
        match event.verdict:
            case "upheld":
                return uphold(*words, command_context)
            case "reverted":
                to = event.to or 0
                events = [each.event for each in self._moved(match, to)]
                return revert(*words, to, command_context, self._reopened, moved=events)
            case "corrected":
                return correct(*words, event.facts, command_context)

    # --- chance ----------------------------------------------------------------------------------

    def _entry(self, match: AnyMatch, event: ActionTaken[Any, Any]) -> Iterator[Finding]:
        prompt = prompt_to_draw(match)
        due = None if prompt is None else match.draws + 1
        if event.draw != due:
            draws = [f"draw {n}" if n else "no draw of the service" for n in (event.draw, due)]
            yield Finding(event.version, "chance", f"it is {draws[0]}, and {draws[1]} is due")
        elif prompt is not None and due is not None:
            if event.seat != prompt.seat:
                yield Finding(event.version, "chance", f"the draw is {prompt.seat}'s")
            self._draws.append(Draw(match, prompt, event))

    def _seeds(self, match: AnyMatch, event: SeedRevealed) -> Iterator[Finding]:
        if not match.details.commitment or match.result is None:
            yield Finding(event.version, "legality", "no seed is revealed before the match is over")
        drawn, self._draws, self._renewed = [*self._renewed, self._draws], [], []
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
                yield from self._seed(event, draws, bytes.fromhex(seed), promise)

    def _seed(
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


def _is_alike(outcome: Outcome, event: UndoRequested | LineContinued) -> bool:
    """Return whether a command gives such an event: of this type, with the same things revealed."""
    if not isinstance(outcome, Changeset):
        return False
    again = outcome.events[0].event
    if not isinstance(again, UndoRequested) or not isinstance(event, UndoRequested):
        return type(again) is type(event)
    return (again.awaiting, again.revealed) == (event.awaiting, event.revealed)


class AuditReport(Struct, frozen=True):
    """What an audit came to."""

    match: UUID | None
    """None if not even the first event could be understood."""
    events: int
    """How many were judged."""
    digest: str
    """Of the last of them."""
    findings: tuple[Finding, ...]
    """The first difference first."""
    unproven: int = 0
    """As `Audit.unproven`."""

    @property
    def sound(self) -> bool:
        """Was nothing found?"""
        return not self.findings
