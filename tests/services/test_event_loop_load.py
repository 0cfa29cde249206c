"""Long work is done in threads: the loop that plays runs none of the rules for it."""

import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import history_pb2
from tests.services.conftest import CreatedMatch, advance, create_match

RULES = "/domain/games/"
ACTIONS = 30
MOST = 400
"""Functions of the rules that the loop may call: to show one position takes a hundred or two, and
to go through such a match some thousands."""


class Heavy(NamedTuple):
    """What the long work is about."""

    client: Client
    match: CreatedMatch
    file: bytes
    """The match, from another service."""
    text: str
    """It as a transcript."""
    admin: str


async def read_out(pieces: AsyncIterator[Any]) -> None:
    async for _ in pieces:
        pass


WORK: dict[str, Callable[[Heavy], Coroutine[Any, Any, Any]]] = {
    "to verify": lambda it: it.client.verify_match(it.match.tokens["referee"], it.match.id),
    "to judge anew": lambda it: read_out(
        it.client.readjudicate_matches(it.match.tokens["referee"], it.match.id)
    ),
    "to write a transcript": lambda it: it.client.transcript(
        it.match.tokens["referee"], it.match.id
    ),
    "to play one again": lambda it: it.client.import_transcript(transcript=it.text),
    "to take one in": lambda it: it.client.import_file(it.admin, it.file),
    "to draw a replay": lambda it: read_out(
        it.client.export_match(
            it.match.tokens["referee"], it.match.id, history_pb2.EXPORT_FORMAT_REPLAY_PAGE
        )
    ),
}


async def played(client: Client) -> tuple[CreatedMatch, bytes, str]:
    match = await create_match(client, "earthen-war", chance=2)
    await advance(client, match, ACTIONS)
    referee = match.tokens["referee"]
    file = (await client.export(referee, match.id)).data
    return match, file, (await client.transcript(referee, match.id)).text


@pytest.mark.parametrize("kind", WORK)
async def test_the_loop_runs_no_rules_for_long_work(
    settings: Settings, tmp_path: Path, kind: str
) -> None:
    other = replace(settings, data=str(tmp_path / "other"))
    async with Service(other) as service, Client(service.address) as client:
        _, file, text = await played(client)
    async with Service(settings) as service, Client(service.address) as client:
        match, _, _ = await played(client)
        in_loop = 0

        def count(frame: FrameType, event: str, _: object) -> None:
            nonlocal in_loop
            in_loop += event == "call" and RULES in frame.f_code.co_filename

        sys.setprofile(count)  # of this thread alone, which has the loop of the service
        try:
            await WORK[kind](Heavy(client, match, file, text, service.admin_key))
        finally:
            sys.setprofile(None)
    assert in_loop < MOST
