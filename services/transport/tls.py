"""The TLS certificates of both ports, which can be read anew while the service runs.

Connections that are open keep the certificate that they began with.
"""

import ssl
from pathlib import Path
from typing import Final

import grpc

from services.runtime.settings import Settings

KEY_HEADING: Final = b"PRIVATE KEY-----"
"""What stands over a key in PEM, and over no certificate."""


class TlsError(Exception):
    """The files of the certificates are of no use; the text says why."""


class Certificates:
    """The service's certificate with its key, and the authority that signs those of clients."""

    def __init__(self, settings: Settings) -> None:
        """Read the files that the settings name. Raises TlsError."""
        self._settings = settings
        self._contexts: list[ssl.SSLContext] = []
        self._configuration = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """Return credentials for a gRPC server, which asks at each handshake for the newest."""
        return grpc.dynamic_ssl_server_credentials(
            self._configuration,
            lambda: self._configuration,
            require_client_authentication=bool(self._settings.tls_client_ca),
        )

    def follow(self, context: ssl.SSLContext) -> None:
        """Have a context that was made of the same files use what is read later, too."""
        self._contexts.append(context)

    def reload(self) -> None:
        """Read the files again, for connections from now on. Raises TlsError for files that are of
        no use: then what was read before stays in use."""
        self._configuration = self._read()
        try:
            for context in self._contexts:
                _load(context, self._settings)
        except (OSError, ssl.SSLError) as error:  # changed since they were read
            raise TlsError(f"TLS: {self._names()}: {error.args[-1]}") from error

    def _read(self) -> grpc.ServerCertificateConfiguration:
        settings = self._settings
        try:
            key = Path(settings.tls_key).read_bytes()
            certificate = Path(settings.tls_certificate).read_bytes()
            clients = Path(settings.tls_client_ca).read_bytes() if settings.tls_client_ca else None
            if KEY_HEADING in certificate and KEY_HEADING not in key:
                raise TlsError(
                    f"TLS: {settings.tls_certificate} holds a key and {settings.tls_key} none: they"
                    " are swapped"
                )
            # gRPC itself would say nothing, or only that the port is taken.
            _load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), settings)
        except ssl.SSLError as error:
            raise TlsError(
                f"TLS: {self._names()}: no certificates, or not with their key: {error.args[-1]}"
            ) from error
        except OSError as error:
            raise TlsError(f"TLS: cannot read {error.filename}: {error.strerror}") from error
        return grpc.ssl_server_certificate_configuration([(key, certificate)], clients)

    def _names(self) -> str:
        settings = self._settings
        names = (settings.tls_certificate, settings.tls_key, settings.tls_client_ca)
        return ", ".join(filter(None, names))


def _load(context: ssl.SSLContext, settings: Settings) -> None:
    context.load_cert_chain(settings.tls_certificate, settings.tls_key, password="")
    if settings.tls_client_ca:
        context.load_verify_locations(settings.tls_client_ca)
