"""Names that people choose, wherever they are shown: none passes for another's."""

import pytest

from services.client import Client
from services.main import Service
from services.wire.emeth.v1 import matches_pb2
from tests.services.accounts.conftest import Site
from tests.services.conftest import refusal
from tests.services.runtime.test_display_names import DISGUISES

HIDDEN = "\u202eAda\u200b \u00ad Lovelace\u2066\u3164"
"""What is shown as `Ada Lovelace`."""


async def test_no_player_has_a_name_that_looks_like_anothers(site: Site, other_site: Site) -> None:
    await site.introduce("0", "Alice")
    for number, (how, name) in enumerate(DISGUISES.items(), 1):
        assert await refusal(site.introduce(str(number), name)) == "PLAYER_NAME_TAKEN", how
    await site.introduce("1", "Ada")
    assert await refusal(site.introduce("1", "AIice")) == "PLAYER_NAME_TAKEN"
    await other_site.introduce("1", "Аlice")  # another frontend has players of its own


async def test_a_name_is_free_when_its_player_has_another_or_is_erased(site: Site) -> None:
    alice = await site.introduce("0", "Alice")
    assert (await site.introduce("0", "ALICE")) == alice  # its own name, written otherwise
    await site.introduce("0", "Ada")
    bob = await site.introduce("1", "Alіce")
    await site.client.delete_player(player_id=bob.id)
    await site.introduce("2", "Alice")
    assert await refusal(site.introduce("3", "Аda")) == "PLAYER_NAME_TAKEN"


async def test_of_a_name_only_what_can_be_seen_is_kept(site: Site, service: Service) -> None:
    client, name = site.client, "Ada Lovelace"
    ada = await site.introduce("1", HIDDEN)
    assert (await client.get_player(ada.token)).name == name
    created = await client.create_match(game="agog", title=HIDDEN)
    assert created.match.title == name
    token, match = created.tokens["white"], created.match.match_id
    await client.join_match(token, match, "white", player=HIDDEN)
    assert (await client.match(match)).seats[0].player == name
    async with Client(service.address) as operator:
        made = await operator.create_frontend(
            service.admin_key, frontend={"name": HIDDEN, "rights": ()}
        )
        assert (
            await operator.get_frontend(service.admin_key, made.frontend.frontend_id)
        ).name == name


async def test_a_name_that_an_older_service_recorded_is_shown_without_what_cannot_be_seen(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As is one in a file of another service."""
    for place in ("matches", "seating"):
        monkeypatch.setattr(f"services.api.{place}.parse_name", lambda field, text, *_: text)
    client, name = site.client, "Ada Lovelace"
    created = await client.create_match(game="agog", title=HIDDEN)
    match, token = created.match.match_id, created.tokens["white"]
    white = (await client.join_match(token, match, "white", player=HIDDEN)).token
    answer = await client.submit(white, match, "a6-b6")
    assert answer.accepted.events[0].player == name
    shown = await client.match(match)
    assert (created.match.title, shown.title, shown.seats[0].player) == (name, name, name)
    assert [event.player for event in await client.list_events(white, match)][-1] == name


@pytest.mark.parametrize(
    "name",
    [
        "A\u0001da",
        "A\nda",
        "A\u0085da",
        "A\ue000da",
        "A\u2028da",
        "\u200b",
        "\u3164\u2800",
        " ",
        "",
    ],
)
async def test_what_is_no_name_is_refused(site: Site, name: str) -> None:
    created = await site.client.create_match(game="agog")
    taking = site.client.join_match(
        created.tokens["white"], created.match.match_id, "white", player=name
    )
    assert await refusal(taking) == "FIELD_INVALID"
    assert await refusal(site.introduce("1", name)) == "FIELD_INVALID"


async def test_nobody_takes_a_seat_under_a_name_that_looks_like_anothers(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    created = await site.client.create_match(
        game="agog", referee_policy=matches_pb2.REFEREE_POLICY_INVITED
    )
    match, tokens = created.match.match_id, created.tokens
    await site.client.join_match(ada.token, match, "white", invite_code=tokens["white"])
    for name in ("Ada", "Аda", "ada"):
        taking = site.client.join_match(tokens["black"], match, "black", player=name)
        assert await refusal(taking) == "FIELD_INVALID"
    await site.client.join_match(tokens["black"], match, "black", player="Bob")
    assert (
        await refusal(
            site.client.join_match(created.invite_codes["referee"], match, "referee", player="Вob")
        )
        == "FIELD_INVALID"
    )


async def test_one_person_takes_several_seats_under_one_name(site: Site) -> None:
    created = await site.client.create_match(game="agog")
    for seat, name in (("white", "Ada"), ("black", "ADA")):
        await site.client.join_match(
            created.tokens[seat], created.match.match_id, seat, player=name
        )
