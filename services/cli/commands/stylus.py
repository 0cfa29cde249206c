"""The command `emeth stylus`: a virtual stylus and Control Card in the terminal."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from secrets import token_hex
from typing import Final

import click

from domain.table import CARD_COMMANDS
from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.admin_key import create_gateway, with_optional_admin_key
from services.cli.connection import ServiceAddress, with_service
from services.cli.terminal import sentences
from services.cli.terminal.board import paint
from services.cli.terminal.console import CommandRefused, console, harmless
from services.cli.terminal.screen import scene_of
from services.cli.terminal.typed_lines import END, TypedLines
from services.client import Client
from services.client.gateway import Device, GatewayClient, system_locale
from services.wire.emeth.devices.v1.connections_pb2 import DevicePrompt

SHOWN: Final = 12
"""The most targets of the next tap that are listed by name."""


def screen_lines(prompt: DevicePrompt) -> Iterator[str]:
    """Yield the stylus's screen as lines without escape sequences."""
    yield from map(harmless, _lines(prompt))


def _lines(prompt: DevicePrompt) -> Iterator[str]:
    for event in prompt.events:
        yield sentences.event_line(event)
    if prompt.HasField("refusal"):
        yield f"refused: {prompt.refusal.why} [{prompt.refusal.rule}]"
    result = prompt.result if prompt.HasField("result") else None
    yield f"{sentences.standing(prompt.prompts, result)}  {prompt.text}"
    if prompt.HasField("proposal"):
        yield f"  {sentences.proposal_sentence(prompt.proposal)}"
    yield from (f"  {line}" for line in prompt.screen.splitlines())
    if prompt.selected:
        yield f"  picked: {', '.join(prompt.selected)}"
    if prompt.digits:
        yield f"  digits: {prompt.digits}"
    if prompt.next_targets:
        more = (
            f", ... ({len(prompt.next_targets)} things)" if len(prompt.next_targets) > SHOWN else ""
        )
        yield f"  next: {', '.join(prompt.next_targets[:SHOWN])}{more}"
    for number, rune in enumerate(prompt.runes, 1):
        yield f"  rune {number}  {rune.label}  {rune.sentence}"
    if prompt.page_count > 1:
        yield f"  page {prompt.page} of {prompt.page_count}"
    if prompt.HasField("armed"):
        cost = f" ({prompt.armed.cost})" if prompt.armed.cost else ""
        yield f"  Confirm takes: {prompt.armed.label}  {prompt.armed.sentence}{cost}"
        figures = [f"{name} {value}" for name, value in sorted(prompt.armed.figures.items())]
        if prompt.armed.path:
            figures.append(f"by {', '.join(prompt.armed.path)}")
        if figures:
            yield f"    {', '.join(figures)}"


NAME: Final = "VIRTUAL"
"""The start of the hardware id of a stylus without hardware."""
HELP: Final = """\
Each line is a tap:
  a6                  a space, piece or card of those that may be tapped next
  space a6            any target in full: piece, space, card, base, region, relic
  r1 to r6            a rune symbol
  07                  digits, one after the other
  (nothing)           Confirm
  page                Page
  army < >, ancients < >, map      the views and their arrows, as: army>
  undo redo resign draw dispute    the match card: press Confirm to submit
  agree refuse        the answers to a proposal
  quit                stop here"""
_WORDS: Final[dict[str, str]] = {
    "": "button confirm",
    "confirm": "button confirm",
    "page": "button page",
    **{f"r{n}": f"cc rune {n}" for n in range(1, 7)},
    **{f"{view}{arrow}": f"cc {view}{arrow}"
       for view in ("army", "ancients") for arrow in ("", "<", ">")},
    "map": "cc map",
    **{command: f"match {command}" for command in CARD_COMMANDS},
}  # fmt: skip


