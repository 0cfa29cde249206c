"""Webhooks: post signed notices to frontends in order, and retry until the receiver accepts them.

The notices to post are those in the read models after the last accepted one, so a receiver that is
away loses nothing. Each webhook has one task with at most one call in progress, and no call blocks
a thread. So a slow receiver delays no other.

A rejected batch is posted again unchanged, with the same `webhook-id`: its end is stored before the
first post.
"""

import asyncio
import base64
import hmac
import json
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from msgspec import Struct

from domain.frontend import Frontend, Webhook
from projections.queries import frontends as listed
from projections.queries import notices
from projections.queries.notices import Notice, NoticeFilter
from services.accounts.tokens import TokenIssuer
from services.mapping.notice_messages import notice_json
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError
from services.runtime.outbound import (
    CallFailed,
    CallRefused,
    HttpResponse,
    OutboundPolicy,
    http_request,
)
from services.runtime.signals import Signal
from services.store.account_cache import FrontendCache
from services.store.deliveries import Deliveries
from services.store.errors import StoreError
from services.store.opened_log import Lease
from services.store.read_models import ReadModelQueries
from services.store.watchers import Watchers

log = structlog.get_logger(__name__)

BATCH_SIZE: Final = 100
"""Maximum number of notices in one post."""
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 900.0
"""Bounds of the pause after a failed post, which doubles with each failure."""
IDLE_SECONDS: Final = 60.0
"""Interval of queries for notices without a notification."""
POLL_SECONDS: Final = 2.0
"""Interval of checks for webhooks that another service changed."""
SUCCESS_STATUSES: Final = range(200, 300)
NOTICES: Final = "notices"
TEST: Final = "webhook.test"
"""The two types of posts."""


class WebhookState(Struct, frozen=True):
    """The delivery status of a webhook."""

    accepted: int
    """The number of the last notice that the receiver accepted; 0 for none."""
    failures: int
    """Number of failed posts since the last accepted one."""
    why: str
    """Why the last post failed."""


class TestOutcome(Struct, frozen=True):
    """The outcome of a test post."""

    __test__ = False  # no test of pytest

    answer: HttpResponse | None
    failure: str
    """Why there was no answer; empty if there was one."""
    seconds: float


class _Post(NamedTuple):
    """A post, identical in each attempt."""

    name: str
    """The `webhook-id` header of the post."""
    body: bytes


class _WebhookTask(NamedTuple):
    """The task of a webhook, with the settings that it started with."""

    changed: int
    task: asyncio.Task[None]


def webhook_secret(token_issuer: TokenIssuer, webhook: Webhook) -> str:
    """Return the secret that signs the posts of a webhook."""
    raw = token_issuer.token("webhook", webhook.id.hex, str(webhook.version)).encode()
    return "whsec_" + base64.b64encode(raw).decode()


