"""Typed lines, read without blocking the event loop."""

import asyncio
import os
import signal
import sys
from types import TracebackType
from typing import Final, Self

import click

from services.cli.terminal.play_session import read_line

END: Final = "quit"
"""The line that the end of the input stands for."""


class TypedLines:
    """A context manager that gives the typed lines of a terminal, or the lines of a file or pipe.

    In a terminal it reads without blocking the event loop. It handles Ctrl+C itself, and then ends
    with KeyboardInterrupt: with `asyncio.run`, a signal just before the loop waits would be lost.
    """

    def __init__(self, prompt: str) -> None:
        self._prompt = prompt
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._begun = b""
        self.is_live = sys.stdin.isatty()
        """Whether the input is a terminal."""
        self._interrupted = False

    def __enter__(self) -> Self:
        if self.is_live:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            assert task is not None
            loop.add_reader(sys.stdin.fileno(), self._read)
            loop.add_signal_handler(signal.SIGINT, self._interrupt, task)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.is_live:
            loop = asyncio.get_running_loop()
            loop.remove_reader(sys.stdin.fileno())
            loop.remove_signal_handler(signal.SIGINT)
        if self._interrupted:
            raise KeyboardInterrupt

    def ask(self) -> None:
        """Print the prompt in a terminal."""
        if self.is_live:
            click.echo(self._prompt, nl=False)

    async def next(self) -> str:
        """Return the next line, without surrounding spaces."""
        return await self._waiting.get() if self.is_live else read_line(self._prompt)

    def _interrupt(self, task: "asyncio.Task[object]") -> None:
        self._interrupted = True
        task.cancel()

    def _read(self) -> None:
        read = os.read(sys.stdin.fileno(), 4096)
        *lines, self._begun = (self._begun + read).split(b"\n")
        for line in lines:
            self._waiting.put_nowait(line.decode("utf-8", "replace").strip())
        if not read:
            self._waiting.put_nowait(END)
