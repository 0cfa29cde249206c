"""Armies over the API: validated, created, listed, updated, deleted, fielded; and content."""

import asyncio
from typing import Any
from uuid import uuid4

import grpc
import pytest

from services.client import Client, ServiceError, new_request
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import armies_pb2 as pb
from services.wire.emeth.v1.games_pb2 import ListContentRequest

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
async def lions(client: Client) -> pb.CreateArmyResponse:
    return await client.create_army(army={"game": GOLEM, "name": "Lions", "roster": LIONS})


async def refused(call: Any) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        await call
    return caught.value


async def test_all_faults_of_an_army_are_reported_at_once(client: Client) -> None:
    check = (
        await client.validate_army(game=GOLEM, roster=FAULTY, constraints=TWIN_WELLS)
    ).validation
    assert [f"{each.rule} {each.path}" for each in check.faults] == [
        *(f"ga.army.arcanum golems[{n}].type" for n in (0, 2, 4, 6)),
        *(f"ga.army.unknown golems[{n}].knight" for n in (0, 2, 4, 6)),
    ]
    assert "the Mercenary Kings fields only" in check.faults[0].why
    assert check.faults[0].sentence.endswith("]")
    assert (check.points, check.max_points) == (500, 500)


async def test_the_value_is_limited_by_the_scenario_it_is_built_for(client: Client) -> None:
    dear = LIONS | {"golems": [{"type": "sand-lion"}] * 7}
    check = (await client.validate_army(game=GOLEM, roster=dear, constraints=TWIN_WELLS)).validation
    assert [f"{each.rule} {each.path}" for each in check.faults] == ["ga.army.apv total=540"]
    free = (await client.validate_army(game=GOLEM, roster=dear)).validation
    assert not free.faults
    assert not free.HasField("max_points")


@pytest.mark.parametrize(
    ("roster", "constraints", "field"),
    [
        ({}, {}, "roster"),
        (LIONS | {"mascot": "cat"}, {}, "roster"),
        (LIONS | {"golems": [{"type": 7}]}, {}, "roster.golems[0].type"),
        (LIONS, {"scenario": "moon"}, "constraints"),
        (LIONS, {"pack": "eretsu-core"}, "constraints.pack"),
        (LIONS, {"rounds": 3}, "constraints"),
        ({"faction": "x" * 20_000}, {}, "roster"),
    ],
)
async def test_what_is_no_army_is_malformed(
    client: Client, roster: dict[str, Any], constraints: dict[str, Any], field: str
) -> None:
    error = await refused(client.validate_army(game=GOLEM, roster=roster, constraints=constraints))
    assert error.reason == "FIELD_INVALID"
    assert [*error.violations] == [field]
    error = await refused(
        client.create_army(
            army={"game": GOLEM, "name": "x", "roster": roster, "constraints": constraints}
        )
    )
    assert [*error.violations] == [f"army.{field}"]


