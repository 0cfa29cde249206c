"""One gateway's stream: answers its messages in order, and tells it what others changed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Final
from uuid import UUID

import structlog
from msgspec.structs import replace

from domain.table import Gateway, Message, Sign, Table
from services.bells import Bell
from services.buckets import Buckets, Rate
from services.errors import ApiError, Reason, malformed
from services.tables.cues import cue
from services.tables.intake import IntakeReply, TapIntake
from services.tables.journals import MOST_ENTRIES, JournalAnswer
from services.tables.outboxes import Outbox
from services.tables.parsing import parsed
from services.tables.prompts import OUTCOMES
from services.tallies import DeviceTallies, no_device_tallies
from services.wire.emeth.v1 import gateways_pb2 as pb

log = structlog.get_logger(__name__)

RATE: Final = Rate(per_second=100.0, burst=500.0)
"""Messages that a gateway may send for long, and at once: what it kept while the line was down."""
PAUSE: Final = 0.5
"""Seconds for which a gateway is not read from that has sent more."""
OUTCOME_NAMES: Final = {number: name for name, number in OUTCOMES.items()}
ANSWER_SECONDS: Final = 5.0
"""How long a device may take to answer a command."""
Shown = tuple[int, int]
"""How often styluses were seated before a prompt was made, and the match's version then."""


