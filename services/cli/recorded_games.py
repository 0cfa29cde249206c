"""Recorded games: what `emeth demo` plays, `demo.txt` in the house of each game.

`option NAME=VALUE` lines come first, then `player SEAT NAME` for each seat, then the actions as
`SEAT ACTION`. Empty lines and what follows `#` at the start of a line are for readers. A game with
dice is recorded with entered ones, as any other action.
"""

from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from services.cli.options import read_options

DEMO_FILE: Final = "demo.txt"


class RecordedGame(Struct, frozen=True):
    """A whole game, and who plays it."""

    options: dict[str, Any]
    players: dict[str, str]
    """Names of players by seat."""
    actions: tuple[tuple[str, str], ...]
    """Seats and what they do."""


def recorded_games() -> list[str]:
    """The games that have a recorded one."""
    houses = files("domain.games").iterdir()
    return sorted(house.name.replace("_", "-") for house in houses if (house / DEMO_FILE).is_file())


def read_recorded(game: str) -> RecordedGame:
    """The recorded game of this slug, which is one of `available`."""
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
