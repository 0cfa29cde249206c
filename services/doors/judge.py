"""The judge: the page that has the whole service in it, where it is built.

It asks this service for nothing but its own files.
"""

from pathlib import Path
from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from services.doors.console import HEADERS
from services.files import JUDGE

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "worker-src blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""As the console's, and it may run WebAssembly, in a worker from a script that it has in itself."""
NOT_BUILT: Final = (
    "The judge is not built here. `make judge`, in the folder that the service was started from,"
    " builds it; then load this page again.\n"
)


class _Files(StaticFiles):
    """Files that a browser asks about each time: their names stay when they change."""

    async def check_config(self) -> None:
        """They may be built while the service runs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        response.headers["x-content-type-options"] = "nosniff"
        return response


def judge_routes(folder: Path = JUDGE) -> list[BaseRoute]:
    """The page at `/judge/`, and what it loads below."""
    smaller = [Middleware(GZipMiddleware, minimum_size=500)]

    async def page(request: Request) -> Response:
        if not (folder / "index.html").is_file():
            return PlainTextResponse(NOT_BUILT, status_code=404)
        response = await StaticFiles(directory=folder).get_response("index.html", request.scope)
        response.headers.update({**HEADERS, "content-security-policy": POLICY})
        return response

    def below(name: str) -> Mount:
        files = _Files(directory=folder / name, check_dir=False)
        return Mount(f"/judge/{name}", files, middleware=smaller)

    return [
        Route("/judge", _to_folder),
        Route("/judge/", page, middleware=smaller),
        below("assets"),
        below("runtime"),
    ]


async def _to_folder(_: Request) -> Response:
    return RedirectResponse("/judge/")