async def test_a_game_without_armies_says_so(client: Client) -> None:
    for call in (
        client.validate_army(game="agog", roster=LIONS),
        client.create_army(army={"game": "agog", "name": "x", "roster": LIONS}),
        client.list_content(game="agog"),
        client.create_match(game="agog", armies={"white": str(uuid4())}),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_ARMIES")
        assert error.message == "A.G.O.G. has no armies"
        assert error.metadata == {"game": "agog"}


async def test_an_army_with_faults_is_not_saved(client: Client) -> None:
    answer = await client.create_army(
        army={"game": GOLEM, "name": "x", "roster": LIONS | {"ancients": ["urzal", "urzal"]}}
    )
    assert [each.rule for each in answer.refused.faults] == ["ga.army.ancient-twice"]
    assert not answer.owner_token


async def test_who_saves_first_is_given_the_owners_token(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, saved = lions.owner_token, lions.army
    assert (saved.name, saved.points) == ("Lions", 200)
    again = await client.create_army(
        owner, army={"game": GOLEM, "name": "Archers", "roster": ARCHERS, "constraints": TWIN_WELLS}
    )
    assert not again.owner_token
    assert again.army.constraints["scenario"] == "twin-wells"
    assert len(again.army.constraints["pack"]) == 64, "the content is pinned"
    assert await client.list_armies(owner) == [again.army, saved]
    assert await client.list_armies(owner, filter="name : LION") == [saved]
    assert await client.list_armies(owner, filter="game = agog") == []
    assert await client.list_armies(owner, order_by="create_time") == [saved, again.army]
    stranger = await client.create_army(army={"game": GOLEM, "name": "Others", "roster": ARCHERS})
    assert await client.list_armies(stranger.owner_token) == [stranger.army]


async def test_lists_come_in_pages(client: Client, lions: pb.CreateArmyResponse) -> None:
    owner = lions.owner_token
    for number in range(4):
        await client.create_army(
            owner, army={"game": GOLEM, "name": f"Archers {number}", "roster": ARCHERS}
        )
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
    other = pb.ListArmiesRequest(page_size=2, filter="name : x", page_token=page.next_page_token)
    error = await refused(client._call(client._armies.ListArmies, other, owner))
    assert error.reason == "PAGE_TOKEN_INVALID"


async def test_callers_with_its_id_may_read_an_army_but_not_change_it(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    saved = lions.army
    assert await client.get_army(army_id=saved.army_id) == saved
    stranger = (
        await client.create_army(army={"game": GOLEM, "name": "Others", "roster": ARCHERS})
    ).owner_token
    for token, reason in (
        ("", "TOKEN_MISSING"),
        (stranger, "NOT_OWNER"),
        ("x", "NOT_OWNER"),
    ):
        over = client.update_army(
            token, army={"army_id": saved.army_id, "name": "Mine", "roster": ARCHERS}
        )
        assert (await refused(over)).reason == reason
        assert (await refused(client.delete_army(token, saved.army_id))).reason == reason
    assert await client.get_army(army_id=saved.army_id) == saved


async def test_only_our_own_tokens_make_owners(client: Client) -> None:
    created = await client.create_match(game="agog")
    for token in ("secret", created.tokens["white"]):
        error = await refused(
            client.create_army(token, army={"game": GOLEM, "name": "x", "roster": LIONS})
        )
        assert error.reason == "NOT_OWNER"
    assert (await refused(client.list_armies())).reason == "TOKEN_MISSING"


async def test_an_army_is_saved_over_if_it_is_at_the_version_one_has_in_mind(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, name = lions.owner_token, lions.army.army_id
    over = await client.update_army(
        owner, army={"army_id": name, "etag": lions.army.etag, "name": "Archers", "roster": ARCHERS}
    )
    assert (over.army.name, over.army.roster["faction"]) == ("Archers", "durani")
    assert over.army.etag != lions.army.etag
    assert over.army.create_time == lions.army.create_time
    stale = await refused(
        client.update_army(
            owner, army={"army_id": name, "etag": lions.army.etag, "name": "x", "roster": LIONS}
        )
    )
    assert (stale.reason, stale.metadata) == (
        "VERSION_STALE",
        {
            "etag": over.army.etag,
            "expected": lions.army.etag,
        },
    )
    assert await client.list_armies(owner) == [over.army]
    missing = await refused(client.update_army(owner, army={"army_id": str(uuid4()), "name": "x"}))
    assert missing.reason == "ARMY_NOT_FOUND"


async def test_an_update_changes_only_what_its_mask_names(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, before = lions.owner_token, lions.army
    renamed = (
        await client.update_army(owner, army={"army_id": before.army_id, "name": "Two lions"})
    ).army
    assert (renamed.name, renamed.roster) == ("Two lions", before.roster)
    narrowed = (
        await client.update_army(owner, army={"army_id": before.army_id, "constraints": TWIN_WELLS})
    ).army
    assert (narrowed.name, narrowed.roster) == ("Two lions", before.roster)
    assert narrowed.constraints["scenario"] == "twin-wells"
    assert narrowed.update_time.ToDatetime() >= narrowed.create_time.ToDatetime()

    army = pb.Army(army_id=before.army_id, name="Lions")

    async def updated(*paths: str) -> pb.UpdateArmyResponse:
        request = pb.UpdateArmyRequest(request_id=new_request(), army=army)
        request.update_mask.paths.extend(paths)
        return await client._call(client._armies.UpdateArmy, request, owner)

    without_a_mask = (await updated()).army
    assert (without_a_mask.name, without_a_mask.roster) == ("Lions", before.roster)
    for path in ("points", "game", "roster.golems", "army_id"):
        assert [*(await refused(updated(path))).violations] == ["update_mask"]
    army.Clear()
    army.army_id = before.army_id
    assert [*(await refused(updated())).violations] == ["update_mask"], "nothing is set"
    assert [*(await refused(updated("name"))).violations] == ["army.name"], "a name is not empty"


async def test_an_update_that_breaks_rules_changes_nothing(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, army = lions.owner_token, lions.army
    dear = LIONS | {"golems": [{"type": "sand-lion"}] * 7}
    assert not (
        await client.update_army(owner, army={"army_id": army.army_id, "roster": dear})
    ).refused.faults
    refusal = await client.update_army(
        owner, army={"army_id": army.army_id, "constraints": TWIN_WELLS}
    )
    assert [each.path for each in refusal.refused.faults] == ["total=540"]
    now = await client.get_army(army_id=army.army_id)
    assert now.constraints["scenario"] == ""
    await client.update_army(
        owner, army={"army_id": army.army_id, "roster": LIONS, "constraints": TWIN_WELLS}
    )


async def test_an_army_is_deleted_only_at_the_etag_one_has_in_mind(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, army = lions.owner_token, lions.army
    over = (
        await client.update_army(
            owner, army={"army_id": army.army_id, "name": "Archers", "roster": ARCHERS}
        )
    ).army
    stale = await refused(client.delete_army(owner, army.army_id, etag=army.etag))
    assert stale.reason == "VERSION_STALE"
    await client.delete_army(owner, army.army_id, etag=over.etag)
    assert await client.list_armies(owner) == []


async def test_a_request_that_comes_again_records_nothing(client: Client) -> None:
    request = new_request()
    first = await client.create_army(
        request_id=request, army={"game": GOLEM, "name": "Lions", "roster": LIONS}
    )
    assert (
        await client.create_army(
            request_id=request, army={"game": GOLEM, "name": "Lions", "roster": LIONS}
        )
        == first
    )
    owner, name = first.owner_token, first.army.army_id
    change = new_request()
    over = await client.update_army(
        owner, request_id=change, army={"army_id": name, "name": "Archers", "roster": ARCHERS}
    )
    await client.update_army(owner, army={"army_id": name, "name": "Lions again", "roster": LIONS})
    again = await client.update_army(
        owner, request_id=change, army={"army_id": name, "name": "Archers", "roster": ARCHERS}
    )
    assert again == over, "the first answer, though the army has changed since"
    assert (await client.get_army(army_id=name)).name == "Lions again"
    other = client.update_army(
        owner, request_id=change, army={"army_id": name, "name": "x", "roster": ARCHERS}
    )
    assert (await refused(other)).reason == "REQUEST_ID_REUSED"
    gone = new_request()
    await client.delete_army(owner, name, request_id=gone)
    await client.delete_army(owner, name, request_id=gone)


async def test_saves_that_come_at_once_are_all_recorded_one_after_the_other(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, name = lions.owner_token, lions.army.army_id
    answers = await asyncio.gather(
        *(
            client.update_army(owner, army={"army_id": name, "name": f"Lions {n}", "roster": LIONS})
            for n in range(4)
        )
    )
    assert len({answer.army.etag for answer in answers}) == 4
    last = await client.get_army(army_id=name)
    assert last in [answer.army for answer in answers]
    assert await client.list_armies(owner) == [last]


async def test_a_deleted_army_is_there_no_more(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    owner, name = lions.owner_token, lions.army.army_id
    await client.delete_army(owner, name)
    assert await client.list_armies(owner) == []
    for call in (
        client.get_army(army_id=name),
        client.delete_army(owner, name),
        client.update_army(owner, army={"army_id": name, "name": "x", "roster": LIONS}),
        client.create_match(game=GOLEM, options=TWIN_WELLS, armies={"south": name}),
    ):
        assert (await refused(call)).reason == "ARMY_NOT_FOUND"


async def test_saved_armies_are_fielded_and_are_in_the_log_of_the_match(
    client: Client, lions: pb.CreateArmyResponse
) -> None:
    north = await client.create_army(army={"game": GOLEM, "name": "Archers", "roster": ARCHERS})
    request = new_request()
    fielded = {"south": lions.army.army_id, "north": north.army.army_id}
    made = await client.create_match(
        game=GOLEM, options=TWIN_WELLS, request_id=request, armies=fielded
    )
    scene = await client.view(made.tokens["spectator"], made.match.match_id, "text")
    assert "s1=sand-lion+yeshe@?:50;s2=sand-lion@?:50;n1=prism-archer@?" in scene.position
    armies = made.match.options["armies"]
    assert armies["south"]["ancients"][0] == "urzal"

    await client.delete_army(lions.owner_token, lions.army.army_id)
    again = await client.create_match(
        game=GOLEM, options=TWIN_WELLS, request_id=request, armies=fielded
    )
    assert again == made, "the first answer, though an army is gone since"
    other = client.create_match(
        game=GOLEM, options=TWIN_WELLS | {"range": "steps"}, request_id=request, armies=fielded
    )
    assert (await refused(other)).reason == "REQUEST_ID_REUSED"


async def test_a_saved_army_is_checked_again_when_it_is_used(client: Client) -> None:
    dear = LIONS | {"golems": [{"type": "sand-lion"}] * 7}
    name = (
        await client.create_army(army={"game": GOLEM, "name": "Dear", "roster": dear})
    ).army.army_id
    error = await refused(
        client.create_match(game=GOLEM, options=TWIN_WELLS, armies={"south": name})
    )
    assert error.reason == "OPTIONS_INVALID"
    assert "ga.army.apv total=540" in error.message
    fixed = await refused(client.create_match(game=GOLEM, options={}, armies={"south": name}))
    assert "fixes the armies" in fixed.message
    nobody = await refused(
        client.create_match(game=GOLEM, options=TWIN_WELLS, armies={"west": name})
    )
    assert "west does not play" in nobody.message
    bad = await refused(
        client.create_match(game=GOLEM, options=TWIN_WELLS, armies={"south": "lions"})
    )
    assert [*bad.violations] == ['armies["south"]']


async def test_an_armys_id_is_no_matchs(client: Client, lions: pb.CreateArmyResponse) -> None:
    error = await refused(client.match(lions.army.army_id))
    assert error.reason == "MATCH_NOT_FOUND"
    created = await client.create_match(game="agog")
    assert (
        await refused(client.get_army(army_id=created.match.match_id))
    ).reason == "ARMY_NOT_FOUND"


async def test_armies_outlive_the_service_and_a_rebuild(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        lions = await client.create_army(army={"game": GOLEM, "name": "Lions", "roster": LIONS})
    async with Service(settings) as service, Client(service.address) as client:
        assert await client.list_armies(lions.owner_token) == [lions.army]
        assert [step.done async for step in client.rebuild_projections(service.admin_key)][-1]
        assert await client.list_armies(lions.owner_token) == [lions.army]
        over = await client.update_army(
            lions.owner_token,
            army={"army_id": lions.army.army_id, "name": "Archers", "roster": ARCHERS},
        )
        assert await client.list_armies(lions.owner_token) == [over.army]


async def test_owners_stay_owners_when_the_services_secret_changes(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        lions = await client.create_army(army={"game": GOLEM, "name": "Lions", "roster": LIONS})
    (settings.folder / "secret.key").unlink()
    async with Service(settings) as service, Client(service.address) as client:
        await client.create_army(
            lions.owner_token, army={"game": GOLEM, "name": "Archers", "roster": ARCHERS}
        )
        assert len(await client.list_armies(lions.owner_token)) == 2


async def test_content_is_narrowed_by_faction_kind_size_and_points(client: Client) -> None:
    everything = await client.list_content(game=GOLEM)
    assert len([each for each in everything if each.kind == "golem"]) == 22
    small = await client.list_content(
        game=GOLEM,
        filter="factions : mercenary AND kind = golem AND size = warsprite AND points <= 80",
    )
    assert [each.id for each in small] == ["bramblehorn", "horned-blight"]
    assert small[0].description.startswith(
        "45 HP, armor 3, dodge 20; Walk (1 AP): walk, nimble, MP 3;"
    )
    dear = await client.list_content(game=GOLEM, filter="kind = golem AND points >= 340")
    assert [each.id for each in dear] == ["basalt-regent", "hollow-monarch"]
    relics = await client.list_content(game=GOLEM, filter="kind = relic AND factions : durani")
    assert len(relics) == 8, "anybody may carry a Relic"


async def test_content_is_ordered_by_points_or_by_name(client: Client) -> None:
    golems = await client.list_content(game=GOLEM, filter="kind = golem")
    assert golems != sorted(golems, key=lambda each: each.points)
    for order_by, ordered in (
        ("points", sorted(golems, key=lambda each: each.points)),
        ("points desc", sorted(golems, key=lambda each: -each.points)),
        ("name", sorted(golems, key=lambda each: each.name)),
    ):
        found = await client.list_content(game=GOLEM, filter="kind = golem", order_by=order_by)
        assert found == ordered


async def test_content_comes_in_pages(client: Client) -> None:
    request = ListContentRequest(game=GOLEM, filter="kind = golem", page_size=15)
    first = await client._call(client._games.ListContent, request)
    request.page_token = first.next_page_token
    second = await client._call(client._games.ListContent, request)
    assert (len(first.entries), len(second.entries), second.next_page_token) == (15, 7, "")
    request.filter = "kind = knight"
    error = await refused(client._call(client._games.ListContent, request))
    assert error.reason == "PAGE_TOKEN_INVALID"


async def test_a_game_gives_the_shape_of_a_roster_and_of_its_constraints(client: Client) -> None:
    game = (await client.get_game(game=GOLEM)).game
    assert game.roster_schema["$defs"]["Army"]["properties"]["golems"]
    assert [(each.name, each.content_kind) for each in game.constraints] == [
        ("scenario", "scenario"),
        ("pack", ""),
    ]


async def test_a_stranger_without_a_secret_saves_an_army_too(client: Client) -> None:
    army = pb.Army(game=GOLEM, name="Lions")
    army.roster.update(LIONS)
    request = pb.CreateArmyRequest(request_id=new_request(), army=army)
    made = await client._armies.CreateArmy(request)
    assert made.owner_token
    with pytest.raises(grpc.aio.AioRpcError) as repeated:
        await client._armies.CreateArmy(request)
    assert ServiceError.from_rpc(repeated.value).reason == "RESPONSE_WITHHELD"
