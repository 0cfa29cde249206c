"""Frontends: sites and programs that bring players, with their keys, rights, quotas and webhooks.

`evolve` applies an event; the functions above it decide which event to record.
"""

from datetime import datetime, timedelta
from typing import Any, Final, Literal, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent

Right = Literal["create", "referee", "read-public"]
"""A right of a frontend's key: to create matches, to act as referee of matches it created, or to
read every public match."""


class Quotas(Struct, frozen=True, omit_defaults=True):
    """Upper bounds for the matches that a frontend created. 0 means no bound."""

    open_matches: int = 0
    actions_per_minute: int = 0
    watchers: int = 0
    stored_bytes: int = 0
    player_actions_per_minute: int = 0
    """Actions per minute of one player, or of one seat that no player of a frontend holds."""


class Issuer(Struct, frozen=True, omit_defaults=True):
    """The issuer of JSON Web Tokens for a frontend's players."""

    name: str
    """The value of the claim `iss` in the issuer's tokens."""
    audience: str
    keys: str = ""
    """The issuer's public keys, as the JSON text of a JWK Set; empty if `keys_url` has them."""
    keys_url: str = ""


class FrontendTerms(Struct, frozen=True, omit_defaults=True):
    """The rights and quotas of a frontend, and the token issuer of its players."""

    rights: tuple[Right, ...] = ()
    quotas: Quotas = Quotas()
    issuer: Issuer | None = None


class WebhookTerms(Struct, frozen=True, omit_defaults=True):
    """The settings of a webhook: where notices are posted, and which."""

    id: UUID
    url: str
    since: int
    """The log position of the last event before the webhook was created. Earlier events are not
    posted."""
    kinds: tuple[str, ...] = ()
    """Kinds of notices to post; empty for all."""
    games: tuple[str, ...] = ()
    """Slugs of the games to post notices of; empty for all."""


class FrontendEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """The fields shared by all events of a frontend."""

    frontend: UUID
    version: int
    """The event's number in the frontend's stream, counted from 1."""
    at: datetime
    request: str
    """A digest of the client's request ID. A repeated request finds its event and records
    nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits. They keep anybody from guessing the content of an
    event from its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """Return the frontend's ID, which is the originator ID in the event store."""
        return self.frontend


