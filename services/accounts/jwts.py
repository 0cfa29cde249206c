"""JSON Web Tokens of the issuers of frontends, verified with the issuers' public keys."""

import asyncio
import time
from typing import Any, Final
from uuid import UUID

import jwt
from jwt.exceptions import InvalidSubjectError
from msgspec import Struct

from domain.frontend import Frontend, Issuer
from services.runtime.errors import ApiError, Reason
from services.runtime.outbound import CallFailed, CallRefused, OutboundPolicy, http_request

ALGORITHMS: Final = ("RS256", "PS256", "ES256", "ES384", "EdDSA")
"""Accepted signature algorithms. All are asymmetric: the service shares no secret with an
issuer."""
MAX_JWK_SET_BYTES: Final = 65_536
"""Maximum size of a JWK Set in bytes."""
MAX_KEYS: Final = 20
LEEWAY_SECONDS: Final = 10
"""Accepted difference between the issuer's clock and ours."""
KEY_CACHE_SECONDS: Final = 600.0
"""How long keys that were fetched stay in the cache."""
MIN_REFETCH_SECONDS: Final = 15.0
"""Shortest time between two requests for the keys of one issuer."""

_FAULTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (jwt.ExpiredSignatureError, "expired"),
    (jwt.ImmatureSignatureError, "not-yet-valid"),
    (jwt.InvalidIssuedAtError, "not-yet-valid"),
    (jwt.InvalidAudienceError, "audience"),
    (jwt.InvalidIssuerError, "issuer"),
    (jwt.MissingRequiredClaimError, "claims"),
    (InvalidSubjectError, "claims"),
    (jwt.InvalidAlgorithmError, "algorithm"),
    (jwt.InvalidSignatureError, "signature"),
)
"""The `fault` of JWT_INVALID for each exception of the library; `unreadable` for all others."""


class Claims(Struct, frozen=True):
    """Verified claims of a token."""

    subject: str
    name: str
    """Display name of the player; empty if the token has none."""
    expires: float
    """Expiry time in seconds since 1970."""


class _CachedKeySet(Struct, frozen=True):
    keys: jwt.PyJWKSet | None
    at: float
    """Time of the request, by the monotonic clock."""


def jwt_error(fault: str, why: str) -> ApiError:
    """Return JWT_INVALID with a machine-readable `fault`."""
    return ApiError(Reason.JWT_INVALID, f"the JSON Web Token is invalid: {why}", fault=fault)


def issuer_of(token: str) -> str:
    """Return the issuer that a token claims, before anything is verified.

    Raises:
        ApiError: JWT_INVALID if the token cannot be decoded or names no issuer.
    """
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.PyJWTError:
        raise jwt_error("unreadable", "it cannot be decoded") from None
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or not issuer:
        raise jwt_error("issuer", "its claim `iss`, the issuer, is missing")
    return issuer


def parse_jwk_set(text: str) -> jwt.PyJWKSet:
    """Parse a JWK Set of public keys. Raise ValueError if it is not valid or has other keys."""
    if len(text) > MAX_JWK_SET_BYTES:
        raise ValueError(f"a JWK Set has at most {MAX_JWK_SET_BYTES} bytes")
    try:
        keys = jwt.PyJWKSet.from_json(text)
    except (
        jwt.PyJWTError, ValueError, TypeError, AttributeError, KeyError, RecursionError,
    ):  # fmt: skip
        raise ValueError("it is no JWK Set with a key that can be used") from None
    if len(keys.keys) > MAX_KEYS:
        raise ValueError(f"a JWK Set has at most {MAX_KEYS} keys")
    for key in keys.keys:
        if key.algorithm_name not in ALGORITHMS:
            raise ValueError(f"its keys are for {', '.join(ALGORITHMS)}")
        if hasattr(key.key, "private_bytes"):
            raise ValueError("it has a private key: publish the public ones")
    return keys


