"""The judge on the HTTP port: where it is built, and where it is not."""

from pathlib import Path

from pyqwest import Client as Http
from starlette.applications import Starlette
from starlette.types import Message

from services.doors.judge import NOT_BUILT, judge_routes
from services.files import JUDGE
from services.server import Service


async def test_the_page_may_run_the_rules_and_ask_this_service_alone(service: Service) -> None:
    assert JUDGE.is_dir(), "`make judge` builds what is tested here"
    http = Http()
    page = await http.get(f"{service.http_address}/judge/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "connect-src 'self'" in policy
    for path in ("assets/judge.js", "assets/judge.css", "runtime/archive.zip"):
        assert (await http.get(f"{service.http_address}/judge/{path}")).status == 200
    console = await http.get(f"{service.http_address}/")
    assert "wasm" not in console.headers["content-security-policy"]


async def test_nothing_else_is_served_from_there(service: Service) -> None:
    for path in ("judge/.built", "judge/judge.html", "judge/runtime/../../judge.html", "build/"):
        assert (await Http().get(f"{service.http_address}/{path}")).status == 404


async def got(folder: Path, path: str) -> tuple[int, bytes]:
    """What is served at a path, where the judge is built into a folder."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asked = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    await Starlette(routes=judge_routes(folder))(asked, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


async def test_where_it_is_not_built_the_service_says_how(tmp_path: Path) -> None:
    assert await got(tmp_path / "none", "/judge/") == (404, NOT_BUILT.encode())
    status, _ = await got(tmp_path / "none", "/judge/assets/judge.js")
    assert status == 404
