"""Matches whose seats are for players of frontends alone, and who referees them."""

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.accounts.conftest import PUBLIC, Site
from tests.services.conftest import refusal

WHEN_FULL = {"begins": pb.BEGINS_WHEN_FULL, "players_only": True}


@pytest.mark.parametrize(
    "admission", [pb.ADMISSION_INVITED, pb.ADMISSION_LINKED, pb.ADMISSION_ANYBODY]
)
async def test_seats_are_taken_by_players_alone(
    site: Site, other_site: Site, admission: pb.Admission.ValueType
) -> None:
    made = await site.client.create_match("agog", admission=admission, **WHEN_FULL)
    match, codes = made.match.match_id, {**made.tokens, **made.codes}
    assert made.match.players_only
    code = codes.get("link") or codes.get("white", "")
    async with Client(site.client.address) as anybody:
        taken = anybody.claim_seat(code, match, "white", "Eve")
        assert await refusal(taken) == "PLAYERS_ONLY"
        assert (await anybody.match(match)).version == 1
    ada = await site.introduce("a", "Ada")
    bob = await other_site.introduce("b", "Bob")
    await site.client.claim_seat(ada.token, match, "white", invitation=code)
    code = codes.get("link") or codes.get("black", "")
    await other_site.client.claim_seat(bob.token, match, "black", invitation=code)
    shown = await other_site.client.match(match)
    assert [seat.player for seat in shown.seats] == ["Ada", "Bob"]
    assert shown.status == pb.MATCH_STATUS_ACTIVE


async def test_it_takes_codes_and_a_player_for_the_creators_own_seat(site: Site) -> None:
    at_once = site.client.create_match("agog", players_only=True)
    assert await refusal(at_once) == "FIELD_INVALID"
    own = pb.OwnSeat(seat="white", player="Eve")
    assert await refusal(site.client.create_match("agog", own_seat=own, **WHEN_FULL)) == (
        "PLAYERS_ONLY"
    )


async def test_a_referee_who_is_a_player_has_a_name_until_it_is_erased(site: Site) -> None:
    made = await site.client.create_match(
        "agog", referee=pb.REFEREEING_INVITED, visibility=PUBLIC, begins=pb.BEGINS_WHEN_FULL
    )
    match, eve = made.match.match_id, await site.introduce("e", "Eve")
    await site.client.claim_seat(eve.token, match, "referee", invitation=made.codes["referee"])
    assert (await site.client.match(match)).referee.player == "Eve"
    (event,) = [
        each
        for each in await site.client.list_events("", match)
        if each.kind == "match.RefereeSeated"
    ]
    assert (event.player, "Eve" in event.sentence) == ("Eve", True)
    who = await site.client.who_am_i(eve.token, match)
    assert (who.role, who.player) == ("referee", "Eve")
    await site.client.delete_player("", eve.id)
    assert (await site.client.match(match)).referee.player == "A former player"
