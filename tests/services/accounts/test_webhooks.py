"""Several webhooks of one frontend: filters, failures of one alone, tests, posts made again."""

import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.scheduler.webhooks import signature
from services.wire.emeth.v1 import frontends_pb2 as pb
from services.wire.emeth.v1.players_pb2 import NOTICE_KIND_MATCH_ENDED
from tests.services.accounts.conftest import EVERY_RIGHT, KnownPlayer, Site, open_site
from tests.services.accounts.test_notices import (
    Receiver,
    SlowReceiver,
    anywhere,
    play_match,
    posting,
    receiver,
)
from tests.services.conftest import refusal

__all__ = ["anywhere", "posting", "receiver"]  # fixtures


@pytest.fixture
async def two(posting: Site) -> tuple[KnownPlayer, KnownPlayer]:
    return await posting.introduce("1", "Ada"), await posting.introduce("2", "Bob")


@pytest.fixture
def other_receiver() -> Iterator[Receiver]:
    with closing(Receiver()) as server:
        yield server


async def test_each_webhook_is_posted_what_its_filter_lets_through(
    posting: Site,
    two: tuple[KnownPlayer, KnownPlayer],
    receiver: Receiver,
    other_receiver: Receiver,
) -> None:
    hooks = [
        pb.Webhook(url=receiver.url),
        pb.Webhook(url=other_receiver.url, notice_kinds=[NOTICE_KIND_MATCH_ENDED]),
    ]
    await posting.client.update_frontend(frontend=pb.Frontend(webhooks=hooks))
    for _ in range(3):
        await play_match(posting, *two)
    await receiver.has(24)
    await other_receiver.has(6)
    assert {each["kind"] for each in other_receiver.notices} == {"NOTICE_KIND_MATCH_ENDED"}
    assert {each["noticeId"] for each in other_receiver.notices} < set(receiver.numbers)
    # Another game has another filter.
    (whole, _) = await posting.webhooks()
    narrow = pb.Webhook(url=other_receiver.url, games=["res-arcana"])
    await posting.client.update_frontend(frontend=pb.Frontend(webhooks=[whole, narrow]))
    await play_match(posting, *two)
    await receiver.has(32)
    assert len(other_receiver.numbers) == 6


