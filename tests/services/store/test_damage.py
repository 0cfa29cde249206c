"""What is stored of a match was changed: it is named and refused, and all others go on."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.store.errors import LogDamaged
from services.store.log import FILE
from services.store.startup import StartError
from tests.services.conftest import CreatedMatch, create_match, play, refusal

FIRST = (("white", "a6-b6"), ("black", "h3-g3"), ("white", "f1-g1"), ("black", "c8-c7"))
NEXT = ("white", "b6-c6")


@asynccontextmanager
async def running(settings: Settings, limits: Limits | None = None) -> AsyncIterator[Client]:
    async with Service(settings, limits) as service, Client(service.address) as client:
        yield client


@pytest.fixture
async def stopped(settings: Settings) -> tuple[CreatedMatch, CreatedMatch]:
    """A service that was stopped in the middle of two matches of five events each."""
    async with running(settings) as client:
        hit, other = [await create_match(client, title="A match") for _ in range(2)]
        for match in (hit, other):
            await play(client, match, *FIRST)
            await client.match(match.id, 5)
    return hit, other


def change(settings: Settings, match: CreatedMatch, version: int, old: str, new: str) -> None:
    """Change some text of an event where it lies; of any column."""
    with closing(sqlite3.connect(settings.folder / FILE)) as log, log:
        log.execute(
            "UPDATE stored_events SET topic = replace(topic, ?, ?),"
            " state = CAST(replace(CAST(state AS TEXT), ?, ?) AS BLOB)"
            " WHERE originator_id = ? AND originator_version = ?",
            (old, new, old, new, match.id.replace("-", ""), version),
        )


def forget_reads(settings: Settings) -> None:
    for path in (settings.folder / "reads").iterdir():
        path.unlink()


@pytest.mark.parametrize(
    ("version", "old", "new"),
    [
        (1, '"A match"', '"A watch"'),
        (3, '"end":"g3"', '"end":"h4"'),
        (5, '"end":"c7"', '"end":"c6"'),
        (3, '"digest":"', '"digest":"0'),
        (3, '{"digest"', '{digest"'),
        (3, "match.ActionTaken", "match.ActionTakem"),
        (4, "match.ActionTaken", "mauch.ActionTaken"),
    ],
)
async def test_a_changed_event_stops_its_match_and_no_other(
    settings: Settings, stopped: tuple[CreatedMatch, CreatedMatch], version: int, old: str, new: str
) -> None:
    hit, other = stopped
    change(settings, hit, version, old, new)
    for forgotten in (False, True):  # as they were, and rebuilt from the log
        if forgotten:
            forget_reads(settings)
        async with running(settings) as client:
            with pytest.raises(ServiceError) as refused:
                await client.submit(hit.tokens["white"], hit.id, NEXT[1])
            assert refused.value.reason == "RECORD_DAMAGED"
            assert refused.value.message.startswith(f"event {version} of match {hit.id} ")
            if forgotten:  # the read models come upon it too
                token = hit.tokens["referee"]
                for call in (client.match(hit.id), client.list_events(token, hit.id)):
                    assert await refusal(call) == "RECORD_DAMAGED"
                listed = await client.list_matches_page()
                # The first event alone says that a match is public.
                assert [*listed.damaged_match_ids] == ([hit.id] if version > 1 else [])
            verified = await client.verify_match(hit.tokens["referee"], hit.id)
            assert not verified.sound
            await client.match(other.id, 5)
            assert (await client.verify_match(other.tokens["referee"], other.id)).sound
    async with running(settings) as client:
        await play(client, other, NEXT)


async def test_an_event_that_is_stored_under_another_name_is_not_overlooked(
    settings: Settings, stopped: tuple[CreatedMatch, CreatedMatch]
) -> None:
    """No digest covers its topic, and a search for matches might not find this one."""
    hit, other = stopped
    with closing(sqlite3.connect(settings.folder / FILE)) as log, log:
        log.execute(
            "UPDATE stored_events SET topic = 'mauch.MatchCreated'"
            " WHERE originator_id = ? AND originator_version = 1",
            (hit.id.replace("-", ""),),
        )
    forget_reads(settings)
    async with running(settings) as client:
        for call in (
            client.submit(hit.tokens["white"], hit.id, NEXT[1]),
            client.match(hit.id),
            client.verify_match(hit.tokens["referee"], hit.id),
        ):
            assert await refusal(call) == "RECORD_DAMAGED"
        await play(client, other, NEXT)


async def test_events_that_are_missing_at_the_end_are_missed(
    settings: Settings, stopped: tuple[CreatedMatch, CreatedMatch]
) -> None:
    """No digest covers them; the read models had them."""
    hit, other = stopped
    with closing(sqlite3.connect(settings.folder / FILE)) as log, log:
        log.execute(
            "UPDATE stored_events SET originator_id ="
            " CASE originator_id LIKE 'f%' WHEN 1 THEN 'e' ELSE 'f' END || substr(originator_id, 2)"
            " WHERE originator_id = ? AND originator_version = 5",
            (hit.id.replace("-", ""),),
        )
    async with running(settings) as client:
        with pytest.raises(ServiceError, match=f"event 5 of match {hit.id} is missing"):
            await client.submit(hit.tokens["black"], hit.id, "c8-c7")
        await play(client, other, NEXT)


async def test_a_changed_snapshot_is_not_believed(settings: Settings) -> None:
    async with running(settings, Limits(snapshot_every=10)) as client:
        match = await create_match(client)
        for _ in range(6):
            claimed = await client.join_match(match.tokens["white"], match.id, "white", "Ada")
            await client.leave_match(claimed.token, match.id, "white")
        await play(client, match, ("white", "a6-b6"))
        before = (
            await client.view(match.tokens["white"], match.id, "text", at_least_version=14)
        ).position
    with closing(sqlite3.connect(Path(settings.data) / FILE)) as log, log:
        changed = log.execute(
            "UPDATE stored_snapshots SET state ="
            " CAST(replace(CAST(state AS TEXT), '\"g', '\"h') AS BLOB)"
        )
        assert changed.rowcount == 1
    forget_reads(settings)
    async with running(settings) as client:
        await play(client, match, ("black", "h3-g3"))
        scene = await client.view(
            match.tokens["white"], match.id, "text", version=14, at_least_version=15
        )
        assert scene.position == before
        assert (await client.verify_match(match.tokens["referee"], match.id)).sound


async def test_a_last_commit_that_was_changed_is_missed_if_the_read_models_have_it(
    settings: Settings, tmp_path: Path
) -> None:
    """To SQLite it is what a power cut leaves of an unacknowledged commit."""
    async with running(settings) as client:
        match = await create_match(client)
        await play(client, match, *FIRST)
        await client.match(match.id, 5)
        shutil.copytree(settings.folder, tmp_path / "killed")
    wal = tmp_path / "killed" / f"{FILE}-wal"
    raw = bytearray(wal.read_bytes())
    raw[-100] ^= 1
    wal.write_bytes(raw)
    with pytest.raises(LogDamaged, match="its last commit was changed: it has 5 events, and had 6"):
        async with running(msgspec.structs.replace(settings, data=str(tmp_path / "killed"))):
            pass


async def test_damage_of_the_side_store_is_named(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        site = await client.create_frontend(service.admin_key, frontend={"name": "A site"})
        async with Client(service.address, frontend_key=site.key) as theirs:
            await theirs.update_player(
                player={"external_id": "1", "name": "Ada"}, allow_missing=True
            )
    with closing(sqlite3.connect(settings.folder / "people.sqlite")) as people, people:
        people.execute("UPDATE people SET player = 'x' || substr(player, 2)")
    async with (
        Service(settings) as service,
        Client(service.address, frontend_key=site.key, patience_seconds=0) as theirs,
    ):
        with pytest.raises(ServiceError, match=r"put back people\.sqlite"):
            await theirs.update_player(
                player={"external_id": "1", "name": "Ada"}, allow_missing=True
            )
        await theirs.update_player(player={"external_id": "2", "name": "Bob"}, allow_missing=True)
    (settings.folder / "webhooks.sqlite").write_bytes(b"no database" * 1_000)
    with pytest.raises(StartError, match="which notices were posted"):
        async with Service(settings):
            pass
