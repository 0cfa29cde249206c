"""Processes messages of gateways: each is recorded once, with the action that it completed."""

import asyncio
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import table as tables
from domain.kernel.rulings import Refused
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext, Taps
from domain.match import AnyMatch, Changeset, act
from domain.stylus.tap_machine import Selection, StylusView, carry_over, stylus_screen, tap
from domain.stylus.tap_rules import cite_game_rule
from domain.table import Message, StylusStatus, Table, TapDecision, TapTaken
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.devices.match_card import MatchCard, tap_context
from services.devices.prompts import (
    TAP_OUTCOMES,
    add_events,
    add_refusal,
    no_match_prompt,
    stylus_prompt,
    unpaired_prompt,
)
from services.devices.repeated_taps import add_first_answer
from services.devices.stylus_views import StylusViewCache
from services.mapping import messages
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError, Reason
from services.runtime.thread_switching import run_cpu_bound
from services.store import match_cache
from services.store.aggregate_cache import Decision, RecordedDecision
from services.store.match_cache import CachedMatch, MatchCache
from services.store.table_cache import CachedTable, TableCache
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Refusal


def is_slow(view: StylusView, hand: Selection, target: str = "") -> bool:
    """Return whether a tap examines thousands of actions for the first time.

    Without a target, this is about the screen of the selection.
    """
    if not view.can_act:
        return False
    first = hand.picked[:1] or (view.pointing.interpretations(target) if target else ())
    return any(map(view.pointing.has_many_actions, first))


def precompute_tap(view: StylusView, hand: Selection, target: str = "") -> None:
    """Precompute what a tap and the screen after it need of the stylus view. Runs in any thread."""
    hand = carry_over(view, hand)
    stylus_screen(view, tap(view, hand, target).hand if target else hand)


TableDecision = Decision[Table, "IntakeReply"]
"""The events that a table records for a message, and the answer to its gateway."""
ActionOutcome = Changeset[AnyMatch] | Refused | Rejection
"""The outcome of an action that taps requested."""
STATUS_LEDS: Final[dict[StylusStatus, pb.Led.ValueType]] = {
    "on": pb.LED_BLUE_BLINKING,
    "off": pb.LED_RED,
}
"""Colors of the pairing LED while a stylus is switched on or off."""


class IntakeReply(Struct, frozen=True):
    """The reply to a message of a gateway."""

    acknowledged: int
    gap: pb.SequenceGap | None = None
    """The gap in the gateway's messages; None if no message is missing."""
    prompt: pb.DevicePrompt | None = None
    """The prompt for the stylus."""


