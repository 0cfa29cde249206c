"""Playing on a page as people do: by pointing at the board, and at sentences beside it."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.console.conftest import StartedMatch, wait_until

MIDDLE = """element => {
  element.scrollIntoView({ block: "center" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return width ? [x + width / 2, y + height / 2] : null;
}"""

HEARING = """
  window.heard = [];
  const real = window.fetch;
  window.fetch = async (...wanted) => {
    const answer = await real(...wanted);
    const reader = answer.clone().body.getReader();
    const words = new TextDecoder("latin1");
    const listen = ({ done, value }) => {
      if (value) window.heard.push(words.decode(value));
      if (!done) reader.read().then(listen, () => {});
    };
    reader.read().then(listen, () => {});
    return answer;
  };
"""
"""Keeps every byte that a page is sent."""


def part(page: Page, kind: str, identity: str) -> Locator:
    """The element of a piece or a space."""
    return page.locator(f'emeth-drawing svg [data-{kind}="{identity}"]').first


def point(page: Page, kind: str, identity: str, *, touch: bool = False) -> bool:
    """Click or tap in the middle of it, whatever lies on it; False if it is not on the page."""
    place = part(page, kind, identity)
    if not place.count():
        return False
    # The drawing may be replaced by a newer one at any time: what is gone has no size.
    while (middle := place.evaluate(MIDDLE)) is None:
        pass
    x, y = middle
    if touch:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)
    return True


def stands_on(page: Page, piece: str, space: str) -> bool:
    """Is the piece drawn in the middle of the space?"""
    places = part(page, "piece", piece), part(page, "space", space)
    boxes = [place.bounding_box() for place in places if place.count()]
    if len(boxes) < 2 or boxes[0] is None or boxes[1] is None:
        return False
    on, ground = boxes
    x, y = on["x"] + on["width"] / 2, on["y"] + on["height"] / 2
    return (
        ground["x"] < x < ground["x"] + ground["width"]
        and ground["y"] < y < ground["y"] + ground["height"]
    )


def is_in_view(page: Page, action: dict[str, Any]) -> bool:
    shown = page.locator(".preview .chosen")
    return shown.count() > 0 and shown.inner_text() == action["sentence"]


def choose(page: Page, action: dict[str, Any], *, touch: bool = False) -> int:
    """Point at the parts of an action until it is in view; how often the board was pointed at."""
    expect(page.locator(".turn")).to_have_text("Your turn")
    pointed = 0
    actor, spaces = action.get("pieces", ())[:1], list(action.get("spaces", ()))
    if actor and spaces and stands_on(page, actor[0], spaces[0]):
        spaces = spaces[1:]
    for kind, identity in [*(("piece", each) for each in actor), *(("space", s) for s in spaces)]:
        if page.locator(".preview").count():
            break
        pointed += point(page, kind, identity, touch=touch)
    if pointed:
        expect(page.locator(".preview, .actions").first).to_be_visible()
        page.wait_for_timeout(100)
    if not is_in_view(page, action):
        if page.locator(".preview").count():
            page.locator("#cancel").click()
        summary = page.locator(".actions summary")
        if summary.count() and not page.locator(".actions[open]").count():
            summary.click()
        page.locator(".actions li button", has_text=action["sentence"]).first.click()
    expect(page.locator(".preview .chosen")).to_have_text(action["sentence"])
    return pointed


def take(page: Page, match: StartedMatch, action: dict[str, Any], *, touch: bool = False) -> int:
    """Choose an action and confirm it, and wait until it is recorded; how often was pointed."""
    pointed = choose(page, action, touch=touch)
    expect(page.locator(".preview .facts")).to_be_attached()
    page.locator("#confirm").click()
    wait_until(lambda: action["notation"] in match.taken())
    expect(page.locator(".preview")).to_have_count(0)  # the page has the event as well
    return pointed
