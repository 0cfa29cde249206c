"""A match as a page that replays it, made from what the service shows."""

from contextlib import aclosing
from datetime import UTC

from projections.drawing.replay_page import Frame, page
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.views_pb2 import SCENE_FORMAT_SVG, WatchedEvent


async def replay_page(client: Client, token: str, match_id: str) -> str:
    """The page of a match, as the token's role may see it."""
    match = await client.match(match_id)
    names = {game.slug: game.name for game in await client.games()}
    shown = client.replay(token, match_id, form=SCENE_FORMAT_SVG)
    async with aclosing(shown) as events:
        return page(_title(match, names[match.game]), [_frame(each) async for each in events])


def _title(match: Match, game: str) -> str:
    players = " against ".join(seat.player or seat.name.title() for seat in match.seats)
    return ": ".join(filter(None, (match.title, game, players)))


def _frame(watched: WatchedEvent) -> Frame:
    event = watched.event
    return Frame(
        version=event.version,
        at=f"{event.at.ToDatetime(UTC):%Y-%m-%d %H:%M:%S} UTC",
        sentence=event.sentence,
        notation=event.action.human or event.action.notation,
        facts=tuple(filter(None, (fact.sentence for fact in event.facts))),
        rulings=tuple(ruling.sentence for ruling in event.rulings),
        svg=watched.svg,
    )
