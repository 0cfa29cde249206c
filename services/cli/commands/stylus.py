"""`emeth stylus`: a stylus and a Control Card in the terminal, for people without hardware."""

import json
from pathlib import Path
from typing import Final

import click

from domain.table import COMMANDS
from services.cli import keyring
from services.cli.access import Access, accessed
from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.terminal.play_session import read_line
from services.cli.terminal.stylus_screen import screen_lines
from services.cli.virtual_stylus import equip, hardware_id
from services.client.gateway import GatewayClient
from services.client.gateways import TableClient
from services.wire.emeth.v1.gateways_pb2 import Prompt

NAME: Final = "VIRTUAL"
"""What a stylus that has no hardware is called in files of taps."""
HELP: Final = """\
Each line is a tap:
  a6                  a space, piece or card of those that may be tapped next
  space a6            any target in full: piece, space, card, base, region, relic
  r1 to r6            a rune symbol
  07                  digits, one after the other
  (nothing)           Confirm
  page                Page
  army < >, ancients < >, map      the views and their arrows, as: army>
  undo redo resign draw dispute    the match card: Confirm asks for it
  agree refuse        the answers to what somebody asks for
  quit                stop here"""
_WORDS: Final[dict[str, str]] = {
    "": "button confirm",
    "confirm": "button confirm",
    "page": "button page",
    **{f"r{n}": f"cc rune {n}" for n in range(1, 7)},
    **{f"{view}{arrow}": f"cc {view}{arrow}"
       for view in ("army", "ancients") for arrow in ("", "<", ">")},
    "map": "cc map",
    **{command: f"match {command}" for command in COMMANDS},
}  # fmt: skip


@click.command(short_help="Tap with a virtual stylus and Control Card.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the taps to this file, for `emeth gateway replay`.",
)
@keyed
@accessed
@connected
def stylus(service: ServiceAddress, access: Access, key: str, record: Path | None) -> None:
    """Play by taps: a virtual stylus at a table of its own, with a Control Card.

    It acts for the seats whose tokens are remembered, or for the one chosen with --as.

    \b
    Examples:
      emeth stylus
      emeth stylus --as white --record taps.jsonl
    """

    async def tapping(client: TableClient) -> None:
        pen = hardware_id(NAME)
        gateway_key = await equip(client, key, access, pen)
        credentials = service.credentials()
        async with GatewayClient(service.address, gateway_key, credentials=credentials) as gateway:
            await gateway.welcomed()
            await _tap_on(gateway, pen, access.match, record)

    service.run_tables(tapping)


async def _tap_on(gateway: GatewayClient, pen: str, match: str, record: Path | None) -> None:
    """Tap what is typed, until the player quits."""
    prompt = await gateway.shown(pen, 1)
    click.echo("\n".join(screen_lines(prompt)))
    while (line := read_line("tap> ")) != "quit":
        if line in ("?", "help"):
            click.echo(HELP)
            continue
        for code in codes(line, gateway.prompts[pen]):
            if record is not None:
                with record.open("a") as file:
                    file.write(json.dumps({"stylus": NAME, "code": code}) + "\n")
            prompt = await gateway.tap(pen, code)
            if prompt.events:
                keyring.use(match, prompt.events[-1].version)
        click.echo("\n".join(screen_lines(prompt)))


def codes(line: str, prompt: Prompt) -> list[str]:
    """The codes that a typed line taps."""
    word = line.strip()
    if word in _WORDS:
        return [_WORDS[word]]
    if word.isdecimal():
        return [f"cc digit {digit}" for digit in word]
    things = [thing for thing in prompt.next if thing.partition(" ")[2] == word]
    # A space is what people name most; what stands on it can still be told in full.
    things.sort(key=lambda thing: not thing.startswith(("space", "region")))
    return things[:1] or [word]
