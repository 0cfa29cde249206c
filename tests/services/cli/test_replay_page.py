"""`emeth export --html`: a replay for a browser, as its viewer may see it."""

from services.cli.replay_page import replay_page
from services.client import Client
from services.wire.emeth.v1 import views_pb2
from tests.projections.drawing.test_replay_page import data, drawings
from tests.services.conftest import OPENING, begun, play


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
