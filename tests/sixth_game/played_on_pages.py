"""Connect Four on the pages, which nobody told of it: a whole game, by keys alone.

Run by test_sixth_game.py in a checkout that has the game; not by its name.
"""

from playwright.sync_api import Page, expect

from services.cli.recorded_games import read_recorded
from tests.console.conftest import ConsoleService, Open, browser, complaints, open_page, served
from tests.console.table import part

__all__ = ["browser", "complaints", "open_page", "served"]

FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at?.closest("emeth-drawing svg, [data-piece], [data-space]")) return null;
  const { x, y, width, height } = at.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def test_a_game_is_played_to_its_end_by_keys(served: ConsoleService, open_page: Open) -> None:
    match = served.create("connect-four")
    pages = {seat: open_page(match.link(seat)) for seat in ("red", "yellow")}
    for seat, notation in read_recorded("connect-four").actions:
        page = pages[seat]
        expect(page.locator(".turn")).to_have_text("Your turn")
        (action,) = [each for each in match.actions(seat) if each["notation"] == notation]
        walk(page, action["spaces"][0])
        page.keyboard.press("Enter")
        expect(page.locator(".preview .chosen")).to_have_text(action["sentence"])
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".preview")).to_have_count(0)
    for page in pages.values():
        expect(page.locator(".turn")).to_have_text(match.now["caption"])
    assert match.now["result"]["winners"] == ["red"]


def walk(page: Page, space: str) -> None:
    """Go to a space by Tab and the arrow keys."""
    for _ in range(30):
        if page.evaluate(FOCUSED):
            break
        page.keyboard.press("Tab")
    x, y = page.evaluate(FOCUSED)
    box = part(page, "space", space).bounding_box()
    assert box is not None
    for _ in range(20):
        right, down = box["x"] + box["width"] / 2 - x, box["y"] + box["height"] / 2 - y
        if max(abs(right), abs(down)) < box["width"] / 4:
            return
        sideways = abs(right) > abs(down)
        towards = ("ArrowRight" if right > 0 else "ArrowLeft") if sideways else ""
        page.keyboard.press(towards or ("ArrowDown" if down > 0 else "ArrowUp"))
        x, y = page.evaluate(FOCUSED)
    raise AssertionError(f"keys do not lead to {space}")
