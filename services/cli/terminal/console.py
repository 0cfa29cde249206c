"""Output of the command line: exit codes, errors, tables and JSON."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table

DONE: Final = 0
REFUSED: Final = 1
"""The exit code for a refused action or a failed check."""
SERVICE_FAILED: Final = 3
"""The exit code for an unreachable service or an error of it. Click exits with 2 on wrong usage."""

_JOINERS: Final = "\n \u00a0\u200d"
"""Invisible characters that are harmless: line breaks, spaces, and the joiner of emoji."""
_ENDLESS: Final = 10_000
"""The width of a line in a pipe, in columns."""


class CommandRefused(click.ClickException):
    """An error for a refused action or a failed check; the exit code is 1."""

    exit_code = REFUSED

    def __init__(self, message: str) -> None:
        super().__init__(harmless(message))


class ServiceFailed(click.ClickException):
    """An error for an unreachable service or an error of it; the exit code is 3."""

    exit_code = SERVICE_FAILED

    def __init__(self, message: str) -> None:
        super().__init__(harmless(message))


def console() -> Console:
    """Return standard output, with colors and wrapped lines only in a terminal."""
    width = None if sys.stdout.isatty() else _ENDLESS
    return Console(highlight=False, markup=False, emoji=False, width=width)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun in singular or plural.

    >>> counted(1, "match", "matches"), counted(2, "finding")
    ('1 match', '2 findings')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def harmless(text: str) -> str:
    r"""Return a foreign text with control characters and direction marks escaped as in JSON.

    A terminal would act on them. Line breaks stay.

    >>> print(harmless("\x1b[2Jgone"), harmless("Zoë's 🗿"))
    \u001b[2Jgone Zoë's 🗿
    """
    return "".join(each if _is_plain(each) else json.dumps(each)[1:-1] for each in text)


def _is_plain(character: str) -> bool:
    if character in _JOINERS:
        return True
    # Neither a separator nor what Unicode calls other: control, format, surrogates, private use.
    return unicodedata.category(character)[0] not in "CZ"


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; in a pipe, as aligned columns."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*map(harmless, row))
    terminal = console()
    if terminal.is_terminal:
        terminal.print(table)
        return
    with terminal.capture() as captured:
        terminal.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_json(value: Any) -> None:
    """Print a value or a message of the API as one JSON document."""
    click.echo(harmless(json.dumps(plain(value), indent=2, ensure_ascii=False)))


def plain(value: Any) -> Any:
    """Return a value with messages of the API as dicts, with the field names of the proto files."""
    if isinstance(value, Message):
        return MessageToDict(
            value, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value