@click.command(short_help="Tap with a virtual stylus and Control Card.")
@with_optional_admin_key
@with_access
@with_service
def stylus(service: ServiceAddress, access: MatchAccess, key: Callable[[], str]) -> None:
    r"""Play with a virtual stylus and Control Card at a new table.

    The stylus acts for all remembered seats, or for the role of --as. The command needs the admin
    key only if other machines can call the service.

    \b
    Examples:
      emeth stylus
      emeth stylus --as white < taps.txt
    """

    async def tapping(client: Client) -> None:
        # A stylus cannot be at two tables: its id is new each time.
        pen = f"{NAME}-{token_hex(4)}"
        gateway_key = await _seated(client, key, access, pen)
        news, credentials = asyncio.Event(), service.credentials()
        async with GatewayClient(
            service.address,
            gateway_key,
            device=Device(locale=system_locale()),
            credentials=credentials,
            on_prompt=lambda _: news.set(),
        ) as gateway:
            await gateway.wait_until_welcomed()
            await _Tapping(client, access, gateway, pen).go_on(news)

    with suppress(KeyboardInterrupt):  # to stop is no failure
        service.run(tapping)


async def _seated(
    client: Client, admin_key: Callable[[], str], access: MatchAccess, pen: str
) -> str:
    """Seat a stylus with a gateway at a table of its own. Return the gateway's key."""
    registered = await create_gateway(client, admin_key, "A virtual gateway")
    await client.pair_stylus(registered.gateway_key, pen, pin="0000")
    roles = [access.role] if access.role else list(access.ring.seats)
    tokens = [access.token_of(role) for role in roles]
    if access.token is not None and access.role is None:
        tokens = [access.token]
    seated = await client.seat_stylus(registered.gateway_key, pen, access.match, tokens)
    if seated.HasField("refusal"):
        raise CommandRefused(sentences.refusal_sentence(seated.refusal))
    return registered.gateway_key


class _Tapping:
    """A session in which a player types taps and sees the actions of others as they happen."""

    def __init__(
        self, client: Client, access: MatchAccess, gateway: GatewayClient, pen: str
    ) -> None:
        self._client, self._access, self._gateway, self._pen = client, access, gateway, pen

    async def go_on(self, news: asyncio.Event) -> None:
        """Send typed taps until the player quits."""
        prompt = await self._gateway.wait_for_prompt(self._pen, 1)
        with TypedLines("tap> ") as typed:
            await self._show(prompt, typed)
            while (line := await self._next(typed, news, prompt.match_version)) != END:
                if line in ("?", "help"):
                    click.echo(HELP)
                    typed.ask()
                    continue
                for code in codes(line, self._gateway.prompts[self._pen]):
                    prompt = await self._tap(code)
                await self._show(prompt, typed)

    async def _next(self, typed: TypedLines, news: asyncio.Event, version: int) -> str:
        """Return the next typed line, and show the actions of others until it comes."""
        if not typed.is_live:
            return await typed.next()
        line = asyncio.create_task(typed.next())
        while not line.done():
            news.clear()
            prompt = self._gateway.prompts[self._pen]
            if prompt.match_version > version:
                version = prompt.match_version
                click.echo()
                await self._show(prompt, typed)
            news_task = asyncio.create_task(news.wait())
            await asyncio.wait((line, news_task), return_when=asyncio.FIRST_COMPLETED)
            news_task.cancel()
        return line.result()

    async def _tap(self, code: str) -> DevicePrompt:
        prompt = await self._gateway.tap(self._pen, code)
        if prompt.events:
            keyring.set_last_used(self._access.match, prompt.events[-1].version)
        return prompt

    async def _show(self, prompt: DevicePrompt, typed: TypedLines) -> None:
        """Print the stylus's screen; in a terminal also the board with the next targets marked."""
        if typed.is_live:
            token, match = self._access.viewing(), self._access.match
            seen = await self._client.view(
                token, match, "scene", at_least_version=prompt.match_version
            )
            console().print(paint(scene_of(seen), frozenset(prompt.signals.highlighted_spaces)))
        click.echo("\n".join(screen_lines(prompt)))
        typed.ask()


def codes(line: str, prompt: DevicePrompt) -> list[str]:
    """Return the tap codes that a typed line stands for."""
    word = line.strip()
    if word in _WORDS:
        return [_WORDS[word]]
    if word.isdecimal():
        return [f"cc digit {digit}" for digit in word]
    things = [thing for thing in prompt.next_targets if thing.partition(" ")[2] == word]
    # People mostly mean spaces; a piece on a space can still be named in full.
    things.sort(key=lambda thing: not thing.startswith(("space", "region")))
    return things[:1] or [word]
