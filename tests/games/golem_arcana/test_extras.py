"""The further conformance vectors: army checks, and the figures of attacks."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.armies import check_army
from domain.games.golem_arcana.cards import Army
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.packs import CORE
from domain.games.golem_arcana.questions import attack_figures
from domain.kernel.game import Refused

EXTRAS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("extras.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(
    "extra", [e for e in EXTRAS if e["kind"] == "army"], ids=lambda e: str(e["name"])
)
def test_an_army_is_told_all_its_errors_at_once(extra: dict[str, Any]) -> None:
    scenario = extra.get("scenario")
    limit = CORE.scenarios[scenario].apv if scenario else None
    errors = check_army(CORE, msgspec.convert(extra["army"], Army), limit)
    assert [str(error) for error in errors] == extra["errors"]


@pytest.mark.parametrize(
    "extra", [e for e in EXTRAS if e["kind"] == "figures"], ids=lambda e: str(e["action"])
)
def test_an_attack_has_these_figures(extra: dict[str, Any]) -> None:
    position = extra["position"]
    state = GAME.read_position(position, Options(scenario=position.split(" ")[1]))
    action = GAME.read_action(extra["action"])
    assert isinstance(action, a.Attack | a.Charge)
    found = attack_figures(state, GAME.turn(state)[0].seat, action)
    assert not isinstance(found, Refused), found
    aim = next(each for each in found if each.target == extra["target"])
    assert {name: getattr(aim, name) for name in extra["figures"]} == extra["figures"]
    assert (aim.chance, aim.damage, aim.critical) == (
        extra["chance"],
        extra["damage"],
        extra["critical"],
    )
