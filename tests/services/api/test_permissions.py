"""What a token is good for, and what nobody's token is."""

from collections.abc import Awaitable, Callable
from uuid import uuid4

import pytest

from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import CreatedMatch, Table, create_match, play, refusal

FORBIDDEN = (
    "ROLE_NOT_ALLOWED",
    "TOKEN_WRONG_MATCH",
    "UNDO_FORBIDDEN",
    "NO_DRAWS",
    "SEAT_NOT_AWAITED",
)
P = pb.Permission


async def names(client: Client, token: str, match: str) -> set[str]:
    found = (await client.get_match(token, match)).caller
    assert [*found.permissions] == sorted(found.permissions)
    return {P.Name(each).removeprefix("PERMISSION_") for each in found.permissions}


async def test_a_player_a_referee_and_a_spectator(client: Client, table: Table) -> None:
    player = (await client.get_match(table.white, table.id)).caller
    assert (player.role, [*player.seats]) == ("white", ["white"])
    referee = (await client.get_match(table.referee, table.id)).caller
    assert (referee.role, [*referee.seats]) == ("referee", [])
    assert await names(client, table.white, table.id) == {
        "WATCH", "ACT", "LEAVE", "UNDO", "RESIGN", "CREATE_DISPUTE", "FORK", "EXPORT",
    }  # fmt: skip
    assert await names(client, table.referee, table.id) == {
        "WATCH", "SEE_ALL", "UNDO", "RESOLVE_DISPUTE", "FORK", "EXPORT", "INVITE", "UPDATE",
    }  # fmt: skip
    assert await names(client, table.spectator, table.id) == {"WATCH", "EXPORT"}


async def test_an_invitation_until_its_seat_is_taken_and_once_it_is_left(client: Client) -> None:
    match = await create_match(client, visibility=pb.VISIBILITY_PRIVATE)
    invitation = match.tokens["white"]
    invited = (await client.get_match(invitation, match.id)).caller
    assert ([*invited.seats], invited.invited_role) == (["white"], "white")
    assert P.PERMISSION_JOIN in invited.permissions
    claimed = await client.join_match(invitation, match.id, "white", "Ada")
    assert await refusal(client.get_match(invitation, match.id)) == "MATCH_NOT_FOUND"
    await client.leave_match(claimed.token, match.id, "white")
    assert await refusal(client.get_match(claimed.token, match.id)) == "MATCH_NOT_FOUND"
    assert (await client.get_match(invitation, match.id)).caller.role == "white"


async def test_a_token_of_another_match_gets_the_answer_of_an_unknown_match(
    client: Client, table: Table
) -> None:
    other = await create_match(client)
    nobodys = str(uuid4())
    for token in ("", "nonsense", other.tokens["white"], other.tokens["referee"]):
        with pytest.raises(ServiceError) as refused:
            await client.get_match(token, table.id)
        with pytest.raises(ServiceError) as unknown:
            await client.get_match(token, nobodys)
        assert refused.value.reason == unknown.value.reason == "MATCH_NOT_FOUND"
        assert refused.value.message.replace(table.id, nobodys) == unknown.value.message
    assert await refusal(client.get_match(table.white, "no id")) == "FIELD_INVALID"


async def test_who_makes_the_entries_of_a_game(client: Client) -> None:
    match = await create_match(client, "res-arcana")
    found = (await client.get_match(match.tokens["table"], match.id)).caller
    assert (found.role, [*found.seats]) == ("table", [])
    assert await names(client, match.tokens["table"], match.id) == {
        "WATCH", "ACT", "UNDO", "CREATE_DISPUTE",
    }  # fmt: skip
    assert "FORK" not in await names(client, match.tokens["north"], match.id)
    assert "EXPORT" not in await names(client, match.tokens["spectator"], match.id)
    assert "FORK" in await names(client, match.tokens["referee"], match.id)


async def export(client: Client, token: str, match: str) -> None:
    async for _ in client.export_match(token, match):
        pass


Try = Callable[[Client, str, str], Awaitable[object]]
TRIED: dict[str, Try] = {
    "WATCH": lambda client, token, match: client.view(token, match, "text"),
    "SEE_ALL": lambda client, token, match: client.view(token, match, "text", viewer="black"),
    "ACT": lambda client, token, match: client.submit(token, match, "nonsense"),
    "SUBSTITUTE": lambda client, token, match: client.submit(token, match, "x", seat="black"),
    "JOIN": lambda client, token, match: client.join_match(token, match, "white", "Eve"),
    "UNDO": lambda client, token, match: client.undo(token, match, to=1),
    "RESIGN": lambda client, token, match: client.submit_action(token, match, resignation=True),
    "OFFER_DRAW": lambda client, token, match: client.create_proposal(token, match, draw={}),
    "CREATE_DISPUTE": lambda client, token, match: client.create_dispute(token, match, 1, "why"),
    "RESOLVE_DISPUTE": lambda client, token, match: client.resolve_dispute(
        token, match, 99, "so", uphold=True
    ),
    "FORK": lambda client, token, match: client.fork_match(token, match),
    "EXPORT": export,
    "UPDATE": lambda client, token, match: client.update_match(
        token, match={"match_id": match, "title": "Eve's"}
    ),
    "INVITE": lambda client, token, match: client.create_invite(
        token, match, pb.INVITE_KIND_REFEREE
    ),
}


@pytest.mark.parametrize("role", ["white", "referee", "spectator"])
@pytest.mark.parametrize("game", ["agog", "earthen-war"])
@pytest.mark.parametrize("stand_in", [pb.SUBSTITUTE_POLICY_NONE, pb.SUBSTITUTE_POLICY_REFEREE])
async def test_the_permissions_are_what_the_calls_go_by(
    client: Client, game: str, role: str, stand_in: pb.SubstitutePolicy.ValueType
) -> None:
    terms = {"substitute_policy": stand_in, "undo_policy": pb.UNDO_POLICY_CONSENT}
    for name, attempt in TRIED.items():
        match = await create_match(client, game, **terms)
        token = match.tokens[role]
        listed = name in await names(client, token, match.id)
        reason = ""
        try:
            await attempt(client, token, match.id)
        except ServiceError as error:
            reason = error.reason
        # White is no other seat's stand-in, and its own token acts for no other.
        assert listed == (reason not in FORBIDDEN), (name, role, reason)


async def test_nobody_may_undo_where_nothing_is_undone(client: Client) -> None:
    match = await create_match(client, undo_policy=pb.UNDO_POLICY_NONE)
    await play(client, match, ("white", "a6-b6"))
    for role in ("white", "referee"):
        assert "UNDO" not in await names(client, match.tokens[role], match.id)
        assert await refusal(client.undo(match.tokens[role], match.id, to=1)) == "UNDO_FORBIDDEN"


def test_every_permission_is_tried() -> None:
    declared = {each.name for each in P.DESCRIPTOR.values if each.number}
    tried = {f"PERMISSION_{name}" for name in TRIED}
    others = {"PERMISSION_LEAVE", "PERMISSION_CANCEL"}
    assert declared - tried == others, (
        "which are tried where a seat is held, and where a match waits"
    )


async def test_to_leave_takes_the_seats_own_token(client: Client, table: Table) -> None:
    assert "LEAVE" in await names(client, table.white, table.id)
    for token in (table.black, table.referee, table.spectator):
        assert await refusal(client.leave_match(token, table.id, "white")) == "ROLE_NOT_ALLOWED"
    match = CreatedMatch(table.id, {})
    await client.leave_match(table.white, match.id, "white")
