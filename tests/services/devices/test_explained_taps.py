"""An action that came of taps is explained with them, to each viewer as far as it may know."""

from random import Random

from services.client import Client
from services.client.gateway import Device, GatewayClient
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2
from services.wire.emeth.v1 import audit_pb2, tables_pb2
from services.wire.emeth.v1.matches_pb2 import (
    CHANCE_ENTERED,
    CHANCE_ROLLED,
    Chance,
    CreateMatchResponse,
)
from tests.simulated_gateway import STYLUS


async def at_table(
    service: Service, client: Client, game: str, chance: Chance.ValueType = CHANCE_ENTERED
) -> tuple[str, CreateMatchResponse]:
    """A gateway with a stylus, named Ada's pen, that has all seats of a new match; its key."""
    key = (await client.create_gateway(service.admin_key, name="Corner table")).gateway_key
    await client.pair_stylus(key, STYLUS, pin="0000")
    await client.update_stylus(key, STYLUS, name="Ada's pen", pin="4711")
    created = await client.create_match(game=game, chance=chance)
    tokens = [
        token for role, token in created.tokens.items() if role not in ("referee", "spectator")
    ]
    await client.seat_stylus(key, STYLUS, created.match.match_id, tokens)
    return key, created


async def explained(
    client: Client, created: CreateMatchResponse, version: int, role: str
) -> audit_pb2.ExplainEventResponse:
    match = created.match.match_id
    return await client.explain(created.tokens[role], match, version, at_least_version=version)


async def test_an_action_is_explained_with_the_taps_that_requested_it(
    service: Service, client: Client
) -> None:
    key, created = await at_table(service, client, "agog")
    async with GatewayClient(service.address, key, device=Device(clock=lambda: 7.0)) as gateway:
        await gateway.wait_for_prompt(STYLUS, 1)
        for code in ("space a6", "space b6", "button/confirm"):
            await gateway.tap(STYLUS, code)
    for role in ("white", "black", "referee", "spectator"):
        taps = (await explained(client, created, 2, role)).taps
        assert [tap.target for tap in taps] == ["space a6", "space b6", "button confirm"]
        assert {(tap.stylus_name, tap.gateway_name) for tap in taps} == {
            ("Ada's pen", "Corner table")
        }
        assert taps[0].device_time.seconds == 7
        assert [tap.action_version for tap in taps] == [0, 0, 2]
        assert taps[-1].outcome == tables_pb2.TAP_OUTCOME_ACTED
        assert not any(tap.withheld for tap in taps)
    assert not (await explained(client, created, 1, "referee")).taps


async def test_an_action_that_came_from_elsewhere_has_no_taps(
    service: Service, client: Client
) -> None:
    _, created = await at_table(service, client, "agog")
    await client.submit(created.tokens["white"], created.match.match_id, "a6-b6")
    assert not (await explained(client, created, 2, "referee")).taps


class Arcana:
    """A match of Res Arcana that is played by taps: two seats, and one stylus for both."""

    def __init__(self, gateway: GatewayClient, seed: int) -> None:
        self._gateway = gateway
        self._random = Random(seed)
        self.version = 1
        self.seats: set[str] = set()

    async def act(self) -> connections_pb2.DevicePrompt:
        """Tap whatever may be tapped until an action is taken."""
        gateway = self._gateway
        prompt = await gateway.wait_for_prompt(STYLUS, self.version)
        while True:
            if prompt.HasField("armed"):
                code = "button confirm"
            elif prompt.next_targets:
                code = self._random.choice(prompt.next_targets)
            else:
                runes = [n for n, rune in enumerate(prompt.runes, 1) if "resign" not in rune.label]
                code = f"cc rune {self._random.choice(runes)}"
            prompt = await gateway.tap(STYLUS, code)
            if prompt.events:
                self.version = prompt.match_version
                self.seats.add(prompt.events[0].seat)
                return prompt


