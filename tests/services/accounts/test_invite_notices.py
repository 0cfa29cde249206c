"""Players receive notices of invitations to a match, and of the cancellation of one they joined."""

import asyncio
from contextlib import aclosing
from typing import Any
from uuid import uuid4

import pytest
from google.protobuf.duration_pb2 import Duration

from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2, play_pb2
from services.wire.emeth.v1 import players_pb2 as pb
from tests.services.accounts.conftest import KnownPlayer, Site, resign
from tests.services.accounts.test_notices import (
    Receiver,
    anywhere,
    kind,
    next_notices,
    posting,
    receiver,
)
from tests.services.conftest import refusal

__all__ = ["anywhere", "posting", "receiver"]
SEAT = matches_pb2.INVITE_KIND_SEAT
REFEREE = matches_pb2.INVITE_KIND_REFEREE
WHEN_FULL = matches_pb2.START_POLICY_WHEN_FULL
REJECT = play_pb2.PROPOSAL_DECISION_REJECT
SPECTATOR = matches_pb2.INVITE_KIND_SPECTATOR


class Waiting:
    """A match that a player made and waits in, as white."""

    def __init__(
        self, site: Site, creator: KnownPlayer, made: matches_pb2.CreateMatchResponse
    ) -> None:
        self.client = site.client
        self.creator = creator
        self.id = made.match.match_id
        self.referee = made.tokens["referee"]

    async def invite(
        self,
        player: str,
        seat: str = "black",
        role: matches_pb2.InviteKind.ValueType = SEAT,
        request_id: str = "",
    ) -> str:
        """Have the creator invite a player."""
        invite = await self.client.create_invite(
            self.creator.token, self.id, role, seat, player, request_id=request_id
        )
        return invite.code


async def waiting(site: Site, creator: KnownPlayer, **terms: Any) -> Waiting:
    request = matches_pb2.CreateMatchRequest(
        request_id=str(uuid4()),
        game="agog",
        title="Xylotomy",
        own_seat=matches_pb2.OwnSeat(seat="white"),
        start_policy=WHEN_FULL,
        **terms,
    )
    call = site.client._matches.CreateMatch
    made = await site.client._call(call, request, creator.token)
    return Waiting(site, creator, made)


async def notices(site: Site, player: KnownPlayer) -> list[pb.Notice]:
    """The notices that the player gets, up to that of a match which is made now."""
    last, _ = await site.match(player)
    found: list[pb.Notice] = []
    async with (
        asyncio.timeout(30),
        aclosing(site.client.watch_player(player.token, cursor="0")) as news,
    ):
        async for notice in news:
            if notice.match_id == last:
                return found
            found.append(notice)
    raise AssertionError("the stream ended")


async def people(site: Site) -> tuple[KnownPlayer, KnownPlayer]:
    return await site.introduce("1", "Ada"), await site.introduce("2", "Bob")


# --- invites -------------------------------------------------------------------------------------


async def test_an_invited_player_gets_a_notice_with_the_code_to_join_by(site: Site) -> None:
    ada, bob = await people(site)
    match = await waiting(site, ada)
    assert await match.invite(bob.id) == ""
    (invited,) = await next_notices(site.client, bob.token, 1, "0")
    assert (kind(invited), invited.match_id, invited.seat) == ("invited", match.id, "black")
    assert (invited.actor, invited.title) == ("Ada", "Xylotomy")
    assert invited.sentence == "Ada invites you to play as Black."
    joined = await site.client.join_match(bob.token, match.id, "", invite_code=invited.invite_code)
    assert joined.role == "black"
    await site.client.match(match.id, joined.match.version, token=bob.token)
    # What has been used is shown without its code.
    first, *later = await notices(site, bob)
    assert (first.notice_id, first.invite_code) == (invited.notice_id, "")
    assert [kind(each) for each in later] == ["match_started"]


@pytest.mark.parametrize(
    ("role", "named", "sentence"),
    [
        (SEAT, "", "Ada invites you to join a match."),
        (REFEREE, "referee", "The referee invites you to referee a match."),
        (SPECTATOR, "spectator", "Ada invites you to watch a match."),
    ],
)
async def test_players_are_invited_to_every_role(
    site: Site, role: matches_pb2.InviteKind.ValueType, named: str, sentence: str
) -> None:
    ada, bob = await people(site)
    match = await waiting(site, ada)
    if role == REFEREE:
        match.creator = KnownPlayer(ada.id, match.referee)
    await match.invite(bob.id, "", role)
    (invited,) = await next_notices(site.client, bob.token, 1, "0")
    assert (invited.seat, invited.sentence) == (named, sentence)
    assert (await site.client.match(match.id, token=invited.invite_code)).title == "Xylotomy"


async def test_the_code_is_shown_to_the_invited_player_alone(
    posting: Site, receiver: Receiver
) -> None:
    ada, bob = await people(posting)
    await posting.post_to(receiver.url)
    match = await waiting(posting, ada)
    await match.invite(bob.id)
    await receiver.has(1)
    (posted,) = receiver.notices
    assert (posted["kind"], posted["actor"]) == ("NOTICE_KIND_INVITED", "Ada")
    assert "inviteCode" not in posted
    news = posting.client.watch_player("", bob.id, cursor="0")
    async with asyncio.timeout(30), aclosing(news):
        assert (await anext(news)).invite_code == ""


