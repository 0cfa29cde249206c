"""FrontendsService: frontends with their keys, rights, quotas and webhooks."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from hmac import compare_digest
from typing import Any, Final

from domain import frontend as frontends
from domain.frontend import Frontend, Webhook, WebhookTerms
from domain.log.origin import CommandContext
from projections.queries import frontends as listed
from projections.queries.frontends import FrontendWithUsage
from services.accounts.authentication import frontend_key
from services.accounts.context import RequestContext, require_admin
from services.accounts.quotas import Quotas as UsedQuotas
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.account_changes import (
    AccountChange,
    apply_change,
    create_account,
    resolve_frontend,
)
from services.api.etags import check_etag
from services.api.field_masks import update_paths
from services.api.frontend_requests import (
    FrontendRequests,
    find_webhook,
    fingerprint,
    frontend_etag,
    frontend_name,
    merge_webhooks,
    overlap_milliseconds,
    require_current,
    terms_message,
    webhook_message,
)
from services.api.idempotency import IdempotentRequest, caller_identity
from services.api.requests import PageTokens, page_size, parse_uuid
from services.mapping import messages
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.outbound import OutboundPolicy
from services.scheduler.webhooks import SUCCESS_STATUSES, WebhookDispatcher, webhook_secret
from services.store.account_cache import FrontendCache
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import frontends_pb2 as pb

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
DEFAULT_OVERLAP: Final = timedelta(days=1)
"""How long a key stays valid after its rotation, unless the request says otherwise."""
MAX_BODY_LENGTH: Final = 1_000
"""Maximum characters of a webhook receiver's response that TestWebhook returns."""
UPDATABLE: Final = ("name", "rights", "quotas", "issuer", "webhooks")