class FrontendRegistered(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Registered"):
    """A frontend was created."""

    name: str
    key: str
    """The digest of the frontend's key."""
    terms: FrontendTerms
    webhooks: tuple[WebhookTerms, ...] = ()


class FrontendUpdated(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Updated"):
    """Some fields of a frontend were changed: those that are set in this event."""

    asked: str
    """A digest of the request, to recognize a repetition."""
    name: str = ""
    terms: FrontendTerms | None = None
    webhooks: tuple[WebhookTerms, ...] | None = None
    """All webhooks of the frontend after the change; None if they did not change."""


class FrontendKeyRotated(FrontendEvent, frozen=True, kw_only=True, tag="frontend.KeyRotated"):
    """A frontend was given a new key."""

    key: str
    until: datetime | None = None
    """When the previous key stops working; None for immediately."""
    overlap_ms: int | None = None
    """The overlap of both keys in milliseconds, as requested; None for the default."""


class NoticesRedelivered(
    FrontendEvent, frozen=True, kw_only=True, tag="frontend.NoticesRedelivered"
):
    """A webhook posts its notices again, starting after a given notice."""

    webhook: UUID
    after: int
    """The number of the notice before the first one to post again."""
    start: str
    """The starting point as the request named it."""


class TermsSet(FrontendEvent, frozen=True, kw_only=True, tag="frontend.TermsSet"):
    """The rights, quotas or issuer of a frontend changed. Recorded by earlier versions only."""

    terms: FrontendTerms


class WebhookSet(FrontendEvent, frozen=True, kw_only=True, tag="frontend.WebhookSet"):
    """The only webhook of a frontend was replaced. Recorded by earlier versions only."""

    url: str
    """The webhook's URL; empty if it was removed."""
    since: int
    """The log position of the last event before the change. Earlier events are not posted."""


class FrontendRevoked(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Revoked"):
    """A frontend was deleted. Its keys and its players' tokens stop working."""


Event = (
    FrontendRegistered
    | FrontendUpdated
    | FrontendKeyRotated
    | NoticesRedelivered
    | TermsSet
    | WebhookSet
    | FrontendRevoked
)


class Webhook(Struct, frozen=True, omit_defaults=True):
    """The current state of a webhook."""

    terms: WebhookTerms
    created: datetime
    version: int
    """Version of the event that created the webhook. The webhook's secret is derived from it."""
    changed: int
    """Version of the last event that changed the webhook or had its notices posted again."""
    redelivery: int = 0
    """Version of the last event that had notices posted again; 0 for none."""
    after: int = 0
    """The number of the notice before the first one to post again."""

    @property
    def id(self) -> UUID:
        """Return the webhook's ID."""
        return self.terms.id


class Key(Struct, frozen=True, omit_defaults=True):
    """A key of a frontend, stored as its digest."""

    digest: str
    created: datetime
    until: datetime | None = None
    """When the key stops working; None for the current key."""


class Frontend(Struct, frozen=True):
    """The current state of a frontend."""

    id: UUID
    version: int
    digest: str
    """The digest of the frontend's last event, to which the next event is chained."""
    name: str
    keys: tuple[Key, ...]
    """The current key, and after it the previous key if that may still be valid."""
    terms: FrontendTerms
    created: datetime
    webhooks: tuple[Webhook, ...] = ()
    deleted: datetime | None = None

    def webhook(self, identity: UUID) -> Webhook | None:
        """Return a webhook by its ID, or None if the frontend has no such webhook."""
        return next((each for each in self.webhooks if each.id == identity), None)


class _FrontendLedger(Ledger[Frontend]):
    kind = "frontend"

    def _evolve(self, before: Frontend | None, sealed: SealedEvent[Any]) -> Frontend:
        return evolve(before, sealed)


def register(
    identity: UUID,
    name: str,
    key: str,
    terms: FrontendTerms,
    command_context: CommandContext,
    webhooks: tuple[WebhookTerms, ...] = (),
) -> Changeset[Frontend]:
    """Create a frontend. `key` is the digest of its key."""
    ledger = _FrontendLedger(None, identity, command_context)
    ledger.record(FrontendRegistered, name=name, key=key, terms=terms, webhooks=webhooks)
    return ledger.changeset()


def update(
    frontend: Frontend,
    asked: str,
    command_context: CommandContext,
    *,
    name: str = "",
    terms: FrontendTerms | None = None,
    webhooks: tuple[WebhookTerms, ...] | None = None,
) -> Changeset[Frontend]:
    """Change those fields of a frontend whose arguments are neither empty nor None."""
    return _record(
        frontend,
        command_context,
        FrontendUpdated,
        asked=asked,
        name=name,
        terms=terms,
        webhooks=webhooks,
    )


def rotate_key(
    frontend: Frontend,
    key: str,
    command_context: CommandContext,
    *,
    overlap: timedelta,
    overlap_ms: int | None,
) -> Changeset[Frontend]:
    """Give a frontend a new key. The current key stays valid for the time `overlap`."""
    until = command_context.at + overlap if overlap else None
    return _record(
        frontend, command_context, FrontendKeyRotated, key=key, until=until, overlap_ms=overlap_ms
    )


def redeliver(
    frontend: Frontend, webhook: UUID, after: int, start: str, command_context: CommandContext
) -> Changeset[Frontend]:
    """Post the notices after this number to a webhook again."""
    return _record(
        frontend, command_context, NoticesRedelivered, webhook=webhook, after=after, start=start
    )


def revoke(frontend: Frontend, command_context: CommandContext) -> Changeset[Frontend]:
    """Record that a frontend is deleted."""
    return _record(frontend, command_context, FrontendRevoked)


def _record(
    frontend: Frontend, command_context: CommandContext, kind: type[Any], **fields: Any
) -> Changeset[Frontend]:
    ledger = _FrontendLedger(frontend, frontend.id, command_context)
    ledger.record(kind, **fields)
    return ledger.changeset()


def webhooks_payload(webhooks: tuple[WebhookTerms, ...]) -> list[Any]:
    """Return what a request for these webhooks asked for, without values the service chose."""
    return [[[each.url, each.kinds, each.games] for each in webhooks]] if webhooks else []


def request_payload(event: Event) -> list[Any]:
    """Return what the request behind this event asked for, to compare a repeated request with."""
    match event:
        case FrontendRegistered(name=name, terms=terms, webhooks=webhooks):
            return ["register", name, terms, *webhooks_payload(webhooks)]
        case FrontendUpdated(asked=asked):
            return ["update", asked]
        case FrontendKeyRotated(overlap_ms=overlap_ms):
            return ["rotate-key", *([] if overlap_ms is None else [overlap_ms])]
        case NoticesRedelivered(webhook=webhook, start=start):
            return ["redeliver", webhook, start]
        case TermsSet(terms=terms):
            return ["set-terms", terms]
        case WebhookSet(url=url):
            return ["set-webhook", url]
        case FrontendRevoked():
            return ["revoke"]
        case unreachable:
            assert_never(unreachable)


def evolve(frontend: Frontend | None, sealed: SealedEvent[Event]) -> Frontend:
    """Return the frontend after an event."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, FrontendRegistered):
        return Frontend(
            id=event.frontend,
            version=event.version,
            digest=digest,
            name=event.name,
            keys=(Key(event.key, event.at),),
            terms=event.terms,
            created=event.at,
            webhooks=_webhooks((), event.webhooks, event),
        )
    assert frontend is not None, "a frontend is registered before all else"
    frontend = replace(frontend, version=event.version, digest=digest)
    match event:
        case FrontendUpdated(name=name, terms=terms, webhooks=webhooks):
            return replace(
                frontend,
                name=name or frontend.name,
                terms=terms or frontend.terms,
                webhooks=frontend.webhooks
                if webhooks is None
                else _webhooks(frontend.webhooks, webhooks, event),
            )
        case FrontendKeyRotated(key=key, until=until):
            before = replace(frontend.keys[0], until=until)
            return replace(frontend, keys=(Key(key, event.at), *([before] if until else [])))
        case NoticesRedelivered(webhook=identity, after=after):
            return replace(
                frontend,
                webhooks=tuple(
                    _with_redelivery(each, event.version, after) if each.id == identity else each
                    for each in frontend.webhooks
                ),
            )
        case TermsSet(terms=terms):
            return replace(frontend, terms=terms)
        case WebhookSet(url=url, since=since):
            # The only webhook had no ID of its own, and each event replaced it by a new one.
            only = (WebhookTerms(frontend.id, url, since),) if url else ()
            return replace(frontend, webhooks=_webhooks((), only, event))
        case FrontendRevoked():
            return replace(frontend, deleted=frontend.deleted or event.at)
        case unreachable:
            assert_never(unreachable)


def _webhooks(
    before: tuple[Webhook, ...], terms: tuple[WebhookTerms, ...], event: Event
) -> tuple[Webhook, ...]:
    """Return the webhooks with these terms. Those with unchanged terms are kept as they are."""
    known = {each.id: each for each in before}
    return tuple(
        Webhook(each, event.at, event.version, event.version)
        if (held := known.get(each.id)) is None
        else held
        if held.terms == each
        else replace(held, terms=each, changed=event.version)
        for each in terms
    )


def _with_redelivery(webhook: Webhook, version: int, after: int) -> Webhook:
    """Return a webhook that posts all notices after this number again, even earlier than itself."""
    terms = replace(webhook.terms, since=0)
    return replace(webhook, terms=terms, changed=version, redelivery=version, after=after)


RIGHTS: Final[tuple[Right, ...]] = ("create", "referee", "read-public")
