"""The Frontend: a site or program that brings players, with its keys, rights, quotas and webhooks.

`evolve` applies an event; the functions above it decide which one to record.
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
"""What a frontend may do with its key: create matches, be the referee of those that it created,
look at every public match."""


class Quotas(Struct, frozen=True, omit_defaults=True):
    """How much a frontend may have at once, of the matches that it created. 0 is no bound."""

    open_matches: int = 0
    actions_per_minute: int = 0
    watchers: int = 0
    stored_bytes: int = 0
    player_actions_per_minute: int = 0
    """Of one player, or of one seat that no player of a frontend holds."""


class Issuer(Struct, frozen=True, omit_defaults=True):
    """Who signs JSON Web Tokens for a frontend's players."""

    name: str
    """What `iss` of its tokens is."""
    audience: str
    keys: str = ""
    """Its public keys, as the JSON text of a JWK Set; empty if they are at the URL."""
    keys_url: str = ""


class FrontendTerms(Struct, frozen=True, omit_defaults=True):
    """What a frontend may do, how much, and who signs for its players."""

    rights: tuple[Right, ...] = ()
    quotas: Quotas = Quotas()
    issuer: Issuer | None = None


class WebhookTerms(Struct, frozen=True, omit_defaults=True):
    """Where notices are posted, and which."""

    id: UUID
    url: str
    since: int
    """The log's number of the last event before the webhook was created: what came until then is
    not posted."""
    kinds: tuple[str, ...] = ()
    """Kinds of notices; empty for all."""
    games: tuple[str, ...] = ()
    """Slugs of games; empty for all."""


class FrontendEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """What every event of a frontend has."""

    frontend: UUID
    version: int
    """Counted from 1 in each frontend."""
    at: datetime
    request: str
    """A digest of the client's id of the request, so that a repetition records nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the frontend."""
        return self.frontend


