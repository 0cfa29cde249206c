"""FrontendsService: who may bring players here, and how much of the service is theirs."""

import asyncio
from collections.abc import Callable
from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from domain.accounts import frontend as frontends
from domain.accounts.frontend import Frontend, FrontendTerms, Issuer, Quotas, Right
from domain.log.stamps import Stamp
from projections import frontends as listed
from projections.frontends import FrontendStanding
from services import messages
from services.accounts.identities import frontend_key
from services.accounts.outbound import CallFailed, CallRefused, Reach, addresses
from services.accounts.quotas import Quotas as UsedQuotas
from services.accounts.webhooks import Webhooks, secret_of
from services.api.account_changes import Change, change, create
from services.api.repetitions import Repeatable, caller_of
from services.api.requests import PageTokens, identifier, name_text, page_size, short_text
from services.callers import Call, check_admin
from services.errors import ApiError, Reason, malformed
from services.reads import Reads
from services.store.live_accounts import LiveFrontends
from services.store.people import People
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import frontends_pb2 as pb

LONGEST_NAME: Final = 80
LONGEST_ISSUER: Final = 200
USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200
RIGHTS: Final[dict[Right, pb.FrontendRight.ValueType]] = {
    "create": pb.FRONTEND_RIGHT_CREATE,
    "referee": pb.FRONTEND_RIGHT_REFEREE,
    "read-public": pb.FRONTEND_RIGHT_READ_PUBLIC,
}


