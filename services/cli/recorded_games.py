"""Recorded games: what `emeth demo` plays, one text file for each game in `demos/`.

`option NAME=VALUE` lines come first, then `player SEAT NAME` for each seat, then the actions as
`SEAT ACTION`. Empty lines and what follows `#` at the start of a line are for readers. A game with
dice is recorded with entered ones, as any other action.
"""

from importlib.resources import files
from typing import Any

from msgspec import Struct

from services.cli.options import read_options

SUFFIX = ".txt"


class Recorded(Struct, frozen=True):
    """A whole game, and who plays it."""

    options: dict[str, Any]
    players: dict[str, str]
    """Names by seat."""
    actions: tuple[tuple[str, str], ...]
    """Seats and what they do."""


def available() -> list[str]:
    """The games that have a recorded one."""
    names = (file.name for file in (files("services.cli") / "demos").iterdir())
    return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))


def read_recorded(game: str) -> Recorded:
    """The recorded game of this slug, which is one of `available`."""
    options: list[str] = []
    players: dict[str, str] = {}
    actions: list[tuple[str, str]] = []
    text = (files("services.cli") / "demos" / f"{game}{SUFFIX}").read_text()
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
    return Recorded(read_options(options), players, tuple(actions))
