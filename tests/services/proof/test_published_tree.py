"""Checkpoints are batched: nobody counts, between two of them, what others record."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from unittest.mock import patch

import grpc
import pytest
from pyqwest import Client as Http

from domain.log.merkle import verify_consistency, verify_inclusion
from projections.projector.notice_rows import NUMBERS_PER_TURN
from services.api.requests import PageTokens
from services.client import Client, ServiceError
from services.client.witness import LogRewrittenError, Witness
from services.main import Service
from services.proof.signed_notes import Checkpoint, read_checkpoint
from services.proof.signing import read_key
from services.runtime.settings import Settings
from services.wire.emeth.v1 import conditional_moves_pb2, history_pb2
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import ListMatchesRequest
from tests.services.accounts.conftest import open_site
from tests.services.conftest import CreatedMatch, create_match, newest_version, play

NEVER = 3600.0
"""Seconds between two checkpoints: longer than any test takes."""
SOON = 0.2


@pytest.fixture
async def late(settings: Settings) -> AsyncIterator[Service]:
    """A service that publishes no other checkpoint than its first."""
    with patch("services.proof.published_tree.PUBLISH_SECONDS", NEVER):
        async with Service(settings) as service:
            yield service


async def published(client: Client) -> Checkpoint:
    shown = await client.get_checkpoint()
    return read_checkpoint(read_key(shown.verifier_key).open(shown.checkpoint))


async def status(service: Service, path: str) -> int:
    return (await Http().get(f"{service.http_address}/tlog/{path}")).status


async def recorded(client: Client, match: CreatedMatch) -> None:
    """Play, and leave a plan; the read models have all of it."""
    node = conditional_moves_pb2.ConditionalMove(trigger_action="a6-b6", responses=["h3-g3"])
    await client.set_conditional_moves(match.tokens["black"], match.id, moves=[node])
    await play(client, match, ("white", "f1-g1"))
    await client.match(match.id, 2)


async def test_between_two_checkpoints_nothing_shows_how_much_is_recorded(late: Service) -> None:
    async with Client(late.address) as client:
        before = await published(client)
        match = await create_match(client)
        await recorded(client, match)
        assert late._log.newest() > before.size
        assert await published(client) == before
        note = await Http().get(f"{late.http_address}/tlog/checkpoint")
        assert note.content.decode().splitlines()[1] == str(before.size)
        for tiles in ("tile/0", "tile/entries"):
            assert await status(late, f"{tiles}/000.p/{before.size}") == 200
            assert await status(late, f"{tiles}/000.p/{before.size + 1}") == 404
        for request in (
            client.get_proof(extended_size=before.size + 1),
            client.get_proof(extended_size=1, log_size=before.size + 1),
        ):
            with pytest.raises(ServiceError) as unknown:
                await request
            assert unknown.value.reason == "TREE_SIZE_OUT_OF_RANGE"
            assert unknown.value.metadata == {"size": str(before.size)}
        with pytest.raises(ServiceError) as refused:
            await client.inclusion(match.id, 1, size=late._log.newest())
        assert refused.value.reason == "TREE_SIZE_OUT_OF_RANGE"


async def test_a_request_for_a_proof_that_is_too_early_is_answered_with_a_retry_delay(
    late: Service,
) -> None:
    async with Client(late.address) as client:
        await client.get_checkpoint()
        match = await create_match(client)
        with pytest.raises(ServiceError) as refused:
            await client.inclusion(match.id, 1, wait=False)
    assert (refused.value.code, refused.value.reason) == (
        grpc.StatusCode.UNAVAILABLE,
        "CHECKPOINT_PENDING",
    )
    assert 0 < refused.value.retry_seconds <= NEVER


async def test_the_next_checkpoint_has_what_was_recorded_and_extends_the_last(
    settings: Settings,
) -> None:
    with patch("services.proof.published_tree.PUBLISH_SECONDS", SOON):
        async with Service(settings) as service, Client(service.address) as client:
            before = await published(client)
            match = await create_match(client)
            receipt = (await client.submit(match.tokens["white"], match.id, "a6-b6")).accepted
            answer = await client.inclusion(match.id, receipt.version)  # waits for it
            key = read_key((await client.get_checkpoint()).verifier_key)
            head = read_checkpoint(key.open(answer.checkpoint))
            leaf = bytes.fromhex(receipt.receipt.digest)
            assert verify_inclusion(leaf, answer.log_index, head.size, answer.hashes, head.root)
            grown = await client.get_proof(extended_size=before.size, log_size=head.size)
            assert verify_consistency(before.size, before.root, head.size, head.root, grown.hashes)


async def test_where_nothing_is_recorded_the_checkpoint_stays_as_it_is(settings: Settings) -> None:
    with patch("services.proof.published_tree.PUBLISH_SECONDS", NEVER):
        async with Service(settings) as service, Client(service.address) as client:
            match = await create_match(client)
            await client.match(match.id, 1)
            tree = service._published
            assert tree is not None
            await tree._publish()
            before = await client.get_checkpoint()
            for _ in range(3):
                await tree._publish()
            assert await client.get_checkpoint() == before, "signature and all"
            note = await Http().get(f"{service.http_address}/tlog/checkpoint")
            assert note.content.decode() == before.checkpoint
            proof = await client.inclusion(match.id, 1)
            head = read_checkpoint(read_key(before.verifier_key).open(before.checkpoint))
            (event,) = await client.list_events(
                match.tokens["referee"], match.id, at_least_version=1
            )
            leaf = bytes.fromhex(event.digest)
            assert verify_inclusion(leaf, proof.log_index, head.size, proof.hashes, head.root)
            grown = await client.get_proof(extended_size=head.size, log_size=head.size)
            assert verify_consistency(head.size, head.root, head.size, head.root, grown.hashes)


async def test_a_page_that_replays_a_match_waits_for_the_checkpoint_that_has_it(
    settings: Settings,
) -> None:
    with patch("services.proof.published_tree.PUBLISH_SECONDS", SOON):
        async with Service(settings) as service, Client(service.address) as client:
            await client.get_checkpoint()
            match = await create_match(client)
            form = history_pb2.EXPORT_FORMAT_REPLAY_PAGE
            stream = client.export_match(match.tokens["referee"], match.id, form)
            page = b"".join([piece.data async for piece in stream])
    assert b"c2sp.org/tlog-proof@v1" in page


async def test_a_witness_keeps_what_is_too_new_to_be_proven_and_has_it_proven_later(
    settings: Settings, tmp_path: Path
) -> None:
    with patch("services.proof.published_tree.PUBLISH_SECONDS", NEVER):
        async with Service(settings) as service, Client(service.address) as client:
            await client.get_checkpoint()
            match, witness = await create_match(client), Witness(tmp_path / "kept")
            await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
            events = await client.list_events(match.tokens["white"], match.id, at_least_version=3)
            for event in events:
                await witness.record_event(client, match.id, event.version, event.digest)
            assert [version for version, _ in witness_pending(witness)] == [1]
            assert service._published is not None
            await service._published._publish()
            await witness.check(client, match.id)
            assert not witness_pending(witness)


def witness_pending(witness: Witness) -> list[tuple[int, str]]:
    return [(each.version, each.digest) for _, each in witness._waiting.values()]


async def test_a_service_that_never_publishes_what_it_showed_is_not_believed(
    late: Service, tmp_path: Path
) -> None:
    async with Client(late.address) as client:
        await client.get_checkpoint()
        match, witness = await create_match(client), Witness(tmp_path / "kept")
        (event,) = await client.list_events(match.tokens["white"], match.id, at_least_version=1)
        await witness.record_event(client, match.id, 1, event.digest)
        with (
            patch("services.client.witness.PUBLICATION_TIMEOUT_SECONDS", 0.0),
            pytest.raises(LogRewrittenError, match="is in no checkpoint yet"),
        ):
            await witness.check(client, match.id)


# --- other counts --------------------------------------------------------------------------------


async def hidden(client: Client, match: CreatedMatch, service: Service) -> None:
    """Record events that nobody else may know of."""
    before = service._log.newest()
    for reply in ("h3-g3", "c8-c7", "h3-g3"):
        node = conditional_moves_pb2.ConditionalMove(trigger_action="f1-g1", responses=[reply])
        await client.set_conditional_moves(match.tokens["black"], match.id, moves=[node])
    assert service._log.newest() == before + 3


def place(service: Service, news: pb.SubscribeResponse) -> int:
    """The place in the log that the cursor of a lobby is at."""
    return PageTokens(service._planned._token_issuer).start(news.cursor, "lobby")


async def test_no_position_in_a_list_of_matches_counts_what_is_hidden(service: Service) -> None:
    async with Client(service.address) as client:
        match = await create_match(client)
        await client.match(match.id, await newest_version(client, match))  # the read models have it
        wanted = f"match_id : {match.id}"
        async with asyncio.timeout(30), aclosing(client.watch_lobby(wanted)) as news:
            first = await anext(news)
            await hidden(client, match, service)
            await play(client, match, ("white", "a6-b6"))
            assert place(service, await anext(news)) == place(service, first) + 1


async def test_no_number_of_a_notice_counts_what_is_hidden(service: Service) -> None:
    site = await open_site(service)
    async with site.client as client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        identity, _ = await site.match(ada, bob)
        match = CreatedMatch(identity, {"white": ada.token, "black": bob.token})

        async def now() -> int:
            """Return the number that a new watcher receives."""
            await client.match(identity, await newest_version(client, match))
            topic = pb.Topic(topic_id="ada", player=pb.PlayerTopic())
            async with aclosing(client.follow(ada.token, [topic])) as messages:
                return int((await anext(messages)).cursor)

        before = await now()
        await hidden(client, match, service)
        assert await now() == before
        await play(client, match, ("white", "a6-b6"))
        assert await now() == before + NUMBERS_PER_TURN


async def test_a_page_token_reveals_nothing(service: Service) -> None:
    async with Client(service.address) as client:
        for _ in range(3):
            await client.match((await create_match(client)).id, 1)  # it is listed
        wanted = ListMatchesRequest(page_size=1)
        tokens = set()
        for _ in range(2):
            page = await client._call(client._matches.ListMatches, wanted)
            wanted.page_token = page.next_page_token
            tokens.add(page.next_page_token)
    assert len(tokens) == 2
    assert {len(token) for token in tokens} == {64}
    assert not any(re.search(r"\.\d+$", token) for token in tokens)
