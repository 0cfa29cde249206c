"""The stream of one gateway: answers its messages in order, and sends changes made by others."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final
from uuid import UUID

import structlog
from google.protobuf.duration_pb2 import Duration
from msgspec.structs import replace

from domain.table import Gateway, Message, StylusStatus, Table
from services.devices.device_signals import add_signals
from services.devices.intake import IntakeReply, TapIntake
from services.devices.journals import JournalAnswer, next_confirm_seats
from services.devices.outboxes import Outbox
from services.devices.parsing import parse_message
from services.devices.pending_journals import HoldTimes, RequestReader
from services.devices.prompts import TAP_OUTCOMES
from services.mapping.messages import uint32
from services.runtime.errors import field_invalid
from services.runtime.metrics import DeviceMetrics
from services.runtime.rate_limits import RateLimit, TokenBuckets
from services.runtime.signals import Signal
from services.wire.emeth.devices.v1 import connections_pb2 as pb

log = structlog.get_logger(__name__)

MESSAGE_RATE: Final = RateLimit(per_second=100.0, burst=500.0)
"""Sustained rate of a gateway's messages, and the burst after an interrupted connection."""
THROTTLE_SECONDS: Final = 0.5
"""Pause in reading from a gateway that exceeds its rate."""
OUTCOME_NAMES: Final = {number: name for name, number in TAP_OUTCOMES.items()}
COMMAND_TIMEOUT_SECONDS: Final = 5.0
"""How long a device may take to answer a command."""
CREDENTIAL_FIELDS: Final = ("key", "certificate", "is_certificate_required", "epoch")
"""Fields of a gateway whose change by another service ends its stream."""
ShownVersion = tuple[int, int]
"""The counter of seat changes and the match's version when a prompt was made."""


class _DisconnectedError(Exception):
    """Raised when a gateway disconnects while one of its taps is held."""


