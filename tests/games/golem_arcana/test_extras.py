"""The further conformance vectors: army checks, and the figures of attacks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.games.golem_arcana import GAME
from domain.kernel.notation_error import NotationError

EXTRAS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("extras.jsonl").read_text().splitlines()
]
ARMY = next(e for e in EXTRAS if e["kind"] == "army" and e["errors"])
FIGURES = next(e for e in EXTRAS if e["kind"] == "figures")


def check(extra: dict[str, Any]) -> list[str]:
    """What is otherwise than the vector says."""
    found = GAME.vector_checks[extra["kind"]](json.dumps(extra).encode())
    return [f"{each.what}: {each.expected}, not {each.got}" for each in found]


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda e: str(e.get("name") or e["action"]))
def test_what_the_vector_says_is_so(extra: dict[str, Any]) -> None:
    assert check(extra) == []


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "errors": (ARMY | {"errors": []}, f"errors of {ARMY['name']!r}: no errors, not ga.army."),
    "a figure": (
        FIGURES | {"figures": FIGURES["figures"] | {"dodge": 1}},
        "dodge of attack n2 kick s1 at s1: 1, not -4",
    ),
    "an unknown figure": (FIGURES | {"figures": {"luck": 1}}, "luck of attack"),
    "the chance": (FIGURES | {"chance": 1}, "chance of attack n2 kick s1 at s1: 1, not 71"),
    "the target": (FIGURES | {"target": "s3"}, "attack n2 kick s1 at s3: a target s3, not no such"),
    "an attack that is refused": (FIGURES | {"action": "attack n2 kick n1"}, "not refused by ga."),
    "what is no attack": (FIGURES | {"action": "end"}, "an attack, not no attack"),
    "what is no position": (FIGURES | {"position": "ga1 first-steps"}, "position of attack"),
    "a position of no scenario": (FIGURES | {"position": "?"}, "there is no scenario"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_wrong_in_a_vector_is_found(wrong: str) -> None:
    extra, shown = WRONG[wrong]
    assert shown in check(extra)[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e.pop("errors"),
        lambda e: e.update(extra=1),
        lambda e: e.update(scenario="moon"),
        lambda e: e.update(army={"faction": 1}),
    ],
)
def test_a_line_that_is_no_vector_is_reported(change: Callable[[dict[str, Any]], Any]) -> None:
    extra = dict(ARMY)
    change(extra)
    with pytest.raises(NotationError):
        check(extra)
