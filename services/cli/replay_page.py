"""A match as a page that replays it, made from what the service shows."""

from contextlib import aclosing
from datetime import UTC

from domain.kernel.theme import PLAIN, Theme
from domain.registry import GAMES
from projections.drawing import svg
from projections.drawing.replay_page import Frame, page
from services.client import Client
from services.scene_messages import read_scene
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.views_pb2 import SCENE_FORMAT_STRUCTURE, WatchedEvent


async def replay_page(client: Client, token: str, match_id: str) -> str:
    """The page of a match, as the token's role may see it."""
    match = await client.match(match_id)
    names = {game.slug: game.name for game in await client.games()}
    # A service may have a game that is not known here: it is drawn plainly.
    theme = GAMES[match.game].theme if match.game in GAMES else PLAIN
    shown = client.replay(token, match_id, form=SCENE_FORMAT_STRUCTURE)
    async with aclosing(shown) as events:
        frames = [_frame(each, theme) async for each in events]
    return page(_title(match, names[match.game]), frames)


def _title(match: Match, game: str) -> str:
    players = " against ".join(seat.player or seat.name.title() for seat in match.seats)
    return ": ".join(filter(None, (match.title, game, players)))


def _frame(watched: WatchedEvent, theme: Theme) -> Frame:
    event, scene = watched.event, read_scene(watched.scene)
    return Frame(
        version=event.version,
        at=f"{event.at.ToDatetime(UTC):%Y-%m-%d %H:%M:%S} UTC",
        sentence=event.sentence,
        notation=event.action.human or event.action.notation,
        facts=tuple(filter(None, (fact.sentence for fact in event.facts))),
        rulings=tuple(ruling.sentence for ruling in event.rulings),
        svg=svg.draw(scene, theme),
        narrow=svg.draw(scene, theme, narrow=True),
    )
