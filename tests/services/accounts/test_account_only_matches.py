"""Matches whose seats are for players of frontends alone, and who referees them."""

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.accounts.conftest import PUBLIC, Site
from tests.services.conftest import refusal

WHEN_FULL = {"start_policy": pb.START_POLICY_WHEN_FULL, "players_only": True}


@pytest.mark.parametrize(
    "policy", [pb.JOIN_POLICY_INVITED, pb.JOIN_POLICY_LINK, pb.JOIN_POLICY_ANYONE]
)
async def test_seats_are_taken_by_players_alone(
    site: Site, other_site: Site, policy: pb.JoinPolicy.ValueType
) -> None:
    made = await site.client.create_match(game="agog", join_policy=policy, **WHEN_FULL)
    match, codes = made.match.match_id, {**made.tokens, **made.invite_codes}
    assert made.match.players_only
    code = codes.get("link") or codes.get("white", "")
    async with Client(site.client.address) as anybody:
        taken = anybody.join_match(code, match, "white", "Eve")
        assert await refusal(taken) == "PLAYERS_ONLY"
        assert (await anybody.match(match, token=code)).version == 1
    ada = await site.introduce("a", "Ada")
    bob = await other_site.introduce("b", "Bob")
    await site.client.join_match(ada.token, match, "white", invite_code=code)
    code = codes.get("link") or codes.get("black", "")
    await other_site.client.join_match(bob.token, match, "black", invite_code=code)
    shown = await other_site.client.match(match, token=bob.token)
    assert [seat.player for seat in shown.seats] == ["Ada", "Bob"]
    assert shown.status == pb.MATCH_STATUS_ACTIVE


async def test_it_takes_codes_and_a_player_for_the_creators_own_seat(site: Site) -> None:
    at_once = site.client.create_match(game="agog", players_only=True)
    assert await refusal(at_once) == "FIELD_INVALID"
    own = pb.OwnSeat(seat="white", player="Eve")
    assert await refusal(site.client.create_match(game="agog", own_seat=own, **WHEN_FULL)) == (
        "PLAYERS_ONLY"
    )


async def test_a_referee_who_is_a_player_has_a_name_until_it_is_erased(site: Site) -> None:
    made = await site.client.create_match(
        game="agog",
        referee_policy=pb.REFEREE_POLICY_INVITED,
        visibility=PUBLIC,
        start_policy=pb.START_POLICY_WHEN_FULL,
    )
    match, eve = made.match.match_id, await site.introduce("e", "Eve")
    await site.client.join_match(
        eve.token, match, "referee", invite_code=made.invite_codes["referee"]
    )
    assert (await site.client.match(match)).referee.player == "Eve"
    (event,) = [
        each
        for each in await site.client.list_events(match_id=match)
        if each.kind == "match.RefereeSeated"
    ]
    assert (event.player, "Eve" in event.sentence) == ("Eve", True)
    who = (await site.client.get_match(eve.token, match)).caller
    assert who.role == "referee"
    await site.client.delete_player(player_id=eve.id)
    assert (await site.client.match(match)).referee.player == "A former player"
