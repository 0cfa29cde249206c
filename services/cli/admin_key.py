"""The admin key for a command: given by a flag, or read from the service's folder."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from services.client import Client, ServiceError
from services.wire.emeth.devices.v1.gateways_pb2 import CreateGatewayResponse


def with_admin_key(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that takes the admin key: adds the flags that say where it is, passes `key`."""

    @wraps(command)
    def now(*args: Any, key: Callable[[], str], **rest: Any) -> Any:
        return command(*args, key=key(), **rest)

    return with_optional_admin_key(now)


def with_optional_admin_key(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that may do without: `key` is called if it is needed."""

    @wraps(command)
    def with_key(*args: Any, admin_key: str | None, data: Path, **rest: Any) -> Any:
        return command(*args, key=lambda: admin_key or _read_admin_key(data), **rest)

    for flag in (
        click.option(
            "--data",
            envvar="EMETH_DATA",
            default="./data",
            show_default=True,
            show_envvar=True,
            type=click.Path(path_type=Path),
            help="The service's folder, which has the key in `admin.key`.",
        ),
        click.option(
            "--admin-key",
            envvar="EMETH_ADMIN_KEY",
            show_envvar=True,
            metavar="KEY",
            help="The key, if it is not there.",
        ),
    ):
        with_key = flag(with_key)
    return with_key


async def create_gateway(
    client: Client, admin_key: Callable[[], str], name: str
) -> CreateGatewayResponse:
    """Register a gateway at a table of its own.

    The admin key is asked for only if the service wants one: if other machines can call it.
    """
    try:
        return await client.create_gateway(name=name)
    except ServiceError as error:
        if error.reason != "TOKEN_MISSING":
            raise
    return await client.create_gateway(admin_key(), name=name)


def _read_admin_key(data: Path) -> str:
    path = data / "admin.key"
    try:
        return path.read_text().strip()
    except OSError as error:
        why = f"cannot read {path} ({error.strerror}): give --admin-key, or --data"
        raise click.UsageError(why) from None
