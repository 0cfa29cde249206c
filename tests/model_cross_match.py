"""What is settled between players, or reaches over several matches: taking back by consent,
verdicts beside plans and clocks, what a frontend may have at once, files of matches taken in
elsewhere, saved armies, bots and hints.
"""

import asyncio
from contextlib import aclosing
from random import Random
from typing import Any, Final

import hypothesis.strategies as st
from hypothesis.stateful import precondition, rule

from services.client import Client, ServiceError
from services.proof.tap_evidence import is_evidence
from services.wire.emeth.v1 import conditional_moves_pb2 as plans
from services.wire.emeth.v1 import frontends_pb2
from services.wire.emeth.v1 import matches_pb2 as pb
from tests import model_clocks
from tests.model_clocks import Budget
from tests.model_hosts import InProcessHost, admin_key
from tests.model_machine import GAMES, PATIENCE_SECONDS, ModelMatch
from tests.model_play import DROPPED, HOUR_MS, numbers
from tests.model_taps import TapRules
from tests.services.conftest import CreatedMatch, match_state

OPEN_MATCHES: Final = 2
"""That the frontend may have at once."""
NO_UNDO: Final = (
    *("NOTHING_TO_UNDO", "NOT_IN_MAINLINE", "VERSION_UNDONE", "NOT_PLAYABLE", "PROPOSAL_PENDING"),
)
ARMY: Final = {"faction": "durani", "golems": [{"type": "prism-archer"}, {"type": "horned-blight"}]}
BOT_BUDGET: Final = Budget(HOUR_MS, 0)


