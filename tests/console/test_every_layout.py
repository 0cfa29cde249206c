"""Every page in every size and look, as far as a program can see: nothing sticks out, is cut off or
too small to touch, and axe finds nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.registry import GAMES
from tests.console.conftest import FLAGS, WEB, ConsoleService, StartedMatch, chromium_path

SIZES: Final = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
"""A small phone, a phone, the same on its side, a tablet, two screens."""
LAYOUT_CHECKS: Final = (Path(__file__).parent / "layout_checks.js").read_text()
AXE: Final = WEB / "node_modules/axe-core/axe.min.js"
RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
FIND: Final = """values => axe.run(document, { runOnly: values, resultTypes: ["violations"] }).then(
  ({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`))"""
SETTLED: Final = """() => new Promise(done => {
  const boxes = node => node.tagName === "svg" ? [] : [
    ...(node.getBoundingClientRect ? Object.values(node.getBoundingClientRect().toJSON()) : []),
    ...[...node.children, ...(node.shadowRoot ? [node.shadowRoot] : [])].flatMap(boxes),
  ];
  let before = "", still = 0;
  const look = () => {
    const now = boxes(document.body).join();
    still = now === before ? still + 1 : 0;
    before = now;
    if (still < 10) requestAnimationFrame(look); else done();
  };
  look();
})"""
"""Until nothing on the page has moved for ten frames."""
CONTRAST: Final = ("color-contrast",)
PAGES: Final = (
    "", "page=rules&game=golem-arcana", "page=cards", "page=armies", "page=statistics",
    "page=table", "page=disputes", "page=proofs", "page=views", "page=nothing",
    *(f"new={game}" for game in GAMES),
)  # fmt: skip
OF_A_MATCH: Final = ("disputes", "proofs", "views")


@pytest.fixture(scope="module")
def matches(served: ConsoleService) -> dict[str, StartedMatch]:
    """A match of each game."""
    return {game: served.create(game) for game in GAMES}


@pytest.fixture(scope="module")
def page(browser: Browser, matches: dict[str, StartedMatch]) -> Iterator[Page]:
    """A page whose browser holds all tokens of all matches."""
    yield from held(browser, matches)


def held(browser: Browser, matches: dict[str, StartedMatch]) -> Iterator[Page]:
    """A page of this browser with all tokens of all matches."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(30_000)
    shown = context.new_page()
    for match in matches.values():
        shown.goto(match.link(*match.tokens))
        shown.locator("emeth-drawing svg").wait_for()
    yield shown
    context.close()


def overflowing(page: Page) -> dict[str, Any]:
    """What does not fit, by the size of the window."""
    found: dict[str, Any] = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        found[f"{width} x {height}"] = page.evaluate(LAYOUT_CHECKS)
    return {size: wrong for size, wrong in found.items() if wrong}


def faults(page: Page, seen: str) -> dict[str, Any]:
    """What is wrong with the page that is shown, by its size and look."""
    page.locator(seen).first.wait_for()
    found = overflowing(page)
    page.evaluate(AXE.read_text())
    page.evaluate(SETTLED)
    found["light"] = page.evaluate(FIND, RULES)
    page.emulate_media(color_scheme="dark")
    found["dark"] = page.evaluate(FIND, CONTRAST)
    page.emulate_media(color_scheme="light")
    return {look: wrong for look, wrong in found.items() if wrong}


@pytest.fixture(scope="module")
def large(browser: Browser, matches: dict[str, StartedMatch]) -> Iterator[Page]:
    """The same in a browser whose reader wants letters twice as large."""
    flags = [*FLAGS, "--blink-settings=defaultFontSize=32"]
    other = browser.browser_type.launch(executable_path=chromium_path(), args=flags)
    yield from held(other, matches)
    other.close()


LARGE: Final = ("", "page=statistics", "page=armies", "page=table", "new=golem-arcana")


@pytest.mark.parametrize("address", LARGE)
def test_a_page_has_room_for_large_letters(
    address: str, served: ConsoleService, large: Page
) -> None:
    large.goto(f"{served.url}/?{address}")
    large.locator("main > *, .lobby").first.wait_for()
    assert overflowing(large) == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_has_room_for_large_letters(
    game: str, served: ConsoleService, large: Page, matches: dict[str, StartedMatch]
) -> None:
    large.goto(f"{served.url}/?match={matches[game].id}")
    large.locator("emeth-drawing svg").first.wait_for()
    assert overflowing(large) == {}
    # The board is seen: on a phone by scrolling, elsewhere at once.
    large.set_viewport_size({"width": 360, "height": 640})
    expect(large.locator("emeth-panel")).to_have_css("position", "static")
    large.set_viewport_size({"width": 1920, "height": 1080})
    board, panel = (
        large.locator(each).first.bounding_box() for each in ("emeth-drawing", "emeth-panel")
    )
    assert board is not None
    assert panel is not None
    assert board["x"] + board["width"] <= panel["x"] + 1


@pytest.mark.parametrize("address", PAGES)
def test_a_page_looks_well(address: str, served: ConsoleService, page: Page) -> None:
    page.goto(f"{served.url}/?{address}")
    assert faults(page, "main > *, .lobby") == {}


@pytest.mark.parametrize("name", OF_A_MATCH)
def test_a_page_of_a_match_looks_well(
    name: str, served: ConsoleService, page: Page, matches: dict[str, StartedMatch]
) -> None:
    asked = urlencode({"page": name, "match": matches["res-arcana"].id})
    page.goto(f"{served.url}/?{asked}")
    assert faults(page, "main > *") == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_looks_well(
    game: str, served: ConsoleService, page: Page, matches: dict[str, StartedMatch]
) -> None:
    page.goto(f"{served.url}/?match={matches[game].id}")
    expect(page.locator("#resign, #sound").last).to_be_attached()  # the last thing to come
    assert faults(page, "emeth-drawing svg") == {}
    expect(page.locator("#sound")).to_be_visible()  # however small the window was before
