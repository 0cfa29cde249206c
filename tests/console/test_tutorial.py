"""The tutorial's frontend, as it stands on its page: two people find each other and play."""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import ROOT, ConsoleService, Open
from tests.console.test_packages import Quiet

TUTORIAL = (ROOT / "docs/tutorial.md").read_text()


def code(language: str) -> str:
    """Return all code of the tutorial in a language, in the order of the page."""
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", TUTORIAL, re.M | re.S))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "my-frontend"
    folder.mkdir()
    (folder / "index.html").write_text(code("html"))
    (folder / "main.js").write_text(code("js"))
    (folder / "favicon.ico").touch()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def service(tmp_path: Path, site: str) -> Iterator[ConsoleService]:
    running = ConsoleService(tmp_path, "--cors", site)
    running.start()
    yield running
    running.kill()


def play_first(page: Page) -> str:
    """Play the first legal move that is listed, and return its notation."""
    button = page.locator("#moves button").first
    notation = button.inner_text()
    button.click()
    return notation


def test_two_people_play_by_the_page_of_the_tutorial(
    service: ConsoleService, site: str, open_page: Open, complaints: list[str]
) -> None:
    address = f"{site}/?{urlencode({'service': service.url})}"
    ann, bob = open_page(address), open_page(address)
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        page.get_by_label("Your name").fill(name)
    ann.get_by_role("button", name="New game").click()
    bob.locator("#games li", has_text="Ann's game").get_by_role("button", name="Join").click()
    expect(bob.locator("#board svg")).to_be_visible()
    expect(ann.locator("#moves button").first).to_be_visible()

    ann.get_by_label("Move").fill("a6-a1")
    ann.get_by_role("button", name="Play").click()
    expect(ann.get_by_role("alert")).to_contain_text("(agog.")
    expect(ann.locator("#caption")).to_have_text("White to move")

    play_first(ann)
    expect(bob.locator("#caption")).to_have_text("Black to move")
    expect(ann.get_by_role("alert")).to_be_empty()

    ann.get_by_role("button", name="Request takeback").click()
    bob.get_by_role("button", name="Accept takeback").click()
    expect(ann.locator("#caption")).to_have_text("White to move")

    service.kill()
    expect(bob.get_by_role("status")).to_have_text("Connection lost. Reconnecting...")
    service.start()
    expect(bob.get_by_role("status")).to_be_empty()
    entries = ann.locator("#events li")
    expect(entries).to_have_count(bob.locator("#events li").count())
    play_first(ann)
    expect(bob.locator("#caption")).to_have_text("Black to move")

    ann.reload()
    expect(ann.locator("#caption")).to_have_text("Black to move")
    complaints.clear()  # the browser's own, about a service that was away
