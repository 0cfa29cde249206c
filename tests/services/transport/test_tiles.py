"""Anybody checks the tree over the log from its tiles: with nothing but a hash function, and by a
verifier that others wrote for other logs."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyqwest import Client as Http

from services.client import Client
from services.main import Service
from services.proof.signed_notes import read_checkpoint
from services.proof.signing import read_key
from services.transport.tiles import PATH

NODE = Path(sys.executable).with_name("node")
WEB = Path(__file__).parents[3] / "web"
FOREIGN_CLIENT = Path(__file__).with_name("foreign_client.mjs")
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


class Acknowledged(NamedTuple):
    """An event that a player was given a receipt for."""

    match: str
    version: int
    digest: str


@pytest.fixture
async def acknowledged(client: Client) -> list[Acknowledged]:
    """An action of each match, all of them in the tree."""
    found = []
    for _ in range(LOTS):
        created = await client.create_match(game="agog")
        identity = created.match.match_id
        answer = (await client.submit(created.tokens["white"], identity, "a6-b6")).accepted
        found.append(Acknowledged(identity, answer.version, answer.events[-1].digest))
    await client.view(created.tokens["white"], identity, "text", at_least_version=answer.version)
    return found


@pytest.fixture
def size(acknowledged: list[Acknowledged]) -> int:
    return 1 + 2 * len(acknowledged)  # the service began before


def by_a_foreign_client(address: str, key: str, digests: Sequence[str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        (NODE, "--no-warnings", FOREIGN_CLIENT, address, key, *digests),
        cwd=WEB,
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


async def test_the_root_in_the_checkpoint_follows_from_tiles_and_entries(
    service: Service, client: Client, size: int
) -> None:
    status, note, _ = await get(service, "checkpoint")
    key = read_key((await client.get_checkpoint()).verifier_key)
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
        *("tile/0/x000/000", "tile/0/x000/x000/000", "tile/entries/x000/000"),
        *("tile/0/x000/000.p/1", "tile/00/000", "tile/0//000", "tile/0/000/", "tile/0/0000"),
        *("tile/0/000.p/999", "tile/-1/000", "tile/0/x999/x999/x999/x999/x999/999", "tile/"),
    ):
        status, _, kept = await get(service, missing)
        assert (status, kept) == (404, "no-cache"), missing


@pytest.mark.parametrize("index", [0, 7, 999, 1_000, 1_234_067, 67_000_000, 2**40])
def test_every_tile_has_one_path(index: int) -> None:
    groups = f"{index:,}".replace(",", " ").split()
    groups[0] = groups[0].zfill(3)
    path = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    found = PATH.fullmatch(f"0/{path}")
    assert found is not None
    assert found["index"] == path
    assert PATH.fullmatch(f"0/x000/{path}") is None


async def test_a_verifier_of_other_logs_finds_what_was_acknowledged_in_ours(
    service: Service, client: Client, acknowledged: list[Acknowledged], size: int
) -> None:
    """`@sigstore/verify` has its own code for signed notes, checkpoints and proofs of inclusion."""
    key = (await client.get_checkpoint()).verifier_key
    asked = [acknowledged[at] for at in (0, LOTS // 2, LOTS - 2, LOTS - 1)]
    found_by_client = await asyncio.to_thread(
        by_a_foreign_client, service.http_address, key, [each.digest for each in asked]
    )
    for event, found in zip(asked, found_by_client, strict=True):
        judged = found["judged"]
        assert judged.pop("as it is") is None
        signature = "invalid checkpoint signature"
        for spoiled in ("signature", "name", "origin", "size", "root", "key"):
            assert judged.pop(f"another {spoiled}") == signature, spoiled
        for spoiled in ("leaf", "place", "hash"):
            assert re.match("calculated root|invalid index", judged.pop(f"another {spoiled}"))
        assert judged == {"a hash less": "invalid hash count"}
        ours = await client.inclusion(event.match, event.version, size=size)
        assert (ours.log_index, [each.hex() for each in ours.hashes]) == (
            found["index"],
            found["path"],
        )
