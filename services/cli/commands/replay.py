"""The command `emeth replay`: replays a match with keys in a terminal, as lines in a pipe."""

import asyncio
import json
import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Final

import click
from msgspec import Struct

from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import collect_options
from services.cli.terminal.console import console, plain
from services.cli.terminal.screen import KEPT, Screen
from services.client import Client
from services.wire.emeth.v1.match_views_pb2 import MatchEvent

USUAL_SECONDS: Final = 1.0
"""Seconds between two events without --every."""
KEYS: Final = "space pause  n next  b back  + faster  - slower  0 start  q quit"
ARROWS: Final = {"\x1b[C": "n", "\x1b[D": "b", "\x1b[A": "+", "\x1b[B": "-"}


class ReplayQuery(Struct, frozen=True):
    """The options of `emeth replay`."""

    line_only: bool
    every: float | None
    after: int
    until: int


@click.command(short_help="Replay a match.")
@click.option("--line", "line_only", is_flag=True, help="Leave out what was undone.")
@click.option(
    "--every",
    type=click.FloatRange(0, 3600),
    metavar="SECONDS",
    help="Wait this many seconds between events.",
)
@click.option(
    "--after",
    default=0,
    type=click.IntRange(0),
    metavar="VERSION",
    help="Begin after this version.",
)
@click.option(
    "--until", default=0, type=click.IntRange(0), metavar="VERSION", help="End at this version."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line.")
@with_access
@with_service
@collect_options("wanted", ReplayQuery)
def replay(
    service: ServiceAddress, access: MatchAccess, wanted: ReplayQuery, as_json: bool
) -> None:
    r"""Replay a match with all undone moves, or only its mainline.

    In a terminal, press space to pause and resume, n and b (or the arrows) to step, + and - to
    change the speed, 0 for the start and q to quit. In a pipe, all is printed at once unless
    --every is given.

    \b
    Examples:
      emeth replay
      emeth replay --line --every 0.5
      emeth replay --after 20
      emeth replay --json > match.jsonl
    """
    with_keys = not as_json and sys.stdin.isatty() and console().is_terminal

    async def replaying(client: Client) -> None:
        shown = client.replay(
            access.viewing(),
            access.match,
            *(() if as_json else ("scene",)),
            after_version=wanted.after,
            until_version=wanted.until,
            line_only=wanted.line_only,
            interval_seconds=None if with_keys else wanted.every,
        )
        async with aclosing(shown):
            if with_keys:
                events = [watched async for watched in shown]
                await Player(events, wanted.every).play()
                return
            screen = Screen()
            async for watched in shown:
                if as_json:
                    click.echo(json.dumps(plain(watched), ensure_ascii=False))
                else:
                    screen.add(watched)
                    screen.draw()

    service.run(replaying)


class Player:
    """A player of recorded events that a person controls with keys."""

    def __init__(self, events: list[MatchEvent], every: float | None) -> None:
        self._events = events
        self._every = USUAL_SECONDS if every is None else every
        self._speed = 1.0
        self.place = 0
        """Index of the shown event, from 0."""
        self.playing = True
        self.left = False

    async def play(self) -> None:
        """Show the match until the person quits."""
        if not self._events:
            return
        with _keys() as pressed:
            while not self.left:
                self._show()
                key = None
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.pause()):
                        key = await pressed.get()
                self.press(key)

    def pause(self) -> float | None:
        """Return the seconds until the next event is shown, or None if it waits for a key."""
        if not self.playing or self.place + 1 == len(self._events):
            return None
        return self._every / self._speed

    def press(self, key: str | None) -> None:
        """Act on a key; None stands for the end of the pause."""
        last = len(self._events) - 1
        match key:
            case None:
                self.place = min(self.place + 1, last)
            case " ":
                self.playing = not self.playing
            case "n":
                self.playing, self.place = False, min(self.place + 1, last)
            case "b":
                self.playing, self.place = False, max(self.place - 1, 0)
            case "0":
                self.place = 0
            case "+" | "=":
                self._speed = min(self._speed * 2, 1024.0)
            case "-":
                self._speed = max(self._speed / 2, 1 / 1024)
            case "q" | "\x03" | "\x04":
                self.left = True
            case _:
                pass  # a key that means nothing

    def _show(self) -> None:
        screen = Screen()
        for watched in self._events[max(0, self.place - KEPT + 1) : self.place + 1]:
            screen.add(watched)
        screen.draw()
        state = "playing" if self.playing else "paused"
        of = f"{self.place + 1} of {len(self._events)}"
        click.echo(f"{of}  {state}, {self._speed:g} times as fast\n{KEYS}")


@contextmanager
def _keys() -> Iterator["asyncio.Queue[str]"]:
    """Yield a queue of the pressed keys, which come without Enter."""
    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()
    pressed: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        text = os.read(number, 64).decode(errors="replace")
        if not text:
            text = "q"  # nobody can press anything any more
        for arrow, key in ARROWS.items():
            text = text.replace(arrow, key)
        for key in text:
            pressed.put_nowait(key)

    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    loop.add_reader(number, read)
    try:
        yield pressed
    finally:
        loop.remove_reader(number)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
