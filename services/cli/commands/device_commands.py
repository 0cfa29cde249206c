"""`emeth gateway certificate`, `tell` and `watch`: certificates, and devices that do as told."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.terminal.console import CommandRefused, harmless
from services.client.gateways import TableClient
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2

_OWNED: Final = click.option(
    "--key", "own", metavar="KEY", help="In place of the admin key that of the table's owner."
)
_LIGHTS: Final = ("white", "green", "blue", "yellow", "red")
_SOUNDS: Final = ("tick", "done", "refused", "turn", "over")


@click.command(short_help="Let a gateway show a certificate in place of its key.")
@click.argument("gateway_id", metavar="GATEWAY")
@click.argument(
    "file",
    metavar="CERTIFICATE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=False,
)
@click.option("--required", is_flag=True, help="Its key opens nothing without it from now on.")
@_OWNED
@keyed_late
@connected
def certificate(
    service: ServiceAddress,
    key: Callable[[], str],
    gateway_id: str,
    file: Path | None,
    own: str | None,
    required: bool,
) -> None:
    """Let a GATEWAY show a CERTIFICATE in place of its key, a PEM file whose common name is the
    gateway's id; without one, take the right back.

    \b
    Example:
      emeth gateway certificate 5f2c0c8e-....1a2b3c4d corner.pem
    """
    shown, text = own or key(), file.read_text() if file else ""
    sha256 = service.run_tables(
        lambda client: client.certify_gateway(shown, gateway_id, text, required=required)
    )
    click.echo(f"sha256   {sha256}" if sha256 else "withdrawn")


@click.command(short_help="Have a device show, play or do something now.")
@click.argument("gateway_id", metavar="GATEWAY")
@click.option("--stylus", default="", metavar="ID", help="A stylus of it, and not itself.")
@click.option("--light", type=click.Choice(_LIGHTS), help="Show this light for some seconds.")
@click.option("--sound", type=click.Choice(_SOUNDS), help="Play this sound.")
@click.option("--buzz", type=click.IntRange(1, 2000), metavar="MS", help="Buzz so long.")
@click.option("--show", metavar="TEXT", help="Show this text.")
@click.option("--rename", metavar="TEXT", help="Be called so on its own screen.")
@click.option("--reset", is_flag=True, help="Be as it left the factory.")
@_OWNED
@keyed_late
@connected
def tell(
    service: ServiceAddress,
    key: Callable[[], str],
    gateway_id: str,
    stylus: str,
    own: str | None,
    **wanted: str | int | bool | None,
) -> None:
    """Have a GATEWAY or one of its styluses do something now, and tell what it answered.

    \b
    Example:
      emeth gateway tell 5f2c0c8e-....1a2b3c4d --stylus AA:01 --light yellow
    """
    given = {name: value for name, value in wanted.items() if value}
    if len(given) != 1:
        raise click.UsageError("say one thing that is to be done: --light, --sound, --buzz ...")
    ((name, value),) = given.items()
    shown, command = own or key(), _command(name, value)
    command.stylus_id = stylus
    answer = service.run_tables(lambda client: client.command_device(shown, gateway_id, command))
    if not answer.succeeded:
        raise CommandRefused(f"not done: {harmless(answer.message)}")
    click.echo("done")


def _command(name: str, value: object) -> pb.DeviceCommand:
    match name:
        case "light":
            return pb.DeviceCommand(light=pb.Light.Value(f"LIGHT_{str(value).upper()}"))
        case "sound":
            return pb.DeviceCommand(sound=pb.Sound.Value(f"SOUND_{str(value).upper()}"))
        case "buzz":
            return pb.DeviceCommand(vibration=pb.Vibration(pattern_ms=[int(str(value))]))
        case "reset":
            return pb.DeviceCommand(factory_reset=True)
        case "show":
            return pb.DeviceCommand(text=str(value))
        case _:
            return pb.DeviceCommand(display_name=str(value))


@click.command(short_help="Watch the devices of a table.")
@click.argument("table_id", metavar="TABLE")
@_OWNED
@keyed_late
@connected
def watch(service: ServiceAddress, key: Callable[[], str], table_id: str, own: str | None) -> None:
    """Watch the devices of a TABLE: a line for each that changes, until Ctrl+C.

    \b
    Example:
      emeth gateway watch 5f2c0c8e-...
    """
    shown = own or key()

    async def watching(client: TableClient) -> None:
        told: set[str] = set()
        async for table in client.watch_devices(shown, table_id):
            lines = {*map(_gateway, table.gateways), *map(_stylus, table.styluses)}
            for line in sorted(lines - told):
                click.echo(harmless(line))
            told = lines

    service.run_tables(watching)


def _gateway(gateway: tables_pb2.Gateway) -> str:
    state = "revoked" if gateway.deleted else "connected" if gateway.connected else "away"
    trouble = f", {gateway.lost_message_count} messages lost" if gateway.lost_message_count else ""
    pins = f", {gateway.wrong_pin_count} wrong PINs" if gateway.wrong_pin_count else ""
    locale = f", in {gateway.locale}" if gateway.locale else ""
    return f"gateway {gateway.name}: {state}  {gateway.software}{locale}{trouble}{pins}"


def _stylus(stylus: tables_pb2.Stylus) -> str:
    battery = f", battery {stylus.battery_percent}%" if stylus.HasField("battery_percent") else ""
    ended = f", lost {', '.join(stylus.ended_seats)}" if stylus.ended_seats else ""
    state = "disconnected" if stylus.HasField("disconnect_time") else "connected"
    seats = ", ".join(stylus.seats) or "no seat"
    return f"stylus {stylus.name or stylus.stylus_id}: {state}, {seats}{battery}{ended}"
