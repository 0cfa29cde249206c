"""Bots: who acts for a seat when nobody else does. They ask what is legal, and guess."""

from contextlib import aclosing
from random import Random

from msgspec import Struct

from domain.kernel.game import AnyGame
from services.client import Client, ServiceError
from services.wire.emeth.v1.actions_pb2 import Action


def pick(game: AnyGame, actions: list[Action], random: Random) -> Action:
    """One of the legal actions, but for resigning and the like where there is anything else."""
    real = [each for each in actions if not game.aside(game.read_action(each.notation))]
    return random.choice(real or actions)


class Chair(Struct, frozen=True):
    """A seat in a match, and the token that acts for it."""

    game: AnyGame
    match: str
    seat: str
    token: str


async def play_to_the_end(client: Client, chair: Chair, random: Random, most: int) -> None:
    """Act for a seat whenever it is asked; give up when the match has had so many events."""
    game, match, token = chair.game, chair.match, chair.token
    async with aclosing(client.watch(token, match, until_over=True)) as news:
        async for watched in news:
            version = watched.event.version
            if chair.seat not in {ask.seat for ask in watched.asks} or watched.HasField("result"):
                continue
            if version < (await client.match(match, version)).version:
                continue  # this is past: what is asked now comes later in the stream
            try:
                if version >= most:
                    await client.resign(token, match)
                elif actions := await client.list_actions(token, match):
                    await client.submit(token, match, pick(game, actions, random).notation)
            except ServiceError as error:
                # Another seat was quicker to give up, or this one has, as the stream will tell.
                if error.reason not in ("MATCH_OVER", "SEAT_OUT"):
                    raise
