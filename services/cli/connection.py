"""The connection of a command to a service: its options, and the texts of its errors."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import grpc
from msgspec import Struct

from services.cli.terminal.console import ServiceFailed
from services.client import Client, ServiceError

DEFAULT_ADDRESS: Final = "127.0.0.1:20051"
CLIENT_NAME: Final = "emeth"
"""The client name of the command line in the log."""
WATCHER_PATIENCE_SECONDS: Final = 60.0
"""Seconds for which a watcher tries to reach a service that is being restarted."""

T = TypeVar("T")
C = TypeVar("C", bound=Client)
_PEM: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class ServiceAddress(Struct, frozen=True):
    """The address of a service, with the credentials to connect to it."""

    address: str
    authority: Path | None = None
    """PEM file of the authorities that sign the service's certificate; None for no TLS."""
    certificate: Path | None = None
    key: Path | None = None
    frontend_key: str = ""
    """Sent with every call unless it is empty."""

    def run(self, work: Callable[[Client], Awaitable[T]], *, session: bool = False) -> T:
        """Run `work` with a client and return its result.

        Args:
            work: A function that makes the calls.
            session: Whether to use one session stream, which suits many calls about matches.

        Raises:
            ServiceFailed: The service is unreachable or returned an error.
        """

        async def working() -> T:
            connecting = Client(
                self.address,
                name=CLIENT_NAME,
                credentials=self.credentials(),
                session=session,
                frontend_key=self.frontend_key,
            )
            async with connecting as client:
                return await work(client)

        try:
            return asyncio.run(working())
        except ServiceError as error:
            raise ServiceFailed(error_sentence(error, self.address)) from None

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Return the credentials for TLS, or None without TLS."""
        if self.authority is None:
            return None
        return grpc.ssl_channel_credentials(
            self.authority.read_bytes(),
            self.key.read_bytes() if self.key else None,
            self.certificate.read_bytes() if self.certificate else None,
        )


def error_sentence(error: ServiceError, address: str) -> str:
    """Return an error of the service as a sentence with its reason."""
    if error.unreachable:
        return (
            f"no service answers at {address}: start one with `emeth serve`, or give its address"
            " with --address or EMETH_ADDRESS"
        )
    return f"{error.message} [{error.reason or error.code.name}]"


def with_service(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the service's address to a command, and pass it as `service`."""

    @wraps(command)
    def calling(
        *args: Any,
        address: str,
        tls_ca: Path | None,
        tls_certificate: Path | None,
        tls_key: Path | None,
        frontend_key: str,
        **rest: Any,
    ) -> Any:
        if (tls_certificate is None) != (tls_key is None):
            raise click.UsageError("--tls-certificate and --tls-key need each other: give both")
        if tls_certificate is not None and tls_ca is None:
            raise click.UsageError(
                "--tls-certificate needs --tls-ca, the authority that signed the service's"
                " certificate"
            )
        service = ServiceAddress(address, tls_ca, tls_certificate, tls_key, frontend_key)
        return command(*args, service=service, **rest)

    for flag in (
        click.option(
            "--frontend-key",
            envvar="EMETH_FRONTEND",
            default="",
            show_envvar=True,
            metavar="KEY",
            help="Key of a frontend, for a service that requires one.",
        ),
        click.option("--tls-key", type=_PEM, help="PEM file of the client certificate's key."),
        click.option("--tls-certificate", type=_PEM, help="PEM file of the client's certificate."),
        click.option(
            "--tls-ca",
            type=_PEM,
            help="PEM file of the authority that signed the service's certificate; enables TLS.",
        ),
        click.option(
            "--address",
            envvar="EMETH_ADDRESS",
            default=DEFAULT_ADDRESS,
            show_default=True,
            show_envvar=True,
            metavar="HOST:PORT",
            help="Address and port of the service.",
        ),
    ):
        calling = flag(calling)
    return calling
