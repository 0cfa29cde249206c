"""`emeth doctor`: looks a service's folder over."""

from pathlib import Path

import click
from click.exceptions import Exit

from services.cli.options import as_json
from services.cli.terminal.console import REFUSED, CommandRefused, harmless, print_json

MARKS = {"fine": "ok", "note": "note", "bad": "BAD"}


@click.command(short_help="Look a service's folder over.")
@click.option("--data", type=click.Path(path_type=Path), help="The folder.  [default: ./data]")
@click.option("--whole", is_flag=True, help="Check every chain and page, not a sample.")
@as_json
def doctor(data: Path | None, whole: bool, as_json: bool) -> None:
    """Look over settings, disk, keys, log, chains, clock and read models, and say what to do about
    what is wrong. Nothing is changed; the service may run. Exit code 1 if anything is bad.
    A log in PostgreSQL is found by EMETH_STORE, or EMETH_STORE_FILE, as the service finds it.

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
