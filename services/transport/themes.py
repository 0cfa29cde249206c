"""The themes of the games as files below `/themes/`, for frontends that draw games themselves."""

import asyncio
from functools import partial
from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from domain.kernel.packs import Library
from projections.drawing.theme_files import find_theme_file
from services.transport.tiles import CACHE_FOREVER, PUBLIC_HEADERS

TYPES: Final = {"svg": "image/svg+xml", "json": "application/json"}


def theme_routes(library: Library) -> list[BaseRoute]:
    """Return the routes of the theme files, also of matches with packs of the library."""
    smaller = [Middleware(GZipMiddleware, minimum_size=500)]
    return [Route("/themes/{name}", partial(_file, library), middleware=smaller)]


async def _file(library: Library, request: Request) -> Response:
    name = request.path_params["name"]
    # The first search makes the themes of all games, which takes long.
    content = await asyncio.to_thread(find_theme_file, name, library)
    if content is None:
        return PlainTextResponse(
            "there is no such theme: a scene has the hash of its theme\n",
            status_code=404,
            headers=PUBLIC_HEADERS | {"cache-control": "no-cache"},
        )
    headers = PUBLIC_HEADERS | {"cache-control": CACHE_FOREVER}
    return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)
