"""Recorded games that `emeth demo` plays: `demo.txt` in the package of a game.

The file has `option NAME=VALUE` lines, then `player SEAT NAME` for each seat, then the actions as
`SEAT ACTION`. Empty lines and lines that begin with `#` are ignored. Dice are recorded as entered,
like any other action.
"""

from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from services.cli.options import read_options

DEMO_FILE: Final = "demo.txt"


class RecordedGame(Struct, frozen=True):
    """A recorded game with its options, players and actions."""

    options: dict[str, Any]
    players: dict[str, str]
    """Players' names by seat."""
    actions: tuple[tuple[str, str], ...]
    """Each action with its seat, in order."""


def recorded_games() -> list[str]:
    """Return the slugs of the games that have a recorded game."""
    houses = files("domain.games").iterdir()
    return sorted(house.name.replace("_", "-") for house in houses if (house / DEMO_FILE).is_file())


def read_recorded(game: str) -> RecordedGame:
    """Return the recorded game of a slug from `recorded_games`."""
    options: list[str] = []
    players: dict[str, str] = {}
    actions: list[tuple[str, str]] = []
    text = (files("domain.games") / game.replace("-", "_") / DEMO_FILE).read_text()
    for line in text.splitlines():
        first, _, rest = line.strip().partition(" ")
        match first:
            case "":
                pass
            case _ if first.startswith("#"):
                pass
            case "option":
                options.append(rest)
            case "player":
                seat, _, name = rest.partition(" ")
                players[seat] = name
            case _:
                actions.append((first, rest))
    return RecordedGame(read_options(options), players, tuple(actions))
