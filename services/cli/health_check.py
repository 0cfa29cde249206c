"""Asks the service of this container whether it is alive; exit code 0 if it is, else 1.

    python -m services.cli.health_check

It goes by the settings in the environment, as the service does, and loads nothing else: a container
asks every few seconds. The certificate is not checked, since it is that of a public name, not of
127.0.0.1. A service that wants a certificate of its clients is alive if it goes through with its
half of the handshake, which this check cannot complete.
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
"""Where a service is found whose settings do not say it."""
WILDCARD_HOSTS: Final = {"0.0.0.0": "127.0.0.1", "[::]": "::1", "": "127.0.0.1"}  # noqa: S104  # nothing is bound
"""Where a service that listens on all addresses is found on its own machine."""


def is_alive(http: str, listen: str, *, tls: bool, client_certificates: bool) -> bool:
    """Return whether the service answers.

    Args:
        http: address and port of its HTTP port; `no` if there is none.
        listen: address and port of its gRPC port, which is asked whether it takes connections if
            there is no HTTP port.
        tls: whether both ports speak TLS.
        client_certificates: whether they want a certificate of their clients.
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
    """Ask the service of these settings; return the exit code."""
    alive = is_alive(
        os.environ.get("EMETH_HTTP") or DEFAULT_HTTP,
        os.environ.get("EMETH_LISTEN") or DEFAULT_LISTEN,
        tls=bool(os.environ.get("EMETH_TLS_CERTIFICATE")),
        client_certificates=bool(os.environ.get("EMETH_TLS_CLIENT_CA")),
    )
    return 0 if alive else 1


if __name__ == "__main__":
    sys.exit(main())
