"""`emeth gateway devices` and `taps`: what there is at the tables, and what was tapped."""

from collections.abc import Callable, Iterator

import click
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct

from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json, gathered
from services.cli.terminal import sentences
from services.cli.terminal.console import print_json, print_table
from services.wire.emeth.v1 import tables_pb2 as pb


@click.command("devices", short_help="List tables, gateways and styluses.")
@click.option("--table", "table_id", default="", metavar="ID", help="Only this table.")
@click.option("--match", "match_id", default="", metavar="ID", help="Only where it is played.")
@click.option("--key", "own", metavar="KEY", help="A gateway's own key: lists its table.")
@keyed_late
@connected
@as_json
def list_devices(
    service: ServiceAddress,
    key: Callable[[], str],
    table_id: str,
    match_id: str,
    own: str | None,
    as_json: bool,
) -> None:
    """List the tables with their gateways and styluses: where each is, since when it is lost, how
    full its battery is, when it was heard last, and which seats it has.

    \b
    Examples:
      emeth gateway devices
      emeth gateway devices --table 5f2c0c8e-... --json
    """
    shown = own or key()
    found = service.run_tables(
        lambda client: client.list_devices(shown, table_id=table_id, match_id=match_id)
    )
    if as_json:
        print_json(found)
        return
    print_table(
        ("TABLE", "DEVICE", "NAME", "IS", "LAST HEARD", "BATTERY", "SEATS"),
        (row for table in found for row in _rows(table)),
    )


def _rows(table: pb.Table) -> Iterator[tuple[str, ...]]:
    played = f"match {table.match_id}" if table.match_id else "no match"
    played = "closed" if table.closed else played
    yield table.table_id, "table", table.name, played, _time(table.update_time), "", ""
    names = {each.gateway_id: each.name for each in table.gateways}
    for gateway in table.gateways:
        heard = (
            _time(gateway.last_message_time) if gateway.HasField("last_message_time") else "never"
        )
        run = f"at message {gateway.highest_seq}" if gateway.epoch else "never connected"
        run = "deleted" if gateway.deleted else run
        yield gateway.gateway_id, "gateway", gateway.name, run, heard, "", ""
    for stylus in table.styluses:
        place = f"with {names[stylus.gateway_id]}" if stylus.gateway_id else "not paired"
        if stylus.gateway_id and stylus.HasField("disconnect_time"):
            place = f"disconnected since {_time(stylus.disconnect_time)}"
        tapped = _time(stylus.last_tap_time) if stylus.HasField("last_tap_time") else "never"
        battery = f"{stylus.battery_percent}%" if stylus.HasField("battery_percent") else ""
        name = f"{stylus.name} ({stylus.stylus_id})" if stylus.name else stylus.stylus_id
        yield "", "stylus", name, place, tapped, battery, ", ".join(stylus.seats)


def _time(at: Timestamp) -> str:
    return at.ToDatetime().isoformat(sep=" ", timespec="seconds")


class TapQuery(Struct, frozen=True):
    """Which taps of a table are wanted."""

    table_id: str
    match_id: str
    stylus: str


@click.command("taps", short_help="List what was tapped at a table.")
@click.argument("table_id", metavar="TABLE")
@click.option("--match", "match_id", default="", metavar="ID", help="Only taps on this match.")
@click.option("--stylus", default="", metavar="ID", help="Only those of this stylus.")
@click.option(
    "--key",
    "own",
    metavar="KEY",
    help="In place of the admin key a gateway's, or with --match its referee's token.",
)
@keyed_late
@connected
@as_json
@gathered("wanted", TapQuery)
def list_taps(
    service: ServiceAddress,
    key: Callable[[], str],
    wanted: TapQuery,
    own: str | None,
    as_json: bool,
) -> None:
    """List the taps and signs at a TABLE in the order in which they were recorded, with what came
    of each. A gateway is shown what it sent itself.

    \b
    Examples:
      emeth gateway taps 5f2c0c8e-...
      emeth gateway taps 5f2c0c8e-... --match 4c1e... --key REFEREES-TOKEN --json
    """
    shown = own or key()
    found = service.run_tables(
        lambda client: client.list_taps(
            shown, table_id=wanted.table_id, match_id=wanted.match_id, stylus=wanted.stylus
        )
    )
    if as_json:
        print_json(found)
        return
    print_table(
        ("VERSION", "AT", "BY ITS CLOCK", "GATEWAY", "NUMBER", "STYLUS", "TAPPED", "CAME OF IT"),
        (
            (
                str(tap.version),
                _time(tap.record_time),
                sentences.device_time(tap),
                tap.gateway_name,
                str(tap.seq),
                tap.stylus_name or tap.stylus_id,
                sentences.tapped(tap),
                sentences.outcome(tap),
            )
            for tap in found
        ),
    )
