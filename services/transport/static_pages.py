"""The console: pages for players, as files that Vite built from `web/` into `services/console/`.

They are public, and the same for everybody: what a match shows comes by the API, to whoever has a
token.
"""

from pathlib import Path
from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER: Final = Path(__file__).parent.parent / "console"
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the page may load: its own files and the API of its own origin, nothing written in it."""
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
"""Of files whose names change with what is in them."""


class _Assets(StaticFiles):
    """Files with a digest in their names."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers["cache-control"] = CACHE_FOREVER
        response.headers["x-content-type-options"] = "nosniff"
        return response


def console_routes() -> list[BaseRoute]:
    """The page at `/`, and what it loads below `/assets`."""
    smaller = [Middleware(GZipMiddleware, minimum_size=500)]
    return [
        Route("/", _page, middleware=smaller),
        Mount("/assets", _Assets(directory=FOLDER / "assets"), middleware=smaller),
    ]


async def _page(request: Request) -> Response:
    response = await StaticFiles(directory=FOLDER).get_response("index.html", request.scope)
    response.headers.update(HEADERS)
    return response
