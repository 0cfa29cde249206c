"""A bot that plays a seat by the public API, wherever it runs."""

import asyncio
import time
from contextlib import aclosing
from typing import Final
from uuid import NAMESPACE_URL, uuid5

import structlog
from msgspec import Struct

from services.bots.policy import accepts_draw, accepts_undo, seconds_to_think
from services.bots.process_pool import SearchPool
from services.bots.search_process import SearchRequest, SearchResult, seed_of
from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1.match_views_pb2 import View
from services.wire.emeth.v1.proposals_pb2 import PROPOSAL_KIND_DRAW

log = structlog.get_logger(__name__)

PATIENCE_SECONDS: Final = 3600.0
"""How long a bot waits for a service that is unavailable."""
OUTDATED_REASONS: Final = (
    "VERSION_STALE",
    "SEAT_NOT_AWAITED",
    "NO_PROPOSAL",
    "MATCH_OVER",
    "MATCH_PAUSED",
    "SEAT_ELIMINATED",
    "PROPOSAL_PENDING",
)
"""Reasons of errors for a match that has moved on. The stream then brings the new prompt."""


class BotSeat(Struct, frozen=True):
    """A seat that a bot plays."""

    match: str
    seat: str
    token: str
    level: str


async def play_seat(client: Client, bot_seat: BotSeat, pool: SearchPool, *, longest: float) -> None:
    """Act for a seat until the match is over. Raises ServiceError."""
    watch = client.watch(
        bot_seat.token, bot_seat.match, until_over=True, patience_seconds=PATIENCE_SECONDS
    )
    async with aclosing(watch) as news:
        async for watched in news:
            version = watched.event.version
            match = await client.match(bot_seat.match, version, token=bot_seat.token)
            if match.version > version or match.HasField("result"):
                continue  # this is past: what is asked now comes later in the stream
            try:
                await act(client, bot_seat, match, pool, longest)
            except ServiceError as error:
                if error.reason not in OUTDATED_REASONS:
                    raise


async def rematch(client: Client, bot_seat: BotSeat, patience_seconds: float) -> BotSeat | None:
    """Claim the seat in the rematch of a finished match, once another player has requested it.

    Returns:
        The new seat; None if nobody requested a rematch within `patience_seconds`.

    Raises:
        ServiceError: A call has failed.
    """
    try:
        async with asyncio.timeout(patience_seconds):
            await _find_rematch(client, bot_seat)
    except TimeoutError:
        return None
    request = str(uuid5(NAMESPACE_URL, f"{bot_seat.match}/{bot_seat.seat}/rematch"))
    again = (
        await client.create_proposal(bot_seat.token, bot_seat.match, request_id=request, rematch={})
    ).rematch_seat
    # A player's token is the same for all seats.
    return BotSeat(again.match_id, again.seat, again.token or bot_seat.token, bot_seat.level)


async def _find_rematch(client: Client, bot_seat: BotSeat) -> None:
    """Wait for a rematch."""
    wanted = client.watch_lobby(f"rematch_of = {bot_seat.match}", tokens=[bot_seat.token])
    async with aclosing(wanted) as news:
        async for each in news:
            if each.lobby_event.HasField("match"):
                return


async def act(
    client: Client, bot_seat: BotSeat, match: pb.Match, pool: SearchPool, longest: float
) -> bool:
    """Respond to the prompt or proposal of the seat. Return whether there was one."""
    token, request = bot_seat.token, str(_request_id(bot_seat, match.version))
    if bot_seat.seat in match.proposal.awaiting_seats:
        if match.proposal.kind != PROPOSAL_KIND_DRAW:
            granted = accepts_undo()
            await client.answer(token, bot_seat.match, request_id=request, accepted=granted)
            return True
        thought = await _search(client, bot_seat, match, pool, longest, judging=True)
        if thought is not None:
            accepted = accepts_draw(thought.win_chance)
            await client.answer(token, bot_seat.match, request_id=request, accepted=accepted)
        return True
    if match.status != pb.MATCH_STATUS_ACTIVE or bot_seat.seat not in {
        a.seat for a in match.prompts
    }:
        return False
    thought = await _search(client, bot_seat, match, pool, longest)
    if thought is None:
        return False
    answer = await client.submit(
        token, bot_seat.match, thought.action, request_id=request, expected_version=match.version
    )
    if answer.HasField("refused"):  # a bug, of the bot or the rules
        log.error("bot refused", match=bot_seat.match, seat=bot_seat.seat, rule=answer.refused.rule)
        raise RuntimeError(f"{thought.action} was refused: {answer.refused.sentence}")
    return True


async def _search(
    client: Client,
    bot_seat: BotSeat,
    match: pb.Match,
    pool: SearchPool,
    longest: float,
    *,
    judging: bool = False,
) -> SearchResult | None:
    """Return the search result for the seat; None if the match has changed meanwhile."""
    known = await client.view(
        bot_seat.token,
        bot_seat.match,
        mask=("information_state",),
        at_least_version=match.version,
    )
    if known.version != match.version:
        return None
    until = time.monotonic() + seconds_to_think(_seconds_left(match, bot_seat.seat), longest)
    return await pool.search(_search_request(bot_seat, known, until, judging=judging))


def _search_request(
    bot_seat: BotSeat, known: View, until: float, *, judging: bool
) -> SearchRequest:
    return SearchRequest(
        game=known.information_state.game,
        shape=known.information_state.shape,
        state=known.information_state.state,
        seat=bot_seat.seat,
        level=bot_seat.level,
        seed=seed_of(bot_seat.token, bot_seat.match, str(known.version)),
        until=until,
        judging=judging,
    )


def _request_id(bot_seat: BotSeat, version: int) -> object:
    """Return the same ID for the same version, so that repetitions have no effect."""
    return uuid5(NAMESPACE_URL, f"{bot_seat.match}/{bot_seat.seat}/{version}")


def _seconds_left(match: pb.Match, seat: str) -> float | None:
    """Return the seconds on the seat's clock; None for a seat without a clock."""
    for clock in match.clocks.seats:
        if clock.seat == seat:
            return (
                clock.remaining_time.ToMilliseconds() + clock.remaining_delay.ToMilliseconds()
            ) / 1000
    return None
