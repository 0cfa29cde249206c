"""What was kept while the line was down, sent at once: over the wire, against random games."""

from collections.abc import Iterator
from random import Random
from typing import Any

import grpc.aio
import pytest

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.client import Client
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED
from tests.services.conftest import STYLUS, GatewayConnection, GatewaySetup, actions, set_up_gateway


def tap(code: str, seat: str = "") -> pb.JournalEntry:
    return pb.JournalEntry(tap=pb.Tap(stylus_id=STYLUS, code=code, prompt_number=1, seat=seat))


def confirm(seat: str = "") -> pb.JournalEntry:
    return tap("button confirm", seat)


def taps(*spaces: str) -> list[str]:
    """The codes of an action that leads from space to space."""
    return [*(f"space {each}" for each in spaces), "button confirm"]


def journal(entries: list[pb.JournalEntry], first: int = 1) -> pb.ConnectRequest:
    """A journal with its entries numbered."""
    for number, entry in enumerate(entries, first):
        kind = entry.WhichOneof("message")
        getattr(entry, str(kind)).seq = number
        getattr(entry, str(kind)).device_time.seconds = number
    return pb.ConnectRequest(journal=pb.Journal(entries=entries))


async def answer(
    line: GatewayConnection, request: pb.ConnectRequest
) -> tuple[int, pb.DevicePrompt]:
    """What a journal is answered: up to which number it is done, and its stylus's prompt."""
    await line._call.write(request)
    while (acknowledged := await line.read()).WhichOneof("message") != "acknowledgement":
        pass
    while (await line.read()).prompt.answered_seq == 0:
        pass
    return acknowledged.acknowledgement.highest_seq, line.prompt


def played(game: AnyGame, random: Random, count: int) -> Iterator[tuple[StylusView, Any]]:
    """The moments of a random game, each with the action that is taken."""
    state = game.start(game.options())
    for _ in range(count):
        moment = StylusView(game, state, (), shared=True)
        legal = [
            each for each in game.legal(state, moment.seat) if not game.is_administrative(each)
        ]
        if game.result(state) is not None or not legal:
            return
        action = random.choice(legal)
        yield moment, action
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)


def remembered(moment: StylusView, action: Any) -> Iterator[pb.JournalEntry]:
    """What a gateway keeps of an action: its taps, and whose Confirm it was."""
    *before, last = taps_for(moment, action)
    yield from map(tap, before)
    yield tap(last, moment.seat)


@pytest.mark.parametrize("slug", ["agog", "tokars-arcana", "earthen-war"])
async def test_an_hour_offline_is_played_as_if_it_had_been_online(
    service: Service, slug: str
) -> None:
    """Journals cut anywhere, repeated from anywhere, on lines that are lost: each action once."""
    game, random = GAMES[slug], Random(slug)
    async with Client(service.address) as client:
        shop = await entered_shop(client, service, slug)
        entries: list[pb.JournalEntry] = []
        done_offline = []
        for moment, action in played(game, random, 14):
            entries += remembered(moment, action)
            done_offline.append(game.write_action(action))
        done = 0
        while done < len(entries):
            first = random.randint(max(0, done - 30), done)
            cut = first + random.randint(1, 60)
            async with GatewayConnection(service, shop) as line:
                assert line.welcome.highest_seq == done
                sent = journal(entries[first:cut], first + 1)
                if random.random() < 0.3:  # the line is lost before anything is answered
                    await line._call.write(sent)
                    await line._call.done_writing()
                    while await line._call.read():  # type: ignore[comparison-overlap]  # EOF
                        pass
                else:
                    assert (await answer(line, sent))[0] == max(done, min(cut, len(entries)))
            done = max(done, min(cut, len(entries)))
        async with GatewayConnection(service, shop) as line:
            assert not line.prompt.skipped_entries
        logged = await actions(client, shop.tokens["referee"], shop.match, len(done_offline) + 1)
        assert logged == done_offline


async def entered_shop(client: Client, service: Service, slug: str) -> GatewaySetup:
    key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
    created = await client.create_match(game=slug, chance=CHANCE_ENTERED)
    tokens, match = dict(created.tokens), created.match.match_id
    own = [token for role, token in tokens.items() if role not in ("referee", "spectator")]
    await client.pair_stylus(key, STYLUS, pin="0000")
    await client.seat_stylus(key, STYLUS, match, own)
    return GatewaySetup(key, match, tokens)


async def test_what_did_nothing_is_named_with_its_reason(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with GatewayConnection(service, shop) as line, Client(service.address) as client:
        entries = [
            confirm(),  # nothing is selected: it means nothing, and harms nothing
            tap("space a6"),
            tap("space b6"),
            confirm("black"),  # the other side of the clock: nothing is taken
            confirm("white"),
            tap("space h3"),
            tap("space nowhere"),
            tap("space g3"),
            confirm("black"),
        ]
        highest, prompt = await answer(line, journal(entries))
        assert highest == len(entries)
        assert [each.action.notation for each in prompt.events] == ["a6-b6", "h3-g3"]
        assert [(each.seq, each.rule) for each in prompt.skipped_entries] == [
            (1, "stylus.unready"),
            (4, "stylus.seat"),
            (7, "stylus.nothing"),
        ]
        assert prompt.skipped_entries[2].target == "space nowhere"
        assert prompt.skipped_entries[2].device_time.seconds == 7
        assert prompt.signals.text.startswith("3 taps made offline did not count: ")
        # Told again, it is the same; and it is gone when something is tapped online.
        again = (await answer(line, journal(entries)))[1]
        assert again.replayed
        assert [each.seq for each in again.skipped_entries] == [1, 4, 7]
        line.seq = len(entries)
        assert not (await line.tap("space a6")).skipped_entries
        assert await actions(client, shop.tokens["referee"], shop.match, 3) == ["a6-b6", "h3-g3"]


async def test_what_others_overtook_is_named_as_stale(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        await client.submit(shop.tokens["white"], shop.match, "f1-g1")
        async with GatewayConnection(service, shop) as line:
            prompt = (await answer(line, journal([*map(tap, taps("h3", "g3"))])))[1]
            assert {each.rule for each in prompt.skipped_entries} == {"stylus.stale"}
            assert [each.seq for each in prompt.skipped_entries] == [1, 2, 3]
            assert not prompt.events
        assert await actions(client, shop.tokens["referee"], shop.match) == ["f1-g1"]


async def test_a_journal_with_a_gap_stops_there_and_one_too_large_ends_the_line(
    service: Service,
) -> None:
    shop = await set_up_gateway(service)
    async with GatewayConnection(service, shop) as line:
        entries = [*map(tap, taps("a6", "b6"))]
        sent = journal(entries)
        del sent.journal.entries[1]
        await line._call.write(sent)
        gap = await line.read()
        assert gap.gap.expected_seq == 2
        assert (await line.read()).acknowledgement.highest_seq == 1
        assert (await line.read()).prompt.answered_seq == 1
        highest, prompt = await answer(line, journal(entries))
        assert (highest, len(prompt.events)) == (3, 1)
        await line._call.write(pb.ConnectRequest(journal=pb.Journal()))
        assert "journal.entries" in str(await _ending(line))
    async with GatewayConnection(service, shop) as line:
        many = journal([tap("cc map") for _ in range(1001)], 4)
        await line._call.write(many)
        assert "no more than 1000" in str(await _ending(line))


async def _ending(line: GatewayConnection) -> str:
    async def read() -> None:
        while await line._call.read():
            pass

    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await read()
    return str(ended.value.details())
