"""What the model may do to the service by its API alone: act, one by one or at once, repeat, take
back, take up again, fork, dispute, agree on draws, resign, let time run out, leave plans, and start
anew.
"""

import asyncio
from contextlib import aclosing
from random import Random
from typing import Any
from uuid import uuid4

import hypothesis.strategies as st
from hypothesis.stateful import Bundle, consumes, precondition, rule

from services.client import ServiceError
from services.wire.emeth.v1 import conditional_moves_pb2 as plans
from services.wire.emeth.v1 import matches_pb2 as pb
from tests import model_clocks
from tests.linearizability import find_anomaly
from tests.model_clocks import Budget
from tests.model_machine import GAMES, PATIENCE_SECONDS, STEPS_PER_START, ModelMachine, ModelMatch
from tests.services.conftest import CreatedMatch, match_state, newest_version

HOUR_MS = 3_600_000
DONE, DROPPED = plans.CONDITIONAL_MOVES_STATE_DONE, plans.CONDITIONAL_MOVES_STATE_DROPPED
DRAWS_ARE_PLAYED = ("tokars-arcana",)
"""Games whose own actions offer and answer a draw; elsewhere the position stays as it is."""
numbers = st.integers(0, 10**6)


class PlayRules(ModelMachine):
    """What players and the referee may do."""

    matches = Bundle("matches")
    asked = Bundle("asked")

    @rule(target=matches, game=st.sampled_from(sorted(GAMES)))
    def create(self, game: str) -> ModelMatch:
        rolled = game != "agog"
        terms = {"chance": pb.CHANCE_ROLLED} if rolled else {}
        return self.run(self._created(game, None, **terms))

    @rule(target=matches, increment=st.sampled_from((0, 2_000)))
    def create_with_clocks(self, increment: int) -> ModelMatch:
        return self.run(self._created("agog", Budget(HOUR_MS, increment)))

    @rule(target=asked, model=matches, pick=numbers)
    def act(self, model: ModelMatch, pick: int) -> Any:
        """Somebody acts; what was asked, and the answer; None if the match is over."""

        async def work() -> Any:
            seat, real = await self._live(model)
            if not real:
                return None
            request = (model, seat, Random(pick).choice(real), str(uuid4()))
            version = await self._submit(*request)
            await self._moved(model, version)
            return (*request, version)

        return self.run(work())

    @rule(asked=consumes(asked))
    def repeat(self, asked: Any) -> None:
        """A request that comes again gets its first answer, and records nothing."""
        if asked is None:  # the match was over
            return
        *request, version = asked
        model: ModelMatch = asked[0]

        async def work() -> None:
            assert await self._submit(*request) == version
            await self._stood(model)

        self.run(work())

    @rule(model=matches, pick=numbers)
    def act_at_once(self, model: ModelMatch, pick: int) -> None:
        """Several calls at the same time do what they would have done one after the other."""
        chance = Random(pick)

        async def work() -> None:
            seat, real = await self._live(model)
            if not real:
                return
            one, other = str(uuid4()), str(uuid4())
            first, second = chance.choice(real), chance.choice(real)
            calls = [(first, one), (first, one), (second, other)]
            chance.shuffle(calls)
            done = await asyncio.gather(*(self._timed(model, seat, *call) for call in calls))
            versions = {call[1]: each for call, each in zip(calls, done, strict=True) if each}
            again = [each for call, each in zip(calls, done, strict=True) if call[1] == one]
            assert len({each and each.version for each in again}) == 1, "one request, two answers"
            assert versions, "one of them came first, and was allowed"
            assert find_anomaly(versions.values()) is None
            events = await self._events(model, model.version)
            own = [e for e in events if e.kind == "match.ActionTaken" and not e.HasField("draw")]
            wanted = {one: first, other: second}
            ordered = sorted(versions, key=lambda name: versions[name].version)
            assert [e.action.notation for e in own][: len(ordered)] == [wanted[n] for n in ordered]
            await self._moved(model, max(each.version for each in versions.values()))

        self.run(work())

    @rule(model=matches, pick=numbers, agreed=st.booleans())
    def draw(self, model: ModelMatch, pick: int, agreed: bool) -> None:
        """A draw is offered, and all the others answer."""
        chance = Random(pick)

        async def work() -> None:
            match, before = model.begun.id, model.positions[model.version]
            offering = chance.choice(model.seats)
            try:
                offer = await self.client.create_proposal(
                    model.begun.tokens[offering], match, draw={}
                )
            except ServiceError as error:
                assert error.reason in ("NO_DRAWS", "MATCH_OVER"), error  # noqa: PT017
                return
            if offer.HasField("refused"):
                return
            for seat in (each for each in model.seats if each != offering):
                await self.client.answer(model.begun.tokens[seat], match, accepted=agreed)
            await self._moved(model, model.version + 2)
            assert model.game in DRAWS_ARE_PLAYED or model.positions[model.version] == before
            now = await match_state(self.client, model.begun)
            assert now.HasField("result") == agreed
            assert not now.result.winners

        self.run(work())

    @rule(model=matches, pick=numbers)
    def resign(self, model: ModelMatch, pick: int) -> None:
        """A seat resigns, or is refused because there is nothing left to resign."""
        seat = Random(pick).choice(model.seats)

        async def work() -> None:
            over = (await match_state(self.client, model.begun)).HasField("result")
            try:
                answer = await self.client.submit_action(
                    model.begun.tokens[seat], model.begun.id, resignation=True
                )
            except ServiceError as error:
                assert error.reason == ("MATCH_OVER" if over else "SEAT_ELIMINATED"), error  # noqa: PT017
                assert over or len(model.seats) > 2, "it goes on, and can be given up"
                return
            assert answer.HasField("refused") == over, answer
            if over:
                return
            await self._moved(model, model.version + 1)
            now = await match_state(self.client, model.begun)
            if len(model.seats) == 2:
                assert now.result.winners == [each for each in model.seats if each != seat]

        self.run(work())

    @precondition(lambda self: self.steps >= STEPS_PER_START * (1 + self.ran_out))
    @rule(amid=st.booleans(), killed=st.booleans())
    def run_out(self, amid: bool, killed: bool) -> None:
        """Time passes until it is up, and not a moment less, also if the service was away."""
        self.ran_out += 1
        model = self.run(self._created("agog", Budget(1_000, 0)))
        if amid and self.rested():
            self.start_again(killed)

        async def work() -> None:
            async with asyncio.timeout(PATIENCE_SECONDS):
                watched = self.client.watch(model.referee, model.begun.id, until_over=True)
                async with aclosing(watched) as news:
                    async for _ in news:
                        pass
            now = await match_state(self.client, model.begun)
            assert (now.result.reason, *now.result.winners) == ("time", "black")
            await self._moved(model, 2)

        self.run(work())

    @rule(model=matches, pick=numbers, amid=st.booleans(), killed=st.booleans())
    def plan(self, model: ModelMatch, pick: int, amid: bool, killed: bool) -> None:
        """A waiting seat sets conditional moves, executed once if legal, else never."""
        if model.game != "agog":
            return
        chance = Random(pick)
        seat, real = self.run(self._live(model))
        if not real:
            return
        other = next(each for each in model.seats if each != seat)
        action = chance.choice(real)
        after = model_clocks.acted(model_clocks.read(model.positions[model.version]), seat, action)
        allowed = model_clocks.legal_actions(after, other)
        reply = chance.choice(allowed if allowed and chance.random() < 0.6 else real)
        on = chance.choice(("", action))
        token, match = model.begun.tokens[other], model.begun.id
        left = [plans.ConditionalMove(trigger_action=on, responses=[reply])]
        self.run(self.client.set_conditional_moves(token, match, moves=left))
        if amid and self.rested():
            self.start_again(killed)

        async def work() -> None:
            request = (model, seat, action, str(uuid4()))
            version = await self._submit(*request)
            turn = model_clocks.turn_of(after)
            if turn == seat:
                taken = await self.client.delete_conditional_moves(token, match)
                assert taken.state == plans.CONDITIONAL_MOVES_STATE_DELETED
            elif turn == other:
                ended = await self._moves_ended(token, match)
                done = reply in allowed
                assert ended.state == (DONE if done else DROPPED), ended
                assert await newest_version(self.client, model.begun) == version + done
                if done:
                    event = (await self._events(model, version))[0]
                    assert (event.seat, event.action.notation) == (other, reply)
                    assert event.details["answers"] == str(version)
                    version += 1
            await self._moved(model, version)

        self.run(work())

    @rule(model=matches, pick=numbers)
    def take_back(self, model: ModelMatch, pick: int) -> None:
        """The referee has the match go on from any version: undo, or redo of what was undone."""
        to = Random(pick).choice(sorted(model.positions))
        if to == model.version:
            return

        async def work() -> None:
            call = (model.referee, model.begun.id, to)
            try:
                await self.client.undo(*call)
            except ServiceError as error:
                # Of a branch that was left it is a redo; of what is just here, nothing.
                assert error.reason in ("NOTHING_TO_UNDO", "NOT_IN_MAINLINE"), error  # noqa: PT017
                return
            await self._moved(model, model.version + 1)
            assert model.positions[model.version] == model.positions[to]

        self.run(work())

    @rule(target=matches, model=matches, pick=numbers)
    def fork(self, model: ModelMatch, pick: int) -> Any:
        at = Random(pick).choice(sorted(model.positions))

        async def work() -> ModelMatch:
            made = await self.client.fork_match(model.referee, model.begun.id, at)
            fork = ModelMatch(CreatedMatch(made.match.match_id, dict(made.tokens)), model.game)
            await self._moved(fork, 1)
            assert fork.positions[fork.version] == model.positions[at]
            return fork

        self.all.append(self.run(work()))
        return self.all[-1]

    @rule(model=matches, pick=numbers, upheld=st.booleans())
    def dispute(self, model: ModelMatch, pick: int, upheld: bool) -> None:
        chance = Random(pick)
        seat = model.seats[0]
        to = None if upheld else chance.choice(sorted(model.positions))

        async def work() -> None:
            token, match = model.begun.tokens[seat], model.begun.id
            on = chance.randint(1, model.version)
            raised = (await self.client.create_dispute(token, match, on, "is that so?")).number
            before = model.positions[model.version]
            await self._moved(model, raised)
            assert model.positions[model.version] == before
            if to is not None and to == model.version:
                return
            await self.client.resolve_dispute(
                model.referee, match, raised, "so it is", revert_to=to
            )
            await self._moved(model, raised + 1)
            due = before if to is None else model.positions[to]
            assert model.positions[model.version] == due

        self.run(work())

    @precondition(ModelMachine.rested)
    @rule(killed=st.booleans())
    def start_again(self, killed: bool) -> None:
        """As a kill leaves the folder, or as a stop does."""
        self.run(self._stop(killed))
        self.run(self._start())
