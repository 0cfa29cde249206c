"""A health check of the service in this container: exit code 0 if it is alive, else 1.

    python -m services.cli.health_check

It reads the same environment variables as the service, and imports little, since it runs every few
seconds. It does not check the certificate, which is for a public name, not for 127.0.0.1. A service
that requires client certificates counts as alive if it completes its half of the TLS handshake.
"""

import os
import socket
import ssl
import sys
from http.client import HTTPConnection, HTTPSConnection
from typing import Final

TIMEOUT_SECONDS: Final = 4.0
PATH: Final = "/healthz"
DEFAULT_HTTP, DEFAULT_LISTEN = "127.0.0.1:20080", "127.0.0.1:20051"
"""The addresses of a service whose settings name none."""
WILDCARD_HOSTS: Final = {"0.0.0.0": "127.0.0.1", "[::]": "::1", "": "127.0.0.1"}  # noqa: S104  # nothing is bound
"""The local address of a service that listens on all addresses."""


def is_alive(http: str, listen: str, *, tls: bool, client_certificates: bool) -> bool:
    """Return whether the service answers.

    Args:
        http: Address and port for HTTP; `no` if there is none.
        listen: Address and port for gRPC, to which a connection is tried if there is no HTTP.
        tls: Whether both ports use TLS.
        client_certificates: Whether both ports require client certificates.
    """
    host, _, port = (listen if http == "no" else http).rpartition(":")
    address = WILDCARD_HOSTS.get(host, host.strip("[]")), int(port)
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["http/1.1"] if http != "no" else ["h2"])
    try:
        if http == "no" or client_certificates:
            with socket.create_connection(address, TIMEOUT_SECONDS) as line:
                if context is not None:
                    context.wrap_socket(line).close()
            return True
        connection = (
            HTTPConnection(*address, timeout=TIMEOUT_SECONDS)
            if context is None
            else HTTPSConnection(*address, timeout=TIMEOUT_SECONDS, context=context)
        )
        connection.request("GET", PATH, headers={"host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, ValueError):
        return False


def main() -> int:
    """Check the service that the environment describes, and return the exit code."""
    alive = is_alive(
        os.environ.get("EMETH_HTTP") or DEFAULT_HTTP,
        os.environ.get("EMETH_LISTEN") or DEFAULT_LISTEN,
        tls=bool(os.environ.get("EMETH_TLS_CERTIFICATE")),
        client_certificates=bool(os.environ.get("EMETH_TLS_CLIENT_CA")),
    )
    return 0 if alive else 1


if __name__ == "__main__":
    sys.exit(main())
