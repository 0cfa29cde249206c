"""`emeth move-log`: the log itself, without a service."""

import base64
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from services.cli.cipher_option import with_cipher
from services.cli.terminal.progress import Progress
from services.runtime.files import set_private_umask
from services.store.cipher_keys import CipherKeys
from services.store.errors import StoreError
from services.store.migrate import MoveProgress, migrate_log
from services.store.stores import open_log


@click.command("move-log", short_help="Move the log to another store.")
@click.option("--from", "source", metavar="STORE", required=True, help="Where the log is.")
@click.option("--to", "target", metavar="STORE", required=True, help="Where it goes.")
@with_cipher
def move_log(source: str, target: str, cipher: CipherKeys) -> None:
    """Move the log from one store to another: a file (sqlite:PATH) or a database
    (postgresql://USER@HOST/DATABASE). Stop all services on it first.

    Events keep their numbers and their bytes, so that digests, receipts and checkpoints stay what
    they are; in the end all of it is compared. What is broken off goes on where it stopped if the
    same command is given again. The old log stays as it is. What is kept beside the log goes with
    it: players' names, how far notices were posted, vouchers and content packs. Keys are files in
    the folder of the data, and are not moved.

    With --cipher-keys-file all of it is encrypted anew on its way, under the first of the keys; or,
    where the word `clear` comes first, it is stored in clear. Digests are over what was encrypted,
    and stay what they are.

    \b
    Examples:
      emeth move-log --from sqlite:data/log.sqlite --to postgresql://emeth@db.example/emeth
      emeth move-log --from postgresql://emeth@db.example/emeth --to sqlite:data/log.sqlite
      emeth move-log --from sqlite:log.sqlite --to sqlite:new/log.sqlite --cipher-keys-file FILE
    """
    set_private_umask()
    path = Path(source.removeprefix("sqlite:"))
    if source.startswith("sqlite:") and not path.is_file():
        click.echo(f"emeth: {path} is not there: --from names the log to be moved", err=True)
        raise click.exceptions.Exit(2)
    try:
        last = _moved(source, target, cipher)
    except (StoreError, sqlite3.Error, OSError) as error:
        click.echo(f"emeth: {error}", err=True)
        raise click.exceptions.Exit(3) from None
    root = base64.b64encode(last.root).decode()
    click.echo(f"Moved and compared: {last.done} events; the root of their tree is {root}")


def _moved(source: str, target: str, cipher: CipherKeys) -> MoveProgress:
    with (
        closing(open_log(source, lambda failure: None, cipher)) as old,
        closing(open_log(target, lambda failure: None, cipher)) as new,
        Progress("events") as bar,
    ):
        for step in migrate_log(old, new, cipher):
            bar.at(step.done, step.total)
        return step
