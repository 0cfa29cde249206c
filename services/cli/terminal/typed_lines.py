"""What is typed, line by line, while other things go on."""

import asyncio
import os
import signal
import sys
from types import TracebackType
from typing import Final, Self

import click

from services.cli.terminal.play_session import read_line

END: Final = "quit"
"""What the end of the input counts as."""


class TypedLines:
    """The lines of a terminal as they come, without holding up what arrives meanwhile; or those of
    a file or pipe, each when it is asked for. Use it as a context manager.

    In a terminal it heeds Ctrl+C, and then ends with KeyboardInterrupt: `asyncio.run` would leave a
    loop asleep that the signal meets just before it begins to wait.
    """

    def __init__(self, prompt: str) -> None:
        self._prompt = prompt
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._begun = b""
        self.is_live = sys.stdin.isatty()
        """Does a person type them?"""
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
        """Show that the next line may be typed."""
        if self.is_live:
            click.echo(self._prompt, nl=False)

    async def next(self) -> str:
        """The next line, without blanks around it."""
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
