"""A witness: records what a service has signed, and rejects a log that does not extend it.

Its file holds the service's key from first use, the last checkpoint of the log, and the last event
seen of each match. It serves as evidence in a dispute. The service proves each time that nothing
recorded is missing or changed; the witness computes the hashes.
"""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Final, NoReturn
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.log.merkle import verify_consistency, verify_inclusion
from services.client.connection import ServiceError
from services.client.history import CHECKPOINT_PENDING, HistoryCalls
from services.proof.receipts import ReceiptGroup, ReceiptSignature, open_receipt
from services.proof.signed_notes import Checkpoint, Receipt, hashes_of, read_checkpoint
from services.proof.signing import NoteError, VerifierKey, read_key
from services.runtime.files import write_atomically
from services.wire.emeth.v1.audit_pb2 import GetProofResponse
from services.wire.emeth.v1.play_pb2 import Receipt as ReceiptMessage

MISSING_REASONS: Final = ("MATCH_NOT_FOUND", "VERSION_OUT_OF_RANGE", "TREE_SIZE_OUT_OF_RANGE")
"""Reasons of errors by which a service claims not to have something that it has signed."""
PUBLICATION_TIMEOUT_SECONDS: Final = 60.0
"""Time within which a checkpoint must contain an event that the service has shown. A service
publishes one every ten seconds, and could still change what it has not published."""


class LogRewrittenError(Exception):  # it says what is so
    """Raised when the service's log is not proven to extend what the witness has recorded."""


class LastEvent(Struct, frozen=True, omit_defaults=True):
    """The last event of a match that the service has shown."""

    version: int
    digest: str
    receipt: str = ""
    """The receipt as text, if the event is an action that the client submitted."""


class ServiceRecord(Struct, frozen=True, omit_defaults=True):
    """A witness's record of one service."""

    key: str = ""
    """The service's public key; empty before the first connection."""
    checkpoint: str = ""
    """The latest checkpoint of the log, as a signed note; empty before the first."""
    matches: dict[str, LastEvent] = {}


