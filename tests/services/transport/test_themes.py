"""The themes of games on the HTTP port: JSON and a sprite, which browsers keep for ever."""

import json
import re
from copy import copy
from typing import Any

import pytest
from pyqwest import Client as Http

from domain.kernel.packs import Library
from domain.registry import GAMES
from projections.drawing import theme_files
from services.client import Client
from services.main import Service


@pytest.mark.parametrize("game", GAMES)
async def test_the_files_of_a_theme_are_where_the_game_says(service: Service, game: str) -> None:
    async with Client(service.address) as client:
        theme = (await client.get_game(game=game)).game.theme
    http, expected = Http(), GAMES[game]
    sprite = await http.get(service.http_address + theme.sprite_url)
    assert (sprite.status, sprite.headers["content-type"]) == (200, "image/svg+xml")
    content = await http.get(service.http_address + theme.colors_url)
    assert (content.status, content.headers["content-type"]) == (200, "application/json")
    files = json.loads(content.content)
    assert theme.colors_url == f"/themes/{theme.hash}.json"
    assert theme.sprite_url == f"/themes/{files['sprite']}"
    assert files["hash"] == theme.hash
    named = {*re.findall(r'<symbol id="([^"]+)"', sprite.content.decode())}
    if expected.table_theme.sprite:
        assert {*files["sides"]} == {*expected.table_theme.sides}
        assert {*files["verbs"]} == {*expected.table_theme.verbs}
        assert named
    else:
        assert named == {*expected.theme.icons}
        assert {*files.get("grounds", {})} == {*expected.theme.grounds}
    for found in (sprite, content):
        assert "immutable" in found.headers["cache-control"]
        assert found.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "name", ["0000000000000000.svg", "0000000000000000.json", "chess-1.json", "agog.svg", "x"]
)
async def test_a_theme_that_is_not_there_is_not_found(service: Service, name: str) -> None:
    found = await Http().get(f"{service.http_address}/themes/{name}")
    assert found.status == 404
    assert found.headers["cache-control"] == "no-cache"


# --- faces ---------------------------------------------------------------------------------------


def test_a_theme_has_the_faces_of_the_pack_of_its_match() -> None:
    game = GAMES["res-arcana"]
    assert game.packs is not None
    options = game.options()
    usual = theme_files.theme_files("res-arcana", options)
    assert theme_files.theme_files("res-arcana") == usual
    assert theme_files.theme_files("res-arcana", game.options(players=4)) == usual
    faces = json.loads(usual.content)["faces"]
    assert faces.keys() == options.pack.cards.keys()
    other = _other_pack(game.packs.kind, options.pack)
    theirs = theme_files.theme_files("res-arcana", game.options(pack=other))
    assert theirs.hash != usual.hash
    assert len(json.loads(theirs.content)["faces"]) == 1
    # It is found by its hash wherever the pack is, and nowhere else.
    name = f"{theirs.hash}.json"
    assert theme_files.find_theme_file(name) is None
    assert theme_files.find_theme_file(name, Library().with_packs([other])) == theirs.content


def _other_pack(kind: type, pack: Any) -> Any:
    """A pack with the first card of another one."""
    other = copy(pack)
    card, printed = next(iter(pack.cards.items()))
    other.digest, other.cards = "f" * 64, {card: printed}
    assert isinstance(other, kind)
    return other