async def test_an_invite_that_is_valid_no_more_takes_its_notice_back(site: Site) -> None:
    ada, bob = await people(site)
    cid = await site.introduce("3", "Cid")
    revoked, replaced, taken, cancelled = [await waiting(site, ada) for _ in range(4)]
    for match in (revoked, replaced, taken, cancelled):
        await match.invite(bob.id)
    await site.client.revoke_invite(ada.token, revoked.id, SEAT, seat="black")
    await replaced.invite(cid.id)
    await taken.invite(bob.id, "")
    by_any = (await notices(site, bob))[-1]
    await site.client.join_match(cid.token, taken.id, "black", invite_code=by_any.invite_code)
    await site.client.cancel_match(ada.token, cancelled.id)
    await site.client.match(cancelled.id, 4, token=ada.token)
    assert "invited" not in [kind(each) for each in await notices(site, bob)]


async def test_nobody_learns_whether_another_frontend_has_a_player(
    site: Site, other_site: Site, client: Client
) -> None:
    ada, eve = await site.introduce("1", "Ada"), await other_site.introduce("1", "Eve")
    gone = await site.introduce("2", "Bob")
    await site.client.delete_player("", gone.id)
    match = await waiting(site, ada)
    answers = set()
    for player in (eve.id, gone.id, str(uuid4())):
        with pytest.raises(ServiceError) as refused:
            await match.invite(player)
        answers.add((refused.value.reason, str(refused.value).replace(player, "")))
    assert answers == {("PLAYER_NOT_FOUND", "no player has this ID")}
    # Whoever may not invite learns nothing of the site's own players either.
    stranger = site.client.create_invite(gone.token, match.id, SEAT, seat="black", player_id=ada.id)
    assert await refusal(stranger) != "PLAYER_NOT_FOUND"
    own = await client.create_match(game="agog")
    call = client.create_invite(
        own.tokens["referee"], own.match.match_id, SEAT, seat="black", player_id=ada.id
    )
    assert await refusal(call) == "PLAYER_NOT_FOUND"


async def test_a_player_cannot_flood_another_with_invites(site: Site) -> None:
    ada, bob = await people(site)
    match = await waiting(site, ada)
    for _ in range(10):
        await match.invite(bob.id)
    assert await refusal(match.invite(bob.id)) == "LIMIT_EXCEEDED"
    # Others may invite the player, and the player others; and so may the site.
    cid = await site.introduce("3", "Cid")
    await match.invite(cid.id)
    other = await waiting(site, cid)
    await other.invite(bob.id)
    await site.client.create_invite("", match.id, SEAT, seat="black", player_id=bob.id)
    last = (await notices(site, bob))[-1]
    assert last.sentence == "The site invites you to play as Black."


async def test_a_repeated_invite_is_one_notice_and_of_the_same_player(site: Site) -> None:
    ada, bob = await people(site)
    cid = await site.introduce("3", "Cid")
    match, request = await waiting(site, ada), str(uuid4())
    for _ in range(2):
        await match.invite(bob.id, request_id=request)
    assert await refusal(match.invite(cid.id, request_id=request)) == "REQUEST_ID_REUSED"
    assert await refusal(match.invite("", request_id=request)) == "REQUEST_ID_REUSED"
    assert len(await notices(site, bob)) == 1
    assert await notices(site, cid) == []


# --- matches that are cancelled, or expire -------------------------------------------------------


async def test_players_who_joined_are_notified_of_a_cancellation_and_its_actor(
    site: Site, client: Client
) -> None:
    bob = await site.introduce("2", "Bob")
    for caller, actor, sentence in (
        (site.client, "frontend", "The match was cancelled by the site."),
        (client, "creator", "The match was cancelled by the creator of the match."),
    ):
        made = await site.client.create_match(
            game="agog", start_policy=WHEN_FULL, referee_policy=matches_pb2.REFEREE_POLICY_NONE
        )
        match, code = made.match.match_id, made.invite_codes["black"]
        await site.client.join_match(bob.token, match, "", invite_code=code)
        token = made.tokens["creator"] if caller is client else ""
        await caller.cancel_match(token, match)
        latest = (await notices(site, bob))[-1]
        assert (kind(latest), latest.match_id) == ("match_cancelled", match)
        assert (latest.actor, latest.sentence) == (actor, sentence)


async def test_the_proposer_of_a_rematch_is_notified_who_rejected_it(site: Site) -> None:
    ada, bob = await people(site)
    match, _ = await site.match(ada, bob)
    await resign(site, ada, match)
    proposed = await site.client.create_proposal(ada.token, match, rematch={})
    again = proposed.rematch_seat.match_id
    await site.client.respond_to_proposal(bob.token, match, proposal_id=again, decision=REJECT)
    last = (await notices(site, ada))[-1]
    assert (kind(last), last.match_id, last.actor) == ("match_cancelled", again, "Bob")
    assert last.sentence == "The match was cancelled by Bob."
    # The actor of the cancellation gets no notice.
    assert "match_cancelled" not in [kind(each) for each in await notices(site, bob)]


async def test_players_who_joined_are_notified_that_a_match_expired(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.matches.MIN_WAITING_SECONDS", 1)
    ada = await site.introduce("1", "Ada")
    match = await waiting(site, ada, waiting_term=Duration(seconds=1))
    (expired,) = await next_notices(site.client, ada.token, 1, "0")
    assert (kind(expired), expired.match_id, expired.seat) == ("match_expired", match.id, "white")
    assert expired.actor == ""
    assert expired.sentence == "The match waited too long for players, and was cancelled."
