"""The screen of a player or watcher: the board, and the last events."""

from collections import deque
from typing import Final

import click

from domain.kernel.scene import Scene
from projections.drawing import text
from projections.drawing.orientation import Orientation, rotate_scene
from services.cli.clocks import clock_lines
from services.cli.terminal import sentences
from services.cli.terminal.board import paint
from services.cli.terminal.console import console
from services.mapping.scene_messages import read_scene
from services.wire.emeth.v1.match_views_pb2 import MatchEvent, View

KEPT: Final = 8
"""The number of last events that are shown with the board."""


class Screen:
    """A screen: a terminal is cleared for each board, a pipe gets event lines and some boards."""

    def __init__(self, every: int = 1) -> None:
        """Draw only each `every`-th board in a pipe; the end of a match is always drawn."""
        self._every = every
        self._pictures = 0
        self._console = console()
        self._colours = self._console.is_terminal and not self._console.no_color
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._seen: View | None = None
        self._marked: tuple[str, ...] = ()
        self._over = False
        self._clocks = ""

    def add(self, watched: MatchEvent) -> None:
        """Add an event and the scene after it, without drawing."""
        line = sentences.event_line(watched.event)
        self._lines.append(line)
        self._seen = watched.view
        self._marked = tuple(watched.event.action.spaces)
        self._over = watched.view.HasField("result")
        self._clocks = "\n".join(clock_lines(watched.view.clocks))
        if not self._colours:
            click.echo(line)

    def draw(self) -> None:
        """Draw the latest scene, and the clocks."""
        if self._seen is None:
            return
        self._pictures += 1
        if self._colours:
            self._console.clear()
            self._console.print(paint(scene_of(self._seen), self._marked, tuple(self._lines)))
        elif self._over or self._pictures % self._every == 0:
            click.echo(text.draw(scene_of(self._seen)))
        else:
            return
        if self._clocks:
            click.echo(self._clocks)


def draw_once(seen: View) -> None:
    """Draw one scene without clearing the terminal."""
    terminal = console()
    if terminal.is_terminal and not terminal.no_color:
        terminal.print(paint(scene_of(seen)))
    else:
        click.echo(text.draw(scene_of(seen)), nl=False)


def scene_of(seen: View) -> Scene:
    """Return the scene, rotated to the side of its viewer."""
    return rotate_scene(read_scene(seen.scene), Orientation(seen.quarter_turns, seen.nearest_seat))
