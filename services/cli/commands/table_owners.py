"""`emeth gateway rotate-key`, `revoke`, `release`, `unlock`, `close`: what a table's owner does."""

from collections.abc import Callable

import click

from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json

_OWNED = click.option(
    "--key", "own", metavar="KEY", help="In place of the admin key that of the table's owner."
)


@click.command("rotate-key", short_help="Give a gateway another key, and print it.")
@click.argument("gateway_id", metavar="GATEWAY")
@_OWNED
@keyed_late
@connected
@as_json
def rotate_key(
    service: ServiceAddress, key: Callable[[], str], gateway_id: str, own: str | None, as_json: bool
) -> None:
    """Give a GATEWAY another key. The old one opens nothing any more, and its stream ends.

    \b
    Example:
      emeth gateway rotate-key 5f2c0c8e-....1a2b3c4d
    """
    shown = own or key()
    made = service.run_tables(lambda client: client.rotate_gateway_key(shown, gateway_id))
    if as_json:
        print_json(made)
        return
    click.echo(f"key      {made.gateway_key}")


@click.command(short_help="Let a gateway connect no more.")
@click.argument("gateway_id", metavar="GATEWAY")
@_OWNED
@keyed_late
@connected
def revoke(
    service: ServiceAddress, key: Callable[[], str], gateway_id: str, own: str | None
) -> None:
    """Let a GATEWAY connect no more. Its styluses are free, and keep their names and PINs.

    \b
    Example:
      emeth gateway revoke 5f2c0c8e-....1a2b3c4d
    """
    shown = own or key()
    service.run_tables(lambda client: client.delete_gateway(shown, gateway_id))
    click.echo("revoked")


@click.command(short_help="Let a stylus go.")
@click.argument("table_id", metavar="TABLE")
@click.argument("stylus")
@_OWNED
@keyed_late
@connected
def release(
    service: ServiceAddress,
    key: Callable[[], str],
    table_id: str,
    stylus: str,
    own: str | None,
) -> None:
    """Let a STYLUS of a TABLE go. It is as it left the factory then: its name, PIN and seats are
    forgotten.

    \b
    Example:
      emeth gateway release 5f2c0c8e-... AA:01
    """
    shown = own or key()
    answer = service.run_tables(
        lambda client: client.release_stylus(shown, stylus, table_id=table_id)
    )
    if answer.HasField("refusal"):
        raise CommandRefused(sentences.refused(answer.refusal))
    click.echo("released")


@click.command(short_help="Let a stylus be paired at once.")
@click.argument("table_id", metavar="TABLE")
@click.argument("stylus")
@_OWNED
@keyed_late
@connected
def unlock(
    service: ServiceAddress,
    key: Callable[[], str],
    table_id: str,
    stylus: str,
    own: str | None,
) -> None:
    """Let a STYLUS be paired at a TABLE at once, however many wrong PINs were tried there.

    \b
    Example:
      emeth gateway unlock 5f2c0c8e-... AA:01
    """
    shown = own or key()
    service.run_tables(lambda client: client.unlock_stylus(shown, stylus, table_id))
    click.echo("unlocked")


@click.command(short_help="Give a table up.")
@click.argument("table_id", metavar="TABLE")
@_OWNED
@keyed_late
@connected
def close(service: ServiceAddress, key: Callable[[], str], table_id: str, own: str | None) -> None:
    """Give a TABLE up: the keys of its gateways open nothing any more, and its styluses are free.
    What was recorded stays.

    \b
    Example:
      emeth gateway close 5f2c0c8e-...
    """
    shown = own or key()
    service.run_tables(lambda client: client.close_table(shown, table_id))
    click.echo("closed")
