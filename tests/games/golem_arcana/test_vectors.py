"""The conformance vectors: each is a played line, with what was legal and what was refused."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.game import REFEREE, Accepted, Refused, fold

Vector = dict[str, Any]
VECTORS: list[Vector] = [
    json.loads(line) for line in Path(__file__).with_name("vectors.jsonl").read_text().splitlines()
]


def states(vector: Vector) -> list[State]:
    """The state before each step and after the last."""
    options = msgspec.convert(vector["options"], Options)
    start = vector["start"]
    found = [GAME.start(options) if start is None else GAME.read_position(start, options)]
    for step in vector["steps"]:
        action = GAME.read_action(step["do"])
        assert not isinstance(action, Refused), step
        outcome = GAME.decide(found[-1], step["by"], action)
        assert isinstance(outcome, Accepted), (step, outcome)
        assert GAME.consequences is not None
        assert outcome.facts == GAME.consequences(found[-1], action)
        found.append(fold(GAME, found[-1], outcome.facts))
    return found


def by_name(vector: Vector) -> str:
    return str(vector["name"])


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
def test_every_step_leads_to_the_position_that_the_vector_shows(vector: Vector) -> None:
    options = msgspec.convert(vector["options"], Options)
    for step, state in zip(vector["steps"], states(vector)[1:], strict=True):
        assert GAME.write_position(state) == step["position"], step["do"]
        assert GAME.read_position(step["position"], options) == state


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
def test_exactly_the_actions_of_the_vector_are_legal(vector: Vector) -> None:
    reached = states(vector)
    for at, texts in vector["legal"].items():
        state = reached[int(at)]
        seats = (*state.seats, REFEREE)
        listed = [GAME.write_action(a) for seat in seats for a in GAME.legal(state, seat)]
        assert sorted(listed) == texts, GAME.write_position(state)


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
def test_every_refusal_names_the_rule_of_the_vector(vector: Vector) -> None:
    reached = states(vector)
    for case in vector["illegal"]:
        state = reached[case["at"]]
        action = GAME.read_action(case["do"])
        answer = action if isinstance(action, Refused) else GAME.decide(state, case["by"], action)
        assert isinstance(answer, Refused), (GAME.write_position(state), case)
        assert answer.rule == case["rule"], (GAME.write_position(state), case, answer)
