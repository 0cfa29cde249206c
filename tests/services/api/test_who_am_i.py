"""What a token is good for, and what nobody's token is."""

from collections.abc import Awaitable, Callable
from uuid import uuid4

import pytest

from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import Begun, Table, begun, play, refusal

FORBIDDEN = (
    "ROLE_NOT_ALLOWED",
    "TOKEN_WRONG_MATCH",
    "UNDO_FORBIDDEN",
    "NO_DRAWS",
    "SEAT_NOT_AWAITED",
)
P = pb.Permission


async def names(client: Client, token: str, match: str) -> set[str]:
    found = await client.who_am_i(token, match)
    assert [*found.permissions] == sorted(found.permissions)
    return {P.Name(each).removeprefix("PERMISSION_") for each in found.permissions}


async def test_a_player_a_referee_and_a_spectator(client: Client, table: Table) -> None:
    player = await client.who_am_i(table.white, table.id)
    assert (player.role, player.seat, player.player) == ("white", "white", "Ada")
    referee = await client.who_am_i(table.referee, table.id)
    assert (referee.role, referee.seat, referee.player) == ("referee", "", "")
    assert await names(client, table.white, table.id) == {
        "WATCH", "ACT", "LEAVE_SEAT", "UNDO", "RESIGN", "RAISE_DISPUTE", "FORK", "EXPORT",
    }  # fmt: skip
    assert await names(client, table.referee, table.id) == {
        "WATCH", "SEE_ALL", "UNDO", "GIVE_VERDICT", "FORK", "EXPORT", "INVITE_REFEREE",
    }  # fmt: skip
    assert await names(client, table.spectator, table.id) == {"WATCH", "EXPORT"}


async def test_an_invitation_until_its_seat_is_taken_and_once_it_is_left(client: Client) -> None:
    match = await begun(client)
    invitation = match.tokens["white"]
    invited = await client.who_am_i(invitation, match.id)
    assert (invited.seat, invited.player) == ("white", "")
    assert P.PERMISSION_CLAIM_SEAT in invited.permissions
    claimed = await client.claim_seat(invitation, match.id, "white", "Ada")
    assert await refusal(client.who_am_i(invitation, match.id)) == "TOKEN_WRONG_MATCH"
    await client.leave_seat(claimed.token, match.id, "white")
    assert await refusal(client.who_am_i(claimed.token, match.id)) == "TOKEN_WRONG_MATCH"
    assert (await client.who_am_i(invitation, match.id)).seat == "white"


async def test_a_foreign_token_is_told_nothing_else(client: Client, table: Table) -> None:
    other = await begun(client)
    for token in ("nonsense", other.tokens["white"], other.tokens["referee"]):
        with pytest.raises(ServiceError) as refused:
            await client.who_am_i(token, table.id)
        assert refused.value.reason == "TOKEN_WRONG_MATCH"
        assert refused.value.metadata == {"match": table.id}
        for secret in ("white", "black", "Ada", "Bob", "referee"):
            assert secret not in refused.value.message
    assert await refusal(client.who_am_i("", table.id)) == "TOKEN_MISSING"
    assert await refusal(client.who_am_i(table.white, str(uuid4()))) == "MATCH_NOT_FOUND"
    assert await refusal(client.who_am_i(table.white, "no id")) == "FIELD_INVALID"


async def test_who_makes_the_entries_of_a_game(client: Client) -> None:
    match = await begun(client, "res-arcana")
    found = await client.who_am_i(match.tokens["table"], match.id)
    assert (found.role, found.seat) == ("table", "")
    assert await names(client, match.tokens["table"], match.id) == {
        "WATCH", "ACT", "UNDO", "RAISE_DISPUTE",
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
    "STAND_IN": lambda client, token, match: client.submit(token, match, "x", seat="black"),
    "CLAIM_SEAT": lambda client, token, match: client.claim_seat(token, match, "white", "Eve"),
    "UNDO": lambda client, token, match: client.undo(token, match, to=1),
    "RESIGN": lambda client, token, match: client.resign(token, match),
    "OFFER_DRAW": lambda client, token, match: client.offer_draw(token, match),
    "RAISE_DISPUTE": lambda client, token, match: client.create_dispute(token, match, 1, "why"),
    "GIVE_VERDICT": lambda client, token, match: client.resolve_dispute(token, match, 99, "so"),
    "FORK": lambda client, token, match: client.fork(token, match),
    "EXPORT": export,
    "INVITE_REFEREE": lambda client, token, match: client.invite_referee(token, match),
}


@pytest.mark.parametrize("role", ["white", "referee", "spectator"])
@pytest.mark.parametrize("game", ["agog", "earthen-war"])
@pytest.mark.parametrize("stand_in", [pb.STAND_IN_NOBODY, pb.STAND_IN_REFEREE])
async def test_the_permissions_are_what_the_calls_go_by(
    client: Client, game: str, role: str, stand_in: pb.StandIn.ValueType
) -> None:
    terms = {"stand_in": stand_in, "undo": pb.UNDO_POLICY_CONSENT}
    for name, attempt in TRIED.items():
        match = await begun(client, game, **terms)
        token = match.tokens[role]
        told = name in await names(client, token, match.id)
        reason = ""
        try:
            await attempt(client, token, match.id)
        except ServiceError as error:
            reason = error.reason
        # White is no other seat's stand-in, and its own token acts for no other.
        assert told == (reason not in FORBIDDEN), (name, role, reason)


async def test_nobody_may_undo_where_nothing_is_taken_back(client: Client) -> None:
    match = await begun(client, undo=pb.UNDO_POLICY_NONE)
    await play(client, match, ("white", "a6-b6"))
    for role in ("white", "referee"):
        assert "UNDO" not in await names(client, match.tokens[role], match.id)
        assert await refusal(client.undo(match.tokens[role], match.id, to=1)) == "UNDO_FORBIDDEN"


def test_every_permission_is_tried() -> None:
    told = {each.name for each in P.DESCRIPTOR.values if each.number}
    tried = {f"PERMISSION_{name}" for name in TRIED}
    assert told - tried == {"PERMISSION_LEAVE_SEAT"}, "which is tried where a seat is held"


async def test_to_leave_takes_the_seats_own_token(client: Client, table: Table) -> None:
    assert "LEAVE_SEAT" in await names(client, table.white, table.id)
    for token in (table.black, table.referee, table.spectator):
        assert await refusal(client.leave_seat(token, table.id, "white")) == "ROLE_NOT_ALLOWED"
    match = Begun(table.id, {})
    await client.leave_seat(table.white, match.id, "white")
