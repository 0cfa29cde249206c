"""One-time codes, typed or scanned: to set up a gateway, and to let a stylus tap for a seat.

A code lives for ten minutes in the memory of the service that issued it. After a restart, a new
code has to be requested. The effect of a code is recorded where it is used.
"""

import base64
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.log.digests import digest
from services.accounts.tokens import TokenIssuer
from services.runtime.errors import ApiError, Reason

LIFETIME_SECONDS: Final = 600.0
"""How long a code is valid."""
MAX_CODES: Final = 10_000
"""Maximum number of valid codes. The oldest are dropped first."""
CODE_LENGTH: Final = 10
"""Characters of a code: 50 bits, too many to guess in ten minutes."""

Kind = Literal["gateway", "taps"]


class OneTimeCode(Struct, frozen=True):
    """A one-time code, with its expiry."""

    code: str
    """The code for people: two groups of five digits or letters, without I, L, O and U."""
    expires: datetime


class _PendingCode(Struct, frozen=True):
    kind: Kind
    means: Any
    expires: float
    used_by: str = ""
    """ID of the request that redeemed the code; a repeated request may redeem it again."""


class OneTimeCodes:
    """The one-time codes of a service."""

    def __init__(self, token_issuer: TokenIssuer, clock: Callable[[], float] = time.time) -> None:
        self.token_issuer = token_issuer
        self._clock = clock
        self._codes: dict[str, _PendingCode] = {}

    def issue(self, kind: Kind, request_id: str, means: Any) -> OneTimeCode:
        """Return a new code for a purpose; the same code for the same request."""
        code = _format_code(self.token_issuer.token("code", kind, request_id))
        name = digest(code.encode())
        self._forget()
        kept = self._codes.get(name)
        if kept is None:
            kept = self._codes[name] = _PendingCode(kind, means, self._clock() + LIFETIME_SECONDS)
        return OneTimeCode(f"{code[:5]}-{code[5:]}", datetime.fromtimestamp(kept.expires, UTC))

    def redeem(self, kind: Kind, typed: str, request_id: str) -> Any:
        """Return the purpose of a code, once. Raises ApiError(CODE_INVALID) for any other code."""
        name = digest(_normalize_code(typed).encode())
        self._forget()
        kept = self._codes.get(name)
        if kept is None or kept.kind != kind or kept.used_by not in ("", request_id):
            raise ApiError(Reason.CODE_INVALID)
        self._codes[name] = replace(kept, used_by=request_id)
        return kept.means

    def give_back(self, typed: str) -> None:
        """Make a code valid again, since its use has failed."""
        name = digest(_normalize_code(typed).encode())
        if name in self._codes:
            self._codes[name] = replace(self._codes[name], used_by="")

    def _forget(self) -> None:
        """Remove expired codes; codes are stored in order of expiry."""
        now = self._clock()
        while self._codes:
            name, oldest = next(iter(self._codes.items()))
            if oldest.expires > now and len(self._codes) < MAX_CODES:
                return
            del self._codes[name]


_CROCKFORD: Final = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)
_LOOKALIKES: Final = str.maketrans("ILO", "110", "- ")


def _format_code(token: str) -> str:
    """Return a code of letters without lookalikes, derived from a token."""
    raw = bytes.fromhex(digest(token.encode()))
    return base64.b32encode(raw).decode()[:CODE_LENGTH].translate(_CROCKFORD)


def _normalize_code(typed: str) -> str:
    """Return a code in its canonical form, however it was typed."""
    return typed[:40].upper().translate(_LOOKALIKES)
