"""What the model knows of tables: their gateways, whose styluses act for whom, and how many
messages each gateway has sent. A line is opened for each thing that is done, so lines break all the
time.
"""

from collections.abc import Mapping
from typing import Any, Final, Self

import grpc.aio
import msgspec
from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub

EPOCH: Final = "model"
MAX_PAGES: Final = 200
"""Taps of Page that lead back from anywhere."""


class ModelStylus(Struct):
    """A stylus."""

    stylus: str
    gateway: str
    """The key of its gateway."""
    seats: tuple[str, ...]
    """For whom it acts."""
    grant: str = ""
    """The right by which it taps, if it has no token."""


class ModelTable(Struct):
    """A table, as the service has been told of it."""

    pens: list[ModelStylus]
    shared: bool
    """One stylus for all seats; else one for each."""
    sent: dict[str, int]
    """How many messages each gateway has sent, by its key."""

    def stylus_for(self, seat: str) -> ModelStylus | None:
        return next((pen for pen in self.pens if seat in pen.seats), None)

    def moment(self, game: AnyGame, state: Any, pen: ModelStylus) -> StylusView:
        """A position as a stylus meets it."""
        granted = frozenset(pen.seats if pen.grant else ())
        return StylusView(game, state, pen.seats, shared=self.shared, granted=granted)


def state_of(slug: str, options: Mapping[str, Any], position: str) -> Any:
    """A position of a game, from what the referee sees."""
    game = GAMES[slug]
    return game.read_position(position, msgspec.convert(options, game.options))


class GatewayStream:
    """A gateway's stream, with every message on it in one's own hands."""

    def __init__(self, address: str, key: str, table: ModelTable) -> None:
        self._channel = grpc.aio.insecure_channel(address)
        self._key = key
        self._table = table
        self.prompts: dict[str, pb.DevicePrompt] = {}
        """What the screen of each stylus shows."""

    async def __aenter__(self) -> Self:
        typed_for_blocking: Any = GatewaysServiceStub
        stub = typed_for_blocking(self._channel)
        self._call = stub.Connect(metadata=(("authorization", f"Bearer {self._key}"),))
        hello = pb.Hello(gateway_id=self._key.rpartition(".")[0], epoch=EPOCH)
        await self._call.write(pb.ConnectRequest(hello=hello))
        welcome = (await self._call.read()).welcome
        assert welcome.highest_seq == self._table.sent[self._key], "each message is recorded once"
        for pen in self._table.pens:
            if pen.gateway == self._key:
                await self.shown(pen.stylus, 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._call.cancel()
        await self._channel.close()

    async def shown(self, stylus: str, version: int) -> pb.DevicePrompt:
        """Wait until a screen shows the match at this version."""
        while stylus not in self.prompts or self.prompts[stylus].match_version < version:
            await self._read()
        return self.prompts[stylus]

    async def tap(self, stylus: str, code: str, **fields: Any) -> pb.DevicePrompt:
        """The answer to a new tap."""
        tap = {"prompt_number": self.prompts[stylus].prompt_number, **fields}
        return await self.answer(self.number(stylus, code=code, **tap))

    async def answer(self, request: pb.ConnectRequest) -> pb.DevicePrompt:
        """Send something; the prompt that answers it."""
        await self._call.write(request)
        sent = getattr(request, request.WhichOneof("message") or "")
        wanted = sent.entries[-1].tap if isinstance(sent, pb.Journal) else sent
        while True:
            answer = await self._read()
            if (
                answer.prompt.answered_seq == wanted.seq
                and answer.prompt.stylus_id == wanted.stylus_id
            ):
                return answer.prompt

    def number(self, stylus: str, **fields: Any) -> pb.ConnectRequest:
        """A tap with the next number."""
        self._table.sent[self._key] += 1
        tap = pb.Tap(seq=self._table.sent[self._key], stylus_id=stylus, **fields)
        return pb.ConnectRequest(tap=tap)

    async def clean(self, stylus: str) -> None:
        """Have a stylus let go of all that it selected."""
        for number in range(MAX_PAGES):
            shown = self.prompts[stylus]
            # What is armed may be all that there is to do; but then the first Page leaves it so.
            selected = shown.selected or shown.digits or (shown.HasField("armed") and not number)
            if shown.view == "play" and shown.page <= 1 and not selected:
                return
            # Of another view Page turns the pages, and Confirm goes back from it.
            page = "page" if shown.view == "play" else "confirm"
            await self.tap(stylus, f"button {page}")
        raise AssertionError(f"Page does not lead back: {self.prompts[stylus]}")

    async def _read(self) -> pb.ConnectResponse:
        answer: pb.ConnectResponse = await self._call.read()
        assert answer is not grpc.aio.EOF, "the line was cut"
        kind = answer.WhichOneof("message")
        assert kind in ("prompt", "acknowledgement"), answer
        if kind == "prompt" and not answer.prompt.replayed:
            self.prompts[answer.prompt.stylus_id] = answer.prompt
        return answer
