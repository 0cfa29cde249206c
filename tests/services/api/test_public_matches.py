"""A public match is shown to anybody as to a spectator; any other to nobody without a token."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing

import pytest

from services.client import Client
from services.wire.emeth.v1 import audit_pb2, history_pb2, views_pb2
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.projections.views.replay.test_page import data
from tests.services.conftest import CreatedMatch, create_match, newest_version, play, refusal


async def watched(client: Client, token: str, match: CreatedMatch) -> list[object]:
    seen: list[object] = []
    async with aclosing(client.watch(token, match.id, "scene")) as news:
        async for event in news:
            seen.append(event)
            if event.event.version == await newest_version(client, match):
                break
    return seen


async def exported(client: Client, token: str, match: CreatedMatch) -> list[str]:
    """The lines of the file but the last, which says when it was signed."""
    raw = (await client.export(token, match.id)).data
    return raw.decode().splitlines()[:-1]


async def replayed(client: Client, token: str, match: CreatedMatch) -> list[object]:
    return [each async for each in client.replay(token, match.id)]


async def page(client: Client, token: str, match: CreatedMatch) -> str:
    """The frames of the replay as a page; with them comes what says when it was signed."""
    form = history_pb2.EXPORT_FORMAT_REPLAY_PAGE
    pieces = [piece.data async for piece in client.export_match(token, match.id, form)]
    return str(data(b"".join(pieces).decode())["frames"])


async def readjudicated(client: Client, token: str, match: CreatedMatch) -> list[object]:
    return [each async for each in client.readjudicate_matches(token, match.id)]


Look = Callable[[Client, str, CreatedMatch], Awaitable[object]]
LOOKS: dict[str, Look] = {
    "GetView": lambda client, token, match: client.view(
        token, match.id, "scene", "svg", "text", "match", "information_state"
    ),
    "Subscribe": watched,
    "Subscribe to a replay": replayed,
    "ListEvents": lambda client, token, match: client.list_events(token, match.id),
    "ListBranches": lambda client, token, match: client.list_branches(token, match.id),
    "ExportMatch": page,
    "a transcript": lambda client, token, match: client.transcript(token, match.id),
    "a score": lambda client, token, match: client.score(token, match.id),
    "ExplainEvent": lambda client, token, match: client.explain(token, match.id, 2),
    "ListCitations": lambda client, token, match: client.citations(token, match.id),
    "ListDisputes": lambda client, token, match: client.list_disputes_page(token, match.id),
    "VerifyMatch": lambda client, token, match: client.verify_match(token, match.id),
    "ReadjudicateMatches": readjudicated,
}
CHANGES: dict[str, Look] = {
    "ListActions": lambda client, token, match: client.list_actions(token, match.id, "black"),
    "SubmitAction": lambda client, token, match: client.submit(token, match.id, "h3-g3"),
    "SubmitAction validate_only": lambda client, token, match: client.submit(
        token, match.id, "h3-g3", validate_only=True
    ),
    "SubmitAction resignation": lambda client, token, match: client.submit_action(
        token, match.id, resignation=True
    ),
    "PreviewOrder": lambda client, token, match: client.preview_order(
        token, match.id, notations=["h3-g3"]
    ),
    "CreateProposal draw": lambda client, token, match: client.create_proposal(
        token, match.id, draw={}
    ),
    "CreateProposal undo": lambda client, token, match: client.undo(token, match.id, to=1),
    "CreateProposal redo": lambda client, token, match: client.create_proposal(
        token, match.id, redo={}
    ),
    "RespondToProposal": lambda client, token, match: client.answer(token, match.id, accepted=True),
    "CreateDispute": lambda client, token, match: client.create_dispute(token, match.id, 2, "why"),
    "ResolveDispute": lambda client, token, match: client.resolve_dispute(
        token, match.id, 2, "so", uphold=True
    ),
    "ForkMatch": lambda client, token, match: client.fork_match(token, match.id),
    "JoinMatch": lambda client, token, match: client.join_match(token, match.id, "black", "Eve"),
    "LeaveMatch": lambda client, token, match: client.leave_match(token, match.id, "black"),
}


async def hidden_game(client: Client, visibility: pb.Visibility.ValueType) -> CreatedMatch:
    """A match of Res Arcana, which has hidden hands, some way in."""
    match = await create_match(client, "res-arcana", visibility=visibility)
    for _ in range(6):
        prompts = (await client.match(match.id, await newest_version(client, match))).prompts
        token = match.tokens[prompts[0].seat]
        (first, *_) = await client.list_actions(token, match.id)
        assert (await client.submit(token, match.id, first.notation)).HasField("accepted")
    return match


@pytest.mark.parametrize("name", LOOKS)
async def test_a_public_match_is_shown_to_anybody_as_to_a_spectator(
    client: Client, name: str
) -> None:
    match = await hidden_game(client, pb.VISIBILITY_PUBLIC)
    await client.match(match.id, await newest_version(client, match))
    look = LOOKS[name]
    shown = await look(client, "", match)
    assert shown == await look(client, match.tokens["spectator"], match)
    assert await refusal(look(client, "nonsense", match)) == "TOKEN_WRONG_MATCH"


async def test_what_is_hidden_stays_so(client: Client) -> None:
    match = await hidden_game(client, pb.VISIBILITY_PUBLIC)
    hands = [await client.view(match.tokens[seat], match.id, "text") for seat in ("north", "east")]
    shown = await client.view(
        "", match.id, "text", at_least_version=await newest_version(client, match)
    )
    assert shown.position not in [hand.position for hand in hands]
    for viewer in ("north", "referee"):
        assert await refusal(client.view("", match.id, "text", viewer=viewer)) == "ROLE_NOT_ALLOWED"
    assert await refusal(exported(client, "", match)) == "ROLE_NOT_ALLOWED"
    found = (await client.get_match(match_id=match.id)).caller
    assert (found.role, [*found.permissions]) == ("spectator", [pb.PERMISSION_WATCH])


async def test_armies_and_files_of_a_public_match(client: Client) -> None:
    golems = await create_match(client, "golem-arcana", visibility=pb.VISIBILITY_PUBLIC)
    assert (await client.view("", golems.id, "army_status")).army_status.sides
    agog = await create_match(client, visibility=pb.VISIBILITY_PUBLIC)
    assert await exported(client, "", agog) == await exported(
        client, agog.tokens["spectator"], agog
    )


@pytest.mark.parametrize("name", CHANGES)
async def test_nobody_changes_a_public_match_without_a_token(client: Client, name: str) -> None:
    match = await create_match(client, visibility=pb.VISIBILITY_PUBLIC)
    await play(client, match, ("white", "a6-b6"))
    assert await refusal(CHANGES[name](client, "", match)) == "TOKEN_MISSING"
    assert await newest_version(client, match) == 2


@pytest.mark.parametrize("name", LOOKS)
async def test_a_match_is_private_unless_it_is_said(client: Client, name: str) -> None:
    created = await client.create_match(game="agog")
    assert created.match.visibility == pb.VISIBILITY_PRIVATE
    match = CreatedMatch(created.match.match_id, dict(created.tokens))
    assert await refusal(LOOKS[name](client, "", match)) == "TOKEN_MISSING"


async def test_a_fork_is_as_public_as_its_origin(client: Client) -> None:
    match = await create_match(
        client, visibility=pb.VISIBILITY_PUBLIC, substitute_policy=pb.SUBSTITUTE_POLICY_REFEREE
    )
    fork = (await client.fork_match(match.tokens["white"], match.id)).match
    assert (fork.visibility, fork.substitute_policy) == (
        pb.VISIBILITY_PUBLIC,
        pb.SUBSTITUTE_POLICY_REFEREE,
    )


async def test_a_transcript_keeps_the_terms(client: Client) -> None:
    match = await create_match(
        client, visibility=pb.VISIBILITY_PUBLIC, substitute_policy=pb.SUBSTITUTE_POLICY_REFEREE
    )
    await play(client, match, ("white", "a6-b6"))
    transcript = await client.transcript("", match.id)
    made = (await client.import_transcript(transcript=transcript.text)).match
    assert (made.visibility, made.substitute_policy) == (
        pb.VISIBILITY_PUBLIC,
        pb.SUBSTITUTE_POLICY_REFEREE,
    )


async def test_watching_continues_while_seats_are_taken(client: Client) -> None:
    match = await create_match(client, visibility=pb.VISIBILITY_PUBLIC)
    async with aclosing(client.watch("", match.id)) as news:
        assert (await anext(news)).event.kind == "match.MatchCreated"
        await client.join_match(match.tokens["white"], match.id, "white", "Ada")
        assert (await anext(news)).event.kind == "match.SeatClaimed"


async def test_a_request_for_the_same_match_with_another_visibility_is_refused(
    client: Client,
) -> None:
    request_id = "0b6f7a36-6c0c-4d9a-9b0a-7c3f0d1d2e4f"
    made = await client.create_match(game="agog", request_id=request_id)
    again = await client.create_match(game="agog", request_id=request_id)
    assert made.tokens == again.tokens
    for terms in (
        {"visibility": pb.VISIBILITY_PUBLIC},
        {"substitute_policy": pb.SUBSTITUTE_POLICY_REFEREE},
    ):
        call = client.create_match(game="agog", request_id=request_id, **terms)  # type: ignore[arg-type]
        assert await refusal(call) == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("field", ["visibility", "substitute_policy"])
async def test_an_unknown_term_is_named(client: Client, field: str) -> None:
    request = pb.CreateMatchRequest(
        request_id="0b6f7a36-6c0c-4d9a-9b0a-7c3f0d1d2e50", game="agog", **{field: 9}
    )
    assert await refusal(client._call(client._matches.CreateMatch, request)) == "FIELD_INVALID"


def test_every_call_that_looks_is_tried() -> None:
    methods = {
        method.name
        for each in (views_pb2, history_pb2, audit_pb2)
        for service in each.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    elsewhere = {
        "CreateStreamTicket", "UpdateSubscription", "ImportTranscript", "ImportMatch",
        "GetCheckpoint", "GetProof",
    }  # fmt: skip
    assert methods - {*LOOKS, *CHANGES} <= elsewhere
