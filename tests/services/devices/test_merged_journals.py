"""Journals of several gateways of one table: each player has one, and none had a connection."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.client import Client
from services.client.gateway import Device, GatewayClient
from services.client.journal import Journal
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED, UNDO_POLICY_FREE, UndoPolicy
from tests.services.conftest import GatewayConnection, GatewaySetup, actions


class Played(NamedTuple):
    """A game that two players played without a connection."""

    journals: dict[str, list[pb.JournalEntry]]
    """What the gateway of each seat has kept."""
    actions: list[str]


def played(game: AnyGame, random: Random, count: int) -> Played:
    """Play a random game; each seat's gateway keeps the taps of its own player."""
    state = game.start(game.options())
    journals: dict[str, list[pb.JournalEntry]] = {seat: [] for seat in game.seats(game.options())}
    taken: list[str] = []
    while len(taken) < count and game.result(state) is None and (prompts := game.turn(state)):
        seat = prompts[0].seat
        moment = StylusView(game, state, (seat,))
        legal = [each for each in game.legal(state, seat) if not game.is_administrative(each)]
        action = random.choice(legal)
        for code in taps_for(moment, action):
            add(journals[seat], seat, code)
        taken.append(game.write_action(action))
        outcome = game.decide(state, seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)
    return Played(journals, taken)


def add(journal: list[pb.JournalEntry], seat: str, code: str) -> None:
    """Keep a tap, as a device does that was shown prompt 1 last."""
    named = seat if code == "button confirm" else ""
    number = len(journal) + 1
    journal.append(
        pb.JournalEntry(
            tap=pb.Tap(seq=number, stylus_id=seat, code=code, prompt_number=1, seat=named)
        )
    )


async def open_table(
    client: Client,
    service: Service,
    slug: str,
    *,
    shared: bool = False,
    undo: UndoPolicy.ValueType = UNDO_POLICY_FREE,
) -> dict[str, GatewaySetup]:
    """Register a gateway for each seat of a new match at one table, with a stylus of that name.

    It acts for that seat, or for all of them if it is shared."""
    first = await client.create_gateway(service.admin_key, name="First")
    created = await client.create_match(game=slug, chance=CHANCE_ENTERED, undo_policy=undo)
    tokens, match = dict(created.tokens), created.match.match_id
    shops = {}
    seats = [role for role in tokens if role not in ("referee", "spectator")]
    for seat in seats:
        key = first.gateway_key
        if shops:
            key = (await client.create_gateway(first.owner_key, first.table_id, seat)).gateway_key
        await client.pair_stylus(key, seat, pin="0000")
        held = [tokens[each] for each in seats if shared or each == seat]
        await client.seat_stylus(key, seat, match, held)
        shops[seat] = GatewaySetup(key, match, tokens)
    return shops


class Sender:
    """A gateway that sends its journal over connections that are lost at any time."""

    def __init__(
        self, service: Service, shop: GatewaySetup, journal: list[pb.JournalEntry], random: Random
    ) -> None:
        self._service, self._shop = service, shop
        self._journal, self._random = journal, random
        self.acknowledged = 0
        self.connected = asyncio.Event()
        """Set when the service has answered its first message."""
        self.left: list[pb.SkippedEntry] = []

    async def send(self, cut: float = 0.0) -> None:
        """Send until all is acknowledged. `cut` is the probability that an answer is the last."""
        while self.acknowledged < len(self._journal):
            async with GatewayConnection(self._service, self._shop) as line:
                self.acknowledged = line.welcome.highest_seq
                for piece in self._pieces():
                    await line._call.write(pb.ConnectRequest(journal=pb.Journal(entries=piece)))
                while self.acknowledged < len(self._journal):
                    answer = await line.read()
                    self._hear(answer)
                    self.connected.set()
                    if self._random.random() < cut:
                        break
        async with GatewayConnection(self._service, self._shop) as line:
            self.left = list(line.prompt.skipped_entries)

    def _hear(self, answer: pb.ConnectResponse) -> None:
        if answer.WhichOneof("message") == "acknowledgement":
            self.acknowledged = max(self.acknowledged, answer.acknowledgement.highest_seq)

    def _pieces(self) -> Iterator[list[pb.JournalEntry]]:
        """The journal from what is not acknowledged on or from before, cut and doubled anywhere."""
        at = self._random.randint(max(0, self.acknowledged - 9), self.acknowledged)
        while at < len(self._journal):
            end = at + self._random.randint(1, 30)
            yield self._journal[at:end]
            at = end if self._random.random() < 0.7 else self._random.randint(at, end)


@patch("services.devices.pending_journals.MAX_HOLD_SECONDS", 600.0)
@patch("services.devices.gateway_streams.MAX_SENDING_HOLD_SECONDS", 600.0)
@pytest.mark.parametrize("slug", ["agog", "earthen-war", "tokars-arcana"])
@pytest.mark.parametrize("number", range(4))
async def test_a_game_that_two_gateways_kept_offline_is_played_in_its_order(
    service: Service, slug: str, number: int
) -> None:
    random = Random(f"{slug} {number}")
    game = played(GAMES[slug], random, 20)
    async with Client(service.address) as client:
        shops = await open_table(client, service, slug)
        senders = [
            Sender(service, shops[seat], journal, random) for seat, journal in game.journals.items()
        ]
        random.shuffle(senders)
        first, *others = senders
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(first.send(cut=0.3))
            await first.connected.wait()
            for other in others:
                tasks.create_task(other.send(cut=0.3))
        assert not [each for sender in senders for each in sender.left]
        shop = next(iter(shops.values()))
        logged = await actions(client, shop.tokens["referee"], shop.match, len(game.actions) + 1)
    assert logged == game.actions


