"""Armies over the API: checked, saved, listed, changed, deleted, fielded; and the catalog."""

import asyncio
from typing import Any
from uuid import uuid4

import grpc
import pytest

from services.client import Client, ServiceError, new_request
from services.server import Service
from services.settings import Settings
from services.wire.emeth.v1 import armies_pb2 as pb

GOLEM = "golem-arcana"
LIONS = {
    "faction": "gudanna",
    "golems": [{"type": "sand-lion", "knight": "yeshe"}, {"type": "sand-lion"}],
    "ancients": ["urzal"],
}
ARCHERS = {"faction": "durani", "golems": [{"type": "prism-archer"}, {"type": "horned-blight"}]}
TWIN_WELLS = {"scenario": "twin-wells"}
FAULTY = {
    "faction": "mercenary",
    "golems": [{"type": "sand-lion", "knight": "nobody"}, {"type": "bramblehorn"}] * 4,
}


@pytest.fixture
async def lions(client: Client) -> pb.SaveArmyResponse:
    return await client.save_army("", GOLEM, "Lions", LIONS)


async def refused(call: Any) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        await call
    return caught.value


async def test_all_that_is_wrong_with_an_army_is_told_at_once(client: Client) -> None:
    check = await client.validate_army(GOLEM, FAULTY, TWIN_WELLS)
    assert [f"{each.rule} {each.path}" for each in check.faults] == [
        *(f"ga.army.arcanum golems[{n}].type" for n in (0, 2, 4, 6)),
        *(f"ga.army.unknown golems[{n}].knight" for n in (0, 2, 4, 6)),
    ]
    assert "the Mercenary Kings fields only" in check.faults[0].why
    assert check.faults[0].sentence.endswith("]")
    assert (check.points, check.limit) == (500, 500)


async def test_the_value_is_limited_by_the_scenario_it_is_built_for(client: Client) -> None:
    dear = LIONS | {"golems": [{"type": "sand-lion"}] * 7}
    check = await client.validate_army(GOLEM, dear, TWIN_WELLS)
    assert [f"{each.rule} {each.path}" for each in check.faults] == ["ga.army.apv total=540"]
    free = await client.validate_army(GOLEM, dear)
    assert not free.faults
    assert not free.HasField("limit")


@pytest.mark.parametrize(
    ("army", "occasion", "field"),
    [
        ({}, {}, "army"),
        (LIONS | {"mascot": "cat"}, {}, "army"),
        (LIONS | {"golems": [{"type": 7}]}, {}, "army.golems[0].type"),
        (LIONS, {"scenario": "moon"}, "occasion"),
        (LIONS, {"pack": "eretsu-core"}, "occasion.pack"),
        (LIONS, {"rounds": 3}, "occasion"),
        ({"faction": "x" * 20_000}, {}, "army"),
    ],
)
async def test_what_is_no_army_is_malformed(
    client: Client, army: dict[str, Any], occasion: dict[str, Any], field: str
) -> None:
    error = await refused(client.validate_army(GOLEM, army, occasion))
    assert error.reason == "FIELD_INVALID"
    assert [*error.violations] == [field]
    assert (await refused(client.save_army("", GOLEM, "x", army, occasion))).violations


