"""Matches move between services as files: as they are, whole, and only if they verify."""

from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest

from domain.match import Terms
from services.client import Client, ServiceError
from services.main import Service
from services.proof.match_file import attest, file_chunks, verify_file
from services.proof.signing import Signer
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2
from tests.domain.conftest import MatchBuilder
from tests.services.conftest import Table

SIGNER = Signer(bytes(range(32)), "example.org/elsewhere")


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Service]:
    """Another service, with keys of its own."""
    settings = Settings(data=str(tmp_path / "other"), listen="127.0.0.1:0", drain_seconds=1)
    async with Service(settings, Limits(import_bytes=300_000)) as running:
        yield running


@pytest.fixture
async def other(elsewhere: Service) -> AsyncIterator[Client]:
    async with Client(elsewhere.address) as connected:
        yield connected


async def file_of(client: Client, token: str, match: str) -> bytes:
    return (await client.export(token, match)).data


def written(story: MatchBuilder) -> bytes:
    return b"".join(file_chunks(story.match, story.events, attest(story.match, SIGNER)))


async def test_a_match_is_exported_taken_in_and_exported_byte_for_byte(
    client: Client, table: Table, elsewhere: Service, other: Client
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    raw = await file_of(client, table.spectator, table.id)
    assert verify_file(BytesIO(raw)).report.sound
    taken = await other.import_file(elsewhere.admin_key, raw)
    assert (taken.match_id, taken.version, taken.title) == (table.id, 4, "A match")
    assert await file_of(other, table.white, table.id) == raw
    here, there = [
        await each.list_events(table.white, table.id, at_least_version=4)
        for each in (client, other)
    ]
    assert here == there


@pytest.mark.parametrize("game", ["agog", "earthen-war"])
async def test_matches_with_everything_in_them_are_taken_in(
    elsewhere: Service, other: Client, game: str
) -> None:
    story = MatchBuilder(game, 8, Terms(chance="rolled")).seat_players().wander(15).end()
    raw = written(story)
    taken = await other.import_file(elsewhere.admin_key, raw)
    assert taken.version == story.match.version
    invited = (
        await other._call(
            other._matches.GetMatch,
            matches_pb2.GetMatchRequest(match_id=taken.match_id, at_least_version=taken.version),
            elsewhere.admin_key,
        )
    ).match
    assert invited == taken


async def test_a_match_that_was_taken_in_continues_with_the_tokens_that_it_had(
    client: Client, table: Table, elsewhere: Service, other: Client
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    raw = await file_of(client, table.white, table.id)
    await other.import_file(elsewhere.admin_key, raw)
    answer = await other.submit(table.black, table.id, "h3-g3")
    assert answer.accepted.version == 5
    again = await file_of(other, table.white, table.id)
    verified = verify_file(BytesIO(again))
    assert verified.report.sound
    assert verified.trailer is not None
    assert verified.trailer.key == (await other.get_checkpoint()).verifier_key


async def test_a_match_whose_seed_is_elsewhere_cannot_draw_here(
    elsewhere: Service, other: Client
) -> None:
    story = MatchBuilder("earthen-war", 8, Terms(chance="rolled"))
    taken = await other.import_file(elsewhere.admin_key, written(story))
    with pytest.raises(ServiceError) as refused:
        await other.submit_action("white-token", taken.match_id, resignation=True)
    assert refused.value.reason == "SEED_MISSING"
    assert (await other.match(taken.match_id, token=elsewhere.admin_key)).version == taken.version


async def test_taking_in_the_same_file_again_changes_nothing(
    elsewhere: Service, other: Client
) -> None:
    raw = written(MatchBuilder("agog").play(5))
    first = await other.import_file(elsewhere.admin_key, raw)
    assert await other.import_file(elsewhere.admin_key, raw) == first
    await other.match(first.match_id, first.version, token=elsewhere.admin_key)
    listed = await other.list_matches_page(elsewhere.admin_key)
    assert [match.match_id for match in listed.matches] == [first.match_id]


async def test_a_match_that_is_there_with_other_events_stays_as_it_is(
    elsewhere: Service, other: Client
) -> None:
    long, short = MatchBuilder("agog").play(5), MatchBuilder("agog").play(4)
    await other.import_file(elsewhere.admin_key, written(long))
    with pytest.raises(ServiceError) as refused:
        await other.import_file(elsewhere.admin_key, written(short))
    assert refused.value.reason == "MATCH_CONFLICT"
    assert refused.value.metadata["version"] == "6"


async def test_a_file_that_does_not_verify_is_refused_with_what_is_wrong(
    elsewhere: Service, other: Client
) -> None:
    raw = written(MatchBuilder("agog").seat_players().play(5))
    for wrong, check in (
        (raw.replace(b"Player white", b"Player Black"), "chain"),
        (raw[:-5], "signature"),
        (b"", "chain"),
        (b"\0" * 1000, "chain"),
    ):
        with pytest.raises(ServiceError) as refused:
            await other.import_file(elsewhere.admin_key, wrong)
        assert refused.value.reason == "MATCH_FILE_INVALID"
        assert refused.value.metadata["check"] == check
    listed = await other.list_matches_page()
    assert not listed.matches


async def test_a_file_that_is_too_large_is_refused(elsewhere: Service, other: Client) -> None:
    with pytest.raises(ServiceError) as refused:
        await other.import_file(elsewhere.admin_key, b"x" * 400_000)
    assert refused.value.reason == "FILE_TOO_LARGE"


async def test_taking_in_needs_the_admin_key(client: Client, table: Table) -> None:
    for key, reason in (("", "TOKEN_MISSING"), (table.referee, "ADMIN_KEY_INVALID")):
        with pytest.raises(ServiceError) as refused:
            await client.import_file(key, b"")
        assert refused.value.reason == reason


async def test_exporting_needs_a_token_of_the_match(client: Client, table: Table) -> None:
    for token, reason in (("", "TOKEN_MISSING"), ("other", "TOKEN_WRONG_MATCH")):
        with pytest.raises(ServiceError) as refused:
            await file_of(client, token, table.id)
        assert refused.value.reason == reason
