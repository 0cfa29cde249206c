"""Takes the messages of gateways: each is recorded once, with the action that it completed."""

import asyncio
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import table as tables
from domain.kernel.rulings import Refused
from domain.log.ledger import Denied
from domain.log.origin import Stamp, Taps
from domain.match import AnyMatch, Decided, act
from domain.stylus.tap_machine import Hand, Moment, carry_over, show, tap
from domain.stylus.tap_rules import in_words_of
from domain.table import Done, Message, Sign, Table, TapTaken
from services.accounts.quotas import Quotas
from services.accounts.tokens import Mint
from services.devices.match_card import MatchCard, stamp_of
from services.devices.prompts import OUTCOMES, prompt, refuse, tell, unpaired, without_match
from services.devices.repeated_taps import tell_again
from services.devices.stylus_views import Moments
from services.mapping import messages
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError, Reason
from services.runtime.thread_switching import computed
from services.store import match_cache
from services.store.aggregate_cache import Decision, Written
from services.store.match_cache import LiveMatch, LiveMatches
from services.store.table_cache import LiveTable, LiveTables
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Refusal


def takes_long(moment: Moment, hand: Hand, target: str = "") -> bool:
    """Does this tap, or what is shown of the hand if there is none, look at thousands of actions
    that nobody has looked at yet?"""
    if not moment.may_act:
        return False
    first = hand.picked[:1] or (moment.pointing.readings(target) if target else ())
    return any(map(moment.pointing.crowded, first))


def rehearse(moment: Moment, hand: Hand, target: str = "") -> None:
    """Have the moment know all that the tap asks of it, and what is shown then. In any thread."""
    hand = carry_over(moment, hand)
    show(moment, tap(moment, hand, target).hand if target else hand)


TableDecision = Decision[Table, "IntakeReply"]
"""What a table records of a message, and what its gateway is answered."""
Judged = Decided[AnyMatch] | Refused | Denied
"""What comes of an action that taps asked for."""
SWITCHED: Final[dict[Sign, pb.Led.ValueType]] = {
    "on": pb.LED_BLUE_BLINKING,
    "off": pb.LED_RED,
}
"""What the light does while a stylus is being switched on or off."""


class IntakeReply(Struct, frozen=True):
    """What a gateway is answered."""

    acknowledged: int
    gap: pb.SequenceGap | None = None
    """Set if messages are missing."""
    prompt: pb.DevicePrompt | None = None
    """The prompt for the stylus."""


