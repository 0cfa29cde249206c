"""Posts notices to frontends: signed, in order, again and again until they are taken.

What is to be posted is what the read models have of the log behind the last notice that was taken.
A frontend that is away loses nothing. One that is slow, or never answers, holds up nobody else:
each frontend has one task, with one call under way at most, and no call takes a thread.
"""

import asyncio
import base64
import hmac
import json
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import structlog

from domain.accounts.frontend import Frontend, Hook
from projections import frontends as listed
from projections import notices
from projections.notices import Notice
from services.accounts.outbound import CallFailed, CallRefused, Reach, call
from services.bells import Bell
from services.errors import ApiError
from services.reads import Reads
from services.store.deliveries import Deliveries
from services.store.errors import StoreError
from services.store.live_accounts import LiveFrontends
from services.store.opened import Lease
from services.store.watchers import Watchers
from services.tokens import Mint

log = structlog.get_logger(__name__)

TOGETHER: Final = 100
"""Notices in one call, at most."""
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 900.0
"""After a call that failed: the first pause, and where doubling it ends."""
IDLE_SECONDS: Final = 60.0
"""How long to wait for news without looking."""
LOOK_SECONDS: Final = 2.0
"""How often it is looked for webhooks that were set at another service."""
TAKEN: Final = range(200, 300)


def secret_of(mint: Mint, frontend: UUID, version: int) -> str:
    """What the posts of a webhook that this event set are signed with."""
    raw = mint.token("webhook", frontend.hex, str(version)).encode()
    return "whsec_" + base64.b64encode(raw).decode()


