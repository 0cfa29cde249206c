"""A service that starts on a damaged read file makes it anew, and answers rightly."""

import pytest
from click.testing import CliRunner

from services.cli.main import main
from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from tests.projections.queries.test_read_files import DAMAGES
from tests.services.conftest import OPENING, create_match, newest_version, play


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_service_answers_rightly_after_its_read_file_was_damaged(
    settings: Settings, damage: str
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await create_match(client)
        await play(client, match, *OPENING)
        version = await newest_version(client, match)
        before = await client.view(
            match.tokens["referee"], match.id, "text", at_least_version=version
        )
    (reads,) = settings.reads_folder.glob("*.sqlite")
    DAMAGES[damage](reads)
    examined = CliRunner().invoke(main, ["doctor", "--data", settings.data])
    assert examined.exit_code == 1
    assert "BAD   read models: " in examined.output
    async with Service(settings) as service, Client(service.address) as client:
        assert await client.view(match.tokens["referee"], match.id, "text") == before
        assert (await client.verify_match(match.tokens["referee"], match.id)).sound
    assert CliRunner().invoke(main, ["doctor", "--data", settings.data]).exit_code == 0
