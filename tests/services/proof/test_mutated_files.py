"""Checking a file never raises, whatever is in it: faults are reported as findings."""

import asyncio
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from domain.match import Check, Finding, Terms
from domain.registry import GAMES
from services.client import Client, ServiceError
from services.main import Service
from services.proof.match_file import FileVerification, attest, file_chunks, verify_file
from services.proof.signing import Signer
from tests.domain.match.test_audit_of_sound_matches import DisputedStory
from tests.services.proof.mutations import change_json, forge, mutate_bytes, mutate_lines
from tests.services.proof.random_workload import RandomWorkload, exported

SIGNER = Signer(bytes(32), "example.org/emeth")
EACH = 40
"""Mutations of one file in one way."""
Mutation = Callable[[bytes, Random], bytes]


def written(game: str) -> bytes:
    """The file of a match with much in it: undos, disputes, draws, seeds that were revealed."""
    story = (
        DisputedStory(game, 5, Terms(chance="rolled", pause=True)).seat_players().wander(8).end()
    )
    return b"".join(file_chunks(story.match, story.events, attest(story.match, SIGNER)))


async def tapped() -> bytes:
    """The file of a match that was played by taps."""
    with tempfile.TemporaryDirectory() as folder:
        async with RandomWorkload(Path(folder), Random(4), ("earthen-war",)) as world:
            await world.begin()
            raw = b""
            while raw.count(b'{"hashes":') < 5:
                await world.tap(world.matches[0])
                raw = await exported(world.client, world.matches[0])
            return raw


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {**{game: written(game) for game in GAMES}, "tapped": asyncio.run(tapped())}


def check(raw: bytes) -> FileVerification:
    """Check a file, and that each finding is one."""
    verified = verify_file(BytesIO(raw))
    for finding in verified.report.findings:
        assert isinstance(finding, Finding)
        assert finding.check in get_args(Check)
        assert finding.sentence
        assert finding.version >= 0
    return verified


@pytest.mark.parametrize("name", [*GAMES, "tapped"])
@pytest.mark.parametrize("mutation", [mutate_bytes, mutate_lines, change_json])
def test_a_file_that_was_changed_in_any_way_is_reported_unsound(
    files: dict[str, bytes], name: str, mutation: Mutation
) -> None:
    raw, random = files[name], Random(name)
    assert check(raw).report.sound
    for number in range(EACH):
        changed = mutation(raw, random)
        assert check(changed).report.sound == (changed == raw), number


@pytest.mark.parametrize("name", [*GAMES, "tapped"])
def test_a_file_that_was_forged_with_all_digests_made_to_fit_is_checked_to_the_end(
    files: dict[str, bytes], name: str
) -> None:
    random = Random(name)
    unsound = [not check(forge(files[name], random)).report.sound for _ in range(EACH)]
    # What nobody can know to be otherwise, as a name or a time, can be forged and pass.
    assert sum(unsound) > len(unsound) / 2


async def test_a_service_takes_in_no_such_file_and_says_why(
    files: dict[str, bytes], client: Client, service: Service
) -> None:
    random = Random(1)
    for mutation in [mutate_bytes, mutate_lines, change_json, forge] * 8:
        raw = mutation(random.choice([*files.values()]), random)
        if check(raw).report.sound:
            continue
        with pytest.raises(ServiceError) as refused:
            await client.import_file(service.admin_key, raw)
        assert refused.value.reason == "MATCH_FILE_INVALID"
