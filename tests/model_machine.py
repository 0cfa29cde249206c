"""What the model of a whole service is made of: what it knows of each match, how it asks the
service and compares, and how the service is ended and started. The rules are in `service_model`.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

from hypothesis.stateful import RuleBasedStateMachine, invariant

from domain.match import TimeBudget
from services.client import Client, ServiceError
from services.mapping.clock_messages import time_control_message
from services.wire.emeth.v1 import conditional_moves_pb2
from services.wire.emeth.v1.actions_pb2 import Event
from tests import model_clocks
from tests.linearizability import Operation
from tests.model_clocks import Budget
from tests.model_hosts import Host, InProcessHost
from tests.model_tables import ModelTable
from tests.services.conftest import CreatedMatch, newest_version

T = TypeVar("T")

WAITING = conditional_moves_pb2.CONDITIONAL_MOVES_STATE_WAITING

GAMES: dict[str, dict[str, Any]] = {
    "agog": {},
    "earthen-war": {"artillery": True},
    "tokars-arcana": {"first": "random"},
    "res-arcana": {"players": 3},
    "golem-arcana": {"scenario": "twin-wells"},
}
PATIENCE_SECONDS = 120.0
STEPS_PER_START = 5


class ModelMatch:
    """What the service has said of a match."""

    def __init__(self, begun: CreatedMatch, game: str, budget: Budget | None = None) -> None:
        self.begun = begun
        self.game = game
        self.budget = budget
        """If it is played with clocks."""
        self.version = 0
        self.positions: dict[int, str] = {}
        self.table: ModelTable | None = None

    @property
    def options(self) -> dict[str, Any]:
        return GAMES[self.game]

    @property
    def referee(self) -> str:
        return self.begun.tokens["referee"]

    @property
    def seats(self) -> list[str]:
        others = ("referee", "spectator", "table")
        return [each for each in self.begun.tokens if each not in others]


class ModelMachine(RuleBasedStateMachine):
    """The service, and the model beside it, without any rules."""

    hosted: Callable[[Path], Host] = InProcessHost

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.host = self.hosted(self.place)
        self.all: list[ModelMatch] = []
        self.steps = self.ran_out = 0
        self.runner = asyncio.Runner()
        self.run(self._start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _start(self) -> None:
        await self.host.start()
        self.client = Client(self.host.address, patience_seconds=PATIENCE_SECONDS)
        await self.client.__aenter__()

    async def _stop(self, killed: bool = False) -> None:
        await self.client.__aexit__()
        await self.host.stop(killed=killed)

    def teardown(self) -> None:
        """What was said is so yet, and every match is sound."""
        try:
            for model in self.all:
                self.run(self._check(model))
        finally:
            self.run(self._stop())
            self.runner.close()
            shutil.rmtree(self.place)

    async def _check(self, model: ModelMatch) -> None:
        await self._stood(model)
        for version, position in model.positions.items():
            assert await self._position(model, version) == position
        verified = await self.client.verify_match(model.referee, model.begun.id)
        assert verified.sound, verified.findings
        assert verified.event_count == model.version
        if model.budget is not None:
            await self._check_clocks(model, model.budget)

    async def _check_clocks(self, model: ModelMatch, budget: Budget) -> None:
        """At each version they show what the times of the events come to."""
        events = await self._events(model)
        for version, moment in model_clocks.moments(events, budget, model.positions).items():
            shown = (
                await self.client.view(model.referee, model.begun.id, "text", version=version)
            ).clocks
            left = {each.seat: each.remaining_time.ToMilliseconds() for each in shown.seats}
            runs = [each.seat for each in shown.seats if each.running]
            assert runs == ([moment.turn] if moment.turn else [])
            if version < model.version or not runs:
                assert left == moment.left, f"at version {version}"

    async def _events(self, model: ModelMatch, after: int = 0) -> list[Event]:
        version = await newest_version(self.client, model.begun)
        events = await self.client.list_events(
            model.referee, model.begun.id, at_least_version=version
        )
        return events[after:]

    async def _stood(self, model: ModelMatch) -> None:
        """Nothing has happened, unless the service gave back the time that it was away."""
        version = await newest_version(self.client, model.begun)
        if version == model.version:
            return
        assert model.budget is not None, "something was recorded that nobody asked for"
        kinds = {event.kind for event in await self._events(model, model.version)}
        assert kinds == {"match.ClocksHeld"}
        before = model.positions[model.version]
        await self._moved(model, version)
        assert model.positions[model.version] == before

    async def _position(self, model: ModelMatch, version: int) -> str:
        """As history has it, however slow the machine is."""
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            try:
                found = await self.client.view(
                    model.referee, model.begun.id, version=version, at_least_version=model.version
                )
            except ServiceError as error:
                late = asyncio.get_running_loop().time() > until
                if error.reason != "REPLICA_LAG" or late:
                    raise
            else:
                return found.position

    async def _moved(self, model: ModelMatch, least: int) -> None:
        """The match has moved on: note where it stands."""
        version = await newest_version(self.client, model.begun)
        assert version >= least > model.version
        model.version = version
        model.positions[version] = await self._position(model, version)

    @invariant()
    def count(self) -> None:
        """One thing more was done. What may be done next goes by that, and never by what the
        service said: Hypothesis must find the same ways open when it lives a life again."""
        self.steps += 1

    def rested(self) -> bool:
        """May it be started anew? Not at each step: a start costs as much as hundreds of calls."""
        return self.steps % STEPS_PER_START == 0

    async def _created(self, game: str, budget: Budget | None, **terms: Any) -> ModelMatch:
        if budget is not None:
            terms["time_control"] = time_control_message(
                TimeBudget(ms=budget.ms, increment_ms=budget.increment_ms)
            )
        made = await self.client.create_match(game=game, options=GAMES[game], **terms)
        model = ModelMatch(CreatedMatch(made.match.match_id, dict(made.tokens)), game, budget)
        await self._moved(model, 1)
        self.all.append(model)
        return model

    async def _live(self, model: ModelMatch) -> tuple[str, list[str]]:
        """A seat that may act, and how; no ways if the match is over."""
        for seat in model.seats:
            listed = await self.client.list_actions(model.referee, model.begun.id, seat)
            if real := [each.notation for each in listed if each.verb != "resign"]:
                return seat, real
        return "", []

    async def _submit(self, model: ModelMatch, seat: str, action: str, request: str) -> int:
        answer = await self.client.submit(
            model.begun.tokens[seat], model.begun.id, action, request_id=request
        )
        assert answer.HasField("accepted"), "what is listed is accepted"
        return answer.accepted.version

    async def _timed(
        self, model: ModelMatch, seat: str, action: str, request: str
    ) -> Operation | None:
        """An action that others try to forestall; None if it was refused."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            answer = await self.client.submit(
                model.begun.tokens[seat], model.begun.id, action, request_id=request
            )
        except ServiceError as error:
            assert error.reason == "MATCH_OVER", error  # noqa: PT017
            return None
        if not answer.HasField("accepted"):
            return None
        return Operation(began, loop.time(), answer.accepted.version)

    async def _moves_ended(self, token: str, match: str) -> conditional_moves_pb2.ConditionalMoves:
        async with asyncio.timeout(PATIENCE_SECONDS):
            async with aclosing(self.client.watch_conditional_moves(token, match)) as news:
                async for moves in news:
                    if moves is not None and moves.state != WAITING:
                        return moves
        raise AssertionError("the conditional moves still wait")
