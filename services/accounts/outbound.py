"""Calls that the service makes itself, to addresses that others gave: keys of issuers, webhooks.

An address is looked up once, judged, and then called as it was judged, so that no name can lead to
somewhere else in between. No redirection is followed.
"""

import http.client
import socket
import ssl
import time
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, Literal
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

Reach = Literal["no", "public", "any"]
"""What the service may call: nothing, `https` at public addresses, or anything."""

LONGEST_URL: Final = 500
SECONDS: Final = 5.0
"""For a whole call."""
_NAT64: Final = ip_network("64:ff9b::/96")
_PIECE: Final = 16_384


class CallRefused(Exception):  # noqa: N818  an answer of ours, not a fault of theirs
    """The service does not call this address; the text says why."""


class CallFailed(Exception):  # noqa: N818  as above
    """The other side cannot be reached, or did not answer in time or in size."""


class Answered(Struct, frozen=True):
    """What the other side said."""

    status: int
    body: bytes


def check_url(url: str, reach: Reach) -> SplitResult:
    """The parts of a URL that may be called. CallRefused for any other, with nothing looked up."""
    if reach == "no":
        raise CallRefused("this service calls nobody: EMETH_OUTBOUND says so")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise CallRefused("it is no URL") from None
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise CallRefused(f"a URL has at most {LONGEST_URL} printable ASCII characters, no blanks")
    if parts.scheme not in (("https",) if reach == "public" else ("https", "http")):
        raise CallRefused("it begins with https://")
    if not parts.hostname or parts.username is not None or port == 0:
        raise CallRefused("it has a host, and neither user nor password")
    return parts


def addresses(url: str, reach: Reach) -> tuple[SplitResult, list[tuple[str, int]]]:
    """A URL's parts, and where its host is. CallRefused unless every address may be called;
    CallFailed if there is none. Blocks on the network."""
    parts = check_url(url, reach)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise CallFailed(f"there is no host {host}") from None
    places = list(dict.fromkeys((str(each[4][0]), port) for each in found))
    for address, _ in places:
        if reach != "any" and not is_public(address):
            raise CallRefused(f"{host} is at {address}, which is no public address")
    return parts, places


def is_public(address: str) -> bool:
    """May anybody's machine be there? Not at loopback, private, link-local or other reserved
    addresses, in whatever form they are written."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None,))[0]
        if inner is not None:
            return is_public(str(inner))
        if found in _NAT64:
            return False
    return found.is_global and not found.is_multicast


def call(
    url: str,
    reach: Reach,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    most: int = 65_536,
) -> Answered:
    """Call a URL; at most so many bytes of what it answers. CallRefused or CallFailed. Blocks."""
    until = time.monotonic() + SECONDS
    parts, places = addresses(url, reach)
    host = parts.hostname or ""
    try:
        raw = socket.create_connection(places[0], timeout=SECONDS)
        try:
            if parts.scheme == "https":
                raw = ssl.create_default_context().wrap_socket(raw, server_hostname=host)
            return _ask(raw, parts, method, body, headers or {}, most, until)
        finally:
            raw.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CallFailed(f"{host} cannot be called: {error or type(error).__name__}") from None


def _ask(
    raw: socket.socket,
    parts: SplitResult,
    method: str,
    body: bytes,
    headers: dict[str, str],
    most: int,
    until: float,
) -> Answered:
    line = http.client.HTTPConnection(parts.hostname or "", parts.port)
    line.sock = raw
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = {"Host": parts.netloc, "User-Agent": "emeth", "Connection": "close", **headers}
    line.request(method, path, body or None, sent)
    answer = line.getresponse()
    got = bytearray()
    while piece := answer.read1(_PIECE):
        got += piece
        if len(got) > most:
            raise CallFailed(f"the answer has more than {most} bytes")
        if time.monotonic() > until:
            raise CallFailed("the answer took too long")
    return Answered(answer.status, bytes(got))
