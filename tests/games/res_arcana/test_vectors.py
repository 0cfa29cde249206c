"""The conformance vectors: played lines, with what was legal, refused, and seen."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.res_arcana import GAME
from domain.games.res_arcana.state import Options, State
from domain.kernel.game import Accepted, Refused, fold

Vector = dict[str, Any]
VECTORS: list[Vector] = [
    json.loads(line) for line in Path(__file__).with_name("vectors.jsonl").read_text().splitlines()
]
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])


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
        found.append(fold(GAME, found[-1], outcome.facts))
    return found


@every_vector
def test_every_step_leads_to_the_position_that_the_vector_shows(vector: Vector) -> None:
    options = msgspec.convert(vector["options"], Options)
    for step, state in zip(vector["steps"], states(vector)[1:], strict=True):
        assert GAME.write_position(state) == step["position"], step["do"]
        assert GAME.read_position(step["position"], options) == state


@every_vector
def test_exactly_the_actions_of_the_vector_are_legal(vector: Vector) -> None:
    reached = states(vector)
    for key, texts in vector["legal"].items():
        index, _, seat = key.partition(":")
        state = reached[int(index)]
        seats = [seat] if seat else [ask.seat for ask in GAME.turn(state)]
        listed = [GAME.write_action(a) for each in seats for a in GAME.legal(state, each)]
        assert sorted(listed) == texts, GAME.write_position(state)


@every_vector
def test_every_refusal_names_the_rule_of_the_vector(vector: Vector) -> None:
    reached = states(vector)
    for case in vector["illegal"]:
        state = reached[case["at"]]
        action = GAME.read_action(case["do"])
        answer = action if isinstance(action, Refused) else GAME.decide(state, case["by"], action)
        assert isinstance(answer, Refused), (GAME.write_position(state), case)
        assert answer.rule == case["rule"], (GAME.write_position(state), case, answer)


@every_vector
def test_every_viewer_sees_what_the_vector_shows(vector: Vector) -> None:
    reached = states(vector)
    for index, views in vector.get("views", {}).items():
        for viewer, view in views.items():
            assert GAME.write_view(reached[int(index)], viewer) == view
