"""The command `emeth doctor`, which checks a service's data folder."""

from pathlib import Path

import click
from click.exceptions import Exit

from services.cli.options import as_json
from services.cli.terminal.console import REFUSED, CommandRefused, harmless, print_json

MARKS = {"fine": "ok", "note": "note", "bad": "BAD"}


@click.command(short_help="Check a service's data folder.")
@click.option(
    "--data", type=click.Path(path_type=Path), help="Check this folder.  [default: ./data]"
)
@click.option("--whole", is_flag=True, help="Check every chain and page, not only a sample.")
@as_json
def doctor(data: Path | None, whole: bool, as_json: bool) -> None:
    r"""Check settings, disk, keys, log, chains, clock and read models, and suggest remedies.

    Nothing is changed, and the service may run. The exit code is 1 if a check finds something bad.
    A log in PostgreSQL is found through EMETH_STORE or EMETH_STORE_FILE, as for the service.

    \b
    Examples:
      emeth doctor
      emeth doctor --data /var/lib/emeth --whole
    """
    from services.runtime.settings import SettingsError, load_settings
    from services.store.doctor.checks import run_checks

    try:
        settings = load_settings(data=None if data is None else str(data))
    except SettingsError as error:
        raise CommandRefused(str(error)) from None
    signs = []
    for sign in run_checks(settings, whole=whole):
        signs.append(sign)
        if not as_json:
            click.echo(harmless(f"{MARKS[sign.weight]:5} {sign.about}: {sign.what}"))
            if sign.remedy:
                click.echo(harmless(f"      {sign.remedy}"))
    if as_json:
        print_json(signs)
    if any(sign.weight == "bad" for sign in signs):
        raise Exit(REFUSED)
