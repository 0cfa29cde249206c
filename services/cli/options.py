"""Options that many commands have, and how their values are read."""

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
"""The type of an argument that is a version of a match, or the number of a dispute."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for scripts.")
game_options = click.option(
    "--option",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game; may be repeated. `emeth rules GAME` lists them.",
)


class GameName(click.ParamType[AnyGame]):
    """A game of the registry, by its slug."""

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> AnyGame:
        """The game of this slug."""
        if str(value) not in GAMES:
            self.fail(f"there is no game {value!r}; there is {', '.join(GAMES)}", param, ctx)
        return GAMES[str(value)]


class TimeText(click.ParamType[datetime]):
    """A time in ISO form; without a zone, by the clock of this place."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The time, with its zone."""
        try:
            return datetime.fromisoformat(str(value)).astimezone()
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time, such as 2026-11-21T18:30", param, ctx)


def collect_options(
    name: str, kind: type[Struct]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Pass the options and arguments that are fields of `kind` to a command as one such value.

    It is the decorator next to the command, below those that declare them.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathering(**given: Any) -> Any:
            fields = {field: given.pop(field) for field in kind.__struct_fields__}
            return command(**given, **{name: kind(**fields)})

        return gathering

    return decorate


def read_options(given: Iterable[str]) -> dict[str, Any]:
    """`NAME=VALUE` pairs: a value that is JSON is taken as that, any other as text.

    >>> read_options(["handicap=3", "fresh_supply=true", "handicap_tie=spine"])
    {'handicap': 3, 'fresh_supply': True, 'handicap_tie': 'spine'}
    """
    options: dict[str, Any] = {}
    for pair in given:
        name, separator, value = pair.partition("=")
        if not (name and separator):
            raise click.UsageError(f"--option is NAME=VALUE, as handicap=3, not {pair!r}")
        if name in options:
            raise click.UsageError(f"--option {name} is given twice: it has one value")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):  # the second if it is nested too deep
            options[name] = value
    return options


def parse_game_options(game: AnyGame, given: Iterable[str]) -> Any:
    """The options of a game. A usage error tells what is wrong with one."""
    try:
        return kernel.read_options(game, read_options(given))
    except msgspec.ValidationError as error:
        raise click.UsageError(f"{game.name}: {error}") from None


def schema_fields(struct: type[Any]) -> dict[str, dict[str, Any]]:
    """The JSON schema of each field of a Struct: its type, bounds, default and description."""
    (top,), parts = msgspec.json.schema_components([struct], ref_template="{name}")
    fields: dict[str, dict[str, Any]] = parts[top["$ref"]]["properties"]
    return fields
