"""Outbound HTTP calls to URLs that others gave: webhooks, issuers' keys, witnesses.

The host of a URL is resolved once. Its addresses are checked, and the connection goes to one of
them, so DNS rebinding gains nothing. The certificate must still match the host name. Redirects are
not followed. One deadline covers the whole call: resolution, connection, TLS, head and body. No
call occupies a thread, so an unresponsive server delays nobody else.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult
    from yarl import URL

OutboundPolicy = Literal["no", "public", "any"]
"""Which URLs the service may call: none, `https` at public addresses, or any."""

MAX_URL_LENGTH: Final = 500
SECONDS: Final = 5.0
"""Deadline of a whole call, from the resolution of the host name to the end of the body."""

_PORTS: Final = {"https": 443, "http": 80}
_GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""All IPv6 addresses that IANA has assigned to the public Internet. Others are translated to or
lead to IPv4 addresses, or to machines nearby (`::127.0.0.1`, `64:ff9b:1::/48`, `fec0::/10`)."""
_NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            "2001::/23",  # IETF protocol assignments: Teredo, ORCHID, benchmarking
            "2001:db8::/32",  # documentation
            "2620:4f:8000::/48",  # AS112, which answers for private addresses
            "3fff::/20",  # documentation
            "168.63.129.16/32",  # the host of a virtual machine at Azure
            "192.0.0.0/24",  # IETF protocol assignments
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # automatic multicast tunneling
            "192.88.99.0/24",  # relays of 6to4
            "192.175.48.0/24",  # AS112
        ),
    )
)
"""Special-purpose addresses of IANA's registries that some versions of `ipaddress` call global, and
addresses that cloud providers answer themselves."""
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
"""The third quarter of an IPv6 address whose last quarter is an IPv4 address (RFC 5214)."""


class CallRefused(Exception):  # noqa: N818  a decision, not a fault
    """The service does not call this address; the text says why."""


class CallFailed(Exception):  # noqa: N818  as above
    """The server is unreachable, or its response was late or too large."""


class HttpResponse(Struct, frozen=True):
    """The response to an outbound call."""

    status: int
    body: bytes


def check_url(url: str, policy: OutboundPolicy) -> "URL":
    """Return a parsed URL that may be called, without resolving it. Raises CallRefused."""
    from yarl import URL  # loaded with the first call: most services make none

    if policy == "no":
        raise CallRefused("outbound calls are disabled by EMETH_OUTBOUND")
    if len(url) > MAX_URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
        raise CallRefused(
            f"a URL has at most {MAX_URL_LENGTH} printable ASCII characters, no blanks"
        )
    try:
        parts = URL(url, encoded=True)
        host, port, named = parts.raw_host, parts.explicit_port, "@" in parts.raw_authority
    except ValueError:
        raise CallRefused("it is not a URL") from None
    if parts.scheme not in (("https",) if policy == "public" else tuple(_PORTS)):
        raise CallRefused("it must begin with https://")
    if not host or named or port == 0:
        raise CallRefused("it needs a host, and no user or password")
    return parts


async def resolve_addresses(url: str, policy: OutboundPolicy) -> tuple[str, ...]:
    """Return the addresses of a URL's host, all of which may be called.

    Raises:
        CallRefused: The URL, or an address of its host, may not be called.
        CallFailed: The host has no address, or was not resolved before the deadline.
    """
    parts = check_url(url, policy)
    try:
        async with asyncio.timeout(SECONDS):
            return tuple(each["host"] for each in await _allowed_addresses(parts, policy))
    except TimeoutError:
        raise CallFailed(f"no address of {parts.raw_host} was found in {SECONDS:g} s") from None


def is_public(address: str) -> bool:
    """Return whether an address belongs to the public Internet, in whatever form it is written.

    Loopback, private, link-local, multicast and reserved addresses do not, nor do IPv6 addresses
    that embed such an IPv4 address.
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found not in _GLOBAL_UNICAST:
            return False
        if (inner := _embedded(found)) is not None and not is_public(str(inner)):
            return False
    special = any(found in each for each in _NOT_PUBLIC)
    return found.is_global and not found.is_multicast and not found.is_reserved and not special


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address to which a router may forward packets for an IPv6 address."""
    if address.sixtofour is not None:
        return address.sixtofour
    raw = int(address)
    return IPv4Address(raw & 0xFFFF_FFFF) if (raw >> 32) & 0xFFFF_FFFF in _ISATAP else None


async def http_request(
    url: str,
    policy: OutboundPolicy,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    max_bytes: int = 65_536,
) -> HttpResponse:
    """Call a URL and return the response.

    Args:
        url: The URL.
        policy: Which URLs may be called.
        method: The HTTP method.
        body: The request body.
        headers: Request headers in addition to the default ones.
        max_bytes: Maximum size of the response body in bytes.

    Raises:
        CallRefused: The URL, or an address of its host, may not be called.
        CallFailed: There was no complete response before the deadline, or it is too large.
    """
    parts = check_url(url, policy)
    try:
        async with asyncio.timeout(SECONDS):
            places = await _allowed_addresses(parts, policy)
            return await _send(parts, places, method, body, headers or {}, max_bytes)
    except TimeoutError:
        raise CallFailed(f"{parts.raw_host} did not answer in {SECONDS:g} s") from None


async def _allowed_addresses(parts: "URL", policy: OutboundPolicy) -> list["ResolveResult"]:
    """Resolve a host and check all its addresses: one forbidden address is enough to refuse."""
    await asyncio.to_thread(import_module, "aiohttp")  # slow, and most services never need it
    from aiohttp import AsyncResolver

    host, resolver = parts.raw_host or "", AsyncResolver()
    try:
        port = parts.port or _PORTS[parts.scheme]
        places = await resolver.resolve(host, port, socket.AF_UNSPEC)
    except (OSError, ValueError):
        raise CallFailed(f"there is no host {host}") from None
    finally:
        await resolver.close()
    for each in places:
        if policy != "any" and not is_public(each["host"]):
            raise CallRefused(f"{host} is at {each['host']}, which is no public address")
    return places


async def _send(
    parts: "URL",
    places: list["ResolveResult"],
    method: str,
    body: bytes,
    headers: Mapping[str, str],
    max_bytes: int,
) -> HttpResponse:
    import aiohttp
    from aiohttp.abc import AbstractResolver

    class Pinned(AbstractResolver):
        """A resolver that returns only the addresses that were checked."""

        async def resolve(self, *_: object, **__: object) -> list["ResolveResult"]:
            return places

        async def close(self) -> None:
            pass

    connector = aiohttp.TCPConnector(
        resolver=Pinned(), ssl=_tls(), force_close=True, use_dns_cache=False
    )
    async with aiohttp.ClientSession(
        connector=connector,
        auto_decompress=False,  # no decompression bombs
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"User-Agent": "emeth", "Accept-Encoding": "identity"},
        timeout=aiohttp.ClientTimeout(),  # the caller has one deadline for all
    ) as session:
        try:
            async with session.request(
                method, parts, data=body or None, headers=headers, allow_redirects=False
            ) as response:
                got = bytearray()
                async for piece in response.content.iter_any():
                    got += piece
                    if len(got) > max_bytes:
                        raise CallFailed(f"the answer has more than {max_bytes} bytes")
                return HttpResponse(response.status, bytes(got))
        except CallFailed:
            raise
        except Exception as error:  # whatever aiohttp raises for a malformed response
            why = str(error) or type(error).__name__
            raise CallFailed(f"{parts.raw_host} cannot be called: {why}") from None


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return the TLS context, which reads the system's certificates once."""
    return ssl.create_default_context()
