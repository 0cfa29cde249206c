"""The command `emeth demo`: a service, its players and a watcher, each in its own process."""

import asyncio
import os
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import SPECTATOR, AnyGame
from services.cli.access import MatchAccess
from services.cli.connection import ServiceAddress, with_service
from services.cli.keyring import KeyringEntry
from services.cli.options import GameName, collect_options
from services.cli.recorded_games import RecordedGame, read_recorded, recorded_games
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, ServiceFailed, console
from services.cli.terminal.screen import Screen
from services.cli.terminal.watch import follow
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED

EMETH: Final = (sys.executable, "-P", "-m", "services.cli")
"""The command line of this program, independent of modules in the current folder."""
START_SECONDS: Final = 30
STOP_SECONDS: Final = 20
PACE_SECONDS: Final = 0.4
"""Seconds before each action, so that people can follow."""
BOARDS: Final = 10
"""In a pipe, the number of events between two drawn boards."""


class DemoSeat(Struct, frozen=True):
    """A seat in a match, with the token that acts for it."""

    game: AnyGame
    match: str
    seat: str
    token: str


@click.command(short_help="Watch a recorded game being played.")
@click.argument("game", type=GameName(), default="agog")
def demo(game: AnyGame) -> None:
    r"""Start a service in a temporary folder, and let clients play a recorded game on it.

    Each client is its own process and calls the service over gRPC. This process watches the stream,
    draws the board, and prints the score sheet at the end. The clients enter dice and shuffles as
    they were recorded.

    \b
    Examples:
      emeth demo
      emeth demo earthen-war
    """
    if game.slug not in recorded_games():
        raise click.UsageError(
            f"there is no recorded game of {game.name}; there is one of each of"
            f" {', '.join(recorded_games())}"
        )
    recorded = read_recorded(game.slug)
    pace = PACE_SECONDS if console().is_terminal else 0
    with TemporaryDirectory(prefix="emeth-demo-") as folder, _service(Path(folder)) as address:
        click.echo(f"A service listens on {address}.")
        service = ServiceAddress(address)
        service.run(lambda client: _show(client, address, game, recorded, pace), session=True)


@contextmanager
def _service(folder: Path) -> Iterator[str]:
    """Run a service in another process, and yield its address."""
    ready, log = folder / "address", folder / "service.log"
    flags = ("--data", folder / "data", "--listen", "127.0.0.1:0", "--ready-file", ready)
    with log.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603  this very program
            (*EMETH, "serve", *map(str, flags)), env=_environment(), stdout=file, stderr=file
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not (ready.exists() and ready.read_text()):
            if process.poll() is not None or time.monotonic() > until:
                raise ServiceFailed(f"the service did not start:\n{log.read_text().strip()}")
            time.sleep(0.02)
        yield ready.read_text()
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _environment(**more: str) -> dict[str, str]:
    """Return this process's environment without EMETH_ variables, and with `more`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("EMETH_")}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


async def _show(
    client: Client, address: str, game: AnyGame, recorded: RecordedGame, pace: float
) -> None:
    """Start the players, draw what the watcher sees, and print the score sheet."""
    given = dict(recorded.options)
    if "chance" in game.options.__struct_fields__:
        given["chance"] = "entered"
    made = await client.create_match(
        game=game.slug, options=given, title="demo", chance=CHANCE_ENTERED
    )
    match, tokens = made.match.match_id, made.tokens
    ring = KeyringEntry(game.slug, {SPECTATOR: tokens[SPECTATOR]}, version=made.match.version)
    names = ", ".join(f"{name} ({seat})" for seat, name in recorded.players.items())
    click.echo(f"{names} play {game.name}, each from a process of its own.\n")
    players = [
        await _sit_down(address, DemoSeat(game, match, seat, tokens[seat]), name, pace)
        for seat, name in recorded.players.items()
    ]
    try:
        watching = follow(client, MatchAccess(match, ring), 0, Screen(every=BOARDS))
        await asyncio.gather(watching, *map(_attend, players))
    finally:
        for player in players:
            if player.returncode is None:
                player.kill()
                await player.wait()
    version = (await client.match(match, token=tokens[SPECTATOR])).version
    sheet = await client.score(tokens[SPECTATOR], match, version)
    click.echo(f"\n{sheet.text}")


async def _sit_down(address: str, bot_seat: DemoSeat, name: str, pace: float) -> Process:
    return await asyncio.create_subprocess_exec(
        *EMETH,
        *("demo-player", bot_seat.game.slug, bot_seat.match, bot_seat.seat, name),
        *("--pace", str(pace)),
        env=_environment(EMETH_ADDRESS=address, EMETH_TOKEN=bot_seat.token),
        stderr=PIPE,
    )


async def _attend(player: Process) -> None:
    """Wait until a player's process ends.

    Raises:
        ServiceFailed: The process failed.
    """
    _, complaint = await player.communicate()
    if player.returncode:
        raise ServiceFailed(f"a player gave up: {complaint.decode(errors='replace').strip()}")


@click.command("demo-player", hidden=True)
@click.argument("game", type=GameName())
@click.argument("match")
@click.argument("seat")
@click.argument("name")
@click.option("--token", envvar="EMETH_TOKEN", required=True)
@click.option("--pace", type=float, default=0)
@with_service
@collect_options("bot_seat", DemoSeat)
def demo_player(service: ServiceAddress, bot_seat: DemoSeat, name: str, pace: float) -> None:
    """Take a seat and play its part of the recorded game."""

    async def take_part(client: Client) -> None:
        begun = await client.match(bot_seat.match, 1, token=bot_seat.token)
        mine, version = bot_seat, 1
        # Who makes entries for the table has no seat to take.
        if bot_seat.seat in {each.name for each in begun.seats}:
            claimed = await client.join_match(bot_seat.token, bot_seat.match, bot_seat.seat, name)
            mine, version = replace(bot_seat, token=claimed.token), claimed.match.version
        await client.match(bot_seat.match, version, token=mine.token)
        await _play(client, read_recorded(bot_seat.game.slug), mine, pace)

    service.run(take_part, session=True)


async def _play(client: Client, recorded: RecordedGame, bot_seat: DemoSeat, pace: float) -> None:
    match, token = bot_seat.match, bot_seat.token
    players = recorded.players.keys() & {
        each.name for each in (await client.match(match, token=token)).seats
    }
    seated = 0
    played = 0  # actions in the match so far
    taken = -1  # the last one that was ours
    async with aclosing(client.watch(token, match, until_over=True)) as news:
        async for watched in news:
            seated += watched.event.kind == "match.SeatClaimed"
            played += watched.event.HasField("action")
            waiting = seated < len(players)
            if waiting or played == len(recorded.actions) or played == taken:
                continue
            by, action = recorded.actions[played]
            if by == bot_seat.seat:
                await asyncio.sleep(pace)
                answer = await client.submit(token, match, action)
                if answer.HasField("refused"):
                    raise CommandRefused(sentences.refusal_sentence(answer.refused))
                taken = played
