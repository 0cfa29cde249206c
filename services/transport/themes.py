"""The themes of the games as files below `/themes/`, for frontends that draw games themselves."""

from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from domain.registry import GAMES
from projections.drawing.theme_files import theme_files
from services.transport.tiles import CACHE_FOREVER, PUBLIC_HEADERS

TYPES: Final = {"svg": "image/svg+xml", "json": "application/json"}


def theme_routes() -> list[BaseRoute]:
    """Return the routes of the theme files."""
    smaller = [Middleware(GZipMiddleware, minimum_size=500)]
    return [Route("/themes/{name}", _file, middleware=smaller)]


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    stem, _, ending = name.rpartition(".")
    found = theme_files(game) if (game := stem.rpartition("-")[0]) in GAMES else None
    if found is None or f"/themes/{name}" not in (found.sprite_url, found.colors_url):
        return PlainTextResponse(
            "there is no such theme: GetGame has the URLs of a game's theme\n",
            status_code=404,
            headers=PUBLIC_HEADERS | {"cache-control": "no-cache"},
        )
    content = found.sprite if ending == "svg" else found.colors
    headers = PUBLIC_HEADERS | {"cache-control": CACHE_FOREVER}
    return Response(content, media_type=TYPES[ending], headers=headers)
