"""The npm packages: a page without a bundler embeds the board, and TypeScript knows their types."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.console.conftest import ROOT, WEB, ConsoleService, Open, node
from tests.console.table import take

CONSUMER = """
import { Emeth, EmethError, MatchView, ServiceSource } from "@emeth/board";
import { Emeth as Client, EmethError as ClientError, serviceClient } from "@emeth/client";
import { type Game, GamesService } from "@emeth/client/games";

const service = new Emeth({ baseUrl: "http://localhost:20080" });
const source = new ServiceSource(service, "");
const version: number = new MatchView(source).newest;
const { games } = await new Client({ baseUrl: "" }).games.listGames({});
const name: string = games[0]?.name ?? `${version}`;
const one: Game | undefined = (await serviceClient(GamesService, { baseUrl: "" }).getGame({})).game;
const same: typeof ClientError = EmethError;
// @ts-expect-error: a name is no number
const wrong: number = name;
export { one, same, wrong };
"""
ON_A_SERVER = """
import * as client from "@emeth/client";
import { GamesService } from "@emeth/client/games";
import { MatchesService, Chance } from "@emeth/client/matches";
import * as board from "@emeth/board";

const [baseUrl] = process.argv.slice(2);
const games = client.serviceClient(GamesService, { baseUrl });
const { game } = await games.getGame({ game: "agog" });
const matches = client.serviceClient(MatchesService, { baseUrl });
const request = { requestId: client.requestId(), game: "agog", chance: Chance.ROLLED };
const made = await matches.createMatch(request);
const events = [];
const white = new client.Emeth({ baseUrl, token: made.tokens.white });
for await (const { event } of white.watch(made.match.matchId)) {
  events.push(event.kind);
  break;
}
const error = await matches.getMatch({ matchId: "nonsense" }).catch((failure) => failure);
console.log(JSON.stringify({
  name: game.name,
  match: JSON.parse(JSON.stringify(made)).match,
  events,
  oneCopy: board.EmethError === client.EmethError && error instanceof board.EmethError,
  reason: error.reason,
}));
"""
SMALL = """
import { serviceClient } from "@emeth/client";
import { GamesService } from "@emeth/client/games";
console.log(await serviceClient(GamesService, { baseUrl: "" }).listGames({}));
"""
BUNDLED = """
import { build } from "vite";
const [input, root] = process.argv.slice(2);
const rollupOptions = { input, output: { entryFileNames: "small.js" } };
await build({
  configFile: false, logLevel: "error", root,
  build: { outDir: "bundle", target: "es2022", rollupOptions },
});
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
def elsewhere(tmp_path: Path, site: str) -> Iterator[ConsoleService]:
    """A service that lets the pages of that site call."""
    service = ConsoleService(tmp_path, "--cors", site)
    service.start()
    yield service
    service.kill()


def address_of(site: str, service: ConsoleService, match: str, **more: str) -> str:
    return f"{site}/board.html#{urlencode({'base': service.url, 'match': match, **more})}"


def test_any_page_embeds_the_board(elsewhere: ConsoleService, site: str, open_page: Open) -> None:
    match = elsewhere.create("agog")
    page = open_page(address_of(site, elsewhere, match.id, token=match.tokens["white"]))
    expect(page.locator("#caption")).to_have_text("White to move")
    take(page, match, match.actions("white")[0])
    expect(page.locator("#caption")).to_have_text("Black to move")


def test_a_public_match_is_shown_without_a_token_and_again_when_the_board_is_moved(
    elsewhere: ConsoleService, site: str, open_page: Open
) -> None:
    match = elsewhere.create("agog", visibility="VISIBILITY_PUBLIC")
    page = open_page(address_of(site, elsewhere, match.id))
    expect(page.locator("#caption")).to_have_text("White to move")
    expect(page.locator("emeth-drawing svg")).to_be_visible()
    page.evaluate("document.body.append(document.querySelector('emeth-board'))")
    match.submit("white", match.actions("white")[0]["notation"])
    expect(page.locator("#caption")).to_have_text("Black to move")


def test_the_board_says_why_it_shows_no_match(
    elsewhere: ConsoleService, site: str, open_page: Open, complaints: list[str]
) -> None:
    one = elsewhere.create("agog", visibility="VISIBILITY_PUBLIC")
    other = elsewhere.create("agog")
    page = open_page(address_of(site, elsewhere, one.id, token=other.tokens["white"]))
    expect(page.get_by_role("alert")).to_have_text(re.compile("not valid for this match"))
    page = open_page(address_of(site, elsewhere, "4f8e8a4e-0d0e-4a0e-8a0e-000000000001"))
    expect(page.get_by_role("alert")).to_have_text(re.compile("Match not found"))
    complaints.clear()  # of the browser, about answers that were errors


def test_the_theme_of_the_board_is_the_pages_to_choose(
    elsewhere: ConsoleService, site: str, open_page: Open
) -> None:
    match = elsewhere.create("agog", visibility="VISIBILITY_PUBLIC")
    page = open_page(address_of(site, elsewhere, match.id, theme="dark"))
    expect(page.locator("emeth-drawing svg")).to_be_visible()
    within = "document.querySelector('emeth-board').shadowRoot.querySelector"
    paper = f"getComputedStyle({within}('emeth-drawing').shadowRoot.querySelector('rect')).fill"
    ink = f"getComputedStyle({within}('emeth-panel')).color"
    dark = page.evaluate(paper), page.evaluate(ink)
    page.evaluate("document.querySelector('emeth-board').setAttribute('theme', 'light')")
    page.wait_for_function(f"{paper} !== {dark[0]!r}")
    assert page.evaluate(ink) != dark[1]


@pytest.fixture
def project(packages: Path, tmp_path: Path) -> Path:
    """A project that has the packages and what they depend on, as npm installs them."""
    modules = tmp_path / "node_modules"
    for name in ("client", "board"):
        copytree(packages / name, modules / "@emeth" / name)
    for installed in (WEB / "node_modules").iterdir():
        (modules / installed.name).symlink_to(installed)
    return tmp_path


def test_typescript_knows_the_types(project: Path) -> None:
    (project / "consumer.mts").write_text(CONSUMER)
    tsc = "node_modules/typescript/bin/tsc"
    flags = "--noEmit --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable"
    assert node(tsc, "--ignoreConfig", *flags.split(), str(project / "consumer.mts")) == ""


def test_the_packages_work_on_a_server_that_has_no_document(
    project: Path, served: ConsoleService
) -> None:
    (project / "page.mjs").write_text(ON_A_SERVER)
    reported = json.loads(node(str(project / "page.mjs"), served.url))
    assert reported["name"] == "A.G.O.G."
    assert reported["events"] == ["match.MatchCreated"]
    times = [value for name, value in reported["match"].items() if re.match("create|update", name)]
    assert len(times) == len([*map(datetime.fromisoformat, times)]) == 2
    assert reported["match"]["status"] == "MATCH_STATUS_ACTIVE"
    assert (reported["oneCopy"], reported["reason"]) == (True, "FIELD_INVALID")


def test_a_bundle_has_only_the_services_that_it_uses(project: Path) -> None:
    (project / "small.mjs").write_text(SMALL)
    (project / "build.mjs").write_text(BUNDLED)
    node(str(project / "build.mjs"), str(project / "small.mjs"), str(project))
    small = (project / "bundle/small.js").stat().st_size
    whole = (project / "node_modules/@emeth/client/dist/browser.js").stat().st_size
    assert small < 0.6 * whole, "what is left is the protocol's own"
