"""Players of frontends: one token for all their seats, names that can be erased, lists, results."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import players_pb2 as pb
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMove
from tests.services.accounts.conftest import PUBLIC, Site, open_site, resign
from tests.services.conftest import refusal


async def test_a_player_has_one_token_for_the_seats_of_all_matches(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    for _ in range(2):
        match, tokens = await site.match(ada, bob)
        answer = await site.client.submit(ada.token, match, "a6-b6")
        assert [event.player for event in answer.accepted.events] == ["Ada"]
        answer = await site.client.submit(bob.token, match, "h3-g3")
        assert answer.HasField("accepted")
        assert (
            await refusal(site.client.submit(tokens["white"], match, "a5-b5"))
            == "TOKEN_WRONG_MATCH"
        )
        who = (await site.client.get_match(ada.token, match)).caller
        assert (who.role, [*who.seats]) == ("white", ["white"])


async def test_a_player_who_holds_both_seats_acts_for_the_one_that_is_asked(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    match, _ = await site.match(ada, ada)
    assert (await site.client.submit(ada.token, match, "a6-b6")).HasField("accepted")
    assert (await site.client.submit(ada.token, match, "h3-g3")).HasField("accepted")
    blacks = await site.client.list_actions(ada.token, match, "black")
    assert [each.notation for each in blacks] == ["resign black"]


async def test_names_are_shown_wherever_a_player_is(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    match, tokens = await site.match(ada, bob)
    client = site.client
    await client.submit(ada.token, match, "a6-b6")
    shown = await client.match(match)
    assert [(seat.player, seat.player_id) for seat in shown.seats] == [
        ("Ada", ada.id),
        ("Bob", bob.id),
    ]
    sentences = [
        e.sentence for e in await client.list_events(tokens["referee"], match, at_least_version=2)
    ]
    assert sentences[1].startswith("Ada takes the seat")
    found = await client.list_events(tokens["referee"], match, "text : Bob", at_least_version=4)
    assert [event.player for event in found] == ["Bob"]
    transcript = await client.transcript(tokens["referee"], match)
    assert '[Seat "white Ada"]' in transcript.text
    await client.update_player(
        player={"external_id": "1", "name": "Ada Lovelace"}, allow_missing=True
    )
    assert (await client.match(match)).seats[0].player == "Ada Lovelace"


async def test_a_match_is_found_by_part_of_a_players_name(site: Site) -> None:
    ada = await site.introduce("1", "Ada Lovelace")
    match, _ = await site.match(ada)
    await site.match()

    async def found(part: str) -> list[str]:
        page = await site.client.list_matches_page(filter=f'player : "{part}"')
        return [each.match_id for each in page.matches]

    await site.client.match(match, 2)
    assert await found("lovel") == [match]
    assert await found("Love lace") == []


async def test_erasing_a_player_leaves_every_chain_receipt_and_export_verifiable(
    site: Site, service: Service, tmp_path: Path
) -> None:
    from io import BytesIO

    from services.proof.match_file import FileVerifier

    ada, bob = (
        await site.introduce("secret-external", "Ada Lovelace"),
        await site.introduce("2", "Bob"),
    )
    match, tokens = await site.match(ada, bob)
    client = site.client
    receipt = (await client.submit(ada.token, match, "a6-b6")).accepted.receipt

    async def exported() -> bytes:
        return (await client.export(tokens["referee"], match)).data

    before = await exported()
    await client.delete_player(player_id=ada.id)
    assert await exported() == before
    assert b"Lovelace" not in before
    checking = FileVerifier(BytesIO(before))
    list(checking.steps())
    assert checking.verified.report.sound
    verified = await client.verify_match(tokens["referee"], match)
    assert verified.sound
    assert verified.digest == receipt.digest

    assert (await client.match(match)).seats[0].player == "A former player"
    history = await client.list_events(tokens["referee"], match, at_least_version=2)
    assert history[1].sentence.startswith("A former player takes the seat")
    assert await refusal(client.submit(ada.token, match, "a5-b5")) == "PLAYER_TOKEN_INVALID"
    gone = await client.get_player(player_id=ada.id)
    assert (gone.name, gone.external_id) == ("A former player", "")
    assert gone.HasField("delete_time")
    again = await site.introduce("secret-external", "Ada Lovelace")
    assert again.id != ada.id
    await client.delete_player(player_id=again.id)
    for file in Path(service.settings.folder).rglob("*"):
        if file.is_file():
            raw = file.read_bytes()
            assert b"Lovelace" not in raw, file
            assert b"secret-external" not in raw, file


async def test_a_new_token_ends_the_old_one_and_the_same_request_gives_it_again(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    match, _ = await site.match(ada)
    request = str(uuid4())
    new = (await site.client.rotate_player_token(player_id=ada.id, request_id=request)).token
    assert (
        await site.client.rotate_player_token(player_id=ada.id, request_id=request)
    ).token == new
    assert await refusal(site.client.submit(ada.token, match, "a6-b6")) == "PLAYER_TOKEN_INVALID"
    assert (await site.client.submit(new, match, "a6-b6")).HasField("accepted")
    assert (
        await site.client.update_player(
            player={"external_id": "1", "name": "Ada"}, allow_missing=True
        )
    ).token == new
    newest = (await site.client.rotate_player_token(new)).token
    assert await refusal(site.client.get_player(new)) == "PLAYER_TOKEN_INVALID"
    assert (await site.client.get_player(newest)).name == "Ada"


async def test_a_token_expires_if_asked_to(site: Site) -> None:
    now = datetime.now(UTC)
    late = now - timedelta(seconds=1)
    assert await refusal(site.introduce("1", "Ada", token_expire_time=late)) == "FIELD_INVALID"
    assert await refusal(site.introduce("1", "Ada", token_expire_time=now.replace(year=2200))) == (
        "FIELD_INVALID"
    )
    later = now + timedelta(hours=1)
    ada = await site.introduce("1", "Ada", token_expire_time=later)
    assert (await site.client.get_player(ada.token)).token_expire_time.ToDatetime(UTC) == later
    soon = datetime.now(UTC) + timedelta(seconds=1)
    bob = await site.introduce("2", "Bob", token_expire_time=soon)
    await asyncio.sleep((soon - datetime.now(UTC)).total_seconds())
    assert await refusal(site.client.get_player(bob.token)) == "PLAYER_TOKEN_EXPIRED"


async def test_names_and_ids_are_one_players_in_a_frontend(site: Site, other_site: Site) -> None:
    request = str(uuid4())
    ada = await site.introduce("1", "Ada", request_id=request)
    assert await site.introduce("1", "Ada", request_id=request) == ada
    assert await site.introduce("1", "") == ada
    assert await refusal(site.introduce("2", "ADA")) == "PLAYER_NAME_TAKEN"
    assert await refusal(site.introduce("2", "Bob", request_id=request)) == "REQUEST_ID_REUSED"
    assert await refusal(site.introduce("2", " ")) == "FIELD_INVALID"
    assert await refusal(site.introduce("", "Bob")) == "FIELD_INVALID"
    assert await refusal(site.introduce("x" * 201, "Bob")) == "FIELD_INVALID"
    theirs = await other_site.introduce("1", "Ada")
    assert theirs.id != ada.id


async def test_a_player_is_shown_and_erased_by_its_own_frontend_alone(
    site: Site, other_site: Site, service: Service
) -> None:
    ada = await site.introduce("1", "Ada")
    for call in (
        other_site.client.get_player(player_id=ada.id),
        other_site.client.delete_player(player_id=ada.id),
        other_site.client.get_player(ada.token),
    ):
        assert await refusal(call) == "PLAYER_ACCESS_DENIED"
    async with Client(service.address) as anybody:
        assert await refusal(anybody.get_player(player_id=ada.id)) == "TOKEN_MISSING"
        assert (
            await refusal(
                anybody.update_player(
                    player={"external_id": "3", "name": "Mallory"}, allow_missing=True
                )
            )
            == "FRONTEND_KEY_MISSING"
        )
        assert await refusal(anybody.delete_player(ada.token, ada.id)) == "FRONTEND_KEY_MISSING"
        assert await refusal(anybody.get_player(ada.token[:-1] + "?")) == "FIELD_INVALID"
        forged = ada.token[:-3] + "abc"
        assert await refusal(anybody.get_player(forged)) == "PLAYER_TOKEN_INVALID"
        assert (
            await refusal(anybody.get_player(service.admin_key, str(uuid4()))) == "PLAYER_NOT_FOUND"
        )
        assert (await anybody.get_player(service.admin_key, ada.id)).external_id == "1"
        assert (await anybody.get_player(ada.token)).external_id == ""


async def test_a_seat_is_taken_with_its_invitation_only(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    match, tokens = await site.match()
    claim = site.client.join_match
    for shown in ("", "nonsense", tokens["black"], ada.token):
        assert (
            await refusal(claim(ada.token, match, "white", invite_code=shown))
            == "TOKEN_WRONG_MATCH"
        )
    named = claim(ada.token, match, "white", "Ada", invite_code=tokens["white"])
    assert await refusal(named) == "FIELD_INVALID"
    request = str(uuid4())
    first = await claim(ada.token, match, "white", request_id=request, invite_code=tokens["white"])
    again = await claim(ada.token, match, "white", request_id=request, invite_code=tokens["white"])
    assert (first.match.version, first.token) == (again.match.version, again.token) == (2, "")
    bob = await site.introduce("2", "Bob")
    assert await refusal(claim(bob.token, match, "white", request_id=request)) == (
        "REQUEST_ID_REUSED"
    )
    await site.client.leave_match(ada.token, match, "white")
    assert await refusal(site.client.submit(ada.token, match, "a6-b6")) == "TOKEN_WRONG_MATCH"


async def test_a_player_without_a_seat_looks_at_public_matches_only(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    private, _ = await site.match()
    public, _ = await site.match(visibility=PUBLIC)
    assert await refusal(site.client.view(ada.token, private, "text")) == "TOKEN_WRONG_MATCH"
    assert (await site.client.get_match(ada.token, public)).caller.role == "spectator"


async def test_a_players_matches_are_listed_by_whom_they_wait_for(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    mine, _ = await site.match(ada, bob)
    theirs, _ = await site.match(bob, ada)
    done, _ = await site.match(ada, bob)
    await resign(site, bob, done)

    async def listed(wanted: str) -> list[str]:
        found = await site.client.list_matches(
            ada.token, f"player_id = me{wanted}", order_by="update_time desc"
        )
        return [each.match_id for each in found]

    my_turn, waiting, over = " AND my_turn = true", " AND my_turn = false", " AND status = OVER"

    assert await listed("") == [done, theirs, mine]
    assert await listed(my_turn) == [mine]
    assert await listed(waiting) == [theirs]
    assert await listed(over) == [done]
    await site.client.submit(ada.token, mine, "a6-b6")
    assert await listed(my_turn) == []
    await site.client.submit(bob.token, mine, "h3-g3")
    await site.client.submit(bob.token, theirs, "a6-b6")
    assert await listed(my_turn) == [theirs, mine]
    page = await site.client.list_matches_page(ada.token, "my_turn = true", page_size=1)
    (first,) = page.matches
    assert [seat.name for seat in first.seats if seat.player_id == ada.id] == ["black"]
    rest = await site.client.list_matches_page(
        ada.token, "my_turn = true", page_size=1, page_token=page.next_page_token
    )
    assert {each.match_id for each in (first, *rest.matches)} == {mine, theirs}
    assert await refusal(site.client.list_matches_page(filter="my_turn = true")) == "FIELD_INVALID"


async def test_all_is_as_it_was_after_a_restart(settings: Settings) -> None:
    async with Service(settings) as service:
        site = await open_site(service)
        async with site.client:
            ada = await site.introduce("1", "Ada")
            match, _ = await site.match(ada)
    async with (
        Service(settings) as service,
        Client(service.address, frontend_key=site.key) as client,
    ):
        assert (await client.match(match)).seats[0].player == "Ada"
        assert (
            await client.update_player(player={"external_id": "1"}, allow_missing=True)
        ).token == ada.token
        assert (await client.submit(ada.token, match, "a6-b6")).HasField("accepted")


async def test_a_plan_is_the_players_who_left_it_whatever_the_token(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    match, tokens = await site.match(bob, ada)
    client = site.client
    await client.set_conditional_moves(
        ada.token, match, moves=[ConditionalMove(trigger_action="a6-b6", responses=["h3-g3"])]
    )
    new = (await client.rotate_player_token(ada.token)).token
    assert (await client.get_conditional_moves(new, match)).version
    await client.leave_match(new, match, "black")
    eve = await site.introduce("3", "Eve")
    await client.join_match(eve.token, match, "black", invite_code=tokens["black"])
    assert not (await client.get_conditional_moves(eve.token, match)).version


async def test_a_frontend_lists_its_players_in_the_order_of_their_creation(
    site: Site, other_site: Site, service: Service
) -> None:
    known = [await site.introduce(str(number), f"Player {number}") for number in range(5)]
    await other_site.introduce("1", "Eve")
    await site.client.delete_player(player_id=known[2].id)
    found = await site.client.list_players()
    assert [(each.player_id, each.external_id) for each in found] == [
        (known[number].id, str(number)) for number in (0, 1, 3, 4)
    ]
    pages, token = [], ""
    while token or not pages:
        asked = pb.ListPlayersRequest(page_size=3, page_token=token)
        page = await site.client._call(site.client._players.ListPlayers, asked, "")
        pages.append([each.external_id for each in page.players])
        token = page.next_page_token
    assert pages == [["0", "1", "3"], ["4"]]
    async with Client(service.address) as operator:
        listed = await operator.list_players(service.admin_key, site.id)
        assert [each.name for each in listed] == [f"Player {number}" for number in (0, 1, 3, 4)]
        assert await refusal(operator.list_players(service.admin_key)) == "FIELD_INVALID"
        nowhere = operator.list_players(service.admin_key, str(uuid4()))
        assert await refusal(nowhere) == "FRONTEND_NOT_FOUND"
        assert await refusal(operator.list_players(known[0].token)) == "FRONTEND_KEY_MISSING"
    assert (
        await refusal(site.client.list_players(frontend_id=other_site.id)) == "FRONTEND_KEY_INVALID"
    )


async def test_a_frontend_filters_its_players_by_name_by_its_own_id_and_by_time(
    site: Site, other_site: Site
) -> None:
    ada, bob, eve = [
        await site.introduce(name[0], name) for name in ("Ada Lovelace", "Bob", "Eve Lovelace")
    ]
    await other_site.introduce("o", "Grace Lovelace")
    created = (await site.client.get_player(player_id=bob.id)).create_time.ToJsonString()

    async def found(wanted: str, order_by: str = "") -> list[str]:
        players = await site.client.list_players(filter=wanted, order_by=order_by)
        return [each.player_id for each in players]

    assert await found('name : "LOVE"') == [ada.id, eve.id]
    assert await found('name : "LOVE"', "create_time desc") == [eve.id, ada.id]
    assert await found("external_id = B") == [bob.id]
    assert await found("external_id = o") == []
    assert await found("external_id = B AND name : love") == []
    assert await found(f'create_time = "{created}"') == [bob.id]
    assert await found(f'create_time < "{created}"') == [ada.id]
    assert await found(f'create_time >= "{created}" AND name : love') == [eve.id]
    for wanted, order_by in (("color = red", ""), ("name = Bob", ""), ("", "name")):
        assert await refusal(found(wanted, order_by)) == "FIELD_INVALID"


async def test_a_player_is_updated_by_either_id_and_created_only_if_allowed(
    site: Site, other_site: Site
) -> None:
    update, ada = site.client.update_player, await site.introduce("1", "Ada")
    renamed = await update(player={"name": "Augusta", "player_id": ada.id}, allow_missing=True)
    assert (renamed.player.name, renamed.token) == ("Augusta", ada.token)
    assert (await update(player={"external_id": "1", "name": "Ada"})).player.name == "Ada"
    assert await refusal(update(player={"external_id": "2", "name": "Bob"})) == "PLAYER_NOT_FOUND"
    assert (
        await refusal(
            update(
                player={"external_id": "2", "name": "Bob", "player_id": ada.id}, allow_missing=True
            )
        )
        == "FIELD_INVALID"
    )
    assert (
        await refusal(update(player={"name": "Bob", "player_id": str(uuid4())}, allow_missing=True))
        == "PLAYER_NOT_FOUND"
    )
    foreign = other_site.client.update_player(
        player={"player_id": ada.id, "name": "Bob"}, allow_missing=True
    )
    assert await refusal(foreign) == "PLAYER_ACCESS_DENIED"
    await site.client.delete_player(player_id=ada.id)
    assert (
        await refusal(update(player={"name": "Ada", "player_id": ada.id}, allow_missing=True))
        == "PLAYER_NOT_FOUND"
    )