async def test_a_webhook_that_fails_delays_no_other(
    posting: Site,
    two: tuple[KnownPlayer, KnownPlayer],
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("services.runtime.outbound.SECONDS", 600.0)
    async with SlowReceiver() as slow:
        await posting.post_to(f"{slow.url}/slow", receiver.url)
        await posting.match(*two)
        await slow.has("/slow")
        await play_match(posting, *two)
        await receiver.has(10)
        first, second = await posting.webhooks()
        assert (first.last_notice_id, second.failure_count) == ("", 0)
        await posting.post_to(receiver.url)
        await slow.is_left()


async def test_a_batch_that_is_posted_again_has_the_same_id_and_the_same_notices(
    anywhere: Settings, receiver: Receiver
) -> None:
    seen: dict[str, list[str]] = {}
    receiver.answers = iter([503] * 10_000)
    async with Service(anywhere) as service:
        site = await open_site(service)
        async with site.client:
            two = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
            await site.post_to(receiver.url)
            await site.match(*two)
            await receiver.failed(2)
            await play_match(site, *two)
            await receiver.failed(2)
    receiver.answers = iter([503, 503])
    async with Service(anywhere):
        await receiver.has(10)
    for name, numbers in receiver.tried:
        assert seen.setdefault(name, numbers) == numbers, "what is posted again is the same"
    assert len({number for numbers in seen.values() for number in numbers}) == 10
    assert sum(len(numbers) for numbers in seen.values()) == 10, "no notice is in two batches"
    assert len(receiver.tried) > len(seen)


async def test_a_test_post_says_what_the_receiver_answered(
    posting: Site, receiver: Receiver
) -> None:
    (hook,) = await posting.post_to(receiver.url)
    tested = await posting.client.test_webhook(webhook_id=hook.webhook_id)
    assert (tested.accepted, tested.http_status, tested.failure) == (True, 200, "")
    assert tested.elapsed.ToTimedelta().total_seconds() > 0
    ((headers, body),) = receiver.posts
    payload = json.loads(body)
    assert (payload["type"], payload["data"]["notices"]) == ("webhook.test", [])
    name, at = headers["webhook-id"], int(headers["webhook-timestamp"])
    secret = posting.secrets[hook.webhook_id]
    assert headers["webhook-signature"] == signature(secret, name, at, body)
    receiver.answers = iter([418])
    tested = await posting.client.test_webhook(webhook_id=hook.webhook_id)
    assert (tested.accepted, tested.http_status) == (False, 418)
    receiver.close()
    tested = await posting.client.test_webhook(webhook_id=hook.webhook_id)
    assert (tested.accepted, tested.http_status) == (False, 0)
    assert "cannot be called" in tested.failure
    unknown = posting.client.test_webhook(webhook_id=str(uuid4()))
    assert await refusal(unknown) == "WEBHOOK_NOT_FOUND"


async def test_notices_are_posted_again_from_one_or_from_a_time_on(
    posting: Site,
    two: tuple[KnownPlayer, KnownPlayer],
    receiver: Receiver,
    other_receiver: Receiver,
) -> None:
    before = await play_match(posting, *two)
    hook, other = await posting.post_to(receiver.url, other_receiver.url)
    after = await play_match(posting, *two)
    await other_receiver.has(8)
    first = await receiver.has(8)
    assert {each["matchId"] for each in receiver.notices} == {after}
    request = str(uuid4())
    for _ in range(2):  # asked twice, done once
        again = (
            await posting.client.redeliver_notices(
                webhook_id=hook.webhook_id, request_id=request, first_notice_id=first[5]
            )
        ).webhook
    assert again.webhook_id == hook.webhook_id
    assert await receiver.comes_to(11) == first + first[5:]
    # From a time before the webhook was: then also what was not posted to it.
    start = datetime(2020, 1, 1, tzinfo=UTC)
    await posting.client.redeliver_notices(webhook_id=hook.webhook_id, start_time=start)
    await receiver.comes_to(27)
    assert {each["matchId"] for each in receiver.notices[11:19]} == {before}
    assert receiver.numbers[19:] == first
    # What is new comes after, and once; nothing came twice to the other.
    await play_match(posting, *two)
    await other_receiver.has(16)
    assert len(await receiver.comes_to(35)) == 35
    assert len(other_receiver.numbers) == 16
    unknown = posting.client.redeliver_notices(webhook_id=str(uuid4()), first_notice_id=first[0])
    assert await refusal(unknown) == "WEBHOOK_NOT_FOUND"
    wrong = posting.client.redeliver_notices(
        webhook_id=other.webhook_id, first_notice_id="nonsense"
    )
    assert await refusal(wrong) == "FIELD_INVALID"


async def test_a_webhook_keeps_its_id_and_secret_while_it_is_changed(
    posting: Site,
    two: tuple[KnownPlayer, KnownPlayer],
    receiver: Receiver,
    other_receiver: Receiver,
) -> None:
    (hook,) = await posting.post_to(receiver.url)
    secret = posting.secrets[hook.webhook_id]
    await posting.match(*two)
    await receiver.has(2)
    hook.url = other_receiver.url
    changed = await posting.client.update_frontend(frontend=pb.Frontend(webhooks=[hook]))
    assert not changed.webhook_secrets
    assert changed.frontend.webhooks[0].webhook_id == hook.webhook_id
    await posting.match(*two)
    await other_receiver.has(2)
    headers, body = other_receiver.posts[0]
    name, at = headers["webhook-id"], int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == signature(secret, name, at, body)
    assert len(receiver.numbers) == 2
    for wrong in (
        [pb.Webhook(url=receiver.url, webhook_id=str(uuid4()))],
        [hook, hook],
        [pb.Webhook(url=receiver.url)] * 9,
        [pb.Webhook(url=receiver.url, games=["chess"])],
    ):
        call = posting.client.update_frontend(frontend=pb.Frontend(webhooks=wrong))
        assert await refusal(call) in {"WEBHOOK_NOT_FOUND", "FIELD_INVALID", "GAME_NOT_FOUND"}
    assert [each.url for each in await posting.webhooks()] == [other_receiver.url]


async def test_webhooks_of_a_frontend_are_its_own_to_set(posting: Site, receiver: Receiver) -> None:
    other = pb.Frontend(name="Mine", webhooks=[pb.Webhook(url=receiver.url)])
    assert await refusal(posting.client.update_frontend(frontend=other)) == "TOKEN_MISSING"
    (hook,) = await posting.post_to(receiver.url)
    assert hook.url == receiver.url


async def test_a_new_frontend_may_have_webhooks_from_the_start(
    anywhere: Settings, receiver: Receiver
) -> None:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(Service(anywhere))
        operator = await stack.enter_async_context(Client(service.address))
        made = await operator.create_frontend(
            service.admin_key,
            frontend={
                "name": "Club",
                "rights": EVERY_RIGHT,
                "webhooks": [pb.Webhook(url=receiver.url)],
            },
        )
        (hook,) = made.frontend.webhooks
        assert set(made.webhook_secrets) == {hook.webhook_id}
        client = await stack.enter_async_context(Client(service.address, frontend_key=made.key))
        site = Site(made.frontend.frontend_id, made.key, client)
        await site.match(await site.introduce("1", "Ada"), await site.introduce("2", "Bob"))
        await receiver.has(2)
