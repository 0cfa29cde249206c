"""Whatever is done to matches, in any order, they are sound; and they stay so."""

from pathlib import Path
from random import Random

import pytest

from domain.games.golem_arcana.content.packs import PACKS, SHIPPED
from domain.registry import GAMES
from tests.services.proof.lives import World

STEPS = 40


@pytest.fixture(autouse=True)
def _shelf():
    """Packs that the services added are off the shelf again when the test is over."""
    yield
    for digest in PACKS.keys() - {pack.digest for pack in SHIPPED}:
        del PACKS[digest]


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_sound_whatever_is_done_to_it(tmp_path: Path, game: str) -> None:
    async with World(tmp_path, Random(game), (game,)) as world:
        await world.live(STEPS)
