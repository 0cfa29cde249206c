"""A player takes back what he did just now, while the other player of the table taps at a gateway
of his own: in whatever order their taps come, no Confirm is lost without a word."""

import asyncio
from contextlib import AsyncExitStack
from itertools import chain, pairwise
from typing import Final, Literal, Self
from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from hypothesis import given
from msgspec import Struct

from services.client import Client
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.matches_pb2 import (
    UNDO_POLICY_CONSENT,
    UNDO_POLICY_FREE,
    UndoPolicy,
)
from tests.hypothesis_settings import example_settings
from tests.services.conftest import CreatedMatch, GatewayConnection, GatewaySetup, newest_version
from tests.services.devices.test_merged_journals import open_table

CONFIRM: Final = "button confirm"
SECONDS: Final = 0.05
"""For which taps are held."""


UNDO: Final = ("match undo", CONFIRM)
AGREE: Final = ("match agree", CONFIRM)
MEANT: Final = {
    "white": [
        ("space a6", "space b6", CONFIRM),
        ("space f1", "space g1", CONFIRM),
        ("space f1", "space g1", *UNDO),
        UNDO,
        AGREE,
    ],
    "black": [
        ("space h3", "space g3", CONFIRM),
        ("space c8", "space c7", CONFIRM),
        ("space c8", "space c7", *UNDO),
        UNDO,
        AGREE,
        (CONFIRM,),
    ],
}
"""What a player may mean to do, as the taps that do it."""


class Planned(Struct, frozen=True):
    """A tap that a player is going to make."""

    code: str
    prompt: Literal["first", "one before", "newest"]
    """Which of the prompts that the gateway had read he looked at."""
    is_offline: bool
    names: Literal["", "seat", "armed"]
    """What a Confirm names."""
    is_of_card: bool
    """Whether the player means to ask for something by the match card."""


class Made(Struct):
    """A tap that was made."""

    planned: Planned
    seq: int
    armed: str
    """What a Confirm names as armed."""
    seat: str
    """The seat that a Confirm names."""
    answer: pb.DevicePrompt | None = None

    @property
    def action(self) -> str:
        """The action of the game that the tap took, in notation; empty if it took none."""
        events = self.answer.events if self.answer else ()
        return events[0].action.notation if events else ""


class Player:
    """A player with a stylus and a gateway of his own."""

    def __init__(self, seat: str, service: Service, shop: GatewaySetup) -> None:
        self._seat, self._service = seat, service
        self._gateway = shop.key.rpartition(".")[0]
        self._line = GatewayConnection(service, shop)
        self._prompts = list[pb.DevicePrompt]()
        self.made: list[Made] = []
        self._heard = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._prompts.append((await self._line.__aenter__()).prompt)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._reading.cancel()
        await self._line.__aexit__()

    @property
    def version(self) -> int:
        """The version of the match that the stylus shows."""
        return self._prompts[-1].match_version

    async def _read(self) -> None:
        while True:
            answer = await self._line.read()
            if answer.WhichOneof("message") != "prompt":
                continue
            async with self._heard:
                self._prompts.append(answer.prompt)
                for each in self.made:
                    if each.seq == answer.prompt.answered_seq:
                        each.answer = answer.prompt
                self._heard.notify_all()

    async def tap(self, planned: Planned) -> Made:
        """Make a tap, and wait until it is answered or held."""
        newest = self._prompts[-1]
        shown = {"first": 0, "one before": -2, "newest": -1}[planned.prompt]
        looked_at = self._prompts[max(shown, -len(self._prompts))]
        is_confirm = planned.code == CONFIRM
        armed = looked_at.armed.label if is_confirm and planned.names == "armed" else ""
        seat = self._seat if is_confirm and planned.names == "seat" else ""
        made = Made(planned, len(self.made) + 1, armed, seat)
        self.made.append(made)
        tap = pb.Tap(
            seq=made.seq,
            stylus_id=newest.stylus_id,
            code=planned.code,
            prompt_number=looked_at.prompt_number,
            offline=planned.is_offline,
            seat=seat,
            armed=armed,
        )
        await self._line._call.write(pb.ConnectRequest(tap=tap))
        stream = self._service._gateways._streams[self._gateway]
        while made.answer is None and not stream.is_holding:  # noqa: ASYNC110  # two conditions
            await asyncio.sleep(0.001)
        return made

    async def answered(self) -> None:
        """Wait until all taps are answered."""
        async with self._heard:
            await self._heard.wait_for(lambda: all(each.answer for each in self.made))

    async def shown(self, version: int) -> None:
        """Wait until the stylus shows this version of the match."""
        async with self._heard:
            await self._heard.wait_for(lambda: self.version >= version)


def planned(meant: tuple[str, ...]) -> st.SearchStrategy[list[Planned]]:
    """How a player makes the taps of what he means to do."""
    how = {
        "prompt": st.sampled_from(("newest", "one before", "first")),
        "is_offline": st.booleans(),
        "names": st.sampled_from(("", "seat", "armed")),
        "is_of_card": st.just(meant[-2:] in (UNDO, AGREE)),
    }
    taps = (st.builds(Planned, code=st.just(code), **how) for code in meant)
    return st.tuples(*taps).map(list)


def all_planned(seat: str) -> st.SearchStrategy[list[Planned]]:
    """All taps that a player is going to make: white acts first, and takes it back at once."""
    first = [MEANT["white"][0], UNDO] if seat == "white" else []
    meant = st.lists(st.sampled_from(MEANT[seat]), min_size=1, max_size=4)
    plans = meant.flatmap(lambda each: st.tuples(*map(planned, [*first, *each])))
    return plans.map(lambda each: list(chain(*each)))