@pytest.mark.parametrize("number", range(4))
async def test_what_rests_on_a_journal_that_never_comes_is_named_confirm_by_confirm(
    service: Service, number: int
) -> None:
    random = Random(number)
    game = played(GAMES["agog"], random, 20)
    journals = [*game.journals.items()]
    random.shuffle(journals)
    async with Client(service.address) as client:
        shops = await open_table(client, service, "agog")
        named = 0
        with patch("services.devices.pending_journals.MAX_HOLD_SECONDS", 0.1):
            for seat, journal in journals:
                sender = Sender(service, shops[seat], journal, random)
                await sender.send()
                named += sum(each.target == "button confirm" for each in sender.left)
                assert all(each.rule and each.message for each in sender.left)
        shop = next(iter(shops.values()))
        logged = await actions(client, shop.tokens["referee"], shop.match)
    assert len(logged) + named == len(game.actions)


@patch("services.devices.pending_journals.MAX_HOLD_SECONDS", 0.0)
async def test_a_confirm_that_only_closes_a_card_is_refused_if_it_says_whose_it_is(
    service: Service,
) -> None:
    async with Client(service.address) as client:
        shops = await open_table(client, service, "agog")
        async with GatewayConnection(service, shops["black"]) as line:
            for number, confirm in enumerate(
                [{"seat": "black"}, {"armed": "h3-g3"}, {"offline": True}, {}]
            ):
                for seq, code in enumerate(("space h3", "button confirm"), 2 * number + 1):
                    more: Any = confirm if code == "button confirm" else {}
                    tap = pb.Tap(seq=seq, stylus_id="black", code=code, prompt_number=1, **more)
                    await line.send(pb.ConnectRequest(tap=tap), seq)
                refused = {"refused": bool(confirm)}
                assert refused == {"refused": line.prompt.HasField("refusal")}, confirm
                assert [each.seq for each in line.prompt.skipped_entries] == (
                    [seq] if "offline" in confirm else []
                )


@pytest.mark.parametrize("first", ["white", "black"])
async def test_gateways_that_send_tap_by_tap_and_again_and_again_are_merged_too(
    service: Service, tmp_path: Path, first: str
) -> None:
    game = played(GAMES["agog"], Random(first), 12)
    impatient = Device(resend_seconds=0.05)
    async with Client(service.address) as client, AsyncExitStack() as stack:
        shops = await open_table(client, service, "agog")
        for seat in sorted(shops, key=lambda each: each != first):
            kept = Journal(tmp_path / seat)
            for entry in game.journals[seat]:
                kept.add(pb.Tap(stylus_id=seat, code=entry.tap.code, prompt_number=1, offline=True))
            kept.close()
            gateway = GatewayClient(
                service.address, shops[seat].key, journal=tmp_path / seat, device=impatient
            )
            await stack.enter_async_context(gateway)
            await gateway.wait_until_welcomed()
        await gateway.wait_until_settled()
        prompt = await gateway.wait_for_prompt(seat, len(game.actions) + 1)
        shop = shops[first]
        logged = await actions(client, shop.tokens["referee"], shop.match, len(game.actions) + 1)
    assert logged == game.actions
    assert not prompt.skipped_entries


async def test_styluses_that_act_for_all_are_merged_by_whose_confirm_it_was(
    service: Service,
) -> None:
    random = Random(0)
    game = played(GAMES["agog"], random, 12)
    async with Client(service.address) as client:
        shops = await open_table(client, service, "agog", shared=True)
        async with asyncio.TaskGroup() as tasks:
            for seat, journal in game.journals.items():
                tasks.create_task(Sender(service, shops[seat], journal, random).send())
        shop = shops["white"]
        logged = await actions(client, shop.tokens["referee"], shop.match, len(game.actions) + 1)
    assert logged == game.actions


async def test_an_undo_made_offline_undoes_what_its_player_did_last(service: Service) -> None:
    journals: dict[str, list[pb.JournalEntry]] = {"white": [], "black": []}
    for seat, code in [
        *(("white", code) for code in ("space a6", "space b6", "button confirm")),
        *(("white", code) for code in ("match undo", "button confirm")),
        *(("white", code) for code in ("space f1", "space g1", "button confirm")),
        *(("black", code) for code in ("space h3", "space g3", "button confirm")),
        *(("white", code) for code in ("space a6", "space b6", "button confirm")),
    ]:
        add(journals[seat], seat, code)
    async with Client(service.address) as client:
        shops = await open_table(client, service, "agog")
        async with asyncio.TaskGroup() as tasks:
            white = Sender(service, shops["white"], journals["white"], Random(1))
            tasks.create_task(white.send())
            async for watched in client.watch(
                shops["white"].tokens["referee"], shops["white"].match
            ):
                if watched.event.version == 4:
                    break
            black = Sender(service, shops["black"], journals["black"], Random(1))
            tasks.create_task(black.send())
        shop = shops["white"]
        logged = await actions(client, shop.tokens["referee"], shop.match, 6)
    assert logged == ["a6-b6", "f1-g1", "h3-g3", "a6-b6"]
