"""Every game's house is built on one plan: the same file names for the same jobs."""

from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "domain" / "games"
HOUSES = sorted(house.parent for house in GAMES.glob("*/__init__.py"))
PLAN = (
    *("state", "actions", "facts", "rules"),
    *("setup", "legal", "decide", "evolve"),
    *("notation", "position", "position_reading"),
    *("scene", "parts", "sentences"),
)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_a_house_has_a_module_for_each_job_of_the_plan(house: Path) -> None:
    """In the house or on one of its floors; where a job fills a floor, the floor has its name."""
    modules = {found.stem for found in house.glob("**/*.py")}
    floors = {found.parent.name for found in house.glob("*/__init__.py")}
    assert not set(PLAN) - modules - floors


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_a_house_has_a_whole_game_to_show(house: Path) -> None:
    """`emeth demo` plays it."""
    assert (house / "demo.txt").is_file()
