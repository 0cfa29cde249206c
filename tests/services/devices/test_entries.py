"""Entries that no seat makes, as shuffles and what the referee hides: each kind of them, in every
game, is tapped over the wire with the table's or the referee's token."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, AnyGame, Prompt
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.wire.emeth.v1 import tables_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED
from tests.services.conftest import STYLUS, actions, refusal

STEPS = 80
"""Number of actions within which each of these entries is prompted."""
CHOSEN = 400
"""Legal actions among which one is chosen, at most."""


class Asking(NamedTuple):
    """Options with which a game asks for these entries of nobody who sits at the board."""

    game: str
    options: dict[str, str]
    wants: frozenset[str]


SHUFFLED = frozenset({"sides", "monuments", "mages", "shuffle"})
ASKING = (
    Asking("res-arcana", {"first": "random"}, SHUFFLED | {"first", "artifacts"}),
    Asking("res-arcana", {"draft": "yes"}, SHUFFLED | {"deal"}),
    Asking("golem-arcana", {"scenario": "night-of-embers"}, frozenset({"hide"})),
)


class Turn(NamedTuple):
    """Somebody is asked, and answers."""

    state: Any
    prompt: Prompt
    action: Any


def turns(game: AnyGame, options: Any, seed: int) -> Iterator[Turn]:
    """The turns of a random match."""
    random, state = Random(seed), game.start(options)
    for _ in range(STEPS):
        if game.result(state) is not None:
            return
        prompt = game.turn(state)[0]
        legal = islice(game.legal(state, prompt.seat), CHOSEN)
        action = random.choice([each for each in legal if not game.is_administrative(each)])
        yield Turn(state, prompt, action)
        outcome = game.decide(state, prompt.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)


def wanted(game: AnyGame, given: dict[str, str], seed: int) -> set[str]:
    """What a random match asks for of nobody who sits there."""
    options = msgspec.convert(given, game.options)
    seats = game.seats(options)
    return {
        t.prompt.expected_action for t in turns(game, options, seed) if t.prompt.seat not in seats
    }


def choices(game: AnyGame) -> Iterator[dict[str, str]]:
    """Nothing chosen, each value of each option that has few, and each scenario."""
    yield {}
    known = msgspec.json.schema(game.options)["$defs"][game.options.__name__]["properties"]
    for name, schema in known.items():
        for each in (schema, *schema.get("anyOf", ())):
            for value in each.get("enum", ()):
                with suppress(msgspec.ValidationError):  # it goes with other options
                    msgspec.convert({name: value}, game.options)
                    yield {name: value}
    pack = getattr(game.options(), "pack", None)
    yield from ({"scenario": each} for each in getattr(pack, "scenarios", ()))


def test_what_is_tapped_here_is_all_that_is_asked_of_nobody_who_sits_there() -> None:
    for slug, game in GAMES.items():
        known = {want for asking in ASKING if asking.game == slug for want in asking.wants}
        found = set().union(*(wanted(game, given, 1) for given in choices(game)))
        assert found == known, slug


@pytest.mark.parametrize(
    ("asking", "role"),
    [(asking, role) for asking in ASKING for role in (*GAMES[asking.game].entry_roles, REFEREE)],
    ids=lambda each: each if isinstance(each, str) else "-".join(each.options.values()),
)
async def test_each_entry_is_tapped_with_the_token_of_who_makes_it(
    service: Service, asking: Asking, role: str
) -> None:
    game = GAMES[asking.game]
    options = msgspec.convert(asking.options, game.options)
    async with Client(service.address) as client:
        created = await client.create_match(
            game=asking.game, options=asking.options, chance=CHANCE_ENTERED
        )
        match, tokens = created.match.match_id, created.tokens
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        await client.pair_stylus(key, STYLUS, pin="0000")
        await client.seat_stylus(key, STYLUS, match, [tokens[role]])
        left, done = set(asking.wants), []
        async with GatewayClient(service.address, key) as gateway:
            for state, prompt, action in turns(game, options, 1):
                notation = game.write_action(action)
                version = len(done) + 1
                if prompt.seat in game.seats(options):
                    answer = await client.submit(tokens[prompt.seat], match, notation)
                    assert answer.HasField("accepted"), answer
                else:
                    shown = await gateway.wait_for_prompt(STYLUS, version)
                    asked = shown.prompts[0].expected_action
                    assert (shown.seat, asked) == (prompt.seat, prompt.expected_action)
                    for code in taps_for(StylusView(game, state, (prompt.seat,)), action):
                        shown = await gateway.tap(STYLUS, code)
                        assert not shown.HasField("refusal"), (notation, code, shown.refusal)
                    assert shown.outcome == pb.TAP_OUTCOME_ACTED, notation
                    left.discard(prompt.expected_action)
                done.append(notation)
                if not left:
                    break
        assert not left
        assert await actions(client, tokens[REFEREE], match, len(done) + 1) == done


@pytest.mark.parametrize("asking", ASKING, ids=lambda each: "-".join(each.options.values()))
async def test_neither_a_seat_nor_a_spectator_makes_them(service: Service, asking: Asking) -> None:
    game = GAMES[asking.game]
    options = msgspec.convert(asking.options, game.options)
    state, prompt, action = next(turns(game, options, 1))
    async with Client(service.address) as client:
        created = await client.create_match(
            game=asking.game, options=asking.options, chance=CHANCE_ENTERED
        )
        match, tokens = created.match.match_id, created.tokens
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        await client.pair_stylus(key, STYLUS, pin="0000")
        seat = game.seats(options)[0]
        for role in (seat, "spectator"):
            await client.seat_stylus(key, STYLUS, match, [tokens[role]])
            async with GatewayClient(service.address, key) as gateway:
                await gateway.wait_for_prompt(STYLUS, 1)
                for code in taps_for(StylusView(game, state, (prompt.seat,)), action):
                    shown = await gateway.tap(STYLUS, code)
                assert shown.outcome == pb.TAP_OUTCOME_REFUSED
                assert shown.match_version == 1
        call = client.submit(tokens["spectator"], match, game.write_action(action))
        assert await refusal(call) == "ROLE_NOT_ALLOWED"