def signature(secret: str, name: str, at: int, body: bytes) -> str:
    """Return the signature of a post, by the Standard Webhooks specification."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, b"%b.%d.%b" % (name.encode(), at, body), sha256)
    return "v1," + base64.b64encode(mac).decode()


class WebhookDispatcher:
    """The posts of one service.

    Call `start` once, and `changed` when a frontend's webhooks change.
    """

    def __init__(
        self,
        frontends: FrontendCache,
        read_models: ReadModelQueries,
        watchers: Watchers,
        deliveries: Deliveries,
        token_issuer: TokenIssuer,
        outbound_policy: OutboundPolicy,
    ) -> None:
        self._frontends = frontends
        self._read_models = read_models
        self._watchers = watchers
        self._deliveries = deliveries
        self._token_issuer = token_issuer
        self._outbound_policy = outbound_policy
        self._running: dict[UUID, dict[UUID, _WebhookTask]] = {}
        """Running posting tasks, by frontend and webhook."""
        self._failures: dict[UUID, tuple[int, str]] = {}
        self._changing: dict[UUID, asyncio.Task[None]] = {}
        """Tasks that start and stop the posting tasks of a frontend, by frontend."""
        self._test_slots = asyncio.Lock()
        """Held while the lease is requested."""
        self._has_lease: Callable[[], bool] = lambda: True
        self._scan_task: asyncio.Task[None] | None = None

    def start(self, lease: Lease, *, shared: bool = False) -> None:
        """Start posting.

        Args:
            lease: Held by the one service of a shared log that posts.
            shared: Whether other services on the log may change webhooks too.
        """
        self._has_lease = lease.try_acquire
        self._scan_task = asyncio.create_task(self._scan(again=shared))

    async def close(self) -> None:
        """Stop posting. Notices without acceptance are posted after the next start."""
        tasks = [each.task for running in self._running.values() for each in running.values()]
        tasks += [*self._changing.values(), *([self._scan_task] if self._scan_task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def note_change(self, frontend: UUID) -> None:
        """Apply the current webhooks of a frontend at once."""
        if (task := self._changing.get(frontend)) is not None:
            task.cancel()
        self._changing[frontend] = asyncio.create_task(self._change(frontend))

    async def states(self, webhooks: Sequence[Webhook]) -> dict[UUID, WebhookState]:
        """Return the delivery status of these webhooks."""
        if not webhooks:
            return {}
        found = await asyncio.to_thread(self._deliveries.progress, webhooks)
        return {
            each: WebhookState(progress.accepted, *self._failures.get(each, (0, "")))
            for each, progress in found.items()
        }

    async def test(self, frontend: UUID, webhook: Webhook, request: str) -> TestOutcome:
        """Make one post without notices, and return the receiver's response."""
        now, started = utc_now(), time.monotonic()
        post = _new_post(f"{webhook.id.hex}.test-{request}", TEST, now, frontend, webhook, [])
        try:
            answer, failure = await self._call(webhook, post), ""
        except (CallRefused, CallFailed) as error:
            answer, failure = None, str(error)
        return TestOutcome(answer, failure, time.monotonic() - started)

    async def _scan(self, *, again: bool) -> None:
        """Start all webhooks; if `again`, keep applying changes of other services."""
        while True:
            listed_all = False
            try:
                for frontend in await self._read_models.ask(listed.frontends_with_webhooks):
                    await self._update_tasks(frontend)
                listed_all = True
            except (ApiError, StoreError) as error:
                log.warning("webhooks_not_listed", why=str(error))
            if listed_all and not again:
                return
            await asyncio.sleep(POLL_SECONDS)

    async def _update_tasks(self, frontend: UUID) -> None:
        """Apply a frontend's webhooks if they have changed."""
        running = {each: run.changed for each, run in self._running.get(frontend, {}).items()}
        try:
            state = (await self._frontends.get(frontend)).state
            due = {each.id: each.changed for each in state.webhooks} != running
        except StoreError:
            due = frontend not in self._changing  # its own task tries again, and delays no other
        if due:
            self.note_change(frontend)

    async def _change(self, frontend: UUID) -> None:
        """Start a task for each new webhook, and stop those of webhooks that are not there."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                state = (await self._frontends.get(frontend)).state
                break
            except StoreError as error:
                log.warning("webhooks_wait", frontend=str(frontend), why=str(error))
                await asyncio.sleep(pause)
                pause = min(2 * pause, IDLE_SECONDS)
        wanted = {} if state.deleted else {each.id: each for each in state.webhooks}
        running = self._running.setdefault(frontend, {})
        for identity, run in [*running.items()]:
            if identity not in wanted or wanted[identity].changed != run.changed:
                run.task.cancel()  # it may be in a long pause, or call another URL
                self._failures.pop(identity, None)
                del running[identity]
        for webhook in wanted.values():
            if webhook.id not in running:
                task = asyncio.create_task(self._serve(frontend, webhook.id))
                running[webhook.id] = _WebhookTask(webhook.changed, task)

    async def _serve(self, frontend: UUID, identity: UUID) -> None:
        """Post the pending notices, then wait for more, until the webhook is deleted."""
        wait, looked, webhook = FIRST_PAUSE_SECONDS, 0, None
        with self._watchers.watching(frontend) as woken:
            while True:
                woken.clear()  # before looking, so that no notice falls between
                try:
                    state = (await self._frontends.get(frontend)).state
                    found = state.webhook(identity)
                    if found is None or state.deleted:
                        await asyncio.to_thread(self._deliveries.forget, identity)
                        self._running[frontend].pop(identity, None)
                        return
                    if webhook is None or found.changed != webhook.changed:
                        webhook, looked = found, 0
                    looked, pause = await self._post_some(state, webhook, looked)
                    wait = FIRST_PAUSE_SECONDS
                except (ApiError, StoreError) as error:  # what is not at hand now may be later
                    log.warning("webhook_waits", frontend=str(frontend), why=str(error))
                    pause, wait = wait, min(2 * wait, IDLE_SECONDS)
                if pause:
                    await _wait_or_time_out(woken, pause)

    async def _post_some(self, state: Frontend, webhook: Webhook, looked: int) -> tuple[int, float]:
        """Post the next batch. `looked` is the number up to which there was nothing to post.

        Returns:
            That number from now on, and the seconds to wait unless there are new notices.
        """
        async with self._test_slots:
            if not await asyncio.to_thread(self._has_lease):
                return looked, FIRST_PAUSE_SECONDS
        batch, newest = await self._batch(state, webhook, looked)
        if not batch:
            return newest, IDLE_SECONDS
        why = await self._post(state.id, webhook, batch)
        if not why:
            self._failures.pop(webhook.id, None)
            await asyncio.to_thread(self._deliveries.accept, webhook, batch[-1].number)
            return looked, 0.0
        failed = self._failures.get(webhook.id, (0, ""))[0] + 1
        self._failures[webhook.id] = failed, why
        log.info("webhook_failed", webhook=str(webhook.id), failures=failed, why=why)
        # New notices do not shorten it: a receiver that is away is not called more often for them.
        await asyncio.sleep(
            min(FIRST_PAUSE_SECONDS * 2 ** min(failed - 1, 20), LONGEST_PAUSE_SECONDS)
        )
        return looked, 0.0

    async def _batch(
        self, state: Frontend, webhook: Webhook, looked: int
    ) -> tuple[list[Notice], int]:
        """Return the notices to post next, and the number up to which there are none.

        These are the notices of the batch in progress, or else of a new one.
        """
        found = await asyncio.to_thread(self._deliveries.progress, [webhook])
        progress, terms = found[webhook.id], webhook.terms

        def wanted(after: int, through: int = notices.MAX_NOTICE_NUMBER) -> NoticeFilter:
            return NoticeFilter(after, through, terms.since, terms.kinds, terms.games)

        if progress.batch > progress.accepted:
            begun = wanted(progress.accepted, progress.batch)
            if batch := await self._notices(state.id, begun):
                return batch, looked
        newest = await self._read_models.ask(notices.newest_number)
        batch = await self._notices(state.id, wanted(max(progress.accepted, looked)))
        if batch:
            await asyncio.to_thread(self._deliveries.begin, webhook, batch[-1].number)
        return batch, newest

    async def _notices(self, frontend: UUID, wanted: NoticeFilter) -> list[Notice]:
        return await self._read_models.ask(
            lambda connection: notices.notices_to_frontend(connection, frontend, wanted, BATCH_SIZE)
        )

    async def _post(self, frontend: UUID, webhook: Webhook, batch: Sequence[Notice]) -> str:
        """Post a batch. Return why it was not accepted, or nothing."""
        first, last = batch[0], batch[-1]
        name = f"{webhook.id.hex}.{webhook.changed}.{first.number}-{last.number}"
        post = _new_post(name, NOTICES, last.at, frontend, webhook, [notice_json(n) for n in batch])
        try:
            answer = await self._call(webhook, post)
        except (CallRefused, CallFailed) as error:
            return str(error)
        return "" if answer.status in SUCCESS_STATUSES else f"it answered {answer.status}"

    async def _call(self, webhook: Webhook, post: _Post) -> HttpResponse:
        at, secret = int(time.time()), webhook_secret(self._token_issuer, webhook)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": post.name,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(secret, post.name, at, post.body),
        }
        url = webhook.terms.url
        return await http_request(
            url, self._outbound_policy, method="POST", body=post.body, headers=headers
        )


def _new_post(
    name: str,
    kind: str,
    at: datetime,
    frontend: UUID,
    webhook: Webhook,
    sent: list[dict[str, Any]],
) -> _Post:
    """Return a post in the form that Standard Webhooks recommends."""
    data = {"frontendId": str(frontend), "webhookId": str(webhook.id), "notices": sent}
    payload = {"type": kind, "timestamp": at.isoformat(), "data": data}
    return _Post(name, json.dumps(payload, ensure_ascii=False).encode())


async def _wait_or_time_out(woken: Signal, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        pass