class FrontendRegistered(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Registered"):
    """A frontend was created."""

    name: str
    key: str
    """The digest of its key."""
    terms: FrontendTerms
    webhooks: tuple[WebhookTerms, ...] = ()


class FrontendUpdated(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Updated"):
    """Some of a frontend's fields have other values from now on: those that are set here."""

    asked: str
    """A digest of the request, by which a repetition is known."""
    name: str = ""
    terms: FrontendTerms | None = None
    webhooks: tuple[WebhookTerms, ...] | None = None
    """All webhooks that the frontend has from now on."""


class FrontendKeyRotated(FrontendEvent, frozen=True, kw_only=True, tag="frontend.KeyRotated"):
    """The frontend has another key from now on."""

    key: str
    until: datetime | None = None
    """When the key before it stops working; None for at once."""
    overlap_ms: int | None = None
    """The term that the request asked for; None for the usual one."""


class NoticesRedelivered(
    FrontendEvent, frozen=True, kw_only=True, tag="frontend.NoticesRedelivered"
):
    """Notices are posted to a webhook again, and then what follows."""

    webhook: UUID
    after: int
    """The number of the notice before the first."""
    start: str
    """Where the request asked to start."""


class TermsSet(FrontendEvent, frozen=True, kw_only=True, tag="frontend.TermsSet"):
    """A frontend has other rights and quotas, or another issuer. Recorded by earlier versions."""

    terms: FrontendTerms


class WebhookSet(FrontendEvent, frozen=True, kw_only=True, tag="frontend.WebhookSet"):
    """A frontend has this webhook alone. Recorded by earlier versions."""

    url: str
    """Empty for none."""
    since: int
    """The log's number of the last event before: what came until then is not posted."""


class FrontendRevoked(FrontendEvent, frozen=True, kw_only=True, tag="frontend.Revoked"):
    """The frontend is deleted: its keys, and the tokens of its players, stop working."""


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
    """A webhook as it stands."""

    terms: WebhookTerms
    created: datetime
    version: int
    """Of the event that created it: its secret is derived from this."""
    changed: int
    """Version of the last event that changed it, or that had notices posted again."""
    redelivery: int = 0
    """Version of the last event that had notices posted again; 0 for none."""
    after: int = 0
    """The number of the notice before the first of these."""

    @property
    def id(self) -> UUID:
        """The webhook's id."""
        return self.terms.id


class Key(Struct, frozen=True, omit_defaults=True):
    """A key of a frontend."""

    digest: str
    created: datetime
    until: datetime | None = None
    """When it stops working; None for the present key."""


class Frontend(Struct, frozen=True):
    """A frontend as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    name: str
    keys: tuple[Key, ...]
    """The present key, then the one before it if that may still be valid."""
    terms: FrontendTerms
    created: datetime
    webhooks: tuple[Webhook, ...] = ()
    deleted: datetime | None = None

    def webhook(self, identity: UUID) -> Webhook | None:
        """Return a webhook by its id, or None if the frontend has no such webhook."""
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
    """Create a frontend. `key` is a digest."""
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
    """Give some of a frontend's fields other values: those that are not empty or None."""
    return _recorded(
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
    """Give a frontend another key, by its digest; the present one stays valid for a term."""
    until = command_context.at + overlap if overlap else None
    return _recorded(
        frontend, command_context, FrontendKeyRotated, key=key, until=until, overlap_ms=overlap_ms
    )


def redeliver(
    frontend: Frontend, webhook: UUID, after: int, start: str, command_context: CommandContext
) -> Changeset[Frontend]:
    """Have notices posted to a webhook again: those after this number."""
    return _recorded(
        frontend, command_context, NoticesRedelivered, webhook=webhook, after=after, start=start
    )


def revoke(frontend: Frontend, command_context: CommandContext) -> Changeset[Frontend]:
    """Delete a frontend."""
    return _recorded(frontend, command_context, FrontendRevoked)


def _recorded(
    frontend: Frontend, command_context: CommandContext, kind: type[Any], **fields: Any
) -> Changeset[Frontend]:
    ledger = _FrontendLedger(frontend, frontend.id, command_context)
    ledger.record(kind, **fields)
    return ledger.changeset()


def webhooks_payload(webhooks: tuple[WebhookTerms, ...]) -> list[Any]:
    """Return what a request asked for that made these webhooks: nothing if there is none. What the
    service chose is left out."""
    return [[[each.url, each.kinds, each.games] for each in webhooks]] if webhooks else []


def request_payload(event: Event) -> list[Any]:
    """Return what the request asked for that made this event, to compare a repetition with."""
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
                    _redelivered(each, event.version, after) if each.id == identity else each
                    for each in frontend.webhooks
                ),
            )
        case TermsSet(terms=terms):
            return replace(frontend, terms=terms)
        case WebhookSet(url=url, since=since):
            # Its one webhook had no id of its own. Each time it was set, it was a new one.
            only = (WebhookTerms(frontend.id, url, since),) if url else ()
            return replace(frontend, webhooks=_webhooks((), only, event))
        case FrontendRevoked():
            return replace(frontend, deleted=frontend.deleted or event.at)
        case unreachable:
            assert_never(unreachable)


def _webhooks(
    before: tuple[Webhook, ...], terms: tuple[WebhookTerms, ...], event: Event
) -> tuple[Webhook, ...]:
    """Return the webhooks with these terms: those that were there before stay what they are."""
    known = {each.id: each for each in before}
    return tuple(
        Webhook(each, event.at, event.version, event.version)
        if (held := known.get(each.id)) is None
        else held
        if held.terms == each
        else replace(held, terms=each, changed=event.version)
        for each in terms
    )


def _redelivered(webhook: Webhook, version: int, after: int) -> Webhook:
    """Return a webhook to which notices are posted again, also of events from before it."""
    terms = replace(webhook.terms, since=0)
    return replace(webhook, terms=terms, changed=version, redelivery=version, after=after)


RIGHTS: Final[tuple[Right, ...]] = ("create", "referee", "read-public")
