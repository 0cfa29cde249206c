"""Has witnesses cosign what the log grows to, and keeps the newest checkpoint that they did.

Each witness fails by itself: whatever one answers, or if it never does, the cosignatures of the
others are kept and published as they come. A witness that failed is named in the log, and is asked
again after a pause, which doubles with each failure.
"""

import asyncio
from functools import partial
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from projections.queries import log_tree
from projections.queries.log_tree import TreeHead
from services.proof.cosignatures import CosignerKey, read_cosigner
from services.proof.published_tree import PublishedTree
from services.proof.signed_notes import Checkpoint, read_size
from services.proof.signing import NoteError, Signer
from services.proof.witness.requests import ADD_CHECKPOINT_PATH, AddCheckpointRequest
from services.runtime.files import write_atomically
from services.runtime.outbound import CallFailed, CallRefused, http_request
from services.store.opened_log import Lease
from services.store.read_models import ReadModelQueries

log = structlog.get_logger(__name__)

FILE: Final = "cosigned.txt"
PAUSE_SECONDS: Final = 1.0
"""Between two checkpoints that are cosigned."""
LONGEST_PAUSE_SECONDS: Final = 300.0
"""After failures, for each witness."""
HEADERS: Final = {"Content-Type": "text/plain; charset=utf-8"}


class WitnessAddress(Struct, frozen=True):
    """A witness, and where it is."""

    key: CosignerKey
    url: str


def read_witnesses(setting: str) -> list[WitnessAddress]:
    """The witnesses of a setting: key and URL each, with commas between. NoteError for others."""
    found = []
    for each in filter(None, (part.strip() for part in setting.split(","))):
        words = each.split()
        if len(words) != 2:
            raise NoteError(f"{each[:60]!r} is not a witness's key, a blank and its URL")
        found.append(WitnessAddress(read_cosigner(words[0]), words[1].rstrip("/")))
    return found


class CosignatureCollector:
    """Asks all witnesses of a service, again and again as the log grows."""

    def __init__(
        self,
        witnesses: list[WitnessAddress],
        reads: ReadModelQueries,
        published: PublishedTree,
        signer: Signer,
        folder: Path,
    ) -> None:
        self._witnesses = [_WitnessState(each) for each in witnesses]
        self._reads = reads
        self._published = published
        self._signer = signer
        self._path = folder / FILE
        self._asking: asyncio.Task[None] | None = None
        self._cosigned = self._path.read_text() if witnesses and self._path.exists() else ""

    def start(self, lease: Lease) -> None:
        """Begin, if there are witnesses; of several services on one log only who has the lease."""
        if self._witnesses:
            self._asking = asyncio.create_task(self._ask_on(lease))

    def newest(self) -> str:
        """The newest checkpoint that any witness has cosigned, a note; empty if none has."""
        return self._cosigned

    async def close(self) -> None:
        """End."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    async def _ask_on(self, lease: Lease) -> None:
        while True:
            try:
                head = await self._published.head()
                behind = any(each.given != head for each in self._witnesses)
                if behind and await asyncio.to_thread(lease.held):
                    await self._ask(head)
            except Exception as error:  # whatever it is, witnesses are asked again
                log.warning("witnesses not asked", why=f"{type(error).__name__}: {error}")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _ask(self, head: TreeHead) -> None:
        """Have a checkpoint cosigned by as many as are there."""
        checkpoint = Checkpoint(self._signer.key.name, head.size, head.root)
        note = self._signer.note(checkpoint.text)
        for asked in asyncio.as_completed(
            [self._one(each, head, note) for each in self._witnesses]
        ):
            if await asked:
                await self._publish(head, note)

    async def _publish(self, head: TreeHead, note: str) -> None:
        """Keep the checkpoint with the cosignatures that it has by now."""
        cosigned = note + "".join(each.line for each in self._witnesses if each.given == head)
        if cosigned != self._cosigned:
            await asyncio.to_thread(write_atomically, self._path, cosigned.encode())
            self._cosigned = cosigned

    async def _one(self, witness: "_WitnessState", head: TreeHead, note: str) -> bool:
        """Ask one witness, unless it is paused; return whether it has cosigned this checkpoint."""
        if witness.given == head:
            return True
        now = asyncio.get_running_loop().time()
        if now < witness.not_before:
            return False
        try:
            line = await self._word(witness, head, note)
        except (
            Exception
        ) as error:  # whatever one witness makes fail, the others are asked all the same
            witness.size = 0  # what it said of its log may be false: learn it anew
            witness.pause = min(2 * witness.pause, LONGEST_PAUSE_SECONDS)
            witness.not_before = asyncio.get_running_loop().time() + witness.pause
            expected = isinstance(error, CallFailed | CallRefused | NoteError)
            why = str(error) if expected else f"{type(error).__name__}: {error}"
            log.warning("not cosigned", witness=witness.key.name, why=why, pause=witness.pause)
            return False
        witness.pause, witness.given, witness.line = PAUSE_SECONDS, head, line
        return True

    async def _word(self, witness: "_WitnessState", head: TreeHead, note: str) -> str:
        """Return the line of one witness. If it knows of another size than we thought, ask once
        more."""
        for _ in range(2):
            old = witness.size
            if old > head.size:
                raise NoteError(f"it has cosigned {old} events, and the log has {head.size}")
            proof = await self._reads.ask(
                partial(log_tree.consistency_proof, old=old, new=head.size)
            )
            body = AddCheckpointRequest(old, tuple(proof) if old else (), note).text.encode()
            answer = await http_request(
                f"{witness.url}/{ADD_CHECKPOINT_PATH}",
                "any",
                method="POST",
                body=body,
                headers=HEADERS,
            )
            text = answer.body.decode(errors="replace")
            if answer.status == 200:
                return _taken(witness, head, note, text)
            if answer.status != 409:
                break
            witness.size = read_size(text.strip())
            if old == witness.size:
                raise NoteError("it has cosigned another log of this size: one of them is false")
        raise NoteError(f"it answers {answer.status}: {text[:100].strip()!r}")


class _WitnessState:
    """A witness, and what we know of it."""

    def __init__(self, address: WitnessAddress) -> None:
        self.key = address.key
        self.url = address.url
        self.size = 0
        """Of the checkpoint that it cosigned last, as far as we know."""
        self.given: TreeHead | None = None
        self.line = ""
        """What it cosigned last, and the line."""
        self.pause = PAUSE_SECONDS
        self.not_before = 0.0


def _taken(witness: _WitnessState, head: TreeHead, note: str, text: str) -> str:
    found = witness.key.find(note + text)
    if found is None:
        raise NoteError(f"its answer has no cosignature of {witness.key.name}")
    witness.size = head.size
    return found[0]
