"""`emeth shadow`: in what a second implementation of a game differs from this service."""

import click

from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import harmless, print_json


@click.command(short_help="Show in what a second implementation of a game differs.")
@keyed
@connected
@click.option("--most", type=click.IntRange(1, 100), default=20, show_default=True)
@as_json
def shadow(service: ServiceAddress, key: str, most: int, as_json: bool) -> None:
    """Show in what a shadow, which `emeth serve --shadow MODULE` runs beside the service, has
    differed: in legality, facts or position, the newest first. `emeth stats` counts what it did.

    \b
    Example:
      emeth shadow --most 5
    """
    found = service.run(lambda client: client.shadow_report(key, most))
    if as_json:
        print_json(found)
        return
    for each in found:
        where = f"{each.match_id} event {each.version}" if each.match_id else "no match"
        click.echo(harmless(f"{each.about}: {each.what} ({where})"))
        if each.position:
            click.echo(harmless(f"  position: {each.position}"))
        click.echo(harmless(f"  service:  {each.house}"))
        click.echo(harmless(f"  shadow:   {each.shadow}"))
    if not found:
        click.echo("No difference was found.")
