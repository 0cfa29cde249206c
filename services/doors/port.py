"""The port of the gRPC door: where it listens, with which keys, and what a channel may do."""

import re
import ssl
from pathlib import Path
from typing import Final

import grpc

from services.doors.grpc import LARGEST_RECEIVED
from services.settings import Settings

CHANNEL: Final = (
    # One port, one process: a second service on the port is told so, and not given half the calls.
    ("grpc.so_reuseport", 0),
    # Gateways on poor lines ping often; gRPC's own limit would cut them off.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_concurrent_streams", 1000),
    ("grpc.max_metadata_size", 16_384),
    # More than any call takes: who sends too much is told so by the door.
    ("grpc.max_receive_message_length", LARGEST_RECEIVED),
)
ADDRESS: Final = re.compile(r"(?P<host>\S+):(?P<port>[0-9]{1,5})")


class PortError(Exception):
    """The door cannot listen; the text says why, and what would help."""


def open_port(server: grpc.aio.Server, settings: Settings) -> str:
    """Have the server listen where the settings say; the address, with the real port."""
    address = ADDRESS.fullmatch(settings.listen)
    if address is None or int(address["port"]) > 65_535:
        raise PortError(
            f"cannot listen on {settings.listen}: it is not an address and port, such as"
            " 127.0.0.1:50051"
        )
    try:
        if settings.tls_certificate:
            port = server.add_secure_port(settings.listen, _credentials(settings))
        else:
            port = server.add_insecure_port(settings.listen)
    except RuntimeError as error:
        raise PortError(
            f"cannot listen on {settings.listen}: another program has the port, or this machine no "
            "such address; EMETH_LISTEN or --listen takes another; port 0 finds a free one"
        ) from error
    return f"{address['host']}:{port}"


def _credentials(settings: Settings) -> grpc.ServerCredentials:
    try:
        key = Path(settings.tls_key).read_bytes()
        certificate = Path(settings.tls_certificate).read_bytes()
        clients = Path(settings.tls_client_ca).read_bytes() if settings.tls_client_ca else None
        _check_pair(settings)
    except ssl.SSLError as error:
        raise PortError(
            f"TLS: {_tls_files(settings)}: no certificates, or not with their key: {error.args[-1]}"
        ) from error
    except OSError as error:
        raise PortError(f"TLS: cannot read {error.filename}: {error.strerror}") from error
    return grpc.ssl_server_credentials(
        [(key, certificate)], root_certificates=clients, require_client_auth=clients is not None
    )


def _check_pair(settings: Settings) -> None:
    """Raise ssl.SSLError for what gRPC would only call a port that is taken."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings.tls_certificate, settings.tls_key, password="")
    if settings.tls_client_ca:
        context.load_verify_locations(settings.tls_client_ca)


def _tls_files(settings: Settings) -> str:
    names = (settings.tls_certificate, settings.tls_key, settings.tls_client_ca)
    return ", ".join(filter(None, names))