DONE: Final = (tables_pb2.TAP_OUTCOME_DONE, tables_pb2.TAP_OUTCOME_ACTED)
ORDERS: Final = st.lists(st.booleans(), min_size=12, max_size=12)
"""Whether white makes the next tap, one after another; the taps that are left come at the end."""


@pytest.mark.timeout(1200)  # so that it may be tried often
async def test_no_confirm_is_lost_without_a_word_around_an_undo(service: Service) -> None:
    loop = asyncio.get_running_loop()

    @example_settings(20)
    @given(all_planned("white"), all_planned("black"), ORDERS, st.booleans())
    def law(white: list[Planned], black: list[Planned], order: list[bool], is_free: bool) -> None:
        undo = UNDO_POLICY_FREE if is_free else UNDO_POLICY_CONSENT
        played = play(service, {"white": white, "black": black}, order, undo)
        asyncio.run_coroutine_threadsafe(played, loop).result(60)

    with (
        patch("services.devices.pending_journals.MAX_HOLD_SECONDS", SECONDS),
        patch("services.devices.gateway_streams.MAX_SENDING_HOLD_SECONDS", SECONDS),
    ):
        await asyncio.to_thread(law)


async def play(
    service: Service,
    plans: dict[str, list[Planned]],
    whites: list[bool],
    undo: UndoPolicy.ValueType,
) -> None:
    """Play a match whose players tap in this order; then look at what came of each Confirm."""
    async with Client(service.address) as client, AsyncExitStack() as stack:
        shops = await open_table(client, service, "agog", undo=undo)
        for seat, shop in shops.items():
            stack.push_async_callback(client.release_stylus, shop.key, seat)
        players = {
            seat: await stack.enter_async_context(Player(seat, service, shop))
            for seat, shop in shops.items()
        }
        taps = {seat: iter(each) for seat, each in plans.items()}
        order = ["white" if is_white else "black" for is_white in whites]
        async with asyncio.timeout(30):
            for turn in (*order, *(seat for seat in plans for _ in plans[seat])):
                if (tap := next(taps[turn], None)) is not None:
                    await players[turn].tap(tap)
                    # What was acted on is shown at both gateways before anybody taps again.
                    version = max(each.version for each in players.values())
                    for each in players.values():
                        await each.shown(version)
            for each in players.values():
                await each.answered()
        made = list(chain(*(player.made for player in players.values())))
        match = CreatedMatch(shops["white"].match, shops["white"].tokens)
        acted = [event.version for each in made if each.answer for event in each.answer.events]
        assert sorted(acted) == list(range(2, await newest_version(client, match) + 1))
        for each in made:
            check(each)
        for before, each in chain(*(pairwise(player.made) for player in players.values())):
            if before.planned.is_offline and each.planned.is_offline and each.planned.is_of_card:
                assert each.armed or not each.action, "it takes nothing else than was asked for"


def check(made: Made) -> None:
    """Check that a tap did what it says, or that its player learns that it did nothing."""
    tap, answer = made.planned, made.answer
    assert answer is not None
    assert not answer.replayed
    has_acted = answer.outcome == tables_pb2.TAP_OUTCOME_ACTED
    assert has_acted == bool(answer.events), made
    assert answer.HasField("refusal") == (answer.outcome not in DONE), made
    is_listed = made.seq in [each.seq for each in answer.skipped_entries]
    assert is_listed == (tap.is_offline and answer.HasField("refusal")), made
    does_nothing = not has_acted and not answer.HasField("refusal")
    may_only_look = not (tap.is_offline or made.armed or made.seat)
    assert may_only_look or not does_nothing or tap.code != CONFIRM, made
    assert not (made.armed and made.action) or made.action == made.armed, made


@pytest.mark.parametrize("is_offline", [True, False])
async def test_confirm_takes_no_action_in_place_of_an_undo_that_is_refused_unseen(
    service: Service, is_offline: bool
) -> None:
    async with Client(service.address) as client:
        shop = (await open_table(client, service, "agog"))["white"]
        async with Player("white", service, shop) as player:
            for code in ("space f1", "space g1", *UNDO):
                await player.tap(Planned(code, "newest", is_offline, "", is_of_card=False))
            await player.answered()
            *_, undo, confirm = (each.answer for each in player.made)
    assert undo.refusal.rule == "stylus.match", "there is nothing that he could take back"
    if is_offline:  # he was not shown that what he selected before is armed again
        assert confirm.refusal.rule == "stylus.unready"
        assert [each.target for each in confirm.skipped_entries] == [*UNDO]
    else:
        assert confirm.events[0].action.notation == "f1-g1"


async def test_confirm_takes_no_action_in_place_of_an_undo_that_another_action_dropped(
    service: Service,
) -> None:
    async with Client(service.address) as client:
        shops = await open_table(client, service, "agog", undo=UNDO_POLICY_CONSENT)
        async with (
            Player("white", service, shops["white"]) as white,
            Player("black", service, shops["black"]) as black,
        ):

            async def tap(player: Player, *codes: str) -> pb.DevicePrompt:
                for code in codes:
                    await player.tap(Planned(code, "first", True, "", is_of_card=False))
                await player.answered()
                assert player.made[-1].answer
                return player.made[-1].answer

            await tap(white, "space a6", "space b6", CONFIRM)
            await tap(black, "space h3", "space g3", CONFIRM)
            await tap(white, "space f1", "space g1")
            assert (await tap(white, "match undo")).armed.label == "match undo"
            assert (await tap(black, *UNDO)).events, "black asks to take back"
            confirm = await tap(white, CONFIRM)
    assert confirm.refusal.rule == "stylus.unready"
    assert [each.target for each in confirm.skipped_entries] == [CONFIRM]
