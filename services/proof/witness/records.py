"""The witness service: cosigns checkpoints of known logs, if each log only grew.

The last cosigned checkpoint of each log is in one file, and on disk before the cosignature is sent.
Neither a crash nor a second process on the same folder makes a witness cosign two histories of a
log.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain.log.merkle import EMPTY_ROOT, verify_consistency
from services.proof.cosignatures import Cosigner
from services.proof.signed_notes import Checkpoint, read_checkpoint
from services.proof.signing import NoteError, VerifierKey
from services.proof.witness.requests import SIZE_MEDIA_TYPE, AddCheckpointRequest, read_request
from services.runtime.files import make_folder, make_private

FILE: Final = "witness.sqlite"
TEXT_MEDIA_TYPE: Final = "text/plain; charset=utf-8"
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS logs (
    origin TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    root BLOB NOT NULL,
    note TEXT NOT NULL
) STRICT, WITHOUT ROWID
"""


class WitnessResponse(Struct, frozen=True):
    """The response of a witness."""

    status: int
    text: str
    kind: str = TEXT_MEDIA_TYPE


class WitnessStore:
    """The cosigned checkpoints of known logs. Not thread-safe."""

    def __init__(
        self,
        folder: Path,
        cosigner: Cosigner,
        logs: Iterable[VerifierKey],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open the file of cosigned checkpoints.

        Args:
            folder: The folder of the file.
            cosigner: The key of the witness.
            logs: The keys of known logs. The name of a key is the origin of the log's checkpoints.
            clock: Returns seconds since 1970.

        Raises:
            OSError: The file cannot be created.
            sqlite3.Error: The file cannot be opened.
        """
        self._cosigner = cosigner
        self._clock = clock
        self._keys = {key.name: key for key in logs}
        make_folder(folder)
        make_private(folder / FILE)
        self._connection = sqlite3.connect(
            folder / FILE, isolation_level=None, check_same_thread=False
        )
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(_TABLE)

    def close(self) -> None:
        """Close the database file."""
        self._connection.close()

    def add(self, raw: bytes) -> WitnessResponse:
        """Return the response to a request to cosign a checkpoint. Blocks on the disk."""
        try:
            request = read_request(raw)
            # The origin selects the key, and is not authenticated yet.
            origin = request.note.partition("\n")[0]
            if (key := self._keys.get(origin)) is None:
                return WitnessResponse(404, f"the log {origin[:100]!r} is not known here\n")
            try:
                text = key.open(request.note)
            except NoteError as error:
                return WitnessResponse(403, f"{error}\n")
            checkpoint = read_checkpoint(text)
        except NoteError as error:
            return WitnessResponse(400, f"{error}\n")
        if request.old > checkpoint.size:
            return WitnessResponse(400, "the old size is more than the new one\n")
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                answer = self._judge(cursor, request, checkpoint)
            except BaseException:
                cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")
        return answer or WitnessResponse(200, self._cosigner.cosign(text, int(self._clock())))

    def _judge(
        self, cursor: sqlite3.Cursor, request: AddCheckpointRequest, new: Checkpoint
    ) -> WitnessResponse | None:
        """Store the new checkpoint, or return the response that refuses it."""
        kept = cursor.execute("SELECT size, root FROM logs WHERE origin = ?", (new.origin,))
        size, root = kept.fetchone() or (0, EMPTY_ROOT)
        if request.old != size:
            return WitnessResponse(409, f"{size}\n", SIZE_MEDIA_TYPE)
        if size == new.size and root != new.root:
            return WitnessResponse(409, f"{size}\n", SIZE_MEDIA_TYPE)
        if not verify_consistency(size, root, new.size, new.root, request.proof):
            return WitnessResponse(422, "the proof does not show that the log only grew\n")
        row = (new.origin, new.size, new.root, request.note)
        cursor.execute("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?)", row)
        return None
