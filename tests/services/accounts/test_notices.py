"""Notices to players about their matches: by a stream, and by posts to their frontend."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest

from domain.match import TimeBudget
from services.client import Client
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.runtime.settings import Settings
from services.scheduler import webhooks
from services.scheduler.webhooks import signature
from services.store.account_cache import FrontendCache
from services.store.errors import RecordDamaged
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1 import players_pb2 as pb
from tests.services.accounts.conftest import KnownPlayer, Site, open_site, resign
from tests.services.conftest import OPENING, refusal


def kind(notice: pb.Notice) -> str:
    return pb.NoticeKind.Name(notice.kind).removeprefix("NOTICE_KIND_").lower()


async def next_notices(client: Client, token: str, count: int, cursor: str = "") -> list[pb.Notice]:
    """The next so many notices to a player."""
    found: list[pb.Notice] = []
    async with asyncio.timeout(30), aclosing(client.watch_player(token, cursor=cursor)) as news:
        while len(found) < count:
            found.append(await anext(news))
    return found


async def test_a_player_receives_notices_of_all_matches(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    one, tokens = await site.match(ada, bob, undo_policy=matches_pb2.UNDO_POLICY_CONSENT)
    client = site.client
    await client.submit(ada.token, one, "a6-b6")
    await client.undo(ada.token, one, 3)
    await client.answer(bob.token, one, accepted=True)
    dispute = (await client.create_dispute(ada.token, one, 4, "Was it so?")).number
    await client.resolve_dispute(tokens["referee"], one, dispute, "It was.", uphold=True)
    other, _ = await site.match(bob, ada, title="Another")
    await resign(site, bob, other)

    to_bob = await next_notices(client, bob.token, 7)
    assert [(kind(each), each.match_id, each.seat) for each in to_bob] == [
        ("your_turn", one, "black"),
        ("undo_proposed", one, "black"),
        ("dispute_created", one, "black"),
        ("dispute_resolved", one, "black"),
        ("your_turn", other, "white"),
        ("player_joined", other, "white"),
        ("match_ended", other, "white"),
    ]
    assert [each.sentence for each in to_bob[1:6:4]] == [
        "White proposes a takeback.",
        "Ada has taken a seat.",
    ]
    assert (to_bob[4].title, to_bob[4].game) == ("Another", "agog")
    numbers = [each.notice_id for each in to_bob]
    assert numbers == sorted(set(numbers))
    assert await next_notices(client, bob.token, 2, numbers[4]) == to_bob[5:]
    kinds = [kind(each) for each in await next_notices(client, ada.token, 5)]
    assert kinds == ["your_turn", "player_joined", "your_turn", "dispute_resolved", "match_ended"]


async def test_a_notice_says_which_seat_was_drawn_when_the_match_started(site: Site) -> None:
    known = {"Ada": await site.introduce("1", "Ada"), "Bob": await site.introduce("2", "Bob")}
    made = await site.client.create_match(
        game="agog",
        start_policy=matches_pb2.START_POLICY_WHEN_FULL,
        join_policy=matches_pb2.JOIN_POLICY_ANYONE,
        seat_assignment=matches_pb2.SEAT_ASSIGNMENT_RANDOM,
    )
    match = made.match.match_id
    for each in known.values():
        await site.client.join_match(each.token, match, "")
    seats = {seat.player: seat.name for seat in (await site.client.match(match, 4)).seats}
    for (name, player), joined in zip(known.items(), (1, 0), strict=True):
        begins = seats[name] == "white"
        *_, started = await next_notices(site.client, player.token, joined + begins + 1)
        assert (kind(started), started.match_id, started.seat) == (
            "match_started", match, seats[name]
        )  # fmt: skip
        assert started.sentence == f"The match has started, and you are {seats[name].title()}."


async def test_a_notice_says_who_won(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    match, _ = await site.match(ada, bob)
    await resign(site, ada, match)
    for player, count in ((ada, 3), (bob, 1)):
        ended = (await next_notices(site.client, player.token, count))[-1]
        assert (kind(ended), list(ended.winner_seats)) == ("match_ended", ["black"])
        assert ended.sentence == "The match has ended: Black won."


async def test_an_invited_rematch_player_gets_a_notice_with_the_seat(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    match, _ = await site.match(ada, bob)
    await resign(site, ada, match)
    (ended,) = await next_notices(site.client, bob.token, 1)
    again = (await site.client.create_proposal(ada.token, match, rematch={})).rematch_seat.match_id
    (wanted,) = await next_notices(site.client, bob.token, 1, ended.notice_id)
    assert (kind(wanted), wanted.match_id, wanted.seat) == ("rematch_proposed", again, "white")
    assert wanted.sentence == "Ada proposes a rematch."
    # Who proposed it gets none; both get one when it starts.
    await site.client.create_proposal(bob.token, match, rematch={})
    kinds = [kind(each) for each in await next_notices(site.client, ada.token, 5)]
    assert kinds[3:] == ["player_joined", "match_started"]


async def test_a_player_receives_one_low_time_warning(site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    clock = time_control_message(TimeBudget(ms=10_400))
    match, _ = await site.match(ada, bob, time_control=clock)
    (_, _, low) = await next_notices(site.client, ada.token, 3)
    assert (kind(low), low.match_id, low.seat) == ("low_time", match, "white")
    assert low.sentence == "The time of White is low."
    # A player that acts again gets no second notice in the same match.
    await site.client.submit(ada.token, match, "a6-b6")
    await site.client.submit(bob.token, match, "h3-g3")
    shown = (await site.client.match(match)).clocks
    assert shown.seats[0].remaining_time.ToMilliseconds() <= 10_000
    await resign(site, ada, match)
    kinds = [kind(each) for each in await next_notices(site.client, ada.token, 2, low.notice_id)]
    assert kinds == ["your_turn", "match_ended"]


async def test_a_watch_starts_now_and_ends_with_its_token(site: Site, other_site: Site) -> None:
    ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
    match, _ = await site.match(ada, bob)
    news = site.client.watch_player(bob.token)
    first = asyncio.ensure_future(anext(news))
    tokens = {"white": ada.token, "black": bob.token}
    for seat, action in OPENING:  # a watch starts without a notice, and reports what follows
        await site.client.submit(tokens[seat], match, action)
        await asyncio.wait({first}, timeout=5)
        if first.done():
            break
    assert kind(await first) == "your_turn"
    assert (
        await refusal(anext(other_site.client.watch_player("", bob.id))) == "PLAYER_ACCESS_DENIED"
    )
    await site.client.rotate_player_token(bob.token)
    await resign(site, ada, match)

    async def rest() -> None:
        async for notice in news:
            assert kind(notice) != "match_ended", "that came after the token had ended"

    assert await refusal(rest()) == "PLAYER_TOKEN_INVALID"


async def test_a_watch_continues_over_a_restart(settings: Settings) -> None:
    fixed = Settings(data=settings.data, listen="127.0.0.1:0", drain_seconds=1, http="no")
    async with Service(fixed) as service:
        site = await open_site(service)
        async with site.client:
            ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
            match, _ = await site.match(ada, bob)
            (seen,) = await next_notices(site.client, ada.token, 1)
            address = service.address
    again = Settings(data=settings.data, listen=address, drain_seconds=1, http="no")
    async with (
        Service(again),
        Client(address, frontend_key=site.key) as client,
        aclosing(client.watch_player(ada.token, cursor=seen.notice_id)) as news,
    ):
        assert kind(await anext(news)) == "player_joined"
        await client.submit(ada.token, match, "a6-b6")
        await client.submit(bob.token, match, "h3-g3")
        assert kind(await anext(news)) == "your_turn"


class Receiver:
    """A frontend's server: it accepts posts, or fails as often as configured."""

    def __init__(self) -> None:
        self.posts: list[tuple[dict[str, str], bytes]] = []
        """Those that were accepted."""
        self.tried: list[tuple[str, list[str]]] = []
        """The ids of all posts, with the notices in them."""
        self.answers: Iterator[int] = iter(())
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                sent = json.loads(body)["data"]["notices"]
                name = self.headers["webhook-id"]
                outer.tried.append((name, [each["noticeId"] for each in sent]))
                status = next(outer.answers, 200)
                if status == 200:
                    outer.posts.append(({k.lower(): v for k, v in self.headers.items()}, body))
                if status:
                    self.send_response(status)
                    self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/notices"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def notices(self) -> list[dict[str, Any]]:
        """The notices that were accepted, as they came."""
        return [each for _, body in self.posts for each in json.loads(body)["data"]["notices"]]

    @property
    def numbers(self) -> list[str]:
        """Their IDs."""
        return [each["noticeId"] for each in self.notices]

    async def has(self, count: int) -> list[str]:
        """Wait until so many different notices were accepted."""
        async with asyncio.timeout(30):
            while len(set(self.numbers)) < count:  # noqa: ASYNC110  another thread counts
                await asyncio.sleep(0.01)
        return self.numbers

    async def comes_to(self, count: int) -> list[str]:
        """Wait until so many notices were accepted, the same ones twice if they came twice."""
        async with asyncio.timeout(30):
            while len(self.numbers) < count:  # noqa: ASYNC110  another thread counts
                await asyncio.sleep(0.01)
        return self.numbers

    async def failed(self, more: int) -> None:
        """Wait until so many more posts were refused."""
        count = len(self.tried) + more
        async with asyncio.timeout(30):
            while len(self.tried) < count:  # noqa: ASYNC110  another thread counts
                await asyncio.sleep(0.01)

    def close(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(webhooks, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(webhooks, "LONGEST_PAUSE_SECONDS", 0.04)
    server = Receiver()
    yield server
    server.close()


@pytest.fixture
def anywhere(settings: Settings) -> Settings:
    return Settings(
        data=f"{settings.data}-anywhere",
        listen=settings.listen,
        drain_seconds=1,
        outbound="any",
        http="no",
    )


@pytest.fixture
async def posting(anywhere: Settings) -> AsyncIterator[Site]:
    async with Service(anywhere) as service:
        site = await open_site(service)
        async with site.client:
            yield site


async def play_match(site: Site, ada: KnownPlayer, bob: KnownPlayer) -> str:
    """Play a match in which Ada receives five notices, and Bob three."""
    match, _ = await site.match(ada, bob)
    for player, action in ((ada, "a6-b6"), (bob, "h3-g3"), (ada, "f1-g1"), (bob, "c8-c7")):
        assert (await site.client.submit(player.token, match, action)).HasField("accepted")
    await resign(site, ada, match)
    return match


async def test_a_server_that_fails_half_the_time_loses_nothing(
    posting: Site, receiver: Receiver
) -> None:
    ada, bob = await posting.introduce("1", "Ada"), await posting.introduce("2", "Bob")
    before = await play_match(posting, ada, bob)
    # Some fail with a word, some hang up without one.
    receiver.answers = iter([500, 0, 200, 503, 200, 0] * 50)
    (hook,) = await posting.post_to(receiver.url)
    secret = posting.secrets[hook.webhook_id]
    for _ in range(6):
        await play_match(posting, ada, bob)
    wanted = [
        each.notice_id
        for token, count in ((ada.token, 5), (bob.token, 3))
        for each in await next_notices(posting.client, token, 7 * count)
        if each.match_id != before
    ]
    taken = await receiver.has(len(wanted))
    assert sorted(taken) == sorted(wanted)
    assert taken == sorted(taken)
    for headers, body in receiver.posts:
        name, at = headers["webhook-id"], int(headers["webhook-timestamp"])
        assert headers["webhook-signature"] == signature(secret, name, at, body)
        assert headers["webhook-signature"] != signature(secret, name, at, body + b" ")
    one = receiver.notices[0]
    assert (one["kind"], one["playerId"]) == ("NOTICE_KIND_YOUR_TURN", ada.id)
    (hook,) = await posting.webhooks()
    for _ in range(1_000):  # the service notes an answer after the receiver gave it
        if hook.last_notice_id == taken[-1]:
            break
        await asyncio.sleep(0.01)
        (hook,) = await posting.webhooks()
    assert (hook.url, hook.last_notice_id, hook.failure_count) == (receiver.url, taken[-1], 0)


async def test_what_was_not_taken_is_posted_after_a_restart(
    anywhere: Settings, receiver: Receiver
) -> None:
    async with Service(anywhere) as service:
        site = await open_site(service)
        async with site.client:
            ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
            await site.post_to(receiver.url)
            await site.match(ada, bob)
            taken = await receiver.has(2)
            receiver.answers = iter([503] * 10_000)
            await play_match(site, ada, bob)
            for _ in range(1_000):
                (hook,) = await site.webhooks()
                if hook.failure_count:
                    break
                await asyncio.sleep(0.01)
            assert hook.last_failure == "it answered 503"
    receiver.answers = iter(())
    async with Service(anywhere) as service:
        later = await receiver.has(2 + 8)
        assert later[:2] == taken
        assert later == sorted(set(later))
        await asyncio.sleep(0.1)
        assert receiver.numbers == later


async def test_a_frontend_that_cannot_be_read_keeps_no_other_from_being_posted_to(
    anywhere: Settings, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: dict[str, str] = {}
    async with Service(anywhere) as service:
        for number in range(3):
            site = await open_site(service, f"Site {number}")
            async with site.client:
                await site.post_to(receiver.url)
            keys[site.id] = site.key
    _, sound, _ = keys
    get = FrontendCache.get

    async def damaged(live: FrontendCache, identity: UUID) -> Any:
        if str(identity) != sound:
            raise RecordDamaged("frontend", identity, 1, "a bit flipped")
        return await get(live, identity)

    monkeypatch.setattr(FrontendCache, "get", damaged)
    async with (
        Service(anywhere) as service,
        Client(service.address, frontend_key=keys[sound]) as client,
    ):
        site = Site(sound, keys[sound], client)
        await site.match(await site.introduce("1", "Ada"), await site.introduce("2", "Bob"))
        await receiver.has(2)


class SlowReceiver:
    """A frontend's server that takes posts, begins to answer, and never ends."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        """How many are open, by path."""
        self.most: dict[str, int] = {}
        """How many were open at once."""
        self.changed = asyncio.Condition()

    async def __aenter__(self) -> "SlowReceiver":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
        await self._count(path, 1)
        try:
            writer.write(b"HTTP/1.1 200 OK\r\nX: ")
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.02)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            await self._count(path, -1)
            writer.transport.abort()

    async def _count(self, path: str, more: int) -> None:
        async with self.changed:
            self.calls[path] = self.calls.get(path, 0) + more
            self.most[path] = max(self.most.get(path, 0), self.calls[path])
            self.changed.notify_all()

    async def has(self, *paths: str) -> None:
        """Wait until a call to each of these is open."""
        async with asyncio.timeout(30), self.changed:
            await self.changed.wait_for(lambda: all(self.calls.get(path) for path in paths))

    async def is_left(self) -> None:
        """Wait until no call is open."""
        async with asyncio.timeout(30), self.changed:
            await self.changed.wait_for(lambda: not any(self.calls.values()))


SLOW_SITES = 12
"""More than the default executor has threads on this machine, and than once were posted to at the
same time."""


async def test_frontends_that_never_end_their_answers_hold_up_nobody_and_no_stop(
    anywhere: Settings, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.outbound.SECONDS", 600.0)
    async with AsyncExitStack() as stack, SlowReceiver() as slow:
        service = await stack.enter_async_context(Service(anywhere))
        paths = [f"/{number}" for number in range(SLOW_SITES)]
        for path in paths:
            site = await open_site(service, path)
            async with site.client:
                ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
                await site.post_to(slow.url + path)
                await site.match(ada, bob)
        await slow.has(*paths)

        other = await open_site(service, "Another")
        async with other.client:
            ada, bob = await other.introduce("1", "Ada"), await other.introduce("2", "Bob")
            await other.post_to(receiver.url)
            await play_match(other, ada, bob)
            await receiver.has(8)
            threads = [asyncio.to_thread(threading.get_ident) for _ in range(6)]
            async with asyncio.timeout(60):
                await asyncio.gather(*threads)  # nobody waits for a thread that a webhook holds
        assert all(slow.calls[path] for path in paths)
        async with asyncio.timeout(60):
            await stack.aclose()
        await slow.is_left()


async def test_one_call_at_a_time_is_made_to_a_frontend(
    posting: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.outbound.SECONDS", 600.0)
    async with SlowReceiver() as slow:
        ada, bob = await posting.introduce("1", "Ada"), await posting.introduce("2", "Bob")
        for number in range(5):
            await posting.post_to(f"{slow.url}/{number}")
            await posting.match(ada, bob)
            await slow.has(f"/{number}")
            async with slow.changed:  # the call to the URL that was set before is given up
                await slow.changed.wait_for(lambda: sum(slow.calls.values()) == 1)
        assert slow.most == {f"/{number}": 1 for number in range(5)}
        await posting.post_to()
        await slow.is_left()


async def test_a_webhook_is_for_addresses_that_may_be_called_and_ends_when_it_is_taken_away(
    posting: Site, site: Site, receiver: Receiver
) -> None:
    for url in (receiver.url, receiver.url.replace("http:", "https:"), "nonsense", ""):
        assert await refusal(site.post_to(url)) == "URL_NOT_ALLOWED"
    ada, bob = await posting.introduce("1", "Ada"), await posting.introduce("2", "Bob")
    await posting.post_to(receiver.url)
    await posting.match(ada, bob)
    await receiver.has(2)
    assert not await posting.post_to()
    await posting.match(ada, bob)
    await asyncio.sleep(0.2)
    assert len(receiver.numbers) == 2
    assert not await posting.webhooks()
