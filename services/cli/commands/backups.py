"""The commands `emeth backup` and `emeth restore-backup` for a service's data folder."""

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


@click.command(short_help="Back up a service's data folder.")
@click.argument("to", type=_ANY)
@click.option(
    "--data",
    type=_FOLDER,
    default=Path("./data"),
    envvar="EMETH_DATA",
    help="Data folder of the service.  [default: ./data]",
)
@click.option(
    "--store",
    metavar="STORE",
    default="",
    envvar="EMETH_STORE",
    help="Read the log from this PostgreSQL database, as postgresql://USER@HOST/DATABASE.",
)
@click.option("--since", type=_ANY, help="Back up only the events after this earlier backup.")
@click.option(
    "--check", "checking", is_flag=True, help="Only check whether the backup TO is sound."
)
@_player_keys("Write the players' keys of an encrypted log to this file, replacing its content.")
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
    r"""Back up the log, players' names, keys, content packs and attestations.

    TO is a new folder, or a file that ends in .tar. The service may run meanwhile.

    A log in PostgreSQL is copied into a file. To restore it, restore the backup into a folder, and
    copy the log from there to a database with `emeth move-log`.

    A backup contains the service's keys, and anybody who has them can make any token. Protect the
    backup like the data folder.

    An encrypted log stays encrypted. The players' keys are never in a backup. They are in the file
    of --player-keys, which each backup replaces, so that a deleted player is unreadable in all
    backups. Without that file, all players of a restored backup appear as deleted.

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
            "The backup does not contain the players' keys: --player-keys writes them to a file.",
            err=True,
        )


@click.command(short_help="Restore a backup into a new folder.")
@click.argument("backups", nargs=-1, required=True, type=_ANY)
@click.option("--to", required=True, type=_FOLDER, help="Restore into this new folder.")
@_player_keys("Read the players' keys of an encrypted log from this file.")
@as_json
@with_cipher
@collect_options("sealing", BackupEncryption)
def restore_backup(
    backups: tuple[Path, ...], to: Path, as_json: bool, sealing: BackupEncryption
) -> None:
    r"""Restore a full backup and the later ones made with --since, in order, into a new folder.

    Everything is checked before the folder appears. Then start a service on it.

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
