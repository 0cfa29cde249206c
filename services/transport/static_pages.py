"""The console: pages for players, which Vite builds from `web/` into `services/console/`.

They are public, and the same for everybody. Matches are loaded through the API with the caller's
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
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Content security policy: the pages load only their own files, and call only their own origin."""
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
"""Cache policy of files whose names contain a digest of their content."""


class _Assets(StaticFiles):
    """Files with a digest in their names."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers["cache-control"] = CACHE_FOREVER
        response.headers["x-content-type-options"] = "nosniff"
        return response


def console_routes() -> list[BaseRoute]:
    """Return the routes of the page at `/` and of its files below `/assets`."""
    smaller = [Middleware(GZipMiddleware, minimum_size=500)]
    return [
        Route("/", _page, middleware=smaller),
        Mount("/assets", _Assets(directory=FOLDER / "assets"), middleware=smaller),
    ]


async def _page(request: Request) -> Response:
    response = await StaticFiles(directory=FOLDER).get_response("index.html", request.scope)
    response.headers.update(HEADERS)
    return response
