"""`emeth serve`: the service itself, with every setting as a flag."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from services.cli.options import schema_fields
from services.settings import Settings, SettingsError, load


def _flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """A flag for each setting. All default to nothing, so that the environment shows through."""
    for name, field in reversed(schema_fields(Settings).items()):
        words = field["description"]
        usual = f"  [default: {field['default']}]" if field["default"] != "" else ""
        flag = click.option(
            f"--{name.replace('_', '-')}",
            name,
            metavar="|".join(field["enum"]) if "enum" in field else field["type"].upper(),
            help=f"{words[:1].upper()}{words[1:]}.{usual}",
        )
        command = flag(command)
    return command


@click.command(short_help="Run the service.")
@_flags
@click.option(
    "--ready-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the address to this file as soon as the service listens.",
)
def serve(ready_file: Path | None, **flags: Any) -> None:
    """Run the service until Ctrl+C or SIGTERM. Nothing is lost by stopping it.

    Every flag may also be given in the environment, as EMETH_ and its name in capitals; a secret
    as a file too, as EMETH_ADMIN_KEY_FILE.

    \b
    Examples:
      emeth serve
      emeth serve --data /var/lib/emeth --listen 0.0.0.0:50051 \\
          --tls-certificate cert.pem --tls-key key.pem
      emeth serve --data "$(mktemp -d)" --listen 127.0.0.1:0 --ready-file address.txt
    """
    try:
        settings = load(**flags)
    except SettingsError as error:
        click.echo(f"emeth: {error}", err=True)
        raise click.exceptions.Exit(2) from None
    # Only here, since it takes as long to load as all other commands together.
    from services.server import run

    raise click.exceptions.Exit(run(settings, ready_file))
