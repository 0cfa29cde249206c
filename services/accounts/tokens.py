"""Tokens, IDs and seeds, all derived from the service's secret by HMAC-SHA256.

A repeated request therefore gets the same token again, although only its digest is stored. Nobody
can make a token without the secret.
"""

import base64
import hmac
from datetime import datetime
from hashlib import blake2b, sha256
from uuid import UUID

from domain.log.digests import digest
from domain.log.origin import CALLER_SEPARATOR, SALT_BYTES, UNKNOWN_ORIGIN, CommandContext, Origin
from domain.log.runs import Run
from domain.match import RunSeedSource
from services.runtime.clock import utc_now


class TokenIssuer:
    """Derives tokens, IDs and the contexts of commands from the service's secret."""

    def __init__(self, secret: bytes, run: Run | None = None) -> None:
        """Use `run` as the source of new chance draws; None for a log without runs."""
        self._secret = secret
        self._run = run
        self._salt_key = self._mac("salts", run.entropy if run else "")

    def token(self, *purpose: str) -> str:
        """Return the token for this purpose. It is the same each time."""
        return base64.urlsafe_b64encode(self._mac("token", *purpose)).decode().rstrip("=")

    def invitation(self, match: UUID, role: str) -> str:
        """Return the token that gives its bearer a role of a new match."""
        return self.token("invitation", str(match), role)

    def request_names(self, request_id: str) -> tuple[str, ...]:
        """Return all forms in which a request ID may be stored.

        They are the ID itself, for responses without a secret; its key; and the digest that earlier
        versions stored.
        """
        return request_id, self.request_key(request_id), token_digest(request_id)

    def request_key(self, request_id: str) -> str:
        """Return a keyed digest of a request ID, which replaces the ID in the log.

        The plain ID would let a reader of the log repeat the request and get its secret response.
        """
        return self._mac("request", request_id)[:16].hex()

    def stored_request(self, request_id: str, caller: str) -> str:
        """Return the stored form of a request whose response holds a secret.

        Args:
            request_id: ID of the request.
            caller: Identity of the caller, as `idempotency.caller_identity` returns it; empty if it
                is unknown.
        """
        key = self.request_key(request_id)
        if not caller:
            return key
        return f"{key}{CALLER_SEPARATOR}{self._mac('caller', request_id, caller)[:16].hex()}"

    def owner_token(self, request_id: str) -> str:
        """Return the token that this request creates for an owner of armies."""
        name = self._mac("owner", request_id)[:16].hex()
        return f"{self.seal('owner', name)}.{name}"

    def is_owner_token(self, token: str) -> bool:
        """Return whether this service issued the token to an owner of armies."""
        seal, _, name = token.partition(".")
        return hmac.compare_digest(seal.encode(), self.seal("owner", name).encode())

    def name_of(self, place: str) -> str:
        """Return an opaque name for the callers of one network; empty for an empty network."""
        return self.seal("creator", place) if place else ""

    def army_id(self, request_id: str) -> UUID:
        """Return the ID of the army that this request creates."""
        return UUID(bytes=self._mac("army", request_id)[:16], version=4)

    def account_id(self, kind: str, request_id: str) -> UUID:
        """Return the ID of the frontend or player that this request creates."""
        return UUID(bytes=self._mac("account", kind, request_id)[:16], version=4)

    def match_id(self, request_id: str) -> UUID:
        """Return the ID of the match that this request creates."""
        return UUID(bytes=self._mac("match", request_id)[:16], version=4)

    def command_context(
        self,
        aggregate: UUID,
        request: str,
        source: Origin = UNKNOWN_ORIGIN,
        at: datetime | None = None,
    ) -> CommandContext:
        """Return the context that is recorded with a command to an aggregate.

        The salt is derived from the secret, the run, the aggregate and the request. A log that was
        restored from a backup has another run, so that no published salt is used twice.

        Args:
            aggregate: ID of the aggregate.
            request: Stored form of the request ID.
            source: Origin of the command.
            at: Time of the command; now by default.
        """
        place = aggregate.bytes + request.encode()
        salt = blake2b(place, digest_size=SALT_BYTES, key=self._salt_key).digest()
        return CommandContext(at or utc_now(), request, salt, source)

    def seeds(self, match: UUID) -> RunSeedSource:
        """Return the secret seeds of a match's chance draws, by epoch and run.

        Each seed is derived from the match ID, which the client's request ID determines, and from a
        run that is already in the log. So the service cannot choose a favorable seed.
        """

        def seed(epoch: int, entropy: str) -> bytes:
            return self._mac("seed", str(match), str(epoch), *filter(None, (entropy,)))

        return RunSeedSource(seed, self._run)

    def key(self, purpose: str) -> bytes:
        """Return a key of 32 bytes that is used only for this purpose."""
        return self._mac("key", purpose)

    def seal(self, *content: str) -> str:
        """Return a short message authentication code over this content."""
        return self._mac("seal", *content)[:12].hex()

    def _mac(self, *words: str) -> bytes:
        # Each word is prefixed with its length, so that different lists give different messages.
        message = b"".join(b"%d:%b" % (len(raw), raw) for raw in (w.encode() for w in words))
        return hmac.digest(self._secret, message, sha256)


def token_digest(token: str) -> str:
    """Return the digest under which a token is stored and compared."""
    return digest(token.encode())