class FrontendsHandlers:
    """The rpcs of FrontendsService."""

    def __init__(
        self,
        live: LiveFrontends,
        people: People,
        reads: Reads,
        quotas: UsedQuotas,
        mint: Mint,
        admin_key: str,
        reach: Reach,
        webhooks: Webhooks,
        newest: Callable[[], int],
    ) -> None:
        self._live = live
        self._people = people
        self._reads = reads
        self._quotas = quotas
        self._mint = mint
        self._pages = PageTokens(mint)
        self._admin_key = key_of(admin_key)
        self._reach = reach
        self._webhooks = webhooks
        self._newest = newest
        """The log's number of its last event. Blocks on the disk."""
        self._issuing = asyncio.Lock()
        """Held while an issuer is given out: no two frontends have the same."""

    async def register_frontend(
        self, call: Call, request: pb.RegisterFrontendRequest
    ) -> pb.RegisterFrontendResponse:
        """Let a frontend call from now on."""
        check_admin(call, self._admin_key)
        request_id = str(identifier("request_id", request.request_id))
        name = name_text("name", request.name, LONGEST_NAME, 1)
        terms = await self._terms(request)
        identity = self._mint.account_id("frontend", request_id)
        key = frontend_key(self._mint, identity, 1)
        wanted = Change(
            self._request(call, request_id),
            ["register", name, terms],
            frontends.asked_for,
            gives_secret=True,
        )
        async with self._issuing:
            await self._check_issuer(terms, identity)
            await create(
                self._live,
                identity,
                wanted,
                lambda stamp: frontends.register(identity, name, key_of(key), terms, stamp),
            )
        return pb.RegisterFrontendResponse(frontend_id=str(identity), key=key)

    async def list_frontends(
        self, call: Call, request: pb.ListFrontendsRequest
    ) -> pb.ListFrontendsResponse:
        """A page of frontends."""
        check_admin(call, self._admin_key)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        after = self._pages.begin(request.page_token, "frontends")
        await self._reads.recent()
        page = await self._reads.ask(lambda connection: listed.frontends(connection, size, after))
        return pb.ListFrontendsResponse(
            frontends=[await self._message(each) for each in page.frontends],
            next_page_token=self._pages.next(page.next, "frontends"),
        )

    async def get_frontend(
        self, call: Call, request: pb.GetFrontendRequest
    ) -> pb.GetFrontendResponse:
        """One frontend."""
        identity = self._own(call, request.frontend_id)
        return pb.GetFrontendResponse(frontend=await self._shown(identity))

    async def set_frontend_terms(
        self, call: Call, request: pb.SetFrontendTermsRequest
    ) -> pb.SetFrontendTermsResponse:
        """Give a frontend other rights, quotas and issuer."""
        check_admin(call, self._admin_key)
        request_id = str(identifier("request_id", request.request_id))
        identity = identifier("frontend_id", request.frontend_id)
        terms = await self._terms(request)
        wanted = Change(self._request(call, request_id), ["set-terms", terms], frontends.asked_for)
        async with self._issuing:
            await self._check_issuer(terms, identity)
            await change(
                self._live, identity, wanted, lambda held, at: frontends.set_terms(held, terms, at)
            )
        return pb.SetFrontendTermsResponse(frontend=await self._shown(identity))

    async def rotate_frontend_key(
        self, call: Call, request: pb.RotateFrontendKeyRequest
    ) -> pb.RotateFrontendKeyResponse:
        """Give a frontend another key."""
        request_id = str(identifier("request_id", request.request_id))
        identity = self._own(call, request.frontend_id)

        def decide(held: Frontend, stamp: Stamp) -> Any:
            key = frontend_key(self._mint, identity, held.version + 1)
            return frontends.rotate_key(held, key_of(key), stamp)

        wanted = Change(
            self._request(call, request_id), ["rotate-key"], frontends.asked_for, gives_secret=True
        )
        version = await change(self._live, identity, wanted, decide)
        return pb.RotateFrontendKeyResponse(key=frontend_key(self._mint, identity, version))

    async def revoke_frontend(
        self, call: Call, request: pb.RevokeFrontendRequest
    ) -> pb.RevokeFrontendResponse:
        """End a frontend."""
        check_admin(call, self._admin_key)
        request_id = str(identifier("request_id", request.request_id))
        identity = identifier("frontend_id", request.frontend_id)
        wanted = Change(self._request(call, request_id), ["revoke"], frontends.asked_for)
        await change(self._live, identity, wanted, frontends.revoke)
        return pb.RevokeFrontendResponse()

    async def set_webhook(self, call: Call, request: pb.SetWebhookRequest) -> pb.SetWebhookResponse:
        """Have notices posted to a URL, or to none."""
        request_id = str(identifier("request_id", request.request_id))
        identity = self._own(call, request.frontend_id)
        url = request.url
        if url:
            await self._check_url("url", url)
        since = await asyncio.to_thread(self._newest)

        def decide(held: Frontend, stamp: Stamp) -> Any:
            return frontends.set_webhook(held, url, since, stamp)

        wanted = Change(
            self._request(call, request_id),
            ["set-webhook", url],
            frontends.asked_for,
            gives_secret=True,
        )
        version = await change(self._live, identity, wanted, decide)
        self._webhooks.changed(identity)
        secret = secret_of(self._mint, identity, version) if url else ""
        return pb.SetWebhookResponse(secret=secret)

    def _request(self, call: Call, request_id: str) -> Repeatable:
        return Repeatable(self._mint, request_id, caller_of(call))

    # --- whose, and what -------------------------------------------------------------------------

    def _own(self, call: Call, frontend_id: str) -> UUID:
        """The frontend that is asked for: any with the admin key, its own with a frontend's."""
        wanted = identifier("frontend_id", frontend_id) if frontend_id else None
        if call.token and compare_digest(key_of(call.token), self._admin_key):
            if wanted is None:
                raise malformed("frontend_id", "with the admin key, say which frontend")
            return wanted
        if call.frontend is None:
            raise ApiError(Reason.FRONTEND_KEY_MISSING)
        if wanted not in (None, call.frontend):
            raise ApiError(Reason.FRONTEND_KEY_INVALID, "the key is another frontend's")
        return call.frontend

    async def _terms(
        self, request: pb.RegisterFrontendRequest | pb.SetFrontendTermsRequest
    ) -> FrontendTerms:
        names = {message: right for right, message in RIGHTS.items()}
        for right in request.rights:
            if right not in names:
                raise malformed("rights", "each is one of FrontendRight")
        given = {names[right] for right in request.rights}
        asked = request.quotas
        quotas = Quotas(
            asked.open_matches, asked.actions_per_minute, asked.watchers, asked.stored_bytes
        )
        if quotas.stored_bytes >= 1 << 53:
            raise malformed("quotas.stored_bytes", "it is below 2^53")
        issuer = await self._issuer(request.issuer) if request.HasField("issuer") else None
        return FrontendTerms(tuple(r for r in RIGHTS if r in given), quotas, issuer)

    async def _issuer(self, given: pb.FrontendIssuer) -> Issuer:
        name = short_text("issuer.issuer", given.issuer, LONGEST_ISSUER, 1)
        audience = short_text("issuer.audience", given.audience, LONGEST_ISSUER, 1)
        if bool(given.keys) == bool(given.keys_url):
            raise malformed("issuer.keys", "give the keys or their URL: one of the two")
        if given.keys_url:
            await self._check_url("issuer.keys_url", given.keys_url)
            return Issuer(name, audience, keys_url=given.keys_url)
        # Only here: the library takes long to load, and most services meet no such keys.
        from services.accounts.jwts import read_keys

        try:
            read_keys(given.keys)
        except ValueError as error:
            raise malformed("issuer.keys", str(error)) from None
        return Issuer(name, audience, given.keys)

    async def _check_url(self, field: str, url: str) -> None:
        """URL_NOT_ALLOWED for one that is not to be called, or that leads nowhere."""
        try:
            await addresses(url, self._reach)
        except (CallRefused, CallFailed) as error:
            raise ApiError(Reason.URL_NOT_ALLOWED, f"{field}: {error}", field=field) from None

    async def _check_issuer(self, terms: FrontendTerms, own: UUID) -> None:
        """ISSUER_TAKEN if another frontend has it."""
        if terms.issuer is None:
            return
        name = terms.issuer.name
        await self._reads.caught_up()
        found = await self._reads.ask(lambda connection: listed.of_issuer(connection, name))
        if found not in (None, own):
            raise ApiError(Reason.ISSUER_TAKEN, f"another frontend has the issuer {name}")

    async def _shown(self, identity: UUID) -> pb.Frontend:
        state = (await self._live.get(identity)).state
        await self._reads.recent()
        used = await self._reads.ask(lambda connection: listed.standing(connection, identity))
        return await self._message(used or FrontendStanding(state, 0, 0, 0), state)

    async def _message(self, used: FrontendStanding, state: Frontend | None = None) -> pb.Frontend:
        frontend = state or used.frontend
        terms, issuer = frontend.terms, frontend.terms.issuer
        quotas = terms.quotas
        message = pb.Frontend(
            frontend_id=str(frontend.id),
            name=frontend.name,
            rights=[RIGHTS[right] for right in terms.rights],
            quotas=pb.FrontendQuotas(
                open_matches=quotas.open_matches,
                actions_per_minute=quotas.actions_per_minute,
                watchers=quotas.watchers,
                stored_bytes=quotas.stored_bytes,
            ),
            revoked=frontend.revoked,
            created_at=messages.timestamp(frontend.created),
            usage=pb.FrontendUsage(
                matches=used.matches,
                open_matches=used.open_matches,
                stored_bytes=used.bytes,
                watchers=self._quotas.watchers(frontend.id),
                players=await asyncio.to_thread(self._people.count, frontend.id),
            ),
        )
        if frontend.hook is not None:
            message.webhook.url = frontend.hook.url
            message.webhook.taken = await self._webhooks.taken(frontend)
            message.webhook.failures, message.webhook.why = self._webhooks.failures(frontend.id)
        if issuer is not None:
            message.issuer.issuer = issuer.name
            message.issuer.audience = issuer.audience
            message.issuer.keys = issuer.keys
            message.issuer.keys_url = issuer.keys_url
        return message
