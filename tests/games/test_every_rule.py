"""The rule index of every game: each rule is cited by its package, and named in a test."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from domain.kernel.game import AnyGame
from domain.kernel.rulings import explain
from domain.registry import GAMES

RULINGS: Final = {
    "agog": ("AGOG", 35),
    "earthen-war": ("EW", 20),
    "tokars-arcana": ("TA", 50),
    "res-arcana": ("RA", 52),
    "golem-arcana": ("GA", 55),
}
"""What the rulings of a published reference are called, and how many there are."""

HERE: Final = Path(__file__).parent

every_rule = pytest.mark.parametrize(
    ("slug", "rule"), [(slug, rule) for slug, game in GAMES.items() for rule in game.rules]
)


@cache
def cited(slug: str) -> str:
    """The code of a package, without the index itself."""
    package = import_module(f"domain.games.{slug.replace('-', '_')}").__file__
    assert package is not None
    files = sorted(Path(package).parent.rglob("*.py"))
    return "\n".join(file.read_text() for file in files if file.name != "rules.py")


def folder_of(slug: str) -> Path:
    return HERE / slug.replace("-", "_")


@cache
def text_of_tests(slug: str) -> str:
    """The tests of a package, and its vectors."""
    files = sorted(folder_of(slug).glob("*"))
    return "\n".join(file.read_text() for file in files if file.suffix in (".py", ".jsonl"))


def tags(game: AnyGame) -> set[str]:
    """The names of facts and actions, which look like ids of rules."""
    unions: tuple[Any, ...] = (game.facts, game.actions)
    kinds = [kind for union in unions for kind in get_args(union) or (union,)]
    return {str(kind.__struct_config__.tag) for kind in kinds}


@every_rule
def test_the_package_cites_the_rule_and_a_test_names_it(slug: str, rule: str) -> None:
    assert f'"{rule}"' in cited(slug)
    if folder_of(slug).is_dir():  # a package may be built before its own tests
        assert re.search(rf"{re.escape(rule)}(?![\w.-])", text_of_tests(slug))


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_else_is_cited_or_named(slug: str) -> None:
    game = GAMES[slug]
    prefix = next(iter(game.rules)).partition(".")[0]
    found = set(re.findall(rf'"({prefix}(?:\.[a-z_-]+)+)"', cited(slug) + text_of_tests(slug)))
    assert found - tags(game) == set(game.rules)


@every_rule
def test_each_rule_has_a_meaning_and_a_source(slug: str, rule: str) -> None:
    found = GAMES[slug].rules[rule]
    assert found.id == rule
    assert found.source
    assert not found.meaning.endswith(".")
    assert explain(found).startswith(found.meaning[0].upper())


@pytest.mark.parametrize("slug", RULINGS)
def test_every_ruling_of_the_reference_settles_some_rule(slug: str) -> None:
    prefix, count = RULINGS[slug]
    named = {ruling for rule in GAMES[slug].rules.values() for ruling in rule.rulings}
    assert named == {f"{prefix}-R{number}" for number in range(1, count + 1)}
