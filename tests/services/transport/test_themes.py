"""The themes of games on the HTTP port: a sprite and colors, which browsers keep for ever."""

import json
import re

import pytest
from pyqwest import Client as Http

from domain.registry import GAMES
from services.client import Client
from services.main import Service


@pytest.mark.parametrize("game", GAMES)
async def test_the_files_of_a_theme_are_where_the_game_says(service: Service, game: str) -> None:
    async with Client(service.address) as client:
        theme = (await client.get_game(game=game)).game.theme
    http, expected = Http(), GAMES[game].theme
    sprite = await http.get(service.http_address + theme.sprite_url)
    assert (sprite.status, sprite.headers["content-type"]) == (200, "image/svg+xml")
    named = re.findall(r'<symbol id="([^"]+)" viewBox="0 0 24 24">', sprite.content.decode())
    assert {*named} == {*expected.icons}
    colors = await http.get(service.http_address + theme.colors_url)
    theme_colors = json.loads(colors.content)
    assert {*theme_colors.get("grounds", {})} == {*expected.grounds}
    assert theme_colors.get("seats", {}) == expected.seats
    for found in (sprite, colors):
        assert "immutable" in found.headers["cache-control"]
        assert found.headers["access-control-allow-origin"] == "*"
    assert theme.hash in theme.sprite_url
    assert theme.hash in theme.colors_url


@pytest.mark.parametrize("name", ["agog-0000000000000000.svg", "chess-1.json", "agog.svg", "x"])
async def test_a_theme_that_is_not_there_is_not_found(service: Service, name: str) -> None:
    found = await Http().get(f"{service.http_address}/themes/{name}")
    assert found.status == 404
    assert found.headers["cache-control"] == "no-cache"
