"""`emeth gateway invite`, `grant`, `grants` and `withdraw`: codes for gateways and styluses."""

from collections.abc import Callable

import click
from google.protobuf.timestamp_pb2 import Timestamp

from services.cli.access import Access, accessed
from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import print_json, print_table
from services.cli.terminal.qr_codes import Pictured, pictured
from services.client.gateways import TableClient
from services.wire.emeth.devices.v1 import styluses_pb2 as pb


@click.command(short_help="Make a code by which a gateway registers itself.")
@click.option("--table", "table_id", default="", metavar="ID", help="At this table.")
@click.option(
    "--key", "own", metavar="KEY", help="In place of the admin key that of the table's owner."
)
@pictured
@keyed_late
@connected
@as_json
def invite(
    service: ServiceAddress,
    key: Callable[[], str],
    table_id: str,
    own: str | None,
    picture: Pictured,
    as_json: bool,
) -> None:
    """Make a code by which one gateway registers itself within ten minutes, at a table of its own
    or at one that there is: `emeth gateway register NAME --code CODE`.

    \b
    Examples:
      emeth gateway invite --qr
      emeth gateway invite --table 5f2c0c8e-... --key OWNERS-KEY
    """
    shown = own or key()
    made = service.run_tables(lambda client: client.create_gateway_invite(shown, table_id))
    picture.save(made.uri)
    if as_json:
        print_json(made)
        return
    click.echo(f"code     {made.code}\nuntil    {_time(made.expire_time)}")
    picture.draw(made.uri)


@click.command(short_help="Make a code by which a stylus may tap for your seat.")
@pictured
@accessed
@connected
@as_json
def grant(service: ServiceAddress, access: Access, picture: Pictured, as_json: bool) -> None:
    """Make a code by which one stylus may tap for your seat: typed at a gateway within ten minutes,
    it is shown no hand, and needs no token. `emeth gateway withdraw` takes the right back.

    \b
    Example:
      emeth gateway grant --as white
      emeth gateway grant --as white --qr
    """

    async def granting(client: TableClient) -> pb.CreateTapGrantResponse:
        return await client.create_tap_grant(await access.acting(client), access.match)

    made = service.run_tables(granting)
    picture.save(made.uri)
    if as_json:
        print_json(made)
        return
    click.echo(
        f"code     {made.code}\nuntil    {_time(made.expire_time)}\ngrant    {made.grant_id}"
    )
    picture.draw(made.uri)


@click.command(short_help="List the styluses that may tap for your seat.")
@accessed
@connected
@as_json
def grants(service: ServiceAddress, access: Access, as_json: bool) -> None:
    """List the styluses that may tap for your seat by codes.

    \b
    Example:
      emeth gateway grants --as white
    """

    async def listing(client: TableClient) -> list[pb.TapGrant]:
        return await client.list_tap_grants(await access.acting(client), access.match)

    found = service.run_tables(listing)
    if as_json:
        print_json(found)
        return
    print_table(
        ("GRANT", "TABLE", "STYLUS", "NAME"),
        ((each.grant_id, each.table_name, each.stylus_id, each.stylus_name) for each in found),
    )


@click.command(short_help="Take the right to tap for your seat back.")
@click.argument("grant_id", metavar="[GRANT]", default="-")
@accessed
@connected
def withdraw(service: ServiceAddress, access: Access, grant_id: str) -> None:
    """Take back a GRANT to tap for your seat, or all that it has given.

    \b
    Example:
      emeth gateway withdraw --as white
    """

    async def withdrawing(client: TableClient) -> int:
        return await client.delete_tap_grant(await access.acting(client), access.match, grant_id)

    click.echo(f"{service.run_tables(withdrawing)} withdrawn")


def _time(at: Timestamp) -> str:
    return at.ToDatetime().isoformat(sep=" ", timespec="seconds")
