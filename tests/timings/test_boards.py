"""A page with a hundred boards, on one stream and so on one connection of its browser."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from playwright.async_api import Page, async_playwright

from services.cli.recorded_games import read_recorded
from services.client import Client
from tests.console.conftest import FLAGS, ConsoleService, chromium_path
from tests.timings.conftest import Promise

BOARDS: Final = 100
WARM: Final = 2
"""Rounds that are played first, and not counted."""
ROUNDS: Final = 15
MOST_MS: Final = 200
GAME: Final = read_recorded("agog").actions[: WARM + ROUNDS]
FOLLOW: Final = """
async (matches) => {
  const call = (method, request, accept) => fetch(`/emeth.v1.ViewsService/${method}`, {
    method: "POST",
    headers: { accept, "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const boards = (window.boards = new Map());
  const put = (piece, spaces, where) => {
    piece.dataset.where = where;
    piece.style.translate = spaces.get(where);
  };
  for (const matchId of matches) {
    const asked = await call("GetView", { matchId, readMask: "scene" }, "application/json");
    const { scene } = (await asked.json()).view;
    const board = document.body.appendChild(document.createElement("div"));
    board.style = "display: inline-block; position: relative; width: 8em; height: 8em";
    const caption = board.appendChild(document.createElement("p"));
    const spaces = new Map(scene.spaces.map(({ id, x = 0, y = 0 }) => [id, `${x}em ${y}em`]));
    const pieces = new Map();
    boards.set(matchId, { board, caption, spaces, pieces });
    for (const piece of scene.pieces) {
      const shown = board.appendChild(document.createElement("b"));
      pieces.set(piece.id, shown);
      shown.textContent = "o";
      shown.style = "position: absolute";
      put(shown, spaces, piece.where);
    }
  }
  /** By version: how many boards show it, and since when the last of them does. */
  window.shown = {};
  const show = ({ caption, spaces, pieces }, { version, sentence, changes = [] }) => {
    for (const { moved, removed } of changes) {
      const piece = pieces.get((moved ?? removed)?.piece);
      if (removed) {
        pieces.delete(removed.piece);
        piece.remove();
      }
      if (!moved) continue;
      pieces.delete(moved.piece);
      pieces.set(moved.now.id, piece);
      put(piece, spaces, moved.end);
    }
    caption.textContent = sentence;
    // After the next frame it is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const seen = (window.shown[version] ??= { boards: 0 });
      seen.boards += 1;
      seen.last = performance.timeOrigin + performance.now();
    }));
  };
  const readMask = "event.version,event.sentence,event.changes,view.prompts,view.clocks";
  const topics = matches.map((id) => ({ topicId: id, match: { matchId: id, readMask } }));
  const response = await call("Subscribe", { topics }, "text/event-stream");
  const parts = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (text) => {
    const { value, done } = await parts.read();
    if (done) return;
    const events = (text + value).split("\\n\\n");
    const rest = events.pop();
    for (const [, data] of events.map((each) => /^data: (.*)$/m.exec(each) ?? [])) {
      const { topicId, matchEvent } = JSON.parse(data ?? "{}");
      if (matchEvent) show(boards.get(topicId), matchEvent.event);
    }
    void read(rest);
  };
  void read("");
}
"""
"""The script of the page: a board for each of these matches, which it draws and updates."""

PIECES: Final = """
([match]) => [...window.boards.get(match).pieces].map(([id, { dataset }]) => [id, dataset.where])
"""


@asynccontextmanager
async def blank_page(served: ConsoleService) -> AsyncIterator[Page]:
    """A page without anything on it, of the service's own origin."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        page = await browser.new_page()
        await page.goto(f"{served.url}/robots.txt")
        yield page
        await browser.close()


async def all_shown(page: Page, version: int) -> float:
    """When the last board came to show this version, in seconds since the epoch."""
    await page.wait_for_function(f"window.shown[{version}]?.boards === {BOARDS}")
    last: float = await page.evaluate(f"window.shown[{version}].last")
    return last / 1_000


async def test_a_hundred_boards_show_a_hundred_actions_within_200_ms(
    served: ConsoleService, promise: Promise
) -> None:
    matches = [served.create("agog", visibility="VISIBILITY_PUBLIC") for _ in range(BOARDS)]
    took: list[float] = []
    requests: list[str] = []
    async with blank_page(served) as page, Client(served.grpc, session=True) as client:
        page.on("request", lambda request: requests.append(request.url))
        await page.evaluate(FOLLOW, [match.id for match in matches])
        await all_shown(page, 1)
        for version, (seat, action) in enumerate(GAME, 2):
            sent = time.time()
            await asyncio.gather(
                *(
                    client.submit(match.tokens[seat], match.id, action, basic=True)
                    for match in matches
                )
            )
            took.append((await all_shown(page, version) - sent) * 1_000)
        for match in matches[:: BOARDS - 1]:
            scene = match.scene("spectator")
            expected = {piece["id"]: piece["where"] for piece in scene["pieces"]}
            assert dict(await page.evaluate(PIECES, [match.id])) == expected
    assert sum(url.endswith("/Subscribe") for url in requests) == 1
    promise("a hundred actions, from the first to the last of their boards", took[WARM:], MOST_MS)