def parts_of(file: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines of events in the file of a match, and those of taps: not the last, which is signed
    by its own author."""
    lines = file.splitlines()[:-1]
    taps = [each for each in lines if is_evidence(each)]
    return [each for each in lines if each not in taps], taps


class CrossMatchRules(TapRules):
    """What is settled between players, and between matches."""

    def __init__(self) -> None:
        super().__init__()
        self.app = ""
        """The frontend's key, once there is one."""
        self.apps: list[ModelMatch] = []
        """Its matches."""
        self.helped = self.elsewhere = False

    @rule(model=TapRules.matches, pick=numbers)
    def request_undo(self, model: ModelMatch, pick: int) -> None:
        """A seat asks to go back: the line moves, or the others are asked, and may answer much
        later."""
        chance = Random(pick)
        seat, to = chance.choice(model.seats), chance.choice(sorted(model.positions))
        if to == model.version:
            return

        async def work() -> None:
            before = model.positions[model.version]
            try:
                asked = await self.client.undo(model.begun.tokens[seat], model.begun.id, to)
            except ServiceError as error:
                assert error.reason in NO_UNDO, (error.reason, error)  # noqa: PT017
                await self._stood(model)
                return
            await self._moved(model, asked.version)
            due = before if asked.proposal.awaiting_seats else model.positions[to]
            assert model.positions[model.version] == due

        self.run(work())

    @rule(model=TapRules.matches, pick=numbers, granted=st.booleans(), race=st.booleans())
    def answer_undo(self, model: ModelMatch, pick: int, granted: bool, race: bool) -> None:
        """Who is asked answers, also while somebody acts: then one comes before the other, and a
        line that has moved on goes back nowhere."""
        chance = Random(pick)

        async def answered(seat: str) -> bool:
            call = (model.begun.tokens[seat], model.begun.id)
            try:
                await self.client.answer(*call, accepted=granted)
            except ServiceError as error:
                assert error.reason in ("NO_PROPOSAL", "SEAT_NOT_AWAITED"), error  # noqa: PT017
                return False
            return True

        async def work() -> None:
            now = await match_state(self.client, model.begun)
            to, before = now.proposal.target_version, model.positions[model.version]
            if not now.HasField("proposal"):
                assert not await answered(chance.choice(model.seats))
                await self._stood(model)
                return
            asked = chance.choice(now.proposal.awaiting_seats)
            acting, ways = await self._live(model) if race else ("", [])
            calls: list[Any] = [answered(asked)]
            if ways:
                calls.append(self._timed(model, acting, chance.choice(ways), f"{pick:032x}"))
            chance.shuffle(calls)
            await asyncio.gather(*calls)
            first = model.version
            await self._moved(model, first + 1)
            for event in await self._events(model, first):
                if event.kind == "match.LineContinued":
                    assert event.details["to"] == str(to)
                    assert granted
                    assert await self._position(model, event.version) == model.positions[to]
            if not ways and (not granted or len(now.proposal.awaiting_seats) > 1):
                assert model.positions[model.version] == before

        self.run(work())

    @rule(model=TapRules.matches, pick=numbers, amid=st.booleans(), killed=st.booleans())
    def correct(self, model: ModelMatch, pick: int, amid: bool, killed: bool) -> None:
        """A verdict corrects the position while a clock runs and a plan waits: the plan is dropped,
        and the clock runs on for whose turn it is then."""
        chance = Random(pick)
        if model.game != "agog":
            return
        seat, real = self.run(self._live(model))
        if not real:
            return
        other = next(each for each in model.seats if each != seat)
        token, match = model.begun.tokens[other], model.begun.id
        left = [plans.ConditionalMove(responses=[chance.choice(real)])]
        self.run(self.client.set_conditional_moves(token, match, moves=left))
        if amid and self.rested():
            self.start_again(killed)

        async def work() -> None:
            raised = (
                await self.client.create_dispute(token, match, model.version, "is that so?")
            ).number
            passed = f'{{"type":"agog.turn-passed","seat":"{other}"}}'
            await self.client.resolve_dispute(
                model.referee, match, raised, "so", correction={"facts_json": [passed]}
            )
            ended = await self._moves_ended(token, match)
            assert (ended.state, ended.end_version) == (DROPPED, raised + 1), ended
            await self._moved(model, raised + 1)
            turned = model_clocks.read(model.positions[model.version])
            assert model_clocks.turn_of(turned) in (other, "")

        self.run(work())

    @rule(pick=numbers, game=st.sampled_from(sorted(GAMES)))
    def create_for_app(self, pick: int, game: str) -> None:
        """A frontend has so many matches at once and no more: those that are over do not count,
        unless they were taken up again."""

        async def work() -> None:
            if not self.app:
                terms = frontends_pb2.FrontendQuotas(open_matches=OPEN_MATCHES)
                rights = [frontends_pb2.FRONTEND_RIGHT_CREATE]
                made = await self.client.create_frontend(
                    admin_key(self.place),
                    frontend={"name": "App", "rights": rights, "quotas": terms},
                )
                self.app = made.key
            played = 0
            for model in self.apps:
                played += not (await match_state(self.client, model.begun)).HasField("result")
            rolled = {} if game == "agog" else {"chance": pb.CHANCE_ROLLED}
            async with Client(self.host.address, frontend_key=self.app) as app:
                try:
                    made = await app.create_match(game=game, options=GAMES[game], **rolled)
                except ServiceError as error:
                    assert error.reason == "QUOTA_EXCEEDED", error  # noqa: PT017
                    assert played >= OPEN_MATCHES
                    return
            assert played < OPEN_MATCHES
            model = ModelMatch(CreatedMatch(made.match.match_id, dict(made.tokens)), game)
            await self._moved(model, 1)
            self.apps.append(model)
            self.all.append(model)

        self.run(work())

    @rule(pick=numbers)
    def end_for_app(self, pick: int) -> None:
        """Resign a match of the frontend, or continue from where it was not over."""
        if self.apps:
            model = Random(pick).choice(self.apps)
            (self.resign if pick % 2 else self.take_back)(model=model, pick=pick)

    @rule(pick=numbers, changed=st.booleans())
    def play_with_army(self, pick: int, changed: bool) -> None:
        """A match is played with a saved army as it was, whatever becomes of that."""

        async def work() -> None:
            saved = await self.client.create_army(
                army={"game": "golem-arcana", "name": "Mine", "roster": ARMY}
            )
            owner, army = saved.owner_token, saved.army.army_id
            made = await self.client.create_match(
                game="golem-arcana",
                options=GAMES["golem-arcana"],
                chance=pb.CHANCE_ROLLED,
                armies={"north": army},
            )
            model = ModelMatch(CreatedMatch(made.match.match_id, dict(made.tokens)), "golem-arcana")
            await self._moved(model, 1)
            self.all.append(model)
            if changed:
                renewed = {**ARMY, "golems": [{"type": "horned-blight"}]}
                await self.client.update_army(
                    owner, army={"army_id": army, "name": "Less", "roster": renewed}
                )
            else:
                await self.client.delete_army(owner, army)
            assert await self._position(model, 1) == model.positions[1]

        self.run(work())

    @precondition(lambda self: not self.elsewhere and self.all)
    @rule(pick=numbers)
    def import_elsewhere(self, pick: int) -> None:
        """Files of matches are taken in by another service, where every version is the same."""
        self.elsewhere = True
        chance = Random(pick)

        async def work() -> None:
            place = self.place / "other"
            other = InProcessHost(place)
            await other.start()
            try:
                async with Client(other.address) as client:
                    for model in chance.sample(self.all, min(2, len(self.all))):
                        await self._import_match(model, client, admin_key(place))
            finally:
                await other.stop(killed=False)

        self.run(work())

    async def _import_match(self, model: ModelMatch, client: Client, admin_key: str) -> None:
        await self._stood(model)
        match, token = model.begun.id, model.referee
        raw = (await self.client.export(token, match)).data
        for _ in range(2):
            taken = await client.import_file(admin_key, raw)
            assert (taken.match_id, taken.version) == (match, model.version)
        for version, position in model.positions.items():
            there = await client.view(token, match, version=version, at_least_version=model.version)
            assert there.position == position
        again = (await client.export(token, match)).data
        if model.budget is None:
            assert again == raw
            return
        # Time that the file was under way is given back to a match with clocks, as an event.
        (events, taps), (more, same) = parts_of(raw), parts_of(again)
        assert (more[: len(events)], same) == (events, taps)

    @precondition(lambda self: not self.helped and self.rested())
    @rule(pick=numbers, killed=st.booleans())
    def play_bot(self, pick: int, killed: bool) -> None:
        """A bot answers, also after the service was started anew, and lets one take back; a hint
        changes nothing."""
        self.helped = True
        chance = Random(pick)
        model = self.run(
            self._created(
                "agog", BOT_BUDGET, bots={"black": "beginner"}, help_policy=pb.HELP_POLICY_HINTS
            )
        )
        white, match = model.begun.tokens["white"], model.begun.id

        async def acted() -> str:
            hint = await self._get_hint(white, match, f"{pick:031x}1")
            _, real = await self._live(model)
            assert {each.action for each in hint.actions} <= {*real}
            stood = model.positions[model.version]
            await self._moved(model, hint.version)
            assert model.positions[model.version] == stood
            await self._submit(model, "white", chance.choice(real), f"{pick:032x}")
            return stood

        async def answered(stood: str) -> None:
            await self._wait_for_bot(model)
            await self.client.undo(white, match)
            await self._wait_for_bot(model)
            await self._moved(model, model.version + 3)
            assert model.positions[model.version] == stood
            await self.client.submit_action(white, match, resignation=True)
            await self._moved(model, model.version + 1)

        stood = self.run(acted())
        self.start_again(killed)
        self.run(answered(stood))

    async def _get_hint(self, token: str, match: str, request: str) -> Any:
        """A hint, asked for again where a slow machine takes longer than the call."""
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            try:
                return await self.client.get_hint(token, match, nodes=10, request_id=request)
            except ServiceError as error:
                late = asyncio.get_running_loop().time() > until
                if error.code.name != "DEADLINE_EXCEEDED" or late:
                    raise

    async def _wait_for_bot(self, model: ModelMatch) -> None:
        """Wait until nothing is asked of Black."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            watched = self.client.watch(model.referee, model.begun.id)
            async with aclosing(watched) as news:
                async for _ in news:
                    now = await match_state(self.client, model.begun)
                    asked = [*now.proposal.awaiting_seats, *(each.seat for each in now.prompts)]
                    if "black" not in asked:
                        return
