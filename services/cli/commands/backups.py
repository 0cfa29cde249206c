"""`emeth backup` and `restore-backup`: keeping a service's folder, and putting it back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from services.cli.cipher_option import with_cipher
from services.cli.options import as_json, collect_options
from services.cli.terminal.console import CommandRefused, counted, print_json
from services.runtime.files import set_private_umask
from services.store.backup import (
    BackupEncryption,
    BackupError,
    Manifest,
    back_up,
    back_up_database,
    check,
    restore,
)
from services.store.errors import StoreError

_FOLDER = click.Path(file_okay=False, path_type=Path)
_ANY = click.Path(path_type=Path)


def _player_keys(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--player-keys", type=click.Path(dir_okay=False, path_type=Path), help=words
    )


@click.command(short_help="Back up a service's folder, while it runs.")
@click.argument("to", type=_ANY)
@click.option(
    "--data",
    type=_FOLDER,
    default=Path("./data"),
    envvar="EMETH_DATA",
    help="The service's folder.  [default: ./data]",
)
@click.option(
    "--store",
    metavar="STORE",
    default="",
    envvar="EMETH_STORE",
    help="The database of the log, if it is not in that folder.",
)
@click.option("--since", type=_ANY, help="An earlier backup: keep only the events since.")
@click.option("--check", "checking", is_flag=True, help="Only see whether the backup TO is sound.")
@_player_keys("Put the keys of players into this file, in place of those in it.")
@as_json
@with_cipher
@collect_options("sealing", BackupEncryption)
def backup(
    to: Path,
    data: Path,
    store: str,
    since: Path | None,
    checking: bool,
    as_json: bool,
    sealing: BackupEncryption,
) -> None:
    """Back up the log, players' names, the keys, content packs and vouchers: TO a folder, or a file
    that ends in .tar. The service may run meanwhile.

    A log in PostgreSQL is copied into a file first, and a backup of it is as of any other: put it
    back into a folder, and have `emeth move-log` take it from there to a database.

    Keys are in it: whoever has it can make any token. Keep it as you keep the folder itself.

    Of a log that is encrypted all stays so. The keys of players are in no backup, but in the file
    that --player-keys names, which each backup replaces: so who was forgotten is forgotten in all
    backups. Without that file all players of a backup are former players.

    \b
    Examples:
      emeth backup /backups/monday
      emeth backup /backups/tuesday.tar --since /backups/monday
      emeth backup /backups/monday --check
      emeth backup /backups/monday --store postgresql://emeth@db.example/emeth
    """
    set_private_umask()
    try:
        if checking:
            made = check(to)
        else:
            made = (
                back_up_database(store, data, to, since, sealing)
                if store
                else back_up(data, to, since, sealing)
            )
    except (BackupError, StoreError) as error:
        raise CommandRefused(str(error)) from None
    _tell(made, "is sound, and has" if checking else "has", to, as_json=as_json)
    if sealing.cipher and sealing.player_keys is None and not checking:
        click.echo(
            "The keys of players are not in it: --player-keys keeps them in a file of their own.",
            err=True,
        )


@click.command(short_help="Put a backup back into a new folder.")
@click.argument("backups", nargs=-1, required=True, type=_ANY)
@click.option("--to", required=True, type=_FOLDER, help="The new folder.")
@_player_keys("The file that has the keys of players.")
@as_json
@with_cipher
@collect_options("sealing", BackupEncryption)
def restore_backup(
    backups: tuple[Path, ...], to: Path, as_json: bool, sealing: BackupEncryption
) -> None:
    """Put a backup back, and after it those of later events, in their order. All of it is checked
    before the folder is there; start a service on it then.

    \b
    Example:
      emeth restore-backup /backups/monday /backups/tuesday.tar --to ./data
    """
    set_private_umask()
    try:
        found = restore(backups, to, sealing)
    except BackupError as error:
        raise CommandRefused(str(error)) from None
    _tell(found, "has", to, as_json=as_json)


def _tell(found: Manifest, verb: str, where: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    since = f" after the first {found.after}" if found.after else ""
    events = counted(found.events - found.after, "event")
    click.echo(f"{where} {verb} {events}{since}; the tree over all {found.events} has the root")
    click.echo(f"{found.root}, as of {found.made:%Y-%m-%d %H:%M:%S} UTC.")
