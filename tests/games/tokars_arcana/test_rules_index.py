"""The rule index: every rule is cited by the house, and named in a test."""

import re
from pathlib import Path

import pytest

from domain.games import tokars_arcana
from domain.games.tokars_arcana import GAME
from domain.kernel.game import explain

HOUSE = Path(tokars_arcana.__file__).parent
CITED = "\n".join(f.read_text() for f in sorted(HOUSE.glob("*.py")) if f.name != "rules.py")
TESTED = "\n".join(f.read_text() for f in sorted(Path(__file__).parent.glob("test_*.py")))


@pytest.mark.parametrize("rule", GAME.rules)
def test_the_house_cites_the_rule_and_a_test_names_it(rule: str) -> None:
    assert f'"{rule}"' in CITED
    assert f'"{rule}"' in TESTED


def test_nothing_else_is_cited_or_named() -> None:
    assert set(re.findall(r'"(ta\.[a-z]+\.[a-z_.]+)"', CITED + TESTED)) == set(GAME.rules)


@pytest.mark.parametrize("rule", GAME.rules)
def test_each_rule_has_a_meaning_a_source_and_its_rulings(rule: str) -> None:
    found = GAME.rules[rule]
    assert found.id == rule
    assert found.source
    assert not found.meaning.endswith(".")
    assert all(re.fullmatch(r"TA-R([1-9]|[1-4]\d|50)", ruling) for ruling in found.rulings)
    assert explain(found, {}).startswith(found.meaning[0].upper())


def test_every_ruling_of_the_reference_settles_some_rule() -> None:
    named = {ruling for rule in GAME.rules.values() for ruling in rule.rulings}
    assert named == {f"TA-R{n}" for n in range(1, 51)}
