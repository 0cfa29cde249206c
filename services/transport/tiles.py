"""The Merkle tree of the log as static files below `/tlog/`, as in C2SP's tlog-tiles."""

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from services.api.tree_files import TILE_WIDTH, TreeFiles

PATH: Final = re.compile(
    r"(?P<level>entries|[0-9]|[1-5][0-9]|6[0-3])/"
    r"(?P<index>(?:x(?!000)[0-9]{3}/(?:x[0-9]{3}/){0,4})?[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)
"""A tile's level (or `entries`), its index in groups of three digits, and its width if partial.
Each tile has exactly one path: leading groups of zeros are not allowed."""
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
PUBLIC_HEADERS: Final = {"access-control-allow-origin": "*", "x-content-type-options": "nosniff"}


class Tiles:
    """Serves checkpoints and tiles."""

    def __init__(self, files: TreeFiles) -> None:
        self._files = files

    def routes(self) -> list[Route]:
        """Return the routes of the checkpoint and the tiles."""
        return [
            Route("/tlog/checkpoint", self._checkpoint),
            Route("/tlog/tile/{path:path}", self._tile),
        ]

    async def _checkpoint(self, _: Request) -> Response:
        note = await self._files.checkpoint()
        return PlainTextResponse(note, headers=PUBLIC_HEADERS | {"cache-control": "no-cache"})

    async def _tile(self, request: Request) -> Response:
        found = PATH.fullmatch(request.path_params["path"])
        width = int(found["width"] or TILE_WIDTH) if found else 0
        if found is None or width > TILE_WIDTH or (found["width"] and width == TILE_WIDTH):
            return _not_found("there is no such tile")
        index = int(found["index"].replace("x", "").replace("/", ""))
        level = found["level"]
        if level == "entries":
            content = await self._files.entries(index, width)
        else:
            content = await self._files.tile(int(level), index, width)
        if content is None:
            return _not_found("the tree has not so many leaves yet")
        return Response(
            content,
            media_type="application/octet-stream",
            headers=PUBLIC_HEADERS | {"cache-control": CACHE_FOREVER},
        )


def _not_found(why: str) -> Response:
    return PlainTextResponse(
        f"{why}\n", status_code=404, headers=PUBLIC_HEADERS | {"cache-control": "no-cache"}
    )
