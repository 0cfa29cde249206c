"""`emeth rebuild` and `stats`: keeping a service, with its admin key."""

from collections.abc import Callable
from contextlib import aclosing
from functools import wraps
from pathlib import Path
from typing import Any

import click

from services.cli.connection import Service, connected
from services.cli.options import as_json
from services.cli.terminal.console import print_json, print_table
from services.client import Client


def keyed(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that takes the admin key: adds the flags that say where it is, passes `key`."""

    @wraps(command)
    def now(*args: Any, key: Callable[[], str], **rest: Any) -> Any:
        return command(*args, key=key(), **rest)

    return keyed_late(now)


def keyed_late(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that may do without: `key` is called if it is needed."""

    @wraps(command)
    def keying(*args: Any, admin_key: str | None, data: Path, **rest: Any) -> Any:
        return command(*args, key=lambda: admin_key or _key_in(data), **rest)

    for flag in (
        click.option(
            "--data",
            envvar="EMETH_DATA",
            default="./data",
            show_default=True,
            show_envvar=True,
            type=click.Path(path_type=Path),
            help="The service's folder, where its key lies in `admin.key`.",
        ),
        click.option(
            "--admin-key",
            envvar="EMETH_ADMIN_KEY",
            show_envvar=True,
            metavar="KEY",
            help="The key, if it does not lie there.",
        ),
    ):
        keying = flag(keying)
    return keying


def _key_in(data: Path) -> str:
    path = data / "admin.key"
    try:
        return path.read_text().strip()
    except OSError as error:
        why = f"cannot read {path} ({error.strerror}): give --admin-key, or --data"
        raise click.UsageError(why) from None


@click.command(short_help="Rebuild the read models from the log.")
@keyed
@connected
@as_json
def rebuild(service: Service, key: str, as_json: bool) -> None:
    """Rebuild the read models from the log, while the service goes on.

    \b
    Example:
      emeth rebuild --data /var/lib/emeth
    """

    async def rebuilding(client: Client) -> int:
        done = 0
        async with aclosing(client.rebuild(key)) as progress:
            async for step in progress:
                done = step.done
                if not as_json:
                    click.echo(f"{step.done} of {step.total} events", err=True)
        return done

    done = service.run(rebuilding)
    if as_json:
        print_json({"events": done})
    else:
        click.echo(f"The read models are rebuilt from {done} events.")


@click.command(short_help="Show how the service is doing.")
@keyed
@connected
@as_json
def stats(service: Service, key: str, as_json: bool) -> None:
    """Show the service's figures. docs/operations.md explains them.

    \b
    Example:
      emeth stats --json
    """
    figures = service.run(lambda client: client.stats(key))
    if as_json:
        print_json(figures)
    else:
        print_table(("FIGURE", "VALUE"), ((name, str(n)) for name, n in sorted(figures.items())))
