"""The admin key for a command: given by an option, or read from the service's data folder."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from services.client import Client, ServiceError
from services.wire.emeth.devices.v1.gateways_pb2 import CreateGatewayResponse


def with_admin_key(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--data` and `--admin-key` to a command, and pass it the admin key as `key`."""

    @wraps(command)
    def now(*args: Any, key: Callable[[], str], **rest: Any) -> Any:
        return command(*args, key=key(), **rest)

    return with_optional_admin_key(now)


def with_optional_admin_key(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `with_admin_key`, and pass `key` as a function that reads the key."""

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
            help="Read the admin key from `admin.key` in this data folder of the service.",
        ),
        click.option(
            "--admin-key",
            envvar="EMETH_ADMIN_KEY",
            show_envvar=True,
            metavar="KEY",
            help="Use this admin key in place of the one in --data.",
        ),
    ):
        with_key = flag(with_key)
    return with_key


async def create_gateway(
    client: Client, admin_key: Callable[[], str], name: str
) -> CreateGatewayResponse:
    """Register a gateway at a new table.

    The admin key is read only if the service requires it, that is, if other machines can call it.
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
        why = (
            f"cannot read the admin key from {path} ({error.strerror}): give the key with"
            " --admin-key, or the service's data folder with --data"
        )
        raise click.UsageError(why) from None
