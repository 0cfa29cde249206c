"""A benchmark of the web pages on a service of their own, with a real browser.

    python bench/web.py --rounds 40

Printed are how long the lobby and a match take to be ready from an empty cache, and how many bytes
that is. Then the time from a click on Confirm until the board shows the action as done, and until
the stream brings it, on the player's page and on another. Service and browser share the machine, so
the figures include both. For watchers see `web_watchers.py`.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.console.conftest import FLAGS, ConsoleService, StartedMatch, chromium_path

TIMES: Final = """
  window.times = {};
  addEventListener("click", event => {
    const at = event.composedPath()[0];
    if (at.id === "confirm") window.times.click = performance.now();
  }, true);
  // A new drawing changes parts of the one that is shown.
  const changed = new MutationObserver(() => { window.times.drawn = performance.now(); });
  const note = () => {
    const drawing = document.querySelector("emeth-board")?.shadowRoot
      ?.querySelector("emeth-drawing")?.shadowRoot?.querySelector("svg");
    if (drawing?.classList.contains("taken")) window.times.taken ??= performance.now();
    if (drawing && drawing !== window.drawing) {
      window.drawing = drawing;
      changed.observe(drawing, { childList: true, subtree: true });
    }
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
"""
"""Notes when Confirm was clicked, when the board showed it as done, and when a new drawing came."""


def report(what: str, milliseconds: Sequence[float]) -> None:
    """Print the median and the upper percentiles."""
    cuts = quantiles(milliseconds, n=100)
    print(
        f"{what}: median {median(milliseconds):.0f} ms, 95th percentile {cuts[94]:.0f} ms,"
        f" 99th percentile {cuts[98]:.0f} ms ({len(milliseconds)} times)"
    )


# --- pages ---------------------------------------------------------------------------------------


def opened(browser: Browser, url: str, seen: str) -> tuple[float, int]:
    """Return milliseconds until `seen` is on a page with an empty cache, and its files' bytes."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(url, wait_until="commit")
    page.locator(seen).first.wait_for()
    took: float = page.evaluate("performance.now()")
    sizes: int = page.evaluate(
        "[...performance.getEntriesByType('resource'),"
        " ...performance.getEntriesByType('navigation')]"
        ".filter(each => !each.name.includes('Service/'))"
        ".reduce((sum, each) => sum + each.transferSize, 0)"
    )
    context.close()
    return took, sizes


def pages(browser: Browser, served: ConsoleService, match: StartedMatch, rounds: int) -> None:
    """Print how long pages take to be ready."""
    shown = {"lobby": (served.url, ".games a"), "match": (match.link("white"), "emeth-drawing svg")}
    for name, (url, seen) in shown.items():
        found = [opened(browser, url, seen) for _ in range(rounds)]
        report(f"{name} ready from an empty cache", [took for took, _ in found])
        print(f"  {found[0][1] / 1000:.0f} KB of files, compressed")


def clicks(browser: Browser, match: StartedMatch, rounds: int) -> None:
    """Print the time from a click to the player's board, and to the opponent's."""
    seats = {seat: _page(browser, match.link(seat)) for seat in ("white", "black")}
    taken, own, others = [], [], []
    for _ in range(rounds):
        if not match.now.get("prompts"):
            break
        seat = match.asked()
        page = seats[seat]
        other = seats["black" if seat == "white" else "white"]
        page.locator(".actions summary").wait_for()
        action = next(each for each in match.actions(seat) if not each.get("group"))
        page.locator(".actions li button", has_text=action["sentence"]).first.click()
        page.locator(".preview .facts").wait_for(state="attached")
        version = match.now["version"] + 1
        for each in (page, other):
            each.evaluate("window.times = {}")
        page.locator("#confirm").click()
        for each in (page, other):
            each.locator(f".events li:nth-child({version})").wait_for(state="attached")
            while not each.evaluate("window.times.drawn"):
                each.wait_for_timeout(5)
        times = page.evaluate("({ ...window.times, zero: performance.timeOrigin })")
        taken.append(times["taken"] - times["click"])
        own.append(times["drawn"] - times["click"])
        there = other.evaluate("window.times.drawn + performance.timeOrigin")
        others.append(there - times["click"] - times["zero"])
    report("click to shown as done", taken)
    report("click to recorded and drawn", own)
    report("click to drawn on another page", others)


def _page(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.add_init_script(TIMES)
    page.goto(url)
    page.locator("emeth-drawing svg").wait_for()
    return page


def main() -> None:
    """Measure pages, then clicks on a board."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="pages, and clicks")
    given: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        served = ConsoleService(Path(folder))
        served.start()
        try:
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
                pages(browser, served, served.create("agog"), given.rounds)
                clicks(browser, served.create("agog"), given.rounds)
                browser.close()
        finally:
            served.kill()


if __name__ == "__main__":
    main()
