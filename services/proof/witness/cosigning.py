"""The witness client: collects cosignatures for new checkpoints of the log.

Witnesses fail independently: the cosignatures of the others are published as they arrive. A failed
witness is named in the service's log and asked again after a pause, which doubles with each
failure.
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
"""Minimum time between two cosigned checkpoints."""
LONGEST_PAUSE_SECONDS: Final = 300.0
"""Maximum pause after failures of a witness."""
HEADERS: Final = {"Content-Type": "text/plain; charset=utf-8"}


class WitnessAddress(Struct, frozen=True):
    """The public key and the URL of a witness."""

    key: CosignerKey
    url: str


def read_witnesses(setting: str) -> list[WitnessAddress]:
    """Return the witnesses in a setting: comma-separated pairs of key and URL.

    Raises:
        NoteError: An entry is not a key, a blank and a URL.
    """
    found = []
    for each in filter(None, (part.strip() for part in setting.split(","))):
        words = each.split()
        if len(words) != 2:
            raise NoteError(f"{each[:60]!r} is not a witness's key, a blank and its URL")
        found.append(WitnessAddress(read_cosigner(words[0]), words[1].rstrip("/")))
    return found


class CosignatureCollector:
    """The background task that has the witnesses cosign new checkpoints."""

    def __init__(
        self,
        witnesses: list[WitnessAddress],
        read_models: ReadModelQueries,
        published: PublishedTree,
        signer: Signer,
        folder: Path,
    ) -> None:
        self._witnesses = [_WitnessState(each) for each in witnesses]
        self._read_models = read_models
        self._published = published
        self._signer = signer
        self._path = folder / FILE
        self._task: asyncio.Task[None] | None = None
        self._cosigned = self._path.read_text() if witnesses and self._path.exists() else ""

    def start(self, lease: Lease) -> None:
        """Start the task, if there are witnesses; it works while this service has the lease."""
        if self._witnesses:
            self._task = asyncio.create_task(self._ask_on(lease))

    def newest(self) -> str:
        """Return the newest cosigned checkpoint, a signed note; empty if there is none."""
        return self._cosigned

    async def close(self) -> None:
        """Stop the background task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _ask_on(self, lease: Lease) -> None:
        while True:
            try:
                head = await self._published.head()
                behind = any(each.cosignature != head for each in self._witnesses)
                if behind and await asyncio.to_thread(lease.try_acquire):
                    await self._ask(head)
            except Exception as error:  # whatever it is, the task continues
                log.warning("witnesses not asked", why=f"{type(error).__name__}: {error}")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _ask(self, head: TreeHead) -> None:
        """Ask all witnesses to cosign a tree head, and publish each cosignature as it arrives."""
        checkpoint = Checkpoint(self._signer.key.name, head.size, head.root)
        note = self._signer.note(checkpoint.text)
        for asked in asyncio.as_completed(
            [self._ask_witness(each, head, note) for each in self._witnesses]
        ):
            if await asked:
                await self._publish(head, note)

    async def _publish(self, head: TreeHead, note: str) -> None:
        """Store the checkpoint with the cosignatures received so far."""
        cosigned = note + "".join(each.line for each in self._witnesses if each.cosignature == head)
        if cosigned != self._cosigned:
            await asyncio.to_thread(write_atomically, self._path, cosigned.encode())
            self._cosigned = cosigned

    async def _ask_witness(self, witness: "_WitnessState", head: TreeHead, note: str) -> bool:
        """Ask one witness, unless it is paused, and return whether it has cosigned the head."""
        if witness.cosignature == head:
            return True
        now = asyncio.get_running_loop().time()
        if now < witness.not_before:
            return False
        try:
            line = await self._request_cosignature(witness, head, note)
        except Exception as error:  # one failing witness does not affect the others
            witness.size = 0  # the reported size may be wrong: ask again
            witness.pause = min(2 * witness.pause, LONGEST_PAUSE_SECONDS)
            witness.not_before = asyncio.get_running_loop().time() + witness.pause
            expected = isinstance(error, CallFailed | CallRefused | NoteError)
            why = str(error) if expected else f"{type(error).__name__}: {error}"
            log.warning("not cosigned", witness=witness.key.name, why=why, pause=witness.pause)
            return False
        witness.pause, witness.cosignature, witness.line = PAUSE_SECONDS, head, line
        return True

    async def _request_cosignature(
        self, witness: "_WitnessState", head: TreeHead, note: str
    ) -> str:
        """Return the signature line of one witness.

        If the witness reports another size than expected, it is asked once more from that size.
        """
        for _ in range(2):
            old = witness.size
            if old > head.size:
                raise NoteError(f"it has cosigned {old} events, and the log has {head.size}")
            proof = await self._read_models.ask(
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
                return _accept_cosignature(witness, head, note, text)
            if answer.status != 409:
                break
            witness.size = read_size(text.strip())
            if old == witness.size:
                raise NoteError("it has cosigned another log of this size: one of them is false")
        raise NoteError(f"it answers {answer.status}: {text[:100].strip()!r}")


class _WitnessState:
    """The known state of one witness."""

    def __init__(self, address: WitnessAddress) -> None:
        self.key = address.key
        self.url = address.url
        self.size = 0
        """Known size of the checkpoint that the witness cosigned last."""
        self.cosignature: TreeHead | None = None
        self.line = ""
        """Signature line of the cosignature for `given`."""
        self.pause = PAUSE_SECONDS
        self.not_before = 0.0


def _accept_cosignature(witness: _WitnessState, head: TreeHead, note: str, text: str) -> str:
    found = witness.key.find(note + text)
    if found is None:
        raise NoteError(f"its answer has no cosignature of {witness.key.name}")
    witness.size = head.size
    return found[0]
