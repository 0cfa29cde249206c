"""How the command line speaks: exit codes, errors as sentences, tables, JSON."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console
from rich.table import Table

DONE: Final = 0
REFUSED: Final = 1
"""A rule forbids it, or a check failed."""
SERVICE_FAILED: Final = 3
"""The service cannot be reached, or gives an error. 2 is click's: a command that makes no sense."""

_ENDLESS: Final = 10_000
"""Columns of a line that nobody looks at."""


class CommandRefused(click.ClickException):
    """A rule forbids it."""

    exit_code = REFUSED


class ServiceFailed(click.ClickException):
    """The service cannot be reached, or gives an error."""

    exit_code = SERVICE_FAILED


def console() -> Console:
    """Standard output: colours and the terminal's width for people, plain long lines for pipes."""
    width = None if sys.stdout.isatty() else _ENDLESS
    return Console(highlight=False, markup=False, emoji=False, width=width)


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something.

    >>> counted(1, "match", "matches"), counted(2, "finding")
    ('1 match', '2 findings')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table; in a pipe just its columns, lined up."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    terminal = console()
    if terminal.is_terminal:
        terminal.print(table)
        return
    with terminal.capture() as captured:
        terminal.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_json(value: Any) -> None:
    """A value or a message of the API as one JSON document."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=False))


def plain(value: Any) -> Any:
    """Messages of the API as what JSON knows, with the field names of the proto files."""
    if isinstance(value, Message):
        return MessageToDict(
            value, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value
