"""Receipts, checkpoints, proofs, and judging again, over gRPC."""

import asyncio
import dataclasses
import sqlite3
from base64 import b64decode
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.kernel.rulings import Refused
from domain.log.digests import digest
from domain.log.merkle import verify_consistency, verify_inclusion
from domain.registry import ENTRIES, GAMES
from services.client import Client, ServiceError
from services.client.witness import receipt_of
from services.main import Service
from services.proof.receipts import open_receipt
from services.proof.signed_notes import Receipt, read_checkpoint, read_inclusion
from services.proof.signing import NoteError, VerifierKey, read_key
from services.runtime.settings import Settings
from services.wire.emeth.v1 import audit_pb2, play_pb2
from tests.services.conftest import Table
from tests.stores import both_stores


async def key_of(client: Client) -> VerifierKey:
    return read_key((await client.get_checkpoint()).verifier_key)


def opened(key: VerifierKey, receipt: play_pb2.Receipt) -> Receipt:
    word, signed = receipt_of(receipt)
    signed.check(word, key)
    return open_receipt(signed.as_text(word, receipt.key_name), key)


@both_stores
async def test_every_acknowledged_action_has_a_receipt(client: Client, table: Table) -> None:
    key = await key_of(client)
    for token, action in ((table.white, "a6-b6"), (table.black, "h3-g3")):
        answer = (await client.submit(token, table.id, action)).accepted
        assert opened(key, answer.receipt) == Receipt(
            UUID(table.id), answer.version, answer.events[-1].digest
        )
    resigned = (await client.submit_action(table.white, table.id, resignation=True)).accepted
    assert opened(key, resigned.receipt).version == resigned.version


@both_stores
async def test_actions_of_one_commit_share_a_signature(service: Service, client: Client) -> None:
    """As soon as some are written together, which the first write of many at once sees to."""
    key = await key_of(client)
    matches = [await client.create_match(game="agog") for _ in range(12)]
    async with Client(service.address, session=True) as session:
        for action, seat in (("a6-b6", "white"), ("h3-g3", "black")):
            asked = [
                session.submit(each.tokens[seat], each.match.match_id, action) for each in matches
            ]
            receipts = [each.accepted.receipt for each in await asyncio.gather(*asked)]
            for receipt, each in zip(receipts, matches, strict=True):
                assert opened(key, receipt).match == UUID(each.match.match_id)
            shared = [each for each in receipts if each.HasField("group")]
            assert len({each.signature for each in receipts}) < len(receipts)
            forged = play_pb2.Receipt()
            forged.CopyFrom(shared[0])
            forged.digest = shared[1].digest
            with pytest.raises(NoteError, match="does not fit the text"):
                opened(key, forged)
    # Whoever does not ask for it is given the form that every version of the service gave.
    asked = [
        client.submit_action(each.tokens["white"], each.match.match_id, resignation=True)
        for each in matches
    ]
    assert not any(each.accepted.receipt.HasField("group") for each in await asyncio.gather(*asked))


async def test_a_preview_and_a_refusal_have_none(client: Client, table: Table) -> None:
    preview = await client.submit(table.white, table.id, "a6-b6", validate_only=True)
    assert not preview.accepted.HasField("receipt")
    refused = await client.submit(table.white, table.id, "a6-h8")
    assert refused.HasField("refused")


@both_stores
async def test_a_checkpoint_is_of_the_whole_log_and_signed(client: Client, table: Table) -> None:
    await client.match(table.id, 3)
    answer = await client.get_checkpoint()
    key = read_key(answer.verifier_key)
    checkpoint = read_checkpoint(key.open(answer.checkpoint))
    assert (checkpoint.origin, checkpoint.size) == (key.name, 4)  # the start, and the match


