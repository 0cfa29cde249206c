"""Parsing and validation of requests about frontends: terms, webhooks and keys."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from google.protobuf.json_format import MessageToDict
from msgspec.structs import replace

from domain.frontend import Frontend, FrontendTerms, Issuer, Quotas, Right, Webhook, WebhookTerms
from domain.log.digests import canonical_bytes, digest
from projections.queries import frontends as listed
from projections.queries import notices
from services.accounts.tokens import TokenIssuer
from services.api.etags import check_etag
from services.api.field_masks import copy_fields, keep_fields
from services.api.requests import find_game, parse_name, parse_uuid
from services.mapping import messages
from services.mapping.notice_messages import KINDS, notice_id, number_of
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.outbound import CallFailed, CallRefused, OutboundPolicy, resolve_addresses
from services.scheduler.webhooks import WebhookState
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import frontends_pb2 as pb

MAX_NAME_LENGTH: Final = 80
MAX_FAILURE_LENGTH: Final = 1_000
"""Maximum characters of a shown delivery failure."""
RIGHTS: Final[dict[Right, pb.FrontendRight.ValueType]] = {
    "create": pb.FRONTEND_RIGHT_CREATE,
    "referee": pb.FRONTEND_RIGHT_REFEREE,
    "read-public": pb.FRONTEND_RIGHT_READ_PUBLIC,
}


class FrontendRequests:
    """Parses requests whose validation needs the read models, the log or the network."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        token_issuer: TokenIssuer,
        outbound_policy: OutboundPolicy,
        newest: Callable[[], int],
    ) -> None:
        """Create the parser. `newest` returns the number of the log's last event, and blocks."""
        self._read_models = read_models
        self._token_issuer = token_issuer
        self._outbound_policy = outbound_policy
        self._newest = newest

    async def merged_terms(
        self, before: Frontend, given: pb.Frontend, paths: Sequence[str]
    ) -> FrontendTerms | None:
        """Return the terms with the fields of a request; None if it has none of them."""
        asked = [path for path in paths if path.partition(".")[0] in ("rights", "quotas", "issuer")]
        if not asked:
            return None
        merged = terms_message(before.terms)
        copy_fields(given, merged, asked)
        return await self.terms(merged)

    async def terms(self, given: pb.Frontend) -> FrontendTerms:
        """Parse the rights, quotas and issuer of a request."""
        names = {message: right for right, message in RIGHTS.items()}
        rights = {names[right] for right in given.rights}
        asked = given.quotas
        quotas = Quotas(
            open_matches=asked.open_matches,
            actions_per_minute=asked.actions_per_minute,
            watchers=asked.watchers,
            stored_bytes=asked.stored_bytes,
            player_actions_per_minute=asked.player_actions_per_minute,
        )
        issuer = await self._issuer(given.issuer) if given.HasField("issuer") else None
        return FrontendTerms(tuple(r for r in RIGHTS if r in rights), quotas, issuer)

    async def _issuer(self, given: pb.FrontendIssuer) -> Issuer:
        field = "frontend.issuer"
        name, audience = given.issuer, given.audience
        if bool(given.keys) == bool(given.keys_url):
            raise field_invalid(f"{field}.keys", "give either the keys or their URL, not both")
        if given.keys_url:
            await self._check_url(f"{field}.keys_url", given.keys_url)
            return Issuer(name, audience, keys_url=given.keys_url)
        # Only here: the library takes long to load, and most services meet no such keys.
        from services.accounts.jwts import parse_jwk_set

        try:
            parse_jwk_set(given.keys)
        except ValueError as error:
            raise field_invalid(f"{field}.keys", str(error)) from None
        return Issuer(name, audience, given.keys)

    async def _check_url(self, field: str, url: str) -> None:
        """Raise URL_NOT_ALLOWED for a URL that must not be called or cannot be resolved."""
        try:
            await resolve_addresses(url, self._outbound_policy)
        except (CallRefused, CallFailed) as error:
            raise ApiError(Reason.URL_NOT_ALLOWED, f"{field}: {error}", field=field) from None

    async def check_issuer(self, terms: FrontendTerms, own: UUID) -> None:
        """Raise ISSUER_TAKEN if another frontend has this issuer."""
        if terms.issuer is None:
            return
        name = terms.issuer.name
        await self._read_models.wait_until_caught_up()
        found = await self._read_models.ask(
            lambda connection: listed.frontend_of_issuer(connection, name)
        )
        if found not in (None, own):
            raise ApiError(Reason.ISSUER_TAKEN, f"another frontend has the issuer {name}")

    async def webhooks(self, given: pb.Frontend, request_id: str) -> tuple[WebhookTerms, ...]:
        """Return the webhooks of a request. New ones get an ID derived from the request ID."""
        names = {message: kind for kind, message in KINDS.items()}
        since = await asyncio.to_thread(self._newest) if given.webhooks else 0
        found: list[WebhookTerms] = []
        for number, each in enumerate(given.webhooks):
            field = f"frontend.webhooks[{number}]"
            await self._check_url(f"{field}.url", each.url)
            identity = (
                parse_uuid(each.webhook_id)
                if each.webhook_id
                else self._token_issuer.account_id("webhook", f"{request_id} {number}")
            )
            if any(identity == other.id for other in found):
                raise field_invalid(
                    f"{field}.webhook_id", "it is in the list twice: each webhook may appear once"
                )
            kinds = {names[kind] for kind in each.notice_kinds}
            games = {find_game(slug).slug for slug in each.games}
            found.append(
                WebhookTerms(
                    identity,
                    each.url,
                    since,
                    tuple(kind for kind in KINDS if kind in kinds),
                    tuple(sorted(games)),
                )
            )
        return tuple(found)

    async def redelivery_start(
        self, identity: UUID, request: pb.RedeliverNoticesRequest
    ) -> tuple[int, str]:
        """Return the number of the last notice that is not sent again, and what was requested."""
        if request.HasField("first_notice_id"):
            number = number_of("first_notice_id", request.first_notice_id)
            return max(number - 1, 0), request.first_notice_id
        at = messages.read_timestamp("start_time", request.start_time)
        await self._read_models.catch_up_briefly()
        after = await self._read_models.ask(
            lambda connection: notices.number_before(connection, identity, at)
        )
        return after, at.isoformat()


