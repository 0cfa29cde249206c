"""Stored data are for ever: what earlier versions wrote opens, verifies and is played on."""

import tarfile
from collections.abc import AsyncIterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.proof.match_file import verify_file
from services.runtime.settings import Settings

ARCHIVES = sorted(Path(__file__).parent.glob("*.tar.xz"))
every_archive = pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)


@cache
def contents(archive: Path) -> dict[str, bytes]:
    """The archive's files by name."""
    with tarfile.open(archive) as tar:
        return {
            member.name: file.read()
            for member in tar.getmembers()
            if (file := tar.extractfile(member)) is not None
        }


def matches_of(archive: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(contents(archive)["matches.json"])
    return found


def tables_of(archive: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(contents(archive).get("tables.json", b"{}"))
    return found


@pytest.fixture
async def service(archive: Path, tmp_path: Path) -> AsyncIterator[Service]:
    """A service of today on the frozen data folder."""
    for name, content in contents(archive).items():
        if name.startswith("data/"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o600)
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", drain_seconds=1)
    async with Service(settings) as running:
        yield running


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


@every_archive
async def test_every_match_of_the_log_stands_as_it_stood_and_verifies(
    archive: Path, client: Client
) -> None:
    for name, match in matches_of(archive).items():
        referee = match["tokens"]["referee"]
        scene = await client.view(referee, match["match"], "text")
        assert (scene.version, scene.position) == (match["version"], match["position"]), name
        verified = await client.verify_match(referee, match["match"])
        assert verified.sound, (name, verified.findings)


@every_archive
async def test_every_match_that_goes_on_is_played_on(archive: Path, client: Client) -> None:
    played = 0
    for name, match in matches_of(archive).items():
        tokens, identity = match["tokens"], match["match"]
        for seat in tokens.keys() - {"referee", "spectator"}:
            legal = await client.list_actions(tokens["referee"], identity, seat)
            if legal:
                answer = await client.submit(tokens[seat], identity, legal[0].notation)
                assert answer.HasField("accepted"), (name, answer)
                assert answer.accepted.version > match["version"]
                verified = await client.verify_match(tokens["referee"], identity)
                assert verified.sound, (name, verified.findings)
                played += 1
                break
    assert played


@every_archive
async def test_a_stylus_confirms_what_it_had_selected(archive: Path, service: Service) -> None:
    for name, table in tables_of(archive).items():
        stylus = table["stylus"]
        async with GatewayClient(service.address, table["key"]) as gateway:
            prompt = await gateway.wait_for_prompt(stylus, table["version"])
            assert prompt.armed.label == table["armed"], name
            prompt = await gateway.tap(stylus, "button confirm")
            assert [each.action.notation for each in prompt.events] == [table["armed"]], name


@every_archive
def test_every_exported_match_verifies_without_a_service(archive: Path) -> None:
    files = {name: raw for name, raw in contents(archive).items() if name.startswith("exports/")}
    assert len(files) == len(matches_of(archive))
    for name, raw in files.items():
        verified = verify_file(BytesIO(raw))
        assert verified.report.sound, (name, verified.report.findings)


@every_archive
async def test_every_exported_match_is_taken_in_by_another_service(
    archive: Path, tmp_path: Path
) -> None:
    settings = Settings(data=str(tmp_path / "other"), listen="127.0.0.1:0", drain_seconds=1)
    async with Service(settings) as other, Client(other.address) as client:
        for name, raw in contents(archive).items():
            if name.startswith("exports/"):
                taken = await client.import_file(other.admin_key, raw)
                known = {match["match"] for match in matches_of(archive).values()}
                assert taken.match_id in known, name
