"""The hosts that the HTTP port answers for: a protection against DNS rebinding.

A page of another site can have its own name point to this machine, and then calls as if it was of
the same origin. Its requests name that site as their `Host`, so a service answers only for hosts
that nobody else can claim:

- `localhost`, names below it, and loopback addresses;
- the host of `EMETH_HTTP`;
- the hosts of the origins in `EMETH_CORS`; all hosts if that is `*`, since then any page may call;
- the names and addresses in the TLS certificate;
- where other machines can call: every IP address, the machine's own name, and names that public DNS
  never has, which are names without a dot and names below `.local` and `.internal`.
"""

import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography.x509 import DNSName, IPAddress, SubjectAlternativeName, load_pem_x509_certificates
from cryptography.x509.extensions import ExtensionNotFound
from starlette.types import ASGIApp, Receive, Scope, Send

from services.runtime.errors import ApiError, Reason
from services.runtime.settings import Settings, is_loopback
from services.transport.connect_errors import RequestFault

Address = IPv4Address | IPv6Address

HOST_PATTERN: Final = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?)\.?)"
    r"(?::(?P<port>[0-9]{0,5}))?",
    re.IGNORECASE | re.ASCII,
)
"""The `Host` header of RFC 9112, without percent-encoded names."""
MAX_PORT: Final = 65_535
LOCALHOST: Final = "localhost"
MAX_CACHED_HOSTS: Final = 1000
HINT: Final = "add its origin, such as https://{host}, to EMETH_CORS"
MAX_QUOTED_LENGTH: Final = 100
PRIVATE_SUFFIXES: Final = (".local", ".internal")
"""Top-level domains that are reserved for private networks (RFC 6762, ICANN resolution of 2024)."""


class AllowedHosts:
    """The hosts that a service answers for."""

    def __init__(self, settings: Settings) -> None:
        """Collect the hosts from the settings.

        Raises:
            OSError: The certificate cannot be read.
            ValueError: The certificate is not valid.
        """
        origins = [each.strip() for each in settings.cors.split(",")]
        listening = settings.http.rpartition(":")[0]
        self._allows_any = "*" in origins
        self._private = bool(settings.http) and not is_loopback(settings.http)
        names = {LOCALHOST, *map(_host_of_url, (f"//{listening}", *origins))}
        if self._private:
            own = socket.gethostname().lower()
            names |= {own, f"{own.partition('.')[0]}.local"}
        if settings.tls_certificate:
            names |= _certificate_hosts(Path(settings.tls_certificate))
        self._names = frozenset(names - {""})

    def __contains__(self, host: str) -> bool:
        """Return whether the service answers for a lower-case host name or an address."""
        if self._allows_any or host in self._names:
            return True
        try:
            return self._has_address(ip_address(host))
        except ValueError:
            return self._has_name(host)

    def _has_address(self, address: Address) -> bool:
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return self._private or (mapped or address).is_loopback

    def _has_name(self, name: str) -> bool:
        if name.endswith(f".{LOCALHOST}") or f"*.{name.partition('.')[2]}" in self._names:
            return True
        # A numeric top-level domain is not a name: browsers read it as an IPv4 address.
        is_private = "." not in name or name.endswith(PRIVATE_SUFFIXES)
        return self._private and is_private and not name.rpartition(".")[2].isdigit()


def _host_of_url(url: str) -> str:
    """Return the host of a URL; empty if there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _certificate_hosts(path: Path) -> set[str]:
    """Return the DNS names and addresses in the first certificate of a file.

    Names with a wildcard begin with `*.`.
    """
    certificate = load_pem_x509_certificates(path.read_bytes())[0]
    try:
        found = certificate.extensions.get_extension_for_class(SubjectAlternativeName)
    except ExtensionNotFound:
        return set()
    names = found.value.get_values_for_type(DNSName)
    addresses = found.value.get_values_for_type(IPAddress)
    return {str(each).lower() for each in (*names, *addresses)}


def parse_host(header: str) -> str | None:
    """Return the host of a `Host` header, or None if the header is not valid.

    The result is in lower case, without brackets, port and final dot.

    >>> parse_host("Emeth.example:443"), parse_host("[::1]:80"), parse_host("a b"), parse_host("")
    ('emeth.example', '::1', None, None)
    """
    found = HOST_PATTERN.fullmatch(header.strip(" \t"))
    if found is None or int(found["port"] or 0) > MAX_PORT:
        return None
    if found["v6"] is None:
        return found["name"].lower()
    try:
        return str(IPv6Address(found["v6"]))
    except ValueError:
        return None


class HostCheck:
    """An ASGI middleware that passes on requests for allowed hosts and refuses all others.

    It responds with status 400 unless there is exactly one valid `Host` header, and with 421 if
    that host is not allowed.
    """

    def __init__(self, application: ASGIApp, allowed: AllowedHosts, hint: str = HINT) -> None:
        """Wrap an application. `hint` says how to allow a host, with `{host}` for its name."""
        self._application = application
        self._allowed = allowed
        self._hint = hint
        self._accepted_hosts: set[bytes] = set()
        """Cache of `Host` values that were accepted."""

    def renew(self, allowed: AllowedHosts) -> None:
        """Replace the allowed hosts, for example by those of a renewed certificate."""
        self._allowed = allowed
        self._accepted_hosts.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or refuse it if its host is not allowed."""
        sent = [value for name, value in scope["headers"] if name == b"host"]
        if len(sent) == 1 and sent[0] in self._accepted_hosts:
            await self._application(scope, receive, send)
            return
        if (fault := self._fault(sent)) is not None:
            await fault.answer(send)
            return
        if len(self._accepted_hosts) < MAX_CACHED_HOSTS:
            self._accepted_hosts.add(sent[0])
        await self._application(scope, receive, send)

    def _fault(self, sent: Sequence[bytes]) -> RequestFault | None:
        host = parse_host(sent[0].decode("latin-1")) if len(sent) == 1 else None
        if host is None:
            return RequestFault(
                HTTPStatus.BAD_REQUEST,
                ApiError(
                    Reason.HEADER_INVALID,
                    "a request has one `Host` header: a name or an address, and perhaps a port",
                    header="host",
                ),
            )
        if host in self._allowed:
            return None
        shown = host[:MAX_QUOTED_LENGTH]
        return RequestFault(
            HTTPStatus.MISDIRECTED_REQUEST,
            ApiError(
                Reason.HOST_NOT_ALLOWED,
                f"the service does not answer for the host {shown}: if that is one of its names,"
                f" {self._hint.format(host=shown)}",
                host=shown,
            ),
        )
