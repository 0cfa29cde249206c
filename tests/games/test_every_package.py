"""Every game package has one layout: the same file names for the same jobs."""

from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "domain" / "games"
PACKAGES = sorted(package.parent for package in GAMES.glob("*/__init__.py"))
PLAN = (
    *("state", "actions", "facts", "rules"),
    *("setup", "legal", "decide", "evolve"),
    *("notation", "position", "position_reading"),
    *("scene", "parts", "sentences"),
)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_has_a_module_for_each_job_of_the_plan(package: Path) -> None:
    """Jobs whose module may lie in the package or in a subpackage named after the job."""
    modules = {found.stem for found in package.glob("**/*.py")}
    subpackages = {found.parent.name for found in package.glob("*/__init__.py")}
    assert not set(PLAN) - modules - subpackages


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_has_a_whole_game_to_show(package: Path) -> None:
    """`emeth demo` plays it."""
    assert (package / "demo.txt").is_file()