async def test_where_a_game_hides_things_only_the_seat_and_the_referee_know_what_was_tapped(
    service: Service, client: Client
) -> None:
    key, created = await at_table(service, client, "res-arcana", CHANCE_ROLLED)
    async with GatewayClient(service.address, key) as gateway:
        playing = Arcana(gateway, 5)
        acted = 0
        while acted < 12 or len(playing.seats) < 2:
            acted += 1
            await playing.act()
    match, tokens = created.match.match_id, created.tokens
    events = await client.list_events(tokens["referee"], match, at_least_version=playing.version)
    actors = set()
    for event in [each for each in events if "taps" in each.details]:
        actors.add(event.seat)
        versions = [*map(int, event.details["taps"].split(" "))]
        for role in tokens:
            explanation = await explained(client, created, event.version, role)
            taps = explanation.taps
            if "?" in explanation.event.action.notation:
                # How many taps it took to pick a card may tell which card it was.
                assert not taps
                assert "taps" not in explanation.event.details
                continue
            if role == "referee":
                assert [tap.version for tap in taps] == versions
            if role in ("referee", event.seat):
                assert len(taps) == len(versions)
                assert all(tap.target for tap in taps)
                assert not any(tap.withheld for tap in taps)
                assert taps[-1].action_version == event.version
            else:
                (tap,) = taps
                assert tap.withheld
                assert {field.name for field, _ in tap.ListFields()} == OPEN
                assert tap.action_version == event.version
    assert len(actors) == 2


OPEN = {
    "gateway_id", "gateway_name", "stylus_id", "stylus_name",
    "outcome", "match_id", "match_version", "action_version", "withheld",
}  # fmt: skip
"""What opponents see of the taps of an action: which stylus took it."""


async def test_where_a_game_hides_things_no_seat_can_count_the_taps_of_another(
    service: Service, client: Client
) -> None:
    """Numbers of taps at the table, and in the gateway's run, would tell how many there were."""
    key, created = await at_table(service, client, "res-arcana", CHANCE_ROLLED)
    async with GatewayClient(service.address, key, device=Device(clock=lambda: 7.0)) as gateway:
        playing = Arcana(gateway, 5)
        while len(playing.seats) < 2:
            await playing.act()
    match, tokens = created.match.match_id, created.tokens
    for role in {*tokens} - {"referee"}:
        for event in await client.list_events(
            tokens[role], match, at_least_version=playing.version
        ):
            assert "taps" not in event.details
            for tap in (await explained(client, created, event.version, role)).taps:
                assert (tap.version, tap.epoch, tap.seq) == (0, "", 0)
                assert (
                    tap.HasField("record_time")
                    == tap.HasField("device_time")
                    == (role == event.seat)
                )


async def test_a_card_that_was_tapped_and_deselected_is_shown_to_no_other_player(
    service: Service, client: Client
) -> None:
    """It is among the taps that the action names, and appears nowhere in the action."""
    key, created = await at_table(service, client, "res-arcana", CHANCE_ROLLED)
    async with GatewayClient(service.address, key) as gateway:
        playing = Arcana(gateway, 1)
        while True:
            prompt = await gateway.wait_for_prompt(STYLUS, playing.version)
            cards = [thing for thing in prompt.next_targets if thing.startswith("card ")]
            if len(cards) > 2 and not prompt.HasField("armed"):
                break
            await playing.act()
        for card in cards[:2]:
            await gateway.tap(STYLUS, card)
        done = await playing.act()
    event = done.events[0]
    known = await explained(client, created, event.version, "referee")
    assert {*cards[:2]} <= {tap.target for tap in known.taps}
    for role in {*created.tokens} - {"referee", event.seat}:
        explanation = await explained(client, created, event.version, role)
        taps = explanation.taps
        assert taps or "?" in explanation.event.action.notation
        assert not any(tap.code or tap.target for tap in taps)
