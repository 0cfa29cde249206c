"""The registry of games, with one line for each game."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from domain.kernel.game import AnyGame

ENTRIES: Final[dict[str, AnyGame | str]] = {
    "agog": "domain.games.agog",
    "earthen-war": "domain.games.earthen_war",
    "tokars-arcana": "domain.games.tokars_arcana",
    "res-arcana": "domain.games.res_arcana",
    "golem-arcana": "domain.games.golem_arcana",
}
"""Game modules by slug. Each has a `GAME`, which replaces the module's name once it is loaded."""


class Games(Mapping[str, AnyGame]):
    """A mapping from slugs to games. The rules of a game are loaded at its first use.

    >>> "agog" in GAMES, GAMES["agog"].name
    (True, 'A.G.O.G.')
    """

    def __getitem__(self, slug: str) -> AnyGame:
        """Return the game with this slug, loading it if needed. Raise KeyError if there is none."""
        game = ENTRIES[slug]
        if isinstance(game, str):
            game = ENTRIES[slug] = import_module(game).GAME
        return game

    def __contains__(self, slug: object) -> bool:
        """Return whether there is a game with this slug, without loading it."""
        return slug in ENTRIES

    def __iter__(self) -> Iterator[str]:
        """Return the slugs in the order in which games are listed."""
        return iter(ENTRIES)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(ENTRIES)


GAMES: Final = Games()
