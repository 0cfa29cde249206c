"""Scenes over gRPC: what changes with each event, and what is marked in them."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from google.protobuf.json_format import MessageToJson
from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.kernel.scene import Mark, Scene
from domain.kernel.scene_changes import (
    Change,
    PieceAppeared,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    apply_changes,
)
from domain.registry import GAMES
from services.client import Client
from services.mapping.scene_messages import read_change, read_scene
from services.wire.emeth.v1 import actions_pb2, matches_pb2
from tests.console.conftest import node
from tests.services.conftest import (
    OPENING,
    CreatedMatch,
    create_match,
    newest_version,
    play,
    refusal,
)


def changes(event: actions_pb2.Event) -> list[Change]:
    found = [read_change(each) for each in event.changes]
    assert None not in found
    return [each for each in found if each is not None]


async def wander(client: Client, match: CreatedMatch, actions: int) -> None:
    """Take so many random actions of play, for the seats that are prompted."""
    random, game = Random(actions), GAMES[(await client.match(match.id)).game]
    for _ in range(actions):
        for seat in (await client.match(match.id)).seats:
            listed = await client.list_actions(match.tokens["referee"], match.id, seat.name)
            if real := [
                each.notation for each in listed if not game.is_administrative(_read(game, each))
            ]:
                await play(client, match, (seat.name, random.choice(real)))
                break


def _read(game: AnyGame, action: actions_pb2.Action) -> object:
    return game.read_action(action.notation)


def renamed_at_once(scene: Scene, steps: list[Change]) -> Scene:
    """The scene after these changes, by a client that gives all pieces their new ids first, all at
    once, and then applies the rest to pieces by their ids."""
    born = {step.now.id for step in steps if isinstance(step, PieceAppeared)}
    gone = {step.piece for step in steps if isinstance(step, PieceRemoved)}
    became = {piece.id: piece for piece in scene.pieces if piece.id not in gone}
    names = {key: key for key in became}
    for step in steps:
        if isinstance(step, PieceMoved | PieceChanged):
            (first,) = [key for key, name in names.items() if name == step.piece]
            names[first] = step.now.id
            became[first] = step.now
    pieces = {names[key]: piece for key, piece in became.items()}
    assert len(pieces) == len(became), "no two pieces have one id"
    assert not born & set(pieces), "none appears with an id that another has"
    rest = [
        step for step in steps if not isinstance(step, PieceMoved | PieceChanged | PieceRemoved)
    ]
    return apply_changes(replace(scene, pieces=tuple(pieces.values())), rest)


@pytest.mark.parametrize("game", list(GAMES))
async def test_the_changes_of_events_lead_from_scene_to_scene(
    client: Client, game: str, tmp_path: Path
) -> None:
    """In order, with all renames at once, and by the client for JavaScript; for every viewer."""
    match = await create_match(client, game, chance=matches_pb2.CHANCE_ROLLED)
    await wander(client, match, 15)
    await client.undo(match.tokens["referee"], match.id, await newest_version(client, match) - 4)
    await wander(client, match, 3)
    last, recorded = await newest_version(client, match), tmp_path / "events.jsonl"
    with recorded.open("w") as file:
        for token in match.tokens.values():
            scene = Scene("")
            watched = client.watch(token, match.id, "scene")
            async for news in watched:
                file.write(f"{MessageToJson(news, indent=None)}\n")
                steps = changes(news.event)
                assert renamed_at_once(scene, steps) == apply_changes(scene, steps)
                scene = apply_changes(scene, steps)
                assert scene == read_scene(news.view.scene)
                if news.event.version == last:
                    break
            await watched.aclose()
    output = await asyncio.to_thread(node, "client/changed_scenes.ts", str(recorded))
    assert output == f"{(last - 1) * len(match.tokens)} scenes reached\n"


async def test_a_move_and_its_captures_are_narrated_generically(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING[:1])
    seat, text = OPENING[0]
    start, end = text.split("-")
    history = await client.list_events(match.tokens["spectator"], match.id, include_changes=True)
    moved = [each for each in changes(history[-1]) if isinstance(each, PieceMoved)]
    assert [(each.start, each.end) for each in moved] == [(start, end)]
    plain = await client.list_events(match.tokens["spectator"], match.id)
    assert not any(event.changes for event in plain)
    assert seat == "white"


async def test_what_lies_there_from_the_start_is_not_marked_as_the_last_action(
    client: Client,
) -> None:
    match = await create_match(client)
    seen = await client.view(match.tokens["spectator"], match.id, "scene", version=1)
    assert read_scene(seen.scene).marks == ()


async def test_the_last_action_is_marked(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    start, end = OPENING[-1][1].split("-")
    seen = await client.view(match.tokens["spectator"], match.id, "scene")
    marks = read_scene(seen.scene).marks
    assert Mark("last", space=start) in marks
    assert Mark("last", space=end) in marks


async def test_what_may_be_done_is_marked_for_who_may_do_it(client: Client) -> None:
    match = await create_match(client)

    async def marks(role: str, **more: object) -> set[Mark]:
        seen = await client.view(
            match.tokens[role],
            match.id,
            "scene",
            mark_legal=True,
            **more,  # type: ignore[arg-type]
        )
        return {each for each in read_scene(seen.scene).marks if each.kind != "last"}

    listed = await client.list_actions(match.tokens["white"], match.id)
    assert await marks("white") == {
        *(Mark("legal", piece=action.pieces[0]) for action in listed if action.pieces),
        *(Mark("legal", space=space) for action in listed for space in action.spaces),
    }
    assert await marks("black") == set()
    picked = next(action.pieces[0] for action in listed if action.pieces)
    ends = {s for action in listed if action.pieces[:1] == [picked] for s in action.spaces}
    assert await marks("white", selected=picked) == {
        Mark("selected", piece=picked),
        *(Mark("reachable", space=space) for space in ends),
    }
    nothing = client.view(match.tokens["white"], match.id, "scene", selected="nobody")
    assert await refusal(nothing) == "FIELD_INVALID"


async def test_an_answer_carries_changes_if_requested(client: Client) -> None:
    match = await create_match(client)
    seat, text = OPENING[0]
    foreseen = await client.submit(
        match.tokens[seat], match.id, text, changes=True, validate_only=True
    )
    answer = await client.submit(match.tokens[seat], match.id, text, changes=True)
    seen = await client.view(match.tokens[seat], match.id, "scene", version=1)
    after = await client.view(match.tokens[seat], match.id, "scene", at_least_version=2)
    for accepted in (foreseen.accepted, answer.accepted):
        found = apply_changes(read_scene(seen.scene), changes(accepted.events[0]))
        assert found == read_scene(after.scene)


async def test_no_prompt_follows_a_resignation(client: Client) -> None:
    match = await create_match(client, "golem-arcana", chance=matches_pb2.CHANCE_ROLLED)
    loser, winner = [
        role for role in match.tokens if role not in ("referee", "spectator", "table")
    ][:2]
    await client.submit_action(match.tokens[loser], match.id, resignation=True)
    seen = await client.view(match.tokens["spectator"], match.id, "scene")
    assert seen.scene.caption == f"{winner.title()} has won: {loser.title()} resigned"
    assert (await client.match(match.id)).caption == seen.scene.caption
