"""The games, one line each."""

from typing import Final

from domain.games import agog, earthen_war, res_arcana
from domain.kernel.game import AnyGame

GAMES: Final[dict[str, AnyGame]] = {
    game.slug: game for game in (agog.GAME, earthen_war.GAME, res_arcana.GAME)
}
