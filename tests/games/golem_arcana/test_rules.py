"""The rule index: each rule is cited by the code, named by a test, and said in our own words."""

import re
from pathlib import Path

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import rules as index
from domain.kernel.game import explain

HOUSE = Path(index.__file__).parent
CODE = "".join(p.read_text() for p in HOUSE.glob("*.py") if p.name != "rules.py")
TESTS = "".join(
    p.read_text() for p in Path(__file__).parent.glob("*") if p.suffix in (".py", ".jsonl")
)


@pytest.mark.parametrize("rule", GAME.rules)
def test_every_rule_is_cited_by_the_code_and_named_by_a_test(rule: str) -> None:
    assert f'"{rule}"' in CODE
    assert re.search(rf"{re.escape(rule)}(?![a-z.-])", TESTS)


def test_the_code_cites_no_rule_that_is_not_in_the_index() -> None:
    cited = set(re.findall(r'"(ga\.[a-z.-]+[a-z])"', CODE))
    assert cited == {*GAME.rules}


def test_a_ruling_reads_as_a_sentence_with_its_figures_and_its_source() -> None:
    sentence = explain(GAME.rules["ga.hit.cover"], {"e6 medium cover, warsprite": 20})
    assert sentence == (
        "The terrain of the target's Region covers it by its size (e6 medium cover, warsprite 20) "
        "[Combat Resolution; Terrain Cover Table; GA-R15; GA-R19; GA-R22; GA-R55]"
    )


def test_every_ruling_of_the_reference_is_cited_by_a_rule() -> None:
    cited = {number for rule in GAME.rules.values() for number in rule.rulings}
    assert cited == {f"GA-R{n}" for n in range(1, 56)}
