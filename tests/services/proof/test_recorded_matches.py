"""Matches that earlier versions recorded, with what they did in their own way: all are sound.

Each file in `recorded` is as a landed version wrote it, and is never changed. That version called
its own files unsound.
"""

from contextlib import aclosing
from pathlib import Path

import pytest

from services.client import Client
from services.main import Service
from services.proof.match_file import verify_file

FILES = sorted((Path(__file__).parent / "recorded").iterdir())
every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_there_are_files_of_every_sort() -> None:
    assert {file.stem.partition("-")[0] for file in FILES} == {
        "armies",  # options with a saved army, compared by lists and tuples
        "pause",  # draws that were made while a dispute paused the match
        "transcript",  # a default that was written out
        "verdicts",  # of a game that hides things, with their salts
    }


@every_file
def test_a_recorded_match_is_sound(file: Path) -> None:
    with file.open("rb") as lines:
        verified = verify_file(lines)
    assert verified.report.findings == ()


async def test_recorded_matches_are_taken_in_and_judged_to_be_as_they_were(
    service: Service, client: Client
) -> None:
    for file in FILES:
        await client.import_file(service.admin_key, file.read_bytes())
    async with aclosing(client.readjudicate_matches(service.admin_key)) as steps:
        reports = [step async for step in steps]
    assert reports[-1].done_count == len(FILES)
    assert not [finding for step in reports for finding in step.findings]
