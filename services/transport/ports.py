"""The ports of the doors: where they listen, and what a channel may do."""

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
"""Bytes of a message that are received beyond what the largest request has. gRPC refuses a larger
message by itself, without a reason; a message within this margin is refused by `check_size`."""
CHANNEL_OPTIONS: Final = (
    # One port, one process: a second service on the port is told so, and not given half the calls.
    ("grpc.so_reuseport", 0),
    # Gateways on poor lines may ping every ten seconds, and what is delayed on the way comes closer
    # together. gRPC's own limit, a ping in five minutes, would cut them off.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_concurrent_streams", 1000),
    # Calls that wait to be begun with. gRPC's own limit, 1,000, cancels what comes in a burst
    # without a word; here each is told why it is refused, if it is.
    ("grpc.server.max_pending_requests", 20_000),
    ("grpc.server.max_pending_requests_hard_limit", 40_000),
    ("grpc.max_metadata_size", 16_384),
    # Who connects and does not say that it speaks HTTP/2; gRPC's own limit is two minutes.
    (HANDSHAKE, 20_000),
    # A compressed message is handed over as it came: a few kilobytes can hold as many megabytes,
    # and gRPC would decompress them before anything here could refuse the call.
    ("grpc.per_message_decompression", 0),
    ("grpc.max_receive_message_length", max(MAX_REQUEST_BYTES_BY_METHOD.values()) + SPARE_BYTES),
)
DEFAULT_HTTP: Final = "127.0.0.1:20080"
FREE_HTTP: Final = "127.0.0.1:0"
LISTEN_BACKLOG: Final = 1024
"""Connections that wait to be taken, at most."""
ADDRESS: Final = re.compile(r"(?P<host>\S+):(?P<port>[0-9]{1,5})")


class PortError(Exception):
    """The door cannot listen; the text says why, and what would help."""


def is_open(settings: Settings) -> bool:
    """May anybody create matches? As the settings say; else where only this machine can call."""
    return settings.open == "yes" if settings.open else is_local(settings)


def open_port(
    server: grpc.aio.Server, settings: Settings, certificates: Certificates | None
) -> str:
    """Have the server listen where the settings say; the address, with the real port."""
    host, _ = _host_and_port(settings.listen)
    try:
        if certificates is not None:
            port = server.add_secure_port(settings.listen, certificates.credentials())
        else:
            port = server.add_insecure_port(settings.listen)
    except RuntimeError as error:
        raise PortError(
            f"cannot listen on {settings.listen}: another program has the port, or this machine no "
            "such address; EMETH_LISTEN or --listen takes another; port 0 finds a free one"
        ) from error
    return f"{host}:{port}"


def open_http_port(settings: Settings) -> socket.socket | None:
    """A socket of the HTTP door that takes connections, before anything answers them; None if the
    service is to have none. Where no port was asked for, the usual one or any that is free."""
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
    # With its protocol named, asyncio sends what is written at once (TCP_NODELAY).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(LISTEN_BACKLOG)
    except OSError as error:
        listening.close()
        raise PortError(
            f"cannot listen on {address}: {error.strerror}; EMETH_HTTP or --http takes another"
            " address and port, or `no`"
        ) from error
    listening.setblocking(False)
    return listening


def http_address(listening: socket.socket, settings: Settings) -> str:
    """The address for a browser, with the real port."""
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
