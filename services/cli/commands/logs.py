"""The command `emeth move-log`, which copies the log to another store."""

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
@click.option("--from", "source", metavar="STORE", required=True, help="Store of the log.")
@click.option("--to", "target", metavar="STORE", required=True, help="Empty store to copy to.")
@with_cipher
def move_log(source: str, target: str, cipher: CipherKeys) -> None:
    r"""Move the log from one store to another. Stop all services on it first.

    A STORE is a file (sqlite:PATH) or a database (postgresql://USER@HOST/DATABASE). Events keep
    their numbers and bytes, so that digests, receipts and checkpoints stay valid. At the end, both
    logs are compared. An interrupted move continues when the same command is given again. The old
    log is not changed.

    Players' names, the progress of webhooks, attestations and content packs move too. Keys are
    files in the data folder, and are not moved.

    With --cipher-keys-file the log is encrypted again under the first key of the file. If the first
    word of the file is `clear`, the log is stored unencrypted. Digests are over the unencrypted
    content, and stay the same.

    \b
    Examples:
      emeth move-log --from sqlite:data/log.sqlite --to postgresql://emeth@db.example/emeth
      emeth move-log --from postgresql://emeth@db.example/emeth --to sqlite:data/log.sqlite
      emeth move-log --from sqlite:log.sqlite --to sqlite:new/log.sqlite --cipher-keys-file FILE
    """
    set_private_umask()
    path = Path(source.removeprefix("sqlite:"))
    if source.startswith("sqlite:") and not path.is_file():
        click.echo(f"emeth: there is no log at {path}: name the log with --from", err=True)
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
