"""A gateway that plays a random match by taps, over a connection as bad as one likes."""

from random import Random
from typing import Any, Final

from msgspec import Struct

from domain.kernel.any_game import fold, read_options
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.client.gateway import Device, GatewayClient
from services.wire.emeth.devices.v1 import connections_pb2 as pb

STYLUS: Final = "SIMULATED"


class Faults(Struct, frozen=True):
    """The probability that each of these befalls a message."""

    drop: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    """It is sent after a later one."""
    cut: float = 0.0
    """The connection is lost before it."""


class FaultyGateway(GatewayClient):
    """A gateway whose messages are lost, doubled and delayed."""

    def __init__(
        self, address: str, key: str, random: Random, faults: Faults, *, resend_seconds: float = 0.1
    ) -> None:
        super().__init__(address, key, device=Device(resend_seconds=resend_seconds))
        self._random, self._faults = random, faults
        self._delayed: list[pb.ConnectRequest] = []

    async def _write(self, call: Any, request: pb.ConnectRequest) -> None:
        for each in self._mangled(request):
            await super()._write(call, each)

    def _mangled(self, request: pb.ConnectRequest) -> list[pb.ConnectRequest]:
        fate, faults = self._random.random(), self._faults
        if fate < faults.drop:
            return []
        if fate < faults.drop + faults.delay:
            self._delayed.append(request)
            return []
        doubled = fate < faults.drop + faults.delay + faults.double
        sent = [request, request] if doubled else [request]
        if self._delayed and self._random.random() < 0.5:
            sent.append(self._delayed.pop())
        return sent


class SimulatedPlayer:
    """Plays a random match by taps, and knows what its log ought to be."""

    def __init__(
        self, game: AnyGame, random: Random, cut: float = 0.0, stylus: str = STYLUS
    ) -> None:
        """Start a match with the game's usual options, in which the stylus has all seats.

        Args:
            game: The game of the match on the table.
            random: Chooses the actions.
            cut: The probability that the connection is lost before a tap.
            stylus: The hardware id of the stylus.
        """
        self.taken: list[str] = []
        """The actions so far, in notation."""
        self.taps = 0
        self._game, self._random, self._cut, self._stylus = game, random, cut, stylus
        self._state: Any = game.start(read_options(game, {}))

    async def play(self, gateway: GatewayClient, most_taps: int) -> None:
        """Play until the match is over, or so many taps are done."""
        await gateway.wait_for_prompt(self._stylus, 1)
        while self.taps < most_taps and await self._act(gateway):
            pass
        await gateway.wait_until_settled()

    async def _act(self, gateway: GatewayClient) -> bool:
        """Take one action by taps. Return False if the match is over."""
        game, state = self._game, self._state
        if game.result(state) is not None or not game.turn(state):
            return False
        moment = StylusView(game, state, (), shared=True)
        legal = [
            each for each in game.legal(state, moment.seat) if not game.is_administrative(each)
        ]
        action = self._random.choice(legal)
        last = 0
        for code in taps_for(moment, action):
            if self._random.random() < self._cut:
                gateway.cut()
            last = gateway.send(self._stylus, code)
            self.taps += 1
        await gateway.answer(last)
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        self._state = fold(game, state, outcome.facts)
        self.taken.append(game.write_action(action))
        return True