class TapIntake:
    """Does what the messages of all gateways ask for."""

    def __init__(
        self, live_tables: LiveTables, live: LiveMatches, mint: Mint, quotas: Quotas
    ) -> None:
        self._quotas = quotas
        self.tables = live_tables
        self.live = live
        self._mint = mint
        self._moments = Moments()
        self._rehearsing = asyncio.Semaphore(1)
        self._card = MatchCard(live, mint)

    async def take(self, table_id: Any, message: Message, sign: Sign | None) -> IntakeReply:
        """Take a message, if it is its turn."""

        async def decide(live: LiveTable) -> TableDecision:
            table = live.state
            place = tables.place_of(table, message)
            highest = table.gateways[message.gateway].highest
            if place == "early":
                return None, IntakeReply(highest, gap=await self._gap(table, highest + 1))
            if place == "next":
                return await self._next(table, message, sign)
            return None, await self._again(table, message)

        return await self.tables.command(table_id, decide)

    async def refusal(self, table: Table, refused: Refused) -> Refusal:
        """A refusal as the game on the table has it, if a match is played there."""
        message, match = Refusal(), await self.match(table)
        refuse(message, in_words_of(match.rules, refused) if match else refused, match)
        return message

    async def match(self, table: Table) -> AnyMatch | None:
        """The match on a table, if there is one."""
        return None if table.match is None else (await self.live.get(table.match)).state

    async def awaited(self, table_id: UUID, message: Message) -> tuple[int, frozenset[str]]:
        """Return the version of the match, and the gateways of the table whose taps may have to be
        done before this message."""
        table = (await self.tables.get(table_id)).state
        if table.match is None or tables.place_of(table, message) != "next":
            return 0, frozenset()
        match = (await self.live.get(table.match)).state
        return match.version, tables.awaited(table, message, match, self._moments.meet)

    async def _gap(self, table: Table, expected: int) -> pb.SequenceGap:
        why = f"message {expected} is missing: send it and all after it again"
        refused = Refused("stylus.gap", why, {"expected": expected})
        return pb.SequenceGap(
            expected_seq=messages.uint32(expected), refusal=await self.refusal(table, refused)
        )

    async def _again(self, table: Table, message: Message) -> IntakeReply:
        """The answer to a message that was done before, or that is of a closed run."""
        gateway = table.gateways[message.gateway]
        present = message.epoch == gateway.epoch
        run = gateway.run(message.epoch)
        highest = run.highest if run else 0
        version = tables.version_of(table, message)
        done = None if version is None else await self.tables.event(table.id, version)
        if isinstance(done, TapTaken):
            shown = await self._present(table, message.gateway, done.stylus)
            await tell_again(shown, done, self.live)
        elif done is not None or message.is_sign or not present:
            return IntakeReply(highest)
        else:
            shown = await self._present(table, message.gateway, message.stylus)
        shown.answered_seq, shown.replayed = message.seq, True
        shown.acknowledged_seq = messages.uint32(highest)
        return IntakeReply(highest, prompt=shown)

    async def _next(self, table: Table, message: Message, sign: Sign | None) -> TableDecision:
        now = utc_now()
        if sign is not None:
            noticed = tables.notice(table, message, sign, self.stamp(table, now))
            return noticed, await self._noticed(noticed.state, message, sign)
        match, done, before = await self._tap(table, message, now)
        shown = self._shown(done.recorded.state, message.gateway, message.stylus, match)
        shown.answered_seq = shown.acknowledged_seq = message.seq
        shown.outcome = OUTCOMES[done.outcome]
        if done.refusal is not None:
            refuse(shown.refusal, done.refusal, match)
        if done.decided is not None and before is not None:
            stylus = done.recorded.state.stylus(message.stylus)
            tell(shown, before, done.decided, self.live.names, discreet=bool(stylus.grants))
        reply = IntakeReply(message.seq, prompt=shown)
        return done.recorded if done.decided is None else Written(done.recorded), reply

    async def _noticed(self, table: Table, message: Message, sign: Sign) -> IntakeReply:
        """The answer to a sign: what the stylus shows, if the sign may have changed that."""
        if sign == "battery" or message.stylus not in table.styluses:
            return IntakeReply(message.seq)
        shown = await self._present(table, message.gateway, message.stylus)
        shown.answered_seq = shown.acknowledged_seq = message.seq
        shown.led = SWITCHED.get(sign, shown.led)
        return IntakeReply(message.seq, prompt=shown)

    async def _tap(
        self, table: Table, message: Message, now: datetime
    ) -> tuple[AnyMatch | None, Done, AnyMatch | None]:
        """The match after the tap, what came of it, and the match before it.

        If the tap completed an action, both are on disk; else what came of it has to be written.
        """
        stamp = self.stamp(table, now)
        if table.match is None:
            due = tables.DueTap(table, message, None, stamp)
            return None, tables.take(due, _nobody, self._moments.meet), None

        # Quoted, since it would be worked out anew for each tap.
        async def decide(
            live: LiveMatch,
        ) -> "match_cache.Decision[tuple[AnyMatch, Done, AnyMatch]]":
            before = live.state
            count = await self._quotas.counting(before)

            def judge(seat: str, action: Any, taps: Taps) -> Judged:
                if isinstance(action, Refused):
                    return action
                if (exceeded := count(seat)) is not None:
                    return Denied(exceeded.reason.name, exceeded.message)
                asked = stamp_of(self._mint, before, message, taps, now)
                return act(before, seat, action, asked, self._mint.seeds(before.id))

            ordered = await self._card.ordered(live, table, message, now)
            due = tables.DueTap(table, message, before, stamp, ordered)
            if (stylus := table.styluses.get(message.stylus)) is not None:
                await self._rehearse(stylus, self._moments.meet(stylus, before), due.target)
            done = tables.take(due, judge, self._moments.meet)
            if done.decided is None:
                return None, (before, done, before)
            decided = replace(done.decided, beside=done.recorded.events)
            return decided, (decided.state, done, before)

        try:
            return await self.live.command(table.match, decide)
        except BaseException:
            # The tap may be on disk all the same, with what it had the match record.
            self.tables.let_go(table.id)
            raise

    async def end_claimed(self, table: Table, match: AnyMatch) -> Table:
        """The table without the rights whose tokens have ended, as when somebody claimed a seat:
        they are taken away in the log, so that everybody sees it."""
        stamp = self.stamp(table)
        if tables.end_claimed(table, match, stamp) is None:
            return table

        async def end(live: LiveTable) -> Decision[Table, Table]:
            if live.state.match != match.id:
                return None, live.state
            ended = tables.end_claimed(live.state, match, stamp)
            return ended, ended.state if ended else live.state

        return await self.tables.command(table.id, end)

    def stamp(self, table: Table, at: datetime | None = None) -> Stamp:
        """Return the stamp for what is recorded of a table without a request of its own."""
        return self._mint.stamp(table.id, "", at=at)

    async def _rehearse(self, stylus: tables.Stylus, moment: Moment, target: str) -> None:
        """Have what takes long of a tap on this target worked out in another thread, or of what is
        shown if there is none: a position may have tens of thousands of actions."""
        if takes_long(moment, stylus.hand, target):
            async with self._rehearsing:
                await computed(rehearse, moment, stylus.hand, target)

    async def present(self, table_id: Any, gateway: str, name: str) -> pb.DevicePrompt:
        """What a stylus of a gateway shows now."""
        return await self._present((await self.tables.get(table_id)).state, gateway, name)

    async def _present(self, table: Table, gateway: str, name: str) -> pb.DevicePrompt:
        return await self.look(table, gateway, name, await self.match(table))

    async def look(
        self, table: Table, gateway: str, name: str, match: AnyMatch | None
    ) -> pb.DevicePrompt:
        """What a stylus of a gateway shows in this match, not as the answer to a message."""
        if match is not None and (stylus := table.styluses.get(name)) is not None:
            await self._rehearse(stylus, self._moments.meet(stylus, match), "")
        return self._shown(table, gateway, name, match)

    def _shown(
        self, table: Table, gateway: str, name: str, match: AnyMatch | None
    ) -> pb.DevicePrompt:
        stylus = table.styluses.get(name)
        if stylus is None or stylus.gateway != gateway:
            return unpaired(name)
        if match is None:
            return without_match(name, stylus)
        moment = self._moments.meet(stylus, match)
        return prompt(name, tables.present(stylus, match, moment), match, moment)


def _nobody(seat: str, action: Any, taps: Taps) -> Denied:
    raise ApiError(Reason.INTERNAL, f"{seat} acts in no match: {action}, {taps}")
