"""The ports of the gRPC and HTTP servers, and the options of gRPC channels."""

import re
import socket
from contextlib import suppress
from typing import Final

import grpc

from services.runtime.settings import Settings, is_local
from services.transport.pipeline import MAX_REQUEST_BYTES_BY_METHOD
from services.transport.tls import Certificates

HANDSHAKE: Final = "grpc.server_handshake_timeout_ms"
SPARE_BYTES: Final = 1_000_000
"""Bytes received beyond the largest request. gRPC refuses larger messages itself, without a reason;
messages within this margin are refused by `check_size`."""
CHANNEL_OPTIONS: Final = (
    # A second service on the same port must fail, and not get half of the calls.
    ("grpc.so_reuseport", 0),
    # Gateways on poor connections ping every ten seconds, and delayed pings arrive closer
    # together. gRPC's default, one ping in five minutes, would disconnect them.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_concurrent_streams", 1000),
    # Calls that wait to be started. Beyond its default of 1,000, gRPC cancels calls without a
    # reason; here each refused call gets one.
    ("grpc.server.max_pending_requests", 20_000),
    ("grpc.server.max_pending_requests_hard_limit", 40_000),
    ("grpc.max_metadata_size", 16_384),
    # Time for the HTTP/2 handshake; gRPC's default is two minutes.
    (HANDSHAKE, 20_000),
    # Compressed messages are not decompressed: a few kilobytes can expand to as many megabytes,
    # and gRPC would do so before the call could be refused.
    ("grpc.per_message_decompression", 0),
    ("grpc.max_receive_message_length", max(MAX_REQUEST_BYTES_BY_METHOD.values()) + SPARE_BYTES),
)
DEFAULT_HTTP: Final = "127.0.0.1:20080"
FREE_HTTP: Final = "127.0.0.1:0"
LISTEN_BACKLOG: Final = 1024
"""Maximum number of connections that wait to be accepted."""
ADDRESS: Final = re.compile(r"(?P<host>\S+):(?P<port>[0-9]{1,5})")


class PortError(Exception):
    """A port that cannot be opened. The message says why and what would help."""


def is_open(settings: Settings) -> bool:
    """Return whether anybody may create matches. By default only on a service for this machine."""
    return settings.open == "yes" if settings.open else is_local(settings)


def open_port(
    server: grpc.aio.Server, settings: Settings, certificates: Certificates | None
) -> str:
    """Open the gRPC port of the settings, and return its address with the actual port.

    Raises:
        PortError: The port cannot be opened.
    """
    host, _ = _host_and_port(settings.listen)
    try:
        if certificates is not None:
            port = server.add_secure_port(settings.listen, certificates.credentials())
        else:
            port = server.add_insecure_port(settings.listen)
    except RuntimeError as error:
        raise PortError(
            f"cannot listen on {settings.listen}: another program uses the port, or this machine "
            "has no such address; set another with EMETH_LISTEN or --listen (port 0: any free port)"
        ) from error
    return f"{host}:{port}"


def open_http_port(settings: Settings) -> socket.socket | None:
    """Open the HTTP socket, and return it; None if the settings disable HTTP.

    Without a port in the settings, use the default port, or any free one. Connections wait until
    the server responds.

    Raises:
        PortError: The port cannot be opened.
    """
    if settings.http == "no":
        return None
    if settings.http:
        return _listening_socket(settings.http)
    _, grpc_port = _host_and_port(settings.listen)
    if grpc_port:
        with suppress(PortError):
            return _listening_socket(DEFAULT_HTTP)
    return _listening_socket(FREE_HTTP)


def _listening_socket(address: str) -> socket.socket:
    host, port = _host_and_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets that name their protocol.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(LISTEN_BACKLOG)
    except OSError as error:
        listening.close()
        raise PortError(
            f"cannot listen on {address}: {error.strerror}; set another address and port, or `no`,"
            " with EMETH_HTTP or --http"
        ) from error
    listening.setblocking(False)
    return listening


def http_address(listening: socket.socket, settings: Settings) -> str:
    """Return the URL for browsers, with the actual port."""
    host, port = listening.getsockname()[:2]
    scheme = "https" if settings.tls_certificate else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _host_and_port(address: str) -> tuple[str, int]:
    found = ADDRESS.fullmatch(address)
    if found is None or int(found["port"]) > 65_535:
        raise PortError(
            f"cannot listen on {address}: it is not an address and port, such as 127.0.0.1:20051"
        )
    return found["host"], int(found["port"])
