"""`emeth rebuild`, `copy-reads` and `stats`: keeping a service, with its admin key."""

import sqlite3
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import click

from projections.following.copying import CopyUnusable, IncomingCopy
from services.cli.admin_key import keyed, keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.cli.terminal.progress import Progress
from services.client import Client
from services.store.errors import LogLocked, LogUnavailable
from services.store.log import FILE
from services.store.sqlite.lock import LogLock


@click.command(short_help="Rebuild the read models from the log.")
@keyed
@connected
@as_json
def rebuild(service: ServiceAddress, key: str, as_json: bool) -> None:
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


@click.command("copy-reads", short_help="Begin a service with another's read models.")
@keyed_late
@connected
@click.option(
    "--to",
    envvar="EMETH_DATA",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the service that is about to start.",
)
def copy_reads(service: ServiceAddress, key: Callable[[], str], to: Path) -> None:
    """Copy the read models of a service on the same log into the folder of one that is about to
    start, so that it need not read the whole log. A folder that has read models is left alone.

    \b
    Example:
      emeth copy-reads --address 10.0.0.3:50051 --to /var/lib/emeth/read-2
    """
    if [*to.glob("reads/reads-*.sqlite")]:
        click.echo(f"{to} has read models already.")
        return
    admin_key = key()

    async def copying(client: Client) -> int:
        digest = b""
        with IncomingCopy(to / "reads") as incoming, Progress("bytes") as bar:
            done = 0
            async with aclosing(client.copy_read_models(admin_key)) as pieces:
                async for each in pieces:
                    incoming.write(each.piece)
                    done, digest = done + len(each.piece), each.sha256
                    bar.at(done, each.size)
            return incoming.finish(digest)

    try:
        to.mkdir(mode=0o700, parents=True, exist_ok=True)
        with LogLock(to / FILE):
            events = service.run(copying)
    except (CopyUnusable, LogLocked, LogUnavailable, sqlite3.Error, OSError) as error:
        raise CommandRefused(f"cannot use the copy: {error}") from None
    click.echo(f"{to} has the read models of {events} events.")


@click.command(short_help="Show how the service is doing.")
@keyed
@connected
@as_json
def stats(service: ServiceAddress, key: str, as_json: bool) -> None:
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
