"""Anybody checks the tree over the log from its tiles, with nothing but a hash function."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from pyqwest import Client as Http

from services.client import Client
from services.proof.signed_notes import read_checkpoint
from services.proof.signing import read_key
from services.server import Service

LOTS = 130
"""Matches: two events each, so that the lowest level has a full tile and a part of one."""


def root_of(hashes: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1, over leaves that are hashed already."""
    if len(hashes) == 1:
        return hashes[0]
    middle = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1" + root_of(hashes[:middle]) + root_of(hashes[middle:])).digest()


async def get(service: Service, path: str) -> tuple[int, bytes, str]:
    found = await Http().get(f"{service.http_address}/tlog/{path}")
    return found.status, found.content, found.headers["cache-control"]


@pytest.fixture
async def size(service: Service, client: Client) -> int:
    for _ in range(LOTS):
        created = await client.create_match("agog")
        identity = created.match.match_id
        version = (await client.submit(created.tokens["white"], identity, "a6-b6")).accepted.version
    await client.scene(created.tokens["white"], identity, at_least_version=version)
    return 1 + 2 * LOTS  # the service began before


async def test_the_root_in_the_checkpoint_follows_from_tiles_and_entries(
    service: Service, client: Client, size: int
) -> None:
    status, note, _ = await get(service, "checkpoint")
    key = read_key((await client.checkpoint()).verifier_key)
    head = read_checkpoint(key.open(note.decode()))
    assert (status, head.size) == (200, size)
    part = size - 256
    lowest = (await get(service, "tile/0/000"))[1] + (await get(service, f"tile/0/001.p/{part}"))[1]
    hashes = [lowest[at : at + 32] for at in range(0, len(lowest), 32)]
    assert root_of(hashes) == head.root
    raw = (await get(service, "tile/entries/000"))[1]
    raw += (await get(service, f"tile/entries/001.p/{part}"))[1]
    entries = [raw[at + 2 : at + 34] for at in range(0, len(raw), 34)]
    assert {raw[at : at + 2] for at in range(0, len(raw), 34)} == {b"\0\x20"}
    assert [sha256(b"\0" + entry).digest() for entry in entries] == hashes
    assert (await get(service, "tile/1/000.p/1"))[1] == root_of(hashes[:256])


async def test_a_tile_may_be_kept_and_what_is_not_there_yet_may_not(
    service: Service, size: int
) -> None:
    assert (await get(service, "tile/0/000"))[2] == "public, max-age=31536000, immutable"
    for missing in (
        *("tile/0/001", f"tile/0/001.p/{size - 255}", "tile/1/000", "tile/0/x000/001"),
        *("tile/entries/001", "tile/64/000", "tile/0/0", "tile/0/000.p/0", "tile/0/000.p/256"),
        *("tile/0/000.p/999", "tile/-1/000", "tile/0/x999/x999/x999/x999/x999/999", "tile/"),
    ):
        status, _, kept = await get(service, missing)
        assert (status, kept) == (404, "no-cache"), missing