def frontend_name(given: pb.Frontend) -> str:
    """Return the name that a request gives a frontend."""
    return parse_name("frontend.name", given.name, MAX_NAME_LENGTH, 1)


def merge_webhooks(
    held: Frontend, given: pb.Frontend, webhooks: Sequence[WebhookTerms]
) -> tuple[WebhookTerms, ...]:
    """Return the webhooks of a request. Existing ones keep their own `since`.

    Raises:
        ApiError: WEBHOOK_NOT_FOUND if the request names one that the frontend does not have.
    """
    return tuple(
        replace(terms, since=find_webhook(held, terms.id).terms.since) if each.webhook_id else terms
        for each, terms in zip(given.webhooks, webhooks, strict=True)
    )


def find_webhook(frontend: Frontend, identity: UUID) -> Webhook:
    """Return a webhook of a frontend. Raises WEBHOOK_NOT_FOUND if there is none."""
    if (found := frontend.webhook(identity)) is None:
        raise ApiError(Reason.WEBHOOK_NOT_FOUND, webhook=identity)
    return found


def frontend_etag(frontend: Frontend) -> str:
    """Return the etag of a frontend."""
    return frontend.digest[:16]


def require_current(frontend: Frontend, etag: str = "") -> None:
    """Raise FRONTEND_DELETED for a deleted frontend, VERSION_STALE for a stale etag."""
    if frontend.deleted:
        raise ApiError(Reason.FRONTEND_DELETED, frontend=frontend.id)
    check_etag(etag, frontend_etag(frontend))


def fingerprint(given: pb.Frontend, paths: Sequence[str]) -> str:
    """Return a digest of what a request to update a frontend asks for."""
    kept = pb.Frontend()
    kept.CopyFrom(given)
    keep_fields(kept, paths)
    return digest(canonical_bytes([list(paths), MessageToDict(kept)]))


def overlap_milliseconds(request: pb.RotateFrontendKeyRequest) -> int | None:
    """Return how long the old key stays valid in milliseconds, or None for the default."""
    if not request.HasField("overlap"):
        return None
    return request.overlap.ToMilliseconds()


def terms_message(terms: FrontendTerms) -> pb.Frontend:
    """Return a frontend's rights, quotas and issuer as a message."""
    quotas, issuer = terms.quotas, terms.issuer
    message = pb.Frontend(
        rights=[RIGHTS[right] for right in terms.rights],
        quotas=pb.FrontendQuotas(
            open_matches=quotas.open_matches,
            actions_per_minute=quotas.actions_per_minute,
            watchers=quotas.watchers,
            stored_bytes=quotas.stored_bytes,
            player_actions_per_minute=quotas.player_actions_per_minute,
        ),
    )
    if issuer is not None:
        message.issuer.issuer = issuer.name
        message.issuer.audience = issuer.audience
        message.issuer.keys = issuer.keys
        message.issuer.keys_url = issuer.keys_url
    return message


def webhook_message(webhook: Webhook, state: WebhookState) -> pb.Webhook:
    """Return a webhook as a message."""
    terms = webhook.terms
    return pb.Webhook(
        webhook_id=str(terms.id),
        url=terms.url,
        notice_kinds=[message for kind, message in KINDS.items() if kind in terms.kinds],
        games=terms.games,
        create_time=messages.timestamp(webhook.created),
        last_notice_id=notice_id(state.accepted) if state.accepted else "",
        failure_count=state.failures,
        last_failure=state.why[:MAX_FAILURE_LENGTH],
    )
