"""A service that starts on a log begins a run: the same dice never fall twice, whatever was put
back, and a secret that was changed shows."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from structlog.testing import capture_logs

from domain.log.digests import digest
from services.cli.main import main
from services.client import Client
from services.main import Service
from services.runtime import keys
from services.runtime.settings import Settings
from services.store.doctor.checks import run_checks
from services.store.log import FILE
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import CreatedMatch, advance, create_match, newest_version
from tests.stores import both_stores

AGAIN = "0b5a3a52-53b0-4a52-a6c2-9f6c8f4a9d10"


async def rolled(client: Client) -> CreatedMatch:
    return await create_match(client, "earthen-war", chance=pb.CHANCE_ROLLED)


async def rolls(client: Client, match: CreatedMatch, since: int = 0) -> list[str]:
    events = await client.list_events(
        match.tokens["referee"], match.id, at_least_version=await newest_version(client, match)
    )
    return [e.action.notation for e in events if e.HasField("draw") and e.version > since]


def runs(folder: Path) -> list[dict[str, str]]:
    with closing(sqlite3.connect(folder / FILE)) as log:
        rows = log.execute("SELECT state FROM stored_events WHERE topic = 'service.RunBegun'")
        return [json.loads(state)["event"] for (state,) in rows]


async def test_a_folder_that_is_put_back_does_not_roll_the_same_again(
    settings: Settings, tmp_path: Path
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await rolled(client)
        await advance(client, match, 10)
    shutil.copytree(settings.folder, tmp_path / "kept")
    later = []
    for _ in range(2):
        shutil.rmtree(settings.folder)
        shutil.copytree(tmp_path / "kept", settings.folder)
        async with Service(settings) as service, Client(service.address) as client:
            before = await newest_version(client, match)
            await advance(client, match, 40)
            later.append(await rolls(client, match, before))
            end = await client.submit_action(match.tokens["white"], match.id, resignation=True)
            assert end.HasField("accepted")
            assert (await client.verify_match(match.tokens["referee"], match.id)).sound
    assert later[0] != later[1]


async def test_a_match_that_is_created_again_after_that_rolls_again(settings: Settings) -> None:
    first = []
    for _ in range(2):
        async with Service(settings) as service, Client(service.address) as client:
            match = await rolled(client)
            created = await client.create_match(
                game="earthen-war", chance=pb.CHANCE_ROLLED, request_id=AGAIN
            )
            match = CreatedMatch(created.match.match_id, dict(created.tokens))
            await advance(client, match, 25)
            first.append((match.id, await rolls(client, match)))
        for name in (FILE, "reads"):
            path = settings.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (identity, rolled_first), (same, rolled_again) = first
    assert identity == same
    assert rolled_first != rolled_again


@both_stores
async def test_services_that_share_a_log_share_a_run(settings: Settings, tmp_path: Path) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await rolled(client)
        await advance(client, match, 10)
        if not settings.store:
            return  # a file has one service
        other = replace(settings, data=str(tmp_path / "other"))
        other.folder.mkdir()
        for name in ("secret.key", "signing.key"):
            shutil.copy(settings.folder / name, other.folder)
        async with Service(other) as second, Client(second.address) as second_client:
            await second_client.match(match.id, await newest_version(client, match))
            await advance(second_client, match, 20)
            events = await second_client.list_events(
                match.tokens["referee"],
                match.id,
                at_least_version=await newest_version(second_client, match),
            )
            assert not [each for each in events if each.kind == "match.ChanceRenewed"]


async def test_a_secret_that_was_changed_shows(settings: Settings, tmp_path: Path) -> None:
    files = []
    for number in range(2):
        with capture_logs() as logs:
            async with Service(settings) as service, Client(service.address) as client:
                match = await rolled(client)
                await advance(client, match, 10)
                await client.submit_action(match.tokens["white"], match.id, resignation=True)
                files.append(tmp_path / f"{number}.emeth")
                with files[-1].open("wb") as file:
                    async for piece in client.export_match(match.tokens["referee"], match.id):
                        file.write(piece.data)
        changed = [each for each in logs if each["event"] == "secret_changed"]
        assert bool(changed) == bool(number)
        said = [each.weight for each in run_checks(settings) if each.about == "secret"]
        assert said == (["note", "fine"] if number else ["fine"])
        (settings.folder / "secret.key").write_text(digest(b"%d" % number) + "\n")
        said = [each.weight for each in run_checks(settings) if each.about == "secret"]
        assert said == (["note", "bad"] if number else ["bad"])
    own = keys.fingerprint(bytes.fromhex(digest(b"0")))
    assert [each["secret"] == own for each in runs(settings.folder)] == [False, True]
    config = {"EMETH_CONFIG": str(tmp_path / "config")}
    sound, warned = (CliRunner(env=config).invoke(main, ["verify", str(each)]) for each in files)
    assert "(new)" in sound.stdout
    assert "HAS CHANGED" in warned.stderr
    assert (sound.exit_code, warned.exit_code) == (0, 0)


async def test_a_damaged_run_stops_nobody(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await rolled(client)
        await advance(client, match, 10)
    with closing(sqlite3.connect(settings.folder / FILE)) as log, log:
        log.execute(
            "UPDATE stored_events SET state = replace(state, '\"secret\"', '\"secreT\"')"
            " WHERE topic = 'service.RunBegun'"
        )
    async with Service(settings) as service, Client(service.address) as client:
        await advance(client, match, 30)
        live = (await service._live.get(UUID(match.id))).state
        assert live.details.run is not None
        assert len(live.details.renewed) == 1
        assert live.details.run != live.details.renewed[0].run


@pytest.mark.parametrize("start", [1, 2, 3])
async def test_each_start_is_an_event(settings: Settings, start: int) -> None:
    for _ in range(start):
        async with Service(settings):
            pass
    found = runs(settings.folder)
    assert [each["version"] for each in found] == [*range(1, start + 1)]
    assert len({each["entropy"] for each in found}) == start