class GatewayStream:
    """The stream of a connected gateway."""

    def __init__(
        self,
        intake: TapIntake,
        gateway: str,
        epoch: str,
        metrics: DeviceMetrics,
        messages: TokenBuckets[str],
        hold_times: HoldTimes,
    ) -> None:
        """Create a stream; `run` serves it.

        `messages` limits the message rate of each gateway; `hold_times` limits how long taps are
        held.
        """
        self.gateway = gateway
        self.is_holding = False
        """Whether a tap is held until the taps of other gateways are processed."""
        self.offline_at = asyncio.get_running_loop().time()
        """When the gateway connected or last sent an offline tap, by the event loop's clock."""
        self._hold_times = hold_times
        self._metrics = metrics
        self.table: UUID | None = None
        """The gateway's table, once the stream runs."""
        self._connected_gateway: Gateway | None = None
        """The gateway as it was when it connected."""
        self._intake = intake
        self._epoch = epoch
        self._answers = Outbox()
        self._seating = 0
        """Counter of possible changes of the table's match or of the styluses' seats."""
        self._shown_versions: dict[str, ShownVersion] = {}
        """The last version shown on each stylus, in the order in which prompts are sent."""
        self._news = Signal()
        """Set when the match or the seat of a stylus may have changed."""
        self._progress = Signal()
        """Set when a held tap may be ready to be processed."""
        self._messages = messages
        self._commands: dict[int, asyncio.Future[pb.CommandReport]] = {}
        """Commands whose report has not arrived, by number."""
        self._why = ""
        self._failure: Exception | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def run(
        self, table: Table, requests: AsyncIterator[pb.ConnectRequest]
    ) -> AsyncIterator[pb.ConnectResponse]:
        """Welcome the gateway, then answer it until it disconnects or is disconnected."""
        self.table, self._connected_gateway = table.id, table.gateways[self.gateway]
        yield self._welcome(table)
        self._tasks = [
            asyncio.create_task(self._run_until_end(self._follow(table.id))),
            asyncio.create_task(self._run_until_end(self._read(table.id, requests))),
        ]
        try:
            while (answer := await self._answers.get()) is not None:
                yield answer
                # A prompt takes up to ten kilobytes, and the next one may be hours away.
                del answer
            if self._failure is not None:
                raise self._failure
            if self._why:
                yield pb.ConnectResponse(disconnect=pb.Disconnect(message=self._why))
        finally:
            await self._stop()

    def is_of(self, gateway: Gateway) -> bool:
        """Return whether the gateway still has the credentials and the run of this stream."""
        opened = self._connected_gateway or gateway
        return all(getattr(opened, each) == getattr(gateway, each) for each in CREDENTIAL_FIELDS)

    async def forward(self, answer: pb.ConnectResponse) -> None:
        """Send the response of another table that shares this connection."""
        await self._answers.put(answer)

    def close(self, why: str) -> None:
        """End the stream; queued messages are dropped."""
        self._why = why
        for task in self._tasks:
            task.cancel()
        self._answers.end()

    async def command(self, command: pb.DeviceCommand) -> pb.CommandReport:
        """Send a command to a device and return its report. Raises TimeoutError without one."""
        number = command.command_number = max(self._commands, default=0) + 1
        answered: asyncio.Future[pb.CommandReport] = asyncio.get_running_loop().create_future()
        self._commands[number] = answered
        try:
            async with asyncio.timeout(COMMAND_TIMEOUT_SECONDS):
                await self._answers.put(pb.ConnectResponse(command=command))
                return await answered
        finally:
            del self._commands[number]

    def refresh(self) -> None:
        """Refresh all screens: the match or the seats of a stylus may have changed."""
        self._seating += 1
        self._news.set()
        self.recheck_held_taps()

    def recheck_held_taps(self) -> None:
        """Check held taps again, since another gateway has connected or disconnected."""
        self._progress.set()

    async def _run_until_end(self, work: Awaitable[None]) -> None:
        """End the stream when this work ends, and record its error."""
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
                highest_seq=uint32(run.highest) if run else 0,
                table_id=str(table.id),
                match_id=str(table.match or ""),
                epoch_closed=self._epoch != gateway.epoch,
            )
        )

    # --- what the gateway sends ------------------------------------------------------------------

    async def _read(self, table: UUID, requests: AsyncIterator[pb.ConnectRequest]) -> None:
        incoming = RequestReader(requests, self._is_report)
        try:
            while (request := await incoming.next()) is not None:
                if request.WhichOneof("message") == "journal":
                    await self._replay(table, request, incoming)
                    continue
                await self._throttle()
                if not self._is_report(request):
                    await self._answer(table, request, incoming)
        except _DisconnectedError:
            return  # it keeps what was held, and sends it again
        finally:
            incoming.stop()

    def _is_report(self, request: pb.ConnectRequest) -> bool:
        """Resolve a command with its report. Return False for any other request."""
        if request.WhichOneof("message") != "report":
            return False
        waiting = self._commands.get(request.report.command_number)
        if waiting is not None and not waiting.done():
            waiting.set_result(request.report)
        return True

    async def _answer(
        self, table: UUID, request: pb.ConnectRequest, incoming: RequestReader
    ) -> None:
        message, sign = parse_message(request, self.gateway, self._epoch)
        if message is None:
            return
        if message.offline:
            await self._hold(table, message, request, incoming)
        seating = self._seating
        taken: IntakeReply = await self._intake.take(table, message, sign)
        self._count(message, sign, taken)
        if taken.gap is not None:
            await self._answers.put(pb.ConnectResponse(gap=taken.gap))
        elif taken.prompt is not None:
            await self._show(taken.prompt, (seating, taken.prompt.match_version))
        else:
            await self._acknowledge(taken.acknowledged)

    async def _hold(
        self,
        table_id: UUID,
        message: Message,
        request: pb.ConnectRequest,
        incoming: RequestReader,
        journal_answer: JournalAnswer | None = None,
    ) -> None:
        """Wait while an offline tap depends on pending taps of other gateways of the table.

        Before the wait, send the answers to the journal entries done so far.

        Raises:
            _DisconnectedError: The gateway sends no more.
        """
        clock = asyncio.get_running_loop().time
        match = (await self._intake.tables.get(table_id)).state.match
        with self._watching(match, self._progress):
            while True:
                self._progress.clear()
                self.offline_at = start = clock()
                version, awaited = await self._intake.awaited_gateways(table_id, message)
                if (seconds := self._hold_times.seconds(self.gateway, version, awaited)) <= 0:
                    break
                if journal_answer is not None:
                    await self._send_journal_progress(table_id, journal_answer)
                    journal_answer = None
                self.is_holding = True
                try:
                    is_there = await incoming.read_ahead(request, self._progress, seconds)
                finally:
                    self.is_holding = False
                self._hold_times.spend(self.gateway, version, clock() - start)
                if not is_there:
                    raise _DisconnectedError

    async def _send_journal_progress(self, table_id: UUID, journal_answer: JournalAnswer) -> None:
        """Send the answers to the journal entries done so far, and start a new set of answers."""
        highest = (await self._intake.tables.get(table_id)).state.gateways[self.gateway].highest
        journal_answer.acknowledged = max(journal_answer.acknowledged, highest)
        await self._send_journal_answer(journal_answer)
        journal_answer.clear()

    async def _send_journal_answer(self, journal_answer: JournalAnswer) -> None:
        await self._acknowledge(journal_answer.acknowledged)
        for prompt in journal_answer.prompts():
            await self._show(prompt, (journal_answer.seating, prompt.match_version))

    async def _replay(
        self, table: UUID, request: pb.ConnectRequest, incoming: RequestReader
    ) -> None:
        """Process a journal of offline messages, and answer each stylus once."""
        journal = request.journal
        journal_answer = JournalAnswer(self._seating)
        for entry, seat in zip(journal.entries, next_confirm_seats(journal), strict=True):
            await self._throttle()
            message, sign = parse_message(entry, self.gateway, self._epoch)
            if message is None:
                raise field_invalid("journal.entries", "each must be a tap or a stylus status")
            message = replace(message, offline=True, leads_to=seat)
            await self._hold(table, message, request, incoming, journal_answer)
            taken: IntakeReply = await self._intake.take(table, message, sign)
            self._count(message, sign, taken)
            if taken.gap is not None:
                await self._answers.put(pb.ConnectResponse(gap=taken.gap))
                break
            journal_answer.add(taken)
        await self._send_journal_answer(journal_answer)

    def _count(self, message: Message, sign: StylusStatus | None, taken: IntakeReply) -> None:
        """Count a message in the metrics, which contain no name of a device."""
        kind = sign or "tap"
        outcome = "done"
        if taken.gap is not None:
            outcome = "gap"
        elif taken.prompt is not None and taken.prompt.replayed:
            outcome = "repeated"
        elif taken.prompt is not None and sign is None:
            outcome = OUTCOME_NAMES[taken.prompt.outcome]
        self._metrics.messages[kind, outcome] += 1
        if sign == "battery":
            self._metrics.batteries.add(message.percent)

    async def _acknowledge(self, highest: int) -> None:
        acknowledged = pb.Acknowledgement(highest_seq=uint32(highest))
        await self._answers.put(pb.ConnectResponse(acknowledgement=acknowledged))

    async def _throttle(self) -> None:
        """Delay messages above the rate limit by back pressure; none is dropped."""
        if not self._messages.take(self.gateway, MESSAGE_RATE, longest=THROTTLE_SECONDS):
            return
        self._metrics.messages["any", "throttled"] += 1
        throttling = pb.Throttling(pause=Duration(nanos=round(THROTTLE_SECONDS * 1e9)))
        await self._answers.put(pb.ConnectResponse(throttling=throttling))
        await asyncio.sleep(THROTTLE_SECONDS)

    # --- what others change ----------------------------------------------------------------------

    async def _follow(self, table_id: UUID) -> None:
        """Show each stylus the new position after others have changed the match."""
        while True:
            match = (await self._intake.tables.get(table_id)).state.match
            # Woken by the memory, since that is where prompts are from.
            with self._watching(match, self._news):
                while await self._show_pending(table_id, match):
                    await self._news.wait()

    def _watching(self, match: UUID | None, news: Signal) -> AbstractContextManager[object]:
        """Return a context in which changes of the match set this signal."""
        if match is None:
            return nullcontext()
        return self._intake.live.watchers.watching(match, news)

    async def _show_pending(self, table_id: UUID, match: UUID | None) -> bool:
        """Show pending changes. Return False if another match is on the table."""
        self._news.clear()
        seating = self._seating
        table = (await self._intake.tables.get(table_id)).state
        if table.match != match:
            return False
        await self._send_prompts(table, seating)
        return True

    async def _send_prompts(self, table: Table, seating: int) -> None:
        """Show each stylus of this gateway the changes that it has not shown yet."""
        match = await self._intake.match(table)
        if match is not None:
            table = await self._intake.end_claimed(table, match)
        due = (seating, match.version if match else 0)
        for name, stylus in table.styluses.items():
            if stylus.gateway == self.gateway and self._shown_versions.get(name) != due:
                await self._show(
                    await self._intake.prompt_in_match(table, self.gateway, name, match), due
                )

    async def _show(self, prompt: pb.DevicePrompt, shown: ShownVersion) -> None:
        add_signals(prompt)
        await self._answers.put(pb.ConnectResponse(prompt=prompt))
        newer = self._shown_versions.get(prompt.stylus_id, shown) > shown
        self._shown_versions[prompt.stylus_id] = shown
        if newer:  # it was made before what is shown already, and sent after it: show that again
            self._news.set()
