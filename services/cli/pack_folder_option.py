"""The option `--packs` of commands that use further content packs from a folder."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from domain.kernel.packs import BUILT_IN_PACKS
from services.cli.terminal.console import CommandRefused
from services.store import pack_folder as files

T = TypeVar("T")


def with_packs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--packs` to a command, and pass it the built-in and further packs as `library`."""

    @wraps(command)
    def knowing(*args: Any, folder: Path | None, **rest: Any) -> Any:
        library = (
            BUILT_IN_PACKS
            if folder is None
            else exit_on_pack_faults(lambda: files.add_folder(folder))
        )
        return command(*args, library=library, **rest)

    return click.option(
        "--packs",
        "folder",
        envvar="EMETH_PACKS",
        show_envvar=True,
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Also use the content packs in this folder.",
    )(knowing)


def exit_on_pack_faults(work: Callable[[], T]) -> T:
    """Return the result of `work`; faults of packs become CommandRefused, a line for each."""
    try:
        return work()
    except files.PacksError as error:
        raise CommandRefused("\n".join(error.errors)) from None
