"""Where a match stands beside its game: paused, with a request or a dispute that waits."""

from contextlib import aclosing

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1 import proposals_pb2
from services.wire.emeth.v1.match_views_pb2 import View
from tests.services.conftest import (
    CreatedMatch,
    Table,
    create_match,
    match_state,
    newest_version,
    play,
)

Shown = pb.Match | View


async def everywhere(client: Client, match: CreatedMatch) -> list[Shown]:
    """The match as it stands, as GetMatch, GetView, Subscribe and ListMatches tell it."""
    version = await newest_version(client, match)
    token = match.tokens["spectator"]
    shown = await client.match(match.id, version)
    scene = await client.view(token, match.id, "text", at_least_version=version)
    async with aclosing(client.watch(token, match.id, after_version=version - 1)) as news:
        watched = await anext(news)
    status = pb.MatchStatus.Name(shown.status).removeprefix("MATCH_STATUS_")
    listed = await client.list_matches_page(filter=f"status = {status}")
    (found,) = [each for each in listed.matches if each.match_id == match.id]
    return [shown, scene, watched.view, found]


async def test_a_match_that_waits_for_a_verdict_is_paused(client: Client) -> None:
    match = await create_match(client, pause_on_dispute=True)
    await play(client, match, ("white", "a6-b6"))
    first = (
        await client.create_dispute(match.tokens["white"], match.id, 2, "I meant another")
    ).number
    second = (
        await client.create_dispute(match.tokens["black"], match.id, 2, "it fell over")
    ).number
    for shown in await everywhere(client, match):
        assert shown.status == pb.MATCH_STATUS_PAUSED
        assert not shown.prompts
        disputes = [(each.number, each.version, each.seat) for each in shown.open_disputes]
        assert disputes == [(first, 2, "white"), (second, 2, "black")]
    paused = await match_state(client, match)
    assert paused.caption == (
        f"The match is paused until the referee's verdict on 2 disputes: {first} of White on event"
        f" 2 and {second} of Black on event 2"
    )
    scene = await client.view(match.tokens["black"], match.id, "scene", at_least_version=second)
    assert scene.scene.caption == paused.caption
    assert await client.list_actions(match.tokens["black"], match.id) == []
    await client.resolve_dispute(
        match.tokens["referee"], match.id, first, "a move is a move", uphold=True
    )
    assert (await match_state(client, match)).status == pb.MATCH_STATUS_PAUSED
    await client.resolve_dispute(
        match.tokens["referee"], match.id, second, "it stands", uphold=True
    )
    for shown in await everywhere(client, match):
        assert shown.status == pb.MATCH_STATUS_ACTIVE
        assert [prompt.seat for prompt in shown.prompts] == ["black"]
        assert not shown.open_disputes
    assert await client.list_actions(match.tokens["black"], match.id)


async def test_the_state_before_and_after_a_pause_is_shown_unchanged(client: Client) -> None:
    match = await create_match(client, pause_on_dispute=True)
    await play(client, match, ("white", "a6-b6"))
    number = (
        await client.create_dispute(match.tokens["white"], match.id, 2, "I meant another")
    ).number
    await client.resolve_dispute(
        match.tokens["referee"], match.id, number, "a move is a move", uphold=True
    )
    stood = [
        await client.view(
            match.tokens["white"], match.id, "text", version=version, at_least_version=number + 1
        )
        for version in (number - 1, number, number + 1)
    ]
    statuses = (pb.MATCH_STATUS_ACTIVE, pb.MATCH_STATUS_PAUSED, pb.MATCH_STATUS_ACTIVE)
    assert [scene.status for scene in stood] == [*statuses]
    assert [len(scene.open_disputes) for scene in stood] == [0, 1, 0]


async def test_a_dispute_in_a_running_match_is_listed_and_pauses_nothing(
    client: Client, table: Table
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    number = (await client.create_dispute(table.black, table.id, 4, "it was knocked over")).number
    shown = await client.match(table.id, number)
    assert (shown.status, [prompt.seat for prompt in shown.prompts]) == (
        pb.MATCH_STATUS_ACTIVE,
        ["black"],
    )
    assert [each.number for each in shown.open_disputes] == [number]
    assert "dispute" not in shown.caption


async def test_matches_are_listed_by_whether_they_are_paused(client: Client) -> None:
    paused = await create_match(client, pause_on_dispute=True)
    active, over = await create_match(client), await create_match(client, pause_on_dispute=True)
    for match in (paused, over):
        number = (await client.create_dispute(match.tokens["white"], match.id, 1, "look")).number
    await client.resolve_dispute(over.tokens["referee"], over.id, number, "well", uphold=True)
    await client.submit_action(over.tokens["white"], over.id, resignation=True)
    await newest_version(client, over)
    await match_state(client, over)
    for status, match in (
        ("PAUSED", paused),
        ("ACTIVE", active),
        ("OVER", over),
    ):
        listed = await client.list_matches_page(filter=f"status = {status}")
        assert [each.match_id for each in listed.matches] == [match.id]


async def test_pending_undo_and_redo_requests_are_shown_in_every_view(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"))
    await client.undo(match.tokens["white"], match.id, to=1)
    for shown in await everywhere(client, match):
        asked = shown.proposal
        assert (asked.kind, asked.seat, [*asked.awaiting_seats], asked.target_version) == (
            proposals_pb2.PROPOSAL_KIND_UNDO, "white", ["black"], 1,
        )  # fmt: skip
    await client.answer(match.tokens["black"], match.id, accepted=True)
    for shown in await everywhere(client, match):
        assert not shown.HasField("proposal")
    await client.create_proposal(match.tokens["white"], match.id, redo={"version": 2})
    for shown in await everywhere(client, match):
        assert (shown.proposal.kind, shown.proposal.target_version) == (
            proposals_pb2.PROPOSAL_KIND_REDO,
            2,
        )


@pytest.mark.parametrize("game", ["earthen-war", "tokars-arcana"])
async def test_an_offer_of_a_draw_is_narrated_with_or_without_game_notation(
    client: Client, game: str
) -> None:
    match = await create_match(client, game)
    opening = await match_state(client, match)
    assert not opening.HasField("proposal")
    offering = opening.prompts[0].seat
    (other,) = [seat.name for seat in opening.seats if seat.name != offering]
    assert (await client.create_proposal(match.tokens[offering], match.id, draw={})).HasField(
        "accepted"
    )
    for shown in await everywhere(client, match):
        asked = shown.proposal
        assert (asked.kind, asked.seat, [*asked.awaiting_seats]) == (
            proposals_pb2.PROPOSAL_KIND_DRAW, offering, [other],
        )  # fmt: skip
        assert not asked.HasField("target_version")
    assert (await client.answer(match.tokens[other], match.id, accepted=False)).HasField("accepted")
    for shown in await everywhere(client, match):
        assert not shown.HasField("proposal")
