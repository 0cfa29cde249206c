"""`emeth export --html`: a replay for a browser, as its viewer may see it."""

import gzip
from base64 import b64decode

import msgspec

from projections.replay.page import Inclusion
from services.cli.replay_page import exported, replay_page
from services.client import Client
from services.wire.emeth.v1 import views_pb2
from tests.projections.replay.checks import Case, Shown, fails, run
from tests.projections.replay.test_page import data, drawings
from tests.services.conftest import OPENING, Begun, begun, newest, play


async def test_the_page_shows_the_board_after_each_event(client: Client) -> None:
    match = await begun(client, title="A final")
    await play(client, match, *OPENING)
    token = match.tokens["spectator"]
    html = await replay_page(client, token, match.id)
    history = await client.list_history(token, match.id, 1 + len(OPENING))
    found = data(html)
    assert found["title"] == "A final: A.G.O.G.: White against Black"
    assert [each["sentence"] for each in found["frames"]] == [e.sentence for e in history]
    for version, drawing in enumerate(drawings(html), 1):
        seen = await client.scene(token, match.id, version=version, form=views_pb2.SCENE_FORMAT_SVG)
        assert drawing == seen.svg
        narrow = await client.scene(
            token, match.id, version=version, form=views_pb2.SCENE_FORMAT_SVG, narrow=True
        )
        assert drawings(html, "narrow")[version - 1] == narrow.svg


async def test_the_page_of_a_game_that_hides_nothing_can_be_checked_by_anybody(
    client: Client, earthen: Begun
) -> None:
    token = earthen.tokens["spectator"]
    found = data(await replay_page(client, token, earthen.id))
    raw = gzip.decompress(b64decode(found["file"]))
    assert raw == await exported(client, token, earthen.id)
    shown = msgspec.convert(found["frames"], list[Shown])
    assert len(shown) == await newest(client, earthen)
    (results,) = run([Case(raw, shown, msgspec.convert(found["proof"], Inclusion))])
    assert not fails(results), results
    assert {"The log", "This page"} <= {each.name for each in results}


async def test_what_is_hidden_from_a_viewer_is_not_in_their_page(client: Client) -> None:
    match = await begun(client, "res-arcana")
    for role in match.tokens:
        found = data(await replay_page(client, match.tokens[role], match.id))
        assert ("file" in found) == (role == "referee")
