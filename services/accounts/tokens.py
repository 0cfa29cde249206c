"""Tokens, and the secrets that they are made from.

A token is derived from the service's secret by HMAC-SHA256, so that repeating a call gives the
same token again though only its digest was stored. Nobody without the secret can make one.
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
    """Makes tokens, ids and the stamps of commands from the service's secret."""

    def __init__(self, secret: bytes, run: Run | None = None) -> None:
        """`run` is the one that new draws come from; None where the log knows of none."""
        self._secret = secret
        self._run = run
        self._salt_key = self._mac("salts", run.entropy if run else "")

    def token(self, *purpose: str) -> str:
        """The token for this purpose: the same each time, and no other's."""
        return base64.urlsafe_b64encode(self._mac("token", *purpose)).decode().rstrip("=")

    def invitation(self, match: UUID, role: str) -> str:
        """What lets its bearer be, or take, a role of a new match."""
        return self.token("invitation", str(match), role)

    def request_names(self, request_id: str) -> tuple[str, ...]:
        """Return the names by which a request may be stored: its id, where its response holds no
        secret; its key; and the digest that earlier versions stored."""
        return request_id, self.request_key(request_id), token_digest(request_id)

    def request_key(self, request_id: str) -> str:
        """Return a keyed digest of a request's id. It stands for the request in the log, where the
        id itself could be tried out, or would get a secret if it was sent again."""
        return self._mac("request", request_id)[:16].hex()

    def stored_request(self, request_id: str, caller: str) -> str:
        """Return what is stored of a request whose response holds a secret. `caller` identifies who
        made it, as `repetitions.caller_of`; empty for a caller that nothing identifies."""
        key = self.request_key(request_id)
        if not caller:
            return key
        return f"{key}{CALLER_SEPARATOR}{self._mac('caller', request_id, caller)[:16].hex()}"

    def owner_token(self, request_id: str) -> str:
        """The token that this request makes for an owner of armies."""
        name = self._mac("owner", request_id)[:16].hex()
        return f"{self.seal('owner', name)}.{name}"

    def is_owner_token(self, token: str) -> bool:
        """Did we make this token for an owner of armies?"""
        seal, _, name = token.partition(".")
        return hmac.compare_digest(seal.encode(), self.seal("owner", name).encode())

    def name_of(self, place: str) -> str:
        """An opaque name for whoever calls from this place; empty for none."""
        return self.seal("creator", place) if place else ""

    def army_id(self, request_id: str) -> UUID:
        """The id of the army that this request saves."""
        return UUID(bytes=self._mac("army", request_id)[:16], version=4)

    def account_id(self, kind: str, request_id: str) -> UUID:
        """The id of the frontend or player that this request makes."""
        return UUID(bytes=self._mac("account", kind, request_id)[:16], version=4)

    def match_id(self, request_id: str) -> UUID:
        """The id of the match that this request creates."""
        return UUID(bytes=self._mac("match", request_id)[:16], version=4)

    def command_context(
        self,
        aggregate: UUID,
        request: str,
        source: Origin = UNKNOWN_ORIGIN,
        at: datetime | None = None,
    ) -> CommandContext:
        """Return what is recorded of a command to an aggregate: `at` is now unless it is given.

        The salt follows from the secret, the run, the aggregate and the request. A log that was put
        back to what it was is followed by another run, so that no salt that was given out before
        is used again.
        """
        place = aggregate.bytes + request.encode()
        salt = blake2b(place, digest_size=SALT_BYTES, key=self._salt_key).digest()
        return CommandContext(at or utc_now(), request, salt, source)

    def seeds(self, match: UUID) -> RunSeedSource:
        """The secret seeds of a match's draws, by epoch and run.

        The match's id follows from a request id that the client chose, the run is in the log since
        before, and the seed follows from both: the service cannot try seeds until it likes one.
        """

        def seed(epoch: int, entropy: str) -> bytes:
            return self._mac("seed", str(match), str(epoch), *filter(None, (entropy,)))

        return RunSeedSource(seed, self._run)

    def key(self, purpose: str) -> bytes:
        """Return a key of 32 bytes that is used for nothing else than this."""
        return self._mac("key", purpose)

    def seal(self, *content: str) -> str:
        """A short proof that we ourselves wrote this content."""
        return self._mac("seal", *content)[:12].hex()

    def _mac(self, *words: str) -> bytes:
        # Each word goes in with its length, so that no two lists of words are one message.
        message = b"".join(b"%d:%b" % (len(raw), raw) for raw in (w.encode() for w in words))
        return hmac.digest(self._secret, message, sha256)


def token_digest(token: str) -> str:
    """The digest under which a token is stored and compared."""
    return digest(token.encode())
