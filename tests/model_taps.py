"""What may be done at a table: tapping, in one journal or one by one, over lines that break and
services that start anew; fumbling; granting the right to tap and withdrawing it.
"""

from itertools import islice
from random import Random
from typing import Final

import hypothesis.strategies as st
from hypothesis.stateful import rule

from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from tests.model_machine import ModelMatch
from tests.model_play import PlayRules, numbers
from tests.model_tables import GatewayStream, ModelStylus, ModelTable, state_of

MAX_LISTED: Final = 200
"""Actions of which one is tapped."""
MAX_FUMBLED_TAPS: Final = 6
TARGETS: Final = (
    *("cc map", "cc army", "cc help", "cc rune 1", "cc rune 6", "cc digit 0", "cc digit 7"),
    *("button page", "button power", "seat white", "space nowhere", "base s1", "nonsense", ""),
)
IDLE: Final = (
    tables_pb2.TAP_OUTCOME_DONE,
    tables_pb2.TAP_OUTCOME_REFUSED,
    tables_pb2.TAP_OUTCOME_UNKNOWN_CODE,
)


class TapRules(PlayRules):
    """What players do at tables."""

    @rule(model=PlayRules.matches, shared=st.booleans(), granted=st.booleans())
    def set_up_table(self, model: ModelMatch, shared: bool, granted: bool) -> None:
        """A table for a match, with a stylus for all seats, or one for each: by the seat's token or
        by a code, and each with a gateway of its own."""
        if model.table is not None:
            return

        async def work() -> None:
            first = await self.client.create_gateway(name="Table")
            pens, sent = list[ModelStylus](), {first.gateway_key: 0}
            for number, seats in enumerate([model.seats] if shared else [[s] for s in model.seats]):
                key = first.gateway_key
                if number:
                    other = await self.client.create_gateway(
                        first.owner_key, first.table_id, f"Gateway {number}"
                    )
                    sent[key := other.gateway_key] = 0
                pens.append(ModelStylus(f"{model.begun.id}-{number}", key, tuple(seats)))
                await self._seat(model, pens[-1], granted=granted and not shared)
            model.table = ModelTable(pens, shared, sent)

        self.run(work())

    async def _seat(self, model: ModelMatch, pen: ModelStylus, *, granted: bool) -> None:
        tokens, match = model.begun.tokens, model.begun.id
        paired = await self.client.pair_stylus(pen.gateway, pen.stylus, pin="0000")
        assert paired.HasField("stylus"), paired
        codes, own = list[str](), [tokens[seat] for seat in pen.seats]
        if granted:
            grant = await self.client.create_tap_grant(own.pop(), match)
            pen.grant, codes = grant.grant_id, [grant.code]
        answer = await self.client.seat_stylus(pen.gateway, pen.stylus, match, own, codes=codes)
        assert {*answer.stylus.seats} == {*pen.seats}, answer

    @rule(model=PlayRules.matches, pick=numbers, how=st.sampled_from(("taps", "journal", "again")))
    def tap(self, model: ModelMatch, pick: int, how: str) -> None:
        """What is legal is tapped, and done once; in between the line breaks, or the service is
        started anew, and what was selected is selected yet."""
        chance = Random(pick)
        found = self.run(self._to_tap(model, chance))
        if found is None:
            return
        pen, codes, notation = found
        cut = chance.randrange(len(codes))

        async def before() -> None:
            async with self._line(model, pen) as line:
                await line.clean(pen.stylus)
                for code in codes[:cut]:
                    await line.tap(pen.stylus, code)

        async def after() -> None:
            async with self._line(model, pen) as line:
                prompt = line.prompts[pen.stylus].prompt_number
                sent = [line.number(pen.stylus, code=c, prompt_number=prompt) for c in codes[cut:]]
                if how == "journal":
                    entries = [pb.JournalEntry(tap=each.tap) for each in sent]
                    journal = pb.ConnectRequest(journal=pb.Journal(entries=entries))
                    done = await line.answer(journal)
                    assert not done.skipped_entries, done
                else:
                    for each in sent:
                        each.tap.prompt_number = line.prompts[pen.stylus].prompt_number
                        done = await line.answer(each)
                assert done.outcome == tables_pb2.TAP_OUTCOME_ACTED, done
                shown = done.events[0].action.notation
                # A right to tap shows no hand: no hidden name is shown.
                assert shown == notation or (pen.grant and "?" in shown)
                before = model.version
                await self._moved(model, before + 1)
                assert (await self._events(model, before))[0].action.notation == notation
                if how == "again":
                    for each in sent:
                        assert (await line.answer(each)).replayed
                    await self._stood(model)

        self.run(before())
        if chance.random() < 0.3 and self.rested():
            self.start_again(chance.random() < 0.5)
        self.run(after())

    @rule(model=PlayRules.matches, pick=numbers)
    def fumble(self, model: ModelMatch, pick: int) -> None:
        """Taps other than Confirm do nothing; nor do taps on an old prompt."""
        chance = Random(pick)
        if model.table is None:
            return
        pen = chance.choice(model.table.pens)

        async def work() -> None:
            async with self._line(model, pen) as line:
                for _ in range(MAX_FUMBLED_TAPS):
                    shown = line.prompts[pen.stylus]
                    code = chance.choice([*TARGETS, *shown.next_targets, *shown.next_targets])
                    assert (await line.tap(pen.stylus, code)).outcome in IDLE
                older = shown.prompt_number - 1
                stale = await line.tap(pen.stylus, "button confirm", prompt_number=older)
                assert stale.outcome == tables_pb2.TAP_OUTCOME_STALE, stale
            await self._stood(model)

        self.run(work())

    @rule(model=PlayRules.matches, pick=numbers)
    def tap_too_late(self, model: ModelMatch, pick: int) -> None:
        """Somebody else moves the match on while an action is armed: Confirm takes nothing."""
        chance = Random(pick)
        found = self.run(self._to_tap(model, chance))
        if found is None:
            return
        pen, codes, _ = found

        async def work() -> None:
            async with self._line(model, pen) as line:
                await line.clean(pen.stylus)
                for code in codes[:-1]:
                    await line.tap(pen.stylus, code)
                seen = line.prompts[pen.stylus].prompt_number
                token = model.begun.tokens[model.seats[0]]
                on = chance.randint(1, model.version)
                raised = (await self.client.create_dispute(token, model.begun.id, on, "so?")).number
                to = chance.choice(sorted(model.positions))
                verdict = {"revert_to": to} if to != model.version else {"uphold": True}
                await self.client.resolve_dispute(
                    model.referee, model.begun.id, raised, "so", **verdict
                )
                await self._moved(model, raised + 1)
                late = await line.tap(pen.stylus, codes[-1], prompt_number=seen)
                assert late.outcome == tables_pb2.TAP_OUTCOME_STALE, late
            await self._stood(model)

        self.run(work())

    @rule(model=PlayRules.matches, pick=numbers)
    def withdraw(self, model: ModelMatch, pick: int) -> None:
        """A seat takes back the right to tap: then its stylus does nothing, until it is given one
        anew."""
        if model.table is None or model.table.shared:
            return
        pen = Random(pick).choice(model.table.pens)
        token, match = model.begun.tokens[model.seats[model.table.pens.index(pen)]], model.begun.id

        async def work() -> None:
            rights = await self.client.list_tap_grants(token, match)
            assert [each.grant_id for each in rights] == ([pen.grant] if pen.grant else [])
            if pen.grant:
                assert (
                    await self.client.delete_tap_grant(token, match, pen.grant)
                ).deleted_count == 1
                pen.seats, pen.grant = (), ""
                async with self._line(model, pen) as line:
                    refused = await line.tap(pen.stylus, "button confirm")
                    assert refused.outcome == tables_pb2.TAP_OUTCOME_REFUSED, refused
            elif not pen.seats:
                pen.seats = (model.seats[model.table.pens.index(pen)],)
                await self._seat(model, pen, granted=True)
            await self._stood(model)

        self.run(work())

    def _line(self, model: ModelMatch, pen: ModelStylus) -> GatewayStream:
        assert model.table is not None
        return GatewayStream(self.host.address, pen.gateway, model.table)

    def _moment(self, model: ModelMatch, pen: ModelStylus) -> StylusView:
        assert model.table is not None
        state = state_of(model.game, model.options, model.positions[model.version])
        return model.table.moment(GAMES[model.game], state, pen)

    async def _to_tap(
        self, model: ModelMatch, chance: Random
    ) -> tuple[ModelStylus, tuple[str, ...], str] | None:
        """A stylus whose seat may act, the taps of an action, and the action."""
        seat, real = await self._live(model)
        if not real or model.table is None or (pen := model.table.stylus_for(seat)) is None:
            return None
        moment = self._moment(model, pen)
        legal = islice(moment.game.legal(moment.state, moment.seat), MAX_LISTED)
        ways = [each for each in legal if not moment.game.is_administrative(each)]
        if moment.seat != seat or not ways:
            return None
        action = chance.choice(ways)
        return pen, taps_for(moment, action), moment.game.write_action(action)