class FrontendsHandlers:
    """Handlers of the rpcs of FrontendsService."""

    def __init__(
        self,
        live: FrontendCache,
        profiles: PlayerProfiles,
        read_models: ReadModelQueries,
        quotas: UsedQuotas,
        token_issuer: TokenIssuer,
        admin_key: str,
        outbound_policy: OutboundPolicy,
        webhooks: WebhookDispatcher,
        newest: Callable[[], int],
    ) -> None:
        self._live = live
        self._profiles = profiles
        self._read_models = read_models
        self._quotas = quotas
        self._token_issuer = token_issuer
        self._pages = PageTokens(token_issuer)
        self._admin_key = token_digest(admin_key)
        self._outbound_policy = outbound_policy
        self._webhooks = webhooks
        self._requests = FrontendRequests(read_models, token_issuer, outbound_policy, newest)
        self._issuer_lock = asyncio.Lock()
        """Lock that keeps two frontends from getting the same issuer of player tokens."""

    # --- frontends -------------------------------------------------------------------------------

    async def create_frontend(
        self, call: RequestContext, request: pb.CreateFrontendRequest
    ) -> pb.CreateFrontendResponse:
        """Create a frontend for the admin, and return its key and the secrets of its webhooks."""
        require_admin(call, self._admin_key)
        request_id = request.request_id.lower()
        given = request.frontend
        name = frontend_name(given)
        terms = await self._requests.terms(given)
        webhooks = await self._requests.webhooks(given, request_id)
        identity = self._token_issuer.account_id("frontend", request_id)
        key = frontend_key(self._token_issuer, identity, 1)
        wanted = AccountChange(
            self._request(call, request_id),
            ["register", name, terms, *frontends.webhooks_payload(webhooks)],
            frontends.request_payload,
            has_secret_response=True,
        )
        async with self._issuer_lock:
            await self._requests.check_issuer(terms, identity)
            await create_account(
                self._live,
                identity,
                wanted,
                lambda command_context: frontends.register(
                    identity, name, token_digest(key), terms, command_context, webhooks
                ),
            )
        self._webhooks.note_change(identity)
        state = (await self._live.get(identity)).state
        return pb.CreateFrontendResponse(
            frontend=await self._with_usage(state),
            key=key,
            webhook_secrets=self._secrets(webhooks, 1),
        )

    async def get_frontend(
        self, call: RequestContext, request: pb.GetFrontendRequest
    ) -> pb.GetFrontendResponse:
        """Return a frontend with its usage, to the admin or to the frontend itself."""
        identity = resolve_frontend(call, request.frontend_id, self._admin_key)
        state = (await self._live.get(identity)).state
        return pb.GetFrontendResponse(frontend=await self._with_usage(state))

    async def list_frontends(
        self, call: RequestContext, request: pb.ListFrontendsRequest
    ) -> pb.ListFrontendsResponse:
        """Return a page of all frontends to the admin, including deleted ones."""
        require_admin(call, self._admin_key)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        after = self._pages.start(request.page_token, "frontends")
        await self._read_models.catch_up_briefly()
        page = await self._read_models.ask(
            lambda connection: listed.frontend_page(connection, size, after)
        )
        return pb.ListFrontendsResponse(
            frontends=[await self._message(each) for each in page.frontends],
            next_page_token=self._pages.next(page.next, "frontends"),
        )

    async def update_frontend(
        self, call: RequestContext, request: pb.UpdateFrontendRequest
    ) -> pb.UpdateFrontendResponse:
        """Update fields of a frontend. The frontend's own key may update its webhooks only."""
        request_id = request.request_id.lower()
        given = request.frontend
        identity = resolve_frontend(call, given.frontend_id, self._admin_key)
        paths = update_paths(given, request.update_mask, UPDATABLE)
        fields = {path.partition(".")[0] for path in paths}
        if not fields:
            raise field_invalid("update_mask", f"its paths must be among: {', '.join(UPDATABLE)}")
        if fields != {"webhooks"}:
            require_admin(call, self._admin_key)
        before = (await self._live.get(identity)).state
        name = frontend_name(given) if "name" in fields else ""
        terms = await self._requests.merged_terms(before, given, paths)
        webhooks = None
        if "webhooks" in fields:
            webhooks = await self._requests.webhooks(given, request_id)

        def decide(held: Frontend, command_context: CommandContext) -> Any:
            require_current(held, given.etag)
            if terms is not None and held.terms != before.terms:
                raise ApiError(
                    Reason.VERSION_STALE, "the frontend has changed since it was read: get it again"
                )
            return frontends.update(
                held,
                fingerprint(given, paths),
                command_context,
                name=name,
                terms=terms,
                webhooks=None if webhooks is None else merge_webhooks(held, given, webhooks),
            )

        new = [
            terms
            for each, terms in zip(given.webhooks, webhooks or (), strict=False)
            if not each.webhook_id
        ]
        wanted = AccountChange(
            self._request(call, request_id),
            ["update", fingerprint(given, paths)],
            frontends.request_payload,
            has_secret_response=bool(new),
        )
        async with self._issuer_lock:
            if terms is not None and terms.issuer != before.terms.issuer:
                await self._requests.check_issuer(terms, identity)
            version = await apply_change(self._live, identity, wanted, decide)
        if webhooks is not None:
            self._webhooks.note_change(identity)
        state = (await self._live.get(identity)).state
        return pb.UpdateFrontendResponse(
            frontend=await self._with_usage(state), webhook_secrets=self._secrets(new, version)
        )

    async def delete_frontend(
        self, call: RequestContext, request: pb.DeleteFrontendRequest
    ) -> pb.DeleteFrontendResponse:
        """Delete a frontend for the admin: its keys and its players' tokens stop working."""
        require_admin(call, self._admin_key)
        request_id = request.request_id.lower()
        identity = parse_uuid(request.frontend_id)
        wanted = AccountChange(
            self._request(call, request_id), ["revoke"], frontends.request_payload
        )

        def decide(held: Frontend, command_context: CommandContext) -> Any:
            check_etag(request.etag, frontend_etag(held))
            return frontends.revoke(held, command_context)

        if not (await self._live.get(identity)).state.deleted:
            await apply_change(self._live, identity, wanted, decide)
        self._webhooks.note_change(identity)
        state = (await self._live.get(identity)).state
        return pb.DeleteFrontendResponse(frontend=await self._with_usage(state))

    async def rotate_frontend_key(
        self, call: RequestContext, request: pb.RotateFrontendKeyRequest
    ) -> pb.RotateFrontendKeyResponse:
        """Replace a frontend's key. The present one stays valid for the overlap.

        A key that was replaced before cannot rotate the present one.
        """
        request_id = request.request_id.lower()
        identity = resolve_frontend(call, request.frontend_id, self._admin_key)
        asked = overlap_milliseconds(request)
        shown = token_digest(call.frontend_key) if call.frontend == identity else ""

        def decide(held: Frontend, command_context: CommandContext) -> Any:
            require_current(held)
            if shown and not compare_digest(shown, held.keys[0].digest):
                why = "the key was replaced: use the current key"
                raise ApiError(Reason.FRONTEND_KEY_INVALID, why)
            key = frontend_key(self._token_issuer, identity, held.version + 1)
            return frontends.rotate_key(
                held,
                token_digest(key),
                command_context,
                overlap=DEFAULT_OVERLAP if asked is None else timedelta(milliseconds=asked),
                overlap_ms=asked,
            )

        wanted = AccountChange(
            self._request(call, request_id),
            ["rotate-key", *([] if asked is None else [asked])],
            frontends.request_payload,
            has_secret_response=True,
        )
        version = await apply_change(self._live, identity, wanted, decide)
        state = (await self._live.get(identity)).state
        return pb.RotateFrontendKeyResponse(
            frontend=await self._with_usage(state),
            key=frontend_key(self._token_issuer, identity, version),
        )

    # --- webhooks --------------------------------------------------------------------------------

    async def test_webhook(
        self, call: RequestContext, request: pb.TestWebhookRequest
    ) -> pb.TestWebhookResponse:
        """Post a test message to a webhook, and return the receiver's response."""
        identity = resolve_frontend(call, request.frontend_id, self._admin_key)
        state = (await self._live.get(identity)).state
        require_current(state)
        webhook = find_webhook(state, parse_uuid(request.webhook_id))
        outcome = await self._webhooks.test(identity, webhook, request.request_id)
        message = pb.TestWebhookResponse(failure=outcome.failure)
        message.elapsed.FromTimedelta(timedelta(seconds=outcome.seconds))
        if outcome.answer is not None:
            message.http_status = outcome.answer.status
            message.accepted = outcome.answer.status in SUCCESS_STATUSES
            if (
                self._outbound_policy == "public"
            ):  # bodies from internal addresses must not be shown
                text = outcome.answer.body.decode(errors="replace")
                message.body = text[:MAX_BODY_LENGTH]
        return message

    async def redeliver_notices(
        self, call: RequestContext, request: pb.RedeliverNoticesRequest
    ) -> pb.RedeliverNoticesResponse:
        """Post notices to a webhook again, from a notice or a time on."""
        request_id = request.request_id.lower()
        identity = resolve_frontend(call, request.frontend_id, self._admin_key)
        webhook = parse_uuid(request.webhook_id)
        after, start = await self._requests.redelivery_start(identity, request)

        def decide(held: Frontend, command_context: CommandContext) -> Any:
            require_current(held)
            find_webhook(held, webhook)
            return frontends.redeliver(held, webhook, after, start, command_context)

        wanted = AccountChange(
            self._request(call, request_id),
            ["redeliver", webhook, start],
            frontends.request_payload,
        )
        await apply_change(self._live, identity, wanted, decide)
        self._webhooks.note_change(identity)
        found = find_webhook((await self._live.get(identity)).state, webhook)
        states = await self._webhooks.states([found])
        return pb.RedeliverNoticesResponse(webhook=webhook_message(found, states[found.id]))

    def _secrets(self, webhooks: Sequence[WebhookTerms], version: int) -> dict[str, str]:
        """Return the secrets, by ID, of webhooks that the frontend's event `version` created."""
        return {
            str(each.id): webhook_secret(
                self._token_issuer, Webhook(each, utc_now(), version, version)
            )
            for each in webhooks
        }

    # --- what they have in common ----------------------------------------------------------------

    def _request(self, call: RequestContext, request_id: str) -> IdempotentRequest:
        return IdempotentRequest(self._token_issuer, request_id, caller_identity(call))

    # --- messages --------------------------------------------------------------------------------

    async def _with_usage(self, state: Frontend) -> pb.Frontend:
        await self._read_models.catch_up_briefly()
        used = await self._read_models.ask(
            lambda connection: listed.frontend_usage(connection, state.id)
        )
        return await self._message(used or FrontendWithUsage(state, 0, 0, 0), state)

    async def _message(self, used: FrontendWithUsage, state: Frontend | None = None) -> pb.Frontend:
        frontend = state or used.frontend
        message = terms_message(frontend.terms)
        message.frontend_id = str(frontend.id)
        message.name = frontend.name
        message.create_time.CopyFrom(messages.timestamp(frontend.created))
        message.etag = frontend_etag(frontend)
        message.usage.CopyFrom(
            pb.FrontendUsage(
                matches=used.matches,
                open_matches=used.open_matches,
                stored_bytes=used.bytes,
                watchers=self._quotas.watcher_count(frontend.id),
                players=await asyncio.to_thread(self._profiles.count, frontend.id),
            )
        )
        states = await self._webhooks.states(frontend.webhooks)
        for webhook in frontend.webhooks:
            message.webhooks.append(webhook_message(webhook, states[webhook.id]))
        if frontend.deleted is not None:
            message.delete_time.CopyFrom(messages.timestamp(frontend.deleted))
            return message
        now = utc_now()
        for key in frontend.keys:
            if key.until is None or now < key.until:
                shown = message.keys.add(create_time=messages.timestamp(key.created))
                if key.until is not None:
                    shown.expire_time.CopyFrom(messages.timestamp(key.until))
        return message