async def test_a_game_without_armies_says_so(client: Client) -> None:
    for call in (
        client.validate_army("agog", LIONS),
        client.save_army("", "agog", "x", LIONS),
        client.catalog(pb.GetCatalogRequest(game="agog")),
        client.create_match("agog", armies={"white": str(uuid4())}),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_ARMIES")
        assert error.message == "A.G.O.G. has no armies"
        assert error.metadata == {"game": "agog"}


async def test_an_army_with_faults_is_not_saved(client: Client) -> None:
    answer = await client.save_army("", GOLEM, "x", LIONS | {"ancients": ["urzal", "urzal"]})
    assert [each.rule for each in answer.refused.faults] == ["ga.army.ancient-twice"]
    assert not answer.owner_token


async def test_who_saves_first_is_given_the_owners_token(
    client: Client, lions: pb.SaveArmyResponse
) -> None:
    owner, saved = lions.owner_token, lions.saved
    assert (saved.version, saved.name, saved.points) == (1, "Lions", 200)
    again = await client.save_army(owner, GOLEM, "Archers", ARCHERS, TWIN_WELLS)
    assert not again.owner_token
    assert again.saved.occasion["scenario"] == "twin-wells"
    assert len(again.saved.occasion["pack"]) == 64, "the content is pinned"
    assert await client.list_armies(owner) == [again.saved, saved]
    assert await client.list_armies(owner, name="LION") == [saved]
    assert await client.list_armies(owner, game="agog") == []
    stranger = await client.save_army("", GOLEM, "Others", ARCHERS)
    assert await client.list_armies(stranger.owner_token) == [stranger.saved]


async def test_lists_come_in_pages(client: Client, lions: pb.SaveArmyResponse) -> None:
    owner = lions.owner_token
    for number in range(4):
        await client.save_army(owner, GOLEM, f"Archers {number}", ARCHERS)
    request = pb.ListArmiesRequest(page_size=2)
    names = []
    while True:
        page = await client._call(client._armies.ListArmies, request, owner)
        names += [army.name for army in page.armies]
        request.page_token = page.next_page_token
        if not request.page_token:
            break
    assert names == ["Archers 3", "Archers 2", "Archers 1", "Archers 0", "Lions"]
    page = await client._call(client._armies.ListArmies, pb.ListArmiesRequest(page_size=2), owner)
    other = pb.ListArmiesRequest(page_size=2, name="x", page_token=page.next_page_token)
    error = await refused(client._call(client._armies.ListArmies, other, owner))
    assert error.reason == "PAGE_TOKEN_INVALID"


async def test_whoever_knows_its_id_may_look_at_an_army_but_not_touch_it(
    client: Client, lions: pb.SaveArmyResponse
) -> None:
    saved = lions.saved
    assert await client.army(saved.army_id) == saved
    stranger = (await client.save_army("", GOLEM, "Others", ARCHERS)).owner_token
    for token, reason in (
        ("", "TOKEN_MISSING"),
        (stranger, "TOKEN_FOREIGN"),
        ("x", "TOKEN_FOREIGN"),
    ):
        over = client.save_army(token, GOLEM, "Mine", ARCHERS, army_id=saved.army_id)
        assert (await refused(over)).reason == reason
        assert (await refused(client.delete_army(token, saved.army_id))).reason == reason
    assert await client.army(saved.army_id) == saved


async def test_only_our_own_tokens_make_owners(client: Client) -> None:
    created = await client.create_match("agog")
    for token in ("secret", created.tokens["white"]):
        error = await refused(client.save_army(token, GOLEM, "x", LIONS))
        assert error.reason == "TOKEN_FOREIGN"
    assert (await refused(client.list_armies(""))).reason == "TOKEN_MISSING"


async def test_an_army_is_saved_over_if_it_is_at_the_version_one_has_in_mind(
    client: Client, lions: pb.SaveArmyResponse
) -> None:
    owner, name = lions.owner_token, lions.saved.army_id
    over = await client.save_army(
        owner, GOLEM, "Archers", ARCHERS, army_id=name, expected_version=1
    )
    assert (over.saved.version, over.saved.name) == (2, "Archers")
    assert over.saved.created_at == lions.saved.created_at
    stale = await refused(
        client.save_army(owner, GOLEM, "x", LIONS, army_id=name, expected_version=1)
    )
    assert (stale.reason, stale.metadata) == ("VERSION_STALE", {"version": "2", "expected": "1"})
    assert await client.list_armies(owner) == [over.saved]
    missing = await refused(client.save_army(owner, GOLEM, "x", LIONS, army_id=str(uuid4())))
    assert missing.reason == "ARMY_UNKNOWN"


async def test_a_request_that_comes_again_records_nothing(client: Client) -> None:
    request = new_request()
    first = await client.save_army("", GOLEM, "Lions", LIONS, request_id=request)
    assert await client.save_army("", GOLEM, "Lions", LIONS, request_id=request) == first
    owner, name = first.owner_token, first.saved.army_id
    change = new_request()
    over = await client.save_army(owner, GOLEM, "Archers", ARCHERS, army_id=name, request_id=change)
    await client.save_army(owner, GOLEM, "Lions again", LIONS, army_id=name)
    again = await client.save_army(
        owner, GOLEM, "Archers", ARCHERS, army_id=name, request_id=change
    )
    assert again == over, "the first answer, though the army has changed since"
    assert (await client.army(name)).version == 3
    other = client.save_army(owner, GOLEM, "x", ARCHERS, army_id=name, request_id=change)
    assert (await refused(other)).reason == "REQUEST_ID_REUSED"
    gone = new_request()
    assert await client.delete_army(owner, name, gone) == 4
    assert await client.delete_army(owner, name, gone) == 4


async def test_saves_that_come_at_once_are_all_recorded_one_after_the_other(
    client: Client, lions: pb.SaveArmyResponse
) -> None:
    owner, name = lions.owner_token, lions.saved.army_id
    answers = await asyncio.gather(
        *(client.save_army(owner, GOLEM, f"Lions {n}", LIONS, army_id=name) for n in range(4))
    )
    assert sorted(answer.saved.version for answer in answers) == [2, 3, 4, 5]
    last = max(answers, key=lambda answer: answer.saved.version).saved
    assert await client.army(name) == last
    assert await client.list_armies(owner) == [last]


async def test_a_deleted_army_is_there_no_more(client: Client, lions: pb.SaveArmyResponse) -> None:
    owner, name = lions.owner_token, lions.saved.army_id
    await client.delete_army(owner, name)
    assert await client.list_armies(owner) == []
    for call in (
        client.army(name),
        client.delete_army(owner, name),
        client.save_army(owner, GOLEM, "x", LIONS, army_id=name),
        client.create_match(GOLEM, TWIN_WELLS, armies={"south": name}),
    ):
        assert (await refused(call)).reason == "ARMY_UNKNOWN"


async def test_saved_armies_are_fielded_and_are_in_the_log_of_the_match(
    client: Client, lions: pb.SaveArmyResponse
) -> None:
    north = await client.save_army("", GOLEM, "Archers", ARCHERS)
    request = new_request()
    fielded = {"south": lions.saved.army_id, "north": north.saved.army_id}
    made = await client.create_match(GOLEM, TWIN_WELLS, request_id=request, armies=fielded)
    scene = await client.scene(made.tokens["spectator"], made.match.match_id)
    assert "s1=sand-lion+yeshe@?:50;s2=sand-lion@?:50;n1=prism-archer@?" in scene.position
    armies = made.match.options["armies"]
    assert armies["south"]["ancients"][0] == "urzal"

    await client.delete_army(lions.owner_token, lions.saved.army_id)
    again = await client.create_match(GOLEM, TWIN_WELLS, request_id=request, armies=fielded)
    assert again == made, "the first answer, though an army is gone since"
    other = client.create_match(
        GOLEM, TWIN_WELLS | {"range": "steps"}, request_id=request, armies=fielded
    )
    assert (await refused(other)).reason == "REQUEST_ID_REUSED"


async def test_a_saved_army_is_checked_again_when_it_is_used(client: Client) -> None:
    dear = LIONS | {"golems": [{"type": "sand-lion"}] * 7}
    name = (await client.save_army("", GOLEM, "Dear", dear)).saved.army_id
    error = await refused(client.create_match(GOLEM, TWIN_WELLS, armies={"south": name}))
    assert error.reason == "OPTIONS_INVALID"
    assert "ga.army.apv total=540" in error.message
    fixed = await refused(client.create_match(GOLEM, {}, armies={"south": name}))
    assert "fixes the armies" in fixed.message
    nobody = await refused(client.create_match(GOLEM, TWIN_WELLS, armies={"west": name}))
    assert "west does not play" in nobody.message
    bad = await refused(client.create_match(GOLEM, TWIN_WELLS, armies={"south": "lions"}))
    assert [*bad.violations] == ["armies[south]"]


async def test_an_armys_id_is_no_matchs(client: Client, lions: pb.SaveArmyResponse) -> None:
    error = await refused(client.match(lions.saved.army_id))
    assert error.reason == "MATCH_UNKNOWN"
    created = await client.create_match("agog")
    assert (await refused(client.army(created.match.match_id))).reason == "ARMY_UNKNOWN"


async def test_armies_outlive_the_service_and_a_rebuild(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        lions = await client.save_army("", GOLEM, "Lions", LIONS)
    async with Service(settings) as service, Client(service.address) as client:
        assert await client.list_armies(lions.owner_token) == [lions.saved]
        assert [step.done async for step in client.rebuild(service.admin_key)][-1]
        assert await client.list_armies(lions.owner_token) == [lions.saved]
        over = await client.save_army(
            lions.owner_token, GOLEM, "Archers", ARCHERS, army_id=lions.saved.army_id
        )
        assert await client.list_armies(lions.owner_token) == [over.saved]


async def test_owners_stay_owners_when_the_services_secret_changes(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        lions = await client.save_army("", GOLEM, "Lions", LIONS)
    (settings.folder / "secret.key").unlink()
    async with Service(settings) as service, Client(service.address) as client:
        await client.save_army(lions.owner_token, GOLEM, "Archers", ARCHERS)
        assert len(await client.list_armies(lions.owner_token)) == 2


async def test_the_catalog_is_narrowed_by_faction_kind_size_and_points(client: Client) -> None:
    everything = await client.catalog(pb.GetCatalogRequest(game=GOLEM))
    assert len([each for each in everything if each.kind == "golem"]) == 22
    small = await client.catalog(
        pb.GetCatalogRequest(
            game=GOLEM, faction="mercenary", kind="golem", size="warsprite", most_points=80
        )
    )
    assert [each.id for each in small] == ["bramblehorn", "horned-blight"]
    assert small[0].words.startswith("45 HP, armor 3, dodge 20; Walk (1 AP): walk, nimble, MP 3;")
    dear = await client.catalog(pb.GetCatalogRequest(game=GOLEM, kind="golem", least_points=340))
    assert [each.id for each in dear] == ["basalt-regent", "hollow-monarch"]
    relics = await client.catalog(pb.GetCatalogRequest(game=GOLEM, kind="relic", faction="durani"))
    assert len(relics) == 8, "anybody may carry a Relic"


async def test_the_catalog_comes_in_pages_and_brings_the_shape_of_an_army(client: Client) -> None:
    request = pb.GetCatalogRequest(game=GOLEM, kind="golem", page_size=15)
    first = await client._call(client._armies.GetCatalog, request)
    assert first.army_schema["$defs"]["Army"]["properties"]["golems"]
    assert first.occasion_schema["$defs"]["Occasion"]["properties"]["scenario"]
    request.page_token = first.next_page_token
    second = await client._call(client._armies.GetCatalog, request)
    assert (len(first.entries), len(second.entries), second.next_page_token) == (15, 7, "")
    assert not second.HasField("army_schema")
    request.kind = "knight"
    error = await refused(client._call(client._armies.GetCatalog, request))
    assert error.reason == "PAGE_TOKEN_INVALID"
