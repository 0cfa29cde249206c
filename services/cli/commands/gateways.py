"""The command `emeth gateway`: registers gateways, pairs styluses and seats them."""

from collections.abc import Callable

import click

from domain.stylus.tap_rules import RULES
from services.cli.access import MatchAccess, with_optional_access
from services.cli.admin_key import create_gateway, with_optional_admin_key
from services.cli.commands.certification import certify
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.client import Client
from services.wire.emeth.devices.v1.gateways_pb2 import CreateGatewayResponse
from services.wire.emeth.devices.v1.styluses_pb2 import UpdateStylusResponse


@click.group(short_help="Set up and certify gateways.")
def gateway() -> None:
    r"""Set up the gateways and styluses of a table. `emeth call` calls all other methods.

    \b
    Examples:
      emeth gateway register "Corner table"
      emeth gateway certify ./my-gateway
    """


gateway.add_command(certify)


@gateway.command(short_help="Register a gateway and print its key.")
@click.argument("name")
@click.option("--table", "table_id", default="", metavar="ID", help="Register at this table.")
@click.option("--code", default="", help="Use this code from CreateGatewayInvite, not a key.")
@with_optional_admin_key
@with_service
@as_json
def register(
    service: ServiceAddress,
    key: Callable[[], str],
    name: str,
    table_id: str,
    code: str,
    as_json: bool,
) -> None:
    r"""Register a gateway at a new table or at an existing one, and print its key.

    A new table needs the admin key only if other machines can call the service.

    \b
    Examples:
      emeth gateway register "Corner table"
      emeth gateway register "Corner table" --code 7Q2KM-0WXYZ
    """

    async def registering(client: Client) -> CreateGatewayResponse:
        if code or table_id:
            shown = "" if code else key()
            return await client.create_gateway(shown, table_id, name, code=code)
        return await create_gateway(client, key, name)

    made = service.run(registering)
    if as_json:
        print_json(made)
        return
    click.echo(f"table    {made.table_id}\ngateway  {made.gateway_id}\nkey      {made.gateway_key}")
    if made.owner_key:
        click.echo(f"owner    {made.owner_key}")


@gateway.command(short_help="List the rules by which taps are refused.")
@as_json
def rules(as_json: bool) -> None:
    r"""List the rules of the stylus, which are the same for every game.

    \b
    Example:
      emeth gateway rules
    """
    if as_json:
        print_json([{"id": rule.id, "meaning": rule.meaning} for rule in RULES.values()])
        return
    print_table(("RULE", "MEANING"), ((rule.id, rule.meaning) for rule in RULES.values()))


@gateway.command(short_help="Pair a stylus with a gateway.")
@click.argument("stylus")
@click.option("--key", "own", metavar="KEY", required=True, help="Key of the gateway.")
@click.option("--pin", default="0000", show_default=True, help="PIN of the stylus, 4 digits.")
@with_service
def pair(service: ServiceAddress, own: str, stylus: str, pin: str) -> None:
    r"""Pair a STYLUS with a gateway, by its hardware ID.

    \b
    Example:
      emeth gateway pair AA:01 --key GATEWAYS-KEY
    """
    answer = service.run(lambda client: client.pair_stylus(own, stylus, pin=pin))
    if answer.HasField("refusal"):
        raise CommandRefused(sentences.refusal_sentence(answer.refusal))
    click.echo("paired")


@gateway.command(short_help="Set the seats that a stylus acts for.")
@click.argument("stylus")
@click.option("--key", "own", metavar="KEY", required=True, help="Key of the gateway.")
@click.option(
    "--code", "codes", multiple=True, help="Use this code from CreateTapGrant, not a token."
)
@with_optional_access
@with_service
@as_json
def seat(
    service: ServiceAddress,
    access: Callable[[], MatchAccess],
    own: str,
    stylus: str,
    codes: tuple[str, ...],
    as_json: bool,
) -> None:
    r"""Let a STYLUS act in a match: for the role of --as, or for all remembered seats.

    \b
    Examples:
      emeth gateway seat AA:01 --key GATEWAYS-KEY --as white
      emeth gateway seat AA:01 --key GATEWAYS-KEY --code 7Q2KM-0WXYZ
    """

    async def seating(client: Client) -> UpdateStylusResponse:
        if codes:
            return await client.seat_stylus(own, stylus, "", [], codes=codes)
        known = access()
        return await client.seat_stylus(own, stylus, known.match, _tokens(known))

    answer = service.run(seating)
    if answer.HasField("refusal"):
        raise CommandRefused(sentences.refusal_sentence(answer.refusal))
    if as_json:
        print_json(answer.stylus)
        return
    click.echo(f"acts for {', '.join(answer.stylus.seats) or 'nobody'}")


def _tokens(access: MatchAccess) -> list[str]:
    if access.token is not None or access.role is not None:
        return [access.viewing()]
    return [access.token_of(role) for role in access.ring.seats]
