"""Two matches that differ only in what a viewer may not see are the same to that viewer.

The table enters other cards for East in the one than in the other. Whatever the service then tells
North or a spectator must be equal, byte for byte, but for names and times of the two matches.
"""

import re
from random import Random
from typing import Any, NamedTuple

import pytest

from domain.kernel.game import Accepted, Happening, fold
from domain.registry import GAMES
from services.client import Client
from services.wire.emeth.v1 import views_pb2
from services.wire.emeth.v1.actions_pb2 import Event

GAME = GAMES["res-arcana"]
OPTIONS = {"players": 2, "chance": "entered"}
VIEWERS = ("north", "spectator")
FORMS = (
    views_pb2.SCENE_FORMAT_STRUCTURE,
    views_pb2.SCENE_FORMAT_TEXT,
    views_pb2.SCENE_FORMAT_SVG,
)


class Twin(NamedTuple):
    """One of the two matches, and its position as the rules have it."""

    id: str
    tokens: dict[str, str]
    state: Any
    stood: dict[int, Any]
    """The positions at all versions."""


async def begun(client: Client) -> Twin:
    created = await client.create_match(GAME.slug, OPTIONS)
    state = GAME.start(GAME.options(players=2, chance="entered"))
    return Twin(created.match.match_id, dict(created.tokens), state, {1: state})


def known(state: Any, seat: str, text: str) -> list[Any]:
    """What North and a spectator may know of an action, by the game's own veil."""
    action = GAME.read_action(text)
    outcome = GAME.decide(state, seat, action)
    assert isinstance(outcome, Accepted)
    happening = Happening(seat, action, outcome.facts, outcome.rulings)
    return [GAME.veil(happening, viewer) for viewer in VIEWERS]


async def take(client: Client, twin: Twin, seat: str, text: str) -> tuple[Twin, int]:
    answer = await client.submit(twin.tokens[seat], twin.id, text)
    assert answer.HasField("accepted"), (seat, text, answer)
    outcome = GAME.decide(twin.state, seat, GAME.read_action(text))
    assert isinstance(outcome, Accepted)
    state, version = fold(GAME, twin.state, outcome.facts), answer.accepted.version
    return twin._replace(state=state, stood=twin.stood | {version: state}), version


async def take_back(client: Client, twin: Twin, to: int) -> Twin:
    consent = await client.undo(twin.tokens["referee"], twin.id, to)
    state = twin.stood[to]
    return twin._replace(state=state, stood=twin.stood | {consent.version: state})


def unnamed(event: Event) -> bytes:
    """An event without what names and dates its match."""
    event.ClearField("at")
    event.ClearField("digest")
    return event.SerializeToString(deterministic=True)


async def told(client: Client, twin: Twin, version: int) -> list[object]:
    """Everything that the service tells North and a spectator."""
    everything: list[object] = []
    for viewer in VIEWERS:
        token = twin.tokens[viewer]
        for form in FORMS:
            scene = await client.scene(token, twin.id, at_least_version=version, form=form)
            everything.append(scene.SerializeToString(deterministic=True))
        history = await client.list_history(token, twin.id, version)
        everything.append([unnamed(event) for event in history])
        everything.append((await client.record(token, twin.id, version)).record)
        everything += await told_of_the_past(client, twin, token, version)
        explained = await client.explain(token, twin.id, version)
        everything.append(unnamed(explained.event))
        refused = await client.submit(twin.tokens["north"], twin.id, "use hanging-gardens 9")
        everything.append(refused.SerializeToString(deterministic=True))
    listed = await client.list_every_action(twin.tokens["north"], twin.id)
    everything.append([action.SerializeToString(deterministic=True) for action in listed])
    public = await client.match(twin.id, version)
    for field in ("match_id", "created_at", "updated_at"):
        public.ClearField(field)
    everything.append(public.SerializeToString(deterministic=True))
    return everything


async def told_of_the_past(client: Client, twin: Twin, token: str, version: int) -> list[object]:
    """What the service tells of how the match stood, and of what was undone."""
    everything: list[object] = []
    for earlier in (1 + version // 3, 1 + version // 2, version):
        position = await client.position(token, twin.id, version=earlier)
        everything.append(position.SerializeToString(deterministic=True))
    branches = await client.branches(token, twin.id, version)
    everything.append([branch.SerializeToString(deterministic=True) for branch in branches])
    async for watched in client.replay(token, twin.id, form=views_pb2.SCENE_FORMAT_TEXT):
        unnamed(watched.event)
        everything.append(watched.SerializeToString(deterministic=True))
    transcript = (await client.transcript(token, twin.id, version)).transcript
    everything.append(re.sub(r"(?m)^\[(Match|Date) .*", "", transcript))
    return everything


def of_east(state: Any, text: str) -> bool:
    """Does this entry tell what East is given?"""
    outcome = GAME.decide(state, "table", GAME.read_action(text))
    assert isinstance(outcome, Accepted)
    return any(getattr(fact, "seat", "") == "east" for fact in outcome.facts)


def pair(twins: tuple[Twin, Twin], seat: str, random: Random) -> tuple[str, str] | None:
    """Actions for the twins that look alike to those who must not know, and differ if they can."""
    first, second = (
        [GAME.write_action(action) for action in GAME.legal(twin.state, seat)] for twin in twins
    )
    if seat == "north":
        assert first == second
        same = random.choice(first)
        return same, same
    if seat == "table" and "East" not in GAME.look(twins[0].state, "referee").caption:
        common = [text for text in first if text in second and not of_east(twins[0].state, text)]
        if common:
            same = random.choice(common)
            return same, same
    seen = [(text, known(twins[1].state, seat, text)) for text in second]
    random.shuffle(first)
    for text in first:
        looks = known(twins[0].state, seat, text)
        alike = [other for other, seen_as in seen if seen_as == looks]
        if alike:
            return text, random.choice(alike)
    return None


@pytest.mark.parametrize("seed", [1, 2])
async def test_north_is_told_the_same_whatever_east_holds(client: Client, seed: int) -> None:
    random = Random(seed)
    twins = (await begun(client), await begun(client))
    differed = compared = 0
    for _ in range(90):
        asks = GAME.turn(twins[0].state)
        assert asks == GAME.turn(twins[1].state)
        chosen = pair(twins, asks[0].seat, random) if asks else None
        if chosen is None:  # East can only do what shows what it holds
            break
        seat, (first, second) = asks[0].seat, chosen
        differed += first != second
        left, version = await take(client, twins[0], seat, first)
        right, _ = await take(client, twins[1], seat, second)
        if random.random() < 0.1:
            left, right = [await take_back(client, each, version - 1) for each in (left, right)]
            version += 1
        twins = (left, right)
        if version % 4 == 0:
            assert await told(client, left, version) == await told(client, right, version)
            compared += 1
    assert differed > 5
    assert compared > 5