class GatewayStream:
    """The stream of a gateway that is connected."""

    def __init__(
        self,
        intake: TapIntake,
        gateway: str,
        epoch: str,
        tallies: DeviceTallies,
        messages: Buckets[str],
    ) -> None:
        """`messages` counts what each gateway sends."""
        self.gateway = gateway
        self._tallies = tallies
        self.table: UUID | None = None
        """The gateway's table, once the stream runs."""
        self._opened: Gateway | None = None
        """The gateway as it was when it connected."""
        self._intake = intake
        self._epoch = epoch
        self._answers = Outbox()
        self._seating = 0
        """Counts how often another match may have come, or a stylus have got another seat."""
        self._shown: dict[str, Shown] = {}
        """What each stylus was shown last, in the order in which the gateway is sent it."""
        self._news = Bell()
        """Set when the match may have moved on, or a stylus have another seat."""
        self._messages = messages
        self._commands: dict[int, asyncio.Future[pb.CommandReport]] = {}
        """What its devices were told to do, and have not answered yet."""
        self._why = ""
        self._failure: Exception | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def run(
        self, table: Table, requests: AsyncIterator[pb.ConnectRequest]
    ) -> AsyncIterator[pb.ConnectResponse]:
        """Welcome the gateway, then answer it until it goes or is sent away."""
        self.table, self._opened = table.id, table.gateways[self.gateway]
        yield self._welcome(table)
        self._tasks = [
            asyncio.create_task(self._ending(self._follow(table.id))),
            asyncio.create_task(self._ending(self._read(table.id, requests))),
        ]
        try:
            while (answer := await self._answers.get()) is not None:
                yield answer
                # A prompt takes up to ten kilobytes, and the next one may be hours away.
                del answer
            if self._failure is not None:
                raise self._failure
            if self._why:
                yield pb.ConnectResponse(goodbye=pb.Goodbye(why=self._why))
        finally:
            await self._stop()

    def is_of(self, gateway: Gateway) -> bool:
        """Has the gateway the key yet, and the run, that it had when it connected?"""
        opened = self._opened or gateway
        return (opened.key, opened.epoch) == (gateway.key, gateway.epoch)

    async def forward(self, answer: pb.ConnectResponse) -> None:
        """Send what another table answers that shares this line."""
        await self._answers.put(answer)

    def close(self, why: str) -> None:
        """End the stream: what waits is not sent any more."""
        self._why = why
        for task in self._tasks:
            task.cancel()
        self._answers.end()

    async def command(self, command: pb.DeviceCommand) -> pb.CommandReport:
        """Have a device do something; its answer. TimeoutError if there is none."""
        number = command.number = max(self._commands, default=0) + 1
        answered: asyncio.Future[pb.CommandReport] = asyncio.get_running_loop().create_future()
        self._commands[number] = answered
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._answers.put(pb.ConnectResponse(command=command))
                return await answered
        finally:
            del self._commands[number]

    def look_again(self) -> None:
        """Another match may be on the table, or a stylus have another seat."""
        self._seating += 1
        self._news.set()

    async def _ending(self, work: Awaitable[None]) -> None:
        """The stream ends with this work, and with what went wrong in it."""
        try:
            await work
        except Exception as error:  # nobody else would hear of it: `run` raises it
            self._failure = error
        await self._answers.put(None)

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    def _welcome(self, table: Table) -> pb.ConnectResponse:
        gateway = table.gateways[self.gateway]
        run = gateway.run(self._epoch)
        return pb.ConnectResponse(
            welcome=pb.Welcome(
                highest=run.highest if run else 0,
                table_id=str(table.id),
                match_id=str(table.match or ""),
                closed=self._epoch != gateway.epoch,
            )
        )

    # --- what the gateway sends ------------------------------------------------------------------

    async def _read(self, table: UUID, requests: AsyncIterator[pb.ConnectRequest]) -> None:
        async for request in requests:
            if request.WhichOneof("what") == "journal":
                await self._replay(table, request.journal)
                continue
            await self._throttle()
            if request.WhichOneof("what") == "report":
                waiting = self._commands.get(request.report.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(request.report)
                continue
            await self._answer(table, request)

    async def _answer(self, table: UUID, request: pb.ConnectRequest) -> None:
        message, sign = parsed(request, self.gateway, self._epoch)
        if message is None:
            return
        seating = self._seating
        taken: IntakeReply = await self._intake.take(table, message, sign)
        self._count(message, sign, taken)
        if taken.gap is not None:
            await self._answers.put(pb.ConnectResponse(gap=taken.gap))
        elif taken.prompt is not None:
            await self._show(taken.prompt, (seating, taken.prompt.version))
        else:
            await self._acknowledge(taken.acknowledged)

    async def _replay(self, table: UUID, journal: pb.Journal) -> None:
        """Do all that was kept while the line was down, and answer each stylus once."""
        if not 1 <= len(journal.entries) <= MOST_ENTRIES:
            raise malformed("journal.entries", f"there are 1 to {MOST_ENTRIES} of them")
        told = JournalAnswer()
        seating = self._seating
        for entry in journal.entries:
            await self._throttle()
            message, sign = parsed(entry, self.gateway, self._epoch)
            if message is None:
                raise malformed("journal.entries", "each is a tap or a sign")
            message = replace(message, offline=True)
            taken: IntakeReply = await self._intake.take(table, message, sign)
            self._count(message, sign, taken)
            if taken.gap is not None:
                await self._answers.put(pb.ConnectResponse(gap=taken.gap))
                break
            told.add(taken)
        await self._acknowledge(told.acknowledged)
        for prompt in told.prompts():
            await self._show(prompt, (seating, prompt.version))

    def _count(self, message: Message, sign: Sign | None, taken: IntakeReply) -> None:
        """What is counted of it has no name of a device."""
        kind = sign or "tap"
        outcome = "done"
        if taken.gap is not None:
            outcome = "gap"
        elif taken.prompt is not None and taken.prompt.repeated:
            outcome = "repeated"
        elif taken.prompt is not None and sign is None:
            outcome = OUTCOME_NAMES[taken.prompt.outcome]
        self._tallies.messages[kind, outcome] += 1
        if sign == "battery":
            self._tallies.batteries.add(message.percent)

    async def _acknowledge(self, highest: int) -> None:
        acknowledged = pb.Acknowledged(highest=highest)
        await self._answers.put(pb.ConnectResponse(acknowledged=acknowledged))

    async def _throttle(self) -> None:
        """Keep a flood waiting. Nothing is dropped: the line itself makes it wait."""
        if not self._messages.take(self.gateway, RATE, longest=PAUSE):
            return
        self._tallies.messages["any", "throttled"] += 1
        wait = pb.Throttled(wait_ms=round(PAUSE * 1000))
        await self._answers.put(pb.ConnectResponse(throttled=wait))
        await asyncio.sleep(PAUSE)

    # --- what others change ----------------------------------------------------------------------

    async def _follow(self, table_id: UUID) -> None:
        """Show each stylus the new position when others have changed the match."""
        while True:
            match = (await self._intake.tables.get(table_id)).state.match
            # Woken by the memory, since that is where prompts are from.
            with self._watching(match):
                while await self._told(table_id, match):
                    await self._news.wait()

    def _watching(self, match: UUID | None) -> AbstractContextManager[object]:
        """While there is `_news` of this match."""
        if match is None:
            return nullcontext()
        return self._intake.live.watchers.watching(match, self._news)

    async def _told(self, table_id: UUID, match: UUID | None) -> bool:
        """Show what is new while nothing can change unnoticed any more. False if another match is
        on the table."""
        self._news.clear()
        seating = self._seating
        table = (await self._intake.tables.get(table_id)).state
        if table.match != match:
            return False
        await self._tell(table, seating)
        return True

    async def _tell(self, table: Table, seating: int) -> None:
        """Show each stylus of this gateway what it has not been shown yet."""
        match = await self._intake.match(table)
        if match is not None:
            table = await self._intake.end_claimed(table, match)
        due = (seating, match.version if match else 0)
        for name, stylus in table.styluses.items():
            if stylus.gateway == self.gateway and self._shown.get(name) != due:
                await self._show(await self._intake.look(table, self.gateway, name, match), due)

    async def _show(self, prompt: pb.Prompt, shown: Shown) -> None:
        cue(prompt)
        await self._answers.put(pb.ConnectResponse(prompt=prompt))
        newer = self._shown.get(prompt.stylus, shown) > shown
        self._shown[prompt.stylus] = shown
        if newer:  # it was made before what is shown already, and sent after it: show that again
            self._news.set()


class GatewayStreams:
    """The streams of all gateways that are connected, one for each."""

    def __init__(self) -> None:
        self._streams: dict[str, GatewayStream] = {}
        self.tallies = no_device_tallies()
        self._messages = Buckets[str]()
        self.on_change: Callable[[str], object] = lambda _: None
        """Called with a gateway that came or went."""

    def __len__(self) -> int:
        return len(self._streams)

    def __contains__(self, gateway: str) -> bool:
        return gateway in self._streams

    @contextmanager
    def open(self, intake: TapIntake, gateway: str, epoch: str) -> Iterator[GatewayStream]:
        """The stream of a gateway, meanwhile; an older one is sent away."""
        stream = GatewayStream(intake, gateway, epoch, self.tallies, self._messages)
        if (older := self._streams.pop(gateway, None)) is not None:
            older.close("the gateway has connected again")
        self._streams[gateway] = stream
        self.on_change(gateway)
        try:
            yield stream
        finally:
            if self._streams.get(gateway) is stream:
                del self._streams[gateway]
                self.on_change(gateway)

    async def command(self, gateway: str, command: pb.DeviceCommand) -> pb.CommandReport:
        """Have a device of a gateway do something. DEVICE_AWAY, DEVICE_SILENT."""
        stream = self._streams.get(gateway)
        if stream is None:
            raise ApiError(Reason.DEVICE_AWAY)
        try:
            return await stream.command(command)
        except TimeoutError:
            raise ApiError(Reason.DEVICE_SILENT) from None

    def send_away(self, gateway: str, why: str) -> None:
        """End the stream of a gateway that may not have it any more."""
        if (stream := self._streams.get(gateway)) is not None:
            stream.close(why)

    def look_again(self, table: Table) -> None:
        """Another match may be on this table, or one of its styluses have another seat."""
        for gateway in table.gateways:
            if (stream := self._streams.get(gateway)) is not None:
                stream.look_again()

    def has(self, table: UUID) -> bool:
        """Is a gateway of this table connected?"""
        return any(stream.table == table for stream in self._streams.values())

    def moved(self, table: Table) -> None:
        """Another service has changed this table: who may not connect any more, or is connected
        there, is sent away, and the others look again."""
        for name, gateway in table.gateways.items():
            if (stream := self._streams.get(name)) is not None:
                if table.closed or gateway.revoked or not stream.is_of(gateway):
                    stream.close("the gateway has connected elsewhere, or may not any more")
                else:
                    stream.look_again()

    def close(self) -> None:
        """Send all gateways away: the service is about to stop."""
        for stream in self._streams.values():
            stream.close("the service is about to stop: connect again")
