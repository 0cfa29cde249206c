"""The command `emeth serve`, which runs the service and has an option for each setting."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from services.cli.options import schema_fields
from services.runtime.settings import Settings, SettingsError, load_settings


def _flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each setting; without a default, so that the environment applies."""
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


def _load_service() -> Callable[[Settings, Path | None], int]:
    """Return the function that runs a service; it is imported only here because it loads slowly."""
    # structlog imports rich if it is installed, for tracebacks that show local variables. A service
    # never prints those, and starts sooner without rich.
    hidden = "rich" not in sys.modules
    if hidden:
        sys.modules["rich"] = None  # type: ignore[assignment]
    try:
        import structlog  # noqa: F401
    finally:
        if hidden:
            del sys.modules["rich"]
    from services.cli.process import run

    return run


@click.command(short_help="Run the service.")
@_flags
@click.option(
    "--ready-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the address to this file when the service is ready for calls.",
)
def serve(ready_file: Path | None, **flags: Any) -> None:
    r"""Run the service until Ctrl+C or SIGTERM. Nothing is lost by stopping it.

    Every option can also be set by an environment variable, EMETH_ and its name in capitals. A
    secret can also be read from a file, as with EMETH_ADMIN_KEY_FILE.

    \b
    Examples:
      emeth serve
      emeth serve --data /var/lib/emeth --listen 0.0.0.0:20051 \
          --tls-certificate cert.pem --tls-key key.pem
      emeth serve --data "$(mktemp -d)" --listen 127.0.0.1:0 --ready-file address.txt
    """
    try:
        settings = load_settings(**flags)
    except SettingsError as error:
        click.echo(f"emeth: {error}", err=True)
        raise click.exceptions.Exit(2) from None
    run = _load_service()
    raise click.exceptions.Exit(run(settings, ready_file))