def signature(secret: str, name: str, at: int, body: bytes) -> str:
    """The signature of a post, as the Standard Webhooks have it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, b"%b.%d.%b" % (name.encode(), at, body), sha256)
    return "v1," + base64.b64encode(mac).decode()


class Webhooks:
    """The posts of one service. Use `start` once; `changed` when a frontend's webhook is set."""

    def __init__(
        self,
        frontends: LiveFrontends,
        reads: Reads,
        watchers: Watchers,
        deliveries: Deliveries,
        mint: Mint,
        reach: Reach,
    ) -> None:
        self._frontends = frontends
        self._reads = reads
        self._watchers = watchers
        self._deliveries = deliveries
        self._mint = mint
        self._reach = reach
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._failures: dict[UUID, tuple[int, str]] = {}
        self._asking = asyncio.Lock()
        """Held while it is asked who may post."""
        self._mine: Callable[[], bool] = lambda: True
        self._beginning: asyncio.Task[None] | None = None
        self._hooks: dict[UUID, int] = {}
        """The event that set each webhook, where somebody has begun to post to it."""

    def start(self, lease: Lease, *, shared: bool = False) -> None:
        """Begin to post; of several services on one log only the one that has the lease does. On a
        `shared` log others set webhooks too."""
        self._mine = lease.held
        self._beginning = asyncio.create_task(self._begin(again=shared))

    async def close(self) -> None:
        """Post no more. What was not taken is posted after the next start."""
        tasks = [*self._tasks.values(), *([self._beginning] if self._beginning else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def changed(self, frontend: UUID) -> None:
        """A frontend's webhook was set: begin with it at once, or anew."""
        self._failures.pop(frontend, None)
        if (task := self._tasks.get(frontend)) is not None:
            task.cancel()  # it may be in the middle of a long pause, or of a call to another URL
        self._tasks[frontend] = asyncio.create_task(self._post_all(frontend))

    async def taken(self, frontend: Frontend) -> int:
        """The number of the last notice that a frontend took; 0 for none."""
        if frontend.hook is None:
            return 0
        return await asyncio.to_thread(self._deliveries.taken, frontend.id)

    def failures(self, frontend: UUID) -> tuple[int, str]:
        """How often in a row a frontend did not take what was posted, and why last."""
        return self._failures.get(frontend, (0, ""))

    async def _begin(self, *, again: bool) -> None:
        """Begin with all webhooks; then, if it is to be looked `again`, with each that was set."""
        while True:
            listed_all = False
            try:
                for frontend in await self._reads.ask(listed.with_webhooks):
                    await self._begin_one(frontend)
                listed_all = True
            except (ApiError, StoreError) as error:
                log.warning("webhooks_not_listed", why=str(error))
            if listed_all and not again:
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def _begin_one(self, frontend: UUID) -> None:
        """Begin with a frontend's webhook, if it was set anew."""
        try:
            hook = (await self._frontends.get(frontend)).state.hook
        except StoreError:
            if frontend not in self._tasks:
                self.changed(frontend)  # its own task tries again, and keeps no other from posting
            return
        if hook and self._hooks.get(frontend) != hook.version:
            self.changed(frontend)

    async def _post_all(self, frontend: UUID) -> None:
        """Post what there is, then wait for more, until there is no webhook any more."""
        wait = FIRST_PAUSE_SECONDS
        with self._watchers.watching(frontend) as woken:
            while True:
                woken.clear()  # before looking, so that no news falls between
                try:
                    state = (await self._frontends.get(frontend)).state
                    if state.hook is None or state.revoked:
                        return
                    self._hooks[frontend] = state.hook.version
                    pause = await self._post_some(state, state.hook)
                    wait = FIRST_PAUSE_SECONDS
                except (ApiError, StoreError) as error:  # what is not at hand now may be later
                    log.warning("webhook_waits", frontend=str(frontend), why=str(error))
                    pause, wait = wait, min(2 * wait, IDLE_SECONDS)
                if pause:
                    await _rest(woken, pause)

    async def _post_some(self, state: Frontend, hook: Hook) -> float:
        """Post what comes next. The seconds to wait then, unless something changes."""
        async with self._asking:
            if not await asyncio.to_thread(self._mine):
                return FIRST_PAUSE_SECONDS
        after = await self.taken(state)
        page = await self._reads.ask(
            lambda connection: notices.to_frontend(
                connection, state.id, after, hook.since, TOGETHER
            )
        )
        if not page:
            return IDLE_SECONDS
        why = await self._post(state.id, hook, page)
        if not why:
            self._failures.pop(state.id, None)
            await asyncio.to_thread(self._deliveries.take, state.id, page[-1].number)
            return 0.0
        failed = self.failures(state.id)[0] + 1
        self._failures[state.id] = failed, why
        log.info("webhook_failed", frontend=str(state.id), failures=failed, why=why)
        # News do not shorten it: what is away is asked no oftener because more has happened.
        pause = min(FIRST_PAUSE_SECONDS * 2 ** min(failed - 1, 20), LONGEST_PAUSE_SECONDS)
        await asyncio.sleep(pause)
        return 0.0

    async def _post(self, frontend: UUID, hook: Hook, page: Sequence[Notice]) -> str:
        """Make one call; why it was not taken, or nothing."""
        body = json.dumps(
            {"frontend_id": str(frontend), "notices": [as_json(each) for each in page]},
            ensure_ascii=False,
        ).encode()
        name, at = f"{page[0].number}-{page[-1].number}", int(time.time())
        secret = secret_of(self._mint, frontend, hook.version)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": name,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(secret, name, at, body),
        }
        try:
            answered = await call(hook.url, self._reach, method="POST", body=body, headers=headers)
        except (CallRefused, CallFailed) as error:
            return str(error)
        return "" if answered.status in TAKEN else f"it answered {answered.status}"


async def _rest(woken: Bell, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        pass


def as_json(notice: Notice) -> dict[str, Any]:
    """A notice as it is posted, with the field names of the API."""
    return {
        "number": notice.number,
        "player_id": str(notice.player),
        "kind": notice.kind,
        "match_id": str(notice.match),
        "game": notice.game,
        "title": notice.title,
        "version": notice.version,
        "seat": notice.seat,
        "at": notice.at.isoformat(),
        "sentence": notice.sentence,
    }
