"""The registry of games: what it lists, and that a game is loaded only when it is used."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from domain.registry import GAMES

ROOT = Path(__file__).parents[2]
LISTING = """
import sys
from domain.registry import GAMES
assert [*GAMES] and len(GAMES) and "agog" in GAMES and "castle" not in GAMES
print(*(name for name in sys.modules if name.startswith("domain.games.")))
GAMES["agog"]
print(*{name.split(".")[2] for name in sys.modules if name.startswith("domain.games.")})
"""


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_listed_under_its_own_slug(slug: str) -> None:
    assert GAMES[slug].slug == slug


def test_every_package_is_in_the_registry() -> None:
    packages = sorted(each.parent for each in (ROOT / "domain" / "games").glob("*/__init__.py"))
    games = [import_module(f"domain.games.{package.name}").GAME for package in packages]
    assert {game.slug for game in games} == GAMES.keys()


def test_games_are_listed_without_loading_any_and_loaded_one_by_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["", "agog"]


def test_there_is_no_game_that_is_not_listed() -> None:
    with pytest.raises(KeyError):
        GAMES["castle"]
