"""The option of commands that open a log themselves: the keys that encrypt the log."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from services.cli.terminal.console import CommandRefused
from services.runtime.keys import BadKeyError
from services.store.cipher_keys import SETTING, VARIABLE, CipherKeys


def with_cipher(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--cipher-keys-file` to a command, and pass it the keys of the log as `cipher`.

    Without the option, the keys in the environment are used.
    """

    @wraps(command)
    def reading(*args: Any, cipher_keys_file: Path | None, **rest: Any) -> Any:
        given = {VARIABLE: os.environ.get(SETTING, "")}
        if cipher_keys_file is not None:
            given = {f"{VARIABLE}_FILE": str(cipher_keys_file)}
        try:
            cipher = CipherKeys(given)
        except BadKeyError as error:
            raise CommandRefused(str(error)) from None
        return command(*args, cipher=cipher, **rest)

    return click.option(
        "--cipher-keys-file",
        envvar=f"{SETTING}_FILE",
        show_envvar=True,
        type=click.Path(dir_okay=False, path_type=Path),
        help="Read the keys that encrypt the log from this file.",
    )(reading)
