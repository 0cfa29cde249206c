"""Tiles of the Merkle tree of the log, and its entries, in the format of C2SP's tlog-tiles."""

import asyncio
from collections.abc import Callable
from sqlite3 import Connection
from typing import Final

from projections.queries import log_tree
from services.proof.published_tree import PublishedTree
from services.proof.signed_notes import Checkpoint
from services.proof.signing import Signer
from services.store.log import Log
from services.store.read_models import ReadModelQueries

TILE_WIDTH: Final = 256
"""Number of hashes in a full tile."""
HEIGHT: Final = 8
"""Number of tree levels between two levels of tiles."""


class TreeFiles:
    """The public files of the tree. Full tiles never change."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        log: Log,
        signer: Signer,
        published: PublishedTree,
        cosigned: Callable[[], str] = str,
    ) -> None:
        """Create files.

        `cosigned` returns the newest checkpoint that witnesses cosigned, or nothing.
        """
        self._cosigned = cosigned
        self._published = published
        self._read_models = read_models
        self._log = log
        self._signer = signer

    async def checkpoint(self) -> str:
        """Return the published tree as a signed note, cosigned by witnesses if possible."""
        if cosigned := self._cosigned():
            return cosigned
        head = await self._published.head()
        return self._signer.note(Checkpoint(self._signer.key.name, head.size, head.root).text)

    async def tile(self, level: int, index: int, width: int = TILE_WIDTH) -> bytes | None:
        """Return the first `width` hashes of a tile; None if the tree does not have them yet."""
        first, height = index * TILE_WIDTH, level * HEIGHT
        if (first + width) << height > (await self._published.head()).size:
            return None

        def read(connection: Connection) -> bytes:
            node = log_tree.node_reader(connection)
            return b"".join(node(height, each) for each in range(first, first + width))

        return await self._read_models.ask(read)

    async def entries(self, index: int, width: int = TILE_WIDTH) -> bytes | None:
        """Return the first `width` leaves of the entry bundle with this index."""
        first = index * TILE_WIDTH
        if first + width > (await self._published.head()).size:
            return None

        def read() -> bytes:
            rows = self._log.recorder.select_notifications(first + 1, width)
            leaves = map(self._log.mapper.leaf, rows)
            return b"".join(len(leaf).to_bytes(2) + leaf for leaf in leaves)

        return await asyncio.to_thread(read)
