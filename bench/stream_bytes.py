"""A benchmark of what an action costs a spectator: its bytes over HTTP, for each game.

    python bench/stream_bytes.py agog res-arcana

Plays the recorded game of each game, with its recorded entries of chance, on a service in this
process. Two spectators follow it by the Connect protocol with gzip. One uses the masks of the board
(`web/board/service_source.ts`), with which each event brings a drawing. The other uses the masks
that docs/subscriptions.md proposes to frontends that draw scenes. An action includes the entries of
chance that follow it. Entries before the first action of a player do not count.

Bytes are printed compressed with one context for the whole stream, as they are sent; with each
message compressed separately; and plain. IDs and digests differ from run to run, and the figures
with them by about 1 %.
"""

import argparse
import gzip
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from statistics import quantiles
from typing import Any, Final

import aiohttp
import uvloop
from google.protobuf.field_mask_pb2 import FieldMask
from msgspec import Struct

from domain.registry import GAMES
from services.cli.recorded_games import read_recorded, recorded_games
from services.client import Client
from services.client.subscriptions import match_subscription
from services.main import Service
from services.runtime import logging
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED
from services.wire.emeth.v1.subscriptions_pb2 import SubscribeRequest, SubscribeResponse

FRAME: Final = 5
"""Bytes before a message of a stream: flags, and its length."""
SHOWN: Final = ("svg", "prompts", "result", "announcements", "match", "actions")
DRAWS: Final = ("sentence", "version", "changes")
BOARD: Final = {
    "mark_legal": True,
    "read_mask": FieldMask(paths=["event"]),
    "latest_read_mask": FieldMask(paths=["event", *(f"view.{each}" for each in SHOWN)]),
}
"""Options of the board's subscription."""
SLIM: Final = {
    "read_mask": FieldMask(
        paths=[*(f"event.{each}" for each in DRAWS), "view.prompts", "view.clocks"]
    )
}
"""Options of a frontend that applies the changes to its own scene."""


class Cost(Struct):
    """Bytes of an action, counted in three ways."""

    sent: int = 0
    alone: int = 0
    plain: int = 0


class Spectator:
    """A spectator that counts the bytes of each event."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._chunks = response.content.iter_chunks()
        self._unpacked = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self._frames = b""

    async def event(self, version: int) -> Cost:
        """Return the bytes since the last event, up to the event of this version."""
        cost = Cost()
        while True:
            chunk, _ = await anext(self._chunks)
            cost.sent += len(chunk)
            self._frames += self._unpacked.decompress(chunk)
            while len(self._frames) >= FRAME:
                end = FRAME + int.from_bytes(self._frames[1:FRAME], "big")
                if len(self._frames) < end:
                    break
                message, self._frames = self._frames[FRAME:end], self._frames[end:]
                cost.plain += end
                cost.alone += FRAME + len(gzip.compress(message, 6))
                if SubscribeResponse.FromString(message).cursor == str(version):
                    assert not self._frames, "the next event came with it"
                    return cost


async def costs(service: Service, slug: str) -> dict[str, list[Cost]]:
    """Play the recorded game, and return what each action cost the spectators."""
    recorded = read_recorded(slug)
    options = dict(recorded.options)
    if "chance" in GAMES[slug].options.__struct_fields__:
        options["chance"] = "entered"
    found: dict[str, list[Cost]] = {"board": [], "slim": []}
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(Client(service.address))
        made = await client.create_match(game=slug, options=options, chance=CHANCE_ENTERED)
        match, tokens = made.match, made.tokens
        web = await stack.enter_async_context(aiohttp.ClientSession(auto_decompress=False))
        spectators = {}
        for name, mask in (("board", BOARD), ("slim", SLIM)):
            asked = match_subscription(match.match_id, **mask)
            response = await stack.enter_async_context(
                web.post(
                    f"{service.http_address}/emeth.v1.ViewsService/Subscribe",
                    data=_enveloped(asked),
                    headers={
                        "Authorization": f"Bearer {tokens['spectator']}",
                        "Content-Type": "application/connect+proto",
                        "Accept-Encoding": "gzip",
                    },
                )
            )
            assert response.headers["content-encoding"] == "gzip"
            spectators[name] = Spectator(response)
            await spectators[name].event(match.version)
        prompts: Sequence[Any] = match.prompts
        for by, notation in recorded.actions:
            entered = any(each.chance for each in prompts)
            answer = await client.submit(
                tokens.get(by, tokens["referee"]), match.match_id, notation
            )
            assert answer.HasField("accepted"), f"{by} {notation}: {answer}"
            prompts = answer.accepted.prompts
            for name, spectator in spectators.items():
                cost = await spectator.event(answer.accepted.version)
                if not entered:
                    found[name].append(cost)
                elif found[name]:
                    last = found[name][-1]
                    last.sent += cost.sent
                    last.alone += cost.alone
                    last.plain += cost.plain
    return found


def _enveloped(request: SubscribeRequest) -> bytes:
    body = request.SerializeToString()
    return b"\0" + len(body).to_bytes(4, "big") + body


def high(values: Sequence[int]) -> float:
    """Return the 95th percentile."""
    return quantiles(values, n=20, method="inclusive")[18]


async def measure(slugs: Sequence[str]) -> None:
    """Print the figures of these games."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            data=folder, listen="127.0.0.1:0", http="127.0.0.1:0", log_level="warning"
        )
        async with Service(settings, Limits(address=0)) as service:
            for slug in slugs:
                for name, each in (await costs(service, slug)).items():
                    sent = [cost.sent for cost in each]
                    plain = [cost.plain for cost in each]
                    print(
                        f"{slug} {name}: {len(each)} actions, p95 {high(sent):.0f} B,"
                        f" most {max(sent)} B, mean {sum(sent) / len(sent):.0f} B;"
                        f" each alone p95 {high([cost.alone for cost in each]):.0f} B;"
                        f" plain p95 {high(plain):.0f} B;"
                        f" ratio {sum(sent) / sum(plain):.3f}"
                    )


def main() -> None:
    """Measure the games that the command line names."""
    parser = argparse.ArgumentParser(description="Count the bytes of actions for spectators.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    logging.configure("warning")
    uvloop.run(measure(parser.parse_args().games or recorded_games()))


if __name__ == "__main__":
    main()
