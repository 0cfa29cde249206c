"""Gateways that play by themselves, over lines as bad as one likes: for tests and soaks."""

from random import Random
from typing import Any, Final

from msgspec import Struct

from domain.kernel.any_game import fold, read_options
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted
from domain.stylus.paths import taps_for
from domain.stylus.taps import Moment
from services.client.gateway import GatewayClient
from services.client.gateway_device import Mangle
from services.wire.emeth.v1 import gateways_pb2 as pb

STYLUS: Final = "SIMULATED"


class Faults(Struct, frozen=True):
    """How bad a line is: how likely each of these is to befall a message."""

    drop: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    """It is sent after a later one."""
    cut: float = 0.0
    """The line is lost before it."""


def bad_line(random: Random, faults: Faults) -> Mangle:
    """What such a line makes of messages."""
    held: list[pb.ConnectRequest] = []

    def mangle(request: pb.ConnectRequest) -> list[pb.ConnectRequest]:
        fate = random.random()
        if fate < faults.drop:
            return []
        if fate < faults.drop + faults.delay:
            held.append(request)
            return []
        doubled = fate < faults.drop + faults.delay + faults.double
        sent = [request, request] if doubled else [request]
        if held and random.random() < 0.5:
            sent.append(held.pop())
        return sent

    return mangle


class SimulatedPlayer:
    """Plays a random match by taps, and knows what its log ought to be."""

    def __init__(self, game: AnyGame, random: Random, faults: Faults, stylus: str = STYLUS) -> None:
        """The match has the game's usual options, and the stylus all of its seats."""
        self.taken: list[str] = []
        """The actions so far, in notation."""
        self.taps = 0
        self._game = game
        self._random = random
        self._faults = faults
        self._stylus = stylus
        self._state: Any = game.start(read_options(game, {}))

    async def play(self, gateway: GatewayClient, most_taps: int) -> None:
        """Play until the match is over, or so many taps are done."""
        await gateway.shown(self._stylus, 1)
        while self.taps < most_taps and await self._act(gateway):
            pass
        gateway.plug()
        await gateway.settled()

    async def _act(self, gateway: GatewayClient) -> bool:
        """Take one action by taps. False if the match is over."""
        game, state = self._game, self._state
        if game.result(state) is not None or not game.turn(state):
            return False
        moment = Moment(game, state, (), shared=True)
        legal = [each for each in game.legal(state, moment.seat) if not game.aside(each)]
        action = self._random.choice(legal)
        await self._take(gateway, moment, action)
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        self._state = fold(game, state, outcome.facts)
        self.taken.append(game.write_action(action))
        return True

    async def _take(self, gateway: GatewayClient, moment: Moment, action: Any) -> None:
        """Tap what means this action."""
        last = 0
        for code in taps_for(moment, action):
            if self._random.random() < self._faults.cut:
                gateway.cut()
            last = gateway.send(self._stylus, code)
            self.taps += 1
        await gateway.answer(last)