class Witness:
    """The record of what one service has signed, kept in a file."""

    def __init__(self, path: Path) -> None:
        """Read the file of the witness, if it exists.

        Raises:
            LogRewrittenError: The file is not the file of a witness.
            OSError: The file cannot be read.
        """
        self._path = path
        self._waiting: dict[str, tuple[float, LastEvent]] = {}
        """The oldest unproven event of each match, and the time since when it is unproven."""
        self._lock = asyncio.Lock()  # each proof begins where the one before it ended
        try:
            self._record = msgspec.json.decode(path.read_bytes(), type=ServiceRecord)
        except FileNotFoundError:
            self._record = ServiceRecord()
        except (msgspec.MsgspecError, ValueError) as error:
            _fail(f"{path} is not the file of a witness: {error}")

    async def check(self, client: HistoryCalls, match_id: str) -> None:
        """Raise LogRewrittenError unless the log extends what is recorded of this match."""
        seen = self._record.matches.get(str(UUID(match_id)))
        if seen is not None:
            await self._prove(client, str(UUID(match_id)), seen)

    async def record_event(
        self, client: HistoryCalls, match_id: str, version: int, digest: str
    ) -> None:
        """Record an event after the service has proven that the log contains it.

        Raises:
            LogRewrittenError: The log lacks the event, or does not extend its recorded checkpoint.
        """
        match_id = str(UUID(match_id))
        known = self._record.matches.get(match_id)
        if known is not None and known.version == version and known.digest != digest:
            _fail(f"event {version} of match {match_id} is shown with another digest than before")
        await self._prove(client, match_id, LastEvent(version, digest))
        if known is None or known.version < version:
            self._keep_seen(match_id, LastEvent(version, digest))

    async def record_receipt(self, client: HistoryCalls, receipt: ReceiptMessage) -> None:
        """Record the receipt of an action.

        Raises:
            LogRewrittenError: The signature of the receipt is invalid.
        """
        word, signed = receipt_of(receipt)
        key = await self._key(client)
        try:
            signed.check(word, key)
            text = signed.as_text(word, receipt.key_name)
            open_receipt(text, key)
        except NoteError as error:
            _fail(f"the receipt for event {word.version}: {error}")
        known = self._record.matches.get(str(word.match))
        if known is None or known.version < word.version:
            self._keep_seen(str(word.match), LastEvent(word.version, word.digest, text))

    # --- proving ---------------------------------------------------------------------------------

    async def _key(self, client: HistoryCalls) -> VerifierKey:
        """Return the service's key, recorded on first use."""
        if not self._record.key:
            shown = (await client.get_checkpoint()).verifier_key
            try:
                read_key(shown)
            except NoteError as error:
                _fail(f"the service's key: {error}")
            self._write_record(replace(self._record, key=shown))
        return read_key(self._record.key)

    async def _prove(self, client: HistoryCalls, match_id: str, seen: LastEvent) -> None:
        """Verify that the log contains this event and extends the recorded checkpoint."""
        async with self._lock:
            await self._prove_inclusion(client, match_id, seen)

    async def _prove_inclusion(self, client: HistoryCalls, match_id: str, seen: LastEvent) -> None:
        if await self._is_proven(client, match_id, seen):
            self._waiting.pop(match_id, None)
            return
        # A match that moves on all the time has always an event that is too new: so the oldest of
        # those that are not proven yet is.
        now = asyncio.get_running_loop().time()
        since, oldest = self._waiting.setdefault(match_id, (now, seen))
        if now - since > PUBLICATION_TIMEOUT_SECONDS:
            _fail(
                f"event {oldest.version} of match {match_id} was shown {now - since:.0f} s ago, and"
                " is in no checkpoint yet"
            )
        if oldest != seen and await self._is_proven(client, match_id, oldest):
            self._waiting[match_id] = (now, seen)

    async def _is_proven(self, client: HistoryCalls, match_id: str, seen: LastEvent) -> bool:
        """Verify the event; return False if it is newer than the newest checkpoint."""
        key = await self._key(client)
        try:
            answer = await self._request_proof(client.inclusion(match_id, seen.version, wait=False))
        except ServiceError as error:
            if error.reason == CHECKPOINT_PENDING:
                return False
            raise
        present = self._open_checkpoint(key, answer.checkpoint)
        leaf = bytes.fromhex(seen.digest)
        try:
            path = hashes_of(answer.hashes)
        except NoteError as error:
            _fail(str(error))
        if not verify_inclusion(leaf, answer.log_index, present.size, path, present.root):
            _fail(
                f"the log has no longer event {seen.version} of match {match_id} with the digest"
                f" {seen.digest}"
            )
        if self._record.checkpoint:
            await self._prove_extension(client, key, present)
        self._write_record(replace(self._record, checkpoint=answer.checkpoint))
        return True

    async def _prove_extension(
        self, client: HistoryCalls, key: VerifierKey, present: Checkpoint
    ) -> None:
        old = self._open_checkpoint(key, self._record.checkpoint)
        if present.size < old.size:
            _fail(f"the log has {present.size} events, and had {old.size}")
        answer = await self._request_proof(
            client.get_proof(extended_size=old.size, log_size=present.size)
        )
        if not verify_consistency(old.size, old.root, present.size, present.root, answer.hashes):
            _fail(f"the log does not begin with the {old.size} events that it had")

    async def _request_proof(self, call: Awaitable[GetProofResponse]) -> GetProofResponse:
        try:
            return await call
        except ServiceError as error:
            if error.reason in MISSING_REASONS:
                _fail(f"the log has no longer what was kept of it: {error.message}")
            raise

    def _open_checkpoint(self, key: VerifierKey, note: str) -> Checkpoint:
        try:
            return read_checkpoint(key.open(note))
        except NoteError as error:
            _fail(f"the checkpoint of the log: {error}")

    # --- keeping ---------------------------------------------------------------------------------

    def _keep_seen(self, match_id: str, seen: LastEvent) -> None:
        self._write_record(replace(self._record, matches={**self._record.matches, match_id: seen}))

    def _write_record(self, kept: ServiceRecord) -> None:
        """Replace the file atomically: a crash leaves either the old or the new one."""
        write_atomically(self._path, msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
        self._record = kept


def receipt_of(message: ReceiptMessage) -> tuple[Receipt, ReceiptSignature]:
    """Return the receipt of a response, and its signature."""
    word = Receipt(UUID(message.match_id), message.version, message.digest)
    group = None
    if message.HasField("group"):
        group = ReceiptGroup(message.group.size, message.group.index, tuple(message.group.path))
    return word, ReceiptSignature(message.signature, group)


def _fail(why: str) -> NoReturn:
    raise LogRewrittenError(why)
