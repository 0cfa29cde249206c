"""The command `emeth bot`: a bot plays one seat, or all seats listed on standard input."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable

import click
import msgspec
from msgspec import Struct

from domain.bots.levels import LEVELS
from services.bots.player import BotSeat, play_seat, rematch
from services.bots.policy import MAX_SECONDS
from services.bots.process_pool import SearchPool
from services.cli import keyring
from services.cli.access import MatchAccess, with_optional_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import collect_options
from services.cli.terminal.console import CommandRefused, harmless
from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb

MOST_SERVED = 256
"""The number of seats that one process of `emeth bot --serve` plays at once; further ones wait."""


class BotWish(Struct, frozen=True):
    """The options of `emeth bot`."""

    seat: str
    level: str
    name: str
    seconds: float
    serve: bool
    processes: int
    rematch: float


@click.command(short_help="Let a bot take a seat and play it.")
@click.option(
    "--seat", default="", metavar="SEAT", help="Take this seat, with a code that is for any seat."
)
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    default="club",
    show_default=True,
    help="Play at this level.",
)
@click.option(
    "--name", default="", metavar="NAME", help="Name of the bot.  [default: Bot and its level]"
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, 3600),
    default=MAX_SECONDS,
    show_default=True,
    help="Think at most this many seconds about an action, less when a clock runs low.",
)
@click.option(
    "--serve", is_flag=True, help="Read seats from standard input, one JSON object a line."
)
@click.option(
    "--processes",
    type=click.IntRange(0, 64),
    default=0,
    show_default=True,
    help="Search in this many extra processes; 0: in this process.",
)
@click.option(
    "--rematch",
    type=click.FloatRange(0, 86_400),
    default=0,
    metavar="SECONDS",
    help="After a match, wait this many seconds for a rematch to be proposed, and play it.",
)
@with_optional_access
@with_service
@collect_options("wish", BotWish)
def bot(service: ServiceAddress, access: Callable[[], MatchAccess], wish: BotWish) -> None:
    r"""Let a bot take a seat and play it to the end, also when the service restarts.

    With the token or code of an open seat, the bot takes that seat and is marked as a bot. It
    agrees to takebacks, and to a draw when it is losing. With --rematch it plays again, in the next
    seat, if its opponents propose a rematch.

    With --serve it reads seats: {"match": ..., "seat": ..., "token": ..., "level": ...}.

    \b
    Examples:
      emeth bot --as black --level club
      emeth bot --match 4c1e9f30-... --token CODE --level master --seconds 3
      emeth bot --serve --processes 2 < seats.jsonl
    """
    if wish.serve:
        service.run(lambda client: _serve(client, wish), session=True)
        return
    chosen = access()
    service.run(lambda client: _play(client, chosen, wish), session=True)


async def _play(client: Client, access: MatchAccess, wish: BotWish) -> None:
    """Play the seat that the options name."""
    role = access.role or wish.seat
    token = access.token_of(role) if role and access.token is None else None
    token = token or access.token or await access.acting(client)
    bot_seat = await _seated(client, BotSeat(access.match, role, token, wish.level), wish)
    pool = SearchPool(wish.processes)
    try:
        await _played(client, bot_seat, pool, wish)
    finally:
        await pool.close()


async def _played(client: Client, bot_seat: BotSeat, pool: SearchPool, wish: BotWish) -> None:
    """Play a seat to the end, and each rematch that the opponents propose."""
    following: BotSeat | None = bot_seat
    while following is not None:
        bot_seat = following
        await play_seat(client, bot_seat, pool, longest=wish.seconds)
        match = await client.match(bot_seat.match, token=bot_seat.token)
        click.echo(harmless(f"{bot_seat.seat} has played to the end: {match.caption}"))
        following = await rematch(client, bot_seat, wish.rematch) if wish.rematch else None
        if following is not None:
            again = await client.match(following.match, token=following.token)
            _remember(again, following.seat, following.token, again.version)
            click.echo(harmless(f"{following.seat} of {following.match} ({bot_seat.level})"))


async def _seated(client: Client, bot_seat: BotSeat, wish: BotWish) -> BotSeat:
    """Return the seat with its valid token, after claiming the seat if it is open."""
    known = (await client.get_match(bot_seat.token, bot_seat.match)).caller
    if known.seats and not known.invited_role:
        return msgspec.structs.replace(bot_seat, seat=known.seats[0])
    claimed = await client.join_match(
        bot_seat.token,
        bot_seat.match,
        bot_seat.seat or known.invited_role,
        wish.name or f"Bot ({bot_seat.level})",
        bot=bot_seat.level,
    )
    match = claimed.match
    _remember(match, claimed.role, claimed.token, match.version)
    return msgspec.structs.replace(bot_seat, seat=claimed.role, token=claimed.token)


def _remember(match: pb.Match, seat: str, token: str, version: int) -> None:
    """Store the only valid token of a seat, so that the bot can be started again."""
    keyring.remember_seat(
        match.match_id, match.game, seat, invitation="", token=token, version=version
    )


async def _serve(client: Client, wish: BotWish) -> None:
    """Play every seat read from standard input, until its end and the end of all matches."""
    pool, free = SearchPool(wish.processes), asyncio.Semaphore(MOST_SERVED)

    async def one(offered: BotSeat) -> None:
        async with free:
            try:
                bot_seat = await _seated(client, offered, wish)
                click.echo(harmless(f"{bot_seat.seat} of {bot_seat.match} ({bot_seat.level})"))
                await _played(client, bot_seat, pool, wish)
            except ServiceError as error:  # the others are played on
                click.echo(harmless(f"{offered.match}: {error.message}"), err=True)

    try:
        async with asyncio.TaskGroup() as playing:
            async for offered in _offered():
                playing.create_task(one(offered))
    finally:
        await pool.close()


async def _offered() -> AsyncIterator[BotSeat]:
    """Yield the seats on standard input.

    Raises:
        CommandRefused: A line is not a seat, or its level does not exist.
    """
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            offered = msgspec.json.decode(line, type=BotSeat)
        except msgspec.DecodeError as error:
            raise CommandRefused(
                "a line of the input is not a seat such as"
                f' {{"match": ..., "seat": ..., "token": ..., "level": ...}}: {error}'
            ) from None
        if offered.level not in LEVELS:
            raise CommandRefused(
                f"there is no bot level {offered.level!r}; the levels are {', '.join(LEVELS)}"
            )
        yield offered
