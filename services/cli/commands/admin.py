"""`emeth rebuild`: maintains the read models of a service, with its admin key."""

from contextlib import aclosing

import click

from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import print_json
from services.client import Client


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
                done = step.processed_events
                if not as_json:
                    click.echo(f"{step.processed_events} of {step.total_events} events", err=True)
        return done

    done = service.run(rebuilding)
    if as_json:
        print_json({"events": done})
    else:
        click.echo(f"The read models are rebuilt from {done} events.")
