"""Options that many commands have, and the parsers of their values."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from typing import Any, Final

import click
import msgspec
from msgspec import Struct

from domain.kernel import any_game as kernel
from domain.kernel.game import AnyGame
from domain.registry import GAMES

VERSION: Final = click.IntRange(1, 2**32 - 1)
"""The click type of a match version or a dispute number."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
game_options = click.option(
    "--option",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of the game; may be repeated. `emeth rules GAME` lists them.",
)


class GameName(click.ParamType[AnyGame]):
    """A click type for a game, by its slug."""

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> AnyGame:
        """Return the game of this slug."""
        if str(value) not in GAMES:
            self.fail(f"there is no game {value!r}; the games are {', '.join(GAMES)}", param, ctx)
        return GAMES[str(value)]


class TimeText(click.ParamType[datetime]):
    """A click type for an ISO 8601 time; without a zone, it is local time."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the time with its zone."""
        try:
            return datetime.fromisoformat(str(value)).astimezone()
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time such as 2026-11-21T18:30", param, ctx)


def collect_options(
    name: str, kind: type[Struct]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Pass the options and arguments that are fields of `kind` to a command as one such value.

    Place this decorator next to the command, below the decorators that declare the options.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathering(**given: Any) -> Any:
            fields = {field: given.pop(field) for field in kind.__struct_fields__}
            return command(**given, **{name: kind(**fields)})

        return gathering

    return decorate


def read_options(given: Iterable[str]) -> dict[str, Any]:
    """Return the values of `NAME=VALUE` pairs, each decoded as JSON if possible, else as text.

    >>> read_options(["handicap=3", "fresh_supply=true", "handicap_tie=spine"])
    {'handicap': 3, 'fresh_supply': True, 'handicap_tie': 'spine'}
    """
    options: dict[str, Any] = {}
    for pair in given:
        name, separator, value = pair.partition("=")
        if not (name and separator):
            raise click.UsageError(f"{pair!r} is not NAME=VALUE, such as handicap=3")
        if name in options:
            raise click.UsageError(f"{name} is given twice: leave one of them out")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):  # the second if it is nested too deep
            options[name] = value
    return options


def parse_game_options(game: AnyGame, given: Iterable[str]) -> Any:
    """Return the options of a game.

    Raises:
        UsageError: An option is unknown or invalid.
    """
    try:
        return kernel.read_options(game, read_options(given))
    except msgspec.ValidationError as error:
        raise click.UsageError(f"option of {game.name}: {error}") from None


def schema_fields(struct: type[Any]) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each field of a Struct: type, bounds, default and description."""
    (top,), parts = msgspec.json.schema_components([struct], ref_template="{name}")
    fields: dict[str, dict[str, Any]] = parts[top["$ref"]]["properties"]
    return fields