@both_stores
async def test_an_event_is_proven_to_be_in_the_log(client: Client, table: Table) -> None:
    await client.create_match(game="earthen-war")
    receipt = (await client.submit(table.white, table.id, "a6-b6")).accepted.receipt
    answer = await client.inclusion(table.id, receipt.version)
    key = await key_of(client)
    checkpoint = read_checkpoint(key.open(answer.checkpoint))
    leaf = bytes.fromhex(receipt.digest)
    assert verify_inclusion(leaf, answer.log_index, checkpoint.size, answer.hashes, checkpoint.root)
    assert answer.log_index == 5
    proof = read_inclusion(answer.proof)
    assert [*proof.path] == [*answer.hashes]
    assert (proof.index, proof.checkpoint) == (answer.log_index, answer.checkpoint)


@both_stores
async def test_the_log_is_proven_to_extend_what_it_was(client: Client, table: Table) -> None:
    await client.match(table.id, 3)
    key = await key_of(client)
    old = read_checkpoint(key.open((await client.get_checkpoint()).checkpoint))
    for token, action in ((table.white, "a6-b6"), (table.black, "h3-g3"), (table.white, "f1-g1")):
        version = (await client.submit(token, table.id, action)).accepted.version
    await client.match(table.id, version)
    for size in (0, 6):
        answer = await client.get_proof(extended_size=old.size, log_size=size)
        new = read_checkpoint(key.open(answer.checkpoint))
        assert new.size == (size or 7)
        assert verify_consistency(old.size, old.root, new.size, new.root, answer.hashes)
    earlier = await client.inclusion(table.id, 2, 4)
    assert read_checkpoint(key.open(earlier.checkpoint)) == old


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (audit_pb2.GetProofRequest(), "FIELD_INVALID"),
        (audit_pb2.GetProofRequest(extended_size=99), "TREE_SIZE_OUT_OF_RANGE"),
        (audit_pb2.GetProofRequest(extended_size=1, log_size=2**60), "TREE_SIZE_OUT_OF_RANGE"),
        (
            audit_pb2.GetProofRequest(event=audit_pb2.EventReference(match_id="x", version=1)),
            "FIELD_INVALID",
        ),
        (
            audit_pb2.GetProofRequest(
                event=audit_pb2.EventReference(match_id=str(UUID(int=7)), version=1)
            ),
            "MATCH_NOT_FOUND",
        ),
    ],
)
async def test_a_proof_of_what_is_not_there_is_an_error(
    client: Client, request_: audit_pb2.GetProofRequest, reason: str
) -> None:
    with pytest.raises(ServiceError) as refused:
        await client._call(client._audit.GetProof, request_)
    assert refused.value.reason == reason


async def test_a_proof_of_a_version_or_for_a_size_that_is_not_there_is_an_error(
    client: Client, table: Table
) -> None:
    for version in (4, 2**32 - 1):
        with pytest.raises(ServiceError) as refused:
            await client.inclusion(table.id, version)
        assert refused.value.reason == "VERSION_OUT_OF_RANGE"
    with pytest.raises(ServiceError) as too_small:
        await client.inclusion(table.id, 3, 2)
    assert too_small.value.reason == "TREE_SIZE_OUT_OF_RANGE"


