"""`emeth gateway`: letting hardware connect, replaying taps, and gateways that play themselves."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter

import click
import msgspec
from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.stylus.rules import RULES
from services.cli.access import Access, accessed
from services.cli.admin_key import keyed, keyed_late
from services.cli.commands.boards import correct, pair, seat
from services.cli.commands.device_commands import certificate, tell, watch
from services.cli.commands.devices import list_devices, list_taps
from services.cli.commands.mqtt import mqtt
from services.cli.commands.table_owners import close, release, revoke, rotate_key
from services.cli.commands.tap_rights import grant, grants, invite, withdraw
from services.cli.commands.trials import certify
from services.cli.connection import ServiceAddress, connected
from services.cli.options import GameName, as_json, gathered
from services.cli.terminal.console import REFUSED, print_json, print_table
from services.cli.terminal.stylus_screen import screen_lines
from services.cli.virtual_stylus import equip, hardware_id
from services.cli.virtual_stylus import register as register_alone
from services.client.gateway import GatewayClient
from services.client.gateway_device import Device, locale_here
from services.client.gateways import TableClient
from services.client.simulated_board import BoardPlayer
from services.client.simulated_gateway import STYLUS, Faults, SimulatedPlayer, bad_line
from services.wire.emeth.v1.gateways_pb2 import RegisterGatewayResponse
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED


class Tap(Struct, frozen=True):
    """A line of a file of taps."""

    code: str = ""
    stylus: str = STYLUS
    scan: dict[str, list[str]] | None = None
    """The signs on each space, for a board that senses its pieces."""
    whole: bool = True


@click.group(short_help="Register, list, revoke, replay and simulate gateways.")
def gateway() -> None:
    """Gateways: what stands between the styluses of a table and the service.

    \b
    Examples:
      emeth gateway register "Corner table"
      emeth gateway devices
      emeth gateway taps 5f2c0c8e-...
      emeth gateway rotate-key 5f2c0c8e-....1a2b3c4d
      emeth gateway replay taps.jsonl
      emeth gateway simulate --gateways 20 --drop 0.1 --cut 0.02
    """


gateway.add_command(list_devices)
gateway.add_command(list_taps)
for owned in (rotate_key, revoke, release, close, invite, certificate, tell, watch, certify, mqtt):
    gateway.add_command(owned)
for owned in (grant, grants, withdraw, pair, seat, correct):
    gateway.add_command(owned)


@gateway.command(short_help="Let a gateway connect, and print its key.")
@click.argument("name")
@click.option("--table", "table_id", default="", metavar="ID", help="At this table.")
@click.option("--code", default="", help="From `emeth gateway invite`, in place of a key.")
@keyed_late
@connected
@as_json
def register(
    service: ServiceAddress,
    key: Callable[[], str],
    name: str,
    table_id: str,
    code: str,
    as_json: bool,
) -> None:
    """Let a gateway connect, at a new table or at one that there is. A new table needs the admin
    key only at a service that other machines can call.

    \b
    Examples:
      emeth gateway register "Corner table"
      emeth gateway register "Corner table" --code 7Q2KM-0WXYZ
    """

    async def registering(client: TableClient) -> RegisterGatewayResponse:
        if code or table_id:
            shown = "" if code else key()
            return await client.register_gateway(shown, name, table_id, code=code)
        return await register_alone(client, key, name)

    made = service.run_tables(registering)
    if as_json:
        print_json(made)
        return
    click.echo(f"table    {made.table_id}\ngateway  {made.gateway_id}\nkey      {made.key}")
    if made.owner_key:
        click.echo(f"owner    {made.owner_key}")


@gateway.command(short_help="Show why taps are refused, rule by rule.")
@as_json
def rules(as_json: bool) -> None:
    """Show the rules of the stylus, which are the same for every game.

    \b
    Example:
      emeth gateway rules
    """
    if as_json:
        print_json([{"id": rule.id, "meaning": rule.meaning} for rule in RULES.values()])
        return
    print_table(("RULE", "MEANING"), ((rule.id, rule.meaning) for rule in RULES.values()))


@gateway.command(short_help="Play a file of taps.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@keyed_late
@accessed
@connected
def replay(service: ServiceAddress, access: Access, key: Callable[[], str], file: Path) -> None:
    """Play a recorded file of taps on a match, as a gateway of its own.

    Each line is a JSON object with `code`, what was tapped; `stylus` may say with which one. For a
    board that senses its pieces it has `scan` instead, the signs on each space, as in
    {"scan": {"a6": [], "b6": ["white/golem"]}}; and `"whole": false` if only these changed. The
    answer to each line is printed. The exit code is 1 if any was refused.

    \b
    Example:
      emeth gateway replay taps.jsonl
    """
    taps = list(_read(file))

    async def replaying(client: TableClient) -> int:
        pens = {tap.stylus: hardware_id(tap.stylus) for tap in taps}
        first, *others = pens.values()
        gateway_key = await equip(client, key, access, first)
        tokens = [access.token_of(seat) for seat in access.ring.seats]
        for other in others:
            await client.pair_stylus(gateway_key, other, "0000")
            await client.seat_stylus(gateway_key, other, access.match, tokens)
        credentials, refused = service.credentials(), 0
        device = Device(locale=locale_here())
        async with GatewayClient(
            service.address, gateway_key, device=device, credentials=credentials
        ) as player:
            await player.welcomed()
            for tap in taps:
                pen = pens[tap.stylus]
                await player.shown(pen, 1)
                sent = (
                    player.send(pen, tap.code)
                    if tap.scan is None
                    else player.scan(pen, tap.scan, whole=tap.whole)
                )
                prompt = await player.answer(sent)
                refused += prompt.HasField("refusal")
                click.echo("\n".join((f"tap {tap.code}", *screen_lines(prompt))))
        return refused

    refused = service.run_tables(replaying)
    click.echo(f"{len(taps)} taps, {refused} refused")
    if refused:
        raise click.exceptions.Exit(REFUSED)


def _read(file: Path) -> Iterator[Tap]:
    """The taps of a file. A usage error tells which line is none."""
    lines = [line for line in file.read_text().splitlines() if line.strip()]
    if not lines:
        raise click.UsageError(f"{file} holds no taps: there must be one JSON object a line")
    for number, line in enumerate(lines, 1):
        try:
            tap = msgspec.json.decode(line, type=Tap)
            if (tap.scan is None) != bool(tap.code):
                raise ValueError("it has both or neither")
            yield tap if tap.code else msgspec.structs.replace(tap, code="scan")
        except (ValueError, msgspec.MsgspecError):
            why = f"{file}, line {number}: a tap is a JSON object with `code`, or `scan`"
            raise click.UsageError(why) from None


class Evening(Struct, frozen=True):
    """What each simulated gateway plays, until it has done so many taps, and on what."""

    game: AnyGame
    taps: int
    skew_years: float
    seed: int
    board: bool
    journal: int


@gateway.command(short_help="Let gateways with bad lines play random matches.")
@click.argument("game", type=GameName(), default="earthen-war")
@click.option("--gateways", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option("--taps", type=click.IntRange(1), default=500, show_default=True, help="For each.")
@click.option("--drop", type=click.FloatRange(0, 0.9), default=0.0, help="Messages that are lost.")
@click.option("--double", type=click.FloatRange(0, 1), default=0.0, help="Sent twice.")
@click.option("--delay", type=click.FloatRange(0, 0.9), default=0.0, help="Sent after later ones.")
@click.option("--cut", type=click.FloatRange(0, 0.5), default=0.0, help="The line is lost before.")
@click.option("--skew-years", type=float, default=0.0, help="How far off the devices' clocks are.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--board", is_flag=True, help="On boards that see, now and then without a line.")
@click.option(
    "--journal",
    type=click.IntRange(0, 1000),
    default=200,
    show_default=True,
    help="Messages that a board sends at once of what it kept; 0: one by one.",
)
@keyed
@connected
@gathered("faults", Faults)
@gathered("evening", Evening)
def simulate(
    service: ServiceAddress, key: str, faults: Faults, evening: Evening, gateways: int
) -> None:
    """Let gateways play random matches by taps, and compare each log with what it should be.

    \b
    Examples:
      emeth gateway simulate agog --gateways 50 --drop 0.1 --double 0.1 --delay 0.1 --cut 0.02
      emeth gateway simulate tokars-arcana --board
    """

    async def simulating(client: TableClient) -> list[tuple[int, int, bool]]:
        tables = (
            _play(client, service, key, evening, faults, f"{evening.seed}-{number}")
            for number in range(gateways)
        )
        return list(await asyncio.gather(*tables))

    started = perf_counter()
    played = service.run_tables(simulating)
    seconds = perf_counter() - started
    tapped, acted = sum(each[0] for each in played), sum(each[1] for each in played)
    wrong = sum(not each[2] for each in played)
    click.echo(
        f"{gateways} gateways, {tapped} taps, {acted} actions in {seconds:.1f} s:"
        f" {gateways - wrong} logs as they should be, {wrong} not"
    )
    if wrong:
        raise click.exceptions.Exit(REFUSED)


async def _play(
    client: TableClient,
    service: ServiceAddress,
    admin_key: str,
    evening: Evening,
    faults: Faults,
    seed: str,
) -> tuple[int, int, bool]:
    """One gateway's evening: its taps, its actions, and whether the log has just these."""
    random = Random(seed)  # noqa: S311  a seed makes it repeatable
    key = (await client.register_gateway(admin_key, f"Simulated {seed}")).key
    pen = hardware_id(STYLUS)
    await client.pair_stylus(key, pen, "0000")
    done, acted, right = 0, 0, True
    device = Device(
        locale=locale_here(),
        clock=lambda: evening.skew_years * 31_556_952,
        mangle=bad_line(random, faults),
        resend_seconds=0.5,
        journal_entries=evening.journal if evening.board else 0,
    )
    while done < evening.taps:
        created = await client.create_match(
            evening.game.slug, title=f"Simulated {seed}", chance=CHANCE_ENTERED
        )
        match, tokens = created.match.match_id, dict(created.tokens)
        seats = [token for role, token in tokens.items() if role not in (REFEREE, SPECTATOR)]
        await client.seat_stylus(key, pen, match, seats)
        plays = BoardPlayer if evening.board else SimulatedPlayer
        player = plays(evening.game, random, faults, pen)
        async with GatewayClient(
            service.address, key, device=device, credentials=service.credentials()
        ) as line:
            await player.play(line, evening.taps - done)
        history = await client.list_history(tokens[REFEREE], match, len(player.taken) + 1)
        logged = [each.action.notation for each in history if each.HasField("action")]
        right = right and logged == player.taken
        done, acted = done + max(player.taps, 1), acted + len(player.taken)
    return done, acted, right
