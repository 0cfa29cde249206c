"""The Frontend: a site or program that brings players, with its key, its rights and its quotas.

`evolve` applies an event; the functions above it decide which one to record.
"""

from datetime import datetime
from typing import Any, Final, Literal, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Decided, Ledger
from domain.log.sealed_events import Sealed
from domain.log.stamps import Stamp

Right = Literal["create", "referee", "read-public"]
"""What a frontend may do with its key: create matches, be the referee of those that it created,
look at every public match."""


class Quotas(Struct, frozen=True, omit_defaults=True):
    """How much a frontend may have at once, of the matches that it created. 0 is no bound."""

    open_matches: int = 0
    actions_per_minute: int = 0
    watchers: int = 0
    stored_bytes: int = 0


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


class FrontendEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    tag=lambda n: f"frontend.{n}",
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


class Registered(FrontendEvent, frozen=True, kw_only=True):
    """A frontend may call from now on."""

    name: str
    key: str
    """The digest of its key."""
    terms: FrontendTerms


class TermsSet(FrontendEvent, frozen=True, kw_only=True):
    """It has other rights and quotas from now on, or another issuer."""

    terms: FrontendTerms


class KeyRotated(FrontendEvent, frozen=True, kw_only=True):
    """It has another key from now on."""

    key: str


class WebhookSet(FrontendEvent, frozen=True, kw_only=True):
    """Notices to its players are posted to this URL from now on."""

    url: str
    """Empty for none."""
    since: int
    """The log's number of the last event before: what came until then is not posted."""


class Revoked(FrontendEvent, frozen=True, kw_only=True):
    """Its key, and the tokens of its players, open nothing any more."""


Event = Registered | TermsSet | KeyRotated | WebhookSet | Revoked


class Hook(Struct, frozen=True):
    """Where notices are posted, since when."""

    url: str
    since: int
    version: int
    """Of the event that set it: the secret is made from it."""


class Frontend(Struct, frozen=True):
    """A frontend as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    name: str
    key: str
    terms: FrontendTerms
    created: datetime
    revoked: bool = False
    hook: Hook | None = None


class _FrontendLedger(Ledger[Frontend]):
    kind = "frontend"

    def _evolve(self, before: Frontend | None, sealed: Sealed[Any]) -> Frontend:
        return evolve(before, sealed)


def register(
    identity: UUID, name: str, key: str, terms: FrontendTerms, stamp: Stamp
) -> Decided[Frontend]:
    """Let a frontend call. `key` is a digest."""
    ledger = _FrontendLedger(None, identity, stamp)
    ledger.record(Registered, name=name, key=key, terms=terms)
    return ledger.decided()


def set_terms(frontend: Frontend, terms: FrontendTerms, stamp: Stamp) -> Decided[Frontend]:
    """Give a frontend other terms."""
    return _recorded(frontend, stamp, TermsSet, terms=terms)


def rotate_key(frontend: Frontend, key: str, stamp: Stamp) -> Decided[Frontend]:
    """Give a frontend another key, by its digest."""
    return _recorded(frontend, stamp, KeyRotated, key=key)


def set_webhook(frontend: Frontend, url: str, since: int, stamp: Stamp) -> Decided[Frontend]:
    """Have notices posted to a URL, or to none."""
    return _recorded(frontend, stamp, WebhookSet, url=url, since=since)


def revoke(frontend: Frontend, stamp: Stamp) -> Decided[Frontend]:
    """End a frontend."""
    return _recorded(frontend, stamp, Revoked)


def _recorded(
    frontend: Frontend, stamp: Stamp, kind: type[Any], **fields: Any
) -> Decided[Frontend]:
    ledger = _FrontendLedger(frontend, frontend.id, stamp)
    ledger.record(kind, **fields)
    return ledger.decided()


def asked_for(event: Event) -> list[Any]:
    """What the request asked for that made this event: for one that comes again."""
    match event:
        case Registered(name=name, terms=terms):
            return ["register", name, terms]
        case TermsSet(terms=terms):
            return ["set-terms", terms]
        case KeyRotated():
            return ["rotate-key"]
        case WebhookSet(url=url):
            return ["set-webhook", url]
        case Revoked():
            return ["revoke"]
        case unreachable:
            assert_never(unreachable)


def evolve(frontend: Frontend | None, sealed: Sealed[Event]) -> Frontend:
    """The frontend after an event."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, Registered):
        return Frontend(
            event.frontend, event.version, digest, event.name, event.key, event.terms, event.at
        )
    assert frontend is not None, "a frontend is registered before all else"
    frontend = replace(frontend, version=event.version, digest=digest)
    match event:
        case TermsSet(terms=terms):
            return replace(frontend, terms=terms)
        case KeyRotated(key=key):
            return replace(frontend, key=key)
        case WebhookSet(url=url, since=since):
            return replace(frontend, hook=Hook(url, since, event.version) if url else None)
        case Revoked():
            return replace(frontend, revoked=True)
        case unreachable:
            assert_never(unreachable)


RIGHTS: Final[tuple[Right, ...]] = ("create", "referee", "read-public")