@both_stores
async def test_the_key_and_the_tree_outlive_the_service(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog")
        await client.match(created.match.match_id, 1)
        before = await client.get_checkpoint()
    known = read_key(before.verifier_key)
    old = read_checkpoint(known.open(before.checkpoint))
    async with Service(settings) as service, Client(service.address) as client:
        grown = await client.get_proof(extended_size=old.size, log_size=0)
        new = read_checkpoint(known.open(grown.checkpoint))
        assert verify_consistency(old.size, old.root, new.size, new.root, grown.hashes)
    key = Path(settings.data) / "signing.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert b64decode(before.verifier_key.split("+", 2)[2])[0] == 1


async def test_the_key_and_its_name_may_be_given(tmp_path: Path) -> None:
    settings = Settings(
        data=str(tmp_path),
        listen="127.0.0.1:0",
        signing_key=digest(b"a key"),
        key_name="example.org/log",
    )
    async with Service(settings) as service, Client(service.address) as client:
        assert (await client.get_checkpoint()).checkpoint.startswith("example.org/log\n")
    assert not (tmp_path / "signing.key").exists()


# --- judging again -------------------------------------------------------------------------------


@both_stores
async def test_a_match_that_is_as_it_was_is_sound(client: Client, table: Table) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    answer = await client.verify_match(table.spectator, table.id)
    assert (answer.sound, answer.event_count, len(answer.findings)) == (True, 4, 0)
    assert (
        answer.digest
        == (await client.list_events(table.white, table.id, at_least_version=4))[-1].digest
    )


async def test_verifying_takes_a_token_of_the_match(client: Client, table: Table) -> None:
    for token, reason in (("", "TOKEN_MISSING"), ("other", "TOKEN_WRONG_MATCH")):
        with pytest.raises(ServiceError) as refused:
            await client.verify_match(token, table.id)
        assert refused.value.reason == reason


async def test_an_overwritten_log_is_reported(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog", title="Old title")
        identity, token = created.match.match_id, created.tokens["referee"]
        await client.submit(created.tokens["white"], identity, "a6-b6")
    with closing(sqlite3.connect(Path(settings.data) / "log.sqlite")) as log, log:
        log.execute(
            "UPDATE stored_events SET state ="
            " CAST(replace(CAST(state AS TEXT), 'Old title', 'New title') AS BLOB)"
            " WHERE originator_version = 1"
        )
    async with Service(settings) as service, Client(service.address) as client:
        answer = await client.verify_match(token, identity)
    assert not answer.sound
    assert (answer.findings[0].version, answer.findings[0].kind) == (
        1,
        audit_pb2.FINDING_KIND_CHAIN,
    )


async def test_a_row_that_was_edited_as_text_stops_nothing_and_is_reported(
    settings: Settings,
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog")
        identity, tokens = created.match.match_id, created.tokens
        await client.submit(tokens["white"], identity, "a6-b6")
    with closing(sqlite3.connect(settings.folder / "log.sqlite")) as log, log:
        # As the shell of SQLite does it: what is edited is text from then on.
        log.execute("UPDATE stored_events SET state = replace(state, '\"a6\"', '\"b5\"')")
    async with Service(settings) as service, Client(service.address) as client:
        answer = await client.verify_match(tokens["referee"], identity)
        assert not answer.sound
        assert (answer.findings[0].version, answer.findings[0].kind) == (
            2,
            audit_pb2.FINDING_KIND_CHAIN,
        )
        async for _ in client.rebuild_projections(service.admin_key):
            pass
        other = await client.create_match(game="agog")
        await client.submit(other.tokens["white"], other.match.match_id, "a6-b6")
        assert (await client.match(other.match.match_id)).version == 2


@pytest.fixture
def stricter(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on black may not move."""
    rules = GAMES["agog"]

    def decide(state: Any, seat: str, action: Any) -> Any:
        if seat == "black":
            return Refused("agog.turn.order", "black rests")
        return rules.decide(state, seat, action)

    monkeypatch.setitem(ENTRIES, "agog", dataclasses.replace(rules, decide=decide))


async def test_judging_again_shows_what_a_changed_rule_touches(
    client: Client, table: Table, service: Service, request: pytest.FixtureRequest
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "h3-g3")
    await client.create_match(game="agog")
    request.getfixturevalue("stricter")
    one = [step async for step in client.readjudicate_matches(table.spectator, table.id)]
    (finding,) = [finding for step in one for finding in step.findings]
    assert (finding.version, finding.kind, finding.rule) == (
        5,
        audit_pb2.FINDING_KIND_LEGALITY,
        "agog.turn.order",
    )
    assert "black rests" in finding.sentence
    assert (one[-1].done_count, one[-1].total_count) == (1, 1)
    every = [step async for step in client.readjudicate_matches(service.admin_key)]
    assert [finding for step in every for finding in step.findings] == [finding]
    assert (every[-1].done_count, every[-1].total_count) == (2, 2)


async def test_judging_all_again_takes_the_admin_key(client: Client, table: Table) -> None:
    for token, reason in (("", "TOKEN_MISSING"), (table.referee, "ADMIN_KEY_INVALID")):
        with pytest.raises(ServiceError) as refused:
            async for _ in client.readjudicate_matches(token):
                pass
        assert refused.value.reason == reason
