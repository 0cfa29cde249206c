"""A progress bar for long work, on standard error."""

import sys
from types import TracebackType
from typing import Self

from rich import progress
from rich.console import Console


class Progress:
    """A progress bar that disappears at the end; nothing in a pipe or if it is not `shown`."""

    def __init__(self, doing: str, *, shown: bool = True) -> None:
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not (shown and sys.stderr.isatty()),
        )
        self._task = self._bar.add_task(doing, total=None)

    def at(self, done: int, total: int) -> None:
        """Set how much is done of the total."""
        self._bar.update(self._task, completed=done, total=total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
