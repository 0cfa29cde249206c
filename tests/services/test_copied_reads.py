"""A service that starts beside others goes on from a copy of their read models."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from projections.following import runner, schema
from projections.following.copying import CopyUnusable, IncomingCopy
from services.cli.main import main
from services.client import Client
from services.server import Service
from services.settings import Settings
from tests.services.conftest import OPENING, begun, play, refusal
from tests.services.test_replicas import ADMIN, settings_of


@pytest.fixture
async def first(tmp_path: Path, database: str) -> AsyncIterator[Service]:
    async with Service(settings_of(tmp_path / "first", database)) as service:
        yield service


async def copy_to(folder: Path, service: Service) -> Result:
    """Run `emeth copy-reads`, in another thread."""
    words = ["copy-reads", "--address", service.address, "--to", str(folder), "--admin-key", ADMIN]
    return await asyncio.to_thread(CliRunner().invoke, main, words)


async def test_a_service_goes_on_from_the_copy_of_anothers_read_models(
    first: Service, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Client(first.address) as client:
        match = await begun(client)
        await play(client, match, *OPENING[:2])
        await client.match(match.id, 3)
        made = await copy_to(tmp_path / "second", first)
        assert "the read models of" in made.output, made.output
        await play(client, match, *OPENING[2:])
        again = await copy_to(tmp_path / "second", first)
        assert "already" in again.output
    applied: list[int] = []
    apply = runner.Projector.apply

    def counted(self: runner.Projector, batch: list[runner.Notification]) -> object:
        applied.extend(each.id for each in batch if each.id > self.position)
        return apply(self, batch)

    monkeypatch.setattr(runner.Projector, "apply", counted)
    async with (
        Service(settings_of(tmp_path / "second", database)) as second,
        Client(second.address) as client,
    ):
        scene = await client.scene(match.tokens["referee"], match.id, at_least_version=5)
        assert scene.version == 5
        assert (await client.verify_match(match.tokens["referee"], match.id)).sound
        checkpoints = [(await client.checkpoint()).checkpoint]
    async with Client(first.address) as client:
        assert [(await client.checkpoint()).checkpoint] == checkpoints
    assert min(applied) > 1  # it did not begin with the first event
    assert not [*tmp_path.glob("*/reads/copy-*")]


async def test_a_copy_of_another_log_is_found_out_and_rebuilt(
    first: Service, tmp_path: Path, service: Service
) -> None:
    async with Client(first.address) as client:
        theirs = await begun(client)
        await client.match(theirs.id, 1)
        assert (await copy_to(tmp_path / "other", first)).exit_code == 0
    settings = Settings(data=str(tmp_path / "other"), listen="127.0.0.1:0", http="no")
    # Its own log has as many events, and none of these.
    copied = tmp_path / "other" / "reads" / "reads-000001.sqlite"
    assert copied.is_file()
    copied.rename(tmp_path / "kept")
    copied.with_suffix(".sums").rename(tmp_path / "kept.sums")
    async with Service(settings) as own, Client(own.address) as client:
        ours = await begun(client)
    for path in (tmp_path / "other" / "reads").iterdir():
        path.unlink()
    (tmp_path / "kept").rename(copied)
    (tmp_path / "kept.sums").rename(copied.with_suffix(".sums"))
    async with Service(settings) as own, Client(own.address) as client:
        assert (await client.match(ours.id, 1)).version == 1
        assert await refusal(client.match(theirs.id)) == "MATCH_UNKNOWN"


async def test_only_the_operator_is_given_a_copy_and_only_where_there_is_one(
    first: Service, tmp_path: Path, database: str
) -> None:
    async with Client(first.address) as client:
        assert await refusal(anext(client.copy_read_models("guess"))) == "ADMIN_KEY_WRONG"
    async with Service(settings_of(tmp_path / "player", database, role="play")) as player:
        async with Client(player.address) as client:
            assert await refusal(anext(client.copy_read_models(ADMIN))) == "READS_ELSEWHERE"
        said = await copy_to(tmp_path / "third", player)
        assert said.exit_code != 0
    assert not [*tmp_path.glob("third/reads/*")]


def test_a_copy_that_is_not_whole_or_of_another_version_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = tmp_path / "made.sqlite", tmp_path / "reads"
    connection = schema.connect(path)
    schema.create(connection, ready=True)
    connection.close()
    raw = path.read_bytes()

    def take(content: bytes) -> int:
        with IncomingCopy(folder) as incoming:
            incoming.write(content)
            return incoming.finish(sha256(raw).digest())

    with pytest.raises(CopyUnusable, match="whole"):
        take(raw[:-1])
    with monkeypatch.context() as newer:
        newer.setattr(schema, "CONTENTS", schema.CONTENTS + 1)
        with pytest.raises(CopyUnusable, match="another version"):
            take(raw)
    assert not [*folder.iterdir()]
    assert take(raw) == 0
