"""The command `emeth witness`, which runs a witness that cosigns checkpoints of logs."""

import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from services.cli.terminal.console import CommandRefused
from services.proof.cosignatures import Cosigner
from services.proof.signing import NoteError, read_key
from services.runtime import keys
from services.runtime.files import make_folder, set_private_umask

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(short_help="Run a witness that cosigns logs.")
def witness() -> None:
    r"""Run a witness: sign that a service's log has only grown since the witness last saw it.

    docs/witnesses.md explains how to connect services and witnesses.

    \b
    Examples:
      emeth witness key --name example.org/witness
      emeth witness serve --name example.org/witness --log "$(emeth checkpoint --key)"
    """


def _identified(data: Path, name: str) -> Cosigner:
    """Return the witness of a folder, whose key is created if there is none."""
    if not name or not name.isprintable() or "+" in name or any(map(str.isspace, name)):
        raise click.UsageError(
            f"--name {name!r} is invalid: it must have no spaces and no +, as example.org/witness"
        )
    try:
        set_private_umask()
        make_folder(data)
        return Cosigner(keys.load_key_file(data / "witness.key"), name)
    except keys.BadKeyError as error:
        raise CommandRefused(str(error)) from None
    except OSError as error:
        raise CommandRefused(f"cannot keep a key in {data}: {error.strerror}") from None


_data = click.option(
    "--data",
    type=_FOLDER,
    default=Path("./witness"),
    help="Folder of the witness's key and records.  [default: ./witness]",
)
_name = click.option(
    "--name", required=True, help="Name of the witness's key, as example.org/witness."
)


@witness.command("key", short_help="Show the witness's public key.")
@_name
@_data
def show_key(name: str, data: Path) -> None:
    r"""Show the witness's public key, with which cosignatures are checked; create it if missing.

    \b
    Example:
      emeth witness key --name example.org/witness
    """
    click.echo(str(_identified(data, name).key))


@witness.command("serve", short_help="Cosign the logs of services.")
@_name
@click.option(
    "--log",
    "logs",
    multiple=True,
    required=True,
    metavar="KEY",
    help="Cosign the log with this public key; may be repeated.",
)
@click.option(
    "--listen",
    default="127.0.0.1:20090",
    show_default=True,
    help="Listen for HTTP on this address and port; port 0 picks a free one.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Accept requests for this host name, for a witness behind a proxy; may be repeated.",
)
@_data
def serve_witness(
    name: str, logs: tuple[str, ...], listen: str, hosts: tuple[str, ...], data: Path
) -> None:
    r"""Cosign checkpoints on request until Ctrl+C or SIGTERM.

    The witness stores each checkpoint on disk before it cosigns it. It answers requests whose Host
    header is an address, a name of this machine or its network, or one of --host.

    \b
    Example:
      emeth witness serve --name example.org/witness --log "$(emeth checkpoint --key)"
    """
    cosigner = _identified(data, name)
    host, _, port = listen.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65_535:
        raise click.UsageError(
            f"--listen {listen!r} is not an address and port such as 127.0.0.1:20090"
        )
    try:
        known = [read_key(each) for each in logs]
    except NoteError as error:
        raise click.UsageError(f"--log: {error}") from None
    # Only here: a server takes long to load.
    from services.proof.witness.records import WitnessStore
    from services.transport.witness_server import application, serve

    try:
        records = WitnessStore(data, cosigner, known)
    except (OSError, sqlite3.Error) as error:
        raise CommandRefused(f"cannot keep records in {data}: {error}") from None
    with closing(records), _listening(host, int(port)) as listening:
        click.echo(f"{cosigner.key}\nhttp://{host}:{listening.getsockname()[1]}")
        serve(application(records, str(cosigner.key), listen, hosts), listening)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family)
    except OSError as error:
        raise CommandRefused(f"cannot listen on {host}:{port}: {error.strerror}") from None
