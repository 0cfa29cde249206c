"""A match as a page that replays it and can check it, made from what the service shows."""

from contextlib import aclosing
from datetime import UTC

from domain.kernel.theme import PLAIN, Theme
from domain.registry import GAMES
from projections.drawing import svg
from projections.replay.page import Frame, Inclusion, MatchProof, page
from services.client import Client, ServiceError
from services.scene_messages import read_scene
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.views_pb2 import SCENE_FORMAT_STRUCTURE, WatchedEvent


async def replay_page(client: Client, token: str, match_id: str) -> str:
    """The page of a match, as the token's role may see it, with its file where the role may have
    that."""
    match = await client.match(match_id)
    names = {game.slug: game.name for game in await client.games()}
    # A service may have a game that is not known here: it is drawn plainly.
    theme = GAMES[match.game].theme if match.game in GAMES else PLAIN
    file = await _file(client, token, match_id)
    # The match may go on meanwhile: what is shown ends with the last event of the file.
    until = file.count(b'\n{"digest":')
    shown = client.replay(token, match_id, until_version=until, form=SCENE_FORMAT_STRUCTURE)
    async with aclosing(shown) as events:
        frames = [_frame(each, theme) async for each in events]
    title = _title(match, names[match.game])
    if not file:
        return page(title, frames)
    return page(title, frames, MatchProof(file, await _inclusion(client, match_id, until)))


async def _file(client: Client, token: str, match_id: str) -> bytes:
    """The match as it is exported; empty if the token's role may not have it."""
    try:
        return await exported(client, token, match_id)
    except ServiceError as error:
        if error.reason != "ROLE_FORBIDS":
            raise
        return b""


async def exported(client: Client, token: str, match_id: str) -> bytes:
    """The file of a match."""
    async with aclosing(client.export_match(token, match_id)) as pieces:
        return b"".join([piece async for piece in pieces])


async def _inclusion(client: Client, match_id: str, version: int) -> Inclusion:
    key = (await client.checkpoint()).verifier_key
    return Inclusion(key, (await client.inclusion(match_id, version)).proof)


def _title(match: Match, game: str) -> str:
    players = " against ".join(seat.player or seat.name.title() for seat in match.seats)
    return ": ".join(filter(None, (match.title, game, players)))


def _frame(watched: WatchedEvent, theme: Theme) -> Frame:
    event, scene = watched.event, read_scene(watched.scene)
    return Frame(
        version=event.version,
        digest=event.digest,
        at=f"{event.at.ToDatetime(UTC):%Y-%m-%d %H:%M:%S} UTC",
        sentence=event.sentence,
        notation=event.action.human or event.action.notation,
        facts=tuple(filter(None, (fact.sentence for fact in event.facts))),
        rulings=tuple(ruling.sentence for ruling in event.rulings),
        svg=svg.draw(scene, theme),
        narrow=svg.draw(scene, theme, narrow=True),
    )
