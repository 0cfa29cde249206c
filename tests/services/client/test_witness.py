"""Who keeps what a service has signed is not shown another past."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from services.client import Client
from services.client.witness import LogRewrittenError, Witness
from services.main import Service
from services.runtime.settings import Settings


class World:
    """A service that can be stopped, and its folder changed, and a witness who watches it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.kept = folder / "witness.json"
        self.match = self.white = self.black = ""

    def service(self) -> Service:
        return Service(Settings(data=str(self.folder), listen="127.0.0.1:0", drain_seconds=1))

    def client(self, service: Service) -> Client:
        return Client(service.address, witness=Witness(self.kept))

    def sql(self, statement: str) -> None:
        with closing(sqlite3.connect(self.folder / "log.sqlite")) as log, log:
            log.execute(statement)
        shutil.rmtree(
            self.folder / "reads", ignore_errors=True
        )  # they know of more, and would keep it from starting

    async def begin(self) -> None:
        """A match in which each seat has acted before the witness."""
        async with self.service() as service, self.client(service) as client:
            created = await client.create_match(game="agog")
            self.match = created.match.match_id
            self.white, self.black = created.tokens["white"], created.tokens["black"]
            await client.submit(self.white, self.match, "a6-b6")
            await client.submit(self.black, self.match, "h3-g3")

    async def go_on(self) -> None:
        async with self.service() as service, self.client(service) as client:
            await client.submit(self.white, self.match, "f1-g1")

    async def refused(self) -> str:
        with pytest.raises(LogRewrittenError) as error:
            await self.go_on()
        return str(error.value)


@pytest.fixture
async def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    await made.begin()
    return made


async def test_a_log_that_continues_is_accepted(world: World) -> None:
    await world.go_on()
    kept = world.kept.read_text()
    assert '"version": 4' in kept
    assert "emeth receipt" in kept


async def test_a_log_that_was_set_back_is_refused(world: World) -> None:
    world.sql("DELETE FROM stored_events WHERE topic LIKE 'match.%' AND originator_version = 3")
    assert "the log has no longer what was kept of it" in await world.refused()


async def test_a_log_that_was_set_back_and_continued_otherwise_is_refused(world: World) -> None:
    world.sql("DELETE FROM stored_events WHERE topic LIKE 'match.%' AND originator_version = 3")
    async with world.service() as service, Client(service.address) as unaware:
        actions = await unaware.list_actions(world.black, world.match)
        await unaware.submit(world.black, world.match, actions[0].notation)
    assert "no longer event 3" in await world.refused()


async def test_another_match_that_is_gone_is_noticed_too(world: World) -> None:
    async with world.service() as service, world.client(service) as client:
        other = await client.create_match(game="agog")
        await client.submit(other.tokens["white"], other.match.match_id, "a6-b6")
        await client.submit(world.white, world.match, "f1-g1")
        await client.submit(world.white, world.match, "no action")
    gone = UUID(other.match.match_id).hex
    world.sql(f"DELETE FROM stored_events WHERE originator_id = '{gone}'")  # noqa: S608
    world.sql(  # no gap shows
        "UPDATE stored_events SET rowid ="
        " (SELECT count(*) FROM stored_events AS e WHERE e.rowid <= stored_events.rowid)"
    )
    with pytest.raises(LogRewrittenError, match="the log has"):
        async with world.service() as service, world.client(service) as client:
            await client.submit(world.white, world.match, "no action")


async def test_a_service_with_another_key_is_refused(world: World) -> None:
    (world.folder / "signing.key").unlink()
    assert "has not signed it" in await world.refused()


async def test_a_new_log_is_refused(world: World) -> None:
    keep = (world.folder / "signing.key").read_text()
    shutil.rmtree(world.folder)
    world.folder.mkdir()
    (world.folder / "signing.key").write_text(keep)
    assert "no longer" in await world.refused()


async def test_what_is_watched_is_kept_too(world: World) -> None:
    async with world.service() as service, Client(service.address) as client:
        witness = Witness(world.kept)
        events = await client.list_events(world.white, world.match)
        for event in events:
            await witness.record_event(client, world.match, event.version, event.digest)
        with pytest.raises(LogRewrittenError, match="another digest"):
            await witness.record_event(client, world.match, 3, "00" * 32)
        with pytest.raises(LogRewrittenError, match="no longer event 2"):
            await witness.record_event(client, world.match, 2, "00" * 32)


async def test_a_file_that_is_not_of_a_witness_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("[]")
    with pytest.raises(LogRewrittenError, match="is not the file of a witness"):
        Witness(tmp_path / "file")


async def test_what_is_undone_is_witnessed_too(world: World) -> None:
    async with world.service() as service, world.client(service) as client:
        asked = await client.undo(world.black, world.match)
        granted = (await client.answer(world.white, world.match, accepted=True)).accepted
        assert asked.receipt.version < granted.receipt.version == granted.version
        assert granted.receipt.signature
    world.sql("DELETE FROM stored_events WHERE originator_version > 3")
    assert await world.refused()
