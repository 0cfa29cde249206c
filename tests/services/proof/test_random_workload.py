"""Whatever is done to matches, in any order, they are sound; and they stay so."""

from pathlib import Path
from random import Random

import pytest

from domain.registry import GAMES
from tests.services.proof.random_workload import RandomWorkload

STEPS = 40


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_sound_whatever_is_done_to_it(tmp_path: Path, game: str) -> None:
    async with RandomWorkload(tmp_path, Random(game), (game,)) as world:
        await world.live(STEPS)
