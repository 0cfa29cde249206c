"""The npm packages: a page without a bundler embeds the board, and TypeScript knows their types."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.console.conftest import ROOT, WEB, Open, Served, node
from tests.console.table import take

CONSUMER = """
import { Emeth, EmethError, MatchView, ServiceSource } from "@emeth/board";
import { Emeth as Client } from "@emeth/client";

const service = new Emeth({ baseUrl: "http://localhost:20080" });
const source = new ServiceSource(service, "", "white");
const version: bigint = new MatchView(source).newest;
const games = await new Client({ baseUrl: "" }).games.listGames({});
const name: string = games.games[0]?.name ?? `${version}`;
// @ts-expect-error: a name is no number
const wrong: number = name;
export { EmethError, wrong };
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages and the example page, as a site would have them."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, str(ROOT / ".ci/build-packages"), str(folder)], check=True)
    copytree(WEB / "examples", folder, dirs_exist_ok=True)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def site(packages: Path) -> Iterator[str]:
    """The address of that folder, served by something that knows nothing of Emeth."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(packages)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def elsewhere(tmp_path: Path, site: str) -> Iterator[Served]:
    """A service that lets the pages of that site call."""
    service = Served(tmp_path, "--cors", site)
    service.start()
    yield service
    service.kill()


def test_any_page_embeds_the_board(elsewhere: Served, site: str, open_page: Open) -> None:
    match = elsewhere.create("agog")
    given = {"base": elsewhere.url, "match": match.id, "role": "white"}
    page = open_page(f"{site}/board.html#{urlencode({**given, 'token': match.tokens['white']})}")
    expect(page.locator("#caption")).to_have_text("White to move")
    take(page, match, match.actions("white")[0])
    expect(page.locator("#caption")).to_have_text("Black to move")


def test_typescript_knows_the_types(packages: Path, tmp_path: Path) -> None:
    copytree(packages / "client", tmp_path / "node_modules/@emeth/client")
    copytree(packages / "board", tmp_path / "node_modules/@emeth/board")
    for name in ("@bufbuild", "@connectrpc", "lit", "@lit", "lit-html", "lit-element"):
        (tmp_path / "node_modules" / name).symlink_to(WEB / "node_modules" / name)
    (tmp_path / "consumer.mts").write_text(CONSUMER)
    tsc = "node_modules/typescript/bin/tsc"
    flags = "--noEmit --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable"
    assert node(tsc, "--ignoreConfig", *flags.split(), str(tmp_path / "consumer.mts")) == ""
