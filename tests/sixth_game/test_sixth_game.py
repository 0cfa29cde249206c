"""A sixth game is one folder and one line: here they are added to a copy of this checkout.

What is tested of a game because it is in the registry is then tested of Connect Four too, and it is
played in every way in which a game can be played (`played.py`).
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = Path(__file__).parent / "connect_four"
COPIED: Final = ("domain", "tests")
"""What a new game is added to, or looks for its own tests in; the rest is only linked."""
LINE: Final = '    "connect-four": "domain.games.connect_four",\n'
LAWS: Final = (
    *(str(file.relative_to(ROOT)) for file in sorted(ROOT.glob("tests/**/test_*every_*.py"))),
    "tests/domain/bots",
    "tests/domain/match",
    "tests/services/cli/test_demo.py",
    "tests/services/cli/test_rules.py",
    "tests/services/proof/test_match_file.py",
    "tests/services/devices/test_match_card.py",
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout with one folder and one line more."""
    folder = tmp_path_factory.mktemp("checkout")
    for each in ROOT.iterdir():
        if each.name in COPIED:
            copytree(each, folder / each.name, ignore=ignore_patterns("__pycache__"))
        elif not each.name.startswith("."):
            (folder / each.name).symlink_to(each)
    copytree(PACKAGE, folder / "domain/games/connect_four", ignore=ignore_patterns("__pycache__"))
    registry = folder / "domain/registry.py"
    text, last = registry.read_text(), '    "golem-arcana": "domain.games.golem_arcana",\n'
    assert last in text
    registry.write_text(text.replace(last, last + LINE))
    return folder


def passed(checkout: Path, *words: str) -> int:
    """How many tests passed there. None may fail."""
    run = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *words),
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    found = re.search(r"(\d+) passed", run.stdout)
    return int(found[1]) if found else 0


@pytest.mark.timeout(300)
def test_the_laws_of_every_game_hold_in_it(checkout: Path) -> None:
    assert passed(checkout, "-k", "connect-four or connect_four", *LAWS) > 60


@pytest.mark.timeout(300)
def test_it_is_played_in_every_way(checkout: Path) -> None:
    assert passed(checkout, "tests/sixth_game/played.py") == 5


@pytest.mark.timeout(300)
def test_it_is_played_on_the_pages(checkout: Path) -> None:
    assert passed(checkout, "tests/sixth_game/played_on_pages.py") == 1


def test_the_page_of_a_new_game_shows_this_one() -> None:
    page = (ROOT / "docs/a-new-game.md").read_text()
    package = (PACKAGE / "__init__.py").read_text()
    assert package[package.index("GAME:") :] in page
    assert LINE in page
    assert {file.name for file in PACKAGE.iterdir() if file.is_file()} <= {
        *re.findall(r"`([\w.]+)`", page)
    }
