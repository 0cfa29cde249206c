"""Subscribe as Server-Sent Events, for fetch, EventSource and curl; and compressed."""

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from statistics import median
from typing import Any, NamedTuple

import pytest

from services.accounts.context import RequestContext
from services.api.stream_tickets import StreamTickets
from services.cli.recorded_games import read_recorded
from services.client import Client
from services.main import Service
from services.runtime.errors import ApiError
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.subscriptions_pb2 import SubscribeRequest
from tests.services.conftest import CreatedMatch, create_match, play

SUBSCRIBE = "/emeth.v1.ViewsService/Subscribe"
TICKET = "/emeth.v1.ViewsService/CreateStreamTicket"
CONNECT = "application/connect+json"
SECONDS = 30.0


class Event(NamedTuple):
    id: str
    kind: str
    data: Any


class Line:
    """A line to the HTTP port, read as it comes."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._packed: Any = None
        self._text = b""
        self.received = 0

    async def head(self) -> tuple[int, dict[str, str]]:
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        if headers.get("content-encoding") == "gzip":
            self._packed = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        return int(status.split()[1]), headers

    async def _chunk(self) -> bytes:
        size = int(await self._reader.readuntil(b"\r\n"), 16)
        content = (await self._reader.readexactly(size + 2))[:-2]
        self.received += len(content)
        return self._packed.decompress(content) if self._packed else content

    async def event(self) -> Event | None:
        """The next event; None at the end. Comments are passed over."""
        async with asyncio.timeout(SECONDS):
            while b"\n\n" not in self._text:
                try:
                    self._text += await self._chunk()
                except asyncio.IncompleteReadError:
                    return None
                if not self._text:
                    return None
        raw, _, self._text = self._text.partition(b"\n\n")
        fields = dict(line.split(": ", 1) for line in raw.decode().splitlines())
        return Event(fields.get("id", ""), fields["event"], json.loads(fields["data"]))

    async def text(self, part: str) -> bytes:
        """What comes until this part of a message does, and all that came with it."""
        read = b""
        async with asyncio.timeout(SECONDS):
            while part.encode() not in read:
                read += await self._chunk()
        return read

    async def until(self, kind: str) -> Event:
        while (event := await self.event()) is not None:
            if event.kind == kind:
                return event
        raise AssertionError(f"the stream ended without {kind}")


@asynccontextmanager
async def opened(
    service: Service, path: str = SUBSCRIBE, body: Any = None, **headers: str
) -> AsyncIterator[Line]:
    host, _, port = service.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host.removeprefix("http://"), int(port))
    content = b"" if body is None else json.dumps(body).encode()
    if headers.get("content_type") == CONNECT:
        content = b"\0" + len(content).to_bytes(4, "big") + content
    sent = {"host": "localhost", "accept": "text/event-stream"}
    if body is not None:
        sent |= {"content_type": "application/json", "content-length": str(len(content))}
    sent |= headers
    verb = "GET" if body is None else "POST"
    head = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in sent.items())
    writer.write(f"{verb} {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
    try:
        yield Line(reader)
    finally:
        writer.close()


def topics(match: CreatedMatch, **fields: Any) -> dict[str, Any]:
    return {"topics": [{"topicId": "m", "match": {"matchId": match.id, **fields}}]}


def bearer(match: CreatedMatch, role: str = "white") -> str:
    return f"Bearer {match.tokens[role]}"


async def test_events_come_as_server_sent_events_and_continue_after_the_last(
    service: Service, client: Client
) -> None:
    match = await create_match(client)
    token = bearer(match)
    async with opened(service, body=topics(match), authorization=token) as line:
        status, headers = await line.head()
        assert (status, headers["content-type"]) == (200, "text/event-stream")
        first = await line.event()
        assert first is not None
        assert first.kind == "subscriptionStarted"
        assert (await line.until("topicStarted")).data["topicStarted"]["viewer"] == "white"
        event = await line.until("matchEvent")
        assert (event.id, event.data["matchEvent"]["event"]["version"]) == ('{"m":"1"}', 1)
    await play(client, match, ("white", "a6-b6"))
    again = {"authorization": token, "last_event_id": event.id}
    async with opened(service, body=topics(match), **again) as line:
        await line.head()
        event = await line.until("matchEvent")
        assert (event.id, event.data["cursor"]) == ('{"m":"2"}', "2")


async def test_a_stream_that_is_over_ends_and_one_that_fails_says_why(
    service: Service, client: Client
) -> None:
    match = await create_match(client)
    over = topics(match, untilNow=True)
    async with opened(service, body=over, authorization=bearer(match)) as line:
        await line.head()
        assert (await line.until("topicEnded")).data["topicEnded"] == {
            "reason": "TOPIC_END_REASON_COMPLETED"
        }
        assert await line.event() is None
    for wrong in ({"topics": []}, {"topic": 1}):
        async with opened(service, body=wrong) as line:
            await line.head()
            error = (await line.until("error")).data
            assert error["code"] == "invalid_argument"
            assert error["details"][0]["debug"]["reason"] in ("FIELD_INVALID", "MESSAGE_MALFORMED")


async def ticket_of(service: Service, match: CreatedMatch) -> str:
    async with opened(
        service, TICKET, topics(match), authorization=bearer(match), accept="*/*",
        connection="close",
    ) as line:  # fmt: skip
        await line.head()
        return str(json.loads(await line._chunk())["ticket"])


async def test_a_ticket_opens_one_stream_without_a_token(service: Service, client: Client) -> None:
    match = await create_match(client)
    ticket = await ticket_of(service, match)
    assert match.tokens["white"] not in ticket
    async with opened(service, f"{SUBSCRIBE}?ticket={ticket}") as line:
        await line.head()
        assert (await line.until("topicStarted")).data["topicStarted"]["viewer"] == "white"
        event = await line.until("matchEvent")
    for used in (ticket, ticket[:-4] + "AAAA", ""):
        async with opened(service, f"{SUBSCRIBE}?ticket={used}") as line:
            await line.head()
            error = (await line.until("error")).data
            reason = error["details"][0]["debug"]["reason"]
            assert reason == ("TICKET_INVALID" if used else "FIELD_INVALID")
    await play(client, match, ("white", "a6-b6"))
    ticket = await ticket_of(service, match)
    last = event.id.replace('"', "%22").replace("{", "%7B").replace("}", "%7D")
    async with opened(service, f"{SUBSCRIBE}?ticket={ticket}&last_event_id={last}") as line:
        await line.head()
        assert (await line.until("matchEvent")).data["cursor"] == "2"


def test_a_ticket_is_worth_nothing_after_a_minute(service: Service) -> None:
    now = 1_000.0
    tickets = StreamTickets(service._planned._token_issuer, lambda: now)
    text, expires = tickets.make(RequestContext("t", None), SubscribeRequest())
    assert expires == now + 60
    now += 61
    with pytest.raises(ApiError, match="expired"):
        tickets.redeem(text, RequestContext("", None))


async def test_a_stream_is_compressed_as_a_whole_where_the_client_accepts_it(
    service: Service, client: Client
) -> None:
    match = await create_match(client, "earthen-war", chance=matches_pb2.CHANCE_ROLLED)
    for _ in range(12):
        seat = (await client.match(match.id)).prompts[0].seat
        listed = await client.list_actions(match.tokens[seat], match.id)
        await play(client, match, (seat, listed[0].notation))
    sizes, events = {}, {}
    for encoding in ("identity", "gzip, br"):
        over = topics(match, untilNow=True)
        sent = {"authorization": bearer(match, "spectator"), "accept_encoding": encoding}
        async with opened(service, body=over, **sent) as line:
            _, headers = await line.head()
            assert headers.get("content-encoding") == ("gzip" if "gzip" in encoding else None)
            events[encoding] = []
            while (event := await line.event()) is not None:
                events[encoding].append(event.data.get("matchEvent"))
            sizes[encoding] = line.received
    plain, packed = sizes.values()
    assert events["identity"] == events["gzip, br"]
    assert packed < plain / 5


async def test_a_client_that_takes_no_gzip_gets_none(service: Service, client: Client) -> None:
    match = await create_match(client)
    for accepted, sent in (
        ("br", None),
        ("gzip;q=0, br", None),
        ("gzip; q=0.0", None),
        ("br;q=1.0, gzip;q=0.8", "gzip"),
        ("GZIP", "gzip"),
    ):
        over = topics(match, untilNow=True)
        async with opened(service, body=over, accept_encoding=accepted) as line:
            _, headers = await line.head()
            assert headers.get("content-encoding") == sent, accepted


DRAWN_BY_THEMSELVES = "event.version,event.sentence,event.changes,view.prompts,view.clocks"
"""Mask of frontends that draw scenes themselves."""
GAME = read_recorded("agog").actions


@pytest.mark.parametrize(
    "how",
    [{"accept": "text/event-stream"}, {"accept": "*/*", "content_type": CONNECT}],
    ids=["events", "connect"],
)
async def test_most_actions_cost_a_spectator_a_hundred_bytes_at_most(
    service: Service, client: Client, how: dict[str, str]
) -> None:
    match = await create_match(client)
    asked = topics(match, readMask=DRAWN_BY_THEMSELVES)
    sent = {"authorization": bearer(match, "spectator"), "accept_encoding": "gzip", **how}
    costs, alone = [], []
    async with opened(service, body=asked, **sent) as line:
        await line.head()
        await line.text('"cursor": "1"')
        for version, action in enumerate(GAME[:16], 2):
            before = line.received
            await play(client, match, action)
            event = await line.text(f'"cursor": "{version}"')  # now, and not with what comes next
            costs.append(line.received - before)
            alone.append(len(gzip.compress(event)))
    assert median(costs) <= 100
    assert sum(costs) < sum(alone) / 2


async def test_what_strangers_write_is_not_compressed_with_what_a_player_sees(
    service: Service, client: Client
) -> None:
    # By titles of their own, strangers who see how many bytes come could find out what else does.
    hidden, other = ("".join(Random(seed).choices("0123456789abcdef", k=80)) for seed in (1, 2))
    match = await create_match(client, title=hidden, visibility=matches_pb2.VISIBILITY_PRIVATE)
    asked = topics(match, readMask="event.version,view.match.title")
    asked["topics"].append({"topicId": "l", "lobby": {}})
    costs = []
    sent = {"authorization": bearer(match), "accept_encoding": "gzip"}
    async with opened(service, body=asked, **sent) as line:
        await line.head()
        await line.text("snapshotEmpty")
        for action, title in zip(GAME, (other[::-1], other[::2] * 2, other, hidden), strict=False):
            await play(client, match, action)
            await line.text(hidden)
            before = line.received
            await create_match(client, title=title)
            await line.text(title)
            costs.append(line.received - before)
    *_, of_another, of_the_hidden = costs
    assert abs(of_the_hidden - of_another) < 10
