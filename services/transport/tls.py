"""The TLS certificates of both ports, which can be reloaded while the service runs.

Open connections keep the certificate that they started with.
"""

import ssl
from pathlib import Path
from typing import Final

import grpc

from services.runtime.settings import Settings

KEY_HEADING: Final = b"PRIVATE KEY-----"
"""PEM heading of a private key. No certificate has it."""


class TlsError(Exception):
    """Certificate files that cannot be used. The message says why."""


class Certificates:
    """The service's certificate and key, and the certificate authority of clients."""

    def __init__(self, settings: Settings) -> None:
        """Read the files that the settings name. Raise TlsError if they cannot be used."""
        self._settings = settings
        self._contexts: list[ssl.SSLContext] = []
        self._configuration = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """Return credentials for gRPC that use the newest certificate at each handshake."""
        return grpc.dynamic_ssl_server_credentials(
            self._configuration,
            lambda: self._configuration,
            require_client_authentication=bool(self._settings.tls_client_ca),
        )

    def follow(self, context: ssl.SSLContext) -> None:
        """Reload this SSL context, too, whenever the files are reloaded."""
        self._contexts.append(context)

    def reload(self) -> None:
        """Reload the files for new connections.

        Raises:
            TlsError: The files cannot be used. The old certificate stays in use.
        """
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
                    f"TLS: {settings.tls_certificate} is a private key and {settings.tls_key} is"
                    " not: EMETH_TLS_CERTIFICATE and EMETH_TLS_KEY are swapped"
                )
            # gRPC itself would report nothing, or only that the port is in use.
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