class JwtKeys:
    """Public keys of all issuers, as registered or as fetched from their URLs."""

    def __init__(self, outbound_policy: OutboundPolicy) -> None:
        self._outbound_policy = outbound_policy
        self._parsed: dict[tuple[UUID, int], jwt.PyJWKSet] = {}
        self._fetched: dict[str, _CachedKeySet] = {}
        self._fetch_locks: dict[str, asyncio.Lock] = {}

    issuer_of = staticmethod(issuer_of)

    async def claims(self, frontend: Frontend, issuer: Issuer, token: str) -> Claims:
        """Verify a token of this issuer, and return its claims.

        Raises:
            ApiError: JWT_INVALID if the token is not valid; JWT_KEYS_UNAVAILABLE if the keys cannot
                be fetched.
        """
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            raise jwt_error("unreadable", "it cannot be decoded") from None
        algorithm = head.get("alg")
        if algorithm not in ALGORITHMS:
            raise jwt_error("algorithm", f"its algorithm must be one of {', '.join(ALGORITHMS)}")
        key = await self._key(frontend, issuer, head.get("kid"))
        if key.algorithm_name != algorithm and not _names_algorithm(key, algorithm):
            raise jwt_error(
                "algorithm", f"its algorithm is {algorithm}, but its key is for another algorithm"
            )
        return _verify(token, key, algorithm, issuer)

    async def _key(self, frontend: Frontend, issuer: Issuer, name: Any) -> jwt.PyJWK:
        """Return the issuer's key with this ID, or its only key for a token without a key ID."""
        found = _key_by_id(await self._keys(frontend, issuer, KEY_CACHE_SECONDS), name)
        if found is None and issuer.keys_url:
            found = _key_by_id(await self._keys(frontend, issuer, MIN_REFETCH_SECONDS), name)
        if found is None:
            raise jwt_error("key", "it is signed with a key that its issuer has not published")
        return found

    async def _keys(self, frontend: Frontend, issuer: Issuer, fresh: float) -> jwt.PyJWKSet:
        """Return the issuer's keys, fetched at most `fresh` seconds ago."""
        if not issuer.keys_url:
            place = (frontend.id, frontend.version)
            if place not in self._parsed:
                self._parsed[place] = parse_jwk_set(issuer.keys)
            return self._parsed[place]
        async with self._fetch_locks.setdefault(issuer.keys_url, asyncio.Lock()):
            known = self._fetched.get(issuer.keys_url)
            if known is not None and known.keys is None:
                fresh = MIN_REFETCH_SECONDS  # a failed fetch is retried sooner
            if known is None or time.monotonic() - known.at > fresh:
                keys = await self._fetch(issuer.keys_url)
                # If the fetch fails, the cached keys stay in use.
                keys = keys or (known.keys if known else None)
                known = self._fetched[issuer.keys_url] = _CachedKeySet(keys, time.monotonic())
            if known.keys is None:
                raise ApiError(Reason.JWT_KEYS_UNAVAILABLE)
            return known.keys

    async def _fetch(self, url: str) -> jwt.PyJWKSet | None:
        try:
            answered = await http_request(url, self._outbound_policy, max_bytes=MAX_JWK_SET_BYTES)
            if answered.status != 200:
                return None
            return await asyncio.to_thread(parse_jwk_set, answered.body.decode())
        except (CallRefused, CallFailed, ValueError):
            return None


def _key_by_id(keys: jwt.PyJWKSet, name: Any) -> jwt.PyJWK | None:
    if name is None:
        return keys.keys[0] if len(keys.keys) == 1 else None
    return next((key for key in keys.keys if key.key_id == name), None)


def _names_algorithm(key: jwt.PyJWK, algorithm: str) -> bool:
    """Return whether a key fits an algorithm: an RSA key that names none fits both RSA schemes."""
    return (
        key.key_type == "RSA" and algorithm in ("RS256", "PS256") and not _names_its_algorithm(key)
    )


def _names_its_algorithm(key: jwt.PyJWK) -> bool:
    return bool(key._jwk_data.get("alg"))


def _verify(token: str, key: jwt.PyJWK, algorithm: str, issuer: Issuer) -> Claims:
    try:
        claims = jwt.decode(
            token,
            key.key,
            algorithms=[algorithm],
            audience=issuer.audience,
            issuer=issuer.name,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        expires = float(claims["exp"])
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError) as error:
        fault = next((word for kind, word in _FAULTS if isinstance(error, kind)), "unreadable")
        raise jwt_error(fault, f"{error}") from None
    name = claims.get("name", "")
    return Claims(claims["sub"], name if isinstance(name, str) else "", expires)