class TapIntake:
    """Executes the messages of all gateways."""

    def __init__(
        self, live_tables: TableCache, live: MatchCache, token_issuer: TokenIssuer, quotas: Quotas
    ) -> None:
        self._quotas = quotas
        self.tables = live_tables
        self.live = live
        self._token_issuer = token_issuer
        self._views = StylusViewCache()
        self._precompute_lock = asyncio.Semaphore(1)
        self._card = MatchCard(live, token_issuer)

    async def take(self, table_id: Any, message: Message, sign: StylusStatus | None) -> IntakeReply:
        """Process a message, if it is next in order."""

        async def decide(live: CachedTable) -> TableDecision:
            table = live.state
            place = tables.sequence_state(table, message)
            highest = table.gateways[message.gateway].highest
            if place == "early":
                return None, IntakeReply(highest, gap=await self._gap(table, highest + 1))
            if place == "next":
                return await self._process_next(table, message, sign)
            return None, await self._reply_to_repeated(table, message)

        return await self.tables.command(table_id, decide)

    async def refusal(self, table: Table, refused: Refused) -> Refusal:
        """Return the refusal in the words of the game that is played on the table."""
        message, match = Refusal(), await self.match(table)
        add_refusal(message, cite_game_rule(match.rules, refused) if match else refused, match)
        return message

    async def match(self, table: Table) -> AnyMatch | None:
        """Return the match on a table; None if there is none."""
        return None if table.match is None else (await self.live.get(table.match)).state

    async def awaited_gateways(
        self, table_id: UUID, message: Message
    ) -> tuple[int, frozenset[str]]:
        """Return the version of the match, and the gateways whose taps may precede this message."""
        table = (await self.tables.get(table_id)).state
        if table.match is None or tables.sequence_state(table, message) != "next":
            return 0, frozenset()
        match = (await self.live.get(table.match)).state
        return match.version, tables.awaited_gateways(table, message, match, self._views.get)

    async def _gap(self, table: Table, expected: int) -> pb.SequenceGap:
        why = f"message {expected} is missing: send it and all after it again"
        refused = Refused("stylus.gap", why, {"expected": expected})
        return pb.SequenceGap(
            expected_seq=messages.uint32(expected), refusal=await self.refusal(table, refused)
        )

    async def _reply_to_repeated(self, table: Table, message: Message) -> IntakeReply:
        """Return the reply to a repeated message, or to one of a closed run."""
        gateway = table.gateways[message.gateway]
        present = message.epoch == gateway.epoch
        run = gateway.run(message.epoch)
        highest = run.highest if run else 0
        version = tables.recorded_version(table, message)
        done = None if version is None else await self.tables.event(table.id, version)
        if isinstance(done, TapTaken):
            shown = await self._present(table, message.gateway, done.stylus)
            await add_first_answer(shown, done, self.live)
        elif done is not None or message.is_sign or not present:
            return IntakeReply(highest)
        else:
            shown = await self._present(table, message.gateway, message.stylus)
        shown.answered_seq, shown.replayed = message.seq, True
        shown.acknowledged_seq = messages.uint32(highest)
        return IntakeReply(highest, prompt=shown)

    async def _process_next(
        self, table: Table, message: Message, sign: StylusStatus | None
    ) -> TableDecision:
        now = utc_now()
        if sign is not None:
            noticed = tables.record_status(table, message, sign, self.command_context(table, now))
            return noticed, await self._reply_to_status(noticed.state, message, sign)
        match, done, before = await self._tap(table, message, now)
        shown = self._stylus_prompt(done.recorded.state, message.gateway, message.stylus, match)
        shown.answered_seq = shown.acknowledged_seq = message.seq
        shown.outcome = TAP_OUTCOMES[done.outcome]
        if done.refusal is not None:
            add_refusal(shown.refusal, done.refusal, match)
        if done.changeset is not None and before is not None:
            stylus = done.recorded.state.stylus(message.stylus)
            add_events(shown, before, done.changeset, self.live.names, discreet=bool(stylus.grants))
        reply = IntakeReply(message.seq, prompt=shown)
        return done.recorded if done.changeset is None else RecordedDecision(done.recorded), reply

    async def _reply_to_status(
        self, table: Table, message: Message, sign: StylusStatus
    ) -> IntakeReply:
        """Return the reply to a stylus status: the screen, if the status may have changed it."""
        if sign == "battery" or message.stylus not in table.styluses:
            return IntakeReply(message.seq)
        shown = await self._present(table, message.gateway, message.stylus)
        shown.answered_seq = shown.acknowledged_seq = message.seq
        shown.led = STATUS_LEDS.get(sign, shown.led)
        return IntakeReply(message.seq, prompt=shown)

    async def _tap(
        self, table: Table, message: Message, now: datetime
    ) -> tuple[AnyMatch | None, TapDecision, AnyMatch | None]:
        """Return the match after a tap, the decision, and the match before it.

        If the tap completed an action, both are on disk; otherwise the decision is still to be
        written.
        """
        command_context = self.command_context(table, now)
        if table.match is None:
            due = tables.DueTap(table, message, None, command_context)
            return None, tables.process_tap(due, _reject_tap, self._views.get), None

        # Quoted, since it would be worked out anew for each tap.
        async def decide(
            live: CachedMatch,
        ) -> "match_cache.Decision[tuple[AnyMatch, TapDecision, AnyMatch]]":
            before = live.state
            count = await self._quotas.action_counter(before)

            def judge(seat: str, action: Any, taps: Taps) -> ActionOutcome:
                if isinstance(action, Refused):
                    return action
                if (exceeded := count(seat)) is not None:
                    return Rejection(exceeded.reason.name, exceeded.message)
                asked = tap_context(self._token_issuer, before, message, taps, now)
                return act(before, seat, action, asked, self._token_issuer.seeds(before.id))

            ordered = await self._card.order(live, table, message, now)
            due = tables.DueTap(table, message, before, command_context, ordered)
            if (stylus := table.styluses.get(message.stylus)) is not None:
                await self._precompute(stylus, self._views.get(stylus, before), due.target)
            done = tables.process_tap(due, judge, self._views.get)
            if done.changeset is None:
                return None, (before, done, before)
            changeset = replace(done.changeset, other_events=done.recorded.events)
            return changeset, (changeset.state, done, before)

        try:
            return await self.live.command(table.match, decide)
        except BaseException:
            # The tap may be on disk all the same, with what it had the match record.
            self.tables.evict(table.id)
            raise

    async def end_claimed(self, table: Table, match: AnyMatch) -> Table:
        """Return the table without tap rights whose tokens have ended, for example by a claim.

        The log records that the rights have ended.
        """
        command_context = self.command_context(table)
        if tables.end_claimed_seats(table, match, command_context) is None:
            return table

        async def end(live: CachedTable) -> Decision[Table, Table]:
            if live.state.match != match.id:
                return None, live.state
            ended = tables.end_claimed_seats(live.state, match, command_context)
            return ended, ended.state if ended else live.state

        return await self.tables.command(table.id, end)

    def command_context(self, table: Table, at: datetime | None = None) -> CommandContext:
        """Return the command context for changes of a table that no request caused."""
        return self._token_issuer.command_context(table.id, "", at=at)

    async def _precompute(self, stylus: tables.Stylus, view: StylusView, target: str) -> None:
        """Precompute the slow part of a tap, or of the screen, in another thread.

        A position may have tens of thousands of actions.
        """
        if is_slow(view, stylus.hand, target):
            async with self._precompute_lock:
                await run_cpu_bound(precompute_tap, view, stylus.hand, target)

    async def present(self, table_id: Any, gateway: str, name: str) -> pb.DevicePrompt:
        """Return the current prompt of a stylus of a gateway."""
        return await self._present((await self.tables.get(table_id)).state, gateway, name)

    async def _present(self, table: Table, gateway: str, name: str) -> pb.DevicePrompt:
        return await self.prompt_in_match(table, gateway, name, await self.match(table))

    async def prompt_in_match(
        self, table: Table, gateway: str, name: str, match: AnyMatch | None
    ) -> pb.DevicePrompt:
        """Return the prompt of a stylus in this match, apart from any message."""
        if match is not None and (stylus := table.styluses.get(name)) is not None:
            await self._precompute(stylus, self._views.get(stylus, match), "")
        return self._stylus_prompt(table, gateway, name, match)

    def _stylus_prompt(
        self, table: Table, gateway: str, name: str, match: AnyMatch | None
    ) -> pb.DevicePrompt:
        stylus = table.styluses.get(name)
        if stylus is None or stylus.gateway != gateway:
            return unpaired_prompt(name)
        if match is None:
            return no_match_prompt(name, stylus)
        view = self._views.get(stylus, match)
        return stylus_prompt(name, tables.with_current_prompt(stylus, match, view), match, view)


def _reject_tap(seat: str, action: Any, taps: Taps) -> Rejection:
    raise ApiError(Reason.INTERNAL, f"{seat} acts in no match: {action}, {taps}")
