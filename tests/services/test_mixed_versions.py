"""Two versions on one log: what each may find there that the other wrote.

The service of today is once the newer one, on what the last release wrote, and once the older one,
on what a later release might write.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from domain.log.digests import canonical_bytes, chain_digest
from services.client import Client, ServiceError
from services.main import Service
from services.proof.match_file import verify_file
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.store.errors import LogTooNew
from services.store.log import FILE, Log
from services.store.migrate import migrate_log
from services.store.stores import open_log
from tests.frozen.test_frozen_data import ARCHIVES, contents, matches_of
from tests.services.conftest import create_match, play
from tests.services.test_replicas import settings_of

PATIENCE_SECONDS = 30


@pytest.fixture
async def released(tmp_path: Path, database: str) -> AsyncIterator[tuple[Any, list[Client]]]:
    """The matches of the last release, in a database, and two services of today on it."""
    found, old = contents(ARCHIVES[-1]), tmp_path / "old"
    old.mkdir()
    (old / FILE).write_bytes(found[f"data/{FILE}"])
    with (
        closing(open_log(f"sqlite:{old / FILE}", print)) as source,
        closing(open_log(database, print)) as target,
    ):
        *_, last = migrate_log(source, target)
    assert last.verified
    keys = {
        name: found[f"data/{file}.key"].decode().strip()
        for name, file in (("secret", "secret"), ("signing_key", "signing"))
    }
    async with AsyncExitStack() as stack:
        clients = []
        for number in range(2):
            settings = settings_of(tmp_path / str(number), database, **keys)
            service = await stack.enter_async_context(Service(settings))
            clients.append(await stack.enter_async_context(Client(service.address)))
        yield matches_of(ARCHIVES[-1]), clients


async def test_what_the_last_release_wrote_is_played_on_by_all_services(
    released: tuple[Any, list[Client]],
) -> None:
    matches, (one, other) = released
    for name, match in matches.items():
        referee, identity = match["tokens"]["referee"], match["match"]
        scene = await one.view(referee, identity, "text", at_least_version=match["version"])
        assert (scene.version, scene.position) == (match["version"], match["position"]), name
        for seat in match["tokens"].keys() - {"referee", "spectator"}:
            if legal := await other.list_actions(referee, identity, seat):
                answer = await other.submit(match["tokens"][seat], identity, legal[0].notation)
                assert answer.HasField("accepted"), (name, answer)
                version = answer.accepted.version
                scenes = [
                    await each.view(referee, identity, at_least_version=version)
                    for each in (one, other)
                ]
                assert scenes[0] == scenes[1], name
                assert (await one.verify_match(referee, identity)).sound, name
                break


# --- what a later release might write -------------------------------------------------------------


async def append(service: Service, to: str, **changes: Any) -> int:
    """Record an event of a match as another service would, in which this is so; its version."""
    identity = UUID(to)
    last = [*service._log.events(identity)][-1]
    event = msgspec.json.decode(last.body) | changes | {"version": last.originator_version + 1}
    body = canonical_bytes(event)
    state = b'{"digest":"%b","event":%b}' % (chain_digest(last.digest, body).encode(), body)
    service._log.recorder.insert_events(
        [StoredEvent(identity, event["version"], event["type"], state)]
    )
    return int(event["version"])


@pytest.fixture
async def service(tmp_path: Path, database: str) -> AsyncIterator[Service]:
    settings = settings_of(tmp_path / "older", database)
    async with Service(settings, Limits(snapshot_every=10)) as running:
        yield running


async def test_an_event_of_an_unknown_type_is_refused_by_name_and_all_else_continues(
    service: Service, settings: Settings
) -> None:
    async with Client(service.address) as client:
        newer, usual = await create_match(client), await create_match(client)
        await play(client, newer, ("white", "a6-b6"))
        version = await append(service, newer.id, type="match.Postponed", reason="rain")
        with pytest.raises(ServiceError) as refused:
            await client.submit(newer.tokens["black"], newer.id, "h3-g3")
        assert refused.value.reason == "RECORD_DAMAGED"
        assert f"event {version}" in str(refused.value)
        assert "match.Postponed" in str(refused.value)
        async with asyncio.timeout(PATIENCE_SECONDS):
            with pytest.raises(ServiceError) as unread:  # noqa: PT012
                while True:  # until the read models have found it
                    await client.view(newer.tokens["white"], newer.id, "text")
        assert unread.value.reason == "RECORD_DAMAGED"
        # What a later release has beside matches is passed over.
        strange = StoredEvent(UUID(int=7), 1, "league.Founded", b'{"name":"First"}')
        service._log.recorder.insert_events([strange])
        await play(client, usual, ("white", "a6-b6"), ("black", "h3-g3"))
        seen = await client.view(usual.tokens["white"], usual.id, "text", at_least_version=3)
        assert seen.version == 3
        assert (await client.verify_match(usual.tokens["referee"], usual.id)).sound


async def test_a_field_that_is_not_known_is_passed_over_and_kept(service: Service) -> None:
    async with Client(service.address) as client:
        match = await create_match(client)
        await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
        taken = [*service._log.events(UUID(match.id))]
        other = await create_match(client)
        first = msgspec.json.decode(taken[1].body) | {"match": other.id, "request": "another"}
        await append(service, other.id, **first, mood="grim")
        answer = await client.submit(other.tokens["black"], other.id, "h3-g3")
        assert answer.accepted.version == 3
        scenes = [
            (await client.view(each.tokens["white"], each.id, "text", at_least_version=3)).position
            for each in (match, other)
        ]
        assert scenes[0] == scenes[1]
        lines = [
            piece.data async for piece in client.export_match(other.tokens["referee"], other.id)
        ]
        file = b"".join(lines)
        assert b'"mood":"grim"' in file
        # Whoever verifies says of which event it does not know all, and does not vouch for it.
        (found,) = verify_file(file.splitlines(keepends=True)).report.findings
        assert found.version == 2
        assert "not the canonical ones" in found.sentence


async def test_a_snapshot_of_another_version_is_left_alone(service: Service) -> None:
    async with Client(service.address) as client:
        match = await create_match(client)
        await play(client, match, ("white", "a6-b6"))
        tomorrow = b'{"shape":"of tomorrow","game":"agog","state":{}}'
        service._log._log.snapshots.insert_events(
            [StoredEvent(UUID(match.id), 2, "match.Snapshot", tomorrow)]
        )
        service._live.evict(UUID(match.id))  # as after a restart
        await play(client, match, ("black", "h3-g3"))
        assert (await client.match(match.id, 3)).version == 3


@pytest.mark.parametrize("fact", ["format", "format beside"])
def test_tables_of_a_later_format_are_refused(tmp_path: Path, database: str, fact: str) -> None:
    Log(tmp_path, print, database).close()
    with psycopg.connect(database, autocommit=True) as outside:
        outside.execute("UPDATE emeth_log SET value = '9' WHERE name = %s", (fact,))
    with pytest.raises(LogTooNew):
        Log(tmp_path, print, database)
