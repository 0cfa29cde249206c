"""JSON Web Tokens of frontends' own issuers, checked against their published keys."""

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
"""Those with public keys. Nobody signs with a secret that we would have to share, or not at all."""
MAX_JWK_SET_BYTES: Final = 65_536
"""Bytes of a JWK Set."""
MAX_KEYS: Final = 20
LEEWAY_SECONDS: Final = 10
"""By how much the issuer's clock may differ from ours."""
KEY_CACHE_SECONDS: Final = 600.0
"""How long fetched keys are used."""
MIN_REFETCH_SECONDS: Final = 15.0
"""Between two calls for the keys of one issuer, at least."""

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
"""What is wrong with a token, by what the library raises; anything else is unreadable."""


class Claims(Struct, frozen=True):
    """Whom a token is about."""

    subject: str
    name: str
    """Empty if it does not say."""
    expires: float
    """Seconds since 1970."""


class _CachedKeySet(Struct, frozen=True):
    keys: jwt.PyJWKSet | None
    at: float
    """When, by the steady clock."""


def jwt_error(fault: str, why: str) -> ApiError:
    """JWT_INVALID, with what is wrong in a word for programs."""
    return ApiError(Reason.JWT_INVALID, f"the JSON Web Token: {why}", fault=fault)


def issuer_of(token: str) -> str:
    """Who claims to have signed a token. Nothing is believed yet."""
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.PyJWTError:
        raise jwt_error("unreadable", "it cannot be read") from None
    issuer = claims.get("iss")
    if not isinstance(issuer, str) or not issuer:
        raise jwt_error("issuer", "it does not say who signed it, in `iss`")
    return issuer


def parse_jwk_set(text: str) -> jwt.PyJWKSet:
    """The public keys of a JWK Set. ValueError for what is none, or has others."""
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
    """The keys of all issuers, as they were registered or are published."""

    def __init__(self, reach: OutboundPolicy) -> None:
        self._reach = reach
        self._given: dict[tuple[UUID, int], jwt.PyJWKSet] = {}
        self._fetched: dict[str, _CachedKeySet] = {}
        self._asking: dict[str, asyncio.Lock] = {}

    issuer_of = staticmethod(issuer_of)

    async def claims(self, frontend: Frontend, issuer: Issuer, token: str) -> Claims:
        """What a token of this issuer says. JWT_INVALID for one that is not good."""
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            raise jwt_error("unreadable", "it cannot be read") from None
        algorithm = head.get("alg")
        if algorithm not in ALGORITHMS:
            raise jwt_error("algorithm", f"it is signed by one of {', '.join(ALGORITHMS)}")
        key = await self._key(frontend, issuer, head.get("kid"))
        if key.algorithm_name != algorithm and not _names_algorithm(key, algorithm):
            raise jwt_error("algorithm", f"it is signed by {algorithm}, and its key is for another")
        return _verify(token, key, algorithm, issuer)

    async def _key(self, frontend: Frontend, issuer: Issuer, name: Any) -> jwt.PyJWK:
        """The issuer's key of this name; its only one for a token that names none."""
        found = _key_by_id(await self._keys(frontend, issuer, KEY_CACHE_SECONDS), name)
        if found is None and issuer.keys_url:
            found = _key_by_id(await self._keys(frontend, issuer, MIN_REFETCH_SECONDS), name)
        if found is None:
            raise jwt_error("key", "it is signed with a key that its issuer has not published")
        return found

    async def _keys(self, frontend: Frontend, issuer: Issuer, fresh: float) -> jwt.PyJWKSet:
        """The issuer's keys, fetched no longer ago than this."""
        if not issuer.keys_url:
            place = (frontend.id, frontend.version)
            if place not in self._given:
                self._given[place] = parse_jwk_set(issuer.keys)
            return self._given[place]
        async with self._asking.setdefault(issuer.keys_url, asyncio.Lock()):
            known = self._fetched.get(issuer.keys_url)
            if known is not None and known.keys is None:
                fresh = MIN_REFETCH_SECONDS  # one that could not be reached may be back soon
            if known is None or time.monotonic() - known.at > fresh:
                keys = await self._fetch(issuer.keys_url)
                # One that cannot be reached now keeps the keys that it had.
                keys = keys or (known.keys if known else None)
                known = self._fetched[issuer.keys_url] = _CachedKeySet(keys, time.monotonic())
            if known.keys is None:
                raise ApiError(Reason.JWT_KEYS_UNAVAILABLE)
            return known.keys

    async def _fetch(self, url: str) -> jwt.PyJWKSet | None:
        try:
            answered = await http_request(url, self._reach, most=MAX_JWK_SET_BYTES)
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
    """May this key be used so? An RSA key that names no algorithm is good for both of RSA's."""
    return key.key_type == "RSA" and algorithm in ("RS256", "PS256") and not _pinned(key)


def _pinned(key: jwt.PyJWK) -> bool:
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
