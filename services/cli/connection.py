"""Calling the service from a command: where it is, and in what words its errors are told."""

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
"""How the command line calls itself in the log."""
WATCHER_PATIENCE_SECONDS: Final = 60.0
"""A watcher waits so long for a service that is being restarted."""

T = TypeVar("T")
C = TypeVar("C", bound=Client)
_PEM: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class ServiceAddress(Struct, frozen=True):
    """Where a service listens, and what it takes to be let in."""

    address: str
    authority: Path | None = None
    """A PEM file: its certificate is signed by one of these. Without it there is no TLS."""
    certificate: Path | None = None
    key: Path | None = None
    frontend_key: str = ""
    """Shown with every call, if it is set."""

    def run(self, work: Callable[[Client], Awaitable[T]], *, session: bool = False) -> T:
        """Do this with a connection. Errors of the service end the command with a sentence.

        Whoever makes many calls about matches makes them on a `session`.
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
        """What it takes to connect by TLS; None without it."""
        if self.authority is None:
            return None
        return grpc.ssl_channel_credentials(
            self.authority.read_bytes(),
            self.key.read_bytes() if self.key else None,
            self.certificate.read_bytes() if self.certificate else None,
        )


def error_sentence(error: ServiceError, address: str) -> str:
    """An error of the service in one sentence, with its reason."""
    if error.unreachable:
        return (
            f"no service answers at {address}: start one with `emeth serve`, or say where it is"
            " with --address or EMETH_ADDRESS"
        )
    return f"{error.message} [{error.reason or error.code.name}]"


def with_service(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that calls a service: adds the flags that say where, passes `service`."""

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
            raise click.UsageError("--tls-certificate and --tls-key go together")
        if tls_certificate is not None and tls_ca is None:
            raise click.UsageError("--tls-certificate needs --tls-ca")
        service = ServiceAddress(address, tls_ca, tls_certificate, tls_key, frontend_key)
        return command(*args, service=service, **rest)

    for flag in (
        click.option(
            "--frontend-key",
            envvar="EMETH_FRONTEND",
            default="",
            show_envvar=True,
            metavar="KEY",
            help="A frontend's key, where the service asks for one.",
        ),
        click.option("--tls-key", type=_PEM, help="PEM file: the certificate's key."),
        click.option("--tls-certificate", type=_PEM, help="PEM file: the client's certificate."),
        click.option("--tls-ca", type=_PEM, help="PEM file: who signed the service's certificate."),
        click.option(
            "--address",
            envvar="EMETH_ADDRESS",
            default=DEFAULT_ADDRESS,
            show_default=True,
            show_envvar=True,
            metavar="HOST:PORT",
            help="Where the service listens.",
        ),
    ):
        calling = flag(calling)
    return calling
