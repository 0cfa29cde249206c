"""The games, one line each."""

from typing import Final

from domain.games import agog, earthen_war, golem_arcana, res_arcana, tokars_arcana
from domain.kernel.game import AnyGame

GAMES: Final[dict[str, AnyGame]] = {
    game.slug: game
    for game in (
        agog.GAME,
        earthen_war.GAME,
        tokars_arcana.GAME,
        res_arcana.GAME,
        golem_arcana.GAME,
    )
}
