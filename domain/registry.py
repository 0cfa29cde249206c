"""The games, one line each. A game is loaded when it is used for the first time."""

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
"""By slug, the module whose `GAME` it is; once it is loaded, the game itself."""


class Games(Mapping[str, AnyGame]):
    """The games by slug: which there are is known at once, their rules are loaded when asked for.

    >>> "agog" in GAMES, GAMES["agog"].name
    (True, 'A.G.O.G.')
    """

    def __getitem__(self, slug: str) -> AnyGame:
        """The game of this slug. KeyError if there is none."""
        game = ENTRIES[slug]
        if isinstance(game, str):
            game = ENTRIES[slug] = import_module(game).GAME
        return game

    def __contains__(self, slug: object) -> bool:
        """Is there a game of this slug? Loads nothing."""
        return slug in ENTRIES

    def __iter__(self) -> Iterator[str]:
        """The slugs, in the order in which games are listed."""
        return iter(ENTRIES)

    def __len__(self) -> int:
        """How many games there are."""
        return len(ENTRIES)


GAMES: Final = Games()
