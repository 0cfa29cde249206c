"""The pages and the HTTP port on a service of their own, with a real browser.

    python bench/web.py --rounds 40 --watchers 1000 --rate 500

First how long the lobby and a match take to be ready from an empty cache, and how many bytes that
is; then the time from a click on Confirm to the board: shown as done, and as the stream brings it,
on the player's page and on another. Then that many watchers by the HTTP port beside actions: how
many are taken, and how long each takes to be answered, and to reach the last of its watchers.
Service, browser and watchers share the machine, so the figures are those of all together.
"""

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, Final

import uvloop
from gateways import memory_kb
from play import random_game
from playwright.sync_api import Browser, Page, sync_playwright

from domain.registry import GAMES
from services.client import Client
from services.wire.emeth.v1.views_pb2 import WatchMatchRequest, WatchMatchResponse
from tests.console.conftest import FLAGS, Served, Started, chromium_path

PROCESSES = multiprocessing.get_context("spawn")
FRAME: Final = 5
"""Bytes before a message of a stream: flags, and its length."""
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
    """Milliseconds until this is seen on a page with an empty cache, and the bytes of its files."""
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


def pages(browser: Browser, served: Served, match: Started, rounds: int) -> None:
    """How long pages take to be ready."""
    shown = {"lobby": (served.url, ".games a"), "match": (match.link("white"), "emeth-drawing svg")}
    for name, (url, seen) in shown.items():
        found = [opened(browser, url, seen) for _ in range(rounds)]
        report(f"{name} ready from an empty cache", [took for took, _ in found])
        print(f"  {found[0][1] / 1000:.0f} KB of files, compressed")


def clicks(browser: Browser, match: Started, rounds: int) -> None:
    """From a click to the board of who clicked, and to that of somebody else."""
    seats = {seat: _page(browser, match.link(seat)) for seat in ("white", "black")}
    taken, own, others = [], [], []
    for _ in range(rounds):
        if not match.now.get("asks"):
            break
        seat = match.asked()
        page = seats[seat]
        other = seats["black" if seat == "white" else "white"]
        page.locator(".actions summary").wait_for()
        action = next(each for each in match.actions(seat) if not each.get("group"))
        page.locator(".actions li button", has_text=action["sentence"]).first.click()
        page.locator(".preview .facts").wait_for(state="attached")
        version = int(match.now["version"]) + 1
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


# --- watchers ------------------------------------------------------------------------------------


def watch(address: str, matches: list[tuple[str, str]], each: int, pipe: Connection) -> None:
    """Watch each of these matches, by this token, so many times, until told to stop; then tell when
    each event had come to all of its watchers."""
    arrived: dict[tuple[str, int], list[float]] = {}

    async def watcher(match: str, token: str, ready: asyncio.Semaphore) -> None:
        async with ready:
            host, _, port = address.partition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            body = WatchMatchRequest(match_id=match, after_version=1).SerializeToString()
            body = b"\0" + len(body).to_bytes(4, "big") + body
            head = (
                "POST /emeth.v1.ViewsService/WatchMatch HTTP/1.1\r\n"
                f"Host: {address}\r\nAuthorization: Bearer {token}\r\n"
                "Content-Type: application/connect+proto\r\nConnect-Protocol-Version: 1\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await writer.drain()
        async for message in _messages(reader):
            version = WatchMatchResponse.FromString(message).event.event.version
            arrived.setdefault((match, version), []).append(time.perf_counter())

    async def watching() -> None:
        some = asyncio.Semaphore(50)
        tasks = [
            asyncio.create_task(watcher(match, token, some))
            for match, token in matches
            for _ in range(each)
        ]
        pipe.send("begun")
        await asyncio.to_thread(pipe.recv)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    uvloop.run(watching())
    pipe.send({key: max(times) for key, times in arrived.items() if len(times) == each})
    pipe.send(sum(map(len, arrived.values())))


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The messages of a Connect stream."""
    await reader.readuntil(b"\r\n\r\n")
    held = b""
    while size := int((await reader.readline()).strip() or b"0", 16):
        held += await reader.readexactly(size)
        await reader.readexactly(2)
        while len(held) >= FRAME:
            length = int.from_bytes(held[1:FRAME], "big")
            if len(held) < FRAME + length:
                break
            yield held[FRAME : FRAME + length]
            held = held[FRAME + length :]


async def actions(
    address: str, matches: list[Started], given: argparse.Namespace
) -> tuple[dict[tuple[str, int], float], list[float]]:
    """Take actions in all matches at an even pace; when each was sent, and how long it took."""
    sent: dict[tuple[str, int], float] = {}
    took: list[float] = []
    pace = len(matches) / given.rate

    async def playing(client: Client, match: Started, number: int) -> None:
        game = GAMES["agog"]
        steps = round(given.seconds / pace)
        line = [*random_game(game, game.start(game.options()), Random(number), steps)]
        await asyncio.sleep(1 + pace * number / len(matches))
        for version, moment in enumerate(line, 2):
            notation = game.write_action(moment.action)
            begun = sent[match.id, version] = time.perf_counter()
            await client.submit(match.tokens[moment.seat], match.id, notation)
            took.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))

    async with Client(address, patience_seconds=30) as client:
        begun = time.perf_counter()
        await asyncio.gather(*(playing(client, each, n) for n, each in enumerate(matches)))
        passed = time.perf_counter() - begun - 1
    print(f"{len(took)} actions in {passed:.1f} s: {len(took) / passed:.0f}/s")
    return sent, took


def watchers(served: Served, given: argparse.Namespace) -> None:
    """Watchers by the HTTP port, beside actions by gRPC."""
    matches = [served.create("agog") for _ in range(given.matches)]
    each = given.watchers // given.matches
    here, there = PROCESSES.Pipe()
    watched = [(match.id, match.tokens["spectator"]) for match in matches]
    process = PROCESSES.Process(target=watch, args=(served.http, watched, each, there))
    process.start()
    here.recv()
    time.sleep(2)
    sent, took = asyncio.run(actions(served.grpc, matches, given))
    time.sleep(2)
    here.send("stop")
    arrived: dict[tuple[str, int], float] = here.recv()
    print(
        f"{each * given.matches} watchers: {here.recv()} messages,"
        f" {memory_kb(served.process) // 1024} MB of the service's memory"
    )
    process.join()
    report("from an action to its answer", [each * 1000 for each in took])
    reached = [(arrived[key] - begun) * 1000 for key, begun in sent.items() if key in arrived]
    assert len(reached) == len(sent), "some watcher missed an event"
    report("from an action to the last of its watchers", reached)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30, help="pages, and clicks")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=50, help="that are watched")
    parser.add_argument("--rate", type=float, default=500, help="actions a second, in all")
    parser.add_argument("--seconds", type=float, default=5, help="how long actions are taken")
    given: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder))
        served.start()
        try:
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
                pages(browser, served, served.create("agog"), given.rounds)
                clicks(browser, served.create("agog"), given.rounds)
                browser.close()
            watchers(served, given)
        finally:
            served.kill()


if __name__ == "__main__":
    main()
