"""Several services on one log: players, webhooks and imported matches are those of all of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from services.client import Client
from services.main import Service
from services.store.backup import back_up_database, restore
from services.store.log import Log
from services.store.opened_log import OpenedLog
from services.store.player_profiles import NameTaken, PlayerProfile, PlayerProfiles
from services.store.side_store_copy import copy_side_store, mirror
from services.store.sqlite.side_store import FileSideStore
from services.store.stores import open_log
from tests.services.accounts.conftest import Site, open_site
from tests.services.accounts.test_notices import Receiver, play_match
from tests.services.conftest import refusal
from tests.services.store.test_postgres import life
from tests.services.test_replicas import settings_of
from tests.stores import both_stores

PATIENCE_SECONDS = 30


class Shared:
    """A frontend that calls two services on one log."""

    def __init__(self, services: list[Service], sites: list[Site]) -> None:
        self.services = services
        self.one, self.other = sites


@pytest.fixture
async def shared(tmp_path: Path, database: str) -> AsyncIterator[Shared]:
    async with AsyncExitStack() as stack:
        services = [
            await stack.enter_async_context(
                Service(settings_of(tmp_path / str(number), database, outbound="any"))
            )
            for number in range(2)
        ]
        first = await open_site(services[0])
        second = Site(first.id, first.key, Client(services[1].address, frontend_key=first.key))
        for each in (first, second):
            await stack.enter_async_context(each.client)
        yield Shared(services, [first, second])


async def eventually(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not is_so():  # noqa: ASYNC110  another thread or service brings it about
            await asyncio.sleep(0.02)


async def test_a_player_is_the_same_at_every_service_until_erased_at_any(shared: Shared) -> None:
    one, other = shared.one, shared.other
    ada = await one.introduce("1", "Ada")
    assert await other.introduce("1", "") == ada
    assert await refusal(other.introduce("2", "ada")) == "PLAYER_NAME_TAKEN"
    match, tokens = await other.match(ada)

    async def shown(site: Site) -> str:
        found = await site.client.match(match, 2, token=tokens["spectator"])
        return found.seats[0].player

    assert [await shown(one), await shown(other)] == ["Ada", "Ada"]
    await other.introduce("1", "Augusta")
    names = [service._models.names for service in shared.services]
    await eventually(lambda: {name(UUID(ada.id)) for name in names} == {"Augusta"})
    assert [await shown(one), await shown(other)] == ["Augusta", "Augusta"]
    await one.client.delete_player(one.key, ada.id)
    await eventually(lambda: "Augusta" not in {name(UUID(ada.id)) for name in names})
    assert await shown(other) == await shown(one) != "Augusta"
    assert not [*shared.services[0].settings.folder.glob("people*")]


async def test_what_one_service_has_of_an_imported_match_another_exports(
    shared: Shared, service: Service
) -> None:
    async with Client(service.address) as elsewhere:
        created = await elsewhere.create_match(game="agog")
        match, tokens = created.match.match_id, created.tokens
        for token, action in ((tokens["white"], "a6-b6"), (tokens["black"], "h3-g3")):
            await elsewhere.submit(token, match, action)
        file = (await elsewhere.export(tokens["referee"], match)).data
    operator = shared.services[0].admin_key
    await shared.one.client.import_file(operator, file)
    async with Client(shared.services[1].address) as client:
        assert (await client.match(match, 3, token=tokens["spectator"])).version == 3
        again = [each.data async for each in client.export_match(tokens["referee"], match)]
    assert b"".join(again) == file


async def test_a_webhook_is_posted_to_wherever_it_was_set(shared: Shared) -> None:
    with closing(Receiver()) as receiver:
        ada, bob = await shared.one.introduce("1", "Ada"), await shared.one.introduce("2", "Bob")
        # One of the services has the lease, and each webhook is set at another one in turn.
        for site in (shared.other, shared.one):
            await site.post_to(receiver.url)
            before = len(set(receiver.numbers))
            await play_match(site, ada, bob)
            await eventually(lambda: len(set(receiver.numbers)) >= before + 8)  # noqa: B023
        assert len(set(receiver.numbers)) == 16
        newest = max(receiver.numbers)

        async def taken(site: Site) -> str:
            (hook,) = await site.webhooks()
            return hook.last_notice_id

        async with asyncio.timeout(PATIENCE_SECONDS):
            while {await taken(shared.one), await taken(shared.other)} != {newest}:  # noqa: ASYNC110
                await asyncio.sleep(0.02)


# --- the store ----------------------------------------------------------------------------------


def opened(folder: Path, store: str) -> OpenedLog:
    folder.mkdir(exist_ok=True)
    return open_log(store or f"sqlite:{folder / 'log.sqlite'}", print)


def person(name: str, frontend: UUID) -> PlayerProfile:
    return PlayerProfile(uuid4(), frontend, name.upper(), name)


@both_stores
def test_players_are_found_by_ids_names_and_parts_of_names(tmp_path: Path, store: str) -> None:
    site = uuid4()
    with closing(opened(tmp_path, store)) as log:
        people, ada, bob = (
            PlayerProfiles(log.side_store),
            person("ada%_", site),
            person("bob", site),
        )
        for each in (ada, bob):
            people.put(each, each.name)
        assert (people.profile(ada.player), people.find_external(site, "BOB")) == (ada, bob)
        assert (people.find_by_name("a%_"), people.find_by_name("%"), people.find_by_name("x")) == (
            [str(ada.player)],
            [str(ada.player)],
            [],
        )
        with pytest.raises(NameTaken):
            people.put(person("ada%_", site), "ada%_")
        assert people.count(site) == 2
        people.erase(ada.player)
        assert people.profile(ada.player) is None
        assert people.name(ada.player) != "ada%_"
        people.put(person("ada%_", site), "ada%_")


@both_stores
def test_the_side_store_moves_with_its_log_and_replaces_all_else(
    tmp_path: Path, store: str
) -> None:
    site = uuid4()
    with (
        closing(opened(tmp_path / "from", "")) as source,
        closing(opened(tmp_path / "to", store)) as target,
    ):
        ada, bob = person("ada", site), person("bob", site)
        PlayerProfiles(source.side_store).put(ada, "ada")
        PlayerProfiles(target.side_store).put(
            bob, "bob"
        )  # of a move that was broken off; erased since
        source.side_store.ask(
            "deliveries", "INSERT INTO deliveries VALUES (?, ?)", str(site), 2**40
        )
        source.side_store.put("vouchers", "a.json", b"\0\xff")
        source.side_store.put("packs", "b.txt", b"cards")
        mirror(source.side_store, target.side_store)
        there = PlayerProfiles(target.side_store)
        assert (there.profile(ada.player), there.profile(bob.player)) == (ada, None)
        rows = target.side_store.ask("deliveries", "SELECT * FROM deliveries")
        assert [tuple(each) for each in rows] == [(str(site), 2**40)]
        assert target.side_store.get("vouchers", "a.json") == b"\0\xff"
        assert target.side_store.names("packs") == ["b.txt"]


def test_what_a_service_kept_in_its_folder_becomes_everybodys_but_for_who_was_erased(
    tmp_path: Path, database: str
) -> None:
    site, own = uuid4(), FileSideStore(tmp_path)
    ada, bob, eve, too = (person(name, site) for name in ("ada", "bob", "eve", "ada"))
    for each in (ada, bob, eve):
        PlayerProfiles(own).put(each, each.name)
    own.put("vouchers", "a.json", b"a")
    with closing(Log(tmp_path, print, database)) as log:
        shared = PlayerProfiles(log.side_store)
        shared.put(too, "ada")
        copy_side_store(own, log.side_store, {eve.player}.__contains__)
        assert shared.profile(bob.player) == bob
        assert shared.profile(eve.player) is None
        assert log.side_store.get("vouchers", "a.json") == b"a"
        # A name that another has by now is not lost.
        assert PlayerProfiles(own).profile(ada.player) == ada
        assert PlayerProfiles(own).count(site) == 1
        shared.erase(too.player)
        copy_side_store(own, log.side_store, {eve.player}.__contains__)
        assert shared.profile(ada.player) == ada
    assert {path.name for path in tmp_path.iterdir()} <= {"log.sqlite.lock"}


async def test_a_service_brings_what_is_in_its_folder_but_nobody_who_was_erased(
    tmp_path: Path, database: str
) -> None:
    settings = settings_of(tmp_path / "data", database)
    async with Service(settings) as service:
        site = await open_site(service)
        async with site.client:
            eve = await site.introduce("1", "Eve")
            await site.client.delete_player(site.key, eve.id)
    own, ada = FileSideStore(tmp_path / "data"), person("ada", UUID(site.id))
    with closing(own):
        PlayerProfiles(own).put(ada, "ada")
        PlayerProfiles(own).put(PlayerProfile(UUID(eve.id), UUID(site.id), "1", "Eve"), "eve")
    async with Service(settings) as service:
        names = service._models.names
        assert names(ada.player) == "ada"
        assert names(UUID(eve.id)) != "Eve"
    assert not [*(tmp_path / "data").glob("people.sqlite*")]


async def test_a_backup_of_a_database_is_a_backup_as_any_other(
    tmp_path: Path, database: str
) -> None:
    site, place, lived = uuid4(), tmp_path / "keys", life(12)
    place.mkdir()
    (place / "secret.key").write_text("0" * 64)
    with closing(Log(place, print, database)) as log:  # a service runs
        await log.write(lived.events)
        ada = person("ada", site)
        PlayerProfiles(log.side_store).put(ada, "ada")
        back_up_database(database, place, tmp_path / "one")
        PlayerProfiles(log.side_store).erase(ada.player)
        await log.write(life(3, 2).events)
        made = back_up_database(database, place, tmp_path / "two.tar", tmp_path / "one")
    assert made.after == len(lived.events)
    restore([tmp_path / "one", tmp_path / "two.tar"], tmp_path / "back")
    assert (tmp_path / "back" / "secret.key").is_file()
    with closing(Log(tmp_path / "back", print)) as back:
        assert [*back.events(lived.id)] == [*lived.events]
        assert PlayerProfiles(back.side_store).profile(ada.player) is None
